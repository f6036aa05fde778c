import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena } from '../../../../src/columnar/arena.js';
import { heap } from '../../../../src/columnar/heap.js';
import { kernels } from '../../../../src/columnar/kernels.js';
import { KeySet } from '../../../../src/columnar/rows/key-set.js';

/** A set of these keys, added as rows of one 8-byte key. */
function setOf(keys: readonly bigint[], arena: Arena): KeySet {
  const least = keys.reduce((a, b) => (a < b ? a : b));
  const largest = keys.reduce((a, b) => (a > b ? a : b));
  const set = KeySet.over(least, largest, arena);
  const rows = arena.alloc(keys.length * 8);
  heap.i64.set(keys, rows >>> 3);
  if (set.address !== 0) kernels.addRowKeys(set.address, rows, 8, keys.length, 0, 8, 0, 0);
  return set;
}

function kept(set: KeySet, values: readonly bigint[], arena: Arena, { width = 8, validity = 0 } = {}): number[] {
  const at = arena.alloc(values.length * 8);
  for (const [i, value] of values.entries()) {
    if (width === 8) heap.i64[(at >>> 3) + i] = value;
    else heap.i32[(at >>> 2) + i] = Number(value);
  }
  const out = arena.alloc((values.length + 1) * 4);
  const count = kernels.selectKeys(set.address, at, width, validity, 0, values.length, out);
  return [...heap.u32.subarray(out >>> 2, (out >>> 2) + count)];
}

test('a key set holds exactly its keys, at the edges of its range and of the type', () => {
  const arena = new Arena();
  const set = setOf([-70n, -1n, 0n, 63n, 64n, 1000n], arena);
  const probes = [-71n, -70n, -69n, -1n, 0n, 1n, 63n, 64n, 65n, 1000n, 1001n, 2n ** 63n - 1n, -(2n ** 63n)];
  assert.deepEqual(kept(set, probes, arena), [1, 3, 4, 6, 7, 9]);
  const narrow = [-70n, 5n, 1000n, -(2n ** 31n), 2n ** 31n - 1n];
  assert.deepEqual(kept(set, narrow, arena, { width: 4 }), [0, 2]);
  const edge = setOf([2n ** 63n - 1n, 2n ** 63n - 64n], arena);
  assert.deepEqual(kept(edge, probes, arena), [11]);
  arena.free();
});

test('nulls are in no set, and a selection stays one', () => {
  const arena = new Arena();
  const set = setOf([1n, 3n], arena);
  const validity = arena.allocZeroed(8);
  heap.u8[validity] = 0b1110;
  assert.deepEqual(kept(set, [1n, 1n, 2n, 3n], arena, { validity }), [1, 3]);
  const flags = arena.alloc(4);
  const values = arena.alloc(32);
  heap.i64.set([3n, 2n, 1n], values >>> 3);
  kernels.keySetFlags(set.address, values, 8, 3, flags);
  assert.deepEqual([...heap.u8.subarray(flags, flags + 3)], [1, 0, 1]);
  const codes = arena.alloc(16);
  heap.u32.set([0, 1, 2, 2], codes >>> 2);
  const selection = arena.alloc(16);
  heap.u32.set([1, 2, 3], selection >>> 2);
  // In place: what comes out is never before what goes in.
  const count = kernels.selectFlaggedCodes(flags, codes, 0, selection, 3, selection);
  assert.deepEqual([...heap.u32.subarray(selection >>> 2, (selection >>> 2) + count)], [2, 3]);
  arena.free();
});

test('the union of parts has the keys of all, also as images', () => {
  const arena = new Arena();
  const parts = [setOf([5n, 130n], arena), KeySet.EMPTY, setOf([-200n, 6n], arena), setOf([900n], arena)];
  const images = parts.map((part) => KeySet.fromImage(part.image(), arena));
  for (const set of [KeySet.union(parts, arena), KeySet.union(images, arena)]) {
    assert.deepEqual([set.least, set.largest], [-200n, 900n]);
    const probes = [-201n, -200n, -199n, 5n, 6n, 7n, 130n, 131n, 899n, 900n];
    assert.deepEqual(kept(set, probes, arena), [1, 3, 4, 6, 9]);
  }
  assert.ok(KeySet.union([KeySet.EMPTY, KeySet.EMPTY], arena).isEmpty);
  arena.free();
});

test('a range too wide for bits is only a range', () => {
  const arena = new Arena();
  const wide = setOf([0n, 2n ** 40n], arena);
  assert.equal(wide.address, 0);
  assert.equal(wide.image().bitmap, null);
  const both = KeySet.union([wide, setOf([-3n], arena)], arena);
  assert.deepEqual([both.address, both.least, both.largest], [0, -3n, 2n ** 40n]);
  const apart = KeySet.union([setOf([0n], arena), setOf([2n ** 40n], arena)], arena);
  assert.deepEqual([apart.address, apart.largest], [0, 2n ** 40n]);
  arena.free();
});
