import type { ExecutionPlan } from '../physical/execution-plan.js';
import { nodeLines, outlinePlan } from './outline.js';
import type { PlanMetrics } from './plan-metrics.js';

/** Characters of a node's text that its box shows; the whole text is its tooltip. */
const DETAIL_LENGTH = 72;
/** Lines on what tasks read that a box shows. */
const SHARE_LINES = 8;

const EDGE_STYLES = { shuffle: 'bold', broadcast: 'dashed', coalesce: 'solid' } as const;

/**
 * Graphviz DOT: a cluster per stage, its nodes inside, an edge per boundary with its kind and the partition counts. Rows flow upwards.
 * `dot -Tsvg` draws it. Ends with a newline.
 */
export function renderDot(
  plan: ExecutionPlan,
  { metrics }: { readonly metrics?: PlanMetrics | undefined } = {},
): string {
  const stages = outlinePlan(plan, metrics);
  const shown = new Set(stages.map(({ id }) => id));
  const lines = [
    'digraph plan {',
    '  rankdir=BT;',
    '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica", fontsize=11];',
    '  edge [fontname="Helvetica", fontsize=11];',
  ];
  const edges: string[] = [];
  for (const { id, name, shape, nodes } of stages) {
    lines.push(
      `  subgraph cluster_stage_${id} {`,
      `    label=${quoted([`${name}: ${shape}`])};`,
      '    labeljust=l; style="rounded,filled"; color="#8aa0b4"; fillcolor="#eef3f7"; fontname="Helvetica"; fontsize=12;',
    );
    for (const node of nodes) {
      lines.push(
        `    ${nodeId(id, node.position)} [label=${quoted(nodeLines(node, { detail: DETAIL_LENGTH, shares: SHARE_LINES }))}, tooltip=${quoted([node.text])}];`,
      );
      if (node.parent !== null) lines.push(`    ${nodeId(id, node.position)} -> ${nodeId(id, node.parent)};`);
      if (node.reads === null) continue;
      const { stage, kind, partitions } = node.reads;
      if (!shown.has(stage)) continue;
      edges.push(
        `  ${nodeId(stage, 0)} -> ${nodeId(id, node.position)} [label=${quoted([kind, partitions])}, style=${EDGE_STYLES[kind]}];`,
      );
    }
    lines.push('  }');
  }
  return `${[...lines, ...edges, '}'].join('\n')}\n`;
}

function nodeId(stage: number, position: number): string {
  return `s${stage}_n${position}`;
}

/** A quoted string of lines that stand to the left; DOT's own escapes are all written out. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((line) => line.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll(/\s/g, ' '));
  return escaped.length === 1 ? `"${escaped[0] ?? ''}"` : `"${escaped.map((line) => `${line}\\l`).join('')}"`;
}
