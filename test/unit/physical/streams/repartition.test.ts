import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heap } from '../../../../src/columnar/heap.js';
import { createExpressionCompiler } from '../../../../src/expr/expression-compiler.js';
import { physicalColumn } from '../../../../src/expr/physical-expr.js';
import { RepartitionExec } from '../../../../src/physical/operators/repartition-exec.js';
import { SortExec } from '../../../../src/physical/operators/sort-exec.js';
import type { RecordBatchStream } from '../../../../src/physical/task-context.js';
import { random, type Row, rowsOf, type Value, withArenaAsync } from '../../../support/batches.js';
import { testTask } from '../../../support/mock-exec.js';
import { groupKey, randomRows } from '../../../support/random-rows.js';
import { deal, leaf, RUN_MODES, runPlan } from '../../../support/run-plan.js';

const compiler = createExpressionCompiler('interpreter');

function sorted(rows: readonly Row[]): string[] {
  return rows.map(groupKey).sort();
}

test('every row goes to exactly one output, equal keys to the same one, in any mode', async () => {
  await withArenaAsync(async (arena) => {
    for (const settings of RUN_MODES) {
      for (const type of [0, 1, 3, 4, 5, 7]) {
        for (const outputs of [1, 2, 5]) {
          const { schema, rows } = randomRows([type, 1, 2], 150, type);
          const plan = new RepartitionExec(
            { kind: 'hash', exprs: [physicalColumn(schema, 0)], count: outputs },
            leaf(schema, deal(rows, 3), arena),
          );
          const found = await runPlan(plan, { settings });
          assert.deepEqual(sorted(found.flat()), sorted(rows));
          const home = new Map<string, number>();
          for (const [output, part] of found.entries()) {
            for (const row of part) {
              const key = groupKey([row[0]!]);
              assert.equal(home.get(key) ?? output, output, 'equal keys in two outputs');
              home.set(key, output);
            }
          }
        }
      }
    }
  });
});

test('round robin names the output of each input; further outputs end at once', async () => {
  await withArenaAsync(async (arena) => {
    for (const settings of RUN_MODES) {
      const { schema, rows } = randomRows([0, 1], 90, 4);
      for (const [inputs, outputs] of [
        [1, 3],
        [3, 2],
        [5, 2],
      ] as const) {
        const parts = deal(rows, inputs);
        const plan = new RepartitionExec({ kind: 'round_robin', count: outputs }, leaf(schema, parts, arena));
        const found = await runPlan(plan, { settings });
        for (let output = 0; output < outputs; output++) {
          const own = parts.filter((_, input) => input % outputs === output).flat();
          assert.deepEqual(sorted(found[output]!), sorted(own));
        }
      }
    }
  });
});

test('order is kept through a hash repartition that promises it', async () => {
  await withArenaAsync(async (arena) => {
    const { schema, rows } = randomRows([2, 1, 0], 200, 6, { nulls: false });
    const order = [{ expr: physicalColumn(schema, 0), descending: false, nullsFirst: false }];
    for (const settings of RUN_MODES) {
      const plan = new RepartitionExec(
        { kind: 'hash', exprs: [physicalColumn(schema, 1)], count: 3 },
        new SortExec(order, leaf(schema, deal(rows, 4), arena), { preservePartitioning: true }),
        { preserveOrder: true },
      );
      assert.equal(plan.preserveOrder, true);
      const found = await runPlan(plan, { settings });
      assert.deepEqual(sorted(found.flat()), sorted(rows));
      for (const part of found) {
        for (let i = 1; i < part.length; i++) assert.ok(Number(part[i - 1]![0]) <= Number(part[i]![0]));
      }
    }
  });
});

async function drain(stream: RecordBatchStream): Promise<Value[][]> {
  const rows: Value[][] = [];
  for await (const batch of stream) rows.push(...rowsOf(batch));
  return rows;
}

test('2.1: consumers that read outputs one after the other do not deadlock, whatever the skew', async () => {
  await withArenaAsync(async (arena) => {
    const { schema } = randomRows([0, 1], 1, 1, { nulls: false });
    const next = random(3);
    // All early rows have one key, later ones are mixed; both orders of reading must end.
    const rows = Array.from(
      { length: 3000 },
      (_, i): Row => [BigInt(i < 2000 ? 7 : Math.floor(next() * 100)), `row ${i}`],
    );
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      const { context, pool } = testTask({
        compiler,
        settings: { 'execution.batch_size': '16', 'debug.windows': 'tiny' },
      });
      const plan = new RepartitionExec(
        { kind: 'hash', exprs: [physicalColumn(schema, 0)], count: 3 },
        leaf(schema, deal(rows, 2), arena, { batchRows: 50 }),
      );
      const found: Value[][] = [];
      for (const output of order) found.push(...(await drain(context.execute(plan, output))));
      assert.deepEqual(sorted(found), sorted(rows));
      context.close();
      assert.deepEqual(pool.holders(), []);
    }
  });
});

test('2.3: the first consumer may leave; the others get all their rows', async () => {
  await withArenaAsync(async (arena) => {
    const { schema, rows } = randomRows([0, 1], 400, 11);
    const { context, pool } = testTask({ compiler, settings: { 'execution.batch_size': '8' } });
    const plan = new RepartitionExec(
      { kind: 'hash', exprs: [physicalColumn(schema, 0)], count: 4 },
      leaf(schema, deal(rows, 2), arena),
    );
    const all = await runPlan(plan);
    const streams = [0, 1, 2, 3].map((output) => context.execute(plan, output));
    const pulls = streams.map((stream) => stream.next());
    await pulls[0];
    await streams[0]!.return();
    const rest = await Promise.all(
      streams.slice(1).map(async (stream, index) => {
        const first = await pulls[index + 1]!;
        return [...(first.done === true ? [] : rowsOf(first.value)), ...(await drain(stream))];
      }),
    );
    for (const [index, part] of rest.entries()) assert.deepEqual(sorted(part), sorted(all[index + 1]!));
    context.close();
    assert.deepEqual(pool.holders(), []);
  });
});

test('2.7: when all outputs are closed, the input is closed', async () => {
  await withArenaAsync(async (arena) => {
    const before = heap.usedBytes;
    const { schema, rows } = randomRows([0, 1], 2000, 12);
    const { context, pool } = testTask({
      compiler,
      settings: { 'execution.batch_size': '8', 'debug.windows': 'tiny' },
    });
    const source = leaf(schema, [rows, rows], arena);
    const plan = new RepartitionExec({ kind: 'hash', exprs: [physicalColumn(schema, 0)], count: 2 }, source);
    const streams = [context.execute(plan, 0), context.execute(plan, 1)];
    await Promise.all(streams.map((stream) => stream.next()));
    await Promise.all(streams.map((stream) => stream.return()));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(source.log.closed, source.log.started);
    assert.ok(source.log.pulls < 100, 'nobody read on');
    context.close();
    assert.deepEqual(pool.holders(), []);
    assert.ok(heap.usedBytes >= before);
  });
});
