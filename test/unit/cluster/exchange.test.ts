/**
 * The exchange between hosts over real sockets, all in this process. Memory is poisoned, so that whoever reads a batch or a send buffer
 * after its life reads 0xDD.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CancelScope } from '../../../src/base/cancel-scope.js';
import { DistqError } from '../../../src/base/errors.js';
import { HEAD_STAGE, stageId } from '../../../src/base/ids.js';
import { QueryRun } from '../../../src/cluster/coordinator/query-run.js';
import { decodeError } from '../../../src/cluster/protocol/error-codec.js';
import { encodeHello, type Hello } from '../../../src/cluster/protocol/hello.js';
import { decodeValue } from '../../../src/cluster/protocol/value-codec.js';
import { connectData } from '../../../src/cluster/transport/data-client.js';
import { FrameReader } from '../../../src/cluster/worker/frame-reader.js';
import { heap } from '../../../src/columnar/heap.js';
import type { RecordBatch } from '../../../src/columnar/record-batch.js';
import { SessionConfig } from '../../../src/config/session-config.js';
import { DistributedExec } from '../../../src/distributed/operators/distributed-exec.js';
import { NetworkCoalesceExec } from '../../../src/distributed/operators/network-coalesce-exec.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { plainProperties } from '../../../src/physical/equivalence.js';
import { OperatorBase } from '../../../src/physical/operator-base.js';
import { CoalescePartitionsExec } from '../../../src/physical/operators/coalesce-partitions-exec.js';
import { GlobalLimitExec } from '../../../src/physical/operators/global-limit-exec.js';
import { SortPreservingMergeExec } from '../../../src/physical/operators/sort-preserving-merge-exec.js';
import { type PlanProperties, unknownPartitioning } from '../../../src/physical/plan-properties.js';
import type { TaskContext } from '../../../src/physical/task-context.js';
import { collectRows, sorted, testServices } from '../../support/cluster.js';
import { LoopbackPool } from '../../support/loopback-pool.js';
import { ascending, col, hashJoin } from '../../support/plan-builders.js';
import {
  expectedRows,
  gathered,
  joined,
  joinedRowCount,
  numbered,
  relayed,
  shuffled,
} from '../../support/rows-plans.js';
import { RowsExec, type RowsOptions } from '../../support/rows-exec.js';

heap.configure({ poison: true });

const services = testServices();
const pool = await LoopbackPool.create(services);
after(() => pool.close());

const small: RowsOptions = { partitions: 2, batches: 4, rowsPerBatch: 9, textBytes: 20, ending: 'end' };

/** Two "children" hold all tasks but the head's. */
function start(plan: ExecutionPlan, settings: Readonly<Record<string, string>> = {}): QueryRun {
  const config = SessionConfig.fromEntries(
    Object.entries({
      'distq.workers': '4',
      'distq.worker_mode': 'processes',
      'distq.coordinator_tasks': 'never',
      'debug.poison': 'true',
      ...settings,
    }),
  );
  return new QueryRun({ pool, codec: services.codec, plan, config });
}

function nothingHeld(run: QueryRun): void {
  assert.deepEqual(run.leaks, []);
  for (const host of pool.hosts) assert.deepEqual([host.activeQueries, host.activeTasks], [0, 0]);
  for (const memory of pool.memories) assert.deepEqual(memory.holders(), []);
}

const variants: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['plain', {}],
  ['tiny windows', { 'debug.windows': 'tiny' }],
  ['batches of one row', { 'execution.batch_size': '1', 'debug.windows': 'tiny' }],
  ['interleaved 7', { 'debug.interleave': '7', 'debug.windows': 'tiny' }],
  ['interleaved 99', { 'debug.interleave': '99' }],
];

for (const [name, settings] of variants) {
  test(`a relay passes every row once (${name})`, { timeout: 60_000 }, async () => {
    const run = start(relayed(4, small), settings);
    assert.deepEqual(sorted(await collectRows(run)), expectedRows(4, small));
    nothingHeld(run);
  });

  test(`a join over two shuffles has every pair once (${name})`, { timeout: 60_000 }, async () => {
    const run = start(joined(3, small), settings);
    const rows = await collectRows(run);
    assert.equal(rows.length, joinedRowCount(3, small));
    assert.ok(rows.every((row) => row[2] === row[6]));
    assert.equal(new Set(sorted(rows)).size, rows.length);
    nothingHeld(run);
  });
}

test('2.1: all rows in one bucket and a merge that waits for the others do not deadlock', {
  timeout: 60_000,
}, async () => {
  // One distinct key: three of the four buckets stay empty to the end, and the merge wants a row or the end of each before it goes on.
  const skewed: RowsOptions = { partitions: 1, batches: 60, rowsPerBatch: 50, textBytes: 400, ending: 'end' };
  const exchange = { key: 'partition', producers: 2, consumers: 2, partitions: 2 };
  const inner = shuffled(new RowsExec(skewed), 1, exchange);
  const outer = numbered(NetworkCoalesceExec.over(inner, 2, 1), 2);
  const merge = new SortPreservingMergeExec([ascending(col(outer, 'number'))], outer, null);
  for (const windows of ['tiny', 'normal']) {
    const run = start(new DistributedExec(merge), { 'debug.windows': windows });
    assert.equal((await collectRows(run)).length, 2 * 60 * 50);
    nothingHeld(run);
  }
});

test('2.1: a slow reader with empty buckets beside the full one holds the producers to their bound', {
  timeout: 60_000,
}, async () => {
  // The empty buckets' windows are open all the time; taken for wishes they would open the gate for ever.
  const skewed: RowsOptions = { partitions: 1, batches: 100, rowsPerBatch: 100, textBytes: 2_000, ending: 'end' };
  const exchange = { key: 'partition', producers: 1, consumers: 1, partitions: 4 };
  const boundary = shuffled(new RowsExec(skewed), 1, exchange);
  const run = start(new DistributedExec(new CoalescePartitionsExec(boundary)), {
    'debug.windows': 'tiny',
    'execution.batch_size': '100',
  });
  let peak = 0;
  let rows = 0;
  for await (const batch of run.batches()) {
    // The first rows are read slowly: 20 MB wait at the source meanwhile.
    if (rows < 60) await new Promise((resolve) => setTimeout(resolve, 25));
    rows += batch.numRows;
    if (rows < 60) peak = Math.max(peak, ...pool.memories.map((memory) => memory.usedBytes));
  }
  assert.equal(rows, 10_000);
  assert.ok(peak < 4 * 2 ** 20, `${peak} bytes were held`);
  nothingHeld(run);
});

/** Reads its input partition by partition: the first batch of partition 0, which it then leaves, and all of the others. */
class LeaveFirstExec extends OperatorBase {
  readonly name = 'LeaveFirstExec';
  readonly schema: ExecutionPlan['schema'];
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];
  readonly #input: ExecutionPlan;

  constructor(input: ExecutionPlan) {
    super();
    this.#input = input;
    this.schema = input.schema;
    this.children = [input];
    this.properties = plainProperties(unknownPartitioning(1));
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new LeaveFirstExec(input ?? this.#input);
  }

  protected computeStatistics(): ReturnType<ExecutionPlan['statistics']> {
    return this.#input.statistics();
  }

  describe(): string {
    return this.name;
  }

  async *execute(_partition: number, context: TaskContext): AsyncGenerator<RecordBatch, void, undefined> {
    const first = context.execute(this.#input, 0);
    const batch = await first.next();
    if (batch.done !== true) yield batch.value;
    await first.return();
    for (let partition = 1; partition < this.#input.properties.partitioning.count; partition++) {
      yield* context.execute(this.#input, partition);
    }
  }
}

test('T3: a consumer that leaves one partition still gets the others', { timeout: 60_000 }, async () => {
  const many: RowsOptions = { partitions: 3, batches: 40, rowsPerBatch: 20, textBytes: 200, ending: 'end' };
  for (const windows of ['tiny', 'normal']) {
    const boundary = numbered(NetworkCoalesceExec.over(new RowsExec(many), 1, 1), 1);
    const run = start(new DistributedExec(new LeaveFirstExec(boundary)), { 'debug.windows': windows });
    const rows = await collectRows(run);
    assert.equal(rows.filter(([, partition]) => partition !== 0).length, 2 * 40 * 20);
    assert.ok(rows.filter(([, partition]) => partition === 0).length <= 20);
    if (windows === 'tiny') assert.equal(run.metrics.get(stageId(1), 0)?.state, 'cancelled');
    nothingHeld(run);
  }
});

test('2.7: producers that are never asked are told so, and report', { timeout: 60_000 }, async () => {
  // The build side is empty, so the join closes its probe side unpulled; the probe side would never end.
  const exchange = { key: 'number', producers: 2, consumers: 2, partitions: 2 };
  const build = shuffled(new RowsExec({ ...small, batches: 0 }), 1, exchange);
  const probe = shuffled(new RowsExec({ ...small, ending: 'block' }), 2, exchange);
  const join = hashJoin(build, probe, [['number', 'number']], 'Inner', { mode: 'Partitioned' });
  const outer = numbered(NetworkCoalesceExec.over(join, 2, 1), 3);
  const run = start(new DistributedExec(new CoalescePartitionsExec(outer)));
  assert.equal((await collectRows(run)).length, 0);
  for (const task of [0, 1]) {
    assert.equal(run.metrics.get(stageId(1), task)?.state, 'finished');
    assert.equal(run.metrics.get(stageId(2), task)?.state, 'cancelled');
    assert.equal(run.metrics.get(stageId(3), task)?.state, 'finished');
  }
  nothingHeld(run);
});

test('T6: a limit of one row stops endless producers, whose metrics come all the same', {
  timeout: 60_000,
}, async () => {
  const relay = relayed(2, { ...small, ending: 'block' });
  assert.ok(relay instanceof DistributedExec);
  const limited = start(new DistributedExec(new GlobalLimitExec(relay.input, 0, 1)));
  assert.equal((await collectRows(limited)).length, 1);
  assert.equal(limited.metrics.get(HEAD_STAGE, 0)?.state, 'finished');
  for (const task of [0, 1]) assert.ok((limited.metrics.get(stageId(1), task)?.nodes.length ?? 0) > 0);
  nothingHeld(limited);
});

test('a cancel while plans go out leaves nothing', { timeout: 60_000 }, async () => {
  for (let turns = 0; turns < 6; turns++) {
    const run = start(joined(2, { ...small, ending: 'block' }));
    const failure = assert.rejects(collectRows(run), { message: 'enough' });
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    run.cancel(new DistqError('cancelled', 'enough'));
    await failure;
    nothingHeld(run);
  }
});

test('1.8: 8 MiB frames survive a reader that sleeps', { timeout: 60_000 }, async () => {
  const wide: RowsOptions = { partitions: 1, batches: 4, rowsPerBatch: 8, textBytes: 1_000_000, ending: 'end' };
  const run = start(gathered(2, wide));
  let bad = 0;
  let rows = 0;
  for await (const batch of run.batches()) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const text = batch.column(3);
    for (let row = 0; row < batch.numRows; row++) {
      const view = (text.values >>> 2) + row * 2;
      const start = heap.u32[view] ?? 0;
      const end = start + (heap.u32[view + 1] ?? 0);
      // All of it but the number at its start is the same letter.
      if (end - start !== 1_000_000 || !heap.u8.subarray(start + 10, end).every((byte) => byte === 0x78)) bad++;
      rows++;
    }
  }
  assert.deepEqual([rows, bad], [64, 0]);
  nothingHeld(run);
});

test('1.9: a frame is cut where it would be too large, a single row is not', { timeout: 60_000 }, async () => {
  const huge: RowsOptions = { partitions: 1, batches: 1, rowsPerBatch: 3, textBytes: 18_000_000, ending: 'end' };
  const run = start(gathered(1, huge), { 'debug.poison': 'false' });
  let batches = 0;
  for await (const batch of run.batches()) {
    assert.equal(batch.numRows, 1);
    batches++;
  }
  assert.equal(batches, 3);
  nothingHeld(run);
});

/** What a producer answers to a hello, and how the connection ends. */
async function ask(hello: Uint8Array): Promise<{ readonly kinds: string[]; readonly error: DistqError | undefined }> {
  const kinds: string[] = [];
  let error: DistqError | undefined;
  let payload = new Uint8Array(0);
  const reader = new FrameReader({
    begin: ({ payloadBytes }) => (payload = new Uint8Array(payloadBytes)),
    complete: ({ kind }) => {
      kinds.push(kind);
      if (kind === 'error') error = decodeError(decodeValue(payload));
    },
  });
  const [, address = ''] = pool.addresses;
  await new Promise<void>((resolve, reject) => {
    const events = {
      data: (bytes: Uint8Array): void => {
        reader.push(bytes);
      },
      closed: (): void => {
        resolve();
      },
    };
    connectData(address, hello, events, new CancelScope()).catch(reject);
  });
  return { kinds, error };
}

test('L4, L6: requests that expect something else of a task are refused', { timeout: 60_000 }, async () => {
  const run = start(relayed(4, { ...small, ending: 'block' }));
  const rows = collectRows(run).catch((error: unknown) => error);
  // Stage 1 has worker 1 in "child" 2, worker 2 in "child" 1: take a task of the first.
  while (run.progress.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const stage = run.dispatched?.stages.find(({ id }) => id === 1);
  const task = stage?.workers.findIndex((worker) => run.hosting.placement[worker] === 1) ?? -1;
  const good: Hello = {
    query: run.id,
    stage: stageId(1),
    task,
    firstPartition: 0,
    partitionCount: 2,
    head: 'coalesce',
    stagePartitions: 2,
    role: 'exchange',
    windowBytes: 65_536,
    closed: false,
    token: new Uint8Array(16).fill(1),
    build: 'test',
  };
  const answers = async (change: Partial<Hello>): Promise<string> =>
    (await ask(encodeHello({ ...good, ...change }))).error?.message ?? 'no error';
  assert.match(await answers({ stagePartitions: 4 }), /expects 4 partitions of a task that has 2/);
  assert.match(await answers({ head: 'shuffle' }), /one consumer expects a coalesce head and another a shuffle head/);
  assert.match(await answers({ firstPartition: 2 }), /partition 2 of a task of 2/);
  assert.match(await answers({}), /was consumed already/);
  assert.match(await answers({ token: new Uint8Array(16) }), /wrong token/);
  assert.match(await answers({ build: 'other' }), /of build other connected to one of build test/);
  assert.match((await ask(new Uint8Array(100))).error?.message ?? '', /no hello/);
  run.cancel();
  await rows;
  // L2: a request for a query that is over is refused at once and leaves nothing.
  assert.match(await answers({}), /is over/);
  nothingHeld(run);
});
