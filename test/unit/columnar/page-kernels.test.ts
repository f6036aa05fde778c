import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addr, heap } from '../../../src/columnar/heap.js';
import { kernels } from '../../../src/columnar/kernels.js';
import { withArena } from '../../support/batches.js';

const PADDING = 64;

/** Runs a decompressor over a copy of `bytes` and checks that it writes nothing beyond its target's padding. */
function run(
  bytes: Uint8Array,
  capacity: number,
  decompress: (source: number, target: number) => number,
): Uint8Array | undefined {
  return withArena((arena) => {
    const source = arena.alloc(bytes.length + PADDING);
    heap.u8.set(bytes, source);
    const target = arena.alloc(capacity + 2 * PADDING + 64);
    const guard = target + capacity + PADDING;
    heap.u8.fill(0xab, guard, guard + 64);
    const written = decompress(source, target);
    assert.ok(
      heap.u8.subarray(guard, guard + 64).every((byte) => byte === 0xab),
      'written past the padding',
    );
    assert.ok(written >= -1 && written <= capacity);
    return written < 0 ? undefined : heap.u8.slice(target, target + written);
  });
}

const snappy = (bytes: Uint8Array, capacity: number): Uint8Array | undefined =>
  run(bytes, capacity, (source, target) => kernels.snappyDecompress(source, bytes.length, target, capacity));
const lz4 = (bytes: Uint8Array, capacity: number): Uint8Array | undefined =>
  run(bytes, capacity, (source, target) => kernels.lz4Decompress(source, bytes.length, target, capacity));
const zstd = (bytes: Uint8Array, capacity: number): Uint8Array | undefined =>
  withArena((arena) => {
    const workspace = arena.alloc(160 * 1024);
    return run(bytes, capacity, (source, target) =>
      kernels.zstdDecompress(source, bytes.length, target, capacity, workspace),
    );
  });

/** What a compressor says: literal bytes, or a copy from `back` bytes before. */
type Piece = { readonly literal: Uint8Array } | { readonly back: number; readonly length: number };

const pieces = fc.array(
  fc.oneof(
    fc.record({ literal: fc.uint8Array({ minLength: 1, maxLength: 90 }) }),
    fc.record({ literal: fc.uint8Array({ minLength: 250, maxLength: 300 }) }),
    fc.record({
      back: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3000 })),
      length: fc.integer({ min: 4, max: 64 }),
    }),
  ),
  { minLength: 1, maxLength: 40 },
);

/** The bytes the pieces stand for, and the pieces with copies that reach back no further than there is. */
function play(wanted: readonly Piece[]): { bytes: number[]; played: Piece[] } {
  const bytes: number[] = [];
  const played: Piece[] = [];
  for (const piece of wanted) {
    if ('literal' in piece) {
      bytes.push(...piece.literal);
      played.push(piece);
    } else if (bytes.length > 0) {
      const back = Math.min(piece.back, bytes.length);
      for (let i = 0; i < piece.length; i++) bytes.push(bytes[bytes.length - back] ?? 0);
      played.push({ back, length: piece.length });
    }
  }
  return { bytes, played };
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

function encodeSnappy(total: number, played: readonly Piece[]): Uint8Array {
  const out = varint(total);
  for (const piece of played) {
    if ('literal' in piece) {
      const n = piece.literal.length - 1;
      if (n < 60) out.push(n << 2);
      else if (n < 256) out.push(60 << 2, n);
      else out.push(61 << 2, n & 255, n >> 8);
      out.push(...piece.literal);
    } else if (piece.length <= 11 && piece.back < 2048) {
      out.push(1 | ((piece.length - 4) << 2) | ((piece.back >> 8) << 5), piece.back & 255);
    } else if (piece.length % 2 === 0) {
      out.push(2 | ((piece.length - 1) << 2), piece.back & 255, piece.back >> 8);
    } else {
      out.push(3 | ((piece.length - 1) << 2), piece.back & 255, piece.back >> 8, 0, 0);
    }
  }
  return Uint8Array.from(out);
}

/** Literals and copies as LZ4 sequences; the block ends with literals. */
function encodeLz4(played: readonly Piece[], tail: Uint8Array): Uint8Array {
  const out: number[] = [];
  const lengthBytes = (rest: number): number[] => [...Array<number>(Math.floor(rest / 255)).fill(255), rest % 255];
  let literals: number[] = [];
  for (const piece of played) {
    if ('literal' in piece) {
      literals.push(...piece.literal);
      continue;
    }
    const match = piece.length - 4;
    out.push((Math.min(literals.length, 15) << 4) | Math.min(match, 15));
    if (literals.length >= 15) out.push(...lengthBytes(literals.length - 15));
    out.push(...literals, piece.back & 255, piece.back >> 8);
    if (match >= 15) out.push(...lengthBytes(match - 15));
    literals = [];
  }
  literals.push(...tail);
  out.push(Math.min(literals.length, 15) << 4);
  if (literals.length >= 15) out.push(...lengthBytes(literals.length - 15));
  return Uint8Array.from([...out, ...literals]);
}

test('snappy decompresses what its format says, and refuses one byte more or less', () => {
  fc.assert(
    fc.property(pieces, (wanted) => {
      const { bytes, played } = play(wanted);
      const block = encodeSnappy(bytes.length, played);
      assert.deepEqual(snappy(block, bytes.length), Uint8Array.from(bytes));
      assert.deepEqual(snappy(block, bytes.length + 100), Uint8Array.from(bytes));
      if (bytes.length > 0) assert.equal(snappy(block, bytes.length - 1), undefined);
      assert.equal(snappy(block.subarray(0, -1), bytes.length), undefined);
      assert.equal(snappy(encodeSnappy(bytes.length + 1, played), bytes.length + 1), undefined);
    }),
    { numRuns: 300 },
  );
});

test('lz4 decompresses what its format says', () => {
  fc.assert(
    fc.property(pieces, fc.uint8Array({ minLength: 1, maxLength: 40 }), (wanted, tail) => {
      const { bytes, played } = play(wanted);
      const block = encodeLz4(played, tail);
      const all = Uint8Array.from([...bytes, ...tail]);
      assert.deepEqual(lz4(block, all.length), all);
      assert.equal(lz4(block, all.length - 1), undefined);
      assert.equal(lz4(block.subarray(0, -1), all.length), undefined);
    }),
    { numRuns: 300 },
  );
});

test('no bytes make a decompressor write outside its target', () => {
  const start = fc.constantFrom<number[]>([], [0x28, 0xb5, 0x2f, 0xfd, 0x20], [0x28, 0xb5, 0x2f, 0xfd, 0xa0]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), start, fc.nat(300), (bytes, header, capacity) => {
      snappy(bytes, capacity);
      lz4(bytes, capacity);
      zstd(Uint8Array.from([...header, ...bytes]), capacity);
    }),
    { numRuns: 3000 },
  );
});

/** A frame with one raw block and a content checksum. */
function rawFrame(text: string, checksum: number): Uint8Array {
  const body = Buffer.from(text);
  const header = (body.length << 3) | 1;
  const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x24, body.length, header & 255, header >> 8, 0, ...body];
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(checksum >>> 0);
  return Uint8Array.from([...frame, ...sum]);
}

test('zstd checks content checksums (XXH64, published values)', () => {
  const known: [string, number][] = [
    ['', 0x51d8e999],
    ['a', 0xa98c6e5b],
    ['abc', 0xad770999],
    ['Nobody inspects the spammish repetition', 0x8a378bf1],
  ];
  for (const [text, checksum] of known) {
    assert.deepEqual(zstd(rawFrame(text, checksum), 100), Uint8Array.from(Buffer.from(text)), text);
    assert.equal(zstd(rawFrame(text, checksum ^ 1), 100), undefined, text);
  }
  const two = Uint8Array.from([
    ...rawFrame('abc', 0xad770999),
    0x50,
    0x2a,
    0x4d,
    0x18,
    2,
    0,
    0,
    0,
    7,
    7,
    ...rawFrame('a', 0xa98c6e5b),
  ]);
  assert.deepEqual(zstd(two, 10), Uint8Array.from(Buffer.from('abca')), 'frames follow one another');
});

interface Runs {
  readonly width: number;
  readonly bytes: Uint8Array;
  readonly values: readonly number[];
}

/** Runs of the hybrid encoding with the values they stand for; packed runs have values in multiples of 8. */
const hybridRuns = (maxWidth: number): fc.Arbitrary<Runs> =>
  fc.integer({ min: 1, max: maxWidth }).chain((width) => {
    const most = width === 32 ? 0x7fffffff : 2 ** Math.min(width, 31) - 1;
    const value = fc.integer({ min: 0, max: most });
    const repeated = fc.record({ value, count: fc.integer({ min: 1, max: 200 }) });
    const packed = fc.record({
      packed: fc.array(value, { minLength: 1, maxLength: 40 }).map((some) => {
        const filled = [...some];
        while (filled.length % 8 !== 0) filled.push(most);
        return filled;
      }),
    });
    return fc.array(fc.oneof(repeated, packed), { minLength: 1, maxLength: 12 }).map((runs): Runs => {
      const bytes: number[] = [];
      const values: number[] = [];
      for (const run of runs) {
        if ('packed' in run) {
          bytes.push(...varint((run.packed.length / 8) * 2 + 1));
          let bits = 0n;
          for (const [index, item] of run.packed.entries()) bits |= BigInt(item) << BigInt(index * width);
          for (let i = 0; i < (run.packed.length * width) / 8; i++) bytes.push(Number((bits >> BigInt(i * 8)) & 255n));
          values.push(...run.packed);
        } else {
          bytes.push(...varint(run.count * 2));
          for (let i = 0; i < Math.ceil(width / 8); i++) bytes.push((run.value >>> (i * 8)) & 255);
          for (let i = 0; i < run.count; i++) values.push(run.value);
        }
      }
      return { width, bytes: Uint8Array.from(bytes), values };
    });
  });

test('hybrid runs decode alike in one piece and in many', () => {
  fc.assert(
    fc.property(
      hybridRuns(32),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }),
      (runs, cuts) => {
        withArena((arena) => {
          const { bytes, values, width } = runs;
          const source = arena.alloc(bytes.length + PADDING);
          heap.u8.set(bytes, source);
          const state = arena.alloc(32);
          const out = arena.alloc(values.length * 4);
          kernels.hybridStart(state, source, source + bytes.length, width);
          let done = 0;
          let piece = 0;
          while (done < values.length) {
            const count = Math.min(cuts[piece % cuts.length] ?? 1, values.length - done);
            const part = values.slice(done, done + count);
            const repeats = addr(kernels.hybridRepeats(state));
            for (let i = 0; i < Math.min(repeats, values.length - done); i++) assert.equal(values[done + i], part[0]);
            assert.equal(kernels.hybridDecode(state, count, out + done * 4), Math.max(...part));
            done += count;
            piece++;
          }
          assert.deepEqual(Array.from(heap.u32.subarray(out >>> 2, (out >>> 2) + values.length)), values);
          assert.equal(kernels.hybridDecode(state, 1, out), -1, 'there is nothing behind the last value');
        });
      },
    ),
    { numRuns: 500 },
  );
});

test('hybrid bits land at any place of a bitmap and leave the others alone', () => {
  fc.assert(
    fc.property(hybridRuns(1), fc.nat(20), fc.integer({ min: 1, max: 70 }), (runs, start, step) => {
      withArena((arena) => {
        const { bytes, values } = runs;
        const source = arena.alloc(bytes.length + PADDING);
        heap.u8.set(bytes, source);
        const state = arena.alloc(32);
        kernels.hybridStart(state, source, source + bytes.length, 1);
        const bitmapBytes = Math.ceil((values.length + start) / 8) + 9;
        const bitmap = arena.alloc(bitmapBytes);
        heap.u8.fill(0b10101010, bitmap, bitmap + bitmapBytes);
        for (let done = 0; done < values.length; done += step) {
          const part = values.slice(done, done + step);
          const set = kernels.hybridDecodeBits(state, part.length, bitmap, start + done);
          assert.equal(set, part.filter((value) => value === 1).length);
        }
        for (let bit = 0; bit < bitmapBytes * 8; bit++) {
          const expected = bit < start || bit >= start + values.length ? bit & 1 : values[bit - start];
          assert.equal(((heap.u8[bitmap + (bit >> 3)] ?? 0) >> (bit & 7)) & 1, expected, `bit ${bit}`);
        }
      });
    }),
    { numRuns: 500 },
  );
});

test('hybrid decoding of any bytes ends and stays inside', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.integer({ min: 0, max: 32 }),
      fc.nat(300),
      (bytes, width, count) => {
        withArena((arena) => {
          const source = arena.alloc(bytes.length + PADDING);
          heap.u8.set(bytes, source);
          const state = arena.alloc(32);
          const out = arena.alloc(count * 4 + 64);
          heap.u8.fill(0xab, out + count * 4, out + count * 4 + 64);
          kernels.hybridStart(state, source, source + bytes.length, width);
          kernels.hybridDecode(state, count, out);
          kernels.hybridStart(state, source, source + bytes.length, 1);
          kernels.hybridDecodeBits(state, count, out, 0);
          assert.ok(heap.u8.subarray(out + count * 4, out + count * 4 + 64).every((byte) => byte === 0xab));
        });
      },
    ),
    { numRuns: 2000 },
  );
});

test('values move to their valid places, nulls become zero', () => {
  const widths = fc.constantFrom(1, 2, 4, 8, 16);
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 100 }), fc.nat(13), widths, (valid, start, width) => {
      withArena((arena) => {
        const dense = valid.filter(Boolean).length;
        const values = arena.alloc(valid.length * width);
        for (let i = 0; i < dense * width; i++) heap.u8[values + i] = 1 + (i % 255);
        const before = heap.u8.slice(values, values + dense * width);
        const validity = arena.allocZeroed(20);
        for (const [i, bit] of valid.entries()) {
          if (bit) heap.u8[validity + ((start + i) >> 3)]! |= 1 << ((start + i) & 7);
        }
        kernels.spreadValues(values, width, validity, start, valid.length, dense);
        let next = 0;
        for (const [i, bit] of valid.entries()) {
          const found = heap.u8.slice(values + i * width, values + (i + 1) * width);
          const expected = bit ? before.slice(next, next + width) : new Uint8Array(width);
          if (bit) next += width;
          assert.deepEqual(found, expected);
        }
      });
    }),
    { numRuns: 500 },
  );
});

function zigzag(value: bigint): bigint {
  return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
}

function varint64(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

/** DELTA_BINARY_PACKED as the format says: blocks of 128 in 4 miniblocks of 32, differences wrapping at 64 bits. */
function encodeDelta(values: readonly bigint[]): Uint8Array {
  const out = [...varint(128), ...varint(4), ...varint(values.length), ...varint64(zigzag(values[0] ?? 0n))];
  for (let block = 1; block < values.length; block += 128) {
    const deltas: bigint[] = [];
    for (let i = block; i < Math.min(block + 128, values.length); i++) {
      deltas.push(BigInt.asIntN(64, (values[i] ?? 0n) - (values[i - 1] ?? 0n)));
    }
    const least = deltas.reduce((a, b) => (b < a ? b : a));
    out.push(...varint64(zigzag(least)));
    const minis = [0, 1, 2, 3].map((m) => deltas.slice(m * 32, m * 32 + 32).map((d) => BigInt.asUintN(64, d - least)));
    const widths = minis
      .map((mini) => mini.reduce((a, b) => (b > a ? b : a), 0n))
      .map((n) => (n === 0n ? 0 : n.toString(2).length));
    out.push(...widths);
    for (const [m, mini] of minis.entries()) {
      if (mini.length === 0) continue;
      const width = BigInt(widths[m] ?? 0);
      let bits = 0n;
      for (const [i, delta] of mini.entries()) bits |= delta << (BigInt(i) * width);
      for (let i = 0n; i < width * 4n; i++) out.push(Number((bits >> (i * 8n)) & 255n));
    }
  }
  return Uint8Array.from(out);
}

test('delta-coded integers come back, up to the edges of their type', () => {
  const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -5n, max: 5n }));
  fc.assert(
    fc.property(fc.array(int64, { minLength: 1, maxLength: 300 }), (values) => {
      withArena((arena) => {
        const bytes = encodeDelta(values);
        const source = arena.alloc(bytes.length + PADDING);
        heap.u8.set(bytes, source);
        const scratch = arena.alloc(16);
        const end = source + bytes.length;
        assert.equal(kernels.deltaCount(source, end, scratch), values.length);
        const out = arena.alloc(values.length * 8);
        assert.equal(addr(kernels.deltaDecode(source, end, 8, out, scratch)), end);
        assert.deepEqual(Array.from(heap.i64.subarray(out >>> 3, (out >>> 3) + values.length)), values);
        const cut = addr(kernels.deltaDecode(source, end - 1, 8, out, scratch));
        assert.ok(cut === 0 || cut <= end - 1);
      });
    }),
    { numRuns: 300 },
  );
});

test('big-endian decimals of every width', () => {
  withArena((arena) => {
    const scratch = arena.alloc(16);
    const source = arena.alloc(100);
    const out = arena.alloc(16);
    for (let width = 1; width <= 20; width++) {
      const bits = BigInt(Math.min(width, 16) * 8);
      for (const value of [0n, 1n, -1n, 2n ** (bits - 1n) - 1n, -(2n ** (bits - 1n)), 123n]) {
        const unsigned = BigInt.asUintN(width * 8, value);
        for (let i = 0; i < width; i++) heap.u8[source + i] = Number((unsigned >> BigInt((width - 1 - i) * 8)) & 255n);
        assert.equal(kernels.decimalsToI128(source, width, 1, out), 1);
        assert.equal((heap.i64[(out >>> 3) + 1]! << 64n) | heap.u64[out >>> 3]!, value, `${width} bytes: ${value}`);
        const narrow = BigInt.asIntN(64, value) === value;
        assert.equal(kernels.decimalsToI64(source, width, 1, out, scratch), narrow ? 1 : 0);
        if (narrow) assert.equal(heap.i64[out >>> 3], value);
      }
    }
    heap.u8.set([1, ...Array<number>(16).fill(0)], source);
    assert.equal(kernels.decimalsToI128(source, 17, 1, out), 0, '2^128 does not fit');
  });
});

test('INT96 timestamps to the nanosecond, and none outside the years that fit', () => {
  withArena((arena) => {
    const source = arena.alloc(100);
    const out = arena.alloc(8);
    const convert = (days: number, nanos: bigint): bigint | undefined => {
      heap.i64[source >>> 3] = nanos;
      heap.u32[(source >>> 2) + 2] = days + 2_440_588;
      return kernels.int96ToNanos(source, 1, out) === 1 ? heap.i64[out >>> 3] : undefined;
    };
    const day = 86_400_000_000_000n;
    assert.equal(convert(0, 0n), 0n);
    assert.equal(convert(-1, day - 1n), -1n);
    assert.equal(convert(14_000, 7n), 14_000n * day + 7n);
    assert.equal(convert(106_751, 85_636_854_775_807n), 2n ** 63n - 1n);
    assert.equal(convert(106_751, 85_636_854_775_808n), undefined);
    assert.equal(convert(-106_752, 763_145_224_192n), -(2n ** 63n));
    assert.equal(convert(-106_752, 763_145_224_191n), undefined);
    assert.equal(convert(2_932_896, 0n), undefined, 'the year 9999');
    assert.equal(convert(0, day), undefined, 'a time of 24 hours');
  });
});

test('halves, intervals, narrow integers', () => {
  withArena((arena) => {
    const source = arena.alloc(64);
    const out = arena.alloc(64);
    const halves: [number, number][] = [
      [0x3c00, 1],
      [0xc000, -2],
      [0x7bff, 65504],
      [0x0001, 2 ** -24],
      [0x03ff, 1023 * 2 ** -24],
      [0x8000, -0],
      [0x7c00, Infinity],
      [0x7e00, NaN],
      [0x3555, 0.333251953125],
    ];
    for (const [bits, expected] of halves) {
      heap.u16[source >>> 1] = bits;
      kernels.halfToF32(source, 1, out);
      assert.ok(Object.is(heap.f32[out >>> 2], expected), `${bits.toString(16)}: ${heap.f32[out >>> 2]}`);
    }
    heap.u32.set([14, 3, 1500], source >>> 2);
    kernels.intervalsToNanos(source, 1, out);
    assert.deepEqual(
      [heap.i32[out >>> 2], heap.i32[(out >>> 2) + 1], heap.i64[(out >>> 3) + 1]],
      [14, 3, 1_500_000_000n],
    );
    const fits = (convert: (s: number, n: number, t: number) => number, value: number): boolean => {
      heap.i32[source >>> 2] = value;
      return convert(source, 1, out) === 1;
    };
    assert.deepEqual(
      [-129, -128, 127, 128].map((v) => fits(kernels.i32ToI8, v)),
      [false, true, true, false],
    );
    assert.deepEqual(
      [-1, 0, 255, 256].map((v) => fits(kernels.i32ToU8, v)),
      [false, true, true, false],
    );
    assert.deepEqual(
      [-32769, -32768, 32767, 32768].map((v) => fits(kernels.i32ToI16, v)),
      [false, true, true, false],
    );
    assert.deepEqual(
      [-1, 0, 65535, 65536].map((v) => fits(kernels.i32ToU16, v)),
      [false, true, true, false],
    );
  });
});

test('streams of split bytes are put together', () => {
  withArena((arena) => {
    const source = arena.alloc(64);
    const out = arena.alloc(64);
    heap.u8.set([1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33], source);
    kernels.byteStreamMerge(source, 4, 3, out);
    assert.deepEqual([...heap.u8.subarray(out, out + 12)], [1, 11, 21, 31, 2, 12, 22, 32, 3, 13, 23, 33]);
  });
});
