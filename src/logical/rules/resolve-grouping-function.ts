import { DistqError } from '../../base/errors.js';
import { type DataType, INT32 } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { type AggregateFunctionExpr, binary, cast, column, type Expr, literal } from '../../expr/expr.js';
import { displayExpr } from '../../expr/expr-display.js';
import { indexOfExpr } from '../../expr/expr-equality.js';
import { unalias } from '../../expr/expr-utils.js';
import { aggregate, projection } from '../builder.js';
import { GROUPING_ID, groupingIdType, groupingSetOf, groupKeys } from '../grouping-sets.js';
import { qualifiedName, restoreName } from '../name-preserver.js';
import type { AnalyzerRule } from '../optimizer-rule.js';
import type { AggregateNode, LogicalPlan } from '../plan.js';
import { transformPlanUp } from '../transform.js';

/** Replaces `grouping(a, b)` by the bits of `__grouping_id` that stand for its arguments, in a projection above the aggregate. */
export const resolveGroupingFunction: AnalyzerRule = {
  name: 'resolve_grouping_function',
  analyze: (plan) =>
    transformPlanUp(plan, (node) =>
      node.kind === 'aggregate' && node.aggregates.some(isGrouping) ? resolve(node) : node,
    ),
};

function groupingCall(expr: Expr): AggregateFunctionExpr | undefined {
  const call = unalias(expr);
  return call.kind === 'aggregate_function' && call.func.name === 'grouping' ? call : undefined;
}

function isGrouping(expr: Expr): boolean {
  return groupingCall(expr) !== undefined;
}

function resolve(node: AggregateNode): LogicalPlan {
  const keys = groupKeys(node.groupBy);
  const sets = groupingSetOf(node.groupBy) !== undefined;
  const rest = aggregate(
    node.groupBy,
    node.aggregates.filter((expr) => !isGrouping(expr)),
    node.input,
  );
  const outputs: Expr[] = keys.map((_, index) => rest.schema.columnAt(index));
  for (const expr of node.aggregates) {
    const call = groupingCall(expr);
    if (call === undefined) {
      const { relation, name } = qualifiedName(expr);
      outputs.push(column(name, relation));
    } else {
      outputs.push(restoreName(expr, sets ? idBits(call, keys) : literal(scalar(INT32, 0))));
    }
  }
  return projection(outputs, rest);
}

/** `grouping(args)` as bits: the last argument is the lowest bit; in `__grouping_id` the last key is. */
function idBits(call: AggregateFunctionExpr, keys: readonly Expr[]): Expr {
  const type = groupingIdType(keys.length);
  const id = column(GROUPING_ID);
  const positions = call.args.map((arg) => {
    const index = indexOfExpr(keys, arg);
    if (index < 0) {
      throw new DistqError('plan', `grouping() takes expressions of GROUP BY, and ${displayExpr(arg)} is none`);
    }
    return keys.length - 1 - index;
  });
  // All keys in their order are the id itself.
  if (positions.length === keys.length && positions.every((bit, index) => bit === keys.length - 1 - index)) {
    return cast(id, INT32);
  }
  const bits = positions.map((from, index): Expr => {
    const target = positions.length - 1 - index;
    const masked = binary(id, '&', constant(type, 1n << BigInt(from)));
    if (from > target) return binary(masked, '>>', constant(type, BigInt(from - target)));
    return from < target ? binary(masked, '<<', constant(type, BigInt(target - from))) : masked;
  });
  const [first, ...others] = bits.reverse();
  if (first === undefined) throw new DistqError('plan', 'grouping() needs an argument');
  return cast(
    others.reduce((joined, bit) => binary(joined, '|', bit), first),
    INT32,
  );
}

function constant(type: DataType, value: bigint): Expr {
  return literal(scalar(type, type.kind === 'UInt64' ? value : Number(value)));
}
