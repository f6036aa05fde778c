import {
  collectPhysicalColumns,
  physicalChildren,
  mapPhysicalColumns,
  remapByIndex,
  remapColumns,
} from '../../expr/physical-expr-transform.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { ProjectedExpr } from '../equivalence.js';
import type { Distribution, ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { CrossJoinExec } from '../operators/cross-join-exec.js';
import { DataSourceExec } from '../operators/data-source-exec.js';
import { FilterExec } from '../operators/filter-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { NestedLoopJoinExec } from '../operators/nested-loop-join-exec.js';
import { OutputRequirementExec } from '../operators/output-requirement-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../operators/union-exec.js';
import { transformDown, transformUp } from '../tree.js';
import { pushJoinFilterParts } from './join-filter-projection.js';
import type { PhysicalRule } from './physical-rule.js';
import { pushThroughJoin } from './projection-through-join.js';

/** Merges projections into what lies below, or moves them down where they narrow: rows get small early. Runs twice. */
export const projectionPushdown: PhysicalRule = {
  name: 'ProjectionPushdown',
  optimize: (plan) => {
    let next = 1;
    const computed = transformUp(plan, (node) =>
      node instanceof NestedLoopJoinExec ? pushJoinFilterParts(node, () => `join_proj_push_down_${next++}`) : node,
    );
    return transformDown(computed, (node) => removeProjection(node) ?? node);
  },
};

/** The plan without, or with a moved, topmost projection; undefined when it stays. */
function removeProjection(plan: ExecutionPlan): ExecutionPlan | undefined {
  if (!(plan instanceof ProjectionExec)) return undefined;
  return isIdentity(plan) ? plan.input : swap(plan, plan.input);
}

function isIdentity({ exprs, input }: ProjectionExec): boolean {
  return (
    exprs.length === input.schema.length &&
    exprs.every(({ expr, name }, i) => expr.kind === 'column' && expr.index === i && expr.name === name)
  );
}

function swap(projection: ProjectionExec, input: ExecutionPlan): ExecutionPlan | undefined {
  if (input instanceof ProjectionExec) {
    const merged = mergeProjections(projection.exprs, input.exprs);
    if (merged === undefined) return undefined;
    const unified = new ProjectionExec(merged, input.input);
    return removeProjection(unified) ?? unified;
  }
  if (input instanceof DataSourceExec) return intoScan(projection, input);
  if (input instanceof FilterExec) return throughFilter(projection, input) ?? embed(projection, input);
  if (input instanceof HashJoinExec) {
    if (input.projection !== null) return undefined;
    return pushThroughJoin(projection, input) ?? embed(projection, input);
  }
  if (input instanceof NestedLoopJoinExec) {
    if (input.projection !== null) return undefined;
    return pushThroughJoin(projection, input) ?? embed(projection, input);
  }
  if (input instanceof CrossJoinExec) return pushThroughJoin(projection, input);
  if (projection.exprs.length >= input.schema.length) return undefined;
  if (input instanceof UnionExec) {
    return new UnionExec(input.children.map((child) => new ProjectionExec(projection.exprs, child)));
  }
  if (input instanceof CoalescePartitionsExec) {
    return new CoalescePartitionsExec(new ProjectionExec(projection.exprs, input.input), input.fetch);
  }
  if (input instanceof RepartitionExec) return throughRepartition(projection, input);
  if (input instanceof SortExec) {
    const keys = restateKeys(input.exprs, projection.exprs);
    if (keys === undefined) return undefined;
    const { fetch, preservePartitioning, dynamicFilter } = input;
    const narrowed = new ProjectionExec(projection.exprs, input.input);
    return new SortExec(keys, narrowed, { fetch, preservePartitioning, dynamicFilter });
  }
  if (input instanceof SortPreservingMergeExec) {
    const keys = restateKeys(input.exprs, projection.exprs);
    if (keys === undefined) return undefined;
    return new SortPreservingMergeExec(keys, new ProjectionExec(projection.exprs, input.input), input.fetch);
  }
  if (input instanceof OutputRequirementExec) return throughRequirement(projection, input);
  return undefined;
}

/** A column is free to repeat; anything else is computed once for all its uses. */
function isPlain(expr: PhysicalExpr): boolean {
  return expr.kind === 'column';
}

/** The outer projection straight over the inner one's input, unless an inner computation would be repeated. */
function mergeProjections(
  outer: readonly ProjectedExpr[],
  inner: readonly ProjectedExpr[],
): ProjectedExpr[] | undefined {
  const uses = inner.map(() => 0);
  const count = (expr: PhysicalExpr): void => {
    if (expr.kind === 'column') uses[expr.index]!++;
    for (const child of physicalChildren(expr)) count(child);
  };
  for (const { expr } of outer) count(expr);
  if (inner.some(({ expr }, i) => uses[i]! > 1 && !isPlain(expr))) return undefined;
  return outer.map(({ expr, name }) => ({ expr: mapPhysicalColumns(expr, (c) => inner[c.index]!.expr), name }));
}

function intoScan(projection: ProjectionExec, scan: DataSourceExec): ExecutionPlan | undefined {
  const config = scan.source.fileScan;
  if (config === null) return intoMemory(projection, scan);
  const merged = mergeProjections(projection.exprs, config.projection);
  if (merged === undefined) return undefined;
  const orderings = config.outputOrderings.flatMap((keys) => {
    const restated: PhysicalSortExpr[] = [];
    for (const key of keys) {
      const expr = restate(key.expr, projection.exprs);
      if (expr === undefined) break;
      restated.push({ ...key, expr });
    }
    return restated.length === 0 ? [] : [restated];
  });
  const { hashKeys, ...rest } = config;
  const keys = hashKeys === undefined ? undefined : restateAll(hashKeys, projection.exprs);
  // A layout by keys that are not read any more is of no use to anybody.
  const layout = keys === undefined ? {} : { hashKeys: keys };
  return scan.withFileScan({ ...rest, ...layout, projection: merged, outputOrderings: orderings });
}

/** Memory sources give plain columns under their own names only. */
function intoMemory({ exprs }: ProjectionExec, scan: DataSourceExec): ExecutionPlan | undefined {
  const columns = exprs.flatMap(({ expr, name }) => (expr.kind === 'column' && expr.name === name ? [expr.index] : []));
  return columns.length === exprs.length ? new DataSourceExec(scan.source.withProjection(columns)) : undefined;
}

/** The expression over the projection's output; undefined when it needs a column that is not put out as it is. */
function restate(expr: PhysicalExpr, exprs: readonly ProjectedExpr[]): PhysicalExpr | undefined {
  return remapColumns(expr, (column) => {
    const index = exprs.findIndex(({ expr: e }) => e.kind === 'column' && e.index === column.index);
    return index < 0 ? undefined : { ...column, index, name: exprs[index]!.name };
  });
}

function restateAll(exprs: readonly PhysicalExpr[], projected: readonly ProjectedExpr[]): PhysicalExpr[] | undefined {
  const restated = exprs.map((expr) => restate(expr, projected));
  const found = restated.filter((expr) => expr !== undefined);
  return found.length === exprs.length ? found : undefined;
}

function restateKeys(
  keys: readonly PhysicalSortExpr[],
  exprs: readonly ProjectedExpr[],
): PhysicalSortExpr[] | undefined {
  const restated: PhysicalSortExpr[] = [];
  for (const key of keys) {
    const expr = restate(key.expr, exprs);
    if (expr === undefined) return undefined;
    restated.push({ ...key, expr });
  }
  return restated;
}

/** Below a filter goes what narrows and leaves the predicate its columns. */
function throughFilter(projection: ProjectionExec, filter: FilterExec): ExecutionPlan | undefined {
  if (filter.projection !== null || projection.exprs.length >= filter.schema.length) return undefined;
  const predicate = restate(filter.predicate, projection.exprs);
  if (predicate === undefined) return undefined;
  const { fetch, defaultSelectivity } = filter;
  return new FilterExec(predicate, new ProjectionExec(projection.exprs, filter.input), { fetch, defaultSelectivity });
}

/** Leaves columns that nobody needs out of the node's output, in order of first use; what is not plain stays in a projection above. */
function embed(
  projection: ProjectionExec,
  node: FilterExec | HashJoinExec | NestedLoopJoinExec,
): ExecutionPlan | undefined {
  const used = collectPhysicalColumns(projection.exprs.map(({ expr }) => expr)).map(({ index }) => index);
  const unchanged = used.length === node.schema.length && used.every((index, i) => index === i);
  if (unchanged) return undefined;
  const indices = node instanceof FilterExec && node.projection !== null ? used.map((i) => node.projection![i]!) : used;
  const narrowed = node instanceof HashJoinExec ? node.with({ projection: indices }) : node.withProjection(indices);
  const exprs = projection.exprs.map(({ expr, name }) => ({
    expr: remapByIndex(expr, (index) => used.indexOf(index)) ?? expr,
    name,
  }));
  const above = new ProjectionExec(exprs, narrowed);
  if (isIdentity(above)) return narrowed;
  return used.length < node.schema.length ? above : undefined;
}

function throughRepartition(projection: ProjectionExec, repartition: RepartitionExec): ExecutionPlan | undefined {
  if (!projection.exprs.every(({ expr }) => expr.kind === 'column')) return undefined;
  let { partitioning } = repartition;
  if (partitioning.kind === 'hash') {
    const exprs = restateAll(partitioning.exprs, projection.exprs);
    if (exprs === undefined) return undefined;
    partitioning = { ...partitioning, exprs };
  }
  return new RepartitionExec(partitioning, new ProjectionExec(projection.exprs, repartition.input), {
    preserveOrder: repartition.preserveOrder,
  });
}

function throughRequirement(projection: ProjectionExec, node: OutputRequirementExec): ExecutionPlan | undefined {
  const order = node.order === null ? null : restateKeys(node.order, projection.exprs);
  if (order === undefined) return undefined;
  let distribution: Distribution = node.distribution;
  if (distribution.kind === 'hash') {
    const exprs = restateAll(distribution.exprs, projection.exprs);
    if (exprs === undefined) return undefined;
    distribution = { kind: 'hash', exprs };
  }
  return new OutputRequirementExec(new ProjectionExec(projection.exprs, node.input), order, distribution, node.fetch);
}
