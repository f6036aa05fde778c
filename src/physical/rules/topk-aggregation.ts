import { type DataType, isString, primitiveWidth } from '../../columnar/data-type.js';
import type { PhysicalColumn } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { transformDown } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** The first rows by a group key or by the one min/max: the aggregate below need not keep more groups than that. */
export const topKAggregation: PhysicalRule = {
  name: 'LimitAggregation',
  optimize: (plan, config) =>
    config.get('optimizer.enable_topk_aggregation')
      ? transformDown(plan, (node) => (node instanceof SortExec ? limitInput(node) : node))
      : plan,
};

function limitInput(sort: SortExec): ExecutionPlan {
  const [key] = sort.exprs;
  if (sort.fetch === null || key === undefined || sort.exprs.length !== 1 || key.expr.kind !== 'column') return sort;
  const input = limitBelow(sort.input, key.expr, key.descending, sort.fetch);
  return input === undefined ? sort : sort.withNewChildren([input]);
}

/** Walks down through nodes that keep every row and rename at most; undefined when no aggregate can be limited. */
function limitBelow(
  plan: ExecutionPlan,
  key: PhysicalColumn,
  descending: boolean,
  count: number,
): ExecutionPlan | undefined {
  if (plan instanceof AggregateExec) {
    const limited = limitAggregate(plan, key, descending, count);
    if (limited === undefined) return undefined;
    // The stage below sees the same key, or the same min/max in its only state column.
    const below = limitBelow(limited.input, { ...key, name: limited.schema.field(key.index).name }, descending, count);
    return below === undefined ? limited : limited.withNewChildren([below]);
  }
  if (plan instanceof ProjectionExec) {
    const source = plan.exprs[key.index]?.expr;
    if (source?.kind !== 'column') return undefined;
    const input = limitBelow(plan.input, source, descending, count);
    return input === undefined ? undefined : plan.withNewChildren([input]);
  }
  if (plan instanceof RepartitionExec || (plan instanceof CoalescePartitionsExec && plan.fetch === null)) {
    const input = limitBelow(plan.input, key, descending, count);
    return input === undefined ? undefined : plan.withNewChildren([input]);
  }
  return undefined;
}

function limitAggregate(
  plan: AggregateExec,
  key: PhysicalColumn,
  descending: boolean,
  count: number,
): AggregateExec | undefined {
  const { groupBy, aggregates } = plan;
  const [group] = groupBy.exprs;
  if (group === undefined || groupBy.exprs.length !== 1 || groupBy.groups.length !== 1 || plan.limit !== null) {
    return undefined;
  }
  if (!isSupported(group.expr.type) || aggregates.some(({ filter }) => filter !== null)) return undefined;
  const [call] = aggregates;
  if (call === undefined) {
    return key.index === 0 ? plan.with({ limit: { count, descending } }) : undefined;
  }
  const wanted = descending ? 'max' : 'min';
  if (aggregates.length !== 1 || call.func.name !== wanted || key.index !== 1 || !isSupported(call.type)) {
    return undefined;
  }
  return plan.with({ limit: { count, descending } });
}

function isSupported(type: DataType): boolean {
  return primitiveWidth(type) !== undefined || isString(type);
}
