/**
 * `npm run bench:explain -- [--tables every|spread|listed] [--files n] [--workers n] [--size 10TB] [--format tree] [--queries q1,q6]
 * [--rounds n]`: the whole process of `distq explain` over TPC-H tables that have statistics only.
 *
 *   every    each table has that many files and that many bytes
 *   spread   all tables together have that many bytes, in proportion to their values; nation and region are one file
 *   listed   as `spread`, with path, size and rows of each file in the spec
 *
 * Prints per query the least processor time and wall time of the rounds in milliseconds, the bytes printed and the tasks seen among the
 * variants. The first line is an empty Node process: processor time stretches on a busy machine too, and this says how far.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseByteSize } from '../../src/base/units.js';
import { corpusQueries } from '../support/queries.js';
import { repositoryRoot } from '../support/repository.js';
import { type DescribeFiles, tpchStatistics } from '../support/tpch-statistics.js';

const { values: options } = parseArgs({
  options: {
    tables: { type: 'string', default: 'every' },
    files: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '100' },
    size: { type: 'string', default: '10TB' },
    format: { type: 'string', default: 'tree' },
    queries: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string' },
  },
});

/** Makes a process tell its own processor time on a last line of stderr. */
const TELL_CPU =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();' +
  'process.stderr.write("\\ncpu "+(user+system)/1000)})';

interface Figures {
  readonly cpuMs: number;
  readonly wallMs: number;
}

function run(parameters: readonly string[]): Figures {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', TELL_CPU, ...parameters], { encoding: 'utf8' });
  const wallMs = performance.now() - start;
  const cpu = /\ncpu ([\d.]+)$/.exec(stderr)?.[1];
  if (status !== 0 || cpu === undefined) throw new Error(`${parameters.join(' ')} ended with ${status}: ${stderr}`);
  return { cpuMs: Number(cpu), wallMs };
}

function least(rounds: number, parameters: readonly string[]): Figures {
  const all = Array.from({ length: rounds }, () => run(parameters));
  return {
    cpuMs: Math.min(...all.map(({ cpuMs }) => cpuMs)),
    wallMs: Math.min(...all.map(({ wallMs }) => wallMs)),
  };
}

/** Files of sizes that differ by up to a half, and rows in proportion. */
function listedFiles(name: string, count: number, bytes: number, rows: number): object[] {
  const weights = Array.from({ length: count }, (_, index) => 1 + ((index * 7919) % 1009) / 2018);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let left = rows;
  return weights.map((weight, index) => {
    const own = index === count - 1 ? left : Math.floor((rows * weight) / all);
    left -= own;
    return {
      path: `${name}/part-${String(index).padStart(5, '0')}.parquet`,
      size: Math.floor((bytes * weight) / all),
      rows: own,
    };
  });
}

function filesOf(kind: string): DescribeFiles {
  const files = Number(options.files);
  const size = parseByteSize(options.size, '--size');
  const countOf = (name: string): number => (name === 'nation' || name === 'region' ? 1 : files);
  if (kind === 'every') return () => ({ count: files, totalSize: size });
  if (kind === 'spread') {
    return ({ name, share }) => ({ count: countOf(name), totalSize: Math.floor(size * share) });
  }
  if (kind === 'listed') {
    return ({ name, rows, share }) => listedFiles(name, countOf(name), size * share, rows);
  }
  throw new Error(`unknown tables "${kind}": every, spread or listed`);
}

function line(name: string, { cpuMs, wallMs }: Figures, rest = ''): string {
  return `${name.padEnd(6)} ${cpuMs.toFixed(0).padStart(7)} ${wallMs.toFixed(0).padStart(7)}${rest}`;
}

const scratch = mkdtempSync(join(tmpdir(), 'distq-scale-'));
try {
  const tables = await tpchStatistics(1_000_000, filesOf(options.tables));
  const wanted = options.queries?.split(',');
  const rounds = Number(options.rounds);
  const launcher = join(repositoryRoot, 'bin', 'distq.js');
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(
    `${options.tables}: ${options.files} files, ${options.size}, ${options.workers} workers, --format ${options.format}, ` +
      `${rounds} rounds, load ${load.join(' ')}`,
  );
  console.log('query   cpu ms wall ms       bytes   tasks');
  console.log(line('node', least(Math.max(rounds, 5), ['--eval', '0'])));
  let slowest = 0;
  for (const { name, sql } of corpusQueries('tpch')) {
    if (wanted !== undefined && !wanted.includes(name)) continue;
    const spec = join(options.keep ?? scratch, `${name}.json`);
    const output = join(scratch, `${name}.out`);
    writeFileSync(spec, JSON.stringify({ kind: 'distq.query', workers: Number(options.workers), tables, sql }));
    const parameters = [launcher, 'explain', spec, '--format', options.format, '-o', output, '--force'];
    const figures = least(rounds, parameters);
    slowest = Math.max(slowest, figures.cpuMs);
    const printed = readFileSync(output, 'utf8');
    const tasks = new Set([...printed.matchAll(/^[ │]+t(\d+): DataSourceExec/gm)].map(([, task]) => task));
    const bytes = statSync(output).size;
    console.log(line(name, figures, ` ${String(bytes).padStart(11)} ${String(tasks.size).padStart(7)}`));
  }
  console.log(`slowest: ${slowest.toFixed(0)} ms`);
} finally {
  rmSync(scratch, { recursive: true });
}
