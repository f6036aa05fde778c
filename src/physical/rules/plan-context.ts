import type { ExecutionPlan } from '../execution-plan.js';
import { withChildren } from '../tree.js';

/** A plan whose nodes carry notes of the rule at work. Contexts are rebuilt freely; only `data` is written in place. */
export class PlanContext<T> {
  readonly plan: ExecutionPlan;
  data: T;
  readonly children: readonly PlanContext<T>[];

  constructor(plan: ExecutionPlan, data: T, children: readonly PlanContext<T>[]) {
    this.plan = plan;
    this.data = data;
    this.children = children;
  }

  static of<T>(plan: ExecutionPlan, data: T): PlanContext<T> {
    return new PlanContext(
      plan,
      data,
      plan.children.map((child) => PlanContext.of(child, data)),
    );
  }

  /** The same node over other children. */
  withChildren(children: readonly PlanContext<T>[]): PlanContext<T> {
    const plan = withChildren(
      this.plan,
      children.map((child) => child.plan),
    );
    return new PlanContext(plan, this.data, children);
  }

  /** Children before parents. */
  transformUp(rewrite: (node: PlanContext<T>) => PlanContext<T>): PlanContext<T> {
    return rewrite(this.withChildren(this.children.map((child) => child.transformUp(rewrite))));
  }

  /** Parents before children; the walk goes on below what `rewrite` gave. */
  transformDown(rewrite: (node: PlanContext<T>) => PlanContext<T>): PlanContext<T> {
    const next = rewrite(this);
    return next.withChildren(next.children.map((child) => child.transformDown(rewrite)));
  }
}
