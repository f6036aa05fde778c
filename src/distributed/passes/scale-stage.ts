import { DistqError } from '../../base/errors.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { LeafExec } from '../../physical/leaf/leaf-exec.js';
import { type DistributionHandlers, firstAnswer } from '../handlers.js';
import { NetworkBoundary } from '../network-boundary.js';
import { ChildrenIsolatorUnionExec } from '../operators/children-isolator-union-exec.js';
import type { TaskCount } from '../task-count.js';
import { allocateUnionChildren, unionChildTaskCounts, type UnionChildWeight } from '../union-allocation.js';
import { withChildren } from '../../physical/tree.js';

/** How many tasks a union's child wants. */
export type ChildTaskCounts = (child: ExecutionPlan) => TaskCount;

export interface ScaleOptions {
  readonly config: SessionConfig;
  readonly handlers: DistributionHandlers;
  readonly wishes: ChildTaskCounts;
}

/**
 * Fits a stage's plan to its number of tasks: leaves get one variant each, unions deal their children over the tasks, and each child's
 * leaves and unions are fitted to what it got. Boundaries inside are other stages' business.
 *
 * Source: distributed planner reference, 4.8.3 and 4.8.4.
 */
export function scaleStage(plan: ExecutionPlan, tasks: number, options: ScaleOptions): ExecutionPlan {
  if (plan instanceof NetworkBoundary) return plan;
  if (plan instanceof ChildrenIsolatorUnionExec) {
    const weights = plan.children.map((child) => weightOf(options.wishes(child)));
    const counts = unionChildTaskCounts(allocateUnionChildren(weights, tasks), weights.length);
    const children = plan.children.map((child, index) => scaleStage(child, counts[index] ?? 1, options));
    return plan.withTasks(children, { weights, taskCount: tasks });
  }
  if (plan.children.length === 0) return scaleLeaf(plan, tasks, options);
  return withChildren(
    plan,
    plan.children.map((child) => scaleStage(child, tasks, options)),
  );
}

function scaleLeaf(leaf: ExecutionPlan, tasks: number, { handlers, config }: ScaleOptions): ExecutionPlan {
  const scaled = firstAnswer(handlers.scaleUpLeaf, leaf, tasks, config);
  if (scaled !== undefined) return scaled;
  const isFed = leaf instanceof LeafExec && leaf.feed !== null;
  const wish = tasks === 1 || isFed ? undefined : firstAnswer(handlers.desiredTaskCount, leaf, config);
  if (wish === undefined) return leaf;
  // Every task would read all of it (planner reference, 11.2).
  const who = wish.origin ?? 'a handler';
  throw new DistqError(
    'plan',
    `${who} wants tasks for ${leaf.name}, and nothing deals it to the ${tasks} of its stage`,
    {
      hint: `add a scaleUpLeaf handler for ${leaf.name}, give it a work-unit feed, or answer maximum(1)`,
    },
  );
}

function weightOf({ kind, n }: TaskCount): UnionChildWeight {
  return { weight: n, maxTasks: kind === 'maximum' ? n : null };
}
