import { NetworkBoundary } from '../../distributed/network-boundary.js';
import { NetworkBroadcastExec } from '../../distributed/operators/network-broadcast-exec.js';
import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { isCollectedJoin } from '../../distributed/passes/collected-joins.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { fileGroupsOf, shareOf } from '../leaf-files.js';
import { formatBytes } from '../metric-text.js';
import type { LintRule } from './finding.js';

/**
 * Copies of a build side that together are larger than the probe side: hashing both sides may send less. A note, as file sizes say
 * little of what filters and projections leave.
 */
export const largeBroadcast: LintRule = {
  id: 'large-broadcast',
  severity: 'note',
  check({ node, tasks }) {
    if (tasks < 2 || !isCollectedJoin(node) || !readsBroadcast(node.left)) return null;
    const build = bytesBelow(node.left);
    const probe = bytesBelow(node.right);
    if (build * tasks <= build + probe) return null;
    return {
      message: `${tasks} tasks each receive what comes of ${formatBytes(build)} of files, to probe it with ${formatBytes(probe)} in all`,
      advice: 'write the smaller input first, filter it further, or set distributed.broadcast_joins=false',
    };
  },
};

function readsBroadcast(plan: ExecutionPlan): boolean {
  return (
    plan instanceof NetworkBroadcastExec || (!(plan instanceof NetworkBoundary) && plan.children.some(readsBroadcast))
  );
}

/** Bytes of the files that a plan reads, over all stages below. */
function bytesBelow(plan: ExecutionPlan): number {
  const leaf = plan instanceof DistributedLeafExec ? plan.original : plan;
  const groups = fileGroupsOf(leaf);
  if (groups !== null) return shareOf(groups).bytes;
  return plan.children.reduce((sum, child) => sum + bytesBelow(child), 0);
}
