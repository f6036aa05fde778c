/**
 * Plug-ins on the command line: what the worked examples print, that a stored plan is read back with its plug-in and asks for it without,
 * and one sentence for every plug-in that is wrong. Each golden is the command's exit code and both outputs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DistqError } from '../../src/base/errors.js';
import { renderError } from '../../src/cli/render-error.js';
import { paintFor } from '../../src/cli/terminal.js';
import { SessionContext } from '../../src/session/index.js';
import { goldenFolder } from '../support/golden.js';
import { repositoryRoot } from '../support/repository.js';
import { writeBadPlugins } from './bad-plugins.js';
import { runDistq } from './run-distq.js';

const goldens = goldenFolder('test/cli/plugin-golden');
const scratch = mkdtempSync(join(tmpdir(), 'distq-plugin-cli-'));
writeBadPlugins(scratch);
after(() => {
  rmSync(scratch, { recursive: true });
});

const example = (name: string): string[] => ['--plugin', join(repositoryRoot, 'fixtures/plugins', name)];
const inProcess = ['--set', 'distq.worker_mode=in_process'];
const quiet = ['--metrics', 'none'];
const union =
  "select tag, worker from worker_url('a', 'first') union all select tag, worker from worker_url('b', 'last') union all select tag, worker from worker_url('c')";
const byTag = `select tag, count(*) as tasks, min(worker) as first, max(worker) as last from (${union}) group by tag order by tag`;

const run = (plugin: string, sql = 'select sum(n) from numbers'): string[] => [
  'exec',
  '--plugin',
  plugin,
  ...['--workers', '3', ...inProcess, ...quiet, '--sql', sql],
];

/** In this order: later ones read what earlier ones wrote. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  'url-emitter-explain': ['explain', ...example('url-emitter.mjs'), '--workers', '4', '--sql', union],
  'url-emitter-exec': [
    'exec',
    ...example('url-emitter.mjs'),
    ...['--workers', '4', ...inProcess, ...quiet, '--sql', byTag],
  ],
  'pages-metrics': [
    'exec',
    ...example('paged-list.mjs'),
    ...[
      '--workers',
      '1',
      '--metrics',
      'full',
      '--json',
      '--sql',
      'select count(*) as n, sum(item) as s from pages(7, 10)',
    ],
  ],
  'pages-analyze': [
    'explain',
    '--analyze',
    ...example('paged-list.mjs'),
    ...['--workers', '2', ...inProcess, '--sql', 'select count(*) as n, sum(item) as s from pages(7, 10)'],
  ],
  'show-tables': ['exec', '--plugin', 'not-dealt.mjs', ...quiet, '--sql', 'show tables; describe numbers'],

  'plan-stored': [
    'explain',
    ...example('url-emitter.mjs'),
    ...['--workers', '2', '--format', 'json', '-o', 'plan.json', '--sql', byTag],
  ],
  'plan-read': ['exec', 'plan.json', ...example('url-emitter.mjs'), ...inProcess, ...quiet],
  'plan-without-plug-in': ['exec', 'plan.json', ...quiet],

  // Exit 2: the plug-in cannot be loaded. More of them below.
  'no-such-plug-in': run('nowhere.mjs'),
  throws: run('throws.mjs'),
  // Exit 3: handlers that answer nonsense.
  'minus-one': [
    'explain',
    ...run('minus-one.mjs')
      .slice(1)
      .filter((arg) => !quiet.includes(arg)),
  ],
  'unknown-worker': run('unknown-worker.mjs'),
  'bad-unit': run('bad-unit.mjs', 'select sum(n) from fed'),
  'throws-later': run('throws-later.mjs'),
  'throws-beside': run('throws-beside.mjs', 'select 1'),
};

/** The same in this process, all into one golden: what goes wrong, as the command line would tell it. */
const FAULTS: readonly (readonly [plugins: string | readonly string[], sql?: string])[] = [
  ['.'],
  ['https://example.org/p.mjs'],
  ['no-default.mjs'],
  ['no-function.mjs'],
  ['syntax.mjs'],
  ['newer.mjs'],
  ['unknown-part.mjs'],
  ['two-tables.mjs'],
  [['not-dealt.mjs', 'minus-one.mjs']],
  ['no-schema.mjs'],
  ['handler-throws.mjs'],
  ['fraction.mjs'],
  ['not-a-number.mjs'],
  ['not-dealt.mjs'],
  ['two-variants.mjs'],
  ['other-schema.mjs'],
  ['other-partitions.mjs'],
  ['one-url.mjs'],
  ['rewrites-schema.mjs'],
  ['lossy-codec.mjs'],
  ['bad-rows.mjs'],
  ['huge-unit.mjs', 'select sum(n) from fed'],
  ['squares.mjs', "select * from squares('a')"],
  ['squares.mjs', 'select * from squares(1 + 1)'],
  ['squares.mjs', 'select * from square(2)'],
  ['squares.mjs', 'select * from squares(n)'],
];

/** The error of a query over plug-ins, as the command line prints it. */
async function fault(plugins: readonly string[], sql: string): Promise<string> {
  let session: SessionContext | undefined;
  try {
    session = await SessionContext.create({
      plugins,
      cwd: scratch,
      settings: [
        ['distq.workers', '3'],
        ['distq.worker_mode', 'in_process'],
      ],
    });
    await (await session.sql(sql)).collect();
  } catch (error) {
    assert.ok(error instanceof DistqError, String(error));
    return `exit ${error.exitCode}\n${renderError(error, { name: '<sql>', text: sql }, PLAIN)}`;
  } finally {
    await session?.close();
  }
  return 'no fault\n';
}

const PLAIN = await paintFor({ isTerminal: false, colour: false, columns: 80 });

test('faults', async () => {
  const told: string[] = [];
  for (const [plugins, sql = 'select sum(n) from numbers'] of FAULTS) {
    const list = typeof plugins === 'string' ? [plugins] : plugins;
    told.push(`## ${list.join(', ')}: ${sql}\n${await fault(list, sql)}`);
  }
  assert.ok(!told.join('').includes('no fault'), told.join(''));
  goldens.match('faults.txt', normalised(told.join('\n')));
});

function normalised(text: string): string {
  return (
    text
      .replaceAll(scratch, '<scratch>')
      .replaceAll(repositoryRoot, '<repository>')
      .replace(/\d+\.\d\d(ns|µs|ms|s)\b|\b\d+ns\b/g, '<time>')
      // The first task to fail is told.
      .replace(/task \d, on worker \d/g, 'task <n>, on worker <n>')
      // Which task takes how many units depends on the machine, and so does the width of a column of times.
      .replace(/(row_skew|output_batches)=[^,\]\n]+/g, '$1=<n>')
      .replace(/│ +(?=<time> │|compute │|finished at │)/g, '│ ')
      .replace(/^[┌├└][─┬┼┴]+[┐┤┘]$/gm, '──')
  );
}

for (const [name, args] of Object.entries(CASES)) {
  test(name, async () => {
    const { code, signal, stdout, stderr } = await runDistq(args, { cwd: scratch });
    const command = `distq ${args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`;
    goldens.match(
      `${name}.txt`,
      normalised(`$ ${command}\nexit ${code ?? signal}\n--- stdout\n${stdout}--- stderr\n${stderr}`),
    );
  });
}
