import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DistqError, type ErrorKind } from '../../../../src/base/errors.js';
import { known } from '../../../../src/catalog/statistics.js';
import { SessionConfig } from '../../../../src/config/session-config.js';
import { ExprCodecImpl } from '../../../../src/expr/physical-expr-codec.js';
import { compareByBytes } from '../../../../src/sources/files/list-files.js';
import { statisticsText } from '../../../../src/physical/statistics/statistics-text.js';
import { OpenFile } from '../../../../src/sources/files/open-file.js';
import { parquetSourceCodec } from '../../../../src/sources/parquet/parquet-source-codec.js';
import { ParquetTable } from '../../../../src/sources/parquet/parquet-table.js';
import { DuckDB } from '../../../support/duckdb.js';
import { fixturesTpch } from '../../../support/repository.js';
import { runPython, skipWithoutYardstick } from '../../../support/yardsticks.js';

const folder = mkdtempSync(join(tmpdir(), 'distq-table-'));
let duckdb: DuckDB;
before(async () => {
  duckdb = await DuckDB.over();
});
after(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const open = (path: string, config = SessionConfig.defaults): Promise<ParquetTable> => ParquetTable.open(path, config);

/** A directory in the test's folder with these parquet files, each made by a DuckDB query. */
async function directory(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, query] of Object.entries(files)) {
    await duckdb.run(`COPY (${query}) TO '${join(path, file)}' (FORMAT parquet)`);
  }
  return path;
}

async function refusal(path: string): Promise<{ kind: ErrorKind; message: string }> {
  try {
    await open(path);
  } catch (error) {
    assert.ok(error instanceof DistqError, String(error));
    return { kind: error.kind, message: error.message.replaceAll(folder, '<dir>') };
  }
  throw new Error(`${path} was opened`);
}

test('a directory lists its .parquet files by path bytes and skips what writers leave beside them', async () => {
  const path = await directory('listing', {
    '10.parquet': 'SELECT 1 a',
    '2.parquet': 'SELECT 2 a',
    '1.parquet': 'SELECT 3 a',
  });
  writeFileSync(join(path, '_SUCCESS'), '');
  writeFileSync(join(path, '.1.parquet.crc'), 'x');
  writeFileSync(join(path, '_tmp.parquet'), 'x');
  writeFileSync(join(path, 'notes.txt'), 'x');
  mkdirSync(join(path, 'deeper'));
  mkdirSync(join(path, '_k=v'));
  symlinkSync(join(path, '2.parquet'), join(path, '3.parquet'));
  const names = (table: ParquetTable): string[] => table.files.map((file) => file.path.slice(path.length + 1));
  assert.deepEqual(names(await open(path)), ['1.parquet', '10.parquet', '2.parquet', '3.parquet']);
  assert.deepEqual(names(await open(`${path}/`)), ['1.parquet', '10.parquet', '2.parquet', '3.parquet']);
  assert.deepEqual(names(await open(join(path, '1*.parquet'))), ['1.parquet', '10.parquet']);
  assert.deepEqual(names(await open(join(path, '{2,3}.parquet'))), ['2.parquet', '3.parquet']);
  assert.deepEqual(names(await open(join(path, '2.parquet'))), ['2.parquet']);
  assert.ok(compareByBytes('ﬁ', '😀') < 0, 'code points, not UTF-16 units');
});

test('what is no table gets one sentence', async () => {
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('empty'));
  const hasDevices = process.platform !== 'win32';
  if (hasDevices) symlinkSync('/dev/null', at('device'));
  mkdirSync(at('hive'));
  mkdirSync(at('hive/year=2024'));
  writeFileSync(at('zero.parquet'), '');
  writeFileSync(at('text.parquet'), 'this is a text file, not a Parquet file');
  writeFileSync(at('short.parquet'), 'PAR1');
  await duckdb.run(`COPY (SELECT 1 a) TO '${at('whole.parquet')}' (FORMAT parquet)`);
  copyFileSync(at('whole.parquet'), at('cut.parquet'));
  writeFileSync(at('cut.parquet'), Buffer.from('PAR1').toString() + 'x'.repeat(100));
  const expected: [string, ErrorKind, string][] = [
    ['nosuch', 'data_source', 'there is no file or directory <dir>/nosuch'],
    ['no*/x.parquet', 'data_source', 'no .parquet file matches <dir>/no*/x.parquet'],
    ['device', 'data_source', 'cannot read <dir>/device: it is not a regular file'],
    ['empty', 'data_source', 'the directory <dir>/empty holds no .parquet files'],
    ['zero.parquet', 'data_source', 'cannot read <dir>/zero.parquet: the file is empty (0 bytes)'],
    ['short.parquet', 'data_source', 'cannot read <dir>/short.parquet: it is not a Parquet file: 4 bytes are too few'],
    [
      'text.parquet',
      'data_source',
      'cannot read <dir>/text.parquet: it is not a complete Parquet file: it does not end with "PAR1"',
    ],
    [
      'cut.parquet',
      'data_source',
      'cannot read <dir>/cut.parquet: it is not a complete Parquet file: it begins like one but is cut off',
    ],
    [
      'hive',
      'not_implemented',
      '<dir>/hive is partitioned by directories (year=2024): Hive layouts are not supported yet',
    ],
  ];
  for (const [name, kind, message] of expected) {
    if (name !== 'device' || hasDevices) assert.deepEqual(await refusal(at(name)), { kind, message });
  }
});

test('files that differ are refused with both names and the column', async () => {
  const types = await directory('types', { '1.parquet': 'SELECT 1 a', '2.parquet': "SELECT 'x' a" });
  assert.deepEqual(await refusal(types), {
    kind: 'data_source',
    message:
      'the files of one table differ: column "a" is Int32 in <dir>/types/1.parquet and Utf8View in <dir>/types/2.parquet',
  });
  const missing = await directory('missing', { '1.parquet': 'SELECT 1 a, 2 b', '2.parquet': 'SELECT 1 a' });
  assert.equal(
    (await refusal(missing)).message,
    'the files of one table differ: column "b" is in <dir>/missing/1.parquet and not in <dir>/missing/2.parquet',
  );
  const extra = await directory('extra', { '1.parquet': 'SELECT 1 a', '2.parquet': 'SELECT 1 a, 2 b' });
  assert.equal(
    (await refusal(extra)).message,
    'the files of one table differ: column "b" is in <dir>/extra/2.parquet and not in <dir>/extra/1.parquet',
  );
  const moved = await directory('moved', { '1.parquet': 'SELECT 1 a, 2 b', '2.parquet': 'SELECT 3 b, 4 a' });
  const table = await open(moved);
  assert.equal(table.schema.toString(), 'a: Int32, b: Int32');
  assert.deepEqual(
    table.statistics().columns.map(({ max }) => known(max)?.value),
    [4, 3],
  );
});

test('files are chunked into groups, the last ones smaller or missing', async () => {
  const orders = await open(`${fixturesTpch}/orders`);
  const groups = (target: number): number[] =>
    orders.scan({ projection: [0], limit: null, targetPartitions: target }).fileScan.fileGroups.map((g) => g.length);
  assert.deepEqual([1, 2, 3, 4, 9].map(groups), [[4], [2, 2], [2, 2], [1, 1, 1, 1], [1, 1, 1, 1]]);
});

test('a limit takes only files enough for it, and its figures are estimates', async () => {
  const orders = await open(`${fixturesTpch}/orders`);
  const scan = orders.scan({ projection: [0], limit: 6000, targetPartitions: 2 });
  assert.equal(scan.fileScan.fileGroups.flat().length, 2);
  assert.equal(scan.fetch, 6000);
  const { numRows, columns } = scan.statistics();
  assert.deepEqual(numRows, { kind: 'inexact', value: 7496 });
  assert.equal(columns[0]?.max.kind, 'inexact');
  const all = orders.scan({ projection: [0], limit: 1_000_000, targetPartitions: 2 });
  assert.equal(all.fileScan.fileGroups.flat().length, 4);
  assert.equal(all.statistics().numRows.kind, 'exact');
});

test('settings decide about views, binaries and statistics', async () => {
  const path = await directory('settings', { '1.parquet': "SELECT 'x' s, 'y'::BLOB b" });
  const with_ = async (name: string, value: string): Promise<string> =>
    (await open(path, SessionConfig.defaults.with(name, value))).schema.toString();
  assert.equal((await open(path)).schema.toString(), 's: Utf8View, b: BinaryView');
  assert.equal(await with_('execution.parquet.schema_force_view_types', 'false'), 's: Utf8, b: Binary');
  assert.equal(await with_('execution.parquet.binary_as_string', 'true'), 's: Utf8View, b: Utf8View');
  const blind = await open(path, SessionConfig.defaults.with('execution.collect_statistics', 'false'));
  assert.equal(blind.statistics().numRows.kind, 'absent');
});

test('a thousand files open', async () => {
  const path = await directory('many', { '0.parquet': 'SELECT 1 a' });
  for (let i = 1; i < 1000; i++) copyFileSync(join(path, '0.parquet'), join(path, `${i}.parquet`));
  const table = await open(path);
  assert.equal(known(table.statistics().numRows), 1000);
  assert.equal(table.scan({ projection: [0], limit: null, targetPartitions: 3 }).fileScan.fileGroups.length, 3);
});

test('figures are merged in the order of the files, whichever is read first', async (t) => {
  const path = await directory('merged', {
    'a.parquet': 'SELECT i % 7 AS k FROM range(20000) AS r(i)',
    'b.parquet': 'SELECT 5 + i % 90 AS k FROM range(20000) AS r(i)',
    'c.parquet': 'SELECT 60 + i % 300 AS k FROM range(20000) AS r(i)',
  });
  const texts = new Set<string>();
  for (const late of ['a', 'b', 'c']) {
    const read = OpenFile.open.bind(OpenFile);
    const mocked = t.mock.method(OpenFile, 'open', async (file: string) => {
      if (file.endsWith(`${late}.parquet`)) await new Promise((resolve) => setTimeout(resolve, 20));
      return read(file);
    });
    texts.add(statisticsText((await open(path)).statistics()));
    mocked.mock.restore();
  }
  assert.equal(texts.size, 1, [...texts].join('\n'));
  assert.match([...texts][0] ?? '', /Distinct/);
});

test('a scan travels whole', async () => {
  const orders = await open(`${fixturesTpch}/orders`);
  const codec = new ExprCodecImpl({
    scalar: () => undefined,
    aggregate: () => undefined,
    window: () => undefined,
    names: () => [],
  });
  const plain = orders.scan({ projection: [4, 0], limit: 5, targetPartitions: 2 });
  const [date] = plain.fileScan.projection;
  assert.ok(date !== undefined);
  const source = plain.withFileScan({
    ...plain.fileScan,
    fileGroups: plain.fileScan.fileGroups.map((group) => group.map((f) => ({ ...f, range: { start: 0, end: 9 } }))),
    predicate: { kind: 'is_null', expr: date.expr, negated: true, type: { kind: 'Boolean' }, nullable: false },
    sortOrderForReorder: [{ expr: date.expr, descending: true, nullsFirst: true }],
    reverseRowGroups: true,
    outputOrderings: [[{ expr: date.expr, descending: false, nullsFirst: false }]],
  });
  const decoded = parquetSourceCodec.decode(source.encode(codec), codec);
  // Bounds of single files are for planning and stay behind.
  const { fileBounds } = source.fileScan;
  assert.ok(fileBounds !== undefined && decoded.fileScan !== null && decoded.fileScan.fileBounds === undefined);
  assert.deepEqual({ ...decoded.fileScan, fileBounds }, source.fileScan);
  assert.equal(decoded.describe(true), source.describe(true));
});

test('statistics are those DataFusion prints', { skip: skipWithoutYardstick('datafusion') }, async () => {
  const script = `
import json, re, sys
from datafusion import SessionContext, SessionConfig
ctx = SessionContext(SessionConfig().set('datafusion.execution.target_partitions', '1').set('datafusion.explain.show_statistics', 'true'))
out = {}
for name, folder in json.load(sys.stdin):
    ctx.register_parquet(name, folder)
    for b in ctx.sql('EXPLAIN SELECT * FROM ' + name).collect():
        for kind, plan in zip(b.column(0).to_pylist(), b.column(1).to_pylist()):
            if kind == 'physical_plan': out[name] = re.search('statistics=(.*)', plan).group(1)
print(json.dumps(out))`;
  const folders: Record<string, string> = Object.fromEntries(
    ['customer', 'lineitem', 'nation', 'orders', 'part', 'partsupp', 'region', 'supplier'].map((name) => [
      name,
      `${fixturesTpch}/${name}`,
    ]),
  );
  const values = "SELECT * FROM (VALUES (1, 'x'), (2, 'y'), (NULL, 'z')) t(a, s)";
  const none = `${values} WHERE a > 9`;
  folders.empty_last = await directory('empty-last', { '1.parquet': values, '2.parquet': none });
  folders.empty_first = await directory('empty-first', { '1.parquet': none, '2.parquet': values });
  folders.only_empty = await directory('only-empty', { '1.parquet': none });
  // Not a file of nulls only: there DataFusion takes NULL for the least value.
  const printed = runPython(
    script,
    Object.entries(folders).map(([name, folder]) => [name, `${folder}/`]),
  ) as Record<string, string>;
  for (const [name, folder] of Object.entries(folders)) {
    assert.equal(statisticsText((await open(folder)).statistics()), `statistics=${printed[name] ?? ''}`, name);
  }
});
