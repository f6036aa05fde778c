import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { sharesOf } from '../leaf-files.js';
import type { LintRule } from './finding.js';

/** Tasks to which a leaf gives nothing to read. */
export const idleVariants: LintRule = {
  id: 'idle-variants',
  severity: 'warning',
  check({ node }) {
    if (!(node instanceof DistributedLeafExec)) return null;
    const shares = sharesOf(node.variants) ?? [];
    const idle = shares.flatMap(({ bytes }, task) => (bytes === 0 ? [`t${task}`] : []));
    if (idle.length === 0 || idle.length === shares.length) return null;
    const names = idle.length > 6 ? `${idle.slice(0, 6).join(', ')}, …` : idle.join(', ');
    return {
      message: `${idle.length} of ${shares.length} tasks read nothing here: ${names}`,
      advice: 'write the table as more files, or let fewer tasks run the stage (--workers)',
    };
  },
};
