import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { Doubt } from './read-context.js';
import { isTransparent } from './read-node.js';
import type { TextNode } from './tree.js';

/** Every node must print as its line stands; where one does not, something was read otherwise than it was meant. */
export function* differingLines(root: TextNode, plan: ExecutionPlan): Generator<Doubt, void, undefined> {
  const node = visibleNode(root);
  const { line } = node;
  const given = comparable(line.text);
  const printed = comparable(plan.describe({ full: true }));
  if (given !== printed) yield { line, reason: `it reads back as "${printed}"` };
  for (const [i, child] of node.children.entries()) {
    const below = plan.children[i];
    if (below !== undefined) yield* differingLines(child, below);
  }
}

/** Without what a run or a setting adds and without files, whose folders differ and which were looked at one by one. */
function comparable(text: string): string {
  return text
    .replace(/, (?:metrics|statistics|schema)=\[.*\]$/, '')
    .replace(/^(DataSourceExec: file_groups=)\{.*?\]\}/, '$1')
    .replace(/DynamicFilter \[ .*? \]/g, 'DynamicFilter [ empty ]')
    .replace(/^(SortExec: .*), filter=\[.*?\](?=$|, sort_prefix)/, '$1');
}

/** The node, or the first below it that is not left out. */
function visibleNode(node: TextNode): TextNode {
  const [input] = node.children;
  return input !== undefined && isTransparent(node) ? visibleNode(input) : node;
}
