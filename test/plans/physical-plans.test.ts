/**
 * The physical plans of TPC-H over the fixtures. The goldens are the text DataFusion 55 prints; where DataFusion is at hand it is asked
 * again.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { displayIndent } from '../../src/physical/display.js';
import { skipWithoutCorpus } from '../support/corpora.js';
import { goldenFolder, normaliseVolatile } from '../support/golden.js';
import { skipWithoutDataFusion } from '../support/initial-plans.js';
import { comparePlans } from '../support/plan-comparison.js';
import { PlanningSession, tableFolders } from '../support/planning-session.js';
import { corpusQueries } from '../support/queries.js';
import { fixturesTpch } from '../support/repository.js';

const goldens = goldenFolder('test/plans/physical/tpch');
const skip = skipWithoutCorpus('tpch');
const settings = { 'execution.target_partitions': '3' };
const tables = tableFolders(fixturesTpch);
const queries = skip === false ? corpusQueries('tpch') : [];
let session: PlanningSession;

before(async () => {
  session = await PlanningSession.open(tables, settings);
});

test('there are 22 queries', { skip }, () => {
  assert.equal(queries.length, 22);
});

for (const { name, sql } of queries) {
  test(`${name}: the physical plan`, async () => {
    const [planned] = await session.plan(sql);
    assert.ok(planned !== undefined);
    goldens.match(`${name}.txt`, normaliseVolatile(displayIndent(planned.physical, { full: true })));
  });
}

for (const partitions of ['1', '2', '3', '8']) {
  test(`with ${partitions} partitions DataFusion prints the same 22 plans`, {
    skip: skip === false ? skipWithoutDataFusion : skip,
  }, async () => {
    const compared = await comparePlans({ tables, queries, settings: { 'execution.target_partitions': partitions } });
    const differing = compared.filter(({ difference }) => difference !== null);
    assert.deepEqual(differing, []);
  });
}
