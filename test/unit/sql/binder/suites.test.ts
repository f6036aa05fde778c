/**
 * The queries of the three suites, bound over tables that are only schemas. The goldens say what TPC-H gives; with DataFusion at hand
 * all plans are compared with its own, as text.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { SessionConfig } from '../../../../src/config/session-config.js';
import { displayPlan } from '../../../../src/logical/display.js';
import { bindQuery } from '../../../../src/sql/binder/bind-query.js';
import { parseStatements } from '../../../../src/sql/parser/parse-statements.js';
import { skipWithoutCorpus } from '../../../support/corpora.js';
import { goldenFolder } from '../../../support/golden.js';
import { initialPlans, skipWithoutDataFusion } from '../../../support/initial-plans.js';
import { planningFunctions } from '../../../support/planning-functions.js';
import { corpusQueries } from '../../../support/queries.js';
import { schemaCatalog, type SchemaTexts, TPCH_SCHEMAS } from '../../../support/schema-tables.js';
import { CLICKBENCH_SCHEMAS, TPCDS_SCHEMAS } from '../../../support/suite-schemas.js';

interface Suite {
  readonly schemas: SchemaTexts;
  readonly count: number;
}

const SUITES: Readonly<Record<'tpch' | 'tpcds' | 'clickbench', Suite>> = {
  tpch: { schemas: TPCH_SCHEMAS, count: 22 },
  tpcds: { schemas: TPCDS_SCHEMAS, count: 99 },
  clickbench: { schemas: CLICKBENCH_SCHEMAS, count: 43 },
};

const goldens = goldenFolder('test/plans/initial/tpch');

interface BoundQuery {
  readonly name: string;
  readonly statements: readonly string[];
  readonly plan: string;
}

async function bindSuite(name: keyof typeof SUITES): Promise<BoundQuery[]> {
  const bound: BoundQuery[] = [];
  for (const query of corpusQueries(name)) {
    const statements = parseStatements(query.sql);
    const views = Object.fromEntries(
      statements.flatMap((s) => (s.kind === 'create_view' ? [[s.name[0]?.value ?? '', s.text]] : [])),
    );
    const catalog = schemaCatalog(SUITES[name].schemas, views);
    let plan = '';
    for (const statement of statements) {
      if (statement.kind !== 'query') continue;
      const config = SessionConfig.defaults;
      plan = displayPlan(await bindQuery(statement.query, { catalog, functions: planningFunctions(), config }));
    }
    bound.push({ name: query.name, statements: statements.map(({ text }) => text), plan });
  }
  return bound;
}

for (const name of ['tpch', 'tpcds', 'clickbench'] as const) {
  let queries: readonly BoundQuery[] = [];
  const skip = skipWithoutCorpus(name);
  before(async () => {
    if (skip === false) queries = await bindSuite(name);
  });

  test(`every query of ${name} is bound`, { skip }, () => {
    assert.equal(queries.length, SUITES[name].count);
    if (name === 'tpch') for (const query of queries) goldens.match(`${query.name}.txt`, query.plan);
  });

  test(`the plans of ${name} are DataFusion's`, { skip: skip === false ? skipWithoutDataFusion : skip }, () => {
    const expected = initialPlans(
      SUITES[name].schemas,
      queries.map(({ statements }) => statements),
    );
    for (const [index, query] of queries.entries()) {
      assert.equal(query.plan, expected[index], query.name);
    }
  });
}
