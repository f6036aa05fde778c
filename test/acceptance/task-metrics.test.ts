/** `--metrics full --metrics-format json`: one document that misses no task and no operator, wherever the tasks run and however the query ends. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { runDistq } from '../cli/run-distq.js';
import { fixturesTpch } from '../support/repository.js';

interface Row {
  readonly [field: string]: unknown;
}

interface Document {
  readonly version: unknown;
  readonly stages: readonly Row[];
  readonly operators: readonly Row[];
}

const data = ['--data', fixturesTpch];
const hostings = ['in_process', 'processes'] as const;

function shape(workers: number, hosting: (typeof hostings)[number]): string[] {
  const sets = [`distq.worker_mode=${hosting}`, 'distributed.file_scan_config_bytes_per_partition=1'];
  return ['--workers', String(workers), ...sets.flatMap((set) => ['--set', set])];
}

/** Runs a query; stderr must be one JSON document and nothing else. */
async function metricsOf(
  sql: string,
  ...more: string[]
): Promise<{ readonly stdout: string; readonly metrics: Document }> {
  const args = ['exec', '--sql', sql, ...data, '--metrics', 'full', '--metrics-format', 'json', ...more];
  const { code, stdout, stderr } = await runDistq(args);
  assert.equal(code, 0, stderr);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  const parsed = fields(JSON.parse(stderr));
  assert.deepEqual(Object.keys(parsed), ['version', 'stages', 'operators']);
  const { version, stages, operators } = parsed;
  assert.equal(version, 1);
  return { stdout, metrics: { version, stages: rowList(stages), operators: rowList(operators) } };
}

function fields(value: unknown): Row {
  assert.ok(typeof value === 'object' && value !== null);
  return Object.fromEntries(Object.entries(value));
}

function rowList(value: unknown): Row[] {
  assert.ok(Array.isArray(value));
  return value.map(fields);
}

/** What the plan of a query has, from `explain --format json`: `stage/task` and `stage/task/node operator`. */
async function expectedRows(sql: string, more: readonly string[]): Promise<{ tasks: string[]; nodes: string[] }> {
  const { code, stdout, stderr } = await runDistq(['explain', '--sql', sql, ...data, '--format', 'json', ...more]);
  assert.equal(code, 0, stderr);
  const tasks: string[] = [];
  const nodes: string[] = [];
  for (const stage of rowList(fields(JSON.parse(stdout))['stages'])) {
    for (let task = 0; task < Number(stage['tasks']); task++) {
      const where = `${String(stage['stage'])}/${task}`;
      tasks.push(where);
      const visit = (node: Row): void => {
        nodes.push(`${where}/${String(node['node'])} ${String(node['operator'])}`);
        rowList(node['children']).forEach(visit);
      };
      visit(fields(stage['plan']));
    }
  }
  return { tasks: tasks.sort(), nodes: nodes.sort() };
}

function taskKey(row: Row): string {
  return `${String(row['stage'])}/${String(row['task'])}`;
}

function nodeKey(row: Row): string {
  return `${taskKey(row)}/${String(row['node'])} ${String(row['operator'])}`;
}

let lines = 0;
before(async () => {
  const { stdout } = await runDistq(['exec', '--sql', 'select count(*) as n from lineitem', ...data, '--json']);
  lines = Number(/"n":(\d+)/.exec(stdout)?.[1]);
  assert.ok(lines > 0);
});

for (const workers of [2, 4]) {
  for (const hosting of hostings) {
    describe(`${workers} workers, ${hosting}`, () => {
      const more = shape(workers, hosting);
      test('sum(l_quantity): the leaf gives every row once over its tasks', { timeout: 60_000 }, async () => {
        const sql = 'select sum(l_quantity) from lineitem';
        const { metrics } = await metricsOf(sql, ...more);
        const expected = await expectedRows(sql, more);
        assert.deepEqual(metrics.stages.map(taskKey).sort(), expected.tasks);
        assert.deepEqual(metrics.operators.map(nodeKey).sort(), expected.nodes);
        assert.equal(expected.tasks.length, 1 + workers);
        const leaf = metrics.operators.filter(({ operator }) => operator === 'DistributedLeafExec');
        assert.equal(leaf.length, workers);
        assert.ok(
          leaf.every((row) => Number(row['output_rows']) > 0),
          'a task read nothing',
        );
        assert.equal(
          leaf.reduce((sum, row) => sum + Number(row['output_rows']), 0),
          lines,
        );
        for (const row of metrics.stages) {
          assert.equal(row['state'], 'finished');
          assert.equal(row['worker'] === null, false);
        }
      });

      test('a limit ends the query early: every task and node is still there', { timeout: 60_000 }, async () => {
        // 900 million pairs: no task that joins can come to its end.
        const sql =
          'select l_orderkey, o_orderkey from lineitem, orders where l_orderkey + o_orderkey > 0 limit 500000';
        const { metrics } = await metricsOf(sql, ...more, '--format', 'none');
        const expected = await expectedRows(sql, more);
        assert.deepEqual(metrics.stages.map(taskKey).sort(), expected.tasks);
        assert.deepEqual(metrics.operators.map(nodeKey).sort(), expected.nodes);
        const joins = metrics.operators.filter(({ operator }) => operator === 'NestedLoopJoinExec');
        assert.equal(joins.length, workers);
        for (const join of joins) {
          const task = metrics.stages.find((row) => taskKey(row) === taskKey(join));
          assert.equal(task?.['state'], 'cancelled', taskKey(join));
        }
        for (const row of metrics.stages) assert.ok(row['state'] === 'finished' || row['state'] === 'cancelled');
        assert.equal(metrics.stages.find(({ stage }) => stage === 0)?.['output_rows'], 500_000);
      });
    });
  }
}

test('several queries make one document, whose rows say which query they are of', { timeout: 60_000 }, async () => {
  const sql = 'set execution.batch_size = 100; select count(*) from region; select count(*) from nation';
  const { metrics } = await metricsOf(sql);
  assert.deepEqual(
    metrics.stages.map(({ query, output_rows }) => [query, output_rows]),
    [
      [1, 1],
      [2, 1],
    ],
  );
  assert.deepEqual([...new Set(metrics.operators.map(({ query }) => query))], [1, 2]);
});

test('text without a query makes an empty document', { timeout: 60_000 }, async () => {
  const { metrics } = await metricsOf('set execution.batch_size = 100');
  assert.deepEqual([metrics.stages, metrics.operators], [[], []]);
});
