/**
 * PushdownSort puts a group's files in the order of their bounds: ascending, shuffled, overlapping, with ties and NULLs. The golden is the
 * text DataFusion 55 prints; where DataFusion is at hand it is asked again. The rows are right too.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { displayIndent } from '../../src/physical/display.js';
import { SessionContext } from '../../src/session/session-context.js';
import { queryRows } from '../oracle/run-text.js';
import { DuckDB } from '../support/duckdb.js';
import { goldenFolder, normaliseVolatile } from '../support/golden.js';
import { skipWithoutDataFusion } from '../support/initial-plans.js';
import { comparePlans } from '../support/plan-comparison.js';
import { PlanningSession, tableFolders } from '../support/planning-session.js';

const goldens = goldenFolder('test/plans/physical/sort-files');
const root = mkdtempSync(join(tmpdir(), 'distq-sort-files-'));

/** Per table and file its rows: key, value. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  ascending: ['(0, 1), (9, 2)', '(10, 1), (19, 2)', '(20, 1), (29, 2)', '(30, 1), (39, 2)'],
  shuffled: ['(20, 1), (29, 2)', '(0, 1), (9, 2)', '(30, 1), (39, 2)', '(10, 1), (19, 2)'],
  overlapping: ['(5, 3), (20, 1)', '(0, 2), (15, 2)', '(10, 0), (12, 1)', '(4, 9), (30, 1)'],
  tied: ['(5, 3), (9, 1)', '(5, 1), (8, 2)', '(5, 2), (9, 9)', '(1, 7), (1, 7)'],
  with_nulls: ['(5, 3), (NULL, 4)', '(NULL, 1), (NULL, 2)', '(2, 7), (9, 9)', '(3, 2), (NULL, 2)'],
};
const ORDERS = ['k', 'k desc', 'k nulls first', 'k desc nulls last', 'k, v desc', 'k desc, v', 'v, k'];

const QUERIES: readonly string[] = [
  ...Object.keys(TABLES).flatMap((table) => ORDERS.map((order) => `select * from ${table} order by ${order}`)),
  'select * from shuffled order by k desc limit 3',
  'select v as a, k as b from shuffled order by b limit 3 offset 1',
  'select k, v + 1 as w from shuffled order by k, w',
  'select * from shuffled where v > 0 order by k desc limit 3',
  'select k, row_number() over (order by k desc) from shuffled',
];

before(async () => {
  const duckdb = await DuckDB.over();
  for (const [table, files] of Object.entries(TABLES)) {
    mkdirSync(join(root, table));
    for (const [file, rows] of files.entries()) {
      const path = join(root, table, `${file}.parquet`);
      await duckdb.run(`COPY (SELECT * FROM (VALUES ${rows}) t(k, v)) TO '${path}' (FORMAT parquet)`);
    }
  }
  duckdb.close();
});
after(() => {
  rmSync(root, { recursive: true });
});

for (const partitions of ['1', '2']) {
  const settings = { 'execution.target_partitions': partitions };
  test(`the plans with ${partitions} partitions`, async () => {
    const session = await PlanningSession.open(tableFolders(root), settings);
    let text = '';
    for (const sql of QUERIES) {
      const [planned] = await session.plan(sql);
      assert.ok(planned !== undefined);
      text += `${sql}\n${displayIndent(planned.physical, { full: true })}\n`;
    }
    goldens.match(`${partitions}-partitions.txt`, normaliseVolatile(text).replaceAll(root.slice(1), '<data>'));
  });

  test(`DataFusion prints the same with ${partitions} partitions`, { skip: skipWithoutDataFusion }, async () => {
    const queries = QUERIES.map((sql) => ({ name: sql, sql }));
    const compared = await comparePlans({ tables: tableFolders(root), queries, settings });
    assert.deepEqual(
      compared.filter(({ difference }) => difference !== null),
      [],
    );
  });
}

test('the rows come in order', { timeout: 60_000 }, async () => {
  const duckdb = await DuckDB.over(root);
  const session = await SessionContext.create({ data: [root], settings: [['distq.workers', '1']] });
  for (const table of Object.keys(TABLES)) {
    for (const order of ['k nulls last, v', 'k desc nulls first, v', 'v desc, k nulls last']) {
      for (const limit of ['', ' limit 3', ' limit 2 offset 2']) {
        const sql = `select k, v from ${table} order by ${order}${limit}`;
        assert.deepEqual((await queryRows(session, sql)).rows.rows, (await duckdb.query(sql)).rows, sql);
      }
    }
  }
  await session.close();
  duckdb.close();
});
