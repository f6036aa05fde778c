import { NetworkBoundary } from '../../distributed/network-boundary.js';
import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { isCollectedJoin } from '../../distributed/passes/collected-joins.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { LintRule } from './finding.js';

/** A collected build side of which each task holds only a slice, while its probe rows may need all of it: matches would be lost. */
export const slicedBuildSide: LintRule = {
  id: 'sliced-build-side',
  severity: 'error',
  check({ node, tasks }) {
    if (tasks < 2 || !isCollectedJoin(node)) return null;
    const slicer = firstSlicer(node.left);
    if (slicer === null) return null;
    return {
      message: `each of ${tasks} tasks collects only its slice of the build side, which ${slicer.name} deals out`,
      advice: 'broadcast the build side (distributed.broadcast_joins), or run the stage in one task',
    };
  },
};

/** The node through which the tasks of the stage get different rows. */
function firstSlicer(plan: ExecutionPlan): ExecutionPlan | null {
  if (plan instanceof DistributedLeafExec) return plan.variants.length > 1 ? plan : null;
  if (plan instanceof NetworkBoundary) return plan.kind === 'broadcast' ? null : plan;
  for (const child of plan.children) {
    const found = firstSlicer(child);
    if (found !== null) return found;
  }
  return null;
}
