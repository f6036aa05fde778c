import { type DataType, isFloating } from '../../columnar/data-type.js';
import { type BoundKey, type BoundValue, compareInOrder, type RowBound } from '../../columnar/rows/row-bound.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { columnBounds } from './column-bounds.js';
import type { ParquetFooter } from './footer.js';

/** What a row group's statistics are asked for. */
export interface RowGroupStatistics {
  readonly footer: ParquetFooter;
  readonly rowGroup: number;
  /** A table column's leaf in the footer's file, -1 when it has none. */
  readonly leafOf: (column: number) => number;
  readonly typeOf: (column: number) => DataType;
}

/** False when no row of the row group can be within one of the bounds. `children`: those of the dynamic filter, over the table. */
export function mayHoldRowsWithin(
  bounds: readonly RowBound[],
  children: readonly PhysicalExpr[],
  statistics: RowGroupStatistics,
): boolean {
  return bounds.some((bound) => mayHoldRowWithin(bound, children, statistics));
}

function mayHoldRowWithin(
  { keys, inclusive }: RowBound,
  children: readonly PhysicalExpr[],
  statistics: RowGroupStatistics,
): boolean {
  // The least values of all keys make a row that no row of the group comes before.
  for (const key of keys) {
    const child = children[key.child];
    const first = child?.kind === 'column' ? firstInOrder(key, child.index, statistics) : undefined;
    if (first === undefined) return true;
    const order = compareInOrder(key, first, key.value);
    if (order !== 0) return order < 0;
  }
  return inclusive;
}

/** The value of the row group that comes first in the key's order; undefined when statistics do not tell. */
function firstInOrder(
  { descending, nullsFirst }: BoundKey,
  column: number,
  { footer, rowGroup, leafOf, typeOf }: RowGroupStatistics,
): BoundValue | undefined {
  const leaf = leafOf(column);
  if (leaf < 0) return undefined;
  const rows = footer.rows(rowGroup);
  const stored = footer.statistics(rowGroup, leaf);
  const nulls = stored.nullCount === null || stored.nullCount > rows ? undefined : stored.nullCount;
  if (nulls === rows) return null;
  if (nullsFirst && nulls !== 0) return nulls === undefined ? undefined : null;
  const type = typeOf(column);
  // NaN is above every number, and writers leave it out of the bounds.
  if (descending && isFloating(type)) return undefined;
  return columnBounds(stored, footer.schema.leaves[leaf]!, type)[descending ? 'max' : 'min'] ?? undefined;
}
