import { isCollectedJoin, mayBroadcast } from '../../distributed/passes/collected-joins.js';
import type { LintRule } from './finding.js';

/** Tasks that each hold the build side of a join which gives build rows on its own: each task would give them again. */
export const replicatedBuildSide: LintRule = {
  id: 'replicated-build-side',
  severity: 'error',
  check({ node, tasks }) {
    if (tasks < 2 || !isCollectedJoin(node) || mayBroadcast(node)) return null;
    return {
      message: `${tasks} tasks each collect a build side of their own, and the join gives unmatched build rows: once per task`,
      advice: 'hash partition both sides by the join keys, or run the stage in one task',
    };
  },
};
