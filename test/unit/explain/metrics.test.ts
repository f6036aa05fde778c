/** Metrics beside the nodes, as tables and as JSON: planner reference 7.5, runtime reference 3.2 and 3.3. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HEAD_STAGE } from '../../../src/base/ids.js';
import type { MetricUnit, MetricValue } from '../../../src/base/metrics.js';
import { planStages } from '../../../src/distributed/plan-stages.js';
import { distribute } from '../../../src/distributed/planner.js';
import { TaskMetricsStore } from '../../../src/distributed/task-metrics.js';
import { taskNodes } from '../../../src/distributed/task-nodes.js';
import { formatBytes, formatCount, formatDuration } from '../../../src/explain/metric-text.js';
import { renderIndent } from '../../../src/explain/indent.js';
import { planDocument, renderJson } from '../../../src/explain/json.js';
import { metricsDocument, operatorTable, rowSkew, taskTable } from '../../../src/explain/metrics-table.js';
import { renderTree } from '../../../src/explain/tree.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import { grouped, settings, sortedMerge, table } from '../../support/plan-builders.js';

function plan(input: ExecutionPlan, workers = 2): ExecutionPlan {
  const config = settings({
    'execution.target_partitions': 1,
    'distributed.file_scan_config_bytes_per_partition': 1,
    'distributed.cardinality_task_count_factor': 1.5,
  });
  return distribute(input, { config, workerCount: workers }).plan;
}

function metric(name: string, value: number, unit: MetricUnit = 'count'): MetricValue {
  return { name, value, unit };
}

/** Every task tells rows = 100·stage + 10·task + index of the node, and some time. */
function reported(input: ExecutionPlan, but: readonly string[] = []): TaskMetricsStore {
  const store = new TaskMetricsStore();
  for (const { id, tasks, plan: root } of planStages(input)) {
    for (let taskIndex = 0; taskIndex < tasks; taskIndex++) {
      if (but.includes(`${id}/${taskIndex}`)) continue;
      const nodes = taskNodes(root, { taskIndex, taskCount: tasks }).map((_, index) => [
        metric('elapsed_compute', 1_000 * index, 'time'),
        metric('output_rows', 100 * id + 10 * taskIndex + index),
      ]);
      const times = { planAddedNs: 1_200_000 + taskIndex, planExecutedNs: null, planFinishedNs: 31_000_000 };
      store.put(id, taskIndex, taskIndex, { state: taskIndex === 1 ? 'cancelled' : 'finished', times, nodes });
    }
  }
  return store;
}

const grouping = plan(sortedMerge(grouped(table('t', 2), ['k'], 2), ['k']));
const root = [metric('remote_coordinator_channels', 3)];

describe('numbers', () => {
  test('counts, bytes and durations', () => {
    assert.deepEqual([0, 999, 1530, 99_999, 123_456_789, 2e12].map(formatCount), [
      '0',
      '999',
      '1.53 K',
      '100.00 K',
      '123.5 M',
      '2.00 T',
    ]);
    assert.deepEqual([96, 1023, 2047, 2048, 4 * 2 ** 20].map(formatBytes), [
      '96.0 B',
      '1023.0 B',
      '2047.0 B',
      '2.0 KB',
      '4.0 MB',
    ]);
    assert.deepEqual([0, 870, 1040, 11_300_000, 1_230_000_000].map(formatDuration), [
      '0ns',
      '870ns',
      '1.04µs',
      '11.30ms',
      '1.23s',
    ]);
  });
});

describe('the tree with metrics', () => {
  test('aggregated', () => {
    assert.equal(
      renderTree(grouping, { metrics: { store: reported(grouping), format: 'aggregated', root } }),
      `\
┌───── DistributedExec ── remote_coordinator_channels=3
│ SortPreservingMergeExec: [k@0 ASC NULLS LAST], metrics=[output_rows=0, elapsed_compute=NOT RECORDED]
│   [Stage 2] => NetworkCoalesceExec: output_partitions=4, input_tasks=2, metrics=[output_rows=1, elapsed_compute=1.00µs]
└──────────────────────────────────────────────────
  ┌───── Stage 2 ── tasks=2, partitions=2 plan_added_at={0:1.20ms, 1:1.20ms}, plan_finished_at={0:31.00ms, 1:31.00ms}, row_skew=1.02
  │ SortExec: expr=[k@0 ASC NULLS LAST], preserve_partitioning=[true], metrics=[output_rows=410, elapsed_compute=NOT RECORDED]
  │   AggregateExec: mode=FinalPartitioned, gby=[k@0 as k], aggr=[count(Int64(1))], metrics=[output_rows=412, elapsed_compute=2.00µs]
  │     [Stage 1] => NetworkShuffleExec: output_partitions=2, input_tasks=2, metrics=[output_rows=414, elapsed_compute=4.00µs]
  └──────────────────────────────────────────────────
    ┌───── Stage 1 ── tasks=2, partitions=4 plan_added_at={0:1.20ms, 1:1.20ms}, plan_finished_at={0:31.00ms, 1:31.00ms}, row_skew=1.05
    │ RepartitionExec: partitioning=Hash([k@0], 4), input_partitions=2, metrics=[output_rows=210, elapsed_compute=NOT RECORDED]
    │   AggregateExec: mode=Partial, gby=[k@0 as k], aggr=[count(Int64(1))], metrics=[output_rows=212, elapsed_compute=2.00µs]
    │     DistributedLeafExec:, metrics=[output_rows=214, elapsed_compute=4.00µs]
    │       t0: DataSourceExec: file_groups={2 groups: [[t0.parquet:0..500], [t1.parquet:0..500]]}, projection=[k, v], file_type=parquet
    │       t1: DataSourceExec: file_groups={2 groups: [[t0.parquet:500..1000], [t1.parquet:500..1000]]}, projection=[k, v], file_type=parquet
    └──────────────────────────────────────────────────
`,
    );
  });

  test('T29, L10: per task, with a task that did not report', () => {
    const lines = renderTree(grouping, {
      metrics: { store: reported(grouping, ['1/0']), format: 'per_task', root: [] },
    }).split('\n');
    assert.equal(lines[0], '┌───── DistributedExec ── ');
    assert.ok(
      lines.includes(
        '  │   AggregateExec: mode=FinalPartitioned, gby=[k@0 as k], aggr=[count(Int64(1))], metrics=[output_rows={0:201, 1:211}, elapsed_compute={0:1.00µs, 1:1.00µs}]',
      ),
    );
    assert.deepEqual(lines.slice(-8, -3), [
      '    ┌───── Stage 1 ── tasks=2, partitions=4 plan_added_at={1:1.20ms}, plan_finished_at={1:31.00ms}',
      '    │ RepartitionExec: partitioning=Hash([k@0], 4), input_partitions=2, metrics=[output_rows={1:110}, elapsed_compute={1:NOT RECORDED}]',
      '    │   AggregateExec: mode=Partial, gby=[k@0 as k], aggr=[count(Int64(1))], metrics=[output_rows={1:111}, elapsed_compute={1:1.00µs}]',
      '    │     DistributedLeafExec:',
      '    │       t0: DataSourceExec: file_groups={2 groups: [[t0.parquet:0..500], [t1.parquet:0..500]]}, projection=[k, v], file_type=parquet, metrics=[]',
    ]);
  });

  test('variants below a union carry the task that ran them', () => {
    const union = plan(new UnionExec([table('a', 1), table('b', 1)]), 3);
    const lines = renderTree(union, { metrics: { store: reported(union), format: 'per_task', root: [] } }).split('\n');
    assert.deepEqual(
      lines
        .filter((line) => /t\d: DataSource/.test(line))
        .map((line) => line.replace(/^.*(t\d): .*metrics=\[(output_rows=\S+), .*$/, '$1 $2')),
      ['t0 output_rows={0:101}', 't1 output_rows={1:111}', 't0 output_rows={2:121}'],
    );
  });

  test('a plan that is not distributed', () => {
    const alone = table('t', 1);
    const store = new TaskMetricsStore();
    const times = { planAddedNs: null, planExecutedNs: null, planFinishedNs: null };
    store.put(HEAD_STAGE, 0, 0, {
      state: 'finished',
      times,
      nodes: [[metric('output_rows', 7), metric('peak_mem', 9, 'gauge')]],
    });
    assert.equal(
      renderTree(alone, { metrics: { store, format: 'aggregated', root: [] } }),
      'DataSourceExec: file_groups={1 group: [[t0.parquet]]}, projection=[k, v], file_type=parquet, metrics=[output_rows=7, peak_mem=9]\n',
    );
  });

  test('the indented text of a distributed plan, stage by stage', () => {
    const metrics = { store: reported(grouping), format: 'aggregated', root } as const;
    assert.equal(
      renderIndent(grouping, { metrics }),
      `\
DistributedExec, metrics=[remote_coordinator_channels=3]
  SortPreservingMergeExec: [k@0 ASC NULLS LAST], metrics=[output_rows=0, elapsed_compute=NOT RECORDED]
    [Stage 2] => NetworkCoalesceExec: output_partitions=4, input_tasks=2, metrics=[output_rows=1, elapsed_compute=1.00µs]
      SortExec: expr=[k@0 ASC NULLS LAST], preserve_partitioning=[true], metrics=[output_rows=410, elapsed_compute=NOT RECORDED]
        AggregateExec: mode=FinalPartitioned, gby=[k@0 as k], aggr=[count(Int64(1))], metrics=[output_rows=412, elapsed_compute=2.00µs]
          [Stage 1] => NetworkShuffleExec: output_partitions=2, input_tasks=2, metrics=[output_rows=414, elapsed_compute=4.00µs]
            RepartitionExec: partitioning=Hash([k@0], 4), input_partitions=2, metrics=[output_rows=210, elapsed_compute=NOT RECORDED]
              AggregateExec: mode=Partial, gby=[k@0 as k], aggr=[count(Int64(1))], metrics=[output_rows=212, elapsed_compute=2.00µs]
                DistributedLeafExec: DataSourceExec: file_groups={2 groups: [[t0.parquet], [t1.parquet]]}, projection=[k, v], file_type=parquet, metrics=[output_rows=214, elapsed_compute=4.00µs]
`,
    );
    assert.ok(!renderIndent(grouping).includes('metrics='));
  });

  test('T28: peaks of tasks are compared, not added', () => {
    const store = new TaskMetricsStore();
    const times = { planAddedNs: null, planExecutedNs: null, planFinishedNs: null };
    const union = plan(new UnionExec([table('a', 1), table('b', 1)]));
    const stage = planStages(union)[1];
    assert.ok(stage !== undefined);
    for (const task of [0, 1]) {
      store.put(stage.id, task, task, { state: 'finished', times, nodes: [[metric('peak', 5 + task, 'gauge')], []] });
    }
    assert.match(
      renderTree(union, { metrics: { store, format: 'aggregated', root: [] } }),
      /DistributedUnionExec.*metrics=\[peak=6\]/,
    );
  });
});

describe('metrics as a document', () => {
  test('one row per task and per node, also for a task that did not report', () => {
    const document = metricsDocument(grouping, reported(grouping, ['2/1']));
    assert.deepEqual(
      document.stages.map(({ stage, task, worker, state, output_rows, input_rows }) => [
        stage,
        task,
        worker,
        state,
        output_rows,
        input_rows,
      ]),
      [
        [0, 0, 0, 'finished', 0, null],
        [1, 0, 0, 'finished', 100, 102],
        [1, 1, 1, 'cancelled', 110, 112],
        [2, 0, 0, 'finished', 200, null],
        [2, 1, null, 'unreported', 0, null],
      ],
    );
    assert.equal(document.operators.length, 2 + 2 * 3 + 2 * 3);
    assert.deepEqual(document.operators[3], {
      stage: 1,
      task: 0,
      worker: 0,
      node: 1,
      operator: 'AggregateExec',
      output_rows: 101,
      elapsed_compute_ns: 1000,
    });
    assert.deepEqual(document.stages[1], {
      stage: 1,
      task: 0,
      worker: 0,
      state: 'finished',
      output_rows: 100,
      input_rows: 102,
      elapsed_compute_ns: 3000,
      plan_added_at_ns: 1_200_000,
      plan_executed_at_ns: null,
      plan_finished_at_ns: 31_000_000,
    });
  });

  test('tables for people', () => {
    const document = metricsDocument(grouping, reported(grouping));
    assert.deepEqual(taskTable(document).rows[1], [
      '1',
      '0',
      '0',
      'finished',
      '102',
      '100',
      '0.95',
      '3.00µs',
      '31.00ms',
    ]);
    assert.deepEqual(operatorTable(document).rows[0], ['head', '0', '0', 'SortPreservingMergeExec', '0', '', '0ns']);
    for (const { columns, rows } of [taskTable(document), operatorTable(document)]) {
      assert.ok(rows.length > 0 && rows.every((row) => row.length === columns.length));
    }
  });
});

test('the skew of a stage: its busiest task against the median', () => {
  assert.equal(rowSkew([5]), null);
  assert.equal(rowSkew([0, 0, 9]), null);
  assert.equal(rowSkew([3, 3, 3]), 1);
  assert.equal(rowSkew([9, 1, 3]), 3);
  assert.equal(rowSkew([2, 4]), 4 / 3);
});

describe('the plan as a document', () => {
  test('stages, nodes, variants with files', () => {
    const document = planDocument(plan(new UnionExec([table('a', 1), table('b', 1)]), 3));
    assert.deepEqual(
      document.stages.map(({ stage, tasks, partitions, inputs }) => [stage, tasks, partitions, inputs]),
      [
        [0, 1, 1, [1]],
        [1, 3, 3, []],
      ],
    );
    const union = document.stages[1]?.plan;
    assert.equal(union?.operator, 'ChildrenIsolatorUnionExec');
    assert.deepEqual(union.tasks, [
      [{ child: 0, index: 0, count: 2 }],
      [{ child: 0, index: 1, count: 2 }],
      [{ child: 1, index: 0, count: 1 }],
    ]);
    assert.deepEqual(union.children[0]?.variants, [
      {
        task: 0,
        text: 'DataSourceExec: file_groups={1 group: [[a0.parquet:0..500]]}, projection=[k, v], file_type=parquet',
        groups: [[[0, 0, 500]]],
      },
      {
        task: 1,
        text: 'DataSourceExec: file_groups={1 group: [[a0.parquet:500..1000]]}, projection=[k, v], file_type=parquet',
        groups: [[[0, 500, 1000]]],
      },
    ]);
    assert.deepEqual(union.children[0].files, [['a0.parquet', 1000]]);
    assert.deepEqual(union.children[0].groups, [[[0]]]);
    assert.equal(document.stages[0]?.plan.children[0]?.inputStage, 1);
  });

  test('with metrics, as text that reads back', () => {
    const text = renderJson(grouping, { metrics: { store: reported(grouping), format: 'per_task', root } });
    assert.ok(text.endsWith('}\n'));
    const read: unknown = JSON.parse(text);
    assert.deepEqual(
      read,
      planDocument(grouping, { metrics: { store: reported(grouping), format: 'per_task', root } }),
    );
    const { plan: leaf } = planDocument(table('t', 1)).stages[0] ?? {};
    assert.deepEqual([leaf?.files, leaf?.groups], [[['t0.parquet', 1000]], [[[0]]]]);
  });
});
