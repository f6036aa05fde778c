import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CancelScope } from '../../../../src/base/cancel-scope.js';
import { DistqError } from '../../../../src/base/errors.js';
import type { FileScanConfig } from '../../../../src/catalog/file-scan.js';
import { Arena } from '../../../../src/columnar/arena.js';
import { BOOLEAN, DATE32, INT32, INT64 } from '../../../../src/columnar/data-type.js';
import { heap } from '../../../../src/columnar/heap.js';
import { kernels } from '../../../../src/columnar/kernels.js';
import { KeySet } from '../../../../src/columnar/rows/key-set.js';
import { scalar } from '../../../../src/columnar/scalar-value.js';
import { physicalRow, valueAt } from '../../../../src/columnar/value-at.js';
import { SessionConfig } from '../../../../src/config/session-config.js';
import type { BinaryOperator } from '../../../../src/expr/expr.js';
import { type PhysicalExpr, physicalColumn, physicalLiteral } from '../../../../src/expr/physical-expr.js';
import { physicalBinary } from '../../../../src/expr/physical-planner.js';
import type { ParquetSource } from '../../../../src/sources/parquet/parquet-source.js';
import { ParquetTable } from '../../../../src/sources/parquet/parquet-table.js';
import { DuckDB } from '../../../support/duckdb.js';
import { canonicalColumns } from '../../../support/parquet-rows.js';
import { fixturesTpch } from '../../../support/repository.js';
import { scanContext, type ScanContextOptions } from '../../../support/scan-context.js';

const folder = mkdtempSync(join(tmpdir(), 'distq-reader-'));
let duckdb: DuckDB;
before(async () => {
  duckdb = await DuckDB.over();
});
after(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const open = (path: string): Promise<ParquetTable> => ParquetTable.open(path, SessionConfig.defaults);

/** Every type of DuckDB that Parquet has, with nulls in stretches, repeats, edges; the text that stands for a value in canonical form. */
const COLUMNS: readonly (readonly [name: string, sql: string, canonical: string])[] = [
  ['id', 'i::INTEGER', 'id'],
  ['boolean', '(i % 3 = 0)', 'boolean'],
  ['tinyint', '(i % 256 - 128)::TINYINT', 'tinyint'],
  ['smallint', '(i * 7 % 65536 - 32768)::SMALLINT', 'smallint'],
  ['bigint', '(hash(i) >> 1)::BIGINT * (1 - 2 * (i % 2))', 'bigint'],
  ['utinyint', '(i % 256)::UTINYINT', 'utinyint'],
  ['usmallint', '(i * 13 % 65536)::USMALLINT', 'usmallint'],
  ['uinteger', '(hash(i) % 4294967296)::UINTEGER', 'uinteger'],
  ['ubigint', 'hash(i)', 'ubigint'],
  ['float', '(i / 7.0)::FLOAT', 'float::DOUBLE'],
  ['double', "CASE WHEN i % 97 = 0 THEN 'nan'::DOUBLE WHEN i % 89 = 0 THEN '-inf'::DOUBLE ELSE i / 3.0 END", 'double'],
  ['decimal4', '(i % 1000 / 10.0)::DECIMAL(4, 1)', 'decimal4'],
  ['decimal9', '((i - 5000) * 1.23)::DECIMAL(9, 2)', 'decimal9'],
  ['decimal18', '((i - 5000) * 123456789.1234)::DECIMAL(18, 4)', 'decimal18'],
  ['decimal38', '((i - 5000)::HUGEINT * 10000000000000000000000)::DECIMAL(38, 5)', 'decimal38'],
  ['text', 'repeat(chr(97 + (i % 26)::INTEGER), (i % 40)::INTEGER) || i', 'text'],
  ['words', "['red', 'green', 'blue', '', 'ünïcode ☃ 😀'][1 + i % 5]", 'words'],
  ['blob', "encode(repeat('x', (i % 5)::INTEGER) || (i % 300))", 'lower(hex(blob))'],
  ['uuid', 'uuid_of(i)', "replace(uuid::VARCHAR, '-', '')"],
  ['date', "DATE '1900-01-01' + (i * 5)::INTEGER", "(date - DATE '1970-01-01')"],
  ['time', "TIME '00:00:00' + to_microseconds(i * 8123457)", 'epoch_ns(time)'],
  ['ts', "TIMESTAMP '1969-12-31 00:00:00' + to_microseconds(i * 86123457)", 'epoch_ns(ts)'],
  ['ts_ms', "(TIMESTAMP '1969-12-31 00:00:00' + to_milliseconds(i * 86123))::TIMESTAMP_MS", 'epoch_ns(ts_ms)'],
  ['ts_ns', "(TIMESTAMP '1969-12-31 00:00:00' + to_microseconds(i * 86123457))::TIMESTAMP_NS", 'epoch_ns(ts_ns)'],
  ['ts_tz', "(TIMESTAMP '1969-12-31 00:00:00' + to_microseconds(i * 86123457))::TIMESTAMPTZ", 'epoch_ns(ts_tz)'],
  ['sorted', '(i // 3000)::INTEGER', 'sorted'],
  ['empty', 'NULL::VARCHAR', 'empty'],
];

test('all types, codecs and page versions that DuckDB writes come back as DuckDB reads them', async () => {
  await duckdb.run(
    `CREATE MACRO uuid_of(i) AS (left(md5(i::VARCHAR), 8) || '-0000-4000-8000-' || right(md5(i::VARCHAR), 12))::UUID`,
  );
  const columns = COLUMNS.map(([name, sql], k) =>
    name === 'id' ? `${sql} AS id` : `CASE WHEN ${nulls(k)} THEN NULL ELSE ${sql} END AS "${name}"`,
  );
  await duckdb.run(`CREATE TABLE t AS SELECT ${columns.join(', ')} FROM range(6000) r(i)`);
  const variants = [
    "CODEC 'snappy', PARQUET_VERSION 'V1', ROW_GROUP_SIZE 4096",
    "CODEC 'zstd', PARQUET_VERSION 'V2', ROW_GROUP_SIZE 2048",
    "CODEC 'zstd', COMPRESSION_LEVEL 19, PARQUET_VERSION 'V1', ROW_GROUP_SIZE 6000",
    "CODEC 'zstd', COMPRESSION_LEVEL 1, PARQUET_VERSION 'V1', DICTIONARY_SIZE_LIMIT 1",
    "CODEC 'gzip', PARQUET_VERSION 'V2'",
    "CODEC 'brotli', PARQUET_VERSION 'V1'",
    "CODEC 'lz4_raw', PARQUET_VERSION 'V2', ROW_GROUP_SIZE 3000",
    "CODEC 'uncompressed', PARQUET_VERSION 'V2', DICTIONARY_SIZE_LIMIT 100",
  ];
  const list = COLUMNS.map(([name, , canonical]) => `(${canonical === name ? `"${name}"` : canonical})`).join(', ');
  for (const [index, options] of variants.entries()) {
    const path = join(folder, `types${index}.parquet`);
    await duckdb.run(`COPY t TO '${path}' (FORMAT parquet, ${options})`);
    const { rows } = await duckdb.query(`SELECT ${list} FROM '${path}' ORDER BY id`);
    for (const batchSize of index === 0 ? [8192, 100, 1] : [777]) {
      const found = await canonicalColumns(path, batchSize);
      assert.deepEqual(
        found.map((column) => column.name),
        COLUMNS.map(([name]) => name),
      );
      for (const [c, { name, values }] of found.entries()) {
        const wanted = rows.map((row) => row[c]);
        const ours = values.map((value) => (value === null ? null : String(value)));
        assert.deepEqual(ours, wanted, `${name}, ${options}, batches of ${batchSize}`);
      }
    }
  }
});

/** Which rows of column k are null: none, scattered, in stretches, nearly all. */
function nulls(k: number): string {
  return ['false', 'i % 7 = 3', '(i // 900) % 2 = 0', 'i % 500 <> 7', 'hash(i * 31) % 3 = 0'][k % 5] ?? 'false';
}

interface Read {
  readonly rows: unknown[][];
  readonly metrics: Map<string, number>;
  readonly encodings: Set<string>;
}

async function read(source: ParquetSource, options: ScanContextOptions = {}): Promise<Read> {
  const context = scanContext({ source, ...options });
  const rows: unknown[][] = [];
  const encodings = new Set<string>();
  for (let partition = 0; partition < source.partitionCount; partition++) {
    for await (const batch of source.open(partition, context)) {
      assert.ok(batch.numRows > 0 && batch.numRows <= (options.batchSize ?? 8192));
      for (const column of batch.columns) encodings.add(column.encoding);
      for (let row = 0; row < batch.numRows; row++) {
        rows.push(batch.columns.map((column) => valueAt(column, physicalRow(batch, row))));
      }
    }
  }
  assert.equal(context.memory.usedBytes, 0);
  return { rows, encodings, metrics: new Map(context.metrics.snapshot().map(({ name, value }) => [name, value])) };
}

async function scan(
  table: string,
  columns: readonly string[],
  change: Partial<FileScanConfig> = {},
): Promise<ParquetSource> {
  const { schema, ...rest } = await tableOf(table);
  const source = rest.table.scan({
    projection: columns.map((name) => schema.require(name)),
    limit: null,
    targetPartitions: 2,
  });
  return source.withFileScan({ ...source.fileScan, ...change });
}

async function tableOf(name: string): Promise<{ table: ParquetTable; schema: ParquetTable['schema'] }> {
  const table = await open(`${fixturesTpch}/${name}`);
  return { table, schema: table.schema };
}

test('columns come in the order of the projection, repeats and none at all included', async () => {
  const source = await scan('nation', ['n_name', 'n_nationkey']);
  const { rows } = await read(source);
  assert.equal(rows.length, 25);
  assert.deepEqual(rows[1], ['ARGENTINA', 1n]);
  const [name, key] = source.fileScan.projection;
  assert.ok(name !== undefined && key !== undefined);
  const repeated = source.withFileScan({ ...source.fileScan, projection: [key, name, key] });
  assert.deepEqual((await read(repeated, { batchSize: 4 })).rows[24], [24n, 'UNITED STATES', 24n]);
  const none = await read(source.withFileScan({ ...source.fileScan, projection: [] }), { batchSize: 10 });
  assert.deepEqual(none.rows, Array<unknown[]>(25).fill([]));
  assert.equal(none.metrics.get('bytes_scanned'), 0);
});

test('a limit ends each partition', async () => {
  const source = (await scan('orders', ['o_orderkey'])).withFetch(10);
  assert.equal(source.partitionCount, 2);
  const { rows, metrics } = await read(source);
  assert.equal(rows.length, 20);
  assert.equal(metrics.get('files_opened'), 2);
});

test('byte ranges give every row once, wherever they are cut', async () => {
  const whole = await scan('lineitem', ['l_orderkey', 'l_linenumber']);
  const expected = (await read(whole)).rows.map(String).sort();
  assert.equal(expected.length, 60_175);
  for (const pieces of [2, 3, 50]) {
    const fileGroups = whole.fileScan.fileGroups.map((group) =>
      group.flatMap((file) =>
        Array.from({ length: pieces }, (_, i) => ({
          ...file,
          range: { start: Math.floor((file.size * i) / pieces), end: Math.floor((file.size * (i + 1)) / pieces) },
        })),
      ),
    );
    const { rows } = await read(whole.withFileScan({ ...whole.fileScan, fileGroups }));
    assert.deepEqual(rows.map(String).sort(), expected);
  }
});

test('an idle partition takes what is left of another', async () => {
  const source = await scan('orders', ['o_orderkey']);
  const context = scanContext({ source, stealing: true });
  let rows = 0;
  for await (const batch of source.open(1, context)) rows += batch.numRows;
  assert.equal(rows, 15_000);
  assert.equal(context.queue.stolenCount, 2);
});

function compare(schema: ParquetTable['schema'], name: string, op: BinaryOperator, value: PhysicalExpr): PhysicalExpr {
  return physicalBinary(physicalColumn(schema, schema.require(name)), op, value);
}

test('statistics spare row groups, and never one with a match', async () => {
  const { schema } = await tableOf('lineitem');
  const key = (value: number): PhysicalExpr => physicalLiteral(scalar(INT64, BigInt(value)));
  const all = (await read(await scan('lineitem', ['l_orderkey']))).rows.map(([value]) => Number(value));
  for (const [op, value] of [
    ['=', 30_000],
    ['<', 500],
    ['>=', 59_000],
    ['<=', 0],
    ['!=', 7],
  ] as [BinaryOperator, number][]) {
    const predicate = compare(schema, 'l_orderkey', op, key(value));
    const { rows, metrics } = await read(await scan('lineitem', ['l_orderkey'], { predicate }));
    const holds = (x: number): boolean =>
      op === '='
        ? x === value
        : op === '<'
          ? x < value
          : op === '>='
            ? x >= value
            : op === '<='
              ? x <= value
              : x !== value;
    const matching = (values: readonly number[]): number[] => values.filter(holds).sort((a, b) => a - b);
    assert.deepEqual(matching(rows.map(([x]) => Number(x))), matching(all), `l_orderkey ${op} ${value}`);
    const pruned = metrics.get('row_groups_pruned_statistics') ?? 0;
    if (op === '!=') assert.equal(pruned, 0);
    else assert.ok(pruned > 10, `${op} ${value}: ${pruned} row groups spared`);
    assert.equal(pruned + (metrics.get('row_groups_matched_statistics') ?? 0), 20);
  }
  const off = await ParquetTable.open(
    `${fixturesTpch}/lineitem`,
    SessionConfig.defaults.with('execution.parquet.pruning', 'false'),
  );
  const source = off.scan({ projection: [0], limit: null, targetPartitions: 1 });
  const predicate = compare(schema, 'l_orderkey', '<', key(0));
  assert.equal((await read(source.withFileScan({ ...source.fileScan, predicate }))).rows.length, 60_175);
});

test('a dynamic filter that tightens while the scan runs spares later files', async () => {
  const { schema } = await tableOf('orders');
  const column = physicalColumn(schema, 0);
  const filter: PhysicalExpr = {
    kind: 'dynamic_filter',
    id: 7,
    children: [column],
    type: column.type,
    nullable: false,
  };
  const source = await scan('orders', ['o_orderkey'], { predicate: filter });
  let current: PhysicalExpr | null = null;
  const context = scanContext({ source, stealing: true, dynamicFilter: (id) => (id === 7 ? current : null) });
  let rows = 0;
  for await (const batch of source.open(0, context)) {
    rows += batch.numRows;
    // Column 0 of the filter stands for its first child.
    current ??= physicalBinary({ ...column, name: 'key', index: 0 }, '<', physicalLiteral(scalar(INT64, 0n)));
  }
  assert.ok(rows > 0 && rows <= 3750, `${rows} rows`);
  assert.ok(context.metrics.value('row_groups_pruned_dynamic_filter') > 0);
});

test('rows whose key no join above has are dropped, whatever columns are read beside it', async () => {
  const { schema } = await tableOf('orders');
  const column = physicalColumn(schema, 0);
  const filter: PhysicalExpr = { kind: 'dynamic_filter', id: 7, children: [column], type: BOOLEAN, nullable: false };
  const all = (await read(await scan('orders', ['o_orderkey', 'o_orderdate']))).rows;
  const arena = new Arena();
  const wanted = all.flatMap(([key], index) => (index % 7 === 0 && typeof key === 'bigint' ? [key] : []));
  const set = KeySet.over(0n, 60_000n, arena);
  const rows = arena.alloc(wanted.length * 8);
  heap.i64.set(wanted, rows >>> 3);
  kernels.addRowKeys(set.address, rows, 8, wanted.length, 0, 8, 0, 0);
  const source = await scan('orders', ['o_orderkey', 'o_orderdate'], { predicate: filter });
  const sets = [set];
  const found = await read(source, { keySets: () => sets, batchSize: 100 });
  const keys = new Set(wanted);
  assert.deepEqual(
    found.rows,
    all.filter(([key]) => typeof key === 'bigint' && keys.has(key)),
  );
  const none = [KeySet.EMPTY];
  assert.equal((await read(source, { keySets: () => none })).rows.length, 0);
  arena.free();
});

test('row groups are visited in the order that suits the sort above', async () => {
  const { schema } = await tableOf('orders');
  const expr = physicalColumn(schema, schema.require('o_orderkey'));
  const first = async (descending: boolean): Promise<unknown> => {
    const source = await scan('orders', ['o_orderkey'], {
      sortOrderForReorder: [{ expr, descending, nullsFirst: descending }],
      reverseRowGroups: descending,
      fileGroups: [(await tableOf('orders')).table.files.slice(3)],
    });
    const { rows } = await read(source, { batchSize: 1 });
    return rows[0]?.[0];
  };
  const [low, high] = [await first(false), await first(true)];
  assert.ok(typeof low === 'bigint' && typeof high === 'bigint' && low < high, `${String(low)} < ${String(high)}`);
});

test('dictionaries are kept, and repeats are constants', async () => {
  const { encodings } = await read(await scan('lineitem', ['l_shipmode', 'l_returnflag']));
  assert.deepEqual([...encodings], ['dictionary']);
  const path = join(folder, 'constant.parquet');
  await duckdb.run(`COPY (SELECT 7::INTEGER a, 'x' b FROM range(5000)) TO '${path}' (FORMAT parquet)`);
  const table = await open(path);
  const source = table.scan({ projection: [0, 1], limit: null, targetPartitions: 1 });
  const read7 = await read(source, { batchSize: 1000 });
  assert.deepEqual([...read7.encodings], ['constant']);
  assert.deepEqual(read7.rows, Array<unknown[]>(5000).fill([7, 'x']));
});

test('a file that changes between planning and reading is noticed', async () => {
  const path = join(folder, 'changes.parquet');
  copyFileSync(`${fixturesTpch}/nation/1.parquet`, path);
  const source = (await open(path)).scan({ projection: [0], limit: null, targetPartitions: 1 });
  assert.equal((await read(source)).rows.length, 25);
  const changed = (error: unknown): boolean =>
    error instanceof DistqError && error.kind === 'data_source' && error.message.includes(path);
  utimesSync(path, new Date(), new Date(1_000_000_000_000));
  await assert.rejects(read(source), changed);
  copyFileSync(`${fixturesTpch}/region/1.parquet`, path);
  await assert.rejects(read(source), changed);
  rmSync(path);
  await assert.rejects(read(source), changed);
});

test('a cancelled scan stops and leaves nothing', async () => {
  const scope = new CancelScope();
  const source = await scan('lineitem', ['l_orderkey', 'l_comment']);
  const context = scanContext({ source, scope, batchSize: 10 });
  const stream = source.open(0, context)[Symbol.asyncIterator]();
  await stream.next();
  scope.cancel();
  await assert.rejects(stream.next(), (error: unknown) => error instanceof DistqError && error.kind === 'cancelled');
  assert.equal(context.memory.usedBytes, 0);
  const abandoned = scanContext({ source, batchSize: 10 });
  for await (const _ of source.open(0, abandoned)) break;
  assert.equal(abandoned.memory.usedBytes, 0);
  const before = heap.usedBytes;
  source.open(0, scanContext({ source }));
  assert.equal(heap.usedBytes, before, 'a stream that is never pulled holds nothing');
});

test('a scan beyond its memory says so', async () => {
  const source = await scan('lineitem', ['l_comment', 'l_orderkey']);
  await assert.rejects(
    read(source, { memoryBytes: 100_000 }),
    (error: unknown) => error instanceof DistqError && error.kind === 'resources_exhausted',
  );
});

test('long strings make short batches', async () => {
  const path = join(folder, 'long.parquet');
  await duckdb.run(
    `COPY (SELECT i::INTEGER id, repeat(md5(i::VARCHAR), 8000) s FROM range(200) r(i)) TO '${path}' (FORMAT parquet, CODEC 'zstd', DICTIONARY_SIZE_LIMIT 1)`,
  );
  const source = (await open(path)).scan({ projection: [0, 1], limit: null, targetPartitions: 1 });
  const context = scanContext({ source });
  let rows = 0;
  for await (const batch of source.open(0, context)) {
    const bytes = batch.numRows * 32 * 8000;
    assert.ok(bytes <= 16 * 1024 * 1024, `${bytes} bytes of strings in a batch`);
    rows += batch.numRows;
  }
  assert.equal(rows, 200);
});

test('predicates on nullable columns and dates agree with DuckDB', async () => {
  const path = join(folder, 'pruning.parquet');
  await duckdb.run(
    `COPY (SELECT CASE WHEN i // 2048 = 2 THEN NULL ELSE i::INTEGER END k, DATE '2020-01-01' + (i // 10)::INTEGER d FROM range(20000) r(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
  );
  const table = await open(path);
  const source = table.scan({ projection: [0, 1], limit: null, targetPartitions: 1 });
  const isNull: PhysicalExpr = {
    kind: 'is_null',
    expr: physicalColumn(table.schema, 0),
    negated: false,
    type: INT32,
    nullable: false,
  };
  const withNulls = await read(source.withFileScan({ ...source.fileScan, predicate: isNull }));
  assert.equal(withNulls.rows.length, 2048);
  const late = compare(table.schema, 'd', '>=', physicalLiteral(scalar(DATE32, 18_262 + 1990)));
  const lateRows = await read(source.withFileScan({ ...source.fileScan, predicate: late }));
  const { rows } = await duckdb.query(`SELECT count(*) FROM '${path}' WHERE d >= DATE '1970-01-01' + ${18_262 + 1990}`);
  const days = lateRows.rows.filter(([, day]) => Number(day) >= 18_262 + 1990);
  assert.equal(String(days.length), rows[0]?.[0]);
  assert.ok(lateRows.rows.length <= 4096);
});
