/**
 * Runs DataFusion beside distq on the same files and prints, per query, `identical` or the first differing line:
 *
 *     npm run plans:compare -- [tpch|tpcds|clickbench] [--data dir] [--partitions n] [--set key=value] [--statistics] [q1 q2 …]
 *
 * With `--reference <folder>` (or DISTQ_REFERENCE) it compares distributed plans with the texts there, `q1.txt` and so on, that
 * datafusion-distributed printed; `--workers n` (default 4) as it had. CONTRIBUTING.md tells how such a folder is made.
 *
 * `--data` holds one folder per table (default: the fixtures for tpch, a table made on the spot for clickbench). Exit code 7 when plans differ.
 */
import { parseArgs } from 'node:util';
import {
  compareDistributedPlans,
  type DistributedComparisonOptions,
  EXPLAINED_DIFFERENCES,
} from '../support/distributed-comparison.js';
import { hitsFolder, makeHits } from '../support/hits-data.js';
import { type ComparisonOptions, comparePlans } from '../support/plan-comparison.js';
import { tableFolders } from '../support/planning-session.js';
import { corpusQueries } from '../support/queries.js';
import { fixturesTpch } from '../support/repository.js';
import { skipWithoutYardstick } from '../support/yardsticks.js';

const SUITES = ['tpch', 'tpcds', 'clickbench'] as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      partitions: { type: 'string', default: '3' },
      workers: { type: 'string', default: '4' },
      set: { type: 'string', multiple: true, default: [] },
      statistics: { type: 'boolean', default: false },
      reference: { type: 'string' },
    },
  });
  const reference = values.reference ?? process.env.DISTQ_REFERENCE;
  const missing = reference === undefined ? skipWithoutYardstick('datafusion') : false;
  if (missing !== false) {
    console.log(`skipped: ${missing}`);
    return 0;
  }
  const suite = SUITES.find((name) => positionals.includes(name)) ?? 'tpch';
  const wanted = positionals.filter((name) => !SUITES.some((known) => known === name));
  const queries = corpusQueries(suite).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const given = values.set.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  if (suite === 'clickbench' && values.data === undefined) await makeHits();
  const folder = values.data ?? (suite === 'clickbench' ? hitsFolder : fixturesTpch);
  const request = {
    tables: tableFolders(folder),
    queries,
    settings: { 'execution.target_partitions': values.partitions, ...Object.fromEntries(given) },
  };
  if (reference === undefined) return compareWithDataFusion({ ...request, statistics: values.statistics });
  return compareWithReference({ ...request, workers: Number(values.workers), reference }, suite);
}

async function compareWithDataFusion(request: ComparisonOptions): Promise<number> {
  const compared = await comparePlans(request);
  for (const { name, difference } of compared) {
    if (difference === null) console.log(`${name}: identical`);
    else printDifference(`${name}: differs after ${difference.step}`, 'DataFusion', difference);
  }
  const identical = compared.filter(({ difference }) => difference === null).length;
  console.log(`${identical} of ${compared.length} identical`);
  return identical === compared.length ? 0 : 7;
}

async function compareWithReference(request: DistributedComparisonOptions, suite: string): Promise<number> {
  const compared = await compareDistributedPlans(request);
  let unexplained = 0;
  for (const { name, sameStages, difference } of compared) {
    if (difference === null) {
      console.log(`${name}: stages identical, text identical`);
      continue;
    }
    const reason = EXPLAINED_DIFFERENCES[suite]?.[name];
    if (reason === undefined) unexplained++;
    const stages = sameStages ? 'stages identical' : 'stages differ';
    const explained = reason === undefined ? '' : ` (explained: ${reason})`;
    printDifference(`${name}: ${stages}, text differs${explained}`, 'datafusion-distributed', difference);
  }
  const stages = compared.filter(({ sameStages }) => sameStages).length;
  const texts = compared.filter(({ difference }) => difference === null).length;
  console.log(`of ${compared.length}: stages identical ${stages}, text identical ${texts}, unexplained ${unexplained}`);
  return unexplained === 0 ? 0 : 7;
}

function printDifference(title: string, name: string, { theirs, ours }: { theirs: string; ours: string }): void {
  console.log(title);
  const [left, right] = excerpt(theirs, ours);
  console.log(`  ${name}: ${left}`);
  console.log(`  distq:${' '.repeat(name.length - 4)}${right}`);
}

/** The differing part of two lines, with what stands around it. */
function excerpt(theirs: string, ours: string): readonly [string, string] {
  let same = 0;
  while (same < theirs.length && theirs[same] === ours[same]) same++;
  const start = Math.max(same - 120, 0);
  const cut = (line: string): string =>
    `${start > 0 ? '…' : ''}${line.slice(start, same + 160)}${line.length > same + 160 ? '…' : ''}`;
  return [cut(theirs), cut(ours)];
}

process.exitCode = await main();
