/** The forms of SQL one by one: each plan against a golden and, where DataFusion is at hand, against its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DistqError } from '../../../../src/base/errors.js';
import { SessionConfig } from '../../../../src/config/session-config.js';
import { displayPlan } from '../../../../src/logical/display.js';
import { bindQuery } from '../../../../src/sql/binder/bind-query.js';
import { parseStatements } from '../../../../src/sql/parser/parse-statements.js';
import { goldenFolder } from '../../../support/golden.js';
import { initialPlans, skipWithoutDataFusion } from '../../../support/initial-plans.js';
import { planningFunctions } from '../../../support/planning-functions.js';
import { schemaCatalog, TPCH_SCHEMAS } from '../../../support/schema-tables.js';
import { SQL_FORMS } from '../../../support/sql-forms.js';

const goldens = goldenFolder('test/plans/initial/forms');
const functions = planningFunctions();

async function bind(sql: string): Promise<string> {
  const [statement] = parseStatements(sql);
  if (statement?.kind !== 'query') throw new DistqError('internal', 'the test is no query');
  const known = schemaCatalog(TPCH_SCHEMAS);
  // DataFusion's default catalog and schema.
  const catalog = {
    ...known,
    table: async (name: string) => known.table(name.replace(/^(datafusion\.)?public\./, '')),
  };
  return displayPlan(await bindQuery(statement.query, { catalog, functions, config: SessionConfig.defaults }));
}

for (const [topic, queries] of Object.entries(SQL_FORMS)) {
  test(`${topic}: plans before any rule`, async () => {
    const texts: string[] = [];
    for (const sql of queries) texts.push(`${sql}\n${await bind(sql)}`);
    goldens.match(`${topic}.txt`, texts.join('\n\n'));
  });

  test(`${topic}: DataFusion gives the same plans`, { skip: skipWithoutDataFusion }, async () => {
    const expected = initialPlans(
      TPCH_SCHEMAS,
      queries.map((sql) => [sql]),
    );
    for (const [index, sql] of queries.entries()) assert.equal(await bind(sql), expected[index], sql);
  });
}
