import type { FileGroup, FileScanConfig } from '../../catalog/file-scan.js';
import { compareInOrder } from '../../columnar/rows/row-bound.js';
import { orderingSatisfied } from '../equivalence.js';
import type { PhysicalColumn, PhysicalExpr, PhysicalSortExpr } from '../../expr/physical-expr.js';
import { mapPhysicalColumns } from '../../expr/physical-expr-transform.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { DataSourceExec } from '../operators/data-source-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { withChildren } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/**
 * Tells a Parquet scan below a sort by which keys its row groups are best visited, and puts the files of each group in that order as far
 * as their bounds tell; the sort stays.
 */
export const pushdownSort: PhysicalRule = {
  name: 'PushdownSort',
  optimize: (plan, config) => (config.get('optimizer.enable_sort_pushdown') ? pushDown(plan, false) : plan),
};

function pushDown(plan: ExecutionPlan, underMerge: boolean): ExecutionPlan {
  const changed = plan instanceof SortExec ? markScan(plan, underMerge) : plan;
  if (changed !== plan && !(changed instanceof SortExec)) return changed;
  const merges = changed instanceof SortPreservingMergeExec;
  return withChildren(
    changed,
    changed.children.map((child) => pushDown(child, merges)),
  );
}

function markScan(sort: SortExec, underMerge: boolean): ExecutionPlan {
  // A scan that already has a part of the order is better left as it is.
  if (sort.commonSortPrefix.length > 0 || orderingSatisfied(sort.exprs, sort.input.properties)) return sort;
  const marked = markBelow(sort.input, sort.exprs);
  if (marked === undefined) return sort;
  const over = sort.withNewChildren([marked]);
  // As DataFusion does: the partitions of a TopK are merged right above it, if only to be merged once more further up.
  const several = sort.preservePartitioning && sort.properties.partitioning.count > 1;
  return sort.fetch !== null && several && !underMerge
    ? new SortPreservingMergeExec(sort.exprs, over, sort.fetch)
    : over;
}

function markBelow(plan: ExecutionPlan, keys: readonly PhysicalSortExpr[]): ExecutionPlan | undefined {
  if (plan instanceof ProjectionExec) {
    if (!plan.exprs.every(({ expr }) => expr.kind === 'column')) return undefined;
    const below = keys.map((key) => ({ ...key, expr: substitute(key.expr, (c) => plan.exprs[c.index]!.expr) }));
    return through(plan, below);
  }
  if (plan instanceof CoalescePartitionsExec && plan.fetch === null) return through(plan, keys);
  if (plan instanceof RepartitionExec && (plan.preserveOrder || plan.input.properties.partitioning.count === 1)) {
    return through(plan, keys);
  }
  if (!(plan instanceof DataSourceExec)) return undefined;
  const scan = plan.source.fileScan;
  if (scan?.fileType !== 'parquet') return undefined;
  const [lead] = keys;
  if (lead?.expr.kind !== 'column') return undefined;
  if (scan.projection[lead.expr.index]?.expr.kind !== 'column') return undefined;
  const fileGroups = filesInOrder(scan, keys);
  return plan.withFileScan({ ...scan, fileGroups, sortOrderForReorder: keys, reverseRowGroups: lead.descending });
}

/** The groups, each with its files by the first value they have of each key. A file without one counts as one of NULLs. */
function filesInOrder(scan: FileScanConfig, keys: readonly PhysicalSortExpr[]): readonly FileGroup[] {
  const { fileBounds, fileGroups, projection } = scan;
  const sources = keys.map(({ expr }) => (expr.kind === 'column' ? projection[expr.index]?.expr : undefined));
  const columns = sources.map((source) => (source?.kind === 'column' ? source.index : -1));
  if (fileBounds === undefined || columns.includes(-1)) return fileGroups;
  return fileGroups.map((group) => {
    if (group.length < 2) return group;
    const files = group.map((file) => ({
      file,
      firsts: keys.map(({ descending }, k) => fileBounds.first(file.path, columns[k]!, descending)),
    }));
    files.sort((a, b) => {
      for (const [k, key] of keys.entries()) {
        const order = compareInOrder(key, a.firsts[k]!, b.firsts[k]!);
        if (order !== 0) return order;
      }
      return 0;
    });
    return files.map(({ file }) => file);
  });
}

function through(plan: ExecutionPlan, keys: readonly PhysicalSortExpr[]): ExecutionPlan | undefined {
  const marked = markBelow(plan.children[0]!, keys);
  return marked === undefined ? undefined : withChildren(plan, [marked]);
}

function substitute(expr: PhysicalExpr, source: (column: PhysicalColumn) => PhysicalExpr): PhysicalExpr {
  return mapPhysicalColumns(expr, source);
}
