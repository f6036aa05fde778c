import type { ScalarValue } from '../columnar/scalar-value.js';

/** How far a figure can be trusted. */
export type Precision<T> =
  | { readonly kind: 'exact'; readonly value: T }
  | { readonly kind: 'inexact'; readonly value: T }
  | { readonly kind: 'absent' };

export const ABSENT: { readonly kind: 'absent' } = { kind: 'absent' };

export function exact<T>(value: T): Precision<T> {
  return { kind: 'exact', value };
}

export function inexact<T>(value: T): Precision<T> {
  return { kind: 'inexact', value };
}

/** The same figure, no longer exact. */
export function toInexact<T>(precision: Precision<T>): Precision<T> {
  return precision.kind === 'exact' ? inexact(precision.value) : precision;
}

/** The figure whatever its kind, or undefined when absent. */
export function known<T>(precision: Precision<T>): T | undefined {
  return precision.kind === 'absent' ? undefined : precision.value;
}

/** The combined figure has the weaker kind; absent wins. */
export function combine<A, B, C>(a: Precision<A>, b: Precision<B>, merge: (a: A, b: B) => C): Precision<C> {
  if (a.kind === 'absent' || b.kind === 'absent') return ABSENT;
  const value = merge(a.value, b.value);
  return a.kind === 'exact' && b.kind === 'exact' ? exact(value) : inexact(value);
}

export interface ColumnStatistics {
  readonly nullCount: Precision<number>;
  readonly min: Precision<ScalarValue>;
  readonly max: Precision<ScalarValue>;
  readonly distinctCount: Precision<number>;
  /** Bytes of the column as Arrow counts them. */
  readonly byteSize: Precision<number>;
}

/** What is known about a node's output, as DataFusion models it. Row and byte counts are plain numbers (< 2^53). */
export interface Statistics {
  readonly numRows: Precision<number>;
  readonly totalByteSize: Precision<number>;
  /** One per output column. */
  readonly columns: readonly ColumnStatistics[];
}

export const UNKNOWN_COLUMN: ColumnStatistics = {
  nullCount: ABSENT,
  min: ABSENT,
  max: ABSENT,
  distinctCount: ABSENT,
  byteSize: ABSENT,
};

export function unknownStatistics(columnCount: number): Statistics {
  return { numRows: ABSENT, totalByteSize: ABSENT, columns: Array.from({ length: columnCount }, () => UNKNOWN_COLUMN) };
}
