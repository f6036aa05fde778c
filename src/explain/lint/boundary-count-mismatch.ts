import { coalesceGroupSize } from '../../distributed/addressing.js';
import { NetworkBroadcastExec } from '../../distributed/operators/network-broadcast-exec.js';
import { NetworkCoalesceExec } from '../../distributed/operators/network-coalesce-exec.js';
import { stagePartitionCount } from '../../distributed/stage.js';
import type { LintRule } from './finding.js';

/** A broadcast or coalesce whose readers expect another number of partitions than its producer makes. */
export const boundaryCountMismatch: LintRule = {
  id: 'boundary-count-mismatch',
  severity: 'error',
  check({ node, tasks }) {
    const read = node.properties.partitioning.count;
    if (node instanceof NetworkBroadcastExec) {
      const made = stagePartitionCount(node.inputStage);
      if (made === read * tasks) return null;
      return {
        message: `stage ${node.inputStage.id} makes ${made} copies of partitions, and ${tasks} tasks read ${read} each`,
        advice: `let the BroadcastExec on top of stage ${node.inputStage.id} serve ${tasks} consumer tasks`,
      };
    }
    if (node instanceof NetworkCoalesceExec) {
      const made = stagePartitionCount(node.inputStage) * coalesceGroupSize(node.inputStage.tasks, tasks);
      if (made === read) return null;
      return {
        message: `the tasks of stage ${node.inputStage.id} that one reader lines up have ${made} partitions, not ${read}`,
        advice: `let the boundary have ${made} partitions`,
      };
    }
    return null;
  },
};
