/** Queries with one word changed, added, dropped or exchanged: each is bound or refused with a place, and nothing breaks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DistqError } from '../../../src/base/errors.js';
import { SessionConfig } from '../../../src/config/session-config.js';
import { displayPlan } from '../../../src/logical/display.js';
import { bindQuery } from '../../../src/sql/binder/bind-query.js';
import { lex } from '../../../src/sql/parser/lexer.js';
import { parseStatements } from '../../../src/sql/parser/parse-statements.js';
import { planningFunctions } from '../../support/planning-functions.js';
import { schemaCatalog, TPCH_SCHEMAS } from '../../support/schema-tables.js';
import { SQL_FORMS } from '../../support/sql-forms.js';

const WORDS = [
  ...[
    'n_name',
    'n_nationkey',
    'n.n_name',
    'x',
    't.a',
    '*',
    '1',
    '-1',
    '1.5',
    'null',
    'true',
    "'x'",
    '(',
    ')',
    ',',
    '.',
    '::',
  ],
  ...[
    'count(*)',
    'sum(n_nationkey)',
    'upper(n_name)',
    'rank() over (order by n_name)',
    '(select max(n_name) from nation)',
  ],
  ...[
    'select',
    'from',
    'where',
    'group',
    'by',
    'order',
    'distinct',
    'not',
    'in',
    'exists',
    'case',
    'end',
    'union',
    'all',
  ],
  ...[
    'lateral',
    'using',
    'interval',
    'cast',
    'over',
    'nation',
    'region',
    'left',
    'full',
    'as',
    '[',
    '{',
    '$1',
    '@',
    '?',
    '日本',
  ],
];

/** A linear congruential generator: the same cases on every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

test('a mangled query is bound, or refused with a place', async () => {
  const random = generator(20_260_101);
  const queries = Object.values(SQL_FORMS).flat();
  const context = {
    catalog: schemaCatalog(TPCH_SCHEMAS),
    functions: planningFunctions(),
    config: SessionConfig.defaults,
  };
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 2000; round++) {
    const words = lex(queries[random(queries.length)]!).map((token) => token.text);
    const [at, other] = [random(words.length), random(words.length)];
    const word = WORDS[random(WORDS.length)]!;
    const change = random(4);
    if (change === 0) words[at] = word;
    else if (change === 1) words.splice(at, 0, word);
    else if (change === 2) words.splice(at, 1);
    else [words[at], words[other]] = [words[other]!, words[at]!];
    const sql = words.join(' ');
    let outcome = 'bound';
    try {
      for (const statement of parseStatements(sql)) {
        if (statement.kind === 'query') displayPlan(await bindQuery(statement.query, context));
      }
    } catch (error) {
      assert.ok(error instanceof DistqError, `${sql}: ${String(error)}`);
      assert.ok(['parse', 'plan', 'not_implemented'].includes(error.kind), `${sql}: ${error.kind} ${error.message}`);
      assert.ok(error.span !== undefined, `${sql}: ${error.message} has no place`);
      outcome = error.kind;
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  for (const outcome of ['bound', 'parse', 'plan', 'not_implemented']) {
    assert.ok((outcomes.get(outcome) ?? 0) >= 20, `too few cases end as ${outcome}`);
  }
});
