import { orderingSatisfied, outputOrdering } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { GlobalLimitExec } from '../operators/global-limit-exec.js';
import { InterleaveExec } from '../operators/interleave-exec.js';
import { LocalLimitExec } from '../operators/local-limit-exec.js';
import { OutputRequirementExec } from '../operators/output-requirement-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../operators/union-exec.js';
import { fittingWindow, isWindow, type WindowOperator, windowOperator } from '../window-operator.js';
import { PlanContext } from './plan-context.js';
import { addSortAbove } from './plan-kinds.js';

/** `data`: a sort stands at the end of a path down that keeps its order. */
type Node = PlanContext<boolean>;

/** Adds the sorts that are missing and removes those that change nothing or whose order is lost again. */
export function ensureSorting(plan: ExecutionPlan): ExecutionPlan {
  return PlanContext.of(plan, false).transformUp(ensureNode).plan;
}

function ensureNode(original: Node): Node {
  const node = linkChildren(original);
  if (node.children.length === 0) return node;
  if (node.plan instanceof SortExec) {
    const removed = removeSatisfiedSort(node, node.plan);
    if (removed !== undefined) return removed;
  }
  const { plan } = node;
  const required = plan.requiredInputOrdering();
  const maintains = plan.maintainsInputOrder();
  const children = node.children.map((child, i) => {
    const order = required[i] ?? null;
    const has = outputOrdering(child.plan.properties) !== null;
    if (order !== null) {
      if (orderingSatisfied(order, child.plan.properties)) return child;
      const bare = has ? removeUnneededSort(i, child, plan) : child;
      const fetch = plan instanceof OutputRequirementExec ? plan.fetch : null;
      const sorted = linkChildren(addSortAbove(bare, order, fetch, true));
      sorted.data = true;
      return sorted;
    }
    // Whatever sort is below, its order does not get past this node.
    if (!has || maintains[i] !== true || isUnion(plan)) return removeUnneededSort(i, child, plan);
    return child;
  });
  const changed = node.withChildren(children);
  const [only] = changed.children;
  if (isWindow(changed.plan) && only?.data === true) return adjustWindow(changed.plan, only);
  if (changed.plan instanceof SortPreservingMergeExec && only!.plan.properties.partitioning.count <= 1) {
    const { fetch } = changed.plan;
    if (fetch === null) return only!;
    return new PlanContext<boolean>(new LocalLimitExec(only!.plan, fetch), false, [only!]);
  }
  const linked = linkChildren(changed);
  linked.data = false;
  return linked;
}

/** A window over a sort: without it, turned round if that helps; otherwise over a sort of its own. */
function adjustWindow(plan: WindowOperator, child: Node): Node {
  const bare = removeSortBelow(child, plan.requiredInputDistribution()[0]!.kind === 'single');
  const fitting = fittingWindow(plan, bare.plan);
  if (fitting !== undefined) return new PlanContext<boolean>(fitting, false, [bare]);
  const order = plan.requiredInputOrdering()[0] ?? null;
  const sorted = order === null ? bare : addSortAbove(bare, order, null, false);
  const spread = plan.windows[0].partitionBy.length > 0;
  return new PlanContext<boolean>(windowOperator(plan.windows, sorted.plan, spread), false, [sorted]);
}

function isUnion(plan: ExecutionPlan): boolean {
  return plan instanceof UnionExec || plan instanceof InterleaveExec;
}

/** Marks the children from which a path that keeps order leads to a sort. */
function linkChildren(node: Node): Node {
  for (const child of node.children) child.data = leadsToSort(child);
  return node;
}

function leadsToSort({ plan, children }: Node): boolean {
  if (plan instanceof SortExec) return true;
  if (plan instanceof GlobalLimitExec || plan instanceof LocalLimitExec) return false;
  const linked = children.some((child) => child.data);
  if (!linked) return false;
  if (plan instanceof SortPreservingMergeExec) return true;
  const required = plan.requiredInputOrdering();
  return plan.maintainsInputOrder().some((keeps, i) => keeps && (required[i] ?? null) === null);
}

/** A sort whose input is in order already: gone, or a merge where partitions are in order; undefined when it is needed. */
function removeSatisfiedSort(node: Node, sort: SortExec): Node | undefined {
  const { input, fetch } = sort;
  if (!orderingSatisfied(sort.exprs, input.properties)) return undefined;
  const unlinked = (children: readonly Node[]): readonly Node[] => {
    for (const child of children) child.data = false;
    return children;
  };
  const [child] = node.children;
  if (!sort.preservePartitioning && input.properties.partitioning.count > 1) {
    const merge = new SortPreservingMergeExec(sort.exprs, input, fetch);
    return new PlanContext<boolean>(merge, false, unlinked(node.children));
  }
  if (fetch === null) {
    unlinked(child!.children);
    child!.data = false;
    return child;
  }
  const single = sort.properties.partitioning.count === 1;
  const limit = single ? new GlobalLimitExec(input, 0, fetch) : new LocalLimitExec(input, fetch);
  return new PlanContext<boolean>(limit, false, unlinked(node.children));
}

/** Takes the sort at the end of the path out, if a path leads to one. */
function removeUnneededSort(index: number, child: Node, parent: ExecutionPlan): Node {
  const single = parent.requiredInputDistribution()[index]!.kind === 'single';
  const bare = child.data ? removeSortBelow(child, single) : child;
  bare.data = false;
  return bare;
}

function removeSortBelow(start: Node, requiresSingle: boolean): Node {
  let node = start;
  if (node.plan instanceof SortExec) {
    // A TopK also drops rows.
    if (node.plan.fetch === null) node = node.children[0]!;
  } else {
    const required = node.plan.requiredInputDistribution();
    node = node.withChildren(
      node.children.map((child, i) => (child.data ? removeSortBelow(child, required[i]!.kind === 'single') : child)),
    );
    node = linkChildren(node);
    node.data = false;
    if (node.plan instanceof SortPreservingMergeExec) node = node.children[0]!;
    else if (node.plan instanceof RepartitionExec && node.plan.preserveOrder) {
      const plain = new RepartitionExec(node.plan.partitioning, node.plan.input);
      node = new PlanContext<boolean>(plain, false, node.children);
    }
  }
  const { properties } = node.plan;
  if (!requiresSingle || properties.partitioning.count <= 1) return node;
  const order = outputOrdering(properties);
  const { fetch } = node.plan;
  const gathered =
    order === null
      ? new CoalescePartitionsExec(node.plan, fetch)
      : new SortPreservingMergeExec(order, node.plan, fetch);
  return linkChildren(new PlanContext<boolean>(gathered, false, [node]));
}
