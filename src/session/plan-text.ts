import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { workerCount } from '../cluster/coordinator/hosting.js';
import { DistqError } from '../base/errors.js';
import { distribute } from '../distributed/planner.js';
import { placeIn } from '../planfile/plan-text/plan-line.js';
import type { Doubt } from '../planfile/plan-text/read-context.js';
import { readPlanText } from '../planfile/plan-text/read-plan-text.js';
import type { FileTables } from '../planfile/plan-text/scans/scan-tables.js';
import { ParquetTable } from '../sources/parquet/parquet-table.js';
import { DataFrame } from './data-frame.js';
import type { SessionContext } from './session-context.js';

/**
 * The plan that DataFusion's EXPLAIN printed, distributed, as a frame. A text that leaves something open is shown as it stands and is a
 * `plan` error when it is asked for rows.
 */
export async function planTextFrame(text: string, directory: string, session: SessionContext): Promise<DataFrame> {
  const files = new SessionFiles(session, directory);
  const read = await readPlanText(text, { functions: session.registries.functions, config: session.config, files });
  session.config = read.config;
  const { config } = session;
  const { plan, notDistributed } = distribute(read.plan, { config, workerCount: workerCount(config) });
  const [doubt] = read.doubts;
  return new DataFrame(
    {
      logical: null,
      physical: read.plan,
      plan,
      notDistributedReason: notDistributed,
      sql: null,
      statisticsOnly: [],
      ...(doubt === undefined ? {} : { notRunnable: unclear(doubt) }),
    },
    session,
  );
}

function unclear({ line, reason }: Doubt): DistqError {
  const name = /^[^:\s]*/.exec(line.text)?.[0] ?? '';
  return new DistqError('plan', `the text of this ${name} has two readings: ${reason}`, {
    span: placeIn(line, 0, name.length),
    hint: 'explain shows the plan; to run it give both rows of EXPLAIN, or the query as SQL',
  });
}

/** The files that a plan names, as this session sees them. */
class SessionFiles implements FileTables {
  readonly #session: SessionContext;
  readonly #directory: string;

  constructor(session: SessionContext, directory: string) {
    this.#session = session;
    this.#directory = directory;
  }

  /** Object stores name files from the root, without a slash in front; a plan by hand may name them from its own folder. */
  async locate(path: string): Promise<string | undefined> {
    for (const candidate of [resolve('/', path), resolve(this.#directory, path), resolve(path)]) {
      const found = await stat(candidate).catch(() => undefined);
      if (found?.isFile() === true) return candidate;
    }
    return undefined;
  }

  async ofFiles(paths: readonly string[]): Promise<ParquetTable> {
    return await ParquetTable.ofFiles(paths, this.#session.config);
  }

  async holding(path: string): Promise<ParquetTable | undefined> {
    const { catalog } = this.#session;
    const located = await this.locate(path);
    for (const name of catalog.tablesBeside(located ?? path, located === undefined)) {
      const table = await catalog.table(name);
      if (!(table instanceof ParquetTable)) continue;
      const file = path.slice(path.lastIndexOf('/') + 1);
      if (
        table.files.some((known) => (located === undefined ? known.path.endsWith(`/${file}`) : known.path === located))
      ) {
        return table;
      }
    }
    return undefined;
  }
}
