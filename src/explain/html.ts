import { NetworkBoundary } from '../distributed/network-boundary.js';
import { planStages } from '../distributed/plan-stages.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { hasLongList } from './leaf-files.js';
import type { Finding } from './lint/finding.js';
import { lintPlan } from './lint/index.js';
import { metricsDocument, type MetricsTable, taskTable } from './metrics-table.js';
import { outlinePlan, type OutlineStage } from './outline.js';
import { escapeMarkup } from './picture/escape.js';
import type { PlanMetrics } from './plan-metrics.js';
import { svgElement } from './svg.js';
import { renderTree } from './tree.js';

const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --ink: #17212b; --muted: #52616f; --line: #c9d3dc; --box: #f5f7fa; }
@media (prefers-color-scheme: dark) { :root { --ground: #12171d; --ink: #e8eef4; --muted: #a3b2c0; --line: #3a4856; --box: #1b232c; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 28px 0 8px; }
p { margin: 0 0 8px; } .muted { color: var(--muted); }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
.wide > svg { display: block; }
pre, code, td, summary { font-family: "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px; }
pre { margin: 0; padding: 12px; background: var(--box); }
table { border-collapse: collapse; } th, td { padding: 3px 12px; text-align: left; vertical-align: top; }
th { font-size: 13px; color: var(--muted); } .right { text-align: right; }
details { border-top: 1px solid var(--line); padding: 6px 0; } summary { cursor: pointer; }
ul.findings { padding-left: 20px; } .error { color: #b3261e; } @media (prefers-color-scheme: dark) { .error { color: #ff8a80; } }
`;

export interface HtmlOptions {
  readonly metrics?: PlanMetrics | undefined;
  readonly findings?: readonly Finding[] | undefined;
}

/**
 * The plan as one page that needs no network, no script and no font: the drawing, what looks wrong, what each task did after a run,
 * every operator's whole text. Ends with a newline.
 */
export function renderHtml(plan: ExecutionPlan, { metrics, findings = lintPlan(plan) }: HtmlOptions = {}): string {
  const stages = outlinePlan(plan, metrics);
  const tasks = stages.reduce((sum, stage) => sum + stage.tasks, 0);
  const one = stages.length === 1;
  const isLong = planStages(plan).some((stage) => hasLongLeaf(stage.plan));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Query plan</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Query plan</h1>
<p class="muted">${one ? 'One task runs the whole plan.' : `${stages.length === 2 ? '1 stage' : `${stages.length - 1} stages`} below the head, ${tasks} tasks in all. Rows flow from right to left along the arrows; a label says tasks × partitions of each, below and above.`}</p>
<div class="wide">
${svgElement(plan, { metrics })}
</div>
${findingsSection(findings)}${metrics === undefined ? '' : metricsSection(taskTable(metricsDocument(plan, metrics.store)))}
<h2>Operators</h2>
${stages.map(stageSection).join('\n')}
<h2>As text</h2>
${isLong ? `<p class="muted">Tasks of leaves are told by the number and bytes of their files; distq explain without --format html lists them.</p>\n` : ''}<div class="wide"><pre>${escapeMarkup(renderTree(plan, { metrics, collapse: isLong }))}</pre></div>
</main>
</body>
</html>
`;
}

function hasLongLeaf(plan: ExecutionPlan): boolean {
  return hasLongList(plan) || (!(plan instanceof NetworkBoundary) && plan.children.some(hasLongLeaf));
}

function findingsSection(findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  const items = findings.map(({ id, severity, stage, operator, message, advice }) => {
    const place = stage === 0 ? 'the head' : `stage ${stage}`;
    return `<li><strong class="${severity}">${severity}</strong> <code>${id}</code> in ${place}, ${operator}: ${escapeMarkup(message)}. <span class="muted">${escapeMarkup(advice)}.</span></li>`;
  });
  return `<h2>Findings</h2>\n<ul class="findings">\n${items.join('\n')}\n</ul>\n`;
}

function metricsSection({ columns, rows }: MetricsTable): string {
  const cell = (tag: 'th' | 'td', text: string, index: number): string =>
    `<${tag}${columns[index]?.align === 'right' ? ' class="right"' : ''}>${escapeMarkup(text)}</${tag}>`;
  const head = columns.map(({ heading }, index) => cell('th', heading, index)).join('');
  const body = rows.map((row) => `<tr>${row.map((text, index) => cell('td', text, index)).join('')}</tr>`);
  return `<h2>Tasks</h2>\n<div class="wide"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody></table></div>\n`;
}

function stageSection({ name, shape, nodes }: OutlineStage): string {
  const rows = nodes.map(
    ({ position, depth, text, measured }) =>
      `<tr><td class="right">${position}</td><td>${'&nbsp;&nbsp;'.repeat(depth)}${escapeMarkup(text)}</td><td>${measured ?? ''}</td></tr>`,
  );
  return `<details><summary>${name}, ${shape}</summary>\n<div class="wide"><table>\n${rows.join('\n')}\n</table></div></details>`;
}
