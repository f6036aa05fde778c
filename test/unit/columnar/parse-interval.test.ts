import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInterval } from '../../../src/columnar/parse-interval.js';

/** `months days nanoseconds` */
function read(text: string): string | undefined {
  const interval = parseInterval(text);
  return interval === undefined ? undefined : `${interval.months} ${interval.days} ${interval.nanos}`;
}

test('amounts and units', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['1 YEAR', '12 0 0'],
    ['3 months', '3 0 0'],
    ['90 DAYS', '0 90 0'],
    ['2 weeks', '0 14 0'],
    ['5', '0 0 5000000000'],
    ['-5', '0 0 -5000000000'],
    ['-2 hours', '0 0 -7200000000000'],
    ['1 year 2 months 3 days 4 hours 5 minutes 6 seconds', '14 3 14706000000000'],
    ['1year 2mons', '14 0 0'],
    ['  1   day  ', '0 1 0'],
    ['1 century 1 decade', '1320 0 0'],
    ['7 ms 8 us 9 nanoseconds', '0 0 7008009'],
    ['1.5 years', '18 0 0'],
    ['1.25 years', '15 0 0'],
    ['0.5 months', '0 15 0'],
    ['1.5 months', '1 15 0'],
    ['-1.5 months', '-1 -15 0'],
    ['0.5 day', '0 0 43200000000000'],
    ['1.5 days', '0 1 43200000000000'],
    ['-1.5 days', '0 -1 -43200000000000'],
    ['1.5 weeks', '0 7 302400000000000'],
    ['.5 seconds', '0 0 500000000'],
    ['-.5 seconds', '0 0 -500000000'],
    ['1.123456789123 seconds', '0 0 1123456789'],
  ];
  for (const [text, expected] of cases) assert.equal(read(text), expected, text);
});

test('what is no interval', () => {
  const texts = [
    '',
    ' ',
    'abc',
    '1 fortnight',
    '1 day 2 days',
    '1-2',
    '1 2 days',
    '--1 day',
    '1. day',
    '1.0000000000000001 day',
  ];
  for (const text of [...texts, '99999999999 months', '3000000000 days', '9999999999999 hours']) {
    assert.equal(read(text), undefined, text);
  }
});
