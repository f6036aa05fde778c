import { known, type Statistics } from '../../catalog/statistics.js';
import { INT64, typesEqual } from '../../columnar/data-type.js';
import { type ScalarValue, scalar } from '../../columnar/scalar-value.js';
import { physicalLiteral } from '../../expr/physical-expr.js';
import type { PhysicalAggregateExpr } from '../aggregate-expr.js';
import { isFirstStage } from '../aggregate-mode.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { PlaceholderRowExec } from '../operators/placeholder-row-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { withChildren } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** Answers aggregates without keys from exact statistics, when all of one node can be. */
export const aggregateStatisticsRule: PhysicalRule = {
  name: 'aggregate_statistics',
  optimize: answer,
};

function answer(plan: ExecutionPlan): ExecutionPlan {
  const partial = optimizable(plan);
  if (partial !== undefined) {
    const statistics = partial.input.statistics();
    const answers = partial.aggregates.map((aggregate) => valueOf(aggregate, statistics));
    if (answers.every((value) => value !== undefined)) {
      return new ProjectionExec(
        answers.map((value, i) => ({ expr: physicalLiteral(value), name: partial.aggregates[i]!.name })),
        new PlaceholderRowExec(plan.schema),
      );
    }
  }
  return withChildren(plan, plan.children.map(answer));
}

/** The first stage below a last stage without keys; nothing but nodes with one child may lie between. */
function optimizable(plan: ExecutionPlan): AggregateExec | undefined {
  if (!(plan instanceof AggregateExec) || isFirstStage(plan.mode) || plan.groupBy.exprs.length > 0) return undefined;
  let child: ExecutionPlan | undefined = plan.input;
  while (child !== undefined) {
    if (child instanceof AggregateExec && isFirstStage(child.mode) && child.groupBy.exprs.length === 0) {
      return child.aggregates.every(({ filter }) => filter === null) ? child : undefined;
    }
    child = child.children.length === 1 ? child.children[0] : undefined;
  }
  return undefined;
}

function valueOf(aggregate: PhysicalAggregateExpr, { numRows, columns }: Statistics): ScalarValue | undefined {
  const [arg] = aggregate.args;
  if (arg === undefined || aggregate.args.length !== 1) return undefined;
  const column = arg.kind === 'column' ? columns[arg.index] : undefined;
  switch (aggregate.func.name) {
    case 'count': {
      if (aggregate.distinct) {
        if (column?.distinctCount.kind !== 'exact') return undefined;
        return scalar(INT64, BigInt(column.distinctCount.value));
      }
      if (numRows.kind !== 'exact') return undefined;
      if (column !== undefined) {
        if (column.nullCount.kind !== 'exact') return undefined;
        return scalar(INT64, BigInt(numRows.value - column.nullCount.value));
      }
      // Only the form of count(*) itself; any other constant is left to run.
      const star = arg.kind === 'literal' && typesEqual(arg.type, INT64) && arg.value.value === 1n;
      return star ? scalar(INT64, BigInt(numRows.value)) : undefined;
    }
    case 'min':
    case 'max': {
      if (column === undefined) return undefined;
      if (numRows.kind === 'exact' && numRows.value === 0) return scalar(aggregate.type, null);
      const bound = aggregate.func.name === 'min' ? column.min : column.max;
      const value = bound.kind === 'exact' ? known(bound) : undefined;
      return value === undefined || value.value === null ? undefined : value;
    }
    default:
      return undefined;
  }
}
