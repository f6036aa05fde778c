import {
  displayPhysicalExpr,
  displaySortExprs,
  displaySqlExpr,
  displaySqlSortExprs,
} from '../../expr/physical-expr-display.js';
import { hasGroupingSets } from '../../physical/aggregate-expr.js';
import type { ProjectedExpr } from '../../physical/equivalence.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { AggregateExec } from '../../physical/operators/aggregate-exec.js';
import { BoundedWindowAggExec } from '../../physical/operators/bounded-window-agg-exec.js';
import { CoalescePartitionsExec } from '../../physical/operators/coalesce-partitions-exec.js';
import { DataSourceExec } from '../../physical/operators/data-source-exec.js';
import { FilterExec } from '../../physical/operators/filter-exec.js';
import { GlobalLimitExec } from '../../physical/operators/global-limit-exec.js';
import { HashJoinExec } from '../../physical/operators/hash-join-exec.js';
import { LocalLimitExec } from '../../physical/operators/local-limit-exec.js';
import { NestedLoopJoinExec } from '../../physical/operators/nested-loop-join-exec.js';
import { partitioningText } from '../../physical/operators/operator-text.js';
import { ProjectionExec } from '../../physical/operators/projection-exec.js';
import { RepartitionExec } from '../../physical/operators/repartition-exec.js';
import { SortExec } from '../../physical/operators/sort-exec.js';
import { SortPreservingMergeExec } from '../../physical/operators/sort-preserving-merge-exec.js';
import { WindowAggExec } from '../../physical/operators/window-agg-exec.js';

/** The title of a node's box. */
export function boxTitle(plan: ExecutionPlan): string {
  return plan instanceof SortExec && plan.fetch !== null ? 'SortExec(TopK)' : plan.name;
}

/** What DataFusion says of a node in its box, one `key=value` (or a key alone) each; nothing for nodes whose name says it all. */
export function boxFacts(plan: ExecutionPlan): readonly string[] {
  if (plan instanceof ProjectionExec) return plan.exprs.map(projectionFact);
  if (plan instanceof FilterExec) {
    return [`predicate=${displaySqlExpr(plan.predicate)}`, ...(plan.fetch === null ? [] : [`fetch=${plan.fetch}`])];
  }
  if (plan instanceof AggregateExec) return aggregateFacts(plan);
  if (plan instanceof HashJoinExec) {
    const on = plan.on.map(([left, right]) => `(${displaySqlExpr(left)} = ${displaySqlExpr(right)})`).join(', ');
    return [
      ...joinTypeFact(plan.joinType),
      `on=${on}`,
      ...(plan.filter === null ? [] : [`filter=${displaySqlExpr(plan.filter.expr)}`]),
    ];
  }
  if (plan instanceof NestedLoopJoinExec) return joinTypeFact(plan.joinType);
  if (plan instanceof SortExec) return [...limitFact(plan.fetch), displaySortExprs(plan.exprs)];
  if (plan instanceof SortPreservingMergeExec) return [...limitFact(plan.fetch), displaySqlSortExprs(plan.exprs)];
  if (plan instanceof CoalescePartitionsExec || plan instanceof LocalLimitExec) return limitFact(plan.fetch);
  if (plan instanceof GlobalLimitExec) return [...limitFact(plan.fetch), `skip=${plan.skip}`];
  if (plan instanceof RepartitionExec) {
    const { count } = plan.input.properties.partitioning;
    return [
      `partitioning_scheme=${partitioningText(plan.partitioning)}`,
      `partition_count(in->out)=${count} -> ${plan.partitioning.count}`,
      ...(plan.preserveOrder && count > 1 ? ['preserve_order=true'] : []),
    ];
  }
  if (plan instanceof WindowAggExec) return [`select_list=${plan.windows.map(({ name }) => name).join(', ')}`];
  if (plan instanceof BoundedWindowAggExec) {
    return [`select_list=${plan.windows.map(({ name }) => name).join(', ')}`, 'mode=Sorted'];
  }
  return plan instanceof DataSourceExec ? sourceFacts(plan) : [];
}

function limitFact(fetch: number | null): string[] {
  return fetch === null ? [] : [`limit=${fetch}`];
}

function joinTypeFact(joinType: string): string[] {
  return joinType === 'Inner' ? [] : [`join_type=${joinType}`];
}

function projectionFact({ expr, name }: ProjectedExpr, index: number): string {
  const key = displayPhysicalExpr(expr) === name ? `expr${index}` : name;
  return `${key}=${displaySqlExpr(expr)}`;
}

function aggregateFacts({ mode, groupBy, aggregates, limit }: AggregateExec): string[] {
  const term = ({ expr, name }: ProjectedExpr): string => {
    const text = displaySqlExpr(expr);
    return text === name ? text : `${text} as ${name}`;
  };
  const { exprs, nullExprs, groups } = groupBy;
  const keys = hasGroupingSets(groupBy)
    ? groups.map(
        (group) => `(${exprs.map((key, i) => term((group[i] === true ? nullExprs[i] : undefined) ?? key)).join(', ')})`,
      )
    : exprs.map(term);
  const calls = aggregates.map(({ name, text, humanText }) =>
    text === name ? (humanText ?? name) : `${text} as ${name}`,
  );
  return [
    `mode=${mode}`,
    ...(keys.length === 0 ? [] : [`group_by=${keys.join(', ')}`]),
    ...(calls.length === 0 ? [] : [`aggr=${calls.join(', ')}`]),
    ...limitFact(limit?.count ?? null),
  ];
}

function sourceFacts({ source }: DataSourceExec): string[] {
  const scan = source.fileScan;
  if (scan === null) return ['format=memory'];
  const files = scan.fileGroups.reduce((sum, group) => sum + group.length, 0);
  return [
    `format=${scan.fileType}`,
    ...(scan.predicate === null ? [] : [`predicate=${displaySqlExpr(scan.predicate)}`]),
    `files=${files}`,
  ];
}
