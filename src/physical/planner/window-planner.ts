import { DistqError } from '../../base/errors.js';
import type { SessionConfig } from '../../config/session-config.js';
import { exprKey } from '../../expr/expr-equality.js';
import type { Expr } from '../../expr/expr.js';
import { unaliasNested } from '../../expr/expr-utils.js';
import { toPhysicalExpr, toPhysicalSortExpr } from '../../expr/physical-planner.js';
import type { WindowNode } from '../../logical/plan.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { Windows } from '../operators/window-keys.js';
import { windowOperator } from '../window-operator.js';
import type { PhysicalWindowExpr } from '../window-expr.js';

/** One operator for all windows of the node: they have the same keys. */
export function planWindow(node: WindowNode, input: ExecutionPlan, config: SessionConfig): ExecutionPlan {
  const spread = config.get('execution.target_partitions') > 1 && config.get('optimizer.repartition_windows');
  const [first, ...rest] = node.windows;
  if (first === undefined) throw new DistqError('internal', 'a Window node computes nothing');
  const offset = node.input.schema.length;
  const windows: Windows = [
    planWindowExpr(first, node, offset),
    ...rest.map((expr, i) => planWindowExpr(expr, node, offset + i + 1)),
  ];
  return windowOperator(windows, input, spread);
}

function planWindowExpr(expr: Expr, node: WindowNode, position: number): PhysicalWindowExpr {
  const call = unaliasNested(expr);
  if (call.kind !== 'window_function') {
    throw new DistqError('internal', `a Window computes ${exprKey(call)}, which is no window function`);
  }
  const { schema } = node.input;
  const { name, type, nullable } = node.schema.at(position).field;
  return {
    func: call.func,
    args: call.args.map((arg) => toPhysicalExpr(arg, schema)),
    partitionBy: call.partitionBy.map((key) => toPhysicalExpr(key, schema)),
    orderBy: call.orderBy.map((key) => toPhysicalSortExpr(key, schema)),
    frame: call.frame,
    distinct: call.distinct,
    filter: call.filter === null ? null : toPhysicalExpr(call.filter, schema),
    ignoreNulls: call.ignoreNulls ?? false,
    reversed: false,
    name,
    type,
    nullable,
  };
}
