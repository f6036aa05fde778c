/**
 * `npm run bench -- tpch --scale 1 [--rounds n] [--queries q1,q6] [--cold]`: distq (2 workers) and DuckDB (2 threads) over the same
 * files in interleaved rounds. First column pair: both warm in one process; with `--cold` also whole processes from start to exit.
 * Prints milliseconds (medians over the rounds) and the ratio distq ÷ DuckDB per query and in total; row counts must agree.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { SessionContext } from '../../src/session/session-context.js';
import { corpusFolder } from '../support/corpora.js';
import { repositoryRoot } from '../support/repository.js';

interface Contestants {
  readonly distq: () => Promise<number>;
  readonly duckdb: () => Promise<number>;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    queries: { type: 'string' },
    workers: { type: 'string', default: '2' },
    threads: { type: 'string', default: '2' },
    cold: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
  },
});

/** The queries of a text, without the statements that only define things. */
function statementsOf(sql: string): string[] {
  return sql
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

async function timed(run: () => Promise<number>): Promise<{ ms: number; rows: number }> {
  const start = performance.now();
  const rows = await run();
  return { ms: performance.now() - start, rows };
}

function runCold(command: string, args: readonly string[]): number {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${result.status}: ${result.stderr}`);
  return Number(result.stdout.trim().split('\n').at(-1) ?? '0');
}

async function main(): Promise<void> {
  const [suite = 'tpch'] = positionals;
  if (suite !== 'tpch') throw new Error(`unknown suite "${suite}": tpch is there`);
  const data = join(process.env['DISTQ_DATA'] ?? join(repositoryRoot, 'data'), `tpch-${options.scale}`);
  if (!existsSync(data)) throw new Error(`no data at ${data}: npm run data -- tpch ${options.scale} --files 16`);
  const folder = join(corpusFolder('tpch'), 'queries');
  const wanted = options.queries?.split(',');
  const names = readdirSync(folder)
    .map((file) => file.replace(/\.sql$/, ''))
    .filter((name) => wanted === undefined || wanted.includes(name))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

  const session = await SessionContext.create({
    data: [data],
    settings: [
      ['distq.workers', options.workers],
      ...options.set.map((pair): [string, string] => {
        const equals = pair.indexOf('=');
        return [pair.slice(0, equals), pair.slice(equals + 1)];
      }),
    ],
  });
  const instance = await DuckDBInstance.create(':memory:', { threads: options.threads });
  const connection = await instance.connect();
  for (const table of readdirSync(data)) {
    await connection.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet('${data}/${table}/*.parquet')`);
  }

  const contestants = (sql: string): Contestants => ({
    distq: async () => {
      let rows = 0;
      for await (const frame of session.queries(sql)) {
        for await (const batch of frame.batches()) rows += batch.numRows;
      }
      return rows;
    },
    duckdb: async () => {
      let rows = 0;
      for (const statement of statementsOf(sql)) {
        const reader = await connection.runAndReadAll(statement);
        if (!/^(create|drop)/i.test(statement)) rows += reader.currentRowCount;
      }
      return rows;
    },
  });

  const launcher = join(repositoryRoot, 'bin', 'distq.js');
  const duckLauncher = fileURLToPath(new URL('duckdb-cold.js', import.meta.url));
  const cold = (name: string): Contestants => {
    const file = join(folder, `${name}.sql`);
    return {
      distq: async () => {
        runCold(process.execPath, [
          launcher,
          'exec',
          file,
          '--data',
          data,
          '--workers',
          options.workers,
          '--format',
          'none',
          '--metrics',
          'none',
        ]);
        return 0;
      },
      duckdb: async () => {
        runCold(process.execPath, [duckLauncher, file, data, options.threads]);
        return 0;
      },
    };
  };

  const columns = options.cold ? (['warm', 'cold'] as const) : (['warm'] as const);
  const totals = new Map(columns.map((column) => [column, { distq: 0, duckdb: 0 }]));
  const rounds = Number(options.rounds);
  console.log(
    `TPC-H scale ${options.scale}, ${options.workers} workers against ${options.threads} threads, ${rounds} rounds`,
  );
  console.log(`query  ${columns.map((column) => `${column}: distq ms   DuckDB ms   ratio`).join('    ')}`);
  for (const name of names) {
    const sql = readFileSync(join(folder, `${name}.sql`), 'utf8');
    const cells: string[] = [];
    for (const column of columns) {
      const { distq, duckdb } = column === 'warm' ? contestants(sql) : cold(name);
      const mine: number[] = [];
      const theirs: number[] = [];
      // A first round for both that is not counted.
      for (let round = -1; round < rounds; round++) {
        const first = round % 2 === 0;
        const a = first ? await timed(distq) : undefined;
        const b = await timed(duckdb);
        const c = a ?? (await timed(distq));
        if (c.rows !== b.rows) throw new Error(`${name}: ${c.rows} rows instead of ${b.rows}`);
        if (round < 0) continue;
        mine.push(c.ms);
        theirs.push(b.ms);
      }
      const total = totals.get(column);
      if (total !== undefined) {
        total.distq += median(mine);
        total.duckdb += median(theirs);
      }
      cells.push(row(column, median(mine), median(theirs)));
    }
    console.log(`${name.padEnd(5)}  ${cells.join('    ')}`);
  }
  const cells = columns.map((column) => row(column, totals.get(column)?.distq ?? 0, totals.get(column)?.duckdb ?? 0));
  console.log(`total  ${cells.join('    ')}`);
  await session.close();
  connection.closeSync();
  instance.closeSync();
}

function row(column: string, mine: number, theirs: number): string {
  const pad = ' '.repeat(column.length + 2);
  return `${pad}${mine.toFixed(1).padStart(8)}   ${theirs.toFixed(1).padStart(9)}   ${(mine / theirs).toFixed(2).padStart(5)}`;
}

await main();
