/**
 * The optimized plans of the three suites over tables that are only schemas. The goldens say what TPC-H gives; with DataFusion at
 * hand all plans are compared with its own, as text, and a difference names the first rule after which the two part.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatements } from '../../../src/sql/parser/parse-statements.js';
import { skipWithoutCorpus } from '../../support/corpora.js';
import { goldenFolder } from '../../support/golden.js';
import { dataFusionStages, firstDifference, planQuery, skipWithoutDataFusion } from '../../support/logical-stages.js';
import { corpusQueries } from '../../support/queries.js';
import { type SchemaTexts, TPCH_SCHEMAS } from '../../support/schema-tables.js';
import { CLICKBENCH_SCHEMAS, TPCDS_SCHEMAS } from '../../support/suite-schemas.js';

const SUITES: Readonly<Record<'tpch' | 'tpcds' | 'clickbench', SchemaTexts>> = {
  tpch: TPCH_SCHEMAS,
  tpcds: TPCDS_SCHEMAS,
  clickbench: CLICKBENCH_SCHEMAS,
};

const goldens = goldenFolder('test/plans/logical/tpch');

test('the optimized plans of tpch', { skip: skipWithoutCorpus('tpch') }, async () => {
  const queries = corpusQueries('tpch');
  assert.equal(queries.length, 22);
  for (const { name, sql } of queries) {
    const { stages } = await planQuery(sql, TPCH_SCHEMAS);
    goldens.match(`${name}.txt`, stages.at(-1)?.text ?? '');
  }
});

for (const suite of ['tpch', 'tpcds', 'clickbench'] as const) {
  const missing = skipWithoutCorpus(suite);
  test(`the optimized plans of ${suite} are DataFusion's`, {
    skip: missing === false ? skipWithoutDataFusion : missing,
  }, async (t) => {
    const queries = corpusQueries(suite);
    const theirs = dataFusionStages(
      SUITES[suite],
      queries.map(({ sql }) => parseStatements(sql).map(({ text }) => text)),
    );
    for (const [index, { name, sql }] of queries.entries()) {
      await t.test(name, async () => {
        const wanted = theirs[index] ?? [];
        const { stages } = await planQuery(sql, SUITES[suite]);
        // On the way there the texts may differ (a rule that acts earlier); what counts is where they arrive.
        if (stages.at(-1)?.text === wanted.at(-1)?.text) return;
        assert.fail(firstDifference(stages, wanted) ?? 'the plans differ');
      });
    }
  });
}
