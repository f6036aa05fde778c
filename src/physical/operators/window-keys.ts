import type { PhysicalExpr, PhysicalSortExpr } from '../../expr/physical-expr.js';
import { physicalExprsEqual } from '../../expr/physical-expr-transform.js';
import { orderedPositions, orderingSatisfied } from '../equivalence.js';
import { type Distribution, SINGLE_PARTITION } from '../execution-plan.js';
import type { PlanProperties } from '../plan-properties.js';
import type { PhysicalWindowExpr } from '../window-expr.js';

/** Windows of one operator: at least one, all with the same keys. */
export type Windows = readonly [PhysicalWindowExpr, ...PhysicalWindowExpr[]];

/**
 * The order a window operator needs: its partition keys, then its sort keys. Partition keys may come in any sequence and direction that the
 * input has; where the input does not fit they are asked for ascending, in the sequence `positions` says.
 */
export function windowOrdering(
  [{ partitionBy, orderBy }]: Windows,
  input: PlanProperties,
  positions: readonly number[],
): readonly PhysicalSortExpr[] | null {
  const ordered = orderedPositions(partitionBy, input);
  const directions = new Map(ordered.positions.map((position, i) => [position, ordered.keys[i]!]));
  const plain = (position: number): PhysicalSortExpr => ({
    expr: partitionBy[position]!,
    descending: false,
    nullsFirst: false,
  });
  const fitting = withSortKeys(
    positions.map((position) => directions.get(position) ?? plain(position)),
    orderBy,
  );
  if (fitting.length === 0) return null;
  if (orderingSatisfied(fitting, input)) return fitting;
  return withSortKeys(positions.map(plain), orderBy);
}

function withSortKeys(keys: PhysicalSortExpr[], orderBy: readonly PhysicalSortExpr[]): PhysicalSortExpr[] {
  for (const key of orderBy) {
    if (!keys.some(({ expr }) => physicalExprsEqual(expr, key.expr))) keys.push(key);
  }
  return keys;
}

/** The sequence of the partition keys that the input's order has, when it has all of them; otherwise as written. */
export function partitionSequence(partitionBy: readonly PhysicalExpr[], input: PlanProperties): readonly number[] {
  const { positions } = orderedPositions(partitionBy, input);
  return positions.length === partitionBy.length ? positions : [...partitionBy.keys()];
}

/** Rows with the same partition keys belong together. */
export function windowDistribution(partitionKeys: readonly PhysicalExpr[]): Distribution {
  return partitionKeys.length === 0 ? SINGLE_PARTITION : { kind: 'hash', exprs: partitionKeys };
}
