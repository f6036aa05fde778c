import type { ExecutionPlan } from '../physical/execution-plan.js';
import { nodeLines, outlinePlan } from './outline.js';
import type { PlanMetrics } from './plan-metrics.js';

const DETAIL_LENGTH = 60;
const SHARE_LINES = 6;

/** Link syntax: what stands before and after the label. */
const LINKS = { shuffle: ['==', '==>'], broadcast: ['-.', '.->'], coalesce: ['--', '-->'] } as const;

/**
 * A Mermaid flowchart, as Markdown renderers draw it: a subgraph per stage, an edge per boundary with its kind and the partition
 * counts. Rows flow upwards. Ends with a newline.
 */
export function renderMermaid(
  plan: ExecutionPlan,
  { metrics }: { readonly metrics?: PlanMetrics | undefined } = {},
): string {
  const stages = outlinePlan(plan, metrics);
  const shown = new Set(stages.map(({ id }) => id));
  const lines = ['flowchart BT'];
  const edges: string[] = [];
  for (const { id, name, shape, nodes } of stages) {
    lines.push(`  subgraph stage${id}[${quoted([`${name}: ${shape}`])}]`);
    for (const node of nodes) {
      lines.push(
        `    ${nodeId(id, node.position)}[${quoted(nodeLines(node, { detail: DETAIL_LENGTH, shares: SHARE_LINES }))}]`,
      );
      if (node.parent !== null) lines.push(`    ${nodeId(id, node.position)} --> ${nodeId(id, node.parent)}`);
      if (node.reads === null) continue;
      const { stage, kind, partitions } = node.reads;
      if (!shown.has(stage)) continue;
      const [before, after] = LINKS[kind];
      const label = quoted([`${kind} ${partitions}`]);
      edges.push(`  ${nodeId(stage, 0)} ${before} ${label} ${after} ${nodeId(id, node.position)}`);
    }
    lines.push('  end');
  }
  return `${[...lines, ...edges].join('\n')}\n`;
}

function nodeId(stage: number, position: number): string {
  return `s${stage}n${position}`;
}

/** What Mermaid or the HTML that it makes would take for syntax becomes a numeric entity, written as Mermaid wants them: `#34;`. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    line.replaceAll(/\s/g, ' ').replaceAll(/["#&<>`\\]/g, (character) => `#${character.charCodeAt(0)};`),
  );
  return `"${escaped.join('<br/>')}"`;
}
