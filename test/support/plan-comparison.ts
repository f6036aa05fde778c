/** Our plans of a list of queries beside DataFusion's. */
import { displayIndent } from '../../src/physical/display.js';
import { datafusionSteps, type DataFusionStep } from './datafusion-steps.js';
import { PlanningSession, type PlannedQuery } from './planning-session.js';

export interface ComparedQuery {
  readonly name: string;
  /** null: the finished physical plans are the same text. */
  readonly difference: Difference | null;
}

export interface Difference {
  /** The first step after which the plans differ (`logical_plan`, `join_selection`, …), or `error`. */
  readonly step: string;
  readonly theirs: string;
  readonly ours: string;
}

export interface ComparisonOptions {
  readonly tables: Readonly<Record<string, string>>;
  readonly queries: readonly { readonly name: string; readonly sql: string }[];
  readonly settings: Readonly<Record<string, string>>;
  /** Compare the statistics of the initial plan too. */
  readonly statistics?: boolean;
}

/** DataFusion's steps that change nothing under the settings that distq has. */
const UNTAKEN_STEPS: ReadonlySet<string> = new Set(['WindowTopN', 'HashJoinBuffering', 'EnsureCooperative']);

export async function comparePlans(options: ComparisonOptions): Promise<ComparedQuery[]> {
  const { tables, queries, settings, statistics = false } = options;
  const session = await PlanningSession.open(tables, settings);
  const theirs = datafusionSteps({ tables, queries: queries.map(({ sql }) => sql), settings });
  const compared: ComparedQuery[] = [];
  for (const [i, { name, sql }] of queries.entries()) {
    const steps = theirs[i] ?? [];
    let ours: PlannedQuery | string;
    try {
      ours = (await session.plan(sql)).at(-1) ?? 'no query in the text';
    } catch (error) {
      ours = String(error);
    }
    compared.push({ name, difference: compare(steps, ours, statistics) });
  }
  return compared;
}

function compare(
  steps: readonly DataFusionStep[],
  ours: PlannedQuery | string,
  statistics: boolean,
): Difference | null {
  const failed = steps.find(({ kind }) => kind === 'error');
  if (failed !== undefined || typeof ours === 'string') {
    return { step: 'error', theirs: failed?.text ?? '', ours: typeof ours === 'string' ? ours : '' };
  }
  const text = (kind: string): string => steps.findLast((step) => step.kind === kind)?.text ?? '';
  if (statistics) {
    const initial = ours.steps[0]?.plan;
    const stated = initial === undefined ? '' : displayIndent(initial, { full: true, statistics: true });
    const expected = text('initial_physical_plan_with_stats').replace(/ Sum=\w+\([^ ]*\)/g, '');
    const line = firstDifference(expected, stated);
    if (line !== null) return { step: 'statistics', ...line };
  }
  // VERBOSE lists all files.
  const finished = firstDifference(text('physical_plan'), displayIndent(ours.physical, { full: true }));
  if (finished === null) return null;
  const logical = firstDifference(text('logical_plan'), ours.logical);
  if (logical !== null) return { step: 'logical_plan', ...logical };
  const physical = steps
    .map(({ kind, text: plan }) => ({ step: kind.replace('physical_plan after ', ''), kind, plan }))
    .filter(({ kind, step }) => kind === 'initial_physical_plan' || (step !== kind && !UNTAKEN_STEPS.has(step)));
  for (const [i, { step, plan }] of physical.entries()) {
    const mine = ours.steps[i];
    const line = mine === undefined ? null : firstDifference(plan, displayIndent(mine.plan, { full: true }));
    if (line !== null) return { step, ...line };
  }
  return { step: 'physical_plan', ...finished };
}

function firstDifference(theirs: string, ours: string): Omit<Difference, 'step'> | null {
  const left = theirs.split('\n');
  const right = ours.split('\n');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    if (left[i] !== right[i]) return { theirs: left[i] ?? '', ours: right[i] ?? '' };
  }
  return null;
}
