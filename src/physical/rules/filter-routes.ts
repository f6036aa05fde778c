import { mapPhysicalColumns, remapByName, collectPhysicalColumns } from '../../expr/physical-expr-transform.js';
import { INERT_FILTER, type PhysicalExpr } from '../../expr/physical-expr.js';
import type { Schema } from '../../columnar/schema.js';
import { hasGroupingSets } from '../aggregate-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { FilterExec } from '../operators/filter-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { OutputRequirementExec } from '../operators/output-requirement-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { UnionExec } from '../operators/union-exec.js';

/** A filter restated over a child's output, or null where it must not go there. */
export type Route = PhysicalExpr | null;

/** Where a filter over the node's output may go: one entry per child. */
export function routesOf(plan: ExecutionPlan, filter: PhysicalExpr): readonly Route[] {
  if (
    plan instanceof FilterExec ||
    plan instanceof RepartitionExec ||
    plan instanceof UnionExec ||
    (plan instanceof CoalescePartitionsExec && plan.fetch === null) ||
    (plan instanceof SortExec && plan.fetch === null) ||
    (plan instanceof OutputRequirementExec && plan.fetch === null)
  ) {
    const projection = plan instanceof FilterExec ? plan.projection : null;
    return plan.children.map((child) => byName(filter, child.schema, (index) => projection?.[index] ?? index));
  }
  if (plan instanceof ProjectionExec) return [throughProjection(plan, filter)];
  if (plan instanceof AggregateExec) return [throughAggregate(plan, filter)];
  if (plan instanceof HashJoinExec) return throughHashJoin(plan, filter);
  return plan.children.map(() => null);
}

/**
 * DataFusion looks columns up by name and takes the first field of that name, which need not be the column meant: `source` gives its
 * true place. A filter that would land on another column stays behind, a dynamic one goes along without effect, to be shown.
 */
function byName(filter: PhysicalExpr, schema: Schema, source: (index: number) => number | undefined): Route {
  const named = remapByName(filter, schema);
  if (named === undefined) return null;
  const isTrue = collectPhysicalColumns([filter]).every(({ index, name }) => schema.indexOf(name) === source(index));
  if (isTrue) return named;
  return named.kind === 'dynamic_filter' ? { ...named, id: INERT_FILTER } : null;
}

function throughProjection({ exprs }: ProjectionExec, filter: PhysicalExpr): Route {
  return mapPhysicalColumns(filter, (column) => exprs[column.index]!.expr);
}

/** Filters on group keys may drop whole groups early; without keys, or where a set leaves the key out, a group must still appear. */
function throughAggregate(plan: AggregateExec, filter: PhysicalExpr): Route {
  const { exprs, groups } = plan.groupBy;
  if (exprs.length === 0) return null;
  const columns = collectPhysicalColumns([filter]);
  if (columns.length === 0 && hasGroupingSets(plan.groupBy)) return null;
  for (const { index } of columns) {
    if (index >= exprs.length || groups.some((group) => group[index])) return null;
  }
  if (hasGroupingSets(plan.groupBy) && groups.some((group) => group.every((out) => out))) return null;
  return byName(filter, plan.input.schema, (index) => {
    const key = exprs[index]!.expr;
    return key.kind === 'column' ? key.index : undefined;
  });
}

function throughHashJoin(join: HashJoinExec, filter: PhysicalExpr): readonly Route[] {
  const positionOf = (index: number): number => join.projection?.[index] ?? index;
  const positions = collectPhysicalColumns([filter]).map(({ index }) => positionOf(index));
  const leftLength = join.left.schema.length;
  const toLeft = (): Route => byName(filter, join.left.schema, positionOf);
  const toRight = (): Route => byName(filter, join.right.schema, (index) => positionOf(index) - leftLength);
  const toOnlyRight = (): Route => byName(filter, join.right.schema, positionOf);
  const nowhere = [null, null] as const;
  switch (join.joinType) {
    case 'Full':
      return nowhere;
    case 'Inner':
    case 'Left':
    case 'Right': {
      const allLeft = positions.every((position) => position < leftLength);
      const allRight = positions.every((position) => position >= leftLength);
      return [
        allLeft && join.joinType !== 'Right' ? toLeft() : null,
        allRight && join.joinType !== 'Left' ? toRight() : null,
      ];
    }
    case 'LeftSemi':
      return [toLeft(), throughKeys(join, filter, 0)];
    case 'RightSemi':
      return [throughKeys(join, filter, 1), toOnlyRight()];
    case 'LeftAnti':
      return [toLeft(), null];
    case 'RightAnti':
      return [null, toOnlyRight()];
    case 'LeftMark':
      return positions.every((position) => position < leftLength) ? [toLeft(), null] : nowhere;
    case 'RightMark':
      return positions.every((position) => position < join.right.schema.length) ? [null, toOnlyRight()] : nowhere;
  }
}

/** A filter over a semi join's keys holds on the other side too, provided the keys have the same names there. */
function throughKeys(join: HashJoinExec, filter: PhysicalExpr, keptSide: 0 | 1): Route {
  const columns = collectPhysicalColumns([filter]);
  const keys = join.on.map((pair) => pair[keptSide]);
  const pairOf = (index: number): number => {
    const position = join.projection?.[index] ?? index;
    return keys.findIndex((key) => key.kind === 'column' && key.index === position);
  };
  if (!columns.every(({ index }) => pairOf(index) >= 0)) return null;
  return byName(filter, (keptSide === 0 ? join.right : join.left).schema, (index) => {
    const other = join.on[pairOf(index)]![1 - keptSide];
    return other?.kind === 'column' ? other.index : undefined;
  });
}
