import { NetworkBoundary } from '../../distributed/network-boundary.js';
import type { LintNode, LintRule, LintStage } from './finding.js';

/** Partitions of one task from which on a reader should wonder. */
const MANY = 8;

/** A stage that one task runs although its operators have many partitions: that worker does all the work. */
export const oneTaskManyPartitions: LintRule = {
  id: 'one-task-many-partitions',
  severity: 'warning',
  check(node, stage) {
    if (stage.tasks !== 1 || node !== widest(stage)) return null;
    const { count } = node.node.properties.partitioning;
    if (count < MANY) return null;
    return {
      message: `one task runs all ${count} partitions of the stage's work`,
      advice:
        'lower distributed.file_scan_config_bytes_per_partition or raise --workers to spread it; lower --partitions if it is small',
    };
  },
};

/** The node that works on most partitions; boundaries only read, and what they feed counts. */
function widest(stage: LintStage): LintNode | undefined {
  let best: LintNode | undefined;
  for (const node of stage.nodes) {
    if (
      node.node instanceof NetworkBoundary ||
      node.node.name === 'RepartitionExec' ||
      node.node.name === 'BroadcastExec'
    )
      continue;
    const more =
      best === undefined || node.node.properties.partitioning.count > best.node.properties.partitioning.count;
    if (more) best = node;
  }
  return best;
}
