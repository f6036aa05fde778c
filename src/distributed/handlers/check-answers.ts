import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { OperatorBase } from '../../physical/operator-base.js';
import { NetworkBoundary } from '../network-boundary.js';
import { DistributedLeafExec } from '../operators/distributed-leaf-exec.js';
import type { TaskCount } from '../task-count.js';

/*
 * What is wrong with the answer of a handler that somebody else wrote, as a clause that follows "… answers ", or null. Handlers may be
 * plain JavaScript, so that an answer can be anything.
 */

const ANOTHER_CLASS = 'something that is no plan node made with the classes it was given';

/** A number of tasks: `desired(n)`, `maximum(n)`, or a bare integer, which is a wish. */
export function taskCountOf(answer: unknown): TaskCount | { readonly problem: string } {
  if (answer instanceof Promise) return { problem: 'a promise' };
  const count = typeof answer === 'number' ? { kind: 'desired', n: answer } : answer;
  if (typeof count !== 'object' || count === null || !('kind' in count) || !('n' in count)) {
    return { problem: `${describeValue(answer)}, which is no number of tasks` };
  }
  const { kind, n } = count;
  if (kind !== 'desired' && kind !== 'maximum') return { problem: `a task count of kind ${describeValue(kind)}` };
  if (typeof n !== 'number' || !Number.isSafeInteger(n) || n < 1) return { problem: `${describeValue(n)} tasks` };
  return { kind, n };
}

/** What stands for a leaf in a stage of so many tasks. */
export function problemOfScaledLeaf(leaf: ExecutionPlan, taskCount: number, answer: unknown): string | null {
  if (answer instanceof Promise) return 'a promise';
  if (!(answer instanceof OperatorBase)) return ANOTHER_CLASS;
  if (!answer.schema.equals(leaf.schema)) {
    return `a leaf that gives (${String(answer.schema)}) for one that gives (${String(leaf.schema)})`;
  }
  return problemOfVariants(answer, taskCount);
}

function problemOfVariants(plan: ExecutionPlan, taskCount: number): string | null {
  if (plan instanceof NetworkBoundary) return 'a plan with a network boundary';
  if (plan instanceof DistributedLeafExec && plan.variants.length !== taskCount) {
    return `${plan.variants.length} variants for ${taskCount} ${taskCount === 1 ? 'task' : 'tasks'}`;
  }
  for (const child of plan.children) {
    const problem = problemOfVariants(child, taskCount);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * A task's plan before it runs, against the one that came: rows keep their columns and partitions, and nodes stay where they were, since
 * readers address partitions and metrics are keyed by position.
 */
export function problemOfRewrite(before: ExecutionPlan, after: unknown): string | null {
  if (after instanceof Promise) return 'a promise';
  if (!(after instanceof OperatorBase)) return ANOTHER_CLASS;
  if (!after.schema.equals(before.schema)) {
    return `a plan that gives (${String(after.schema)}) for one that gives (${String(before.schema)})`;
  }
  return problemOfShape(before, after, true);
}

function problemOfShape(before: ExecutionPlan, after: ExecutionPlan, isTop: boolean): string | null {
  if (before === after) return null;
  const [had, has] = [before.properties.partitioning, after.properties.partitioning];
  if (had.count !== has.count || (isTop && had.kind !== has.kind)) {
    return `${after.name} with ${has.count} ${has.kind} partitions in the place of ${before.name} with ${had.count} ${had.kind} ones`;
  }
  if (before instanceof NetworkBoundary) {
    const same = after instanceof NetworkBoundary && after.inputStage === before.inputStage;
    return same ? null : `${after.name} in the place of ${before.name}, which reads another stage`;
  }
  if (before.children.length !== after.children.length) {
    return `${after.name} with ${after.children.length} children in the place of ${before.name} with ${before.children.length}`;
  }
  for (const [index, child] of before.children.entries()) {
    const other = after.children[index];
    const problem = other === undefined ? null : problemOfShape(child, other, false);
    if (problem !== null) return problem;
  }
  return null;
}

/** Something of unknown make, for a message. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'symbol' ? 'a symbol' : String(value);
}
