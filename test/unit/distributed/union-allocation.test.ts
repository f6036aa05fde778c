import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  allocateUnionChildren,
  formatUnionTaskMap,
  type UnionChildWeight,
  unionChildTaskCounts,
} from '../../../src/distributed/union-allocation.js';

function weights(...values: (number | readonly [weight: number, maxTasks: number])[]): UnionChildWeight[] {
  return values.map((value) =>
    typeof value === 'number' ? { weight: value, maxTasks: null } : { weight: value[0], maxTasks: value[1] },
  );
}

const rows: readonly { readonly weights: UnionChildWeight[]; readonly tasks: number; readonly map: string }[] = [
  { weights: weights(1, 1, 1), tasks: 3, map: 't0:[c0] t1:[c1] t2:[c2]' },
  { weights: weights(1, 1, 1), tasks: 2, map: 't0:[c0, c2] t1:[c1]' },
  { weights: weights(1, 2, 3), tasks: 5, map: 't0:[c0] t1:[c1(0/2)] t2:[c1(1/2)] t3:[c2(0/2)] t4:[c2(1/2)]' },
  { weights: weights(1, 2, 3), tasks: 2, map: 't0:[c1, c0] t1:[c2]' },
  { weights: weights(1, 2, 3), tasks: 1, map: 't0:[c2, c0, c1]' },
  { weights: weights(10, 1, 1), tasks: 3, map: 't0:[c0(0/3), c1] t1:[c0(1/3), c2] t2:[c0(2/3)]' },
  { weights: weights([1, 1], [1, 1]), tasks: 3, map: 't0:[c0] t1:[c1] t2:[]' },
  { weights: weights([1, 1], 1), tasks: 3, map: 't0:[c0] t1:[c1(0/2)] t2:[c1(1/2)]' },
  { weights: weights(5, 2), tasks: 5, map: 't0:[c0(0/4)] t1:[c0(1/4)] t2:[c0(2/4)] t3:[c0(3/4)] t4:[c1]' },
  { weights: weights(1, 1, 1, 1, 1), tasks: 3, map: 't0:[c0, c3] t1:[c1, c4] t2:[c2]' },
  { weights: weights(0, 0), tasks: 2, map: 't0:[c0] t1:[c1]' },
  { weights: weights(3, 3), tasks: 3, map: 't0:[c0(0/2)] t1:[c0(1/2)] t2:[c1]' },
  { weights: weights(2, 1, [1, 1]), tasks: 4, map: 't0:[c0(0/2)] t1:[c0(1/2)] t2:[c1] t3:[c2]' },
];

describe('allocateUnionChildren', () => {
  for (const row of rows) {
    test(`${row.weights.map((w) => `${w.weight}${w.maxTasks === null ? '' : `≤${w.maxTasks}`}`).join(', ')} over ${row.tasks}`, () => {
      assert.equal(formatUnionTaskMap(allocateUnionChildren(row.weights, row.tasks)), row.map);
    });
  }

  test('refuses what cannot be dealt', () => {
    const plan = { kind: 'plan' };
    assert.throws(() => allocateUnionChildren(weights(1), 0), plan);
    assert.throws(() => allocateUnionChildren([], 1), plan);
    assert.throws(() => allocateUnionChildren(weights(1, [1, 0]), 2), plan);
    assert.throws(() => allocateUnionChildren(weights(-1), 2), plan);
    assert.throws(() => allocateUnionChildren(weights(Number.NaN), 2), plan);
  });

  test('T22: runs each share of each child exactly once, within the budget and the caps', () => {
    const weight = fc.record({
      weight: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.double({ min: 0, max: 5, noNaN: true })),
      maxTasks: fc.option(fc.integer({ min: 1, max: 6 })),
    });
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 24 }), (given, tasks) => {
        const map = allocateUnionChildren(given, tasks);
        assert.equal(map.length, tasks);
        const counts = unionChildTaskCounts(map, given.length);
        const shares = map.flat();
        for (const [child, { maxTasks }] of given.entries()) {
          const own = shares.filter((share) => share.child === child);
          const count = counts[child] ?? 0;
          assert.ok(count >= 1 && (maxTasks === null || count <= maxTasks));
          assert.deepEqual(
            own.map((share) => share.context.taskIndex).sort((a, b) => a - b),
            Array.from({ length: count }, (_, index) => index),
          );
          for (const share of own) assert.equal(share.context.taskCount, count);
        }
        // One child has at most one share per task, and the shares that took a task of their own fit the budget.
        for (const slot of map) assert.equal(new Set(slot.map((share) => share.child)).size, slot.length);
        assert.ok(map.filter((slot) => slot.length > 0).length <= tasks);
      }),
    );
  });
});
