import type { ScalarValue } from '../columnar/scalar-value.js';
import type { SessionConfig } from '../config/session-config.js';
import type { Expr } from '../expr/expr.js';
import type { FunctionRegistry } from '../expr/function.js';
import type { LogicalPlan } from './plan.js';

/** A rewriting that makes a plan valid; runs once, before the optimizer. */
export interface AnalyzerRule {
  readonly name: string;
  analyze(plan: LogicalPlan): LogicalPlan;
}

/** Folds constants with the engine's own arithmetic. */
export interface ConstantEvaluator {
  /**
   * The value of an expression without columns, or undefined when it has none ahead of time: a volatile function, something the
   * evaluator does not know, or an error while evaluating (1/0), which the expression then raises when it runs.
   */
  evaluate(expr: Expr): ScalarValue | undefined;
}

/** What rules share during one optimization. */
export interface OptimizerContext {
  readonly config: SessionConfig;
  readonly constants: ConstantEvaluator;
  /** Needed where a rule introduces a function the query does not name (DISTINCT ON: `first_value`). */
  readonly functions: FunctionRegistry | undefined;
  /** The next number for generated names (`__correlated_sq_1`, `__common_expr_2`), one sequence for all prefixes. */
  nextId(): number;
}

/**
 * A rewriting that keeps a plan's meaning and its output columns. Rules are values without state.
 * A rule returns the object it was given where it changes nothing.
 */
export interface OptimizerRule {
  /** DataFusion's name of the rule. */
  readonly name: string;
  /**
   * Who walks the plan: the driver hands `apply` every node (subqueries in expressions included), parents or children first; `own`
   * rules get the root and walk themselves.
   */
  readonly order: 'top_down' | 'bottom_up' | 'own';
  apply(plan: LogicalPlan, context: OptimizerContext): LogicalPlan;
}
