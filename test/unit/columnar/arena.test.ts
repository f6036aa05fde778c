import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../src/columnar/arena.js';
import { heap } from '../../../src/columnar/heap.js';
import { MemoryPool } from '../../../src/columnar/memory-pool.js';
import { random } from '../../support/batches.js';

test('allocations do not overlap, are aligned, and the accounts follow blocks', () => {
  const before = heap.usedBytes;
  const pool = new MemoryPool(2 ** 28);
  const arena = new Arena(pool.register('test'));
  const next = random(1);
  for (let round = 0; round < 5; round++) {
    const taken: { start: number; end: number }[] = [];
    for (let i = 0; i < 2_000; i++) {
      const bytes = Math.floor(next() ** 4 * 100_000);
      const aligned = next() < 0.5;
      const start = aligned ? arena.alloc(bytes) : arena.allocBytes(bytes);
      assert.notEqual(start, 0);
      if (aligned) assert.equal(start % 64, 0);
      taken.push({ start, end: start + bytes + (aligned ? 64 : 0) });
    }
    taken.sort((a, b) => a.start - b.start);
    for (let i = 1; i < taken.length; i++) assert.ok(taken[i]!.start >= taken[i - 1]!.end, 'two allocations overlap');
    assert.equal(pool.usedBytes, arena.heldBytes);
    assert.equal(heap.usedBytes - before, arena.heldBytes);
    arena.reset();
  }
  arena.free();
  assert.equal(arena.heldBytes, 0);
  assert.equal(pool.usedBytes, 0);
  assert.equal(heap.usedBytes, before);
});

test('an adopted arena stays valid, its accounts move, both can go on', () => {
  const pool = new MemoryPool(2 ** 28);
  const giver = new Arena(pool.register('giver'));
  const taker = new Arena(pool.register('taker'));
  const mine = taker.copyBytes(Uint8Array.of(1, 2, 3));
  const theirs = Array.from({ length: 50 }, (_, i) => ({ at: giver.copyBytes(new Uint8Array(5_000).fill(i)), i }));
  const held = giver.heldBytes;
  const own = taker.heldBytes;
  taker.adopt(giver);
  assert.equal(giver.heldBytes, 0);
  assert.equal(taker.heldBytes, held + own);
  assert.equal(pool.usedBytes, held + own);
  giver.allocZeroed(100_000);
  for (let i = 0; i < 100; i++) taker.allocZeroed(3_000);
  assert.deepEqual([...heap.u8.subarray(mine, mine + 3)], [1, 2, 3]);
  for (const { at, i } of theirs) assert.ok(heap.u8.subarray(at, at + 5_000).every((byte) => byte === i));
  giver.free();
  taker.free();
  assert.equal(pool.usedBytes, 0);
});

test('adopting into an arena that was reset does not hand the adopted bytes out', () => {
  const giver = new Arena();
  const taker = new Arena();
  taker.alloc(100_000);
  taker.reset();
  const at = giver.copyBytes(new Uint8Array(10_000).fill(7));
  taker.adopt(giver);
  for (let i = 0; i < 300; i++) taker.allocZeroed(1_000);
  assert.ok(heap.u8.subarray(at, at + 10_000).every((byte) => byte === 7));
  taker.free();
});

test('the budget is a typed error that names who holds what', () => {
  const pool = new MemoryPool(3 * 2 ** 20);
  const big = new Arena(pool.register('HashJoinExec (build)'));
  big.alloc(2 ** 21 - 64);
  const small = new Arena(pool.register('SortExec'));
  assert.throws(
    () => small.alloc(2 ** 21 - 64),
    (error: Error) => /HashJoinExec \(build\) 2\.0 MiB/.test(error.message) && /SortExec asked for/.test(error.message),
  );
  assert.equal(small.heldBytes, 0);
  assert.throws(() => small.alloc(2 ** 26 + 1), /passes the limit of 64 MiB/);
  big.free();
  small.free();
  assert.equal(pool.usedBytes, 0);
});
