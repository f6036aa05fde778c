import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { sharesOf } from '../leaf-files.js';
import { formatBytes } from '../metric-text.js';
import type { LintRule } from './finding.js';

/** Bytes of the busiest task over those of the least busy one from which on the stage waits for one task. */
const SKEW = 2;

/** Variants of one leaf that read very different amounts. Tasks that read nothing are another rule's. */
export const skewedVariants: LintRule = {
  id: 'skewed-variants',
  severity: 'warning',
  check({ node }) {
    if (!(node instanceof DistributedLeafExec)) return null;
    const bytes = (sharesOf(node.variants) ?? []).map((share) => share.bytes);
    const most = Math.max(...bytes);
    const least = Math.min(...bytes.filter((count) => count > 0));
    if (!Number.isFinite(least) || most <= SKEW * least) return null;
    const busy = bytes.indexOf(most);
    const idle = bytes.indexOf(least);
    return {
      message: `t${busy} reads ${formatBytes(most)} and t${idle} ${formatBytes(least)}: ${(most / least).toFixed(1)} times as much`,
      advice:
        'write the table as more files, or as files of like size with several row groups, so that it can be dealt out evenly',
    };
  },
};
