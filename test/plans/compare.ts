/**
 * Runs DataFusion beside distq on the same files and prints, per query, `identical` or the first differing line:
 *
 *     npm run plans:compare -- [tpch|tpcds|clickbench] [--data dir] [--partitions n] [--set key=value] [--statistics] [q1 q2 …]
 *
 * `--data` holds one folder per table (default: the fixtures for tpch, a table made on the spot for clickbench). Exit code 7 when plans differ.
 */
import { parseArgs } from 'node:util';
import { hitsFolder, makeHits } from '../support/hits-data.js';
import { comparePlans } from '../support/plan-comparison.js';
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
      set: { type: 'string', multiple: true, default: [] },
      statistics: { type: 'boolean', default: false },
    },
  });
  const missing = skipWithoutYardstick('datafusion');
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
  const compared = await comparePlans({
    tables: tableFolders(folder),
    queries,
    settings: { 'execution.target_partitions': values.partitions, ...Object.fromEntries(given) },
    statistics: values.statistics,
  });
  for (const { name, difference } of compared) {
    if (difference === null) console.log(`${name}: identical`);
    else {
      console.log(`${name}: differs after ${difference.step}`);
      const [theirs, ours] = excerpt(difference.theirs, difference.ours);
      console.log(`  DataFusion: ${theirs}`);
      console.log(`  distq:      ${ours}`);
    }
  }
  const identical = compared.filter(({ difference }) => difference === null).length;
  console.log(`${identical} of ${compared.length} identical`);
  return identical === compared.length ? 0 : 7;
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
