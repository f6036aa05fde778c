/**
 * Our distributed plans of a list of queries beside texts that datafusion-distributed printed for the same files and settings: one text
 * per query, as its `display_plan_ascii` writes it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distribute } from '../../src/distributed/planner.js';
import { renderTree } from '../../src/explain/tree.js';
import { settings as sessionConfig } from './plan-builders.js';
import { PlanningSession } from './planning-session.js';

export interface DistributedComparison {
  readonly name: string;
  /** Whether stages, tasks, partitions, boundaries and the shares of unions agree. */
  readonly sameStages: boolean;
  /** The first line that differs; null where the whole text is the same. */
  readonly difference: { readonly theirs: string; readonly ours: string } | null;
}

export interface DistributedComparisonOptions {
  readonly tables: Readonly<Record<string, string>>;
  readonly queries: readonly { readonly name: string; readonly sql: string }[];
  readonly settings: Readonly<Record<string, string>>;
  readonly workers: number;
  /** Holds `<query>.txt` for each query. */
  readonly reference: string;
}

/** By suite and query: why distq's plan differs on purpose. */
export const EXPLAINED_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

const LISTED_FILES = 5;

export async function compareDistributedPlans(options: DistributedComparisonOptions): Promise<DistributedComparison[]> {
  const { tables, queries, settings, workers, reference } = options;
  const session = await PlanningSession.open(tables, settings);
  const config = sessionConfig(settings);
  const compared: DistributedComparison[] = [];
  for (const { name, sql } of queries) {
    const file = join(reference, `${name}.txt`);
    const theirs = existsSync(file) ? readFileSync(file, 'utf8') : 'there is no reference text';
    let ours: string;
    try {
      const plans = await session.plan(sql);
      ours = plans
        .map(({ physical }) => renderTree(distribute(physical, { config, workerCount: workers }).plan))
        .join('');
    } catch (error) {
      ours = String(error);
    }
    compared.push({ name, ...compareTrees(theirs, ours) });
  }
  return compared;
}

/**
 * Two texts of stage trees. Of paths the table's folder and the file's name count. Lists of more than five files are cut in both as
 * upstream cuts them: distq's tree shows files whole on purpose.
 */
function compareTrees(theirs: string, ours: string): Omit<DistributedComparison, 'name'> {
  const left = lines(theirs);
  const right = lines(ours);
  const sameStages = stageLines(left).join('\n') === stageLines(right).join('\n');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    if (left[i] !== right[i]) return { sameStages, difference: { theirs: left[i] ?? '', ours: right[i] ?? '' } };
  }
  return { sameStages, difference: null };
}

/** What makes the stages: titles, boundaries, and how unions are shared out; of a plan that is not distributed, nothing. */
function stageLines(text: readonly string[]): string[] {
  return text.flatMap((line) => /┌─.*|\[Stage \d+\] => .*|DistributedUnionExec:.*/.exec(line)?.[0] ?? []);
}

function lines(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/[^\s,[\]]*\/(?=[^\s,[\]/]+\/[^\s,[\]/]+\.parquet)/g, '')
        .replace(/file_groups=\{.*?\]\]?(, \.\.\.\])?\}/g, cutFiles),
    );
}

function cutFiles(groups: string): string {
  return groups.replace(/\[([^[\]]+)\]/g, (_, list: string) => {
    const files = list.split(', ');
    return `[${files.length > LISTED_FILES ? [...files.slice(0, LISTED_FILES), '...'].join(', ') : list}]`;
  });
}
