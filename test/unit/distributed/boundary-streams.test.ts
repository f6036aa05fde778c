/** What boundaries ask of the exchange: one connection per producer task, the right partitions, the right merge (runtime 1.7, 1.8). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stageId } from '../../../src/base/ids.js';
import { Arena } from '../../../src/columnar/arena.js';
import { field, INT64 } from '../../../src/columnar/data-type.js';
import { Schema } from '../../../src/columnar/schema.js';
import type { NetworkBoundary } from '../../../src/distributed/network-boundary.js';
import { BroadcastExec } from '../../../src/distributed/operators/broadcast-exec.js';
import { ChildrenIsolatorUnionExec } from '../../../src/distributed/operators/children-isolator-union-exec.js';
import { NetworkBroadcastExec } from '../../../src/distributed/operators/network-broadcast-exec.js';
import { NetworkCoalesceExec } from '../../../src/distributed/operators/network-coalesce-exec.js';
import { NetworkShuffleExec } from '../../../src/distributed/operators/network-shuffle-exec.js';
import { remoteStage } from '../../../src/distributed/stage.js';
import { createExpressionCompiler } from '../../../src/expr/expression-compiler.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { EmptyExec } from '../../../src/physical/operators/empty-exec.js';
import type { DistributedTaskContext, Exchange, ExchangeRequest } from '../../../src/physical/task-context.js';
import { batch, rowsOf } from '../../support/batches.js';
import { hashed, scan, table } from '../../support/plan-builders.js';
import { MockExec, type MockStep, testTask } from '../../support/mock-exec.js';

const schema = new Schema([field('k', INT64, false), field('v', INT64, false)]);
const arena = new Arena();

/** Producer t's partition p gives the rows that `give` says; every request is noted. */
class MockExchange implements Exchange {
  readonly requests: ExchangeRequest[] = [];
  readonly #give: (task: number, partition: number) => readonly (readonly [bigint, bigint])[];

  constructor(give: (task: number, partition: number) => readonly (readonly [bigint, bigint])[]) {
    this.#give = give;
  }

  connect(request: ExchangeRequest): ReturnType<Exchange['connect']> {
    this.requests.push(request);
    const opened = new Set<number>();
    return {
      partition: (offset, scope) => {
        assert.ok(offset >= 0 && offset < request.partitionCount && !opened.has(offset));
        opened.add(offset);
        const rows = this.#give(request.producerTask, request.firstPartition + offset);
        const steps: MockStep[] = rows.map((row) => batch(schema, [row], arena));
        const { context } = testTask();
        return context.withScope(scope).execute(new MockExec(schema, [steps]), 0);
      },
    };
  }
}

/** The boundary over a stage that was handed to workers 0, 1, 2 … */
function remote(boundary: NetworkBoundary, consumers: number): NetworkBoundary {
  const { inputStage } = boundary;
  assert.ok(inputStage.state === 'local');
  const headed = boundary.withProducerHead({ ...inputStage, id: stageId(4) }, consumers);
  return boundary.withInputStage(
    remoteStage(
      headed,
      Array.from({ length: inputStage.tasks }, (_, task) => task + 10),
    ),
  );
}

function keyText(value: unknown): string {
  assert.ok(typeof value === 'bigint');
  return String(value);
}

/** Rows of every partition of the node in one consumer task. */
async function read(node: ExecutionPlan, exchange: MockExchange, task: DistributedTaskContext): Promise<string[][]> {
  const { context, pool } = testTask({ exchange, task, compiler: createExpressionCompiler('interpreter') });
  const partitions: string[][] = [];
  for (let partition = 0; partition < node.properties.partitioning.count; partition++) {
    const rows: string[] = [];
    for await (const out of context.execute(node, partition))
      rows.push(...rowsOf(out).map((row) => row.map(keyText).join('/')));
    partitions.push(rows);
  }
  context.close();
  assert.deepEqual(pool.holders(), []);
  return partitions;
}

/** One row that names its origin. */
const origin = (task: number, partition: number): [bigint, bigint][] => [[BigInt(task), BigInt(partition)]];

describe('a boundary', () => {
  test('shuffle: P buckets per consumer of every producer, one connection each', async () => {
    const exchange = new MockExchange(origin);
    const node = remote(NetworkShuffleExec.over(hashed(table('t', 3), ['k'], 2), 3), 4);
    const partitions = await read(node, exchange, { taskIndex: 2, taskCount: 4 });
    assert.deepEqual(
      partitions.map((rows) => rows.sort()),
      [
        ['0/4', '1/4', '2/4'],
        ['0/5', '1/5', '2/5'],
      ],
    );
    assert.deepEqual(
      exchange.requests.map(({ stage, worker, producerTask, firstPartition, partitionCount }) => [
        stage,
        worker,
        producerTask,
        firstPartition,
        partitionCount,
      ]),
      [
        [4, 10, 0, 4, 2],
        [4, 11, 1, 4, 2],
        [4, 12, 2, 4, 2],
      ],
    );
  });

  test('broadcast: the same addresses', async () => {
    const exchange = new MockExchange(origin);
    const node = remote(NetworkBroadcastExec.over(new BroadcastExec(table('t', 3), 1), 2), 4);
    const partitions = await read(node, exchange, { taskIndex: 2, taskCount: 4 });
    assert.deepEqual(
      partitions.map((rows) => rows.sort()),
      [
        ['0/6', '1/6'],
        ['0/7', '1/7'],
        ['0/8', '1/8'],
      ],
    );
    assert.equal(exchange.requests.length, 2);
  });

  test('coalesce: a group of producers side by side, empty partitions at its end', async () => {
    const exchange = new MockExchange(origin);
    const node = remote(NetworkCoalesceExec.over(table('t', 3), 5, 2), 2);
    assert.deepEqual(await read(node, exchange, { taskIndex: 1, taskCount: 2 }), [
      ['3/0'],
      ['3/1'],
      ['3/2'],
      ['4/0'],
      ['4/1'],
      ['4/2'],
      [],
      [],
      [],
    ]);
    assert.deepEqual(
      exchange.requests.map((request) => request.producerTask),
      [3, 4],
    );
  });

  test('an order that a shuffle keeps is merged row by row', async () => {
    const leaf = scan({ groups: [[['t0.parquet', 900]]], columns: ['k', 'v'], sortedBy: ['k'] });
    const node = remote(NetworkShuffleExec.over(hashed(leaf, ['v'], 1), 3), 1);
    const exchange = new MockExchange((task) =>
      Array.from({ length: 5 }, (_, i) => [BigInt(i * 3 + task), BigInt(task)]),
    );
    const [rows] = await read(node, exchange, { taskIndex: 0, taskCount: 1 });
    assert.deepEqual(
      rows?.map((row) => row.split('/')[0]),
      Array.from({ length: 15 }, (_, i) => String(i)),
    );
  });

  test('T4: nothing is opened before the first pull', async () => {
    const exchange = new MockExchange(origin);
    const node = remote(NetworkShuffleExec.over(hashed(table('t', 3), ['k'], 2), 3), 1);
    const { context } = testTask({ exchange });
    const stream = context.execute(node, 0);
    assert.equal(exchange.requests.length, 0);
    await stream.return();
    assert.equal(exchange.requests.length, 0);
    const pulled = context.execute(node, 1);
    await pulled.next();
    await pulled.return();
    assert.equal(exchange.requests.length, 3);
    context.close();
  });

  test('below a union a boundary reads as the child’s task, not as the stage’s', async () => {
    const exchange = new MockExchange(origin);
    const shuffle = remote(NetworkShuffleExec.over(hashed(table('t', 3), ['k'], 1), 2), 2);
    const union = new ChildrenIsolatorUnionExec(schema, [new EmptyExec(schema, 2), shuffle], {
      weights: [
        { weight: 1, maxTasks: null },
        { weight: 2, maxTasks: null },
      ],
      taskCount: 3,
    });
    assert.equal(union.describe(), 'DistributedUnionExec: t0:[c0] t1:[c1(0/2)] t2:[c1(1/2)]');
    const partitions = await read(union, exchange, { taskIndex: 2, taskCount: 3 });
    // The union has as many partitions as its busiest task: here one of two is empty.
    assert.deepEqual(
      partitions.map((rows) => rows.sort()),
      [['0/1', '1/1'], []],
    );
  });
});
