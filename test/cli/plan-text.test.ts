/**
 * Plan files that cannot be read, as people see it: one sentence with file, place and remedy. Each golden is the exit code and both
 * outputs.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asDistqError } from '../../src/base/errors.js';
import { renderError } from '../../src/cli/render-error.js';
import { goldenFolder } from '../support/golden.js';
import { sortedRows, withFrame } from '../support/plan-text.js';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';
import { runDistq } from './run-distq.js';

const goldens = goldenFolder('test/cli/plan-text-golden');
const scratch = mkdtempSync(join(tmpdir(), 'distq-plan-text-'));
after(() => {
  rmSync(scratch, { recursive: true });
});

const nation =
  'DataSourceExec: file_groups={1 group: [[fixtures/tpch/nation/1.parquet]]}, projection=[n_nationkey, n_name], file_type=parquet';
const region =
  'DataSourceExec: file_groups={1 group: [[fixtures/tpch/region/1.parquet]]}, projection=[r_regionkey, r_name], file_type=parquet';
const join_ = 'HashJoinExec: mode=CollectLeft, join_type=Inner, on=[(r_regionkey@0, n_nationkey@0)]';

/** Lines by their level. */
function plan(...lines: readonly (readonly [level: number, text: string])[]): string {
  return lines.map(([level, text]) => `${'  '.repeat(level)}${text}\n`).join('');
}

interface Case {
  readonly command?: 'exec' | 'explain';
  readonly text: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'unknown-node': { text: plan([0, 'FliterExec: n_nationkey@0 > 3'], [1, nation]) },
  'node-of-another-plan': {
    text: plan(
      [0, 'SortMergeJoinExec: join_type=Inner, on=[(r_regionkey@0, n_nationkey@0)]'],
      [1, region],
      [1, nation],
    ),
  },
  'too-far-in': { text: plan([0, 'CoalescePartitionsExec'], [2, nation]) },
  'odd-indentation': { text: 'CoalescePartitionsExec\n   FilterExec: n_nationkey@0 > 3\n' },
  'two-roots': { text: plan([0, 'CoalescePartitionsExec'], [1, nation], [0, nation]) },
  'join-with-one-child': { text: plan([0, join_], [1, region]) },
  'join-with-three-children': { text: plan([0, join_], [1, region], [1, nation], [1, nation]) },
  'scan-with-a-child': { text: plan([0, nation], [1, region]) },
  'cut-after-a-filter': { text: plan([0, 'FilterExec: n_nationkey@0 > 3']) },
  'no-such-column': { text: plan([0, 'FilterExec: n_nationkey@0 > 3 AND x@7 = 1'], [1, nation]) },
  'index-beyond': { text: plan([0, 'FilterExec: n_nationkey@7 > 3'], [1, nation]) },
  'name-and-index-disagree': { text: plan([0, 'FilterExec: n_nationkey@1 > 3'], [1, nation]) },
  'projected-column': { text: plan([0, 'FilterExec: n_nationkey@0 > 3, projection=[n_name@0]'], [1, nation]) },
  'sort-key': { text: plan([0, 'SortExec: expr=[n_nam@1 ASC], preserve_partitioning=[false]'], [1, nation]) },
  'join-key': { text: plan([0, join_.replace('r_regionkey@0', 'r_regionkey@5')], [1, region], [1, nation]) },
  'join-filter': { text: plan([0, `${join_}, filter=r_name@0 > n_nam@1`], [1, region], [1, nation]) },
  'unknown-type': { text: plan([0, 'FilterExec: CAST(n_nationkey@0 AS Int65) > 3'], [1, nation]) },
  'unknown-function': { text: plan([0, 'FilterExec: uper(n_name@1) = CHINA'], [1, nation]) },
  'unknown-aggregate': {
    text: plan([0, 'AggregateExec: mode=Single, gby=[], aggr=[summ(nation.n_nationkey)]'], [1, nation]),
  },
  'types-differ': { text: plan([0, 'FilterExec: n_nationkey@0 = n_name@1'], [1, nation]) },
  'no-number': { text: plan([0, 'FilterExec: n_nationkey@0 > three'], [1, nation]) },
  'no-boolean': { text: plan([0, 'FilterExec: n_nationkey@0 + 1'], [1, nation]) },
  'final-without-partial': {
    text: plan([0, 'AggregateExec: mode=Final, gby=[], aggr=[count(Int64(1))]'], [1, nation]),
  },
  'partitions-disagree': {
    text: plan([0, 'RepartitionExec: partitioning=RoundRobinBatch(4), input_partitions=3'], [1, nation]),
  },
  'groups-disagree': { text: plan([0, nation.replace('1 group', '2 groups')]) },
  'range-beyond-the-file': { text: plan([0, nation.replace('1.parquet', '1.parquet:0..99999999')]) },
  'files-left-out': { text: plan([0, nation.replace('1.parquet', '1.parquet, ...')]) },
  'missing-file': { text: plan([0, nation.replace('nation/1', 'nation/17')]) },
  'column-of-the-table': { text: plan([0, nation.replace('n_name]', 'n_nam]')]) },
  'cut-in-a-scan': { text: plan([0, 'CoalescePartitionsExec'], [1, nation.slice(0, nation.indexOf(', file_type'))]) },
  'cut-in-a-list': { text: plan([0, 'SortExec: expr=[n_name@1 ASC, n_nat'], [1, nation]) },
  'rows-in-memory': { text: plan([0, 'DataSourceExec: partitions=1, partition_sizes=[1]']) },
  'logical-only': { text: 'Projection: Int64(1) AS a\n  EmptyRelation: rows=1\n' },
  'tree-format': {
    text: '┌───────────────────────────┐\n│       DataSourceExec      │\n└───────────────────────────┘\n',
  },
  'shortened-by-pyarrow': {
    text: 'pyarrow.Table\nplan_type: string\nplan: string\n----\nplan_type: [["physical_plan"]]\nplan: [["FilterExec: n_nationkey@0 > 3\n  DataSourceEx (... 929 chars omitted)"]]\n',
  },
  empty: { text: '\n' },
  'not-a-plan': { text: 'select 1\n' },
  'two-readings-explained': {
    text: plan([0, 'ProjectionExec: expr=[n_nationkey@0 - n_nationkey@0 - 1 as x]'], [1, nation]),
  },
  'two-readings-run': {
    command: 'exec',
    text: plan([0, 'ProjectionExec: expr=[n_nationkey@0 - n_nationkey@0 - 1 as x]'], [1, nation]),
  },
  'items-with-commas-run': {
    command: 'exec',
    text: plan([0, 'FilterExec: n_name@1 IN (SET) ([CHINA, INDIA, PERU, CHAD])'], [1, nation]),
  },
  'arguments-not-told-run': {
    command: 'exec',
    text: plan(
      [0, 'AggregateExec: mode=Single, gby=[], aggr=[sum(nation.n_nationkey * Int64(2) - Int64(1))]'],
      [1, nation],
    ),
  },
};

function normalised(text: string): string {
  return text.replaceAll(fixturesTpch.slice(1), '<fixtures>');
}

/** What the command prints, without a process for each. */
async function outcome({ command = 'explain', text }: Case): Promise<string> {
  const told = (code: number, stdout: string, stderr: string): string =>
    `exit ${code}\n--- stdout\n${stdout}--- stderr\n${stderr}`;
  try {
    const shown = await withFrame(text, 'plan', {}, async (frame) => {
      if (command === 'explain') return await frame.explain();
      return `${await sortedRows(frame)}\n`;
    });
    return told(0, shown, '');
  } catch (thrown) {
    const error = asDistqError(thrown);
    const same = (part: string): string => part;
    const paint = { bold: same, dim: same, red: same, cyan: same };
    return told(error.exitCode, '', renderError(error, { name: 'query.plan', text }, paint));
  }
}

for (const [name, asked] of Object.entries(CASES)) {
  test(name, async () => {
    goldens.match(`${name}.txt`, normalised(await outcome(asked)));
  });
}

test('the command line says the same, with its file', async () => {
  const file = join(scratch, 'query.plan');
  const asked = CASES['no-such-column']!;
  writeFileSync(file, asked.text);
  const { code, stdout, stderr } = await runDistq(['explain', file]);
  const text = `exit ${code}\n--- stdout\n${stdout}--- stderr\n${stderr}`.replaceAll(file, 'query.plan');
  assert.equal(text, await outcome(asked));
  const replanned = await runDistq(['explain', file, '--replan']);
  assert.equal(replanned.code, 2);
  assert.match(replanned.stderr, /--replan is for plans that explain --format json wrote/);
});

const counted = plan(
  [0, 'ProjectionExec: expr=[count(Int64(1))@0 as n]'],
  [1, 'AggregateExec: mode=Single, gby=[], aggr=[count(Int64(1))]'],
  [2, 'FilterExec: n_name@1 >= M'],
  [3, nation],
);

test('a plan from standard input, and one in a .txt file', async () => {
  const piped = await runDistq(['exec', '-', '--json', '--metrics', 'none'], { stdin: counted });
  assert.equal(piped.stdout, '[\n{"n":9}\n]\n', piped.stderr);
  const file = join(scratch, 'counted.txt');
  writeFileSync(file, counted);
  const { stdout, stderr } = await runDistq(['exec', file, '--json', '--metrics', 'none']);
  assert.equal(stdout, '[\n{"n":9}\n]\n', stderr);
});

test('files that --data has elsewhere, and lists that it completes', async () => {
  const folder = join(scratch, 'moved/nation');
  mkdirSync(folder, { recursive: true });
  const bytes = readFileSync(join(repositoryRoot, 'fixtures/tpch/nation/1.parquet'));
  for (let i = 1; i <= 7; i++) writeFileSync(join(folder, `${i}.parquet`), bytes);
  const files = [1, 2, 3, 4, 5].map((i) => `not/here/nation/${i}.parquet`).join(', ');
  const text = counted.replace('fixtures/tpch/nation/1.parquet', `${files}, ...`);
  const { stdout, stderr } = await runDistq(
    ['exec', '-', '--json', '--metrics', 'none', '--data', join(scratch, 'moved')],
    { stdin: text },
  );
  assert.equal(stdout, '[\n{"n":63}\n]\n', stderr);
});
