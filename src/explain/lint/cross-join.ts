import { known } from '../../catalog/statistics.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { CrossJoinExec } from '../../physical/operators/cross-join-exec.js';
import { NestedLoopJoinExec } from '../../physical/operators/nested-loop-join-exec.js';
import type { LintRule } from './finding.js';

/** A join that looks at every pair of rows of two inputs that may both be large. */
export const crossJoin: LintRule = {
  id: 'cross-join',
  severity: 'warning',
  check({ node }) {
    const all = node instanceof CrossJoinExec;
    if (!all && !(node instanceof NestedLoopJoinExec)) return null;
    if (atMostOneRow(node.left) || atMostOneRow(node.right)) return null;
    return {
      message: all
        ? 'every row of one input is combined with every row of the other'
        : 'the join condition is tested on every pair of rows, as it has no equality of columns',
      advice: all ? 'add a join condition if one is missing' : 'join on an equality of columns where you can',
    };
  },
};

function atMostOneRow(plan: ExecutionPlan): boolean {
  const rows = known(plan.statistics().numRows);
  return rows !== undefined && rows <= 1;
}
