import { ABSENT, type Statistics, UNKNOWN_COLUMN } from '../../catalog/statistics.js';
import { field } from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import {
  type PhysicalColumn,
  physicalColumn,
  type PhysicalExpr,
  type PhysicalSortExpr,
} from '../../expr/physical-expr.js';
import { addConstant, addOrdering, orderedPositions, orderingSatisfied } from '../equivalence.js';
import type { PlanProperties } from '../plan-properties.js';
import { isAggregateWindow, isUnbounded, type PhysicalWindowExpr } from '../window-expr.js';
import type { Windows } from './window-keys.js';

/** The input's columns, then one per window. */
export function windowSchema(input: Schema, windows: Windows): Schema {
  return new Schema([...input.fields, ...windows.map(({ name, type, nullable }) => field(name, type, nullable))]);
}

/** Rows stay; of the new columns nothing is known. */
export function windowStatistics(input: Statistics, windows: Windows): Statistics {
  return {
    numRows: input.numRows,
    totalByteSize: ABSENT,
    columns: [...input.columns, ...windows.map(() => UNKNOWN_COLUMN)],
  };
}

/**
 * What is known of the input, and the orders that the window columns bring. Source: window_equivalence_properties in apache/datafusion,
 * physical-plan/src/windows.
 */
export function windowProperties(input: PlanProperties, schema: Schema, windows: Windows): PlanProperties {
  let properties = input;
  const offset = schema.length - windows.length;
  for (const [i, window] of windows.entries()) {
    const { partitionBy } = window;
    const leading = partitionBy.length === 0 ? [] : orderOfPartitions(partitionBy, properties);
    // Rows of a partition that do not stand together tell nothing, for this window or the ones after it.
    if (leading === undefined) return properties;
    properties = withWindow(properties, window, physicalColumn(schema, offset + i), leading);
  }
  return properties;
}

type Keys = readonly PhysicalSortExpr[];

/** An order over all partition keys, in their sequence, that the rows have; undefined when they have none. */
function orderOfPartitions(partitionBy: readonly PhysicalExpr[], properties: PlanProperties): Keys | undefined {
  const keys: PhysicalSortExpr[] = [];
  for (const expr of partitionBy) {
    const fitting = [false, true]
      .map((descending) => ({ expr, descending, nullsFirst: descending }))
      .find((key) => orderingSatisfied([...keys, key], properties));
    if (fitting === undefined) return undefined;
    keys.push(fitting);
  }
  return keys;
}

function withWindow(
  properties: PlanProperties,
  window: PhysicalWindowExpr,
  column: PhysicalColumn,
  leading: Keys,
): PlanProperties {
  const { func, frame, partitionBy, args } = window;
  if (!isAggregateWindow(func)) {
    return func.ascending && !window.reversed ? addWithin(properties, partitionBy, ascending(column)) : properties;
  }
  if (isUnbounded(frame.start) && frame.start.direction === 'PRECEDING') {
    if (isUnbounded(frame.end)) return withConstantWindow(properties, column, leading);
    const moves = func.monotonicity?.(args.map(({ type }) => type)) ?? null;
    if (moves === null) return properties;
    return addWithin(properties, partitionBy, { expr: column, descending: moves === 'decreasing', nullsFirst: false });
  }
  return withSlidingWindow(properties, window, column, leading);
}

function ascending(expr: PhysicalExpr): PhysicalSortExpr {
  return { expr, descending: false, nullsFirst: false };
}

/** Adds a key that orders the rows of each partition. */
function addWithin(
  properties: PlanProperties,
  partitionBy: readonly PhysicalExpr[],
  key: PhysicalSortExpr,
): PlanProperties {
  if (partitionBy.length === 0) return addOrdering(properties, [key]);
  const { positions, keys } = orderedPositions(partitionBy, properties);
  return positions.length === partitionBy.length ? addOrdering(properties, [...keys, key]) : properties;
}

/** One value per partition: constant without partition keys, otherwise in any order below them. */
function withConstantWindow(properties: PlanProperties, column: PhysicalColumn, leading: Keys): PlanProperties {
  if (leading.length === 0) return addConstant(properties, { expr: column, across: 'per_partition', value: null });
  let result = properties;
  for (const descending of [false, true]) {
    for (const nullsFirst of [false, true]) {
      result = { ...result, orderings: [...result.orderings, [...leading, { expr: column, descending, nullsFirst }]] };
    }
  }
  return result;
}

/** A frame that only loses rows turns a growing aggregate into a shrinking one; one that moves over ordered values moves with them. */
function withSlidingWindow(
  properties: PlanProperties,
  { func, frame, partitionBy, args }: PhysicalWindowExpr,
  column: PhysicalColumn,
  leading: Keys,
): PlanProperties {
  const moves = isAggregateWindow(func) ? (func.monotonicity?.(args.map(({ type }) => type)) ?? null) : null;
  if (moves === null) return properties;
  const increasing = moves === 'increasing';
  if (isUnbounded(frame.end)) {
    return addOrdering(properties, [...leading, { expr: column, descending: increasing, nullsFirst: true }]);
  }
  const reachesAhead =
    frame.units === 'ROWS' ? frame.end.direction === 'FOLLOWING' : frame.end.direction !== 'PRECEDING';
  if (reachesAhead || args.length === 0) return properties;
  const order = directionOf(args, properties);
  if (order === undefined) return properties;
  const whole = partitionBy.length === 0;
  if (increasing && (order === 'ascending' || whole)) return addOrdering(properties, [ascending(column)]);
  if (!increasing && (order === 'descending' || whole)) {
    return addOrdering(properties, [{ expr: column, descending: true, nullsFirst: false }]);
  }
  return properties;
}

/** In which direction the rows are ordered by the first of the expressions, when they are ordered by all. */
function directionOf(
  exprs: readonly PhysicalExpr[],
  properties: PlanProperties,
): 'ascending' | 'descending' | undefined {
  const keys: PhysicalSortExpr[] = [];
  for (const expr of exprs) {
    const fitting = [false, true]
      .flatMap((descending) => [false, true].map((nullsFirst) => ({ expr, descending, nullsFirst })))
      .find((key) => orderingSatisfied([...keys, key], properties));
    if (fitting === undefined) return undefined;
    keys.push(fitting);
  }
  return keys[0]?.descending === true ? 'descending' : 'ascending';
}
