import { HEAD_STAGE } from '../base/ids.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { aggregatedText, perTaskText } from './metric-text.js';
import type { PlanMetrics } from './plan-metrics.js';

export interface IndentOptions {
  /** Whole file lists; otherwise they are cut as DataFusion cuts them. */
  readonly full?: boolean;
  /** Metrics of a plan that runs in one task: those of stage 0. */
  readonly metrics?: PlanMetrics;
}

/** DataFusion's indented text: a line per node, two spaces per level. Ends with a newline. */
export function renderIndent(plan: ExecutionPlan, { full = false, metrics }: IndentOptions = {}): string {
  const byNode = metrics?.store.byNode(HEAD_STAGE, plan, 1);
  const lines: string[] = [];
  const write = (node: ExecutionPlan, depth: number): void => {
    let text = node.describe({ full }).trimEnd();
    if (metrics !== undefined) {
      const own = byNode?.[lines.length] ?? new Map();
      text += `, metrics=[${metrics.format === 'per_task' ? perTaskText(own) : aggregatedText(own)}]`;
    }
    lines.push('  '.repeat(depth) + text);
    for (const child of node.children) write(child, depth + 1);
  };
  write(plan, 0);
  return `${lines.join('\n')}\n`;
}
