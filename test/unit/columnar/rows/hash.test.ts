import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Column } from '../../../../src/columnar/column.js';
import { compact } from '../../../../src/columnar/flatten.js';
import { decimal, FLOAT64, INT32, INT64, UTF8_VIEW } from '../../../../src/columnar/data-type.js';
import { columnFromValues } from '../../../../src/columnar/from-values.js';
import { heap } from '../../../../src/columnar/heap.js';
import { kernels } from '../../../../src/columnar/kernels.js';
import { hashColumns } from '../../../../src/columnar/rows/hash-columns.js';
import type { RecordBatch } from '../../../../src/columnar/record-batch.js';
import { batch, random, withArena } from '../../../support/batches.js';
import { EDGE_VALUES, groupKey, randomRows } from '../../../support/random-rows.js';

function hashes(columns: readonly Column[], numRows: number): bigint[] {
  return withArena((arena) => {
    const address = hashColumns(columns, numRows, arena);
    return Array.from(heap.u64.subarray(address >>> 3, (address >>> 3) + numRows));
  });
}

function hashBatch(source: RecordBatch): bigint[] {
  return withArena((arena) => hashes(compact(source, arena).columns, source.numRows));
}

const MASK = (1n << 64n) - 1n;
function mix(x: bigint): bigint {
  let h = x;
  for (let i = 0; i < 2; i++) h = ((h ^ (h >> 32n)) * 0xd6e8feb86659fd93n) & MASK;
  return h ^ (h >> 32n);
}
/** The hash of integer rows, written from the description in rows/hash-columns.ts and kernels/hash.ts. */
function integerHash(row: readonly (bigint | null)[]): bigint {
  let hash = 0x243f6a8885a308d3n;
  for (const value of row) {
    const word = value === null ? 0x452821e638d01377n : value & MASK;
    hash = mix(((hash * 0x9e3779b97f4a7c15n) & MASK) ^ word);
  }
  return hash;
}

test('integer hashes are the documented function, for ever: other processes and versions rely on it', () => {
  withArena((arena) => {
    const a = columnFromValues(INT64, [0n, 1n, -1n, null, 2n ** 63n - 1n], arena);
    const b = columnFromValues(INT32, [0, 5, -5, 7, null], arena);
    assert.deepEqual(hashes([a, b], 5), [
      integerHash([0n, 0n]),
      integerHash([1n, 5n]),
      integerHash([-1n, -5n]),
      integerHash([null, 7n]),
      integerHash([2n ** 63n - 1n, null]),
    ]);
    assert.equal(hashes([a], 5)[1], 0x5126ed45a5d2988dn);
  });
});

test('the hash is of the value, whatever the representation', () => {
  withArena((arena) => {
    for (let type = 0; type < EDGE_VALUES.length; type++) {
      const { schema, rows } = randomRows([type, (type + 3) % EDGE_VALUES.length], 100, type);
      const flat = hashBatch(batch(schema, rows, arena, 'flat'));
      assert.deepEqual(hashBatch(batch(schema, rows, arena, 'dictionary')), flat);
      assert.deepEqual(hashBatch(batch(schema, rows, arena, 'selected')), flat);
      const few = randomRows([type], 3, 9);
      const sparse = batch(few.schema, few.rows, arena, 'dictionary');
      assert.deepEqual(hashBatch(sparse), hashBatch(batch(few.schema, few.rows, arena)));
      const repeated = Array.from({ length: 9 }, () => rows[5]!);
      const one = hashBatch(batch(schema, repeated, arena, 'constant'));
      assert.deepEqual(new Set(one), new Set([flat[5]]));
      const byKey = new Map<string, bigint>();
      for (const [index, row] of rows.entries()) {
        const key = groupKey(row);
        assert.equal(byKey.get(key) ?? flat[index], flat[index], `equal keys hash alike: ${key}`);
        byKey.set(key, flat[index]!);
      }
      assert.equal(new Set(byKey.values()).size, byKey.size, 'the few keys of this test do not collide');
    }
  });
});

test('narrow and wide decimals hash alike; every NaN and both zeros too', () => {
  withArena((arena) => {
    const values = [0n, -1n, 123456789n, -(2n ** 63n), null];
    const narrow = columnFromValues(decimal(38, 2), values, arena, 'i64');
    const wide = columnFromValues(decimal(38, 2), values, arena, 'i128');
    assert.deepEqual(hashes([narrow], 5), hashes([wide], 5));
    const floats = columnFromValues(FLOAT64, [0, -0, NaN, NaN], arena);
    heap.u64[(floats.values >>> 3) + 3] = 0xfff8000000000123n;
    const [zero, minusZero, nan, otherNan] = hashes([floats], 4);
    assert.equal(zero, minusZero);
    assert.equal(nan, otherNan);
  });
});

test('garbage under a null does not enter', () => {
  withArena((arena) => {
    const column = columnFromValues(UTF8_VIEW, ['a', null], arena);
    heap.u32.set([0xffff_ff00, 0xffff_ffff], (column.values >>> 2) + 2);
    const clean = columnFromValues(UTF8_VIEW, ['a', null], arena);
    assert.deepEqual(hashes([column], 2), hashes([clean], 2));
  });
});

test('bucketRows puts every row into the bucket of its low bits, evenly', () => {
  withArena((arena) => {
    const count = 8192;
    const column = columnFromValues(
      INT64,
      Array.from({ length: count }, (_, i) => BigInt(i * 4)),
      arena,
    );
    const address = hashColumns([column], count, arena);
    for (const buckets of [1, 2, 3, 16, 128]) {
      const indices = arena.alloc(count * 4);
      const ends = arena.alloc(buckets * 4);
      kernels.bucketRows(address, count, buckets, indices, ends);
      let start = 0;
      const seen = new Set<number>();
      for (let b = 0; b < buckets; b++) {
        const end = heap.u32[(ends >>> 2) + b]!;
        let last = -1;
        for (let i = start; i < end; i++) {
          const row = heap.u32[(indices >>> 2) + i]!;
          assert.ok(row > last);
          last = row;
          seen.add(row);
          assert.equal(heap.u32[(address >>> 2) + row * 2]! % buckets, b);
        }
        const share = (end - start) / (count / buckets);
        assert.ok(buckets === 1 || (share > 0.5 && share < 1.6), `bucket ${b} of ${buckets} has ${share} of its share`);
        start = end;
      }
      assert.equal(seen.size, count);
    }
  });
});

test('string hashes read no byte outside the string', () => {
  withArena((arena) => {
    const next = random(3);
    for (let length = 0; length < 40; length++) {
      const text = Array.from({ length }, () => String.fromCharCode(97 + Math.floor(next() * 26))).join('');
      const a = columnFromValues(UTF8_VIEW, [text], arena);
      const b = columnFromValues(UTF8_VIEW, [`#${text}`], arena);
      heap.u32[b.values >>> 2]! += 1;
      heap.u32[(b.values >>> 2) + 1]! -= 1;
      const shifted = Column.flat(UTF8_VIEW, 'view', 1, b.values);
      heap.u8[heap.u32[a.values >>> 2]! + length] = 1 + Math.floor(next() * 200);
      assert.deepEqual(hashes([a], 1), hashes([shifted], 1));
    }
  });
});
