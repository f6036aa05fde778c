import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import type { LintRule } from './finding.js';
import { type CoverageGap, coverageGaps } from './leaf-coverage.js';

/** Bytes that the plan for one node reads and no task does: rows would be lost. */
export const byteRangesMissing: LintRule = {
  id: 'byte-ranges-missing',
  severity: 'error',
  check({ node }) {
    if (!(node instanceof DistributedLeafExec)) return null;
    const gaps = coverageGaps(node).filter(({ tasks, expected }) => tasks.length < expected);
    const [first] = gaps;
    if (first === undefined) return null;
    return {
      message: `no task reads ${gapText(first)}${moreText(gaps)}; their rows would be lost`,
      advice: 'let the variants of the leaf cover every byte of its files once',
    };
  },
};

export function gapText({ path, start, end }: CoverageGap): string {
  return `bytes ${start}..${end} of ${path}`;
}

export function moreText(gaps: readonly CoverageGap[]): string {
  return gaps.length === 1 ? '' : ` (and ${gaps.length - 1} more ${gaps.length === 2 ? 'range' : 'ranges'})`;
}
