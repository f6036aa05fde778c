import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryPool } from '../../../src/columnar/memory-pool.js';
import { KeySet } from '../../../src/columnar/rows/key-set.js';
import { type KeyFilterPart, KeyFilters } from '../../../src/physical/key-filters.js';

function made(filters: KeyFilters, part: number, parts: number, least: bigint, largest: bigint): Promise<void> {
  return filters.publish({ id: 1, part, parts }, (arena) =>
    Promise.resolve([KeySet.over(least, largest, arena), null]),
  );
}

test('a filter holds once all its parts are here, from this process or another', async () => {
  const pool = new MemoryPool(2 ** 24);
  const told: KeyFilterPart[] = [];
  const here = new KeyFilters(pool.register('here'), (part) => told.push(part));
  const there = new KeyFilters(pool.register('there'), () => assert.fail('what was received is not passed on'));
  await made(here, 0, 2, 1n, 9n);
  assert.equal(here.keySets(1), null);
  assert.ok(!here.wants(1, 0) && here.wants(1, 1));
  await made(here, 0, 2, 50n, 90n);
  assert.equal(told.length, 1, 'a part counts once');
  await made(here, 1, 2, 20n, 30n);
  for (const part of told) there.receive(part);
  for (const filters of [here, there]) {
    const sets = filters.keySets(1);
    assert.ok(sets !== null);
    assert.deepEqual([sets[0]?.least, sets[0]?.largest, sets[1]], [1n, 30n, null]);
    assert.equal(filters.keySets(1), sets, 'the same array every time');
    filters.free();
    assert.equal(filters.keySets(1), null);
  }
  assert.deepEqual(pool.holders(), []);
});

test('without memory there is no filter, and no error', async () => {
  const pool = new MemoryPool(1024);
  const filters = new KeyFilters(pool.register('filters'));
  await made(filters, 0, 1, 0n, 10_000_000n);
  assert.equal(filters.keySets(1), null);
  filters.free();
  assert.deepEqual(pool.holders(), []);
});
