import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionConfig } from '../../../../src/config/session-config.js';
import { displayPlan } from '../../../../src/logical/display.js';
import { bindQuery } from '../../../../src/sql/binder/bind-query.js';
import { parseStatements } from '../../../../src/sql/parser/parse-statements.js';
import { planningFunctions } from '../../../support/planning-functions.js';
import { type SchemaCatalog, schemaCatalog, type ViewTexts } from '../../../support/schema-tables.js';

const TABLES = { t: 'a: int64, b: varchar', u: 'a: int64, d: date', Mixed: 'Id: int64, x: int64' };

interface Options {
  readonly settings?: Readonly<Record<string, string>>;
  readonly views?: ViewTexts;
  readonly catalog?: SchemaCatalog;
}

async function plan(sql: string, { settings = {}, views = {}, catalog }: Options = {}): Promise<string[]> {
  const [statement] = parseStatements(sql);
  assert.ok(statement?.kind === 'query');
  let config = SessionConfig.defaults;
  for (const [name, value] of Object.entries(settings)) config = config.with(name, value);
  const context = { catalog: catalog ?? schemaCatalog(TABLES, views), functions: planningFunctions(), config };
  return displayPlan(await bindQuery(statement.query, context)).split('\n');
}

test('only the tables that a query names are opened, each once, in order of appearance', async () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['select 1', []],
    ['select * from u, t, u x', ['u', 't']],
    ['with w as (select * from t) select * from w, u', ['t', 'u']],
    ['with t as (select * from t) select * from t', ['t']],
    ['with w as (select 1), x as (select * from w) select * from x', []],
    ['select (select max(a) from t) from u where exists (select 1 from t)', ['u', 't']],
    ['select a from t where a in (select a from u) order by (select max(a) from u)', ['t', 'u']],
    ['select sum(a) over (order by (select max(a) from u)) from t', ['t', 'u']],
    ['select a from t union all (select a from u limit 1)', ['u', 't']],
    ['select case when (select true from u) then 1 end from t group by (select max(a) from u)', ['t', 'u']],
  ];
  for (const [sql, tables] of cases) {
    const catalog = schemaCatalog(TABLES);
    await plan(sql, { catalog }).catch(() => []);
    assert.deepEqual(catalog.asked, tables, sql);
  }
});

test('a table function is a scan of the table it makes of its constants', async () => {
  const asked: unknown[][] = [];
  const tables = schemaCatalog(TABLES);
  const provider = await tables.table('t');
  assert.ok(provider !== undefined);
  const catalog = Object.assign(tables, {
    tableFunctions: new Map([
      [
        'made',
        (args: readonly { readonly value: unknown }[]) => {
          asked.push(args.map(({ value }) => value));
          return provider;
        },
      ],
    ]),
  });
  const made = await plan("select m.a from made(1 + 2, 'x', null) m join t on m.a = t.a", { catalog });
  assert.deepEqual(asked, [[3n, 'x', null]]);
  assert.deepEqual(made, [
    'Projection: m.a',
    '  Inner Join:  Filter: m.a = t.a',
    '    SubqueryAlias: m',
    '      TableScan: made()',
    '    TableScan: t',
  ]);
  await assert.rejects(plan('select * from t, made(t.a)', { catalog }), /"t" is no table of this query/);
  await assert.rejects(plan('select * from made(random())', { catalog }), /argument 1 of made is no constant/);
});

test('a view is its query under its name, whatever surrounds it', async () => {
  const views = {
    v: 'create view v (x, y) as select a, b from t',
    w: 'select x from v where x > 1',
    lone: 'select a from t order by a',
  };
  assert.deepEqual(await plan('select x, y from v', { views }), [
    'Projection: v.x, v.y',
    '  SubqueryAlias: v',
    '    Projection: t.a AS x, t.b AS y',
    '      Projection: t.a, t.b',
    '        TableScan: t',
  ]);
  assert.deepEqual(await plan('with t as (select 1 as nothing) select * from w as z', { views }), [
    'Projection: z.x',
    '  SubqueryAlias: z',
    '    SubqueryAlias: w',
    '      Projection: v.x',
    '        Filter: v.x > Int64(1)',
    '          SubqueryAlias: v',
    '            Projection: t.a AS x, t.b AS y',
    '              Projection: t.a, t.b',
    '                TableScan: t',
  ]);
  // The order a view sorts by is no promise to the query around it.
  assert.deepEqual(await plan('select * from lone', { views }), [
    'Projection: lone.a',
    '  SubqueryAlias: lone',
    '    Projection: t.a',
    '      TableScan: t',
  ]);
});

test('a quoted path is a table', async () => {
  const catalog = schemaCatalog(TABLES);
  assert.deepEqual(await plan("select a from 'some/folder/t.parquet' where b = 'x'", { catalog }), [
    'Projection: some/folder/t.parquet.a',
    '  Filter: some/folder/t.parquet.b = Utf8("x")',
    '    TableScan: some/folder/t.parquet',
  ]);
  assert.deepEqual(catalog.asked, ['some/folder/t.parquet', 'path some/folder/t.parquet']);
  assert.deepEqual((await plan("select p.a from 'x/t.*' as p join 'u' on p.a = u.a"))[2], '    SubqueryAlias: p');
});

test('names are folded to lower case unless quoted, or as the setting says', async () => {
  assert.deepEqual(await plan('select A, T.B from T'), ['Projection: t.a, t.b', '  TableScan: t']);
  assert.deepEqual(await plan('select "Id" as "Big", x as Small from "Mixed"'), [
    'Projection: Mixed.Id AS Big, Mixed.x AS small',
    '  TableScan: Mixed',
  ]);
  const settings = { 'sql_parser.enable_ident_normalization': 'false' };
  assert.deepEqual(await plan('select Id as Big from Mixed', { settings }), [
    'Projection: Mixed.Id AS Big',
    '  TableScan: Mixed',
  ]);
});

test('settings decide literals, string types, null order and sorts in subqueries', async () => {
  const one = async (sql: string, settings: Record<string, string>): Promise<string> => {
    const [line = ''] = await plan(sql, { settings });
    return line;
  };
  const decimals = { 'sql_parser.parse_float_as_decimal': 'true' };
  assert.equal(
    await one('select 1.50 x, -0.001 y, 12e2 z, 1e-3 w, 7 v', decimals),
    'Projection: Decimal128(1.50,3,2) AS x, Decimal128(-0.001,3,3) AS y, Decimal128(1200,4,0) AS z, Decimal128(0.001,3,3) AS w, Int64(7) AS v',
  );
  assert.equal(await one('select a::varchar from t', {}), 'Projection: CAST(t.a AS Utf8View)');
  const plainText = { 'sql_parser.map_string_types_to_utf8view': 'false' };
  assert.equal(await one('select a::varchar from t', plainText), 'Projection: CAST(t.a AS Utf8)');

  const orders: readonly (readonly [string, string])[] = [
    ['nulls_max', 'Sort: t.a ASC NULLS LAST, t.b DESC NULLS FIRST'],
    ['nulls_min', 'Sort: t.a ASC NULLS FIRST, t.b DESC NULLS LAST'],
    ['nulls_first', 'Sort: t.a ASC NULLS FIRST, t.b DESC NULLS FIRST'],
    ['nulls_last', 'Sort: t.a ASC NULLS LAST, t.b DESC NULLS LAST'],
  ];
  for (const [value, expected] of orders) {
    const settings = { 'sql_parser.default_null_ordering': value };
    assert.equal(await one('select a, b from t order by a, b desc', settings), expected);
  }

  const sorted = 'select * from (select a from t order by a) x';
  assert.equal((await plan(sorted)).length, 4);
  const kept = { 'sql_parser.enable_subquery_sort_elimination': 'false' };
  assert.equal((await plan(sorted, { settings: kept }))[2], '    Sort: t.a ASC NULLS LAST');
});

test('a thousand conditions and a long union are bound', async () => {
  const conditions = Array.from({ length: 1000 }, (_, i) => `a <> ${i}`).join(' and ');
  const [, filter = ''] = await plan(`select a from t where ${conditions}`);
  assert.equal(filter.split(' AND ').length, 1000);
  const branches = Array.from({ length: 300 }, (_, i) => `select ${i} as n`).join(' union all ');
  assert.equal((await plan(branches)).filter((line) => line.includes('Union')).length, 299);
});
