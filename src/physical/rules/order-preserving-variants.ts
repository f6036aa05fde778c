import type { SessionConfig } from '../../config/session-config.js';
import { orderingSatisfied, outputOrdering } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { PlanContext } from './plan-context.js';

/** `data`: an order gets lost below that a merging variant of some node would keep. */
type Node = PlanContext<boolean>;

/** Drops a sort whose order would be there if a coalesce (or, when preferred, a repartition) below it merged instead. */
export function useOrderPreservingVariants(plan: ExecutionPlan, config: SessionConfig): ExecutionPlan {
  const repartitions = config.get('optimizer.prefer_existing_sort');
  return PlanContext.of(plan, false).transformUp((node) => replace(node, repartitions)).plan;
}

function replace(node: Node, repartitions: boolean): Node {
  for (const child of node.children) markLosses(child);
  const [child] = node.children;
  if (!(node.plan instanceof SortExec) || child?.data !== true) return node;
  const kept = preserving(child, repartitions, node.plan.fetch);
  const order = outputOrdering(node.plan.properties);
  if (order !== null && orderingSatisfied(order, kept.plan.properties)) {
    for (const below of kept.children) below.data = false;
    return kept;
  }
  const broken = breaking(kept);
  broken.data = false;
  return node.withChildren([broken]);
}

function markLosses(node: Node): void {
  const { plan, children } = node;
  const maintains = plan.maintainsInputOrder();
  const isCandidate = plan instanceof CoalescePartitionsExec || plan instanceof RepartitionExec;
  for (const [i, child] of children.entries()) child.data &&= isCandidate || maintains[i] === true;
  const [first] = children;
  if (first === undefined) node.data = false;
  else if (
    !first.data &&
    ((plan instanceof RepartitionExec && maintains[0] !== true) ||
      (plan instanceof CoalescePartitionsExec && outputOrdering(first.plan.properties) !== null))
  ) {
    node.data = true;
  } else node.data = children.some((child) => child.data);
}

function preserving(start: Node, repartitions: boolean, fetch: number | null): Node {
  const node = start.withChildren(
    start.children.map((child) => (child.data ? preserving(child, repartitions, fetch) : child)),
  );
  node.data = false;
  const { plan, children } = node;
  if (plan instanceof RepartitionExec && plan.maintainsInputOrder()[0] !== true && repartitions) {
    children[0]!.data = true;
    const merging = new RepartitionExec(plan.partitioning, plan.input, { preserveOrder: true });
    return new PlanContext<boolean>(merging, false, children);
  }
  if (plan instanceof CoalescePartitionsExec) {
    const order = outputOrdering(plan.input.properties);
    if (order !== null) {
      children[0]!.data = true;
      const limit = plan.fetch === null ? fetch : Math.min(plan.fetch, fetch ?? plan.fetch);
      return new PlanContext<boolean>(new SortPreservingMergeExec(order, plan.input, limit), false, children);
    }
  }
  return node;
}

/** The way back: merging does not pay without the sort going away. */
function breaking(start: Node): Node {
  const node = start.withChildren(start.children.map((child) => (child.data ? breaking(child) : child)));
  const { plan, children } = node;
  if (plan instanceof RepartitionExec && plan.preserveOrder) {
    return new PlanContext<boolean>(new RepartitionExec(plan.partitioning, plan.input), false, children);
  }
  if (plan instanceof SortPreservingMergeExec) {
    return new PlanContext<boolean>(new CoalescePartitionsExec(plan.input, plan.fetch), false, children);
  }
  return node;
}
