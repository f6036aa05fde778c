import { HashJoinExec } from '../../physical/operators/hash-join-exec.js';
import type { LintRule } from './finding.js';

/** A partitioned join of sides with different partition counts: equal keys would not meet. */
export const joinSidesDisagree: LintRule = {
  id: 'join-sides-disagree',
  severity: 'error',
  check({ node }) {
    if (!(node instanceof HashJoinExec) || node.mode !== 'Partitioned') return null;
    const left = node.left.properties.partitioning.count;
    const right = node.right.properties.partitioning.count;
    if (left === right) return null;
    return {
      message: `the join's sides have ${left} and ${right} partitions, so that equal keys do not meet`,
      advice: 'hash both sides by the join keys into the same number of partitions',
    };
  },
};
