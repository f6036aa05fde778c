import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { CoalescePartitionsExec } from '../../physical/operators/coalesce-partitions-exec.js';
import { GlobalLimitExec } from '../../physical/operators/global-limit-exec.js';
import { LocalLimitExec } from '../../physical/operators/local-limit-exec.js';
import { SortPreservingMergeExec } from '../../physical/operators/sort-preserving-merge-exec.js';
import { NetworkCoalesceExec } from '../operators/network-coalesce-exec.js';
import { withChildren } from '../../physical/tree.js';

/**
 * Tells the producers of a coalesce boundary how many rows the node above will take, so that no partition sends more. The node above
 * keeps its limit: this one holds per partition.
 *
 * Only nodes that pass rows through count as "above". (Upstream also takes the fetch of a filter or sort, which needs more rows than
 * it gives.)
 *
 * Source: distributed planner reference, 4.11, without its look through a projection, which came after release 4.0: a projection over a
 * sort that has the fetch gets a LocalLimitExec of its own.
 */
export function pushFetchIntoNetworkCoalesce(plan: ExecutionPlan): ExecutionPlan {
  const rows = rowsTaken(plan);
  const children = plan.children.map((child) => {
    const limited = rows !== null && child instanceof NetworkCoalesceExec ? limitProducer(child, rows) : child;
    return pushFetchIntoNetworkCoalesce(limited);
  });
  return withChildren(plan, children);
}

/** How many rows of each input partition the node can need, or null. */
function rowsTaken(node: ExecutionPlan): number | null {
  if (node instanceof GlobalLimitExec) return node.fetch === null ? null : node.skip + node.fetch;
  if (
    node instanceof CoalescePartitionsExec ||
    node instanceof SortPreservingMergeExec ||
    node instanceof LocalLimitExec
  ) {
    return node.fetch;
  }
  return null;
}

function limitProducer(boundary: NetworkCoalesceExec, rows: number): ExecutionPlan {
  if (boundary.inputStage.state === 'remote') return boundary;
  return boundary.withNewChildren([limited(boundary.inputStage.plan, rows)]);
}

function limited(node: ExecutionPlan, rows: number): ExecutionPlan {
  if (node.fetch !== null && node.fetch <= rows) return node;
  return node.withFetch(rows) ?? new LocalLimitExec(node, rows);
}
