import assert from 'node:assert/strict';
import type { DuckDBRows } from '../support/duckdb.js';

/** A result as text, in output order; null for NULL. `types` are DataFusion's names (`Decimal128(15, 2)`). */
export interface TextRows {
  readonly types: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Relative difference that two float results of the same query may have. */
const FLOAT_TOLERANCE = 1e-9;

export interface Expectation {
  /**
   * Output columns that the query's ORDER BY sorts by, in order: their sequence must be DuckDB's. Rows that tie on them may come in
   * any order.
   */
  readonly orderedBy: readonly number[];
  /** A result without rows is a broken test unless the query says so. */
  readonly mayBeEmpty?: boolean;
}

/**
 * Fails unless the rows are DuckDB's: exact for integers, decimals, dates and strings; within a tolerance where one side is a float
 * (DuckDB's avg and decimal division are). Returns the number of rows compared.
 */
export function assertSameRows(actual: TextRows, expected: DuckDBRows, { orderedBy, mayBeEmpty }: Expectation): number {
  assert.equal(actual.types.length, expected.columns.length, 'number of columns');
  assert.equal(actual.rows.length, expected.rows.length, 'number of rows');
  if (mayBeEmpty !== true) assert.ok(expected.rows.length > 0, 'no rows were compared');
  const comparers = actual.types.map((type, c) => comparerFor(type, expected.columns[c]?.type ?? ''));
  for (let i = 0; i < actual.rows.length; i++) {
    for (const c of orderedBy) {
      const [mine, theirs] = [actual.rows[i]?.[c] ?? null, expected.rows[i]?.[c] ?? null];
      assert.ok(comparers[c]?.same(mine, theirs), `row ${i}, sort column ${c}: ${mine} instead of ${theirs}`);
    }
  }
  const mine = sorted(actual.rows, comparers);
  const theirs = sorted(expected.rows, comparers);
  for (let i = 0; i < mine.length; i++) {
    comparers.forEach(({ same }, c) => {
      const [a, b] = [mine[i]?.[c] ?? null, theirs[i]?.[c] ?? null];
      assert.ok(same(a, b), `sorted row ${i}, column ${c}: ${a} instead of ${b}`);
    });
  }
  return mine.length;
}

interface Comparer {
  readonly same: (a: string | null, b: string | null) => boolean;
  /** Text that sorts equal values together on both sides. */
  readonly key: (value: string | null) => string;
}

function comparerFor(type: string, duckType: string): Comparer {
  const isFloat = type.startsWith('Float') || duckType === 'DOUBLE' || duckType === 'FLOAT';
  if (isFloat) {
    // A truncated decimal quotient against a double: the last kept digit may differ.
    const scale = /^Decimal128\(\d+, (\d+)\)$/.exec(type)?.[1];
    const absolute = scale === undefined ? 0 : 1.01 * 10 ** -Number(scale);
    return {
      same: (a, b) => {
        if (a === null || b === null) return a === b;
        const [x, y] = [Number(a), Number(b)];
        return Object.is(x, y) || Math.abs(x - y) <= absolute + FLOAT_TOLERANCE * Math.max(Math.abs(x), Math.abs(y));
      },
      // Rounded far enough that neighbours within the tolerance rarely part; exact columns break most ties before.
      key: (value) => (value === null ? '' : Number(value).toPrecision(4)),
    };
  }
  const normal = type.startsWith('Decimal') || type.startsWith('Int') || type.startsWith('UInt') ? normalNumber : same;
  return { same: (a, b) => normal(a) === normal(b), key: (value) => (value === null ? '' : `=${normal(value) ?? ''}`) };
}

function same(value: string | null): string | null {
  return value;
}

/** Digits without trailing zeros after the point: scales may differ between engines, values may not. */
function normalNumber(value: string | null): string | null {
  if (value === null || !value.includes('.')) return value;
  const text = value.replace(/0+$/, '').replace(/\.$/, '');
  return text === '-0' || text === '' ? '0' : text;
}

function sorted(rows: TextRows['rows'], comparers: readonly Comparer[]): TextRows['rows'] {
  // Exact columns first, so that rounded floats only break ties among them.
  const order = comparers
    .map((_, c) => c)
    .sort((a, b) => Number(isRounded(comparers[a])) - Number(isRounded(comparers[b])) || a - b);
  return rows
    .map((row) => ({ row, key: order.map((c) => comparers[c]?.key(row[c] ?? null) ?? '').join('\u0001') }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

function isRounded(comparer: Comparer | undefined): boolean {
  return comparer !== undefined && !comparer.key('1').startsWith('=');
}
