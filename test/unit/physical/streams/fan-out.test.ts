import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelScope } from '../../../../src/base/cancel-scope.js';
import { DistqError } from '../../../../src/base/errors.js';
import { FanOut, type FanOutChunk, type FanOutClock } from '../../../../src/physical/streams/fan-out.js';

/** A clock that stands until it is moved. */
class ManualClock implements FanOutClock {
  #nowMs = 0;
  #timers: { atMs: number; callback: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + milliseconds, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves time on, millisecond by millisecond, letting waiters run in between. */
  async advance(milliseconds: number): Promise<void> {
    for (let step = 0; step < milliseconds; step++) {
      this.#nowMs++;
      const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs);
      this.#timers = this.#timers.filter(({ atMs }) => atMs > this.#nowMs);
      for (const { callback } of due) callback();
      await settle();
    }
  }
}

/** Lets everything run that needs no time. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Row extends FanOutChunk {
  readonly number: number;
}

function row(number: number): Row {
  return { number, bytes: 1, drop: () => undefined };
}

/** Pushes rows to the outputs that `target` names, as fast as the gate lets it. */
async function produce(
  fanOut: FanOut<Row>,
  scope: CancelScope,
  count: number,
  target: (row: number) => number,
  progress: { pushed: number },
): Promise<void> {
  for (let number = 0; number < count; number++) {
    await fanOut.ready(scope, () => undefined);
    fanOut.push(target(number), row(number));
    progress.pushed++;
  }
  fanOut.end();
}

test('a slow consumer holds the producer at the bound though other outputs stay empty for ever', async () => {
  const clock = new ManualClock();
  const scope = new CancelScope();
  const fanOut = new FanOut<Row>(8, 10, { clock });
  const progress = { pushed: 0 };
  // Three keys in eight buckets: five consumers wait for ever.
  const producing = produce(fanOut, scope, 3000, (number) => number % 3, progress);
  for (const idle of [3, 4, 5, 6, 7]) void fanOut.take(idle, scope).catch(() => undefined);
  let peak = 0;
  for (let taken = 0; taken < 3000; ) {
    await settle();
    peak = Math.max(peak, fanOut.queuedBytes);
    // One row of some output leaves every 4 ms: something drains, so nobody is starving.
    const chunk = await fanOut.take(taken % 3, scope);
    assert.equal(chunk?.number, taken);
    taken++;
    await clock.advance(4);
  }
  await producing;
  assert.ok(peak <= 3 * 11, `${peak} rows were buffered`);
});

test('a consumer that waits for one output while another is full is let through', async () => {
  const clock = new ManualClock();
  const scope = new CancelScope();
  const fanOut = new FanOut<Row>(2, 10, { clock });
  const progress = { pushed: 0 };
  // All early rows go to output 1; the reader wants output 0 first.
  const producing = produce(fanOut, scope, 1000, (number) => (number < 999 ? 1 : 0), progress);
  const first = fanOut.take(0, scope);
  await settle();
  assert.equal(progress.pushed, 11, 'parked at the bound');
  await clock.advance(4);
  assert.equal(progress.pushed, 11, 'not yet starving');
  await clock.advance(1);
  assert.equal(progress.pushed, 11 + 11, 'one more window');
  await clock.advance(5);
  assert.equal(progress.pushed, 22 + 21, 'then twice as much');
  await clock.advance(40);
  assert.equal((await first)?.number, 999);
  await producing;
  for (let number = 0; number < 999; number++) assert.equal((await fanOut.take(1, scope))?.number, number);
  assert.equal(await fanOut.take(1, scope), undefined);
});

test('2.1: a pull that is no wish keeps the gate shut until it becomes one', async () => {
  const clock = new ManualClock();
  const scope = new CancelScope();
  let wished = false;
  const fanOut = new FanOut<Row>(2, 10, { clock, isWish: () => wished });
  const progress = { pushed: 0 };
  const producing = produce(fanOut, scope, 1000, () => 1, progress);
  // A reader in another process has its window open; its consumer has rows to read.
  const first = fanOut.take(0, scope);
  await settle();
  await clock.advance(100);
  assert.equal(progress.pushed, 11, 'parked at the bound');
  // It runs dry for a moment only.
  for (let round = 0; round < 5; round++) {
    wished = true;
    fanOut.poke();
    await clock.advance(4);
    wished = false;
    fanOut.poke();
    await clock.advance(4);
  }
  assert.equal(progress.pushed, 11, 'still parked');
  wished = true;
  fanOut.poke();
  await settle();
  await clock.advance(5);
  assert.equal(progress.pushed, 11 + 11, 'one more window');
  scope.cancel();
  await assert.rejects(producing, /cancelled/);
  await assert.rejects(first, /cancelled/);
});

test('once rows flow again the bound is the old one', async () => {
  const clock = new ManualClock();
  const scope = new CancelScope();
  const fanOut = new FanOut<Row>(2, 10, { clock });
  const progress = { pushed: 0 };
  const producing = produce(fanOut, scope, 200, (number) => (number === 30 ? 0 : 1), progress);
  const first = fanOut.take(0, scope);
  await settle();
  await clock.advance(10);
  assert.equal((await first)?.number, 30);
  for (let taken = 0; taken < 80; taken++) await fanOut.take(1, scope);
  await settle();
  assert.equal(fanOut.queuedBytes, 11);
  scope.cancel();
  await assert.rejects(producing, /cancelled/);
});

test('closed outputs drop their rows; errors come after the rows that were queued', async () => {
  const scope = new CancelScope();
  const fanOut = new FanOut<Row>(2, 10);
  let dropped = 0;
  const drop = (): void => {
    dropped++;
  };
  const droppable = (number: number): Row => ({ number, bytes: 1, drop });
  fanOut.push(0, droppable(1));
  fanOut.push(1, droppable(2));
  fanOut.close(0);
  fanOut.push(0, droppable(3));
  assert.equal(dropped, 2);
  assert.equal(fanOut.allClosed, false);
  fanOut.fail(new DistqError('data_source', 'broken'));
  assert.equal((await fanOut.take(1, scope))?.number, 2);
  await assert.rejects(fanOut.take(1, scope), /broken/);
  fanOut.close(1);
  assert.equal(fanOut.allClosed, true);
});
