/** What one task gets, and how its metrics find their way back: distributed planner reference 6.2, runtime reference 2.3. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { HEAD_STAGE, stageId } from '../../../src/base/ids.js';
import { dispatchPlan } from '../../../src/distributed/dispatch.js';
import { NetworkBoundary } from '../../../src/distributed/network-boundary.js';
import { ChildrenIsolatorUnionExec } from '../../../src/distributed/operators/children-isolator-union-exec.js';
import { DistributedLeafExec } from '../../../src/distributed/operators/distributed-leaf-exec.js';
import { planStages } from '../../../src/distributed/plan-stages.js';
import { distribute } from '../../../src/distributed/planner.js';
import { specialise } from '../../../src/distributed/specialise.js';
import { TaskMetricsStore } from '../../../src/distributed/task-metrics.js';
import { stageNodes, taskNodes } from '../../../src/distributed/task-nodes.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { DataSourceExec } from '../../../src/physical/operators/data-source-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import { visitPlan } from '../../../src/physical/tree.js';
import { grouped, settings, sortedMerge, table } from '../../support/plan-builders.js';
import { randomPlan } from '../../support/random-plan.js';

function distributed(plan: ExecutionPlan, workers: number, partitions = 3): ExecutionPlan {
  const config = settings({
    'execution.target_partitions': partitions,
    'distributed.file_scan_config_bytes_per_partition': 1,
    'distributed.cardinality_task_count_factor': 1.5,
  });
  return distribute(plan, { config, workerCount: workers }).plan;
}

/** Paths and ranges that a plan reads. */
function reads(plan: ExecutionPlan): string[] {
  const pieces: string[] = [];
  visitPlan(plan, (node) => {
    if (!(node instanceof DataSourceExec) || node.source.fileScan === null) return;
    for (const { path, range } of node.source.fileScan.fileGroups.flat()) {
      pieces.push(`${path} ${range?.start ?? 0}..${range?.end ?? 'end'}`);
    }
  });
  return pieces;
}

describe('the plan of one task', () => {
  test('T24: holds its own files only, and all tasks together each byte once', () => {
    fc.assert(
      fc.property(randomPlan, fc.integer({ min: 2, max: 6 }), (plan, workers) => {
        const { head, stages } = dispatchPlan(distributed(plan, workers), { workerCount: workers });
        const pieces: string[] = [];
        for (const stage of [...stages, head]) {
          for (const task of stage.workers.keys()) {
            const own = stage.taskPlan(task);
            visitPlan(own, (node) => {
              assert.ok(!(node instanceof DistributedLeafExec));
              assert.ok(!(node instanceof NetworkBoundary) || node.inputStage.state === 'remote');
            });
            pieces.push(...reads(own));
          }
        }
        // Each leaf of the query reads its table once, whatever its tasks are.
        const expected = new Map<string, number>();
        visitPlan(plan, (node) => {
          if (!(node instanceof DataSourceExec) || node.source.fileScan === null) return;
          for (const { path, size } of node.source.fileScan.fileGroups.flat()) {
            expected.set(path, (expected.get(path) ?? 0) + size);
          }
        });
        const read = new Map<string, number>();
        for (const piece of pieces) {
          const [path = '', range = ''] = piece.split(' ');
          const [start = 0, end = 0] = range.split('..').map(Number);
          read.set(path, (read.get(path) ?? 0) + (Number.isNaN(end) ? 0 : end - start));
        }
        if (stages.length > 0) assert.deepEqual([...read].sort(), [...expected].sort());
      }),
      { numRuns: 300 },
    );
  });

  test('each child of a union runs once per share, with its own task index', () => {
    const union = new UnionExec([table('a', 3), table('b', 3)]);
    const plan = distributed(union, 3);
    const [, stage] = planStages(plan);
    assert.ok(stage !== undefined && stage.plan instanceof ChildrenIsolatorUnionExec);
    assert.equal(stage.plan.describe(), 'DistributedUnionExec: t0:[c0(0/2)] t1:[c0(1/2)] t2:[c1]');
    const texts = [0, 1, 2].map((taskIndex) =>
      specialise(stage.plan, { taskIndex, taskCount: 3 }).children.map(
        (child) => `${child.name} ${reads(child)[0] ?? ''}`,
      ),
    );
    assert.deepEqual(texts, [
      ['DataSourceExec a0.parquet 0..500', 'EmptyExec '],
      ['DataSourceExec a0.parquet 500..1000', 'EmptyExec '],
      ['EmptyExec ', 'DataSourceExec b0.parquet 0..1000'],
    ]);
  });

  test('a leaf whose variants are not those of the stage is a bug', () => {
    const leaf = new DistributedLeafExec(table('a', 1), [table('a', 1), table('a', 1)]);
    assert.throws(() => specialise(leaf, { taskIndex: 0, taskCount: 3 }), { kind: 'internal' });
  });
});

describe('metrics by position (T25)', () => {
  test('worker and coordinator walk the same nodes', () => {
    fc.assert(
      fc.property(randomPlan, fc.integer({ min: 1, max: 6 }), (plan, workers) => {
        for (const stage of planStages(distributed(plan, workers))) {
          const display = stageNodes(stage.plan);
          for (let taskIndex = 0; taskIndex < stage.tasks; taskIndex++) {
            const task = { taskIndex, taskCount: stage.tasks };
            const there = taskNodes(specialise(stage.plan, task), task);
            const here = taskNodes(stage.plan, task);
            assert.equal(there.length, here.length);
            for (const [index, { node, position }] of here.entries()) {
              assert.equal(display[position], node);
              const sent = there[index]?.node;
              const expected =
                node instanceof DistributedLeafExec ? node.variant(here[index]?.task.taskIndex ?? -1) : node;
              assert.equal(sent?.name, expected.name);
              if (node instanceof DistributedLeafExec) assert.equal(sent, expected);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the store adds up by node and says who sent what', () => {
    const plan = distributed(new UnionExec([table('a', 3), table('b', 3)]), 3);
    const [head, stage] = planStages(plan);
    assert.ok(head !== undefined && stage !== undefined);
    const store = new TaskMetricsStore();
    const rows = (value: number) => [[{ name: 'output_rows', unit: 'count', value } as const]];
    const times = { planAddedNs: 1, planExecutedNs: 2, planFinishedNs: 3 };
    for (const task of [0, 2]) {
      store.put(stage.id, task, task, { state: 'finished', times, nodes: [...rows(10 + task), ...rows(task)] });
    }
    const byNode = store.byNode(stage.id, stage.plan, stage.tasks);
    assert.deepEqual(
      byNode.map((node) => [...node].map(([task, [metric]]) => [task, metric?.value])),
      [
        [
          [0, 10],
          [2, 12],
        ],
        [[0, 0]],
        [[2, 2]],
      ],
    );
    assert.equal(store.worker(stage.id, 2), 2);
    assert.equal(store.get(stage.id, 1), undefined);
    assert.throws(
      () => {
        store.put(stage.id, 0, 0, { state: 'finished', times, nodes: [] });
      },
      { kind: 'internal' },
    );
    store.put(stageId(9), 0, 0, { state: 'finished', times, nodes: [] });
    assert.throws(() => store.byNode(stageId(9), stage.plan, 3), { kind: 'internal' });
    assert.deepEqual(store.byNode(HEAD_STAGE, head.plan, 1).length, 2);
  });
});

test('dispatch hands out stages bottom-up, with workers in every boundary', () => {
  const { head, stages } = dispatchPlan(distributed(sortedMerge(grouped(table('t', 3), ['k'], 3), ['k']), 3), {
    workerCount: 3,
  });
  assert.deepEqual(
    stages.map(({ id, workers }) => [id, workers.length]),
    [
      [1, 3],
      [2, 2],
    ],
  );
  const boundary = head.plan.children[0];
  assert.ok(boundary instanceof NetworkBoundary && boundary.inputStage.state === 'remote');
  assert.deepEqual(boundary.inputStage.workers, stages[1]?.workers);
  assert.equal(
    boundary.describe({ full: true }),
    '[Stage 2] => NetworkCoalesceExec: output_partitions=6, input_tasks=2',
  );
});
