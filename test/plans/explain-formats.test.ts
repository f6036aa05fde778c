/**
 * `EXPLAIN FORMAT tree|pgjson|graphviz` of ten queries over the TPC-H fixtures. The goldens are the text DataFusion 55 prints; where
 * DataFusion is at hand it is asked again.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { EXPLAIN_QUERIES } from '../support/explain-queries.js';
import { goldenFolder, normaliseVolatile } from '../support/golden.js';
import { skipWithoutDataFusion } from '../support/initial-plans.js';
import { tableFolders } from '../support/planning-session.js';
import { queryRows } from '../support/query-rows.js';
import { fixturesTpch } from '../support/repository.js';
import { runPython } from '../support/yardsticks.js';

const FORMATS = ['tree', 'pgjson', 'graphviz'] as const;

const DATAFUSION = `
import json, sys
from datafusion import SessionConfig, SessionContext
request = json.load(sys.stdin)
config = SessionConfig().set("datafusion.optimizer.enable_physical_uncorrelated_scalar_subquery", "false")
context = SessionContext(config.set("datafusion.execution.target_partitions", "3"))
for table, folder in request["tables"].items():
    context.register_parquet(table, folder.rstrip("/") + "/")
def explain(sql):
    return [row for b in context.sql(sql).collect() for row in zip(b.column(0).to_pylist(), b.column(1).to_pylist())]
json.dump([explain(sql) for sql in request["statements"]], sys.stdout)
`;

const tables = tableFolders(fixturesTpch);
const goldens = goldenFolder('test/plans/formats');
const cases = Object.entries(EXPLAIN_QUERIES).flatMap(([name, query]) =>
  FORMATS.map((format) => ({ name: `${name}.${format}`, statement: `EXPLAIN FORMAT ${format} ${query}` })),
);
let session: SessionContext;

before(async () => {
  session = await SessionContext.create({
    settings: [
      ['distq.worker_mode', 'in_process'],
      ['execution.target_partitions', '3'],
    ],
  });
  for (const [name, folder] of Object.entries(tables)) await session.registerParquet(name, folder);
});

after(() => session.close());

for (const { name, statement } of cases) {
  test(`EXPLAIN FORMAT: ${name}`, async () => {
    const [row, ...others] = await queryRows(session, statement);
    assert.equal(others.length, 0);
    assert.equal(row?.[0], name.endsWith('.tree') ? 'physical_plan' : 'logical_plan');
    goldens.match(`${name}.txt`, normaliseVolatile(String(row[1])));
  });
}

test('DataFusion prints the same', { skip: skipWithoutDataFusion }, async () => {
  const theirs = runPython(DATAFUSION, { tables, statements: cases.map(({ statement }) => statement) });
  assert.ok(Array.isArray(theirs));
  for (const [i, { name, statement }] of cases.entries()) {
    assert.deepEqual(await queryRows(session, statement), theirs[i], name);
  }
});

test('an unknown format and a format of a run are errors that say so', async () => {
  const fails = (statement: string, expected: object): Promise<void> =>
    assert.rejects(queryRows(session, statement), expected);
  await fails('EXPLAIN FORMAT boxes SELECT 1', { kind: 'plan', message: 'EXPLAIN has no format boxes' });
  await fails('EXPLAIN VERBOSE FORMAT tree SELECT 1', { kind: 'not_implemented', message: /VERBOSE with FORMAT tree/ });
  await fails('EXPLAIN ANALYZE FORMAT pgjson SELECT 1', {
    kind: 'not_implemented',
    message: /ANALYZE with FORMAT pgjson/,
  });
});
