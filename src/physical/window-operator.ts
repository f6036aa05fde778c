import type { PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';
import { addConstant, orderedPositions, orderingSatisfied } from './equivalence.js';
import type { ExecutionPlan } from './execution-plan.js';
import { BoundedWindowAggExec } from './operators/bounded-window-agg-exec.js';
import { WindowAggExec } from './operators/window-agg-exec.js';
import type { Windows } from './operators/window-keys.js';
import type { PlanProperties } from './plan-properties.js';
import { reverseKey, reverseWindow, usesBoundedMemory } from './window-expr.js';

export type WindowOperator = BoundedWindowAggExec | WindowAggExec;

export function isWindow(plan: ExecutionPlan): plan is WindowOperator {
  return plan instanceof BoundedWindowAggExec || plan instanceof WindowAggExec;
}

/** The operator for the windows: bounded when all of them are. */
export function windowOperator(windows: Windows, input: ExecutionPlan, canRepartition: boolean): WindowOperator {
  return windows.every(usesBoundedMemory)
    ? new BoundedWindowAggExec(windows, input, canRepartition)
    : new WindowAggExec(windows, input, canRepartition);
}

/**
 * The operator over an input in the order it has, turned round if need be; undefined when the rows must be sorted first. Source:
 * get_best_fitting_window in apache/datafusion, physical-plan/src/windows.
 */
export function fittingWindow(plan: WindowOperator, input: ExecutionPlan): WindowOperator | undefined {
  const { windows, canRepartition } = plan;
  const [{ partitionBy, orderBy }] = windows;
  const direction = fittingDirection(partitionBy, orderBy, input.properties);
  if (direction === undefined) return undefined;
  if (direction === 'forward') return windowOperator(windows, input, canRepartition);
  const [first, ...rest] = windows.map(reverseWindow);
  if (first === undefined || rest.includes(undefined)) return undefined;
  const others = rest.filter((window) => window !== undefined);
  return windowOperator([first, ...others], input, canRepartition);
}

/** How the windows can run over the order that is there: all partition keys lead it, and the sort keys follow, as they are or reversed. */
function fittingDirection(
  partitionBy: readonly PhysicalExpr[],
  orderBy: readonly PhysicalSortExpr[],
  input: PlanProperties,
): 'forward' | 'reversed' | undefined {
  const leading = orderedPositions(partitionBy, input);
  if (leading.positions.length !== partitionBy.length) return undefined;
  // Within a partition its keys do not change.
  const within = partitionBy.reduce(
    (known, expr) => addConstant(known, { expr, across: 'per_partition', value: null }),
    input,
  );
  if (orderingSatisfied([...leading.keys, ...orderBy], within)) return 'forward';
  return orderingSatisfied([...leading.keys, ...orderBy.map(reverseKey)], within) ? 'reversed' : undefined;
}
