import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asDistqError } from '../../../src/base/errors.js';
import { SessionContext } from '../../../src/session/session-context.js';
import { queryRows } from '../../support/query-rows.js';
import { runPython, skipWithoutYardstick } from '../../support/yardsticks.js';

/** Expression, its Arrow type and its value as text, as DataFusion 55 gives them; `ERROR` where it fails. */
const VALUES: readonly (readonly [expression: string, type: string, value: string])[] = [
  ['-0.0 = 0.0', 'Boolean', 'true'],
  ["CAST('NaN' AS DOUBLE) = CAST('NaN' AS DOUBLE)", 'Boolean', 'true'],
  ["CAST('NaN' AS DOUBLE) > CAST('inf' AS DOUBLE)", 'Boolean', 'true'],
  ['0.0 > -0.0', 'Boolean', 'false'],
  ["CAST(' 12 ' AS INT)", 'Int32', '12'],
  ["CAST('+5' AS INT)", 'Int32', '5'],
  ["CAST('12.5' AS INT)", 'ERROR', 'ERROR'],
  ["CAST('0x10' AS INT)", 'ERROR', 'ERROR'],
  ["CAST('1e2' AS INT)", 'ERROR', 'ERROR'],
  ["CAST('' AS INT)", 'ERROR', 'ERROR'],
  ["CAST('1e3' AS DOUBLE)", 'Float64', '1000.0'],
  ["CAST(' 1.5' AS DOUBLE)", 'Float64', '1.5'],
  ["CAST('-Infinity' AS DOUBLE)", 'Float64', '-inf'],
  ["CAST('' AS DOUBLE)", 'ERROR', 'ERROR'],
  ['CAST(1.5 AS INT)', 'Int32', '1'],
  ['CAST(-1.5 AS INT)', 'Int32', '-1'],
  ['CAST(CAST(-2.55 AS DECIMAL(15,2)) AS INT)', 'Int32', '-2'],
  ["CAST(CAST('NaN' AS DOUBLE) AS INT)", 'ERROR', 'ERROR'],
  ['CAST(1e10 AS INT)', 'ERROR', 'ERROR'],
  ['TRY_CAST(1e10 AS INT)', 'Int32', 'None'],
  ["TRY_CAST('x' AS INT)", 'Int32', 'None'],
  ['TRY_CAST(300 AS TINYINT)', 'Int8', 'None'],
  ['CAST(300 AS TINYINT)', 'ERROR', 'ERROR'],
  ['CAST(2.675 AS DECIMAL(10,2))', 'Decimal128(10, 2)', '2.68'],
  ['CAST(-2.665 AS DECIMAL(10,2))', 'Decimal128(10, 2)', '-2.67'],
  ['CAST(1.005 AS DECIMAL(10,2))', 'Decimal128(10, 2)', '1.00'],
  ['CAST(0.06999999999999999 AS DECIMAL(15,2))', 'Decimal128(15, 2)', '0.07'],
  ['CAST(CAST(2.675 AS DECIMAL(15,3)) AS DECIMAL(10,2))', 'Decimal128(10, 2)', '2.68'],
  ['CAST(CAST(-2.5 AS DECIMAL(15,1)) AS DECIMAL(10,0))', 'Decimal128(10, 0)', '-3'],
  ['CAST(12345 AS DECIMAL(4,0))', 'ERROR', 'ERROR'],
  ['CAST(CAST(123.45 AS DECIMAL(15,2)) AS DECIMAL(4,2))', 'ERROR', 'ERROR'],
  ["CAST('123.456' AS DECIMAL(10,2))", 'Decimal128(10, 2)', '123.46'],
  ["CAST('-123.455' AS DECIMAL(10,1))", 'Decimal128(10, 1)', '-123.5'],
  ["CAST('1e2' AS DECIMAL(10,2))", 'ERROR', 'ERROR'],
  ["CAST('-.5' AS DECIMAL(10,2))", 'Decimal128(10, 2)', '-0.50'],
  ["CAST(' 1 ' AS DECIMAL(10,2))", 'Decimal128(10, 2)', '1.00'],
  ["CAST('1.' AS DECIMAL(10,2))", 'Decimal128(10, 2)', '1.00'],
  ["CAST('' AS DECIMAL(10,2))", 'ERROR', 'ERROR'],
  ["CAST('12345678901' AS DECIMAL(10,2))", 'ERROR', 'ERROR'],
  ['CAST(1e38 AS DECIMAL(38,0))', 'Decimal128(38, 0)', '99999999999999997748809823456034029568'],
  ['CAST(true AS INT)', 'Int32', '1'],
  ['CAST(2 AS BOOLEAN)', 'Boolean', 'true'],
  ['CAST(0.5 AS BOOLEAN)', 'Boolean', 'true'],
  ["CAST('yes' AS BOOLEAN)", 'Boolean', 'true'],
  ["CAST('off' AS BOOLEAN)", 'Boolean', 'false'],
  ["CAST('maybe' AS BOOLEAN)", 'ERROR', 'ERROR'],
  ['CAST(true AS VARCHAR)', 'Utf8View', 'true'],
  ['CAST(1.0 AS VARCHAR)', 'Utf8View', '1.0'],
  ['CAST(1e20 AS VARCHAR)', 'Utf8View', '1e20'],
  ['CAST(1e15 AS VARCHAR)', 'Utf8View', '1000000000000000.0'],
  ['CAST(1e16 AS VARCHAR)', 'Utf8View', '1e16'],
  ['CAST(1.5e-7 AS VARCHAR)', 'Utf8View', '1.5e-7'],
  ['CAST(0.00001 AS VARCHAR)', 'Utf8View', '0.00001'],
  ['CAST(123456789.125 AS VARCHAR)', 'Utf8View', '123456789.125'],
  ["CAST(TIMESTAMP '2020-01-01T10:00:00.5' AS VARCHAR)", 'Utf8View', '2020-01-01T10:00:00.500'],
  ['CAST(CAST(0.1 AS FLOAT) AS VARCHAR)', 'Utf8View', '0.1'],
  ["CAST(INTERVAL '1 month 2 days 3 hours' AS VARCHAR)", 'Utf8View', '1 mons 2 days 3 hours'],
  ["CAST('2020-1-5' AS DATE)", 'Date32', '2020-01-05'],
  ["CAST('20200105' AS DATE)", 'Date32', '2020-01-05'],
  ["CAST('2020-01-05T10:00:00' AS DATE)", 'Date32', '2020-01-05'],
  ["CAST('2020-13-05' AS DATE)", 'ERROR', 'ERROR'],
  ["CAST('2020-02-30' AS DATE)", 'ERROR', 'ERROR'],
  ["CAST('2020/01/05' AS DATE)", 'ERROR', 'ERROR'],
  ["CAST('2020-01-05' AS TIMESTAMP)", 'Timestamp(ns)', '2020-01-05T00:00:00'],
  ["CAST('2020-01-05T10:20:30Z' AS TIMESTAMP)", 'Timestamp(ns)', '2020-01-05T10:20:30'],
  ["CAST('2020-01-05T10:20:30+02:00' AS TIMESTAMP)", 'Timestamp(ns)', '2020-01-05T08:20:30'],
  ["CAST('2020-01-05 10:20:30.1' AS TIMESTAMP)", 'Timestamp(ns)', '2020-01-05T10:20:30.100'],
  ["CAST('2020-1-5 1:2:3' AS TIMESTAMP)", 'ERROR', 'ERROR'],
  ["CAST('2020-01-05 24:00:00' AS TIMESTAMP)", 'ERROR', 'ERROR'],
  ["CAST('2020-01-05 10:20:30 UTC' AS TIMESTAMP)", 'Timestamp(ns)', '2020-01-05T10:20:30'],
  ["CAST('10:20' AS TIME)", 'Time64(ns)', '10:20:00'],
  ["CAST('10:20:30.5' AS TIME)", 'Time64(ns)', '10:20:30.500'],
  ["CAST('10:20:30 PM' AS TIME)", 'Time64(ns)', '22:20:30'],
  ["CAST(TIMESTAMP '1969-12-31T23:59:59.5' AS DATE)", 'Date32', '1969-12-31'],
  ["CAST(DATE '2020-01-01' AS TIMESTAMP)", 'Timestamp(ns)', '2020-01-01T00:00:00'],
  ["CAST(DATE '2500-01-01' AS TIMESTAMP)", 'ERROR', 'ERROR'],
  ["CAST(DATE '2020-01-05' AS BIGINT)", 'Int64', '18266'],
  ['CAST(5 AS DATE)', 'Date32', '1970-01-06'],
  ['CAST(9007199254740993 AS DOUBLE)', 'Float64', '9007199254740992.0'],
  ["DATE '2020-01-31' + INTERVAL '1 month'", 'Date32', '2020-02-29'],
  ["DATE '2020-03-31' - INTERVAL '1 month'", 'Date32', '2020-02-29'],
  ["DATE '2020-01-01' + INTERVAL '25 hours'", 'Date32', '2020-01-02'],
  ["DATE '2020-01-01' - INTERVAL '25 hours'", 'Date32', '2019-12-31'],
  ["DATE '2020-01-01' + INTERVAL '1 hour'", 'Date32', '2020-01-01'],
  ["DATE '2020-01-01' + 3", 'Date32', '2020-01-04'],
  ["DATE '2020-03-01' - DATE '2020-01-01'", 'Int64', '60'],
  ["TIMESTAMP '2020-01-31T10:00:00' + INTERVAL '1 month'", 'Timestamp(ns)', '2020-02-29T10:00:00'],
  ["INTERVAL '1 month' + INTERVAL '2 days'", 'Interval(MonthDayNano)', '1 mons 2 days'],
  ['7 / 2', 'Int64', '3'],
  ['-7 / 2', 'Int64', '-3'],
  ['-7 % 3', 'Int64', '-1'],
  ['7.5 % 2', 'Float64', '1.5'],
  ['1.0 / 0', 'Float64', 'inf'],
  ['0.0 / 0', 'Float64', 'NaN'],
  ['1 / 0', 'ERROR', 'ERROR'],
  ['1 % 0', 'ERROR', 'ERROR'],
  ['CAST(1 AS DECIMAL(10,2)) / CAST(3 AS DECIMAL(10,2))', 'Decimal128(16, 6)', '0.333333'],
  ['CAST(-2 AS DECIMAL(10,2)) / CAST(3 AS DECIMAL(10,2))', 'Decimal128(16, 6)', '-0.666666'],
  ['CAST(7 AS DECIMAL(10,2)) % CAST(3 AS DECIMAL(10,3))', 'Decimal128(10, 3)', '1.000'],
  ['CAST(7 AS DECIMAL(10,2)) / CAST(3 AS DECIMAL(10,3))', 'Decimal128(17, 6)', '2.333333'],
  ['CAST(7 AS DECIMAL(10,2)) * CAST(3 AS DECIMAL(10,3))', 'Decimal128(21, 5)', '21.00000'],
  ['CAST(7 AS DECIMAL(10,2)) + 1', 'Decimal128(23, 2)', '8.00'],
  ['CAST(7 AS DECIMAL(10,2)) * 0.5', 'Float64', '3.5'],
  ['CAST(1 AS DECIMAL(10,2)) / CAST(0 AS DECIMAL(10,2))', 'ERROR', 'ERROR'],
  ["'abc' LIKE 'a%'", 'Boolean', 'true'],
  ["'a%c' LIKE 'a\\%c'", 'Boolean', 'true'],
  ["'héc' LIKE 'h_c'", 'Boolean', 'true'],
  ["NULL LIKE 'a'", 'Boolean', 'None'],
  ["'a' LIKE 'a\\'", 'Boolean', 'false'],
  ["'abc' ILIKE 'A_C'", 'Boolean', 'true'],
  ['2 IN (1, NULL)', 'Boolean', 'None'],
  ['2 NOT IN (1, NULL)', 'Boolean', 'None'],
  ['1 NOT IN (1, NULL)', 'Boolean', 'false'],
  ['NULL AND false', 'Boolean', 'false'],
  ['NULL OR true', 'Boolean', 'true'],
  ['NOT NULL', 'Boolean', 'None'],
  ['5 & 3', 'Int64', '1'],
  ['5 | 3', 'Int64', '7'],
  ['1 << 3', 'Int64', '8'],
  ['-8 >> 1', 'Int64', '-4'],
  ["'a' || 'b'", 'Utf8', 'ab'],
  ["'a' || 1", 'Utf8', 'a1'],
  ["'a' || NULL", 'Utf8', 'None'],
  ['CASE WHEN 1 = 1 THEN 1 ELSE 1 / 0 END', 'Int64', '1'],
  ['coalesce(1, 1 / 0)', 'Int64', '1'],
  ["substr('alphabet', 0, 2)", 'Utf8', 'a'],
  ["substr('alphabet', -1, 3)", 'Utf8', 'a'],
  ["substr('alphabet', 30)", 'Utf8', ''],
  ["substr('alphabet', 1, -1)", 'ERROR', 'ERROR'],
  ["substr('héllo', 2, 1)", 'Utf8', 'é'],
  ['abs(-9223372036854775807 - 1)', 'ERROR', 'ERROR'],
  ['abs(CAST(-1.5 AS DECIMAL(15,2)))', 'Decimal128(15, 2)', '1.50'],
  ['round(2.5)', 'Float64', '3.0'],
  ['round(-2.5)', 'Float64', '-3.0'],
  ['round(0.49999999999999994)', 'Float64', '0.0'],
  ['round(1.005, 2)', 'Float64', '1.0'],
  ['round(125.0, -1)', 'Float64', '130.0'],
  ['round(12355, -1)', 'Int64', '12360'],
  ['round(CAST(155.55 AS DECIMAL(15,2)), -1)', 'Decimal128(15, 0)', '160'],
  ['round(CAST(-1.55 AS DECIMAL(15,2)), 1)', 'Decimal128(15, 1)', '-1.6'],
  ['round(CAST(0.5 AS DECIMAL(15,2)))', 'Decimal128(15, 0)', '1'],
  ['round(999.99::decimal(5,2))', 'Decimal128(5, 0)', '1000'],
  ['trunc(-1.7)', 'Float64', '-1.0'],
  ['trunc(1.789, 2)', 'Float64', '1.78'],
  ['trunc(189, -1)', 'Float64', '180.0'],
  ['trunc(CAST(-1.55 AS DECIMAL(15,2)), 1)', 'Decimal128(15, 2)', '-1.50'],
  ['ceil(-0.5)', 'Float64', '-0.0'],
  ['ceil(CAST(-1.55 AS DECIMAL(15,2)))', 'Decimal128(15, 2)', '-1.00'],
  ['floor(CAST(-1.55 AS DECIMAL(15,2)))', 'Decimal128(15, 2)', '-2.00'],
  ['ceil(99.99::decimal(4,2))', 'ERROR', 'ERROR'],
  ['sqrt(-1)', 'ERROR', 'ERROR'],
  ['power(2, -1)', 'Float64', '0.5'],
  ['power(0, -1)', 'ERROR', 'ERROR'],
  ['log(1000)', 'Float64', '2.9999999999999996'],
  ['log(2.0, 8)', 'Float64', '3.0'],
  ['ln(-1)', 'Float64', 'NaN'],
  ['cot(0)', 'Float64', 'inf'],
  ['factorial(20)', 'Int64', '2432902008176640000'],
  ['factorial(21)', 'ERROR', 'ERROR'],
  ['gcd(-4, 6)', 'Int64', '2'],
  ['lcm(-4, 6)', 'Int64', '12'],
  ['signum(-0.0)', 'Float64', '0.0'],
  ["nanvl(CAST('NaN' AS DOUBLE), 2.0)", 'Float64', '2.0'],
  ['iszero(-0.0)', 'Boolean', 'true'],
  ["strpos('abc', '')", 'Int32', '1'],
  ["strpos('héllo', 'l')", 'Int32', '3'],
  ["btrim('xyabcyx', 'xy')", 'Utf8', 'abc'],
  ["upper('straße')", 'Utf8', 'STRASSE'],
  ["lower('ΑΣ')", 'Utf8', 'ας'],
  ["initcap('hello wORLD-foo bar2baz')", 'Utf8', 'Hello World-Foo Bar2baz'],
  ["concat('a', NULL, 'b', 1, 2.5, true)", 'Utf8', 'ab12.5true'],
  ["concat_ws(',', 'a', NULL, 'b')", 'Utf8', 'a,b'],
  ["concat_ws(NULL, 'a', 'b')", 'Utf8', 'None'],
  ["left('abc', -1)", 'Utf8', 'ab'],
  ["right('abc', -5)", 'Utf8', ''],
  ["lpad('abc', 5, 'xy')", 'Utf8', 'xyabc'],
  ["lpad('abc', -1)", 'Utf8', ''],
  ["rpad('abc', 2)", 'Utf8', 'ab'],
  ["repeat('ab', -1)", 'Utf8', ''],
  ["replace('abc', '', 'x')", 'Utf8', 'abc'],
  ["split_part('a.b.c', '.', -1)", 'Utf8', 'c'],
  ["split_part('abc', '', 1)", 'Utf8', 'abc'],
  ["split_part('a.b', '.', 0)", 'ERROR', 'ERROR'],
  ["translate('aabbcc', 'abc', 'xy')", 'Utf8', 'xxyy'],
  ["ascii('é')", 'Int32', '233'],
  ['chr(128512)', 'Utf8', '😀'],
  ['chr(-1)', 'ERROR', 'ERROR'],
  ['to_hex(-1)', 'Utf8', 'ffffffffffffffff'],
  ["find_in_set('', 'a,b')", 'Int32', '0'],
  ["substr_index('www.apache.org', '.', -1)", 'Utf8', 'org'],
  ["overlay('abc', 'x', 5, 1)", 'Utf8', 'abcx'],
  ["overlay('abc', 'x', 0, 1)", 'ERROR', 'ERROR'],
  ['nullif(1, 1)', 'Int64', 'None'],
  ['nullif(1, 2.5)', 'Float64', '1.0'],
  ['greatest(1, 2.5, NULL)', 'Float64', '2.5'],
  ["least('b', 'a')", 'Utf8', 'a'],
  ['nvl2(NULL, 1, 2.5)', 'Float64', '2.5'],
  ["date_part('week', DATE '2021-01-03')", 'Int32', '53'],
  ["date_part('isoyear', DATE '2021-01-03')", 'Int32', '2020'],
  ["date_part('dow', DATE '2021-01-03')", 'Int32', '0'],
  ["date_part('isodow', DATE '2021-01-03')", 'Int32', '7'],
  ["date_part('doy', DATE '2020-12-31')", 'Int32', '366'],
  ["date_part('epoch', DATE '2020-01-01')", 'Float64', '1577836800.0'],
  ["date_part('millisecond', TIMESTAMP '2020-01-01T10:20:30.123456789')", 'Int32', '30123'],
  ["date_part('nanosecond', TIMESTAMP '2020-01-01T10:20:30.123456789')", 'Int64', '30123456789'],
  ["date_part('foo', DATE '2020-01-01')", 'ERROR', 'ERROR'],
  ["date_part('month', INTERVAL '15 months')", 'Int32', '3'],
  ["date_trunc('week', TIMESTAMP '2020-05-06T07:08:09')", 'Timestamp(ns)', '2020-05-04T00:00:00'],
  ["date_trunc('quarter', DATE '2020-05-06')", 'Timestamp(ns)', '2020-04-01T00:00:00'],
  ["date_trunc('hour', TIMESTAMP '1969-12-31T23:59:59')", 'Timestamp(ns)', '1969-12-31T23:00:00'],
  ["date_trunc('decade', DATE '2020-05-06')", 'ERROR', 'ERROR'],
  ["date_bin(INTERVAL '1 month', TIMESTAMP '2020-05-06T07:08:09')", 'Timestamp(ns)', '2020-05-01T00:00:00'],
  [
    "date_bin(INTERVAL '15 minutes', TIMESTAMP '2020-05-06T07:08:09', TIMESTAMP '2020-01-01T00:07:00')",
    'Timestamp(ns)',
    '2020-05-06T07:07:00',
  ],
  ["date_bin(INTERVAL '1 week', DATE '2020-05-06')", 'Timestamp(ns)', '2020-04-30T00:00:00'],
  ['to_date(100)', 'Date32', '1970-04-11'],
  ['to_timestamp(1.5)', 'Timestamp(ns)', '1970-01-01T00:00:01.500'],
  ["to_timestamp('06/05/2020 10:11:12', '%d/%m/%Y %H:%M:%S')", 'Timestamp(ns)', '2020-05-06T10:11:12'],
  ["to_timestamp_seconds('2020-05-06')", 'Timestamp(s)', '2020-05-06T00:00:00'],
  ["to_unixtime(DATE '2020-05-06')", 'Int64', '1588723200'],
  ["make_date('2020', '1', '1')", 'Date32', '2020-01-01'],
  ['make_date(2020, 2, 30)', 'ERROR', 'ERROR'],
  [
    "to_char(TIMESTAMP '2020-05-06T07:08:09', '%H:%M:%S %p %j %a %A %b %B %y %e %I %3f %U')",
    'Utf8',
    '07:08:09 AM 127 Wed Wednesday May May 20  6 07 000 18',
  ],
  ["encode('ab', 'base64')", 'Utf8', 'YWI'],
  ["encode('ab', 'base64pad')", 'Utf8', 'YWI='],
  ["octet_length('é')", 'Int32', '2'],
  ["bit_length('é')", 'Int32', '16'],
  ["levenshtein('héllo', 'hello')", 'Int32', '1'],
  ["reverse('a😀b')", 'Utf8', 'b😀a'],
];

const typeQuery = (expression: string): string => `SELECT arrow_typeof(x) FROM (SELECT ${expression}) AS t(x)`;
const valueQuery = (expression: string): string => `SELECT CAST(x AS VARCHAR) FROM (SELECT ${expression}) AS t(x)`;

test('expressions have the types and values that DataFusion gives them', async (t) => {
  const session = await SessionContext.create({ settings: [['distq.worker_mode', 'in_process']] });
  try {
    for (const [expression, type, value] of VALUES) {
      await t.test(expression, async () => {
        const failed: unknown[] = [];
        const answer = async (sql: string): Promise<string> => {
          try {
            const [row] = await queryRows(session, sql);
            return row?.[0] ?? 'None';
          } catch (error) {
            failed.push(error);
            return 'ERROR';
          }
        };
        assert.equal(await answer(valueQuery(expression)), value);
        // A failure is the query's, not a bug.
        for (const error of failed) assert.notEqual(asDistqError(error).kind, 'internal');
        if (value !== 'ERROR') assert.equal(await answer(typeQuery(expression)), type);
      });
    }
  } finally {
    await session.close();
  }
});

test('DataFusion still gives these values', { skip: skipWithoutYardstick('datafusion') }, () => {
  const script = `
import json, sys
from datafusion import SessionContext
context = SessionContext()
def first(sql):
    try:
        for batch in context.sql(sql).collect():
            return str(batch.column(0)[0].as_py())
    except Exception:
        return "ERROR"
json.dump([first(sql) for sql in json.load(sys.stdin)], sys.stdout)
`;
  const answers = runPython(
    script,
    VALUES.map(([expression]) => valueQuery(expression)),
  );
  assert.deepEqual(
    answers,
    VALUES.map(([, , value]) => value),
  );
});
