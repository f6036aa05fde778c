import { fieldPlanText } from '../../columnar/data-type.js';
import { displayNode } from '../../logical/display.js';
import type { LogicalPlan } from '../../logical/plan.js';
import { planInputs } from '../../logical/traverse.js';

/** What `EXPLAIN FORMAT graphviz` prints: the logical plan as DOT, once plain and once with schemas. */
export function renderGraphviz(plan: LogicalPlan): string {
  const lines = [
    '',
    '// Begin DataFusion GraphViz Plan,',
    '// display it online here: https://dreampuf.github.io/GraphvizOnline',
    '',
    'digraph {',
  ];
  let id = 0;
  const cluster = (title: string, label: (node: LogicalPlan) => string): void => {
    lines.push(`  subgraph cluster_${++id}`, '  {', `    graph[label=${quoted(title)}]`);
    const write = (node: LogicalPlan, parent: number | null): void => {
      const own = ++id;
      lines.push(`    ${own}[shape=box label=${quoted(label(node))}]`);
      if (parent !== null) lines.push(`    ${parent} -> ${own} [arrowhead=none, arrowtail=normal, dir=back]`);
      for (const input of planInputs(node)) write(input, own);
    };
    write(plan, null);
    lines.push('  }');
  };
  cluster('LogicalPlan', displayNode);
  cluster('Detailed LogicalPlan', (node) => `${displayNode(node)}\\nSchema: ${schemaText(node)}`);
  lines.push('}', '// End DataFusion GraphViz Plan');
  return `${lines.join('\n')}\n`;
}

/** DataFusion writes an underscore for a quote. */
function quoted(label: string): string {
  return `"${label.replaceAll('"', '_')}"`;
}

function schemaText({ schema }: LogicalPlan): string {
  return `[${schema.fields.map(({ field }) => fieldPlanText(field)).join(', ')}]`;
}
