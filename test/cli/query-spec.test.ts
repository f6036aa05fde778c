/**
 * Query specs as people use them: what they print, how their mistakes are told, and that the published schema agrees. Each golden is
 * the command's exit code and both outputs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Ajv from 'ajv';
import { goldenFolder } from '../support/golden.js';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';
import { runDistq } from './run-distq.js';

const goldens = goldenFolder('test/cli/query-spec-golden');
const scratch = mkdtempSync(join(tmpdir(), 'distq-spec-'));
after(() => {
  rmSync(scratch, { recursive: true });
});

const conforms = new Ajv().compile(
  JSON.parse(readFileSync(join(repositoryRoot, 'src/planfile/schemas/query-spec.schema.json'), 'utf8')) as object,
);

const region = { region: { path: `${fixturesTpch}/region` } };
const nations = { ...region, nation: { path: `${fixturesTpch}/nation` } };
const events = {
  events: {
    statistics: {
      rows: 1_000_000_000,
      files: { count: 8, totalSize: '64GiB' },
      columns: [
        { name: 'id', type: 'BIGINT', nullable: false, min: 1, max: 9007199254740993n, distinctCount: 1_000_000_000 },
        { name: 'kind', type: 'VARCHAR', distinctCount: 12, byteSize: '5GB' },
        { name: 'amount', type: 'DECIMAL(15, 2)', nullCount: 5, min: '-10.50', max: 99.99 },
        { name: 'at', type: 'Timestamp(us)', min: '2024-01-01', max: '2024-12-31 23:59:59' },
      ],
    },
  },
};
const scan = { kind: 'scan', table: 'nation' };

interface Case {
  readonly command?: 'exec' | 'explain';
  readonly spec: object;
  readonly args?: readonly string[];
  /** Whether the published schema takes it. */
  readonly valid: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  sql: {
    spec: { kind: 'distq.query', tables: region, sql: 'select r_name from region order by 1 limit 2' },
    valid: true,
  },
  'every-node': {
    valid: true,
    spec: {
      kind: 'distq.query',
      version: 1,
      tables: nations,
      settings: { 'execution.batch_size': 100 },
      plan: {
        kind: 'limit',
        count: 3,
        skip: 1,
        input: {
          kind: 'sort',
          keys: ['n desc', 'name'],
          input: {
            kind: 'union',
            inputs: [
              {
                kind: 'aggregate',
                groupBy: ['r.r_name as name'],
                aggregates: ['count(*) as n', 'max(length(n_name)) as longest'],
                having: 'count(*) > 1',
                input: {
                  kind: 'join',
                  type: 'left',
                  on: 'n_regionkey = r.r_regionkey',
                  left: {
                    kind: 'filter',
                    input: scan,
                    predicate: "n_name <> 'CHINA' and n_regionkey in (select r_regionkey from region)",
                  },
                  right: { ...scan, table: 'region', as: 'r', columns: ['r_regionkey', 'r_name'] },
                },
              },
              {
                kind: 'project',
                expressions: ['"label"', 'n + 1', 'cast(null as int)'],
                input: {
                  kind: 'values',
                  columns: ['label', 'n'],
                  rows: [
                    ["'made up'", 98],
                    ["'big'", 9007199254740993n],
                  ],
                },
              },
            ],
          },
        },
      },
    },
  },
  'statistics-explain': {
    command: 'explain',
    args: ['--workers', '4'],
    valid: true,
    spec: {
      kind: 'distq.query',
      workers: 2,
      tables: events,
      sql: "select kind, sum(amount) from events where at > timestamp '2024-06-01' group by kind",
    },
  },
  'statistics-exec': { spec: { kind: 'distq.query', tables: events, sql: 'select count(*) from events' }, valid: true },
  'statistics-data-wins': {
    args: ['--data', `events=${fixturesTpch}/region`],
    valid: true,
    spec: { kind: 'distq.query', tables: events, sql: 'select count(*) as n from events' },
  },
  // Mistakes: each one sentence with file, place and remedy.
  'wrong-kind': { spec: { kind: 'distq.qurey', sql: 'select 1' }, valid: false },
  'no-kind': { spec: { sql: 'select 1' }, valid: false },
  'no-query': { spec: { kind: 'distq.query' }, valid: false },
  'two-queries': { spec: { kind: 'distq.query', sql: 'select 1', plan: scan }, valid: false },
  'unknown-field': { spec: { kind: 'distq.query', tabels: {}, sql: 'select 1' }, valid: false },
  'unknown-node': { spec: { kind: 'distq.query', plan: { kind: 'fliter', input: scan } }, valid: false },
  'unknown-node-field': { spec: { kind: 'distq.query', plan: { ...scan, colums: ['a'] } }, valid: false },
  'missing-input': { spec: { kind: 'distq.query', plan: { kind: 'filter', predicate: 'true' } }, valid: false },
  'no-node': {
    spec: { kind: 'distq.query', plan: { kind: 'filter', predicate: 'true', input: 'nation' } },
    valid: false,
  },
  'union-of-one': { spec: { kind: 'distq.query', plan: { kind: 'union', inputs: [scan] } }, valid: false },
  'join-without-condition': {
    spec: { kind: 'distq.query', tables: nations, plan: { kind: 'join', left: scan, right: scan } },
    // A schema cannot say what depends on the type of the join.
    valid: true,
  },
  'unknown-column': {
    spec: { kind: 'distq.query', tables: nations, plan: { kind: 'filter', input: scan, predicate: 'n_nam = 1' } },
    valid: true,
  },
  'unknown-table': {
    spec: { kind: 'distq.query', tables: nations, plan: { kind: 'scan', table: 'natoin' } },
    valid: true,
  },
  'bad-expression': {
    spec: { kind: 'distq.query', tables: nations, plan: { kind: 'filter', input: scan, predicate: 'n_name = = 1' } },
    valid: true,
  },
  'statement-as-expression': {
    spec: { kind: 'distq.query', tables: nations, plan: { kind: 'filter', input: scan, predicate: 'true limit 1' } },
    valid: true,
  },
  'sql-error': { spec: { kind: 'distq.query', tables: nations, sql: 'select n_nam from nation' }, valid: true },
  'unknown-setting': {
    spec: { kind: 'distq.query', settings: { 'execution.batch_sise': 1 }, sql: 'select 1' },
    valid: true,
  },
  'bad-type': {
    spec: { kind: 'distq.query', tables: withColumn({ name: 'a', type: 'NUMBRE' }), sql: 'select 1' },
    valid: true,
  },
  'bad-bound': {
    spec: { kind: 'distq.query', tables: withColumn({ name: 'a', type: 'DATE', min: 'soon' }), sql: 'select 1' },
    valid: true,
  },
  'too-many-nulls': {
    spec: { kind: 'distq.query', tables: withColumn({ name: 'a', type: 'INT', nullCount: 11 }), sql: 'select 1' },
    valid: true,
  },
};

function withColumn(column: object): object {
  return { t: { statistics: { rows: 10, files: [{ size: 100 }], columns: [column] } } };
}

/** JSON with 64-bit integers as digits. */
function json(spec: object): string {
  return JSON.stringify(spec, (_key, value: unknown) => (typeof value === 'bigint' ? `@${value}@` : value), 2).replace(
    /"@(\d+)@"/g,
    '$1',
  );
}

function normalised(text: string): string {
  return text
    .replaceAll(scratch, '<scratch>')
    .replaceAll(fixturesTpch.slice(1), '<fixtures>')
    .replaceAll(fixturesTpch, '<fixtures>');
}

for (const [name, { command = 'exec', spec, args = [], valid }] of Object.entries(CASES)) {
  test(name, async () => {
    const file = join(scratch, `${name}.json`);
    const text = json(spec);
    writeFileSync(file, text);
    const format = command === 'exec' ? ['--json', '--metrics', 'none'] : [];
    const { code, signal, stdout, stderr } = await runDistq([command, file, ...format, ...args]);
    goldens.match(`${name}.txt`, normalised(`exit ${code ?? signal}\n--- stdout\n${stdout}--- stderr\n${stderr}`));
    assert.equal(conforms(JSON.parse(text)), valid, 'the published schema');
  });
}

const YAML = `# a spec by hand
kind: distq.query
tables:
  nation: &table
    path: ${fixturesTpch}/nation
  again: *table
sql: |
  select count(*) as n
  from again
  where n_nam = 'CHINA'
`;

test('a YAML spec, with the place of a mistake inside of a block', async () => {
  const file = join(scratch, 'spec.yaml');
  writeFileSync(file, YAML);
  const { code, stderr } = await runDistq(['exec', file]);
  goldens.match('yaml-mistake.txt', normalised(`exit ${code}\n--- stderr\n${stderr}`));
  writeFileSync(file, YAML.replace('n_nam ', 'n_name '));
  const good = await runDistq(['exec', file, '--json', '--metrics', 'none']);
  assert.equal(good.stdout, '[\n{"n":1}\n]\n', good.stderr);
});

test('a cyclic YAML document and a document cut short are told with their places', async () => {
  const cyclic = join(scratch, 'cyclic.yaml');
  writeFileSync(cyclic, 'kind: distq.query\nplan: &p\n  kind: filter\n  predicate: "true"\n  input: *p\n');
  const cut = join(scratch, 'cut.json');
  writeFileSync(cut, '{\n  "kind": "distq.query",\n  "sql": \n');
  const outcomes = await Promise.all([runDistq(['explain', cyclic]), runDistq(['explain', cut])]);
  goldens.match(
    'cyclic-and-cut.txt',
    normalised(outcomes.map(({ code, stderr }) => `exit ${code}\n${stderr}`).join('')),
  );
});

test('a spec from standard input', async () => {
  const spec = json({ kind: 'distq.query', tables: region, sql: 'select count(*) as n from region' });
  const { stdout, stderr } = await runDistq(['exec', '-', '--json', '--metrics', 'none'], { stdin: spec });
  assert.equal(stdout, '[\n{"n":5}\n]\n', stderr);
});
