import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DistqError } from '../../../../src/base/errors.js';
import { heap } from '../../../../src/columnar/heap.js';
import { createExpressionCompiler } from '../../../../src/expr/expression-compiler.js';
import { physicalColumn } from '../../../../src/expr/physical-expr.js';
import { groupByColumns } from '../../../../src/physical/aggregate-expr.js';
import type { ExecutionPlan } from '../../../../src/physical/execution-plan.js';
import { AggregateExec } from '../../../../src/physical/operators/aggregate-exec.js';
import { CrossJoinExec } from '../../../../src/physical/operators/cross-join-exec.js';
import { HashJoinExec } from '../../../../src/physical/operators/hash-join-exec.js';
import { NestedLoopJoinExec } from '../../../../src/physical/operators/nested-loop-join-exec.js';
import { RepartitionExec } from '../../../../src/physical/operators/repartition-exec.js';
import { SortExec } from '../../../../src/physical/operators/sort-exec.js';
import { SortPreservingMergeExec } from '../../../../src/physical/operators/sort-preserving-merge-exec.js';
import { batch, withArenaAsync } from '../../../support/batches.js';
import { MockExec, type MockStep, testTask } from '../../../support/mock-exec.js';
import { randomRows } from '../../../support/random-rows.js';

const { schema, rows } = randomRows([0, 1], 40, 1, { nulls: false });
const order = [{ expr: physicalColumn(schema, 0), descending: false, nullsFirst: false }];
const on = [[physicalColumn(schema, 0), physicalColumn(schema, 0)]] as const;
const hash = { kind: 'hash', exprs: [physicalColumn(schema, 0)], count: 2 } as const;
const groupBy = groupByColumns([{ expr: physicalColumn(schema, 0), name: 'c0' }]);

/** Each operator over leaves made by `make` (partitions). */
const PLANS: Readonly<Record<string, (make: (partitions: number) => MockExec) => ExecutionPlan>> = {
  sort: (make) => new SortExec(order, make(1)),
  topk: (make) => new SortExec(order, make(1), { fetch: 3 }),
  merge: (make) => new SortPreservingMergeExec(order, make(3)),
  repartition: (make) => new RepartitionExec(hash, make(3)),
  'round robin': (make) => new RepartitionExec({ kind: 'round_robin', count: 2 }, make(3)),
  aggregate: (make) => new AggregateExec('Single', groupBy, [], make(1)),
  'hash join, collected': (make) => new HashJoinExec(make(1), make(2), on, 'Full', 'CollectLeft'),
  'hash join, partitioned': (make) =>
    new HashJoinExec(new RepartitionExec(hash, make(2)), new RepartitionExec(hash, make(2)), on, 'Full', 'Partitioned'),
  'nested loops': (make) => new NestedLoopJoinExec(make(1), make(2), 'Full', null),
  'cross join': (make) => new CrossJoinExec(make(1), make(2)),
};

interface Outcome {
  readonly error: DistqError | undefined;
  /** Turns of the event loop until everything had settled: a measure that a busy machine does not change. */
  readonly settledTurns: number;
}

/** Runs all partitions side by side and calls `act` soon after the start; says how the first to fail ended. */
async function run(
  plan: ExecutionPlan,
  leaves: readonly MockExec[],
  act: (control: { cancel(): void; close(): Promise<unknown> }) => Promise<void>,
): Promise<Outcome> {
  const before = heap.usedBytes;
  const { context, scope, pool } = testTask({
    compiler: createExpressionCompiler('interpreter'),
    settings: { 'execution.batch_size': '4', 'debug.windows': 'tiny' },
  });
  const streams = Array.from({ length: plan.properties.partitioning.count }, (_, p) => context.execute(plan, p));
  let error: DistqError | undefined;
  const all = streams.map(async (stream) => {
    try {
      while ((await stream.next()).done !== true);
    } catch (caught) {
      error ??= caught as DistqError;
    } finally {
      await stream.return();
    }
  });
  await act({
    cancel: () => {
      scope.cancel(new DistqError('cancelled', 'the user said so'));
    },
    close: () => Promise.all(streams.map((stream) => stream.return())),
  });
  const settledTurns = await turnsUntil(Promise.all(all));
  context.close();
  await scope.drained(100);
  for (const leaf of leaves) assert.equal(leaf.log.closed, leaf.log.started, 'an input was left open');
  assert.deepEqual(pool.holders(), []);
  assert.equal(pool.usedBytes, 0);
  assert.equal(heap.usedBytes, before, 'blocks leaked');
  return { error, settledTurns };
}

const turns = (count: number): Promise<void> =>
  new Promise((resolve) => {
    const next = (left: number): void => {
      if (left === 0) resolve();
      else setImmediate(next, left - 1);
    };
    next(count);
  });

/** Turns until the promise settles; a thousand without that is a hang. */
async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  const state = { settled: false };
  const ending = promise.finally(() => {
    state.settled = true;
  });
  let count = 0;
  for (; !state.settled && count < 1000; count++) await turns(1);
  assert.ok(state.settled, 'the streams hang');
  await ending;
  return count;
}

for (const [name, makePlan] of Object.entries(PLANS)) {
  for (const blockAfter of [0, 1, 3]) {
    test(`4.1 ${name}: a cancel ends the wait for an input that blocks after ${blockAfter} batches`, async () => {
      await withArenaAsync(async (arena) => {
        for (const how of ['cancel', 'close'] as const) {
          const leaves: MockExec[] = [];
          const make = (partitions: number): MockExec => {
            const steps: MockStep[] = Array.from({ length: blockAfter }, (_, i) =>
              batch(schema, rows.slice(i * 8, i * 8 + 8), arena),
            );
            const leaf = new MockExec(
              schema,
              Array.from({ length: partitions }, () => [...steps, 'block' as const]),
            );
            leaves.push(leaf);
            return leaf;
          };
          const outcome = await run(makePlan(make), leaves, async (control) => {
            await turns(10);
            if (how === 'cancel') control.cancel();
            else await control.close();
          });
          assert.ok(outcome.settledTurns < 10, `took ${outcome.settledTurns} turns`);
          if (how === 'cancel') assert.equal(outcome.error?.kind, 'cancelled');
          else assert.equal(outcome.error, undefined);
        }
      });
    });
  }

  test(`${name}: the failure of an input is the failure of the query, and closes the rest`, async () => {
    await withArenaAsync(async (arena) => {
      for (const failing of [0, 1, 2]) {
        const leaves: MockExec[] = [];
        const make = (partitions: number): MockExec => {
          const good: MockStep[] = [batch(schema, rows.slice(0, 8), arena), batch(schema, rows.slice(8, 20), arena)];
          const steps: MockStep[][] = Array.from({ length: partitions }, () => [...good]);
          if (leaves.length === 0) steps[0]!.splice(failing, 0, new DistqError('data_source', 'page 3 is corrupt'));
          const leaf = new MockExec(schema, steps);
          leaves.push(leaf);
          return leaf;
        };
        const outcome = await run(makePlan(make), leaves, () => Promise.resolve());
        assert.match(outcome.error?.message ?? '', /page 3 is corrupt/);
      }
    });
  });
}
