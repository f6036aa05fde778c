import type { SessionConfig } from '../config/session-config.js';
import { PLAN_FORMATS, type PlanFormatName, type PlanTextOptions } from '../explain/formats.js';
import type { DisplayOptions } from '../physical/display.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';

/**
 * `tree`: the stage tree; `indent`: one tree, two spaces a level, file lists whole; `json`: the versioned document.
 */
export type ExplainFormat = PlanFormatName;

/** A plan that may be distributed, as text ending with a line end; with metrics after a run. */
export function planText(plan: ExecutionPlan, format: ExplainFormat, options: PlanTextOptions = {}): string {
  return withLineEnd(PLAN_FORMATS[format].render(plan, options));
}

/** What the settings ask to see on each line of the physical plan. */
export function shownFacts(config: SessionConfig): Required<DisplayOptions> {
  return { full: false, statistics: config.get('explain.show_statistics'), schema: config.get('explain.show_schema') };
}

export function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Whether a format holds findings itself; of other formats they are told apart from the plan. */
export function holdsFindings(format: ExplainFormat): boolean {
  return PLAN_FORMATS[format].shows.includes('findings');
}
