import type { AnalyzerRule } from './optimizer-rule.js';
import type { LogicalPlan } from './plan.js';
import { resolveGroupingFunction } from './rules/resolve-grouping-function.js';
import { typeCoercion } from './rules/type-coercion.js';

/** In this order: `grouping()` has no kernel, so it goes before types are looked at; then everything gets its types. */
export const ANALYZER_RULES: readonly AnalyzerRule[] = [resolveGroupingFunction, typeCoercion];

/** Makes a bound plan valid: resolves `grouping()` and inserts casts. `onRule` sees the plan after each rule. */
export function analyze(plan: LogicalPlan, onRule?: (rule: string, plan: LogicalPlan) => void): LogicalPlan {
  return ANALYZER_RULES.reduce((current, rule) => {
    const next = rule.analyze(current);
    onRule?.(rule.name, next);
    return next;
  }, plan);
}
