import { DistqError } from '../../base/errors.js';
import { planStages } from '../../distributed/plan-stages.js';
import { stageNodes, taskNodes } from '../../distributed/task-nodes.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { boundaryCountMismatch } from './boundary-count-mismatch.js';
import { byteRangesMissing } from './byte-ranges-missing.js';
import { byteRangesOverlap } from './byte-ranges-overlap.js';
import { crossJoin } from './cross-join.js';
import type { Finding, LintRule, LintStage } from './finding.js';
import { hashCountMismatch } from './hash-count-mismatch.js';
import { idleVariants } from './idle-variants.js';
import { joinSidesDisagree } from './join-sides-disagree.js';
import { largeBroadcast } from './large-broadcast.js';
import { nullAwareJoin } from './null-aware-join.js';
import { oneTaskManyPartitions } from './one-task-many-partitions.js';
import { replicatedBuildSide } from './replicated-build-side.js';
import { skewedVariants } from './skewed-variants.js';
import { slicedBuildSide } from './sliced-build-side.js';

/** All rules: errors first. */
export const LINT_RULES: readonly LintRule[] = [
  byteRangesMissing,
  byteRangesOverlap,
  hashCountMismatch,
  boundaryCountMismatch,
  joinSidesDisagree,
  slicedBuildSide,
  replicatedBuildSide,
  oneTaskManyPartitions,
  skewedVariants,
  idleVariants,
  largeBroadcast,
  nullAwareJoin,
  crossJoin,
];

/** What the rules find in a plan: by rule, then stage by stage as the tree shows them. */
export function lintPlan(plan: ExecutionPlan): Finding[] {
  const stages = planStages(plan).map(({ id, tasks, plan: root }): LintStage => {
    const sharing = tasksOfNodes(root, tasks);
    const nodes = stageNodes(root).map((node, position) => ({ node, position, tasks: sharing.get(position) ?? 0 }));
    return { id, tasks, nodes };
  });
  return LINT_RULES.flatMap((rule) =>
    stages.flatMap((stage) =>
      stage.nodes.flatMap((node): Finding[] => {
        const problem = rule.check(node, stage);
        if (problem === null) return [];
        const { id, severity } = rule;
        return [{ id, severity, stage: stage.id, node: node.position, operator: node.node.name, ...problem }];
      }),
    ),
  );
}

/** Position → how many tasks share the node. */
function tasksOfNodes(root: ExecutionPlan, tasks: number): Map<number, number> {
  const sharing = new Map<number, number>();
  for (let taskIndex = 0; taskIndex < tasks; taskIndex++) {
    for (const { position, task } of taskNodes(root, { taskIndex, taskCount: tasks })) {
      sharing.set(position, Math.max(sharing.get(position) ?? 0, task.taskCount));
    }
  }
  return sharing;
}

/** `error[byte-ranges-missing] in stage 1, node 2 (DistributedLeafExec): …; advice: …`, one line each. */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({ id, severity, stage, node, operator, message, advice }) => {
      const place = stage === 0 ? 'the head' : `stage ${stage}`;
      return `${severity}[${id}] in ${place}, node ${node} (${operator}): ${message}\n  advice: ${advice}\n`;
    })
    .join('');
}

/** What `--fail-on` takes beside the ids: everything, or everything that bad. */
const GROUPS: readonly string[] = ['any', 'error', 'warning'];

/** Checks what `--fail-on` was given: ids, a severity or `any`. `config` error for anything else. */
export function parseFailOn(texts: readonly string[]): readonly string[] {
  const names = [...GROUPS, ...LINT_RULES.map(({ id }) => id)];
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => {
      const name = text.trim();
      if (names.includes(name)) return name;
      throw new DistqError('config', `--fail-on does not know "${name}"`, { hint: `give one of ${names.join(', ')}` });
    });
}

/** The findings on which a script wants to fail. `warning` takes in errors. */
export function failing(findings: readonly Finding[], failOn: readonly string[]): Finding[] {
  return findings.filter(
    ({ id, severity }) =>
      failOn.includes('any') ||
      failOn.includes(id) ||
      failOn.includes(severity) ||
      (severity === 'error' && failOn.includes('warning')),
  );
}
