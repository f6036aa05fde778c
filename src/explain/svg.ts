import type { ExecutionPlan } from '../physical/execution-plan.js';
import { outlinePlan } from './outline.js';
import { escapeMarkup } from './picture/escape.js';
import { layOut, type Picture, type PlacedEdge, type PlacedStage, type PlacedText } from './picture/layout.js';
import type { PlanMetrics } from './plan-metrics.js';

const STYLE = `
.distq-plan { --ground: #ffffff; --box: #f5f7fa; --line: #9fb0c0; --bar: #5b8db8; --ink: #17212b; --muted: #52616f;
  --shuffle: #9a4a00; --broadcast: #6b3fa0; --coalesce: #1f6a52; --title: #e3e9ef; }
@media (prefers-color-scheme: dark) {
  .distq-plan { --ground: #12171d; --box: #1b232c; --line: #4b5c6c; --bar: #6ea3d0; --ink: #e8eef4; --muted: #a3b2c0;
    --shuffle: #f0a35e; --broadcast: #c2a1f0; --coalesce: #6fcfae; --title: #263240; }
}
.distq-plan text { font-family: "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", "Courier New", monospace; fill: var(--ink); white-space: pre; }
.distq-plan .muted, .distq-plan .muted tspan { fill: var(--muted); }
.distq-plan .detail { fill: var(--muted); }
.distq-plan .strong { font-weight: 600; }
.distq-plan .ground { fill: var(--ground); }
.distq-plan .stage { fill: var(--box); stroke: var(--line); }
.distq-plan .head { fill: var(--title); }
.distq-plan .bar { fill: var(--bar); }
.distq-plan .edge { fill: none; stroke-width: 2; }
.distq-plan .shuffle { stroke: var(--shuffle); } .distq-plan .broadcast { stroke: var(--broadcast); stroke-dasharray: 6 4; }
.distq-plan .coalesce { stroke: var(--coalesce); }
.distq-plan .tip-shuffle { fill: var(--shuffle); } .distq-plan .tip-broadcast { fill: var(--broadcast); }
.distq-plan .tip-coalesce { fill: var(--coalesce); }
`;

/**
 * The plan as a drawing that needs nothing else: a box per stage with its operators and what each of its tasks reads, arrows for
 * boundaries in the direction of the rows, the head on the left. Light or dark as the reader's system is. Ends with a newline.
 */
export function renderSvg(plan: ExecutionPlan, options: { readonly metrics?: PlanMetrics | undefined } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svgElement(plan, options)}\n`;
}

/** The drawing as an element, for pages that hold it. */
export function svgElement(
  plan: ExecutionPlan,
  { metrics }: { readonly metrics?: PlanMetrics | undefined } = {},
): string {
  const stages = outlinePlan(plan, metrics);
  const picture = layOut(stages);
  const { width, height } = picture;
  const w = Math.ceil(width);
  const h = Math.ceil(height);
  const summary = stages.map(({ name, shape }) => `${name}: ${shape}`).join('; ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="distq-plan" role="img" aria-labelledby="plan-title plan-summary" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}">`,
    `<title id="plan-title">Query plan in ${stages.length} ${stages.length === 1 ? 'stage' : 'stages'}</title>`,
    `<desc id="plan-summary">${escapeMarkup(summary)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${w}" height="${h}"/>`,
    ...picture.edges.map(edgeElement),
    ...picture.stages.map((stage) => stageElement(stage, picture)),
    '</svg>',
  ].join('\n');
}

function stageElement({ stage, x, y, width, height, texts, bars }: PlacedStage, { stages }: Picture): string {
  const id = stages.length > 1 ? ` id="stage-${stage.id}"` : '';
  return [
    `<g${id} role="group" aria-label="${escapeMarkup(`${stage.name}, ${stage.shape}`)}">`,
    `<rect class="stage" x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="6"/>`,
    `<path class="head" d="M${px(x + 1)} ${px(y + 30)}v-23a6 6 0 0 1 6-6h${px(width - 14)}a6 6 0 0 1 6 6v23z"/>`,
    ...bars.map(
      (bar) =>
        `<rect class="bar" x="${px(bar.x)}" y="${px(bar.y)}" width="${px(bar.width)}" height="${px(bar.height)}"><title>${escapeMarkup(bar.whole)}</title></rect>`,
    ),
    ...texts.map((text) => textElement(text)),
    '</g>',
  ].join('\n');
}

function edgeElement({ kind, to, bendX, from, labels, stage }: PlacedEdge): string {
  const middle = (to.x + bendX) / 2;
  const curve = `M${px(from.x)} ${px(from.y)}H${px(bendX)}C${px(middle)} ${px(from.y)} ${px(middle)} ${px(to.y)} ${px(to.x + 8)} ${px(to.y)}`;
  return [
    `<g role="group" aria-label="${kind} of stage ${stage}">`,
    `<path class="edge ${kind}" d="${curve}"/>`,
    `<path class="tip-${kind}" d="M${px(to.x + 1)} ${px(to.y)}l10 -5v10z"/>`,
    ...labels.map((label) => textElement(label, ` tip-${kind}`)),
    '</g>',
  ].join('\n');
}

function textElement({ x, y, size, anchor, strong, text, style, whole }: PlacedText, extra = ''): string {
  const end = anchor === 'end' ? ' text-anchor="end"' : '';
  const title = whole === null ? '' : `<title>${escapeMarkup(whole)}</title>`;
  const name = strong === '' ? '' : `<tspan class="strong">${escapeMarkup(strong)}</tspan>`;
  const rest =
    strong === '' || text === '' ? escapeMarkup(text) : `<tspan class="detail">${escapeMarkup(text)}</tspan>`;
  return `<text class="${style}${extra}" x="${px(x)}" y="${px(y)}" font-size="${size}"${end}>${title}${name}${rest}</text>`;
}

/** A length with at most one digit after the point. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
