import { renderIndent } from '../explain/indent.js';
import { renderJson } from '../explain/json.js';
import type { PlanMetrics } from '../explain/plan-metrics.js';
import { renderTree } from '../explain/tree.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';

/** `tree`: the stage tree; `indent`: one tree, two spaces a level, file lists whole; `json`: the versioned document. */
export type ExplainFormat = 'tree' | 'indent' | 'json';

/** A plan that may be distributed, as text ending with a line end; with metrics after a run. */
export function planText(plan: ExecutionPlan, format: ExplainFormat, metrics: PlanMetrics | null): string {
  const options = metrics === null ? {} : { metrics };
  switch (format) {
    case 'tree':
      return withLineEnd(renderTree(plan, options));
    case 'indent':
      return withLineEnd(renderIndent(plan, { full: true, ...options }));
    case 'json':
      return withLineEnd(renderJson(plan, options));
  }
}

export function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
