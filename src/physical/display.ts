import type { DescribeOptions, ExecutionPlan } from './execution-plan.js';
import { statisticsText } from './statistics/statistics-text.js';

export interface DisplayOptions extends DescribeOptions {
  /** `explain.show_statistics`: each line ends with what is known of its rows. */
  readonly statistics?: boolean;
  /** `explain.show_schema`: each line ends with its columns. */
  readonly schema?: boolean;
}

/** DataFusion's indent format: one line per node, two spaces per level, no newline at the end. */
export function displayIndent(plan: ExecutionPlan, options: DisplayOptions = { full: false }): string {
  const { statistics = false, schema = false } = options;
  const lines: string[] = [];
  const walk = (node: ExecutionPlan, depth: number): void => {
    const facts = [
      ...(statistics ? [statisticsText(node.statistics())] : []),
      ...(schema ? [`schema=${node.schema.toPlanText()}`] : []),
    ];
    lines.push('  '.repeat(depth) + [node.describe(options), ...facts].join(', '));
    for (const child of node.children) walk(child, depth + 1);
  };
  walk(plan, 0);
  return lines.join('\n');
}
