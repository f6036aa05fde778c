import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { withChildren } from '../../physical/tree.js';
import { NetworkBoundary } from '../network-boundary.js';
import { NetworkShuffleExec } from '../operators/network-shuffle-exec.js';

/**
 * A repartition of sorted input keeps its order, and a shuffle over several such producers can keep it only by merging them row by
 * row. Where nobody above counts on the order the shuffle gives it up and takes batches as they come. (Upstream always takes them as
 * they come and still claims the order.)
 */
export function dropUnneededShuffleOrder(plan: ExecutionPlan): ExecutionPlan {
  return visit(plan, true);
}

/** `needed`: somebody above counts on the order of this node's partitions; at the root, the reader of the result. */
function visit(node: ExecutionPlan, needed: boolean): ExecutionPlan {
  if (node instanceof NetworkBoundary) {
    const settled = node instanceof NetworkShuffleExec && node.mergesByOrder && !needed ? node.withoutOrder() : node;
    const inside = settled.kind !== 'broadcast' && needed && settled.properties.orderings.length > 0;
    return withChildren(
      settled,
      settled.children.map((child) => visit(child, inside)),
    );
  }
  const required = node.requiredInputOrdering();
  const maintains = node.maintainsInputOrder();
  return withChildren(
    node,
    node.children.map((child, index) => {
      const wanted = (required[index] ?? null) !== null || (needed && maintains[index] === true);
      return visit(child, wanted);
    }),
  );
}
