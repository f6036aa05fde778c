/** The physical plans of ClickBench over a small `hits` table made on the spot, beside DataFusion's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithoutCorpus } from '../support/corpora.js';
import { hitsFolder, makeHits } from '../support/hits-data.js';
import { skipWithoutDataFusion } from '../support/initial-plans.js';
import { comparePlans } from '../support/plan-comparison.js';
import { tableFolders } from '../support/planning-session.js';
import { corpusQueries } from '../support/queries.js';

const missing = skipWithoutCorpus('clickbench');

for (const partitions of ['1', '3']) {
  test(`with ${partitions} partitions DataFusion prints the same 43 plans`, {
    skip: missing === false ? skipWithoutDataFusion : missing,
  }, async () => {
    await makeHits();
    const queries = corpusQueries('clickbench');
    assert.equal(queries.length, 43);
    const settings = { 'execution.target_partitions': partitions };
    const compared = await comparePlans({ tables: tableFolders(hitsFolder), queries, settings });
    assert.deepEqual(
      compared.filter(({ difference }) => difference !== null),
      [],
    );
  });
}
