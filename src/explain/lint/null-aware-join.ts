import { hasBoundary } from '../../distributed/network-boundary.js';
import { HashJoinExec } from '../../physical/operators/hash-join-exec.js';
import type { LintRule } from './finding.js';

/** A NOT IN whose NULLs force the join into one task. */
export const nullAwareJoin: LintRule = {
  id: 'null-aware-join',
  severity: 'warning',
  check({ node, tasks }) {
    if (tasks !== 1 || !(node instanceof HashJoinExec) || !node.nullAware || !hasBoundary(node)) return null;
    return {
      message: 'one task runs the join: NOT IN must know whether any row of the subquery is NULL',
      advice: 'write NOT EXISTS if NULLs in the subquery need no answer of their own, or declare its column NOT NULL',
    };
  },
};
