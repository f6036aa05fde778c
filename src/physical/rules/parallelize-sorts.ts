import { physicalExprsEqual } from '../../expr/physical-expr-transform.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import type { Partitioning } from '../plan-properties.js';
import { PlanContext } from './plan-context.js';
import { addSortAboveWithCheck } from './plan-kinds.js';

/** `data`: a CoalescePartitionsExec stands below, reached through nodes that do not need one partition themselves. */
type Node = PlanContext<boolean>;

/** Turns `sort over coalesce` into `merge over sort per partition`. */
export function parallelizeSorts(plan: ExecutionPlan): ExecutionPlan {
  return PlanContext.of(plan, false).transformUp(parallelize).plan;
}

function parallelize(node: Node): Node {
  for (const child of node.children) child.data = leadsToCoalesce(child);
  const { plan } = node;
  if (node.children[0]?.data !== true) return node;
  const single = plan.properties.partitioning.count <= 1;
  if ((plan instanceof SortExec || plan instanceof SortPreservingMergeExec) && single) {
    const { exprs, fetch } = plan;
    const freed = removeBottleneck(node).children[0]!;
    const sorted = addSortAboveWithCheck(freed, exprs, fetch, false);
    return new PlanContext<boolean>(new SortPreservingMergeExec(exprs, sorted.plan, fetch), false, [sorted]);
  }
  if (plan instanceof CoalescePartitionsExec) {
    const freed = removeBottleneck(node).children[0]!;
    return new PlanContext<boolean>(new CoalescePartitionsExec(freed.plan, plan.fetch), false, [freed]);
  }
  return node;
}

function leadsToCoalesce({ plan, children }: Node): boolean {
  if (plan instanceof CoalescePartitionsExec) return true;
  const required = plan.requiredInputDistribution();
  return children.some((child, i) => child.data && required[i]!.kind !== 'single');
}

/** Takes the coalesce nodes at the ends of marked paths out, and repartitions that do nothing without them. */
function removeBottleneck(node: Node): Node {
  const [first] = node.children;
  let children: readonly Node[];
  if (first?.plan instanceof CoalescePartitionsExec) {
    let below = first.children[0]!;
    while (
      node.plan instanceof RepartitionExec &&
      below.plan instanceof RepartitionExec &&
      samePartitioning(below.plan.partitioning, node.plan.partitioning)
    ) {
      below = below.children[0]!;
    }
    children = [below, ...node.children.slice(1)];
  } else {
    children = node.children.map((child) => (child.data ? removeBottleneck(child) : child));
  }
  const freed = node.withChildren(children);
  if (freed.plan instanceof RepartitionExec) {
    const below = freed.plan.input.properties.partitioning;
    const { partitioning } = freed.plan;
    const idle = partitioning.kind === 'round_robin' && partitioning.count === below.count;
    if (idle || samePartitioning(below, partitioning)) return freed.children[0]!;
  }
  return freed;
}

function samePartitioning(a: Partitioning, b: Partitioning): boolean {
  if (a.kind !== b.kind || a.count !== b.count) return false;
  if (a.kind !== 'hash' || b.kind !== 'hash') return a.kind === 'round_robin';
  return a.exprs.length === b.exprs.length && a.exprs.every((expr, i) => physicalExprsEqual(expr, b.exprs[i]!));
}
