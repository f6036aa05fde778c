import { NetworkShuffleExec } from '../../distributed/operators/network-shuffle-exec.js';
import { stagePartitionCount } from '../../distributed/stage.js';
import type { LintRule } from './finding.js';

/** A shuffle whose readers expect another number of buckets than its producer makes: buckets would be lost or never come. */
export const hashCountMismatch: LintRule = {
  id: 'hash-count-mismatch',
  severity: 'error',
  check({ node, tasks }) {
    if (!(node instanceof NetworkShuffleExec)) return null;
    const perTask = node.properties.partitioning.count;
    const made = stagePartitionCount(node.inputStage);
    const read = perTask * tasks;
    if (made === read) return null;
    return {
      message: `stage ${node.inputStage.id} hashes into ${made} buckets, and ${tasks} tasks of ${perTask} partitions read ${read}`,
      advice: `let the RepartitionExec on top of stage ${node.inputStage.id} make ${read} partitions`,
    };
  },
};
