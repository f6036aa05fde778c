import {
  ABSENT,
  type ColumnStatistics,
  exact,
  inexact,
  known,
  type Precision,
  type Statistics,
  UNKNOWN_COLUMN,
} from '../../catalog/statistics.js';
import type { Schema } from '../../columnar/schema.js';
import type { PhysicalGroupBy } from '../aggregate-expr.js';
import { type AggregateMode, emitsStates } from '../aggregate-mode.js';
import type { AggregateLimit } from '../operators/aggregate-exec.js';

/** What aggregation needs to know of its node to estimate its output. */
export interface AggregateShape {
  readonly mode: AggregateMode;
  readonly groupBy: PhysicalGroupBy;
  readonly limit: AggregateLimit | null;
  readonly schema: Schema;
  readonly properties: { readonly partitioning: { readonly count: number } };
}

/** Groups are counted by the keys' distinct values where all are known; otherwise an aggregate is assumed not to reduce rows. */
export function aggregateStatistics(plan: AggregateShape, input: Statistics): Statistics {
  const columns = plan.schema.fields.map((_, i): ColumnStatistics => {
    const key = plan.groupBy.exprs[i]?.expr;
    if (key?.kind !== 'column') return UNKNOWN_COLUMN;
    const { min, max, distinctCount } = input.columns[key.index] ?? UNKNOWN_COLUMN;
    return { nullCount: ABSENT, min, max, distinctCount, byteSize: ABSENT };
  });
  const rows = known(input.numRows);
  const numRows = groupCount(plan, input);
  const bytes = known(input.totalByteSize);
  const totalByteSize: Precision<number> =
    bytes === undefined || rows === undefined || rows === 0 || numRows.kind === 'absent'
      ? ABSENT
      : inexact(Math.ceil((bytes / rows) * numRows.value));
  return { numRows, totalByteSize, columns };
}

function groupCount(plan: AggregateShape, input: Statistics): Precision<number> {
  const { exprs, groups } = plan.groupBy;
  // Without keys a first stage gives one row per partition, whatever comes in.
  if (exprs.length === 0) return exact(emitsStates(plan.mode) ? plan.properties.partitioning.count : 1);
  const rows = known(input.numRows);
  let numRows: Precision<number>;
  if (rows === undefined) numRows = ABSENT;
  else if (rows === 0) numRows = input.numRows;
  else if (rows === 1) numRows = groups.length === 1 ? input.numRows : inexact(groups.length);
  else numRows = inexact(Math.min(rows, distinctGroups(plan.groupBy, input) ?? Number.POSITIVE_INFINITY));
  if (plan.limit !== null && numRows.kind !== 'absent' && numRows.value > plan.limit.count) {
    numRows = inexact(plan.limit.count);
  }
  return numRows;
}

/** The product of the keys' distinct values, or undefined when one is unknown. */
function distinctGroups({ exprs }: PhysicalGroupBy, input: Statistics): number | undefined {
  let product = 1;
  for (const { expr } of exprs) {
    if (expr.kind !== 'column') return undefined;
    const column = input.columns[expr.index];
    const distinct = column === undefined ? undefined : known(column.distinctCount);
    if (column === undefined || distinct === undefined) return undefined;
    product *= distinct + ((known(column.nullCount) ?? 0) > 0 ? 1 : 0);
  }
  return product;
}
