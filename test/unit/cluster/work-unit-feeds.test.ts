/** A feed's two ends: the bounded queue beside its provider, and the reader in a task. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CancelScope } from '../../../src/base/cancel-scope.js';
import { DistqError } from '../../../src/base/errors.js';
import { FeedQueue } from '../../../src/cluster/coordinator/feed-queue.js';
import { FeedReader } from '../../../src/cluster/worker/task-feeds.js';
import type { WorkUnit } from '../../../src/physical/leaf/work-unit-feed.js';

interface Grant {
  readonly task: number;
  readonly units: readonly WorkUnit[];
  readonly ended: boolean;
}

class Provider {
  given = 0;
  returned = 0;
  readonly count: number;
  readonly failAt: number;

  constructor(count: number, failAt = -1) {
    this.count = count;
    this.failAt = failAt;
  }

  async *units(): AsyncGenerator<number, void, undefined> {
    try {
      for (; this.given < this.count; ) {
        if (this.given === this.failAt) throw new Error('out of paper');
        await Promise.resolve();
        yield this.given++;
      }
    } finally {
      this.returned++;
    }
  }
}

function queueOver(
  provider: Provider,
  { bound, tasks }: { bound: number; tasks: number },
): { readonly queue: FeedQueue; readonly grants: Grant[]; readonly failures: [string, number][] } {
  const grants: Grant[] = [];
  const failures: [string, number][] = [];
  const queue = new FeedQueue({
    open: () => provider.units(),
    check: (unit) => unit as WorkUnit,
    bound,
    tasks: Array.from({ length: tasks }, (_, task) => task),
    grant: (task, units, ended) => {
      grants.push({ task, units, ended });
    },
    fail: (error, task) => {
      failures.push([String(error), task]);
    },
  });
  return { queue, grants, failures };
}

/** Lets everything that can go on without us go on. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('the queue', () => {
  test('starts the provider at the first demand and is never ahead by more than its bound', async () => {
    const provider = new Provider(1_000);
    const { queue, grants } = queueOver(provider, { bound: 4, tasks: 2 });
    await settle();
    assert.equal(provider.given, 0);
    let most = 0;
    for (let round = 0; round < 100; round++) {
      queue.demand(round % 2, 1 + (round % 3));
      await settle();
      most = Math.max(most, queue.pulled - queue.taken);
      assert.ok(queue.pulled - queue.taken <= 4);
      assert.equal(provider.given, queue.pulled);
    }
    assert.equal(most, 4);
    const taken = grants.flatMap(({ units }) => units);
    assert.deepEqual(
      taken,
      taken.map((_, index) => index),
    );
    assert.equal(taken.length, queue.taken);
    await queue.close();
    assert.equal(provider.returned, 1);
  });

  test('serves the oldest demand first, and nobody more than a share of what is there', async () => {
    const provider = new Provider(100);
    const { queue, grants } = queueOver(provider, { bound: 8, tasks: 4 });
    queue.demand(0, 1);
    await settle();
    queue.demand(3, 100);
    queue.demand(1, 1);
    await settle();
    assert.deepEqual(grants, [
      { task: 0, units: [0], ended: false },
      // 8 lie there for 4 tasks.
      { task: 3, units: [1, 2], ended: false },
      { task: 1, units: [3], ended: false },
    ]);
    await queue.close();
  });

  test('tells every task that asks that the feed has ended', async () => {
    const provider = new Provider(3);
    const { queue, grants } = queueOver(provider, { bound: 8, tasks: 2 });
    for (let round = 0; round < 4; round++) {
      queue.demand(0, 1);
      await settle();
    }
    queue.demand(1, 5);
    await settle();
    assert.deepEqual(
      grants.flatMap(({ units }) => units),
      [0, 1, 2],
    );
    assert.deepEqual([...new Set(grants.filter(({ ended }) => ended).map(({ task }) => task))], [0, 1]);
    // Whatever is asked after the end is answered at once, and with nothing.
    assert.deepEqual(grants.at(-1), { task: 1, units: [], ended: true });
    assert.equal(provider.returned, 1);
  });

  test('closes the provider when the last task leaves, and drops its demands', async () => {
    const provider = new Provider(100);
    const { queue, grants } = queueOver(provider, { bound: 1, tasks: 2 });
    queue.demand(0, 1);
    await settle();
    await queue.leave(0);
    assert.equal(provider.returned, 0);
    await queue.leave(1);
    assert.equal(provider.returned, 1);
    queue.demand(1, 1);
    await settle();
    assert.equal(grants.length, 1);
  });

  test('tells a failure once, of the task that waits', async () => {
    const provider = new Provider(10, 2);
    const { queue, failures } = queueOver(provider, { bound: 1, tasks: 3 });
    queue.demand(0, 1);
    queue.demand(1, 1);
    queue.demand(2, 1);
    await settle();
    queue.demand(0, 1);
    await settle();
    assert.deepEqual(failures, [['Error: out of paper', 2]]);
  });

  test('a bound of one never stalls, however demands come', async () => {
    const provider = new Provider(500);
    const { queue, grants } = queueOver(provider, { bound: 1, tasks: 1 });
    while (grants.at(-1)?.ended !== true) {
      const before = grants.length;
      queue.demand(0, 2);
      for (let turns = 0; grants.length === before; turns++) {
        assert.ok(turns < 10, `stalled after ${queue.taken} units`);
        await settle();
      }
    }
    assert.equal(queue.taken, 500);
  });
});

describe('the reader in a task', () => {
  function reader(most = 16): { readonly reader: FeedReader; readonly demands: number[]; readonly left: () => number } {
    const demands: number[] = [];
    let left = 0;
    return {
      demands,
      left: () => left,
      reader: new FeedReader({
        most,
        demand: (count) => demands.push(count),
        leave: () => {
          left++;
        },
      }),
    };
  }

  test('asks for one at first, for more while it is quick, and for fewer when it slows down', async () => {
    const { reader: end, demands } = reader(4);
    const scope = new CancelScope();
    const sizes: number[] = [];
    for (let round = 0; round < 5; round++) {
      // The unit comes after the wish, as over a channel.
      const unit = end.next(scope);
      const asked = demands.at(-1) ?? 0;
      sizes.push(asked);
      end.receive(
        Array.from({ length: asked }, (_, i) => i),
        false,
      );
      await unit;
      for (let i = 1; i < asked; i++) await end.next(scope);
    }
    assert.ok(sizes[0] === 1 && Math.max(...sizes) <= 4 && sizes.at(-1) === 4, sizes.join());
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
    void end.next(scope);
    assert.equal(demands.at(-1), 2);
  });

  test('partitions of the task share what it gets, and all see the end', async () => {
    const { reader: end, demands } = reader();
    const scope = new CancelScope();
    const waiting = [end.next(scope), end.next(scope), end.next(scope)];
    assert.deepEqual(demands, [1]);
    end.receive(['a', null], true);
    assert.deepEqual(await Promise.all(waiting), [{ unit: 'a' }, { unit: null }, undefined]);
    assert.equal(await end.next(scope), undefined);
  });

  test('what a cancelled partition was about to get goes to another', async () => {
    const { reader: end } = reader();
    const [leaving, staying] = [new CancelScope(), new CancelScope()];
    const first = end.next(leaving);
    const second = end.next(staying);
    leaving.cancel(new DistqError('cancelled', 'closed'));
    end.receive(['a'], false);
    await assert.rejects(first, /closed/);
    assert.deepEqual(await second, { unit: 'a' });
    // Granted and cancelled in one go.
    const both = new CancelScope();
    const third = end.next(both);
    end.receive(['b'], false);
    both.cancel(new DistqError('cancelled', 'closed'));
    await third.then(
      (taken) => {
        assert.deepEqual(taken, { unit: 'b' });
      },
      async () => {
        assert.deepEqual(await end.next(staying), { unit: 'b' });
      },
    );
  });

  test('leaving is told once, and not after the end', () => {
    const early = reader();
    early.reader.close();
    early.reader.close();
    assert.equal(early.left(), 1);
    const late = reader();
    late.reader.receive([], true);
    late.reader.close();
    assert.equal(late.left(), 0);
  });
});
