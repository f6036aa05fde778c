import { DistqError } from '../base/errors.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { renderDot } from './dot.js';
import { renderHtml } from './html.js';
import { renderIndent } from './indent.js';
import { renderJson } from './json.js';
import type { Finding } from './lint/finding.js';
import { renderMermaid } from './mermaid.js';
import type { PlanMetrics } from './plan-metrics.js';
import { renderSvg } from './svg.js';
import { renderTree, type TaskView } from './tree.js';

/** What a reader of a plan may ask for. A format takes what it can show and leaves the rest; `PLAN_FORMATS` says which. */
export interface PlanTextOptions {
  readonly metrics?: PlanMetrics | undefined;
  readonly taskView?: TaskView;
  readonly collapse?: boolean;
  readonly annotate?: boolean;
  /** What the rules found, for documents that hold it. */
  readonly findings?: readonly Finding[] | undefined;
  /** The plan as it is stored, a JSON value, for documents that can be read back. */
  readonly stored?: unknown;
}

export interface PlanFormat {
  /** Text that ends with a newline. */
  render(plan: ExecutionPlan, options: PlanTextOptions): string;
  /** The options, beside `metrics`, that the format shows. Findings that it does not show go to stderr. */
  readonly shows: readonly (keyof PlanTextOptions)[];
}

export type PlanFormatName = 'tree' | 'indent' | 'json' | 'dot' | 'mermaid' | 'svg' | 'html';

/** Every way to print a plan: one line and one file each. */
export const PLAN_FORMATS: Readonly<Record<PlanFormatName, PlanFormat>> = {
  tree: { render: renderTree, shows: ['taskView', 'collapse', 'annotate'] },
  indent: { render: (plan, options) => renderIndent(plan, { ...options, full: true }), shows: ['annotate'] },
  json: { render: renderJson, shows: ['findings', 'stored'] },
  dot: { render: renderDot, shows: [] },
  mermaid: { render: renderMermaid, shows: [] },
  svg: { render: renderSvg, shows: [] },
  html: { render: renderHtml, shows: ['findings'] },
};

/** `config` error when a format cannot show something that was asked for. */
export function checkShown(format: PlanFormatName, options: PlanTextOptions): void {
  const flags = { taskView: '--task-view', collapse: '--collapse', annotate: '--annotate' } as const;
  for (const [option, flag] of Object.entries(flags) as [keyof typeof flags, string][]) {
    const value = options[option];
    if (value === undefined || value === false || value === 'variants') continue;
    if (PLAN_FORMATS[format].shows.includes(option)) continue;
    const able = Object.entries(PLAN_FORMATS).flatMap(([name, { shows }]) => (shows.includes(option) ? [name] : []));
    throw new DistqError('config', `--format ${format} does not show ${flag}`, {
      hint: `use --format ${able.join(' or ')}`,
    });
  }
}
