import { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { gapText, moreText } from './byte-ranges-missing.js';
import type { LintRule } from './finding.js';
import { coverageGaps } from './leaf-coverage.js';

/** Bytes that several tasks read although the plan for one node reads them once, or not at all: rows would be doubled. */
export const byteRangesOverlap: LintRule = {
  id: 'byte-ranges-overlap',
  severity: 'error',
  check({ node }) {
    if (!(node instanceof DistributedLeafExec)) return null;
    const gaps = coverageGaps(node).filter(({ tasks, expected }) => tasks.length > expected);
    const [first] = gaps;
    if (first === undefined) return null;
    const readers = [...new Set(first.tasks)].map((task) => `t${task}`).join(', ');
    const times = `${first.tasks.length} times instead of ${first.expected}`;
    return {
      message: `${readers} read ${gapText(first)} ${times}${moreText(gaps)}; their rows would be counted more than once`,
      advice: 'let each byte range belong to one task',
    };
  },
};
