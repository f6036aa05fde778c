import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DuckDB } from '../support/duckdb.js';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';

let duckdb: DuckDB;
before(async () => {
  duckdb = await DuckDB.over(fixturesTpch);
});
after(() => {
  duckdb.close();
});

test('fixtures/tpch holds the tables, files and row groups that its README states', async () => {
  const readme = readFileSync(join(repositoryRoot, 'fixtures/README.md'), 'utf8');
  const stated = [...readme.matchAll(/^\| ([a-z]+) \| ([\d,]+) \| (\d+) \| (\d+) \|$/gm)].map((row) => ({
    table: row[1],
    rows: Number(row[2]?.replaceAll(',', '')),
    files: Number(row[3]),
    rowGroupsPerFile: Number(row[4]),
  }));
  assert.equal(stated.length, 8);
  assert.deepEqual(
    readdirSync(fixturesTpch).sort(),
    stated.map((row) => row.table),
  );
  for (const { table, rows, files, rowGroupsPerFile } of stated) {
    const folder = join(fixturesTpch, String(table));
    assert.equal(readdirSync(folder).length, files, `${String(table)}: files`);
    const counted = await duckdb.query(`SELECT count(*) FROM ${String(table)}`);
    assert.deepEqual(counted.rows, [[String(rows)]], `${String(table)}: rows`);
    const groups = await duckdb.query(
      `SELECT file_name, count(DISTINCT row_group_id) FROM parquet_metadata('${folder}/*.parquet') GROUP BY 1`,
    );
    for (const [file, count] of groups.rows)
      assert.equal(count, String(rowGroupsPerFile), `${String(file)}: row groups`);
  }
});

test('every fixture column is required and has statistics in every row group, and all stay below 6 MB', async () => {
  const all = `${fixturesTpch}/*/*.parquet`;
  const optional = await duckdb.query(
    `SELECT file_name, name FROM parquet_schema('${all}') WHERE type IS NOT NULL AND repetition_type <> 'REQUIRED'`,
  );
  assert.deepEqual(optional.rows, []);
  const chunks = await duckdb.query(
    `SELECT count(*), count(stats_min_value), count(*) FILTER (compression = 'SNAPPY') FROM parquet_metadata('${all}')`,
  );
  const [total, withStatistics, snappy] = chunks.rows[0] ?? [];
  assert.ok(Number(total) > 61);
  assert.equal(withStatistics, total);
  assert.equal(snappy, total);
  let bytes = 0;
  for (const file of readdirSync(fixturesTpch, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) bytes += statSync(join(file.parentPath, file.name)).size;
  }
  assert.ok(bytes < 6_000_000, `${bytes} bytes`);
});

test('every query in fixtures/queries runs in DuckDB, returns rows and orders them totally', async () => {
  const folder = join(repositoryRoot, 'fixtures/queries');
  const names = readdirSync(folder);
  assert.ok(names.length >= 12);
  for (const name of names) {
    const sql = readFileSync(join(folder, name), 'utf8').replace(/;\s*$/, '');
    const { rows } = await duckdb.query(sql);
    assert.ok(rows.length > 0, `${name}: no rows`);
    // The same rows from a reversed input must come in the same order.
    await duckdb.run('CREATE SCHEMA reversed; SET schema = reversed');
    for (const table of readdirSync(fixturesTpch)) {
      const source = `SELECT * FROM main.${table}`;
      await duckdb.run(
        `CREATE TABLE ${table} AS SELECT * EXCLUDE (n) FROM (SELECT *, row_number() OVER () n FROM (${source})) ORDER BY n DESC`,
      );
    }
    const reversed = await duckdb.query(sql);
    await duckdb.run('SET schema = main; DROP SCHEMA reversed CASCADE');
    assert.deepEqual(reversed.rows.map(rounded), rows.map(rounded), `${name}: another order or other rows`);
  }
});

/** Sums of doubles depend on the order of the input. */
function rounded(row: readonly (string | null)[]): readonly (string | null)[] {
  return row.map((value) => (value !== null && /^-?\d+\.\d{7,}$/.test(value) ? Number(value).toPrecision(10) : value));
}
