import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DistqError } from '../../../../src/base/errors.js';
import { parseStatements } from '../../../../src/sql/parser/parse-statements.js';
import type { Statement } from '../../../../src/sql/parser/statement.js';

function only(sql: string): Statement {
  const [statement, ...more] = parseStatements(sql);
  assert.equal(more.length, 0);
  assert.ok(statement !== undefined);
  return statement;
}

/** `line:column-endLine:endColumn kind: message [hint]` of the error that a text gives. */
function failure(sql: string): string {
  try {
    parseStatements(sql);
  } catch (error) {
    assert.ok(error instanceof DistqError);
    const { span, kind, message, hint } = error;
    assert.ok(span !== undefined, `${message} has no place`);
    const end = span.endLine === undefined ? '' : `-${span.endLine}:${span.endColumn ?? 0}`;
    return `${span.line}:${span.column}${end} ${kind}: ${message}${hint === undefined ? '' : ` [${hint}]`}`;
  }
  return 'no error';
}

test('statements are split at semicolons outside of strings, names and comments', () => {
  const sql = "select ';' -- ;\n; /* ; /* nested; */ */ select \";\";; values ($$;$$), (E'\\';')\n;";
  const statements = parseStatements(sql);
  assert.deepEqual(
    statements.map(({ kind, text }) => [kind, text]),
    [
      ['query', "select ';'"],
      ['query', 'select ";"'],
      ['query', "values ($$;$$), (E'\\';')"],
    ],
  );
  assert.deepEqual(statements[1]?.span, { line: 2, column: 25, endLine: 2, endColumn: 35 });
});

test('nothing, comments and lone semicolons are no statements', () => {
  for (const sql of ['', ' \r\n\t', '-- nothing', '/* nothing */;;', '\uFEFF']) {
    assert.deepEqual(parseStatements(sql), [], JSON.stringify(sql));
  }
});

test('a byte order mark and CRLF do not shift places', () => {
  const [first, second] = parseStatements('\uFEFFselect 1;\r\n  select a,\r\n    b');
  assert.deepEqual(first?.span, { line: 1, column: 1, endLine: 1, endColumn: 9 });
  assert.ok(second?.kind === 'query' && second.query.body.kind === 'select');
  const spans = second.query.body.projection.map((item) => (item.kind === 'expr' ? item.expr.span : null));
  assert.deepEqual(spans, [
    { line: 2, column: 10, endLine: 2, endColumn: 11 },
    { line: 3, column: 5, endLine: 3, endColumn: 6 },
  ]);
});

test('places count from the statement text, behind a prefix and in code points', () => {
  const statement = only("-- ü\nEXPLAIN ANALYZE select '😀', col");
  assert.ok(statement.kind === 'explain' && statement.query.body.kind === 'select');
  const item = statement.query.body.projection[1];
  assert.ok(item?.kind === 'expr');
  assert.deepEqual(item.expr.span, { line: 2, column: 29, endLine: 2, endColumn: 32 });
});

test('CREATE EXTERNAL TABLE', () => {
  const statement = only(
    `create or replace unbounded external table "My".t (
      a int not null, b decimal(15, 2), c timestamp(3) null, d character varying)
    stored as parquet with order (a desc nulls last, lower(b)) with order (c)
    partitioned by (x, y) location ('one/', 'two/')
    options ('format.compression' snappy, format.delimiter '|', n 5,)`.replace(
      ', d character varying',
      ', d varchar(5)',
    ),
  );
  assert.ok(statement.kind === 'create_external_table');
  const { name, orReplace, unbounded, ifNotExists, columns, fileType, locations, partitionedBy, orders, options } =
    statement;
  assert.deepEqual(
    name.map(({ value, quoted }) => [value, quoted]),
    [
      ['My', true],
      ['t', false],
    ],
  );
  assert.deepEqual([orReplace, unbounded, ifNotExists, fileType], [true, true, false, 'PARQUET']);
  assert.deepEqual(locations, ['one/', 'two/']);
  assert.deepEqual(
    columns.map(({ name: { value }, type, nullable }) => [value, type, nullable]),
    [
      ['a', { kind: 'integer', bits: 32, unsigned: false }, false],
      ['b', { kind: 'decimal', precision: 15, scale: 2 }, true],
      ['c', { kind: 'timestamp', precision: 3, withTimeZone: false }, true],
      ['d', { kind: 'string' }, true],
    ],
  );
  assert.deepEqual(
    partitionedBy.map(({ value }) => value),
    ['x', 'y'],
  );
  assert.deepEqual(
    orders.map((keys) => keys.map(({ expr, ascending, nullsFirst }) => [expr.kind, ascending, nullsFirst])),
    [
      [
        ['identifier', false, false],
        ['function', null, null],
      ],
      [['identifier', null, null]],
    ],
  );
  assert.deepEqual(orders[0]?.[0]?.expr.span, { line: 3, column: 35, endLine: 3, endColumn: 36 });
  assert.deepEqual(options, [
    ['format.compression', 'snappy'],
    ['format.delimiter', '|'],
    ['n', '5'],
  ]);
});

test('the short forms of the other statements', () => {
  const kinds: readonly (readonly [string, Partial<Record<string, unknown>>])[] = [
    [
      "CREATE EXTERNAL TABLE IF NOT EXISTS t STORED AS PARQUET LOCATION 'd'",
      { kind: 'create_external_table', ifNotExists: true, locations: ['d'] },
    ],
    ['create view v as select 1', { kind: 'create_view', orReplace: false, columns: [] }],
    ['create or replace view v (a, "B") as (select 1, 2)', { kind: 'create_view', orReplace: true }],
    ['drop view if exists v', { kind: 'drop', object: 'view', ifExists: true }],
    ['drop table t', { kind: 'drop', object: 'table', ifExists: false }],
    [
      'set datafusion.execution.batch_size = 100',
      { kind: 'set', name: 'datafusion.execution.batch_size', value: '100' },
    ],
    ["SET A.b TO 'On'", { kind: 'set', name: 'a.b', value: 'On' }],
    ['set x = -1.5', { kind: 'set', name: 'x', value: '-1.5' }],
    ['set x = true', { kind: 'set', name: 'x', value: 'true' }],
    ["set time zone = '+02'", { kind: 'set', name: 'execution.time_zone', value: '+02' }],
    ['show tables', { kind: 'show_tables' }],
    ['show all', { kind: 'show_settings', name: null, verbose: false }],
    ['show all verbose', { kind: 'show_settings', name: null, verbose: true }],
    ['show execution.batch_size', { kind: 'show_settings', name: 'execution.batch_size' }],
    ['explain select 1', { kind: 'explain', analyze: false, verbose: false, format: null }],
    ['explain analyze verbose format TREE select 1', { kind: 'explain', analyze: true, verbose: true, format: 'tree' }],
    ["explain format 'pgjson' select 1", { kind: 'explain', format: 'pgjson' }],
    ['explain (select 1)', { kind: 'explain', analyze: false }],
    [
      'explain (analyze, verbose off, format indent) with a as (select 1) select 2',
      { kind: 'explain', analyze: true, verbose: false, format: 'indent' },
    ],
    ['values (1)', { kind: 'query' }],
    ['(select 1) union (select 2)', { kind: 'query' }],
    ['from t select a', { kind: 'query' }],
  ];
  for (const [sql, expected] of kinds) {
    const statement = only(sql);
    const actual = Object.fromEntries(Object.entries(statement).filter(([key]) => key in expected));
    assert.deepEqual(actual, expected, sql);
  }
});

test('DESCRIBE takes a table, a path or a query', () => {
  const targets = ['describe a.b', 'desc t', "describe 'x/*.parquet'", 'describe select 1'].map((sql) => {
    const statement = only(sql);
    assert.ok(statement.kind === 'describe');
    return 'table' in statement.target ? statement.target.table.map(({ value }) => value) : 'query';
  });
  assert.deepEqual(targets, [['a', 'b'], ['t'], ['x/*.parquet'], 'query']);
});

test('syntax errors name what was expected and found, and where', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['selec 1', '1:1-1:6 parse: expected a statement, found "selec" [did you mean SELECT?]'],
    ['select 1;\n\nselect )', '3:8-3:9 parse: expected an expression, found ")"'],
    ['select a b from', '1:16 parse: expected identifier, found the end of the statement'],
    ['select 1 +\n', '1:11 parse: expected an expression, found the end of the statement'],
    ['select a from t where (b = 1;', '1:29 parse: expected ), found the end of the statement'],
    ["select 'é€😀', 1 € x", '1:17-1:18 parse: expected end of statement, found "€"'],
    ["select 1;\r\nselect '\r\nabc", '2:8 parse: a string has no end'],
    ['select "a', '1:8 parse: a quoted name has no end'],
    ['select 1 /* x /* y */', '1:10 parse: a comment has no end'],
    ['select 4 div 2', '1:10-1:13 parse: unexpected "div"'],
    [
      `select ${'('.repeat(60)}1${')'.repeat(60)}`,
      '1:1-1:7 parse: the query is nested too deeply [at most about 50 levels of parentheses and subqueries are read]',
    ],
    ['explain', '1:8 parse: expected a query, found the end of the statement'],
    ['\n explain select 1 from', '2:23 parse: expected identifier, found the end of the statement'],
    ['create external table t stored as parquet', '1:42 parse: expected LOCATION, found the end of the statement'],
    ["create external table t location 'x'", '1:37 parse: expected STORED AS, found the end of the statement'],
    [
      "create external table t (a int,, b int) stored as parquet location 'x'",
      '1:32-1:33 parse: expected a column name, found ","',
    ],
    ["create external table t stored as parquet location 'x' location 'y'", '1:56-1:64 parse: LOCATION is given twice'],
    [
      'create external table t stored as parquet location x',
      '1:52-1:53 parse: expected a path in single quotes, found "x"',
    ],
    [
      'create or replace external table if not exists t',
      '1:34-1:36 parse: OR REPLACE and IF NOT EXISTS exclude each other',
    ],
    ['drop view', '1:10 parse: expected the name of a view, found the end of the statement'],
    ['drop view v w', '1:13-1:14 parse: expected the end of the statement, found "w"'],
    ['set a', '1:6 parse: expected "=" or TO, found the end of the statement'],
    ['set a = ', '1:8 parse: expected a value, found the end of the statement'],
  ];
  for (const [sql, expected] of cases) assert.equal(failure(sql), expected, sql);
});

test('what distq does not have is refused by name and place', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['insert into t values (1)', '1:1-1:7 not_implemented: INSERT is not supported'],
    ["copy t to 'x.parquet'", '1:1-1:5 not_implemented: COPY is not supported'],
    [
      'create table t (a int)',
      '1:8-1:13 not_implemented: CREATE TABLE is not supported [CREATE EXTERNAL TABLE and CREATE VIEW are there]',
    ],
    ['drop schema s', '1:6-1:12 not_implemented: DROP SCHEMA is not supported'],
    [
      'show columns from t',
      '1:6-1:13 not_implemented: SHOW COLUMNS is not supported [DESCRIBE shows the columns of a table]',
    ],
    ['explain insert into t values (1)', '1:9-1:15 not_implemented: EXPLAIN INSERT is not supported'],
    ['select top 3 a from t', '1:1-1:7 not_implemented: TOP is not supported'],
    ['select a into b from t', '1:1-1:7 not_implemented: SELECT INTO is not supported'],
    ['select 1 from t tablesample (10 percent)', '1:15-1:16 not_implemented: TABLESAMPLE is not supported'],
    ['select 1 from f(*)', '1:15-1:16 not_implemented: * as the argument of a table function is not supported'],
    ['select 1 from unnest([1]) u', '1:27-1:28 not_implemented: UNNEST is not supported'],
    ['select 1, a[1] from t', '1:11-1:12 not_implemented: access to a field or an element (a[i]) is not supported'],
    ['select [1, 2]', '1:9-1:10 not_implemented: an array literal is not supported'],
    ['select {a: 1}', '1:9-1:10 not_implemented: a struct literal ({…}) is not supported'],
    ["select a at time zone 'UTC' from t", '1:8-1:9 not_implemented: AT TIME ZONE is not supported'],
    ['select a from t |> where b', '1:1-1:16 not_implemented: the pipe operator |> is not supported'],
    ['select cast(a as json) from t', '1:13-1:14 not_implemented: the type JSON is not supported'],
    ['select cast(a as point3d) from t', '1:13-1:14 not_implemented: the type point3d is not supported'],
    [
      'select cast(a as timestamp(2)) from t',
      '1:13-1:14 not_implemented: TIMESTAMP(2) is not supported [the precision may be 0, 3, 6 or 9]',
    ],
    ['select a -> 1 from t', '1:8-1:14 not_implemented: the operator -> is not supported'],
    ['select $1', '1:8-1:10 not_implemented: the parameter $1 is not supported'],
    ["select interval '1-2' year to month", '1:17-1:22 not_implemented: INTERVAL … TO … is not supported'],
    [
      'select 1 group by a with rollup',
      '1:1-1:7 not_implemented: GROUP BY … WITH ROLLUP, CUBE or TOTALS is not supported',
    ],
    ['select x = any (a)', '1:8-1:9 not_implemented: ANY over a list or an array is not supported'],
    [
      "create external table t (a int primary key) stored as parquet location 'x'",
      '1:32-1:39 not_implemented: PRIMARY on a column is not supported',
    ],
    [
      "create external table t (primary key (a)) stored as parquet location 'x'",
      '1:26-1:33 not_implemented: a table constraint (PRIMARY) is not supported',
    ],
  ];
  for (const [sql, expected] of cases) assert.equal(failure(sql), expected, sql);
});

test('chains of a thousand terms parse, and the parser lives on after one that is too long', () => {
  const chain = (terms: number): string =>
    `select ${Array.from({ length: terms }, (_, i) => `a${i} = ${i}`).join(' and ')} from t`;
  for (const terms of [300, 1000]) {
    const statement = only(chain(terms));
    assert.ok(statement.kind === 'query' && statement.query.body.kind === 'select');
    const item = statement.query.body.projection[0];
    assert.ok(item?.kind === 'expr');
    let depth = 1;
    let node = item.expr;
    for (; node.kind === 'binary' && node.op === 'AND'; node = node.left) depth++;
    assert.equal(depth, terms);
  }
  assert.match(
    failure(`\n${chain(5000)}`),
    /^2:1-2:7 parse: the query is too complex: it chains or nests 4999 operators/,
  );
  assert.equal(only('select 1').kind, 'query');
});

test('a union of two thousand branches parses', () => {
  const statement = only(Array.from({ length: 2000 }, (_, i) => `select ${i}`).join(' union all '));
  assert.ok(statement.kind === 'query' && statement.query.body.kind === 'set_operation');
});
