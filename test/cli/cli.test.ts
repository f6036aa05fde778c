/**
 * The command line as people use it: each case is a command, its golden the exit code and both outputs as they print. Times and
 * paths of the machine are normalised, row counts are not. `UPDATE_GOLDEN=1` rewrites the goldens; read the diff.
 */
import { after, test } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goldenFolder } from '../support/golden.js';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';
import { makeBadInputs } from './bad-inputs.js';
import { type RunOptions, runDistq } from './run-distq.js';

const goldens = goldenFolder('test/cli/golden');
const scratch = mkdtempSync(join(tmpdir(), 'distq-cli-'));
after(() => {
  rmSync(scratch, { recursive: true });
});
const bad = makeBadInputs(scratch);

const data = ['--data', 'fixtures/tpch'];
const quiet = ['--metrics', 'none'];
const spread = ['--workers', '2', '--set', 'distributed.file_scan_config_bytes_per_partition=1'];

interface Case {
  readonly args: readonly string[];
  readonly options?: RunOptions;
}

function sql(text: string, ...more: string[]): Case {
  return { args: ['exec', '--sql', text, ...data, ...quiet, ...more] };
}

const CASES: Readonly<Record<string, Case>> = {
  // What people see.
  table: sql('select * from region order by r_regionkey'),
  'table-max-rows': sql('select n_name, n_regionkey from nation order by 1', '--max-rows', '2'),
  csv: sql(
    "select n_nationkey, n_name, null as nothing, '' as empty from nation order by 1 limit 3",
    '--format',
    'csv',
  ),
  tsv: sql('select r_regionkey, r_name from region order by 1', '--format', 'tsv'),
  json: sql('select r_regionkey, r_name from region order by 1 limit 2', '--json'),
  'json-no-rows': sql('select r_name from region where r_regionkey > 9', '--json'),
  ndjson: sql('select r_regionkey, r_name from region order by 1', '--format', 'ndjson'),
  markdown: sql('select r_regionkey, r_name from region order by 1', '--format', 'markdown'),
  vertical: sql('select r_regionkey, r_name from region order by 1 limit 2', '--format', 'vertical'),
  none: sql('select * from region', '--format', 'none'),
  'exact-numbers': sql(
    'select 9007199254740993 as big, cast(1.10 as decimal(4, 2)) as cents, 0.1 + 0.2 as float, -0.0 as zero',
    '--json',
  ),
  'exact-wide-numbers': sql(
    "select -9223372036854775807 - 1 as least, 9223372036854775807 as most, cast('12345678901234567890123456789012345678' as decimal(38, 0)) as wide, cast('-99999999999999999999999999999.999999999' as decimal(38, 9)) as wide_fraction, cast('0.00' as decimal(4, 2)) as nothing, cast('-0.05' as decimal(4, 2)) as little; select min(l_orderkey) as k, sum(l_extendedprice * l_discount * l_tax) as s, sum(cast(l_extendedprice as decimal(38, 10))) as w from lineitem",
    '--json',
  ),
  'quoted-numbers': sql('select 9007199254740993 as big, 1 as one, 1.5 as float', '--json', '--json-numbers', 'string'),
  'several-statements': sql(
    'set execution.batch_size = 100; create view r as select r_name as name from region; select count(*) as n from r; select * from r order by name limit 1; drop view r',
    '--json',
  ),
  'external-table': {
    args: [
      'exec',
      '--sql',
      "create external table n stored as parquet location 'fixtures/tpch/nation'; select count(*) as n from n",
      '--json',
      ...quiet,
    ],
  },
  'path-in-from': {
    args: ['exec', '--sql', "select count(*) as n from 'fixtures/tpch/nation/*.parquet'", '--json', ...quiet],
  },
  'named-root': {
    args: ['exec', '--sql', 'select count(*) as n from t', '--data', 't=fixtures/tpch/nation', '--json', ...quiet],
  },
  stdin: {
    args: ['exec', '-', ...data, '--json', ...quiet],
    options: { stdin: '\uFEFFselect r_name\r\nfrom region -- a comment\r\norder by 1 limit 1;\r\n' },
  },
  'show-tables': sql('show tables'),
  describe: sql('describe nation'),
  'show-setting': sql('show execution.batch_size'),
  'explain-sql': sql('explain select count(*) from nation', '--format', 'vertical'),
  'metrics-json-shape': {
    args: [
      'exec',
      '--sql',
      'select count(*) as n from nation where n_regionkey = 1',
      ...data,
      '--json',
      '--metrics',
      'none',
    ],
  },
  explain: { args: ['explain', '--sql', 'select n_regionkey, count(*) from nation group by 1', ...data, ...spread] },
  'explain-analyze': {
    args: [
      'explain',
      '--analyze',
      '--sql',
      'select n_regionkey, count(*) from nation group by 1',
      ...data,
      ...spread,
      '--set',
      'distq.worker_mode=in_process',
    ],
  },
  'explain-analyze-sql': sql(
    'explain analyze select count(*) from nation where n_regionkey = 1',
    '--format',
    'vertical',
  ),
  'explain-physical': {
    args: ['explain', '--plan', 'physical', '--sql', 'select n_regionkey, count(*) from nation group by 1', ...data],
  },
  'explain-logical': {
    args: ['explain', '--plan', 'logical', '--sql', 'select n_regionkey, count(*) from nation group by 1', ...data],
  },
  'explain-collapse': {
    args: [
      'explain',
      '--sql',
      'select n_regionkey, count(*) from nation group by 1',
      ...data,
      ...spread,
      '--collapse',
      '--annotate',
      '--task-view',
      'ranges',
    ],
  },
  'explain-lint': {
    args: [
      'explain',
      '--sql',
      'select count(*) from nation a, nation b where a.n_name < b.n_name',
      ...data,
      '--lint',
      '--plan',
      'physical',
    ],
  },
  'explain-fail-on': {
    args: [
      'explain',
      '--sql',
      'select count(*) from nation a, nation b where a.n_name < b.n_name',
      ...data,
      '--format',
      'json',
      '--fail-on',
      'cross-join',
      '-o',
      join(scratch, 'plan.json'),
    ],
  },
  'explain-diff-set': {
    args: [
      'explain',
      '--sql',
      'select count(*) from nation join region on n_regionkey = r_regionkey',
      ...data,
      ...spread,
      '--diff-set',
      'distributed.broadcast_joins=false',
    ],
  },
  'explain-diff-plan': { args: ['explain', '--sql', 'select 1', '--diff', 'README.md', '--plan', 'logical'] },
  'explain-diff-file': {
    args: ['explain', '--sql', 'select 1', '--diff', 'no/such.sql', '--plan', 'physical'],
  },
  'explain-not-distributed': { args: ['explain', '--sql', 'select * from region', ...data] },

  // Usage: exit 2.
  'no-arguments': { args: [] },
  'no-query': { args: ['exec'] },
  'no-such-file': { args: ['exec', 'select 1'] },
  'query-and-sql': { args: ['exec', 'x.sql', '--sql', 'select 1'] },
  'unknown-command': { args: ['exce'] },
  'unknown-flag': { args: ['exec', '--sql', 'select 1', '--wrokers', '2'] },
  'unknown-format': sql('select 1', '--format', 'jsn'),
  'unknown-setting': sql('select 1', '--set', 'execution.batch_sise=1'),
  'setting-out-of-range': sql('select 1', '--set', 'execution.batch_size=0'),
  'setting-without-value': sql('select 1', '--set', 'execution.batch_size'),
  'bad-workers': sql('select 1', '--workers', 'many'),
  'bad-memory': sql('select 1', '--memory', 'lots'),
  'too-little-memory': sql('select 1', '--memory', '4MiB'),
  'fail-on-unknown': { args: ['explain', '--sql', 'select 1', '--fail-on', 'skew'] },
  'not-shown': { args: ['explain', '--sql', 'select 1', '--format', 'json', '--collapse'] },
  'output-exists': sql('select 1', '-o', 'README.md'),

  // The query: exit 3.
  'syntax-error': sql('select r_name\nfrom region\nwhere (r_regionkey = 1'),
  'unknown-table': sql('select * from regoin'),
  'unknown-column': sql('select r_nam from region'),
  'ambiguous-column': sql('select n_name from nation a, nation b'),
  'unknown-function': sql('select sqrtt(1)'),
  'not-grouped': sql('select n_name, count(*) from nation group by n_regionkey'),
  unsupported: sql('select unnest(n_name) from nation'),
  copy: sql("copy region to 'x.parquet'"),
  'division-by-zero': sql('select 1 / (r_regionkey - r_regionkey) from region'),
  overflow: sql('select 9223372036854775807 + r_regionkey from region'),
  'bad-cast': sql('select cast(r_name as int) from region'),
  'set-unknown': sql('set execution.nothing = 1'),

  // The data: exit 4.
  'no-such-directory': { args: ['exec', '--sql', 'select 1', '--data', 'no/such/place', ...quiet] },
  'empty-directory': { args: ['exec', '--sql', 'select * from empty', '--data', bad.root, ...quiet] },
  'not-parquet': { args: ['exec', '--sql', 'select * from text', '--data', bad.root, ...quiet] },
  'zero-bytes': { args: ['exec', '--sql', 'select * from nothing', '--data', bad.root, ...quiet] },
  truncated: { args: ['exec', '--sql', 'select * from truncated', '--data', bad.root, ...quiet] },
  'corrupt-page': { args: ['exec', '--sql', 'select * from corrupt', '--data', bad.root, ...quiet] },
  'conflicting-schemas': { args: ['exec', '--sql', 'select * from mixed', '--data', bad.root, ...quiet] },
  'hive-layout': { args: ['exec', '--sql', 'select * from hive', '--data', bad.root, ...quiet] },

  // A limit: exit 6.
  'memory-budget': sql(
    'select * from lineitem a join lineitem b on a.l_orderkey = b.l_orderkey order by a.l_comment',
    '--memory',
    '96MiB',
    '--format',
    'none',
  ),
};

function normalised(text: string): string {
  return (
    text
      .replaceAll(bad.root, '<bad>')
      .replaceAll(scratch, '<scratch>')
      .replaceAll(bad.root.slice(1), '<bad>')
      .replaceAll(fixturesTpch, '<fixtures>')
      .replaceAll(fixturesTpch.slice(1), '<fixtures>')
      .replaceAll(repositoryRoot, '<repository>')
      .replace(/here \d+\)/g, 'here <n>)')
      // Times and what moves with the machine's speed; row counts stay.
      .replace(/\d+\.\d\d(ns|µs|ms|s)\b|\b\d+ns\b|NOT RECORDED/g, '<time>')
      .replace(/\b(bytes_scanned|max_mem_used|peak_mem_used|build_mem_used|output_batches)=[^,\]]+/g, '$1=<n>')
      // Which operators hold how much when the budget ends depends on how tasks interleave.
      .replace(
        /used up: \w+Exec.* MiB more; top consumers: \w+Exec.* MiB(, .* MiB)*/g,
        'used up: <who asked; who holds>',
      )
  );
}

for (const [name, { args, options }] of Object.entries(CASES)) {
  test(name, async () => {
    const { code, signal, stdout, stderr } = await runDistq(args, options);
    const command = `distq ${args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`;
    goldens.match(
      `${name}.txt`,
      normalised(`$ ${command}\nexit ${code ?? signal}\n--- stdout\n${stdout}--- stderr\n${stderr}`),
    );
  });
}
