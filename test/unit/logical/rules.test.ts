/**
 * What each logical rule does, one golden per rule: for each query the plan before and after the first time the rule changed it. With
 * DataFusion at hand the final plans of all queries are compared with its own.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionConfig } from '../../../src/config/session-config.js';
import { ANALYZER_RULES } from '../../../src/logical/analyzer.js';
import { OPTIMIZER_RULES } from '../../../src/logical/optimizer.js';
import { goldenFolder } from '../../support/golden.js';
import { dataFusionStages, firstDifference, planQuery, skipWithoutDataFusion } from '../../support/logical-stages.js';
import { RULE_QUERIES } from '../../support/rule-queries.js';
import { TPCH_SCHEMAS } from '../../support/schema-tables.js';

const goldens = goldenFolder('test/plans/rules');

/** Rules that a setting must switch on. */
const SETTINGS: Readonly<Record<string, SessionConfig>> = {
  filter_null_join_keys: SessionConfig.defaults.with('optimizer.filter_null_join_keys', 'true'),
};

const names = [...ANALYZER_RULES, ...OPTIMIZER_RULES].map((rule) => rule.name);

test('every rule has queries', () => {
  assert.deepEqual(Object.keys(RULE_QUERIES).sort(), [...names].sort());
  assert.equal(new Set(names).size, names.length);
});

for (const rule of names) {
  test(rule, async () => {
    const texts: string[] = [];
    for (const sql of RULE_QUERIES[rule] ?? []) {
      const { stages } = await planQuery(sql, TPCH_SCHEMAS, SETTINGS[rule]);
      const index = stages.findIndex((stage, i) => i > 0 && stage.rule === rule && stage.text !== stages[i - 1]?.text);
      assert.notEqual(index, -1, `${rule} does nothing for ${sql}`);
      texts.push(`-- ${sql}\n${stages[index - 1]?.text ?? ''}\n--- ${rule}\n${stages[index]?.text ?? ''}\n`);
    }
    goldens.match(`${rule}.txt`, texts.join('\n'));
  });
}

test('a filter stays above a limit', async () => {
  const sql = 'SELECT * FROM (SELECT * FROM nation ORDER BY n_name LIMIT 5) WHERE n_regionkey = 1';
  const { stages } = await planQuery(sql, TPCH_SCHEMAS);
  assert.match(stages.at(-1)?.text ?? '', /^Filter: nation.n_regionkey = Int64\(1\)\n {2}Sort: .*, fetch=5\n/);
});

/** Queries whose plan is not DataFusion's, with the reason. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  [
    'SELECT n_name FROM nation WHERE nullif(n_nationkey, 1) NOT IN (SELECT r_regionkey FROM region WHERE r_name = n_name)',
    'DataFusion joins on what is true, so that a null does not stop a row',
  ],
]);

test("the plans of the rules' queries are DataFusion's", { skip: skipWithoutDataFusion }, async (t) => {
  const queries = Object.entries(RULE_QUERIES).flatMap(([rule, list]) => (rule in SETTINGS ? [] : list));
  const theirs = dataFusionStages(
    TPCH_SCHEMAS,
    queries.map((sql) => [sql]),
  );
  for (const [index, sql] of queries.entries()) {
    await t.test(sql, async () => {
      const wanted = theirs[index] ?? [];
      const { stages } = await planQuery(sql, TPCH_SCHEMAS);
      const equal = stages.at(-1)?.text === wanted.at(-1)?.text;
      if (DIFFERENT.has(sql)) assert.ok(!equal, 'this plan has become equal: take it off the list');
      else if (!equal) assert.fail(firstDifference(stages, wanted) ?? 'the plans differ');
    });
  }
});
