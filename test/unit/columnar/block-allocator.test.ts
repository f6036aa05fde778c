import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_BYTES, BlockAllocator, MAX_BLOCK_BYTES } from '../../../src/columnar/block-allocator.js';
import { random } from '../../support/batches.js';

const GIB = 2 ** 30;

/** Sizes an engine asks for: mostly small arena chunks, some 1 MiB ones, few large pieces. */
function realisticSize(next: () => number): number {
  const kind = next();
  if (kind < 0.6) return BLOCK_BYTES * 2 ** Math.floor(next() * 4);
  if (kind < 0.95) return 2 ** 18 * 2 ** Math.floor(next() * 3);
  return 2 ** 21 * 2 ** Math.floor(next() * 5);
}

for (const hotReuse of [false, true]) {
  test(`100,000 random steps keep blocks apart, aligned and counted${hotReuse ? ' (hot reuse)' : ''}`, () => {
    const next = random(5);
    const start = 65_536;
    const end = 4 * GIB - 65_536;
    const allocator = new BlockAllocator({ start, end, hotReuse });
    const live: { address: number; bytes: number }[] = [];
    const owner = new Int32Array(end / BLOCK_BYTES);
    let used = 0;
    const limit = (end - start) * 0.6;
    for (let step = 1; step <= 100_000; step++) {
      const bytes = realisticSize(next);
      if (used + bytes <= limit && (live.length === 0 || next() < 0.55)) {
        const address = allocator.allocate(bytes);
        if (address === 0) {
          assert.ok(hotReuse, 'an unfragmented space of 40 % free had no block');
          continue;
        }
        const held = allocator.blockBytes(address);
        assert.ok(held >= bytes && address >= start && address + held <= end, 'a block outside the range');
        assert.equal(address % held, 0);
        for (let unit = address / BLOCK_BYTES; unit < (address + held) / BLOCK_BYTES; unit++) {
          assert.equal(owner[unit], 0, 'two blocks overlap');
          owner[unit] = step;
        }
        used += held;
        live.push({ address, bytes: held });
      } else if (live.length > 0) {
        const index = Math.floor(next() * live.length);
        const [block] = live.splice(index, 1);
        assert.ok(block !== undefined);
        owner.fill(0, block.address / BLOCK_BYTES, (block.address + block.bytes) / BLOCK_BYTES);
        allocator.release(block.address);
        used -= block.bytes;
      }
      if (step % 1000 === 0) assert.equal(allocator.usedBytes, used);
    }
    if (!hotReuse) {
      const large = allocator.allocate(MAX_BLOCK_BYTES);
      assert.notEqual(large, 0, `a 64 MiB request failed at ${Math.round((100 * used) / (end - start))} % full`);
      allocator.release(large);
    }
    for (const block of live) allocator.release(block.address);
    assert.equal(allocator.usedBytes, 0);
    if (hotReuse) return;
    let pieces = 0;
    while (allocator.allocate(MAX_BLOCK_BYTES) !== 0) pieces++;
    assert.equal(pieces, 62, 'all but the first and the last, incomplete 64 MiB are whole again');
  });
}

test('filled to 60 % by realistic sizes, a 64 MiB request still succeeds', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const next = random(seed);
    const allocator = new BlockAllocator({ start: 65_536, end: GIB });
    const live: number[] = [];
    for (let step = 0; step < 20_000; step++) {
      if (allocator.usedBytes < GIB * 0.6) {
        const address = allocator.allocate(realisticSize(next));
        if (address !== 0) live.push(address);
      } else {
        const [address] = live.splice(Math.floor(next() * live.length), 1);
        if (address !== undefined) allocator.release(address);
      }
    }
    while (allocator.usedBytes > GIB * 0.6) allocator.release(live.pop()!);
    assert.notEqual(allocator.allocate(MAX_BLOCK_BYTES), 0, `seed ${seed}`);
  }
});

test('a full range gives 0, a foreign address is refused', () => {
  const allocator = new BlockAllocator({ start: 65_536, end: 65_536 + 4 * BLOCK_BYTES });
  const blocks = [1, 2, 3, 4].map(() => allocator.allocate(BLOCK_BYTES));
  assert.deepEqual(
    blocks.sort((a, b) => a - b),
    [65_536, 81_920, 98_304, 114_688],
  );
  assert.equal(allocator.allocate(1), 0);
  assert.throws(() => {
    allocator.release(12_345);
  }, /no block/);
  for (const block of blocks) allocator.release(block);
  assert.equal(allocator.allocate(4 * BLOCK_BYTES), 65_536);
});
