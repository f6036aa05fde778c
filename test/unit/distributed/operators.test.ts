import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BroadcastExec } from '../../../src/distributed/operators/broadcast-exec.js';
import { ChildrenIsolatorUnionExec } from '../../../src/distributed/operators/children-isolator-union-exec.js';
import { DistributedExec } from '../../../src/distributed/operators/distributed-exec.js';
import { DistributedLeafExec } from '../../../src/distributed/operators/distributed-leaf-exec.js';
import { NetworkBroadcastExec } from '../../../src/distributed/operators/network-broadcast-exec.js';
import { NetworkCoalesceExec } from '../../../src/distributed/operators/network-coalesce-exec.js';
import { NetworkShuffleExec } from '../../../src/distributed/operators/network-shuffle-exec.js';
import { distribute } from '../../../src/distributed/planner.js';
import { localStage, remoteStage } from '../../../src/distributed/stage.js';
import { stageNodes } from '../../../src/distributed/task-nodes.js';
import { AnalyzeExec } from '../../../src/physical/operators/analyze-exec.js';
import { UnionExec } from '../../../src/physical/operators/union-exec.js';
import { hashed, roundRobin, settings, sortedMerge, table } from '../../support/plan-builders.js';
import { testTask } from '../../support/mock-exec.js';
import { planShape, stageOf } from '../../support/plan-shape.js';

const spread = settings({
  'execution.target_partitions': 3,
  'distributed.file_scan_config_bytes_per_partition': 1,
});

describe('network boundaries', () => {
  test('promise what their producers give: a shuffle its hash, a coalesce all partitions, a broadcast those of its input', () => {
    const leaf = table('t', 4);
    const shuffle = NetworkShuffleExec.over(hashed(leaf, ['k'], 3), 2);
    assert.deepEqual(shuffle.properties.partitioning, hashed(leaf, ['k'], 3).partitioning);
    const coalesce = NetworkCoalesceExec.over(leaf, 5, 2);
    assert.deepEqual(coalesce.properties.partitioning, { kind: 'unknown', count: 12 });
    const broadcast = NetworkBroadcastExec.over(new BroadcastExec(leaf, 3), 2);
    assert.deepEqual(broadcast.properties.partitioning, { kind: 'unknown', count: 4 });
    assert.equal(
      broadcast.describe(),
      '[Stage -1] => NetworkBroadcastExec: partitions_per_consumer=4, stage_partitions=12, input_tasks=2',
    );
  });

  test('T33: a broadcast reads however many producers there are', () => {
    const broadcast = NetworkBroadcastExec.over(new BroadcastExec(table('t', 3), 4), 7);
    assert.equal(broadcast.ranges({ taskIndex: 2, taskCount: 4 }).length, 7);
  });

  test('keep their promise when their stage leaves, and have no children then', () => {
    const leaf = table('t', 3);
    const boundary = NetworkShuffleExec.over(hashed(leaf, ['k'], 3), 2);
    assert.ok(boundary.inputStage.state === 'local');
    const head = boundary.withProducerHead(boundary.inputStage, 4);
    const remote = boundary.withInputStage(remoteStage(head, [1, 0]));
    assert.deepEqual(remote.children, []);
    assert.equal(remote.properties, boundary.properties);
    assert.ok(remote.inputStage.state === 'remote');
    assert.equal(remote.inputStage.partitionCount, 12);
    assert.equal(remote.withNewChildren([]), remote);
    assert.throws(() => remoteStage(head, [1]), { kind: 'internal' });
    assert.throws(() => localStage(leaf, 0), { kind: 'internal' });
  });

  test('refuse what they cannot stand on', () => {
    const plan = { kind: 'plan' };
    assert.throws(() => NetworkShuffleExec.over(table('t', 3), 2), plan);
    assert.throws(() => NetworkShuffleExec.over(roundRobin(table('t', 3), 4), 2), plan);
    assert.throws(() => NetworkBroadcastExec.over(table('t', 3), 2), plan);
    assert.throws(() => NetworkCoalesceExec.over(table('t', 3), 2, 0), plan);
    assert.throws(() => NetworkCoalesceExec.over(table('t', 0), 2, 1), plan);
  });

  test('are never executed while their stage is local', async () => {
    const { context } = testTask();
    const boundary = NetworkCoalesceExec.over(table('t', 3), 2, 1);
    await assert.rejects(context.execute(boundary, 0).next(), { kind: 'internal', message: /handed to workers/ });
  });
});

describe('plan nodes', () => {
  test('T21: a distributed union counts the partitions of its new children', () => {
    const union = ChildrenIsolatorUnionExec.inOneTask(new UnionExec([table('a', 2), table('b', 3)]));
    assert.equal(union.properties.partitioning.count, 5);
    const wider = union.withNewChildren([table('a', 4), table('b', 3)]);
    assert.equal(wider.properties.partitioning.count, 7);
  });

  test('T38: leaves take an empty list of children', () => {
    const leaf = new DistributedLeafExec(table('t', 2), [table('t', 2)]);
    assert.equal(leaf.withNewChildren([]), leaf);
    assert.throws(() => leaf.withNewChildren([leaf]), { kind: 'internal' });
  });

  test('a DistributedLeafExec runs only where one task runs all of it', () => {
    const { context } = testTask();
    const leaf = new DistributedLeafExec(table('t', 2), [table('t', 2), table('t', 2)]);
    assert.throws(() => leaf.execute(0, context), { kind: 'internal', message: /2 variants was sent to task 0 of 1/ });
    assert.throws(() => leaf.variant(2), { kind: 'internal' });
  });

  test('roots only describe', () => {
    const root = new DistributedExec(table('t', 1));
    assert.throws(() => root.execute(), { kind: 'internal' });
    const analyze = new AnalyzeExec(sortedMerge(table('t', 3), ['k']), true);
    const { plan } = distribute(analyze, { config: spread, workerCount: 3 });
    assert.equal(plan.describe({ full: false }), 'DistributedAnalyzeExec verbose=true');
    assert.deepEqual(planShape(plan.children[0] ?? plan), ['H←C S1', 'S1 3/9 leaf']);
    const alone = new AnalyzeExec(table('t', 1), false);
    assert.equal(distribute(alone, { config: spread, workerCount: 1 }).plan, alone);
    assert.equal(distribute(root, { config: spread, workerCount: 3 }).plan, root);
  });

  test('L19: a node that occurs twice has two positions', () => {
    const leaf = table('a', 3);
    const { plan } = distribute(new UnionExec([leaf, leaf]), { config: spread, workerCount: 2 });
    const nodes = stageNodes(stageOf(plan, 1).plan);
    assert.deepEqual(
      nodes.map((node) => node.name),
      ['ChildrenIsolatorUnionExec', 'DistributedLeafExec', 'DistributedLeafExec'],
    );
    const shared = new ChildrenIsolatorUnionExec(leaf.schema, [leaf, leaf], {
      weights: [
        { weight: 1, maxTasks: null },
        { weight: 1, maxTasks: null },
      ],
      taskCount: 1,
    });
    assert.equal(stageNodes(shared).length, 3);
  });
});
