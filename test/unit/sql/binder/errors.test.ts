import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DistqError } from '../../../../src/base/errors.js';
import { SessionConfig } from '../../../../src/config/session-config.js';
import { bindQuery } from '../../../../src/sql/binder/bind-query.js';
import { parseStatements } from '../../../../src/sql/parser/parse-statements.js';
import { planningFunctions } from '../../../support/planning-functions.js';
import { schemaCatalog, type ViewTexts } from '../../../support/schema-tables.js';

const TABLES = {
  t: 'a: int64, b: varchar, c: decimal(15,2)?',
  u: 'a: int64, d: date',
};

/** `line:column kind: message [hint]` of the error that binding gives. */
async function failure(sql: string, views: ViewTexts = {}): Promise<string> {
  const context = {
    catalog: schemaCatalog(TABLES, views),
    functions: planningFunctions(),
    config: SessionConfig.defaults,
  };
  try {
    const [statement] = parseStatements(sql);
    assert.ok(statement?.kind === 'query');
    await bindQuery(statement.query, context);
  } catch (error) {
    assert.ok(error instanceof DistqError, String(error));
    const { span, kind, message, hint } = error;
    assert.ok(span !== undefined, `${message} has no place`);
    return `${span.line}:${span.column} ${kind}: ${message}${hint === undefined ? '' : ` [${hint}]`}`;
  }
  return 'no error';
}

const GROUP_HINT = 'add it to GROUP BY, or take one of its values with min or max';
const NAME_HINT = 'write the table name in front of it';

const CASES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'unknown names come with near ones and a place': [
    ['select aa from t', '1:8 plan: unknown column "aa" [did you mean "a"?]'],
    ['select a\nfrom t\nwhere t.bb = 1', '3:7 plan: unknown column "t.bb" [did you mean "b"?]'],
    ['select a from tt', '1:15 plan: unknown table "tt" [did you mean "t"?]'],
    ['select a from t order by zzz', '1:26 plan: unknown column "zzz"'],
    ['select a from t group by zzz', '1:26 plan: unknown column "zzz"'],
    ['select tt.a from t', '1:8 plan: "tt" is no table of this query [did you mean "t"?]'],
    ['select tt.* from t', '1:8 plan: "tt" is no table of this query [did you mean "t"?]'],
    ['select "A" from t', '1:8 plan: unknown column "A" [did you mean "a"?]'],
    ['select substrr(b, 1) from t', '1:8 plan: unknown function "substrr" [did you mean "substr"?]'],
    [
      'select 1 from t x where exists (select 1 from u where u.a = x.aa)',
      '1:61 plan: unknown column "x.aa" [did you mean "a"?]',
    ],
    ['with w as (select 1 x) select * from ww', '1:38 plan: unknown table "ww" [did you mean "w"?]'],
    ['select * exclude (zz) from t', '1:19 plan: unknown column "zz"'],
    ['select 1 from t join u using (d)', '1:31 plan: unknown column "d"'],
    ['select * from f(1)', '1:15 not_implemented: the table function f is not supported'],
    ['select rank() over w from t', '1:20 plan: the window "w" is not defined [define it with WINDOW … AS (…)]'],
  ],
  'names that mean two things': [
    ['select a from t, u', `1:8 plan: column "a" is ambiguous: it may be t.a or u.a [${NAME_HINT}]`],
    ['select t.a from t join u on a = 1', `1:29 plan: column "a" is ambiguous: it may be t.a or u.a [${NAME_HINT}]`],
    ['select t.a from t, u where a = 1', `1:28 plan: column "a" is ambiguous: it may be t.a or u.a [${NAME_HINT}]`],
    [
      'select x.a from t x, u x',
      '1:22 plan: both sides of a join have a column x.a [give one side another name with AS]',
    ],
    [
      'select a, a from t',
      '1:11 plan: columns 1 and 2 of the select list are both named "t.a" [rename one of them with AS]',
    ],
    [
      'select a as x, b as x from t',
      '1:21 plan: columns 1 and 2 of the select list are both named "x" [rename one of them with AS]',
    ],
    ['with w as (select 1), w as (select 2) select 1', '1:23 plan: WITH defines "w" twice'],
    ['select 1 from t window w as (order by a), w as (order by b)', '1:43 plan: the window "w" is defined twice'],
  ],
  grouping: [
    [
      'select a, count(*) from t',
      `1:8 plan: column "t.a" in the select list must appear in GROUP BY or inside an aggregate [${GROUP_HINT}]`,
    ],
    [
      'select a + c from t group by a',
      `1:12 plan: column "t.c" in the select list must appear in GROUP BY or inside an aggregate [${GROUP_HINT}]`,
    ],
    [
      'select a from t group by a having b = 1',
      `1:35 plan: column "t.b" in HAVING must appear in GROUP BY or inside an aggregate [${GROUP_HINT}]`,
    ],
    [
      'select a from t group by a order by b',
      `1:37 plan: column "t.b" in ORDER BY must appear in GROUP BY or inside an aggregate [${GROUP_HINT}]`,
    ],
    ['select a from t where sum(a) > 1', '1:23 plan: WHERE cannot use aggregates [filter groups with HAVING]'],
    [
      'select a from t where rank() over () = 1',
      '1:23 plan: WHERE cannot use window functions [filter their results with QUALIFY]',
    ],
    [
      'select sum(sum(a)) from t',
      '1:1 plan: sum cannot take another aggregate (sum) as its argument [aggregate in a subquery first]',
    ],
    ['select a from t group by sum(a)', '1:26 plan: GROUP BY cannot use aggregates'],
    ['select a from t having a = 1', '1:1 plan: HAVING needs GROUP BY or an aggregate [filter rows with WHERE]'],
    ['select a from t group by 2', '1:26 plan: GROUP BY 2: there are columns 1 to 1'],
    ['select a from t order by 0', '1:26 plan: ORDER BY 0: there are columns 1 to 1'],
    ['select distinct a from t order by b', '1:35 plan: with SELECT DISTINCT, ORDER BY t.b must be in the select list'],
    [
      'select distinct on (a) b from t order by b',
      '1:1 plan: ORDER BY must begin with the expressions of DISTINCT ON: t.a',
    ],
    [
      'select a from t qualify a = 1',
      '1:1 plan: QUALIFY filters window functions, and there is none [filter with WHERE or HAVING]',
    ],
  ],
  'functions and types': [
    ['select sum(a, 1) from t', '1:8 plan: sum takes 1 argument, not 2'],
    ['select substr(b) from t', '1:15 plan: SUBSTRING needs FROM or FOR'],
    ['select abs(a) over () from t', '1:8 plan: OVER does not go with abs, which works row by row'],
    ['select abs(distinct a) from t', '1:8 plan: DISTINCT does not go with abs, which works row by row'],
    ['select rank() from t', '1:8 plan: rank is a window function [write rank(…) OVER (…)]'],
    ['select rank() filter (where a = 1) over () from t', '1:8 plan: FILTER goes with aggregates, and rank is none'],
    ['select sum(*) from t', '1:8 plan: * is no argument of sum'],
    ['select count(x.*) from t', '1:8 plan: "x" is no table of this query'],
    ['select a from t where b', '1:23 plan: a condition must be true or false, and t.b is Utf8View'],
    ['select a from t where a + 1', '1:23 plan: a condition must be true or false, and t.a + Int64(1) is Int64'],
    ['select not a from t', '1:12 plan: NOT takes a condition, and this is Int64'],
    ['select -b from t', '1:9 plan: - takes a signed number, an interval or a timestamp, and this is Utf8View'],
    [
      "select interval 'soon'",
      `1:17 plan: "soon" is no interval [write it like INTERVAL '90' DAY or INTERVAL '1 year 2 months']`,
    ],
    [
      'select cast(a as decimal(5, 9)) from t',
      '1:13 plan: DECIMAL(5, 9) is no type [the precision is 1 to 38 and the scale at most that]',
    ],
    ["select b like 'x' escape 'ab' from t", '1:8 plan: the ESCAPE of LIKE is one character in single quotes'],
    [
      'select sum(a) over (rows between unbounded following and current row) from t',
      '1:8 plan: a window frame cannot start at UNBOUNDED FOLLOWING',
    ],
    [
      'select sum(a) over (range between 1 preceding and current row) from t',
      '1:8 plan: RANGE with offsets needs exactly one ORDER BY key',
    ],
    [
      'select sum(a) over (order by a rows between -1 preceding and current row) from t',
      '1:46 plan: an offset of ROWS is a whole number from 0',
    ],
  ],
  shapes: [
    ['select *', '1:8 plan: * needs a FROM'],
    ['select a from t union select a, d from u', '1:23 plan: the branches of UNION have 1 and 2 columns'],
    ['select (select a, b from t)', '1:9 plan: a subquery used as a value gives one column, and this one gives 2'],
    [
      'select a from t where a in (select a, d from u)',
      '1:29 plan: a subquery used as a value gives one column, and this one gives 2',
    ],
    ['select a from t left join u', '1:27 plan: a LEFT join needs ON or USING'],
    ['select * from t x(p, q)', '1:17 plan: 2 names are given for 3 columns'],
    ['select a from t limit -1', '1:24 plan: LIMIT -1 is below 0'],
    ["select a from t offset 'x'", '1:24 plan: OFFSET takes a whole number'],
    ['values (1), (1, 2)', '1:9 plan: row 2 of VALUES has 2 values, the first has 1'],
    ["values ('2020-01-01'), (date '2020-01-01')", '1:9 plan: column 1 of VALUES has no common type: Utf8, Date32'],
  ],
  'constructs that are missing': [
    [
      'with recursive w as (select 1 as x union all select x + 1 from w) select * from w',
      '1:16 not_implemented: a recursive WITH is not supported',
    ],
    ['select a from t where (a, b) = (1, 2)', '1:24 not_implemented: a list of values in parentheses is not supported'],
    ['select a from t group by rollup((a, b))', '1:34 not_implemented: ROLLUP over lists of columns is not supported'],
    ['select * rename (a as z) from t', '1:8 not_implemented: * RENAME is not supported'],
    [
      'select 1 from t right join lateral (select t.a) x on true',
      '1:37 not_implemented: LATERAL in a RIGHT join is not supported',
    ],
    ['select 1 intersect by name select 1 as b', '1:1 not_implemented: INTERSECT BY NAME is not supported'],
  ],
};

for (const [topic, cases] of Object.entries(CASES)) {
  test(topic, async () => {
    for (const [sql, expected] of cases) assert.equal(await failure(sql), expected, sql);
  });
}

test('an error inside a view names the view and points at its use', async () => {
  const views = { v: 'create view v as select nope from t', w: 'select * from w', x: 'select from' };
  assert.equal(await failure('select 1,\n * from v', views), '2:9 plan: in the view "v": unknown column "nope"');
  assert.equal(
    await failure('select * from w', views),
    '1:15 plan: the view "w" refers to itself [drop it, or define it anew]',
  );
});
