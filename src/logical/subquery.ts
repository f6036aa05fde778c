import { invariant } from '../base/errors.js';
import type { OuterReferenceExpr, SubqueryPlan } from '../expr/expr.js';
import type { LogicalPlan } from './plan.js';

/** The one implementation of `SubqueryPlan`: a logical plan inside an expression. */
export class LogicalSubquery implements SubqueryPlan {
  readonly plan: LogicalPlan;
  readonly outerColumns: readonly OuterReferenceExpr[];
  readonly #describe: (plan: LogicalPlan) => string[];

  /** `describe` is `display.ts`'s printer, handed in so that this file imports no behaviour. */
  constructor(
    plan: LogicalPlan,
    outerColumns: readonly OuterReferenceExpr[],
    describe: (plan: LogicalPlan) => string[],
  ) {
    this.plan = plan;
    this.outerColumns = outerColumns;
    this.#describe = describe;
  }

  get outputs(): SubqueryPlan['outputs'] {
    return this.plan.schema.fields.map(({ field }) => field);
  }

  describe(): string[] {
    return this.#describe(this.plan);
  }

  /** The same subquery over another plan (rules rewrite subqueries too). */
  withPlan(plan: LogicalPlan): LogicalSubquery {
    return new LogicalSubquery(plan, this.outerColumns, this.#describe);
  }
}

export function logicalSubquery(subquery: SubqueryPlan): LogicalSubquery {
  invariant(subquery instanceof LogicalSubquery, 'a subquery is a LogicalSubquery');
  return subquery;
}
