import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Arena } from '../../../src/columnar/arena.js';
import { bitmapBytes, Column, makeDictionary } from '../../../src/columnar/column.js';
import {
  BOOLEAN,
  type DataType,
  DATE32,
  decimal,
  FLOAT32,
  FLOAT64,
  INT16,
  INT64,
  UINT64,
  UTF8_VIEW,
} from '../../../src/columnar/data-type.js';
import { columnFromScalar, columnFromValues } from '../../../src/columnar/from-values.js';
import { heap } from '../../../src/columnar/heap.js';
import { type ScalarValue, scalar } from '../../../src/columnar/scalar-value.js';
import { valueAt } from '../../../src/columnar/value-at.js';
import type { AggregateFunction, GroupsAccumulator } from '../../../src/expr/function.js';
import { createFunctionRegistry } from '../../../src/functions/index.js';

// Above 2 GiB, in memory that is never zero by chance.
heap.configure({ poison: true, highAddresses: true });

type Value = ScalarValue['value'];
interface Row {
  readonly group: number;
  readonly value: Value;
  readonly kept: boolean;
}

const GROUPS = 3;
const STATE_OFFSET = 16;
const registry = createFunctionRegistry();

/** A table of `GROUPS` zeroed group rows; gives the address of each. */
function groupRows(accumulator: GroupsAccumulator, arena: Arena): number[] {
  const width = STATE_OFFSET + accumulator.stateWidth;
  return Array.from({ length: GROUPS }, () => arena.allocZeroed(width));
}

function addresses(rows: readonly number[], arena: Arena): number {
  const at = arena.alloc(rows.length * 4);
  for (const [i, row] of rows.entries()) heap.u32[(at >>> 2) + i] = row;
  return at;
}

function bitmap(bits: readonly boolean[], arena: Arena): number {
  const at = arena.allocZeroed(bitmapBytes(bits.length));
  for (const [i, bit] of bits.entries()) if (bit) heap.u8[at + (i >>> 3)]! |= 1 << (i & 7);
  return at;
}

/** The values as a column in the encoding asked for, with other values in the slots of nulls. */
function encode(type: DataType, values: readonly Value[], encoding: number, arena: Arena): Column {
  const flat = columnFromValues(type, values, arena);
  if (encoding === 1 && values.length > 0 && values.every((value) => Object.is(value, values[0]))) {
    return columnFromScalar(scalar(type, values[0] ?? null), values.length, arena);
  }
  if (encoding !== 2) return flat;
  // Codes backwards over a dictionary that is the flat values reversed.
  const reversed = columnFromValues(type, [...values].reverse(), arena);
  const codes = arena.alloc(values.length * 4);
  for (let i = 0; i < values.length; i++) heap.u32[(codes >>> 2) + i] = values.length - 1 - i;
  const dictionary = makeDictionary(reversed.layout, reversed.values, values.length);
  return Column.dictionary(type, dictionary, values.length, codes, flat.validity);
}

/** Runs the rows through several partial aggregates and one final one. */
function aggregate(
  fn: AggregateFunction,
  type: DataType,
  rows: readonly Row[],
  options: { readonly distinct: boolean; readonly partials: number; readonly encoding: number },
): Value[] {
  const arena = new Arena();
  const scratch = new Arena();
  const make = (): GroupsAccumulator =>
    fn.createAccumulator([type], { distinct: options.distinct, ignoreNulls: false });
  const final = make();
  const finalRows = groupRows(final, arena);
  try {
    for (let p = 0; p < options.partials; p++) {
      const partial = make();
      const targets = groupRows(partial, arena);
      const mine = rows.filter((_, i) => i % options.partials === p);
      // Two batches each, so that state is carried over.
      for (const batch of [mine.slice(0, mine.length >> 1), mine.slice(mine.length >> 1)]) {
        if (batch.length === 0) continue;
        partial.update({
          args: [
            encode(
              type,
              batch.map((row) => row.value),
              options.encoding,
              scratch,
            ),
          ],
          numRows: batch.length,
          groups: addresses(
            batch.map((row) => targets[row.group]!),
            scratch,
          ),
          stateOffset: STATE_OFFSET,
          filter: batch.every((row) => row.kept)
            ? 0
            : bitmap(
                batch.map((row) => row.kept),
                scratch,
              ),
          arena,
          scratch,
        });
        scratch.reset();
      }
      const state = partial.state(addresses(targets, scratch), GROUPS, STATE_OFFSET, scratch);
      const fields = fn.stateFields('x', [type], options.distinct);
      assert.deepEqual(
        state.map((column) => column.type.kind),
        fields.map((f) => f.type.kind),
      );
      final.merge({
        args: state,
        numRows: GROUPS,
        groups: addresses(finalRows, scratch),
        stateOffset: STATE_OFFSET,
        filter: 0,
        arena,
        scratch,
      });
      scratch.reset();
    }
    const result = final.evaluate(addresses(finalRows, scratch), GROUPS, STATE_OFFSET, scratch);
    return Array.from({ length: GROUPS }, (_, i) => valueAt(result, i));
  } finally {
    scratch.free();
    arena.free();
  }
}

const anyRow = (value: fc.Arbitrary<Value>): fc.Arbitrary<Row> =>
  fc.record({
    group: fc.nat(GROUPS - 1),
    value: fc.option(value, { freq: 5 }),
    kept: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  });

const TYPES: readonly { readonly type: DataType; readonly values: fc.Arbitrary<Value> }[] = [
  { type: INT16, values: fc.integer({ min: -5, max: 5 }) },
  { type: INT64, values: fc.bigInt({ min: -(2n ** 61n), max: 2n ** 61n }) },
  { type: UINT64, values: fc.bigInt({ min: 0n, max: 2n ** 60n }) },
  { type: decimal(15, 2), values: fc.bigInt({ min: -999n, max: 999n }) },
  { type: decimal(38, 6), values: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }) },
  { type: FLOAT64, values: fc.oneof(fc.integer({ min: -8, max: 8 }), fc.constantFrom(NaN, 0, -0, 0.5)) },
  { type: FLOAT32, values: fc.constantFrom(1.5, -2, 0, NaN) },
  { type: DATE32, values: fc.integer({ min: -3, max: 3 }) },
  { type: BOOLEAN, values: fc.boolean() },
  {
    type: UTF8_VIEW,
    values: fc.constantFrom('', 'a', 'ab', 'b', 'ﬁ', '😀', 'a longer text than sixteen bytes', 'z'.repeat(70)),
  },
];

function order(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'number' && typeof b === 'number') {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  }
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

function counted(rows: readonly Row[], group: number, distinct: boolean): Exclude<Value, null>[] {
  const values: Exclude<Value, null>[] = [];
  for (const { group: g, value, kept } of rows) {
    if (g !== group || !kept || value === null) continue;
    if (!distinct || !values.some((other) => order(other, value) === 0)) values.push(value);
  }
  return values;
}

const anyOptions = fc.record({
  distinct: fc.boolean(),
  partials: fc.integer({ min: 1, max: 3 }),
  encoding: fc.nat(2),
});

test('count, min and max equal a loop over the values, for every type, encoding and split', () => {
  for (const { type, values } of TYPES) {
    fc.assert(
      fc.property(fc.array(anyRow(values), { maxLength: 40 }), anyOptions, (rows, options) => {
        const groups = [0, 1, 2].map((group) => counted(rows, group, options.distinct));
        const run = (name: string): Value[] => aggregate(registry.aggregate(name)!, type, rows, options);
        assert.deepEqual(
          run('count'),
          groups.map((group) => BigInt(group.length)),
        );
        const extreme = (sign: number): Value[] =>
          groups.map((group) => group.reduce<Value>((m, v) => (m === null || sign * order(v, m) < 0 ? v : m), null));
        const loosen = (list: Value[]): Value[] => list.map((v) => (v === 0 ? 0 : v));
        assert.deepEqual(loosen(run('min')), loosen(extreme(1)));
        assert.deepEqual(loosen(run('max')), loosen(extreme(-1)));
      }),
      { numRuns: 150 },
    );
  }
});

test('sum and avg of integers and decimals are exact', () => {
  for (const type of [INT64, UINT64, decimal(15, 2), decimal(38, 6)]) {
    const { values } = TYPES.find((entry) => entry.type === type) ?? TYPES[3]!;
    fc.assert(
      fc.property(fc.array(anyRow(values), { maxLength: 40 }), anyOptions, (rows, options) => {
        const fn = registry.aggregate('sum')!;
        const sums = [0, 1, 2].map((group) =>
          counted(rows, group, options.distinct).reduce<bigint | null>(
            (s, v) => (s ?? 0n) + (typeof v === 'bigint' ? v : 0n),
            null,
          ),
        );
        const fits = (sum: bigint | null): boolean =>
          sum === null ||
          (type === INT64
            ? BigInt.asIntN(64, sum) === sum
            : type === UINT64
              ? BigInt.asUintN(64, sum) === sum
              : sum < 10n ** 38n && sum > -(10n ** 38n));
        if (!sums.every(fits)) {
          assert.throws(() => aggregate(fn, type, rows, options), { kind: 'execution' });
          return;
        }
        assert.deepEqual(aggregate(fn, type, rows, options), sums);
        if (type === INT64 || type === UINT64) return;
        const averages = [0, 1, 2].map((group) => {
          const list = counted(rows, group, options.distinct);
          const sum = sums[group] ?? null;
          return sum === null ? null : (sum * 10_000n) / BigInt(list.length);
        });
        assert.deepEqual(aggregate(registry.aggregate('avg')!, type, rows, options), averages);
      }),
      { numRuns: 300 },
    );
  }
});

test('sums of floats do not depend on the order of rows or the number of partial sums', () => {
  const wild = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
  fc.assert(
    fc.property(fc.array(anyRow(wild), { maxLength: 60 }), anyOptions, (rows, options) => {
      for (const name of ['sum', 'avg']) {
        const fn = registry.aggregate(name)!;
        const forward = aggregate(fn, FLOAT64, rows, { ...options, distinct: false });
        const backward = aggregate(fn, FLOAT64, [...rows].reverse(), { distinct: false, partials: 1, encoding: 0 });
        for (const [i, x] of forward.entries()) {
          const y = backward[i]!;
          if (typeof x !== 'number' || typeof y !== 'number') assert.equal(x, y);
          else assert.ok(Math.abs(x - y) <= 1e-14 * Math.max(Math.abs(x), Math.abs(y), 1e-3), `${x} and ${y}`);
        }
      }
    }),
    { numRuns: 300 },
  );
  const infinite: Row[] = [Infinity, 1, 2].map((value) => ({ group: 0, value, kept: true }));
  const plain = { distinct: false, partials: 2, encoding: 0 };
  assert.equal(aggregate(registry.aggregate('sum')!, FLOAT64, infinite, plain)[0], Infinity);
});

test('variance and standard deviation equal the two-pass formula', () => {
  const value = fc.integer({ min: -1000, max: 1000 }).map((v) => v / 8);
  fc.assert(
    fc.property(fc.array(anyRow(value), { maxLength: 40 }), anyOptions, (rows, options) => {
      const forms = [
        ['var', true, false],
        ['var_pop', false, false],
        ['stddev', true, true],
        ['stddev_pop', false, true],
      ] as const;
      for (const [name, sample, root] of forms) {
        const results = aggregate(registry.aggregate(name)!, FLOAT64, rows, options);
        for (const [group, result] of results.entries()) {
          const list = counted(rows, group, options.distinct).map(Number);
          if (list.length < (sample ? 2 : 1)) {
            assert.equal(result, null);
            continue;
          }
          const mean = list.reduce((a, b) => a + b, 0) / list.length;
          const squares = list.reduce((a, b) => a + (b - mean) ** 2, 0) / (list.length - (sample ? 1 : 0));
          const expected = root ? Math.sqrt(squares) : squares;
          assert.ok(
            Math.abs(Number(result) - expected) <= 1e-9 * Math.max(1, expected),
            `${Number(result)} ${expected}`,
          );
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('bool_and and bool_or ignore nulls', () => {
  const rows: Row[] = [
    { group: 0, value: true, kept: true },
    { group: 0, value: null, kept: true },
    { group: 1, value: true, kept: true },
    { group: 1, value: false, kept: true },
    { group: 2, value: null, kept: true },
  ];
  const options = { distinct: false, partials: 2, encoding: 0 };
  assert.deepEqual(aggregate(registry.aggregate('bool_and')!, BOOLEAN, rows, options), [true, false, null]);
  assert.deepEqual(aggregate(registry.aggregate('bool_or')!, BOOLEAN, rows, options), [true, true, null]);
});

test('median is the middle of the sorted values', () => {
  for (const type of [FLOAT64, decimal(15, 2)]) {
    const { values } = TYPES.find((entry) => entry.type === type) ?? TYPES[3]!;
    fc.assert(
      fc.property(fc.array(anyRow(values), { maxLength: 40 }), anyOptions, (rows, options) => {
        const expected = [0, 1, 2].map((group) => {
          const list = counted(rows, group, options.distinct).sort(order);
          const [upper, lower] = [list[list.length >> 1], list[(list.length - 1) >> 1]];
          if (typeof upper === 'number' && typeof lower === 'number')
            return order(upper, lower) === 0 ? upper : (upper + lower) / 2;
          if (typeof upper === 'bigint' && typeof lower === 'bigint') return (upper + lower) / 2n;
          return null;
        });
        const loosen = (list: Value[]): Value[] => list.map((v) => (v === 0 ? 0 : v));
        assert.deepEqual(loosen(aggregate(registry.aggregate('median')!, type, rows, options)), loosen(expected));
      }),
      { numRuns: 200 },
    );
  }
});

test('bit_and, bit_or and bit_xor combine the bits of all values', () => {
  const operations: readonly (readonly [string, (a: bigint, b: bigint) => bigint])[] = [
    ['bit_and', (a, b) => a & b],
    ['bit_or', (a, b) => a | b],
    ['bit_xor', (a, b) => a ^ b],
  ];
  fc.assert(
    fc.property(fc.array(anyRow(TYPES[1]!.values), { maxLength: 40 }), anyOptions, (rows, options) => {
      for (const [name, combine] of operations) {
        const expected = [0, 1, 2].map((group) =>
          counted(rows, group, options.distinct).reduce<bigint | null>((bits, v) => {
            const value = typeof v === 'bigint' ? v : 0n;
            return bits === null ? value : combine(bits, value);
          }, null),
        );
        assert.deepEqual(aggregate(registry.aggregate(name)!, INT64, rows, options), expected);
      }
    }),
    { numRuns: 200 },
  );
});

test('first_value and last_value take the ends of the rows, nulls included; any_value skips them', () => {
  for (const { type, values } of TYPES) {
    fc.assert(
      fc.property(fc.array(anyRow(values), { maxLength: 30 }), fc.nat(2), (rows, encoding) => {
        const options = { distinct: false, partials: 1, encoding };
        const kept = [0, 1, 2].map((group) => rows.filter((row) => row.group === group && row.kept));
        const run = (name: string): Value[] => aggregate(registry.aggregate(name)!, type, rows, options);
        assert.deepEqual(
          run('first_value'),
          kept.map((group) => group[0]?.value ?? null),
        );
        assert.deepEqual(
          run('last_value'),
          kept.map((group) => group.at(-1)?.value ?? null),
        );
        assert.deepEqual(
          run('any_value'),
          kept.map((group) => group.find((row) => row.value !== null)?.value ?? null),
        );
      }),
      { numRuns: 60 },
    );
  }
});
