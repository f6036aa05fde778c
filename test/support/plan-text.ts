/** Plans by way of their text, beside the same plans by way of SQL. */
import type { DataFrame } from '../../src/session/data-frame.js';
import type { QueryText } from '../../src/session/query-file.js';
import { SessionContext } from '../../src/session/session-context.js';
import { repositoryRoot } from './repository.js';

/** Everything spread over three workers. */
const SPREAD: readonly (readonly [string, string])[] = [
  ['distq.workers', '3'],
  ['distributed.file_scan_config_bytes_per_partition', '1'],
  ['distq.worker_mode', 'in_process'],
];

export interface FrameOptions {
  readonly data?: readonly string[];
  readonly partitions?: string;
}

/** Runs `use` on the last frame of a text. */
export async function withFrame<T>(
  text: string,
  form: QueryText['form'],
  { data = [], partitions = '2' }: FrameOptions,
  use: (frame: DataFrame) => Promise<T>,
): Promise<T> {
  const settings = [...SPREAD, ['execution.target_partitions', partitions] as const];
  const session = await SessionContext.create({ data, settings });
  try {
    let last: DataFrame | undefined;
    for await (const frame of session.queriesOf({ text, form, directory: repositoryRoot })) last = frame;
    if (last === undefined) throw new Error('the text gave no frame');
    return await use(last);
  } finally {
    await session.close();
  }
}

/** The physical and the distributed plan as explain shows them. */
export async function shownPlans(frame: DataFrame): Promise<{ physical: string; distributed: string }> {
  return { physical: await frame.explain({ plan: 'physical' }), distributed: await frame.explain() };
}

/** The rows, sorted: not every query says in which order they come. */
export async function sortedRows(frame: DataFrame): Promise<string> {
  const batches = await frame.collect();
  return batches
    .flatMap((batch) => batch.toArray().map((row) => JSON.stringify(row.toJSON(), exact)))
    .sort()
    .join('\n');
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
