import type { DescribeOptions, ExecutionPlan } from './execution-plan.js';

/** DataFusion's indent format: one line per node, two spaces per level, no newline at the end. */
export function displayIndent(plan: ExecutionPlan, options: DescribeOptions = { full: false }): string {
  const lines: string[] = [];
  const walk = (node: ExecutionPlan, depth: number): void => {
    lines.push('  '.repeat(depth) + node.describe(options));
    for (const child of node.children) walk(child, depth + 1);
  };
  walk(plan, 0);
  return lines.join('\n');
}
