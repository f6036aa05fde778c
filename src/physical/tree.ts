import type { ExecutionPlan } from './execution-plan.js';

/** The node over other children; itself when they are the ones it has. */
export function withChildren(plan: ExecutionPlan, children: readonly ExecutionPlan[]): ExecutionPlan {
  const same = children.length === plan.children.length && children.every((child, i) => child === plan.children[i]);
  return same ? plan : plan.withNewChildren(children);
}

/** Rewrites children before their parents. Subtrees in which nothing changes keep their identity. */
export function transformUp(plan: ExecutionPlan, rewrite: (plan: ExecutionPlan) => ExecutionPlan): ExecutionPlan {
  return rewrite(
    withChildren(
      plan,
      plan.children.map((child) => transformUp(child, rewrite)),
    ),
  );
}

/** Rewrites parents before their children; the walk goes on below what `rewrite` gave. */
export function transformDown(plan: ExecutionPlan, rewrite: (plan: ExecutionPlan) => ExecutionPlan): ExecutionPlan {
  const next = rewrite(plan);
  return withChildren(
    next,
    next.children.map((child) => transformDown(child, rewrite)),
  );
}

/** Calls `visit` for every node, parents first, children left to right. */
export function visitPlan(plan: ExecutionPlan, visit: (plan: ExecutionPlan) => void): void {
  visit(plan);
  for (const child of plan.children) visitPlan(child, visit);
}
