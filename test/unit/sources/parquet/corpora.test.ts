import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DistqError } from '../../../../src/base/errors.js';
import { isNested } from '../../../../src/columnar/data-type.js';
import { SessionConfig } from '../../../../src/config/session-config.js';
import { ParquetTable } from '../../../../src/sources/parquet/parquet-table.js';
import { corpusFolder, type CorpusName, skipWithoutCorpus } from '../../../support/corpora.js';
import { type CanonicalColumn, canonicalColumns, canonicalMd5 } from '../../../support/parquet-rows.js';
import { scanContext } from '../../../support/scan-context.js';

interface Expected {
  readonly expect?: 'rows' | 'error' | 'either';
  readonly rows?: number;
  readonly rowsFromArrowRs?: number;
  readonly md5First1000?: string;
  readonly columns?: readonly { readonly name: string; readonly md5First1000?: string; readonly asText?: boolean }[];
  readonly arrowRs?: { readonly md5First1000?: string };
  readonly agree?: boolean;
  readonly sameRowsAs?: readonly string[];
}

/**
 * Files with columns that hold lists, structs or maps. Their other columns are compared; these must be refused by name. Each goes
 * when the reader learns nested columns.
 */
const NESTED: ReadonlySet<string> = new Set([
  'bad_data/ARROW-RS-GH-6229-LEVELS.parquet',
  'data/datapage_v2.snappy.parquet',
  'data/incorrect_map_schema.parquet',
  'data/large_string_map.brotli.parquet',
  'data/list_columns.parquet',
  'data/map_no_value.parquet',
  'data/nested_lists.snappy.parquet',
  'data/nested_maps.snappy.parquet',
  'data/nested_structs.rust.parquet',
  'data/nonnullable.impala.parquet',
  'data/nullable.impala.parquet',
  'data/nulls.snappy.parquet',
  'data/repeated_no_annotation.parquet',
  'data/repeated_primitive_no_list.parquet',
  'duckdb2557.parquet',
  'duckdb3734.parquet',
  'struct_strings.parquet',
]);

const nestedSeen = new Set<string>();
/** md5 of all rows of the files without nested columns, for `sameRowsAs`. */
const rowsMd5 = new Map<string, string>();

function isUserError(error: unknown): boolean {
  return error instanceof DistqError && (error.kind === 'data_source' || error.kind === 'not_implemented');
}

for (const corpus of ['parquet-testing', 'hyparquet'] satisfies CorpusName[]) {
  const skip = skipWithoutCorpus(corpus);
  if (skip !== false) {
    test(corpus, { skip }, () => undefined);
    continue;
  }
  const folder = corpusFolder(corpus);
  const expected = (
    JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as { files: Record<string, Expected> }
  ).files;
  const files = Object.entries(expected).filter(([name]) => !name.endsWith('.csv'));
  test(`${corpus} has files`, () => {
    assert.ok(files.length > 0);
  });
  for (const [name, entry] of files) {
    test(`${corpus} ${name}: ${entry.expect}`, async () => {
      await checkFile(join(folder, name), name, entry);
    });
  }
}

async function checkFile(path: string, name: string, entry: Expected): Promise<void> {
  let columns: CanonicalColumn[];
  try {
    columns = await canonicalColumns(path, 8192);
    const refused = await nestedColumnsRefused(path);
    if (refused > 0) nestedSeen.add(name);
    if (refused > 0 && entry.expect === 'error') return;
  } catch (error) {
    if (!isUserError(error)) throw error;
    assert.notEqual(entry.expect, 'rows', String(error));
    return;
  }
  assert.notEqual(entry.expect, 'error', 'a damaged or encrypted file was read');
  const rows = entry.rows ?? entry.rowsFromArrowRs;
  if (rows !== undefined && columns.length > 0) assert.equal(columns[0]?.values.length, rows);
  const allRows = (some: readonly CanonicalColumn[], count: number): unknown[][] =>
    Array.from({ length: Math.min(count, some[0]?.values.length ?? 0) }, (_, row) => some.map((c) => c.values[row]));
  if (!nestedSeen.has(name)) {
    const first = canonicalMd5(allRows(columns, 1000));
    rowsMd5.set(name, canonicalMd5(allRows(columns, Infinity)));
    const hasText = entry.columns?.some((column) => column.asText === true) ?? false;
    const wanted = hasText ? entry.arrowRs?.md5First1000 : (entry.md5First1000 ?? entry.arrowRs?.md5First1000);
    assert.ok(wanted !== undefined, 'nothing to compare with');
    assert.equal(first, wanted);
  }
  for (const column of columns) {
    const known = entry.columns?.find((other) => other.name === column.name);
    if (known?.md5First1000 === undefined || known.asText === true) continue;
    assert.equal(canonicalMd5(column.values.slice(0, 1000)), known.md5First1000, `column ${column.name}`);
  }
  for (const batchSize of [1, 7]) assert.deepEqual(await canonicalColumns(path, batchSize), columns);
}

/** Every nested column is refused by name; gives how many there are. */
async function nestedColumnsRefused(path: string): Promise<number> {
  const table = await ParquetTable.open(path, SessionConfig.defaults);
  let refused = 0;
  for (const [index, field] of table.schema.fields.entries()) {
    if (!isNested(field.type)) continue;
    refused++;
    const source = table.scan({ projection: [index], limit: null, targetPartitions: 1 });
    const stream = source.open(0, scanContext({ source }))[Symbol.asyncIterator]();
    await assert.rejects(stream.next(), (error: unknown) => {
      assert.ok(error instanceof DistqError && error.kind === 'not_implemented', String(error));
      assert.ok(error.message.includes(`"${field.name}"`), error.message);
      return true;
    });
  }
  return refused;
}

test('the list of files with nested columns is true', { skip: skipWithoutCorpus('parquet-testing') }, () => {
  assert.deepEqual([...nestedSeen].sort(), [...NESTED].sort());
});

test('files with the same rows read the same', { skip: skipWithoutCorpus('parquet-testing') }, () => {
  const groups = [
    ['data/hadoop_lz4_compressed.parquet', 'data/lz4_raw_compressed.parquet', 'brotli_compressed.parquet'],
    ['data/alltypes_tiny_pages.parquet', 'data/alltypes_tiny_pages_plain.parquet'],
    ['data/fixed_length_decimal.parquet', 'data/int32_decimal.parquet'],
  ];
  for (const group of groups) {
    const known = group.map((name) => rowsMd5.get(name));
    assert.ok(
      known.every((md5) => md5 !== undefined && md5 === known[0]),
      group.join(', '),
    );
  }
});
