/** One large and many small files: idle partitions of a task take from the busy one, and only where the setting lets them. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SessionContext } from '../../src/session/session-context.js';
import { DuckDB } from '../support/duckdb.js';
import { queryRows } from '../oracle/run-text.js';

const root = mkdtempSync(join(tmpdir(), 'distq-skew-'));
const SMALL_FILES = 24;
const SMALL_ROWS = 100;
const ROWS = 200_000 + SMALL_FILES * SMALL_ROWS;

before(async () => {
  const table = join(root, 'skewed');
  mkdirSync(table);
  const duckdb = await DuckDB.over();
  const write = (name: string, rows: string): Promise<void> =>
    duckdb.run(
      `COPY (SELECT range AS k, 'text ' || range AS t FROM ${rows}) TO '${join(table, name)}' (FORMAT parquet, ROW_GROUP_SIZE 10240)`,
    );
  // By name the large file comes first: its partition is busy with it while small ones wait behind it.
  await write('00.parquet', 'range(200000)');
  for (let i = 1; i <= SMALL_FILES; i++) {
    await write(`${String(i).padStart(2, '0')}.parquet`, `range(${i * 1_000_000}, ${i * 1_000_000 + SMALL_ROWS})`);
  }
  duckdb.close();
});
after(() => {
  rmSync(root, { recursive: true });
});

interface Outcome {
  readonly rows: unknown;
  /** Per task that read files: what it took from other partitions, and all it opened. */
  readonly tasks: readonly { readonly stolen: number; readonly opened: number; readonly rows: number }[];
}

async function run(settings: Readonly<Record<string, string>>): Promise<Outcome> {
  const session = await SessionContext.create({ data: [root], settings: Object.entries(settings) });
  try {
    const { rows, frame } = await queryRows(session, 'select count(*), sum(k), max(t) from skewed');
    const tasks = (frame.metrics()?.operators ?? [])
      .filter(({ operator }) => operator === 'DataSourceExec' || operator === 'DistributedLeafExec')
      .map((leaf) => ({
        stolen: Number(leaf['files_stolen'] ?? 0),
        opened: Number(leaf['files_opened'] ?? 0),
        rows: leaf.output_rows,
      }));
    return { rows, tasks };
  } finally {
    await session.close();
  }
}

const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'one task': { 'distq.workers': '1' },
  'two tasks in process': {
    'distq.workers': '2',
    'distq.worker_mode': 'in_process',
    'distributed.file_scan_config_bytes_per_partition': '1',
  },
  'two tasks in child processes': {
    'distq.workers': '2',
    'distq.worker_mode': 'processes',
    'distributed.file_scan_config_bytes_per_partition': '1',
  },
};

describe('file ranges between the partitions of a task', () => {
  for (const [place, settings] of Object.entries(places)) {
    test(place, { timeout: 60_000 }, async () => {
      const shape = { ...settings, 'execution.target_partitions': '4' };
      const on = await run({ ...shape, 'execution.enable_file_stream_work_stealing': 'true' });
      const off = await run({ ...shape, 'execution.enable_file_stream_work_stealing': 'false' });
      assert.deepEqual(on.rows, off.rows);
      const total = (outcome: Outcome, key: 'stolen' | 'rows'): number =>
        outcome.tasks.reduce((sum, task) => sum + task[key], 0);
      assert.deepEqual([total(on, 'rows'), total(off, 'rows')], [ROWS, ROWS]);
      assert.equal(total(off, 'stolen'), 0);
      assert.ok(total(on, 'stolen') > 0, 'nothing moved');
      // What moves stays in its task: each opens as many pieces as without.
      assert.deepEqual(
        on.tasks.map(({ opened }) => opened),
        off.tasks.map(({ opened }) => opened),
      );
    });
  }
});
