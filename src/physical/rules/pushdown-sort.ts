import { orderingSatisfied } from '../equivalence.js';
import type { PhysicalColumn, PhysicalExpr, PhysicalSortExpr } from '../../expr/physical-expr.js';
import { mapPhysicalColumns } from '../../expr/physical-expr-transform.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { DataSourceExec } from '../operators/data-source-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { transformDown, withChildren } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** Tells a Parquet scan below a sort by which keys its row groups are best visited; the sort stays. */
export const pushdownSort: PhysicalRule = {
  name: 'PushdownSort',
  optimize: (plan, config) =>
    config.get('optimizer.enable_sort_pushdown')
      ? transformDown(plan, (node) => (node instanceof SortExec ? markScan(node) : node))
      : plan,
};

function markScan(sort: SortExec): ExecutionPlan {
  // A scan that already has a part of the order is better left as it is.
  if (sort.commonSortPrefix.length > 0 || orderingSatisfied(sort.exprs, sort.input.properties)) return sort;
  const marked = markBelow(sort.input, sort.exprs);
  return marked === undefined ? sort : sort.withNewChildren([marked]);
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
  const overTable = keys.map((key) => ({ ...key, expr: substitute(key.expr, (c) => scan.projection[c.index]!.expr) }));
  if (overTable[0]!.expr.kind !== 'column') return undefined;
  return plan.withFileScan({ ...scan, sortOrderForReorder: overTable, reverseRowGroups: lead.descending });
}

function through(plan: ExecutionPlan, keys: readonly PhysicalSortExpr[]): ExecutionPlan | undefined {
  const marked = markBelow(plan.children[0]!, keys);
  return marked === undefined ? undefined : withChildren(plan, [marked]);
}

function substitute(expr: PhysicalExpr, source: (column: PhysicalColumn) => PhysicalExpr): PhysicalExpr {
  return mapPhysicalColumns(expr, source);
}
