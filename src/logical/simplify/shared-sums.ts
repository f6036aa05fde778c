import { INT64 } from '../../columnar/data-type.js';
import {
  type AggregateFunctionExpr,
  alias,
  binary,
  cast,
  column,
  type Expr,
  type LiteralExpr,
} from '../../expr/expr.js';
import { exprKey } from '../../expr/expr-equality.js';
import { exprType } from '../../expr/expr-schema.js';
import type { FunctionRegistry } from '../../expr/function.js';
import { isVolatile, unalias } from '../../expr/expr-utils.js';
import { aggregate, projection } from '../builder.js';
import type { DFSchema } from '../df-schema.js';
import { groupingSetOf } from '../grouping-sets.js';
import { qualifiedName } from '../name-preserver.js';
import type { AggregateNode, LogicalPlan } from '../plan.js';

interface ShiftedSum {
  readonly call: AggregateFunctionExpr;
  readonly base: Expr;
  readonly shift: LiteralExpr;
}

/**
 * `sum(x + 1), sum(x + 2), …` over integers: at least two of them share one `sum(x)` and one `count(x)`, and a projection above works
 * each out as `sum(x) + k * count(x)`.
 */
export function shareSums(node: AggregateNode, functions: FunctionRegistry | undefined): LogicalPlan {
  const count = functions?.aggregate('count');
  if (count === undefined || groupingSetOf(node.groupBy) !== undefined) return node;
  const shifted = node.aggregates.map((expr) => shiftedSum(unalias(expr), node.input.schema));
  const uses = new Map<string, number>();
  for (const sum of shifted) {
    if (sum !== undefined) uses.set(exprKey(sum.base), (uses.get(exprKey(sum.base)) ?? 0) + 1);
  }
  const shares = (sum: ShiftedSum | undefined): sum is ShiftedSum =>
    sum !== undefined && (uses.get(exprKey(sum.base)) ?? 0) > 1;
  if (!shifted.some(shares)) return node;

  const aggregates = new Map<string, Expr>();
  /** Computes an aggregate, once per name, and gives the column it is in. */
  const computed = (expr: Expr): Expr => {
    const { relation, name } = qualifiedName(expr);
    if (!aggregates.has(name)) aggregates.set(name, expr);
    return column(name, relation);
  };
  const outputs: Expr[] = node.groupBy.map((_, index) => node.schema.columnAt(index));
  for (const [index, expr] of node.aggregates.entries()) {
    const sum = shifted[index];
    if (!shares(sum)) {
      outputs.push(computed(expr));
      continue;
    }
    const total = computed({ ...sum.call, args: [sum.base] });
    const rows = computed({ ...sum.call, func: count, args: [sum.base] });
    const value = binary(total, '+', binary(sum.shift, '*', cast(rows, INT64)));
    const { relation, name } = qualifiedName(expr);
    outputs.push(alias(value, name, relation));
  }
  return projection(outputs, aggregate(node.groupBy, [...aggregates.values()], node.input));
}

function shiftedSum(call: Expr, schema: DFSchema): ShiftedSum | undefined {
  if (call.kind !== 'aggregate_function' || call.func.name !== 'sum') return undefined;
  if (call.distinct || call.filter !== null || call.orderBy.length > 0) return undefined;
  const [arg] = call.args;
  if (arg?.kind !== 'binary' || arg.op !== '+' || exprType(arg, schema).kind !== 'Int64') return undefined;
  const [base, shift] = arg.right.kind === 'literal' ? [arg.left, arg.right] : [arg.right, arg.left];
  if (shift.kind !== 'literal' || shift.value.type.kind !== 'Int64' || shift.value.value === null) return undefined;
  if (base.kind === 'literal' || isVolatile(base)) return undefined;
  return { call, base, shift };
}
