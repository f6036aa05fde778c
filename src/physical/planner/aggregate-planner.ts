import { DistqError, invariant } from '../../base/errors.js';
import { scalar } from '../../columnar/scalar-value.js';
import type { SessionConfig } from '../../config/session-config.js';
import { humanName, schemaName } from '../../expr/expr-display.js';
import { exprKey, indexOfExpr } from '../../expr/expr-equality.js';
import type { Expr, GroupingSetExpr } from '../../expr/expr.js';
import { unaliasNested } from '../../expr/expr-utils.js';
import { physicalLiteral } from '../../expr/physical-expr.js';
import { toPhysicalExpr, toPhysicalSortExpr } from '../../expr/physical-planner.js';
import type { DFSchema } from '../../logical/df-schema.js';
import { groupingSetOf, groupKeys } from '../../logical/grouping-sets.js';
import type { AggregateNode } from '../../logical/plan.js';
import { finalGroupBy, groupByColumns, type PhysicalAggregateExpr, type PhysicalGroupBy } from '../aggregate-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';

/** Always two stages; later rules melt them where nothing comes between. */
export function planAggregate(node: AggregateNode, input: ExecutionPlan, config: SessionConfig): ExecutionPlan {
  const groupBy = planGroupBy(node);
  const aggregates = node.aggregates.map((expr) => planAggregateExpr(expr, node.input.schema));
  const partial = new AggregateExec('Partial', groupBy, aggregates, input);
  const partitioned =
    groupBy.exprs.length > 0 &&
    config.get('execution.target_partitions') > 1 &&
    config.get('optimizer.repartition_aggregations');
  return new AggregateExec(partitioned ? 'FinalPartitioned' : 'Final', finalGroupBy(groupBy), aggregates, partial);
}

function planGroupBy({ groupBy, schema, input }: AggregateNode): PhysicalGroupBy {
  const keys = groupKeys(groupBy);
  const exprs = keys.map((key, i) => ({ expr: toPhysicalExpr(key, input.schema), name: schema.at(i).field.name }));
  const set = groupingSetOf(groupBy);
  if (set === undefined) return groupByColumns(exprs);
  return {
    exprs,
    nullExprs: exprs.map(({ expr, name }) => ({ expr: physicalLiteral(scalar(expr.type, null)), name })),
    groups: leftOut(set, keys),
  };
}

/** Per set, which keys it leaves out, in the order in which DataFusion's physical planner lists the sets. */
function leftOut(set: GroupingSetExpr, keys: readonly Expr[]): boolean[][] {
  switch (set.form) {
    case 'GROUPING SETS':
      return set.sets.map((members) => keys.map((key) => indexOfExpr(members, key) < 0));
    case 'ROLLUP':
      // From nothing to everything.
      return Array.from({ length: keys.length + 1 }, (_, kept) => keys.map((_key, i) => i >= kept));
    case 'CUBE': {
      // By how many keys are left out, then by position.
      const groups: boolean[][] = [];
      for (let count = 0; count <= keys.length; count++) {
        for (const out of combinations(keys.length, count)) groups.push(keys.map((_, i) => out.includes(i)));
      }
      return groups;
    }
  }
}

/** All choices of `count` positions below `length`, ascending. */
function combinations(length: number, count: number, from = 0): number[][] {
  if (count === 0) return [[]];
  const result: number[][] = [];
  for (let first = from; first <= length - count; first++) {
    for (const rest of combinations(length, count - 1, first + 1)) result.push([first, ...rest]);
  }
  return result;
}

/** The call behind an output of an Aggregate node, whose aliases give the field its name. */
function planAggregateExpr(expr: Expr, schema: DFSchema): PhysicalAggregateExpr {
  const call = unaliasNested(expr);
  if (call.kind !== 'aggregate_function') {
    throw new DistqError('internal', `an Aggregate computes ${exprKey(call)}, which is no aggregate`);
  }
  const name = schemaName(expr);
  const args = call.args.map((arg) => toPhysicalExpr(arg, schema));
  invariant(!call.distinct || args.length > 0, 'a DISTINCT aggregate has an argument');
  return {
    func: call.func,
    args,
    distinct: call.distinct,
    filter: call.filter === null ? null : toPhysicalExpr(call.filter, schema),
    orderBy: call.orderBy.map((key) => toPhysicalSortExpr(key, schema)),
    ignoreNulls: call.ignoreNulls ?? false,
    name,
    // Only an alias can make the executed call differ from the name.
    text: expr.kind === 'alias' ? humanName(call) : name,
    humanText: humanName(call),
    type: call.func.returnType(args.map((arg) => arg.type)),
    nullable: call.func.nullable,
  };
}
