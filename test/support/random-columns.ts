import { Column, bitmapBytes, makeDictionary } from '../../src/columnar/column.js';
import type { Arena } from '../../src/columnar/arena.js';
import { type DataType, isDecimal, isString } from '../../src/columnar/data-type.js';
import { columnFromValues } from '../../src/columnar/from-values.js';
import { heap } from '../../src/columnar/heap.js';
import { integerRange } from '../../src/columnar/integer-range.js';
import { defaultLayout, type Layout, layoutWidth } from '../../src/columnar/layout.js';
import type { ScalarValue } from '../../src/columnar/scalar-value.js';

export type Value = ScalarValue['value'];

/** A small generator of random numbers that a printed seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bits(count: number): bigint {
    let value = 0n;
    for (let i = 0; i < count; i += 32) value = (value << 32n) | BigInt(this.below(4_294_967_296));
    return BigInt.asUintN(count, value);
  }
}

const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  'b',
  'special requests',
  'aXbXc',
  'ﬁ',
  '😀',
  'héllo',
  '%',
  '_',
  'a%b',
  'x'.repeat(40),
];
const FLOATS = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 1e15, -1e15, 1e300, NaN, Infinity, -Infinity, 5e-324];

/** A random value of a type that is not null: small ones often, the edges of the type now and then. */
export function randomValue(type: DataType, random: Random): Exclude<Value, null> {
  const range = integerRange(type);
  if (range !== undefined) {
    const value = randomInteger(range[0], range[1], random);
    return type.kind === 'Int64' || type.kind === 'UInt64' ? value : Number(value);
  }
  if (isDecimal(type)) {
    const most = 10n ** BigInt(type.precision) - 1n;
    return randomInteger(-most, most, random);
  }
  if (isString(type)) return random.chance(0.7) ? random.pick(TEXTS) : random.pick(TEXTS) + random.pick(TEXTS);
  if (type.kind === 'Boolean') return random.chance(0.5);
  if (type.kind === 'Float64' || type.kind === 'Float32') {
    const value = random.chance(0.5) ? random.pick(FLOATS) : (random.next() - 0.5) * 10 ** random.below(20);
    return type.kind === 'Float32' ? Math.fround(value) : value;
  }
  if (type.kind === 'Date32') {
    return random.chance(0.05) ? random.pick([-(2 ** 31), 2 ** 31 - 1]) : random.below(40_000) - 10_000;
  }
  if (type.kind === 'Interval') {
    return { months: random.below(30) - 15, days: random.below(100) - 50, nanos: random.bits(40) };
  }
  if (type.kind === 'Timestamp') return randomInteger(-(2n ** 63n), 2n ** 63n - 1n, random);
  throw new Error(`no random values of ${type.kind}`);
}

function randomInteger(least: bigint, most: bigint, random: Random): bigint {
  const kind = random.next();
  let value: bigint;
  if (kind < 0.05) value = random.pick([least, most, least + 1n, most - 1n]);
  else if (kind < 0.6) value = BigInt(random.below(21) - 10);
  else value = random.bits(random.pick([8, 16, 31, 62])) * (random.chance(0.5) ? -1n : 1n);
  return value < least || value > most ? BigInt(random.below(10)) : value;
}

/** Random values; now and then all alike or all null. */
export function randomValues(type: DataType, count: number, nullable: boolean, random: Random): Value[] {
  if (random.chance(0.1)) {
    const same = nullable && random.chance(0.3) ? null : randomValue(type, random);
    return Array.from({ length: count }, () => same);
  }
  const nulls = nullable && random.chance(0.6) ? 0.25 : 0;
  return Array.from({ length: count }, () => (random.chance(nulls) ? null : randomValue(type, random)));
}

/**
 * The values as a column in a random representation: flat, dictionary or constant, decimals narrow or wide. Bytes under nulls are
 * random (for strings: addresses that must not be followed).
 */
export function randomColumn(type: DataType, values: readonly Value[], arena: Arena, random: Random): Column {
  const layout = randomLayout(type, values, random);
  const [first] = values;
  if (first !== undefined && random.chance(0.5) && values.every((value) => Object.is(value, first))) {
    if (first === null) return Column.nulls(type, layout, values.length);
    return Column.constant(type, layout, values.length, columnFromValues(type, [first], arena, layout).values);
  }
  const flat = columnFromValues(type, values, arena, layout);
  if (random.chance(0.4)) return asDictionary(type, values, layout, flat.validity, arena, random);
  const width = layoutWidth(layout);
  for (const [row, value] of values.entries()) {
    if (value !== null || layout === 'bool') continue;
    for (let i = 0; i < width; i++) heap.u8[flat.values + row * width + i] = random.below(256);
  }
  if (flat.validity !== 0 || random.chance(0.7)) return flat;
  // A validity that says "no nulls" is legal too.
  const validity = arena.alloc(bitmapBytes(values.length));
  heap.u8.fill(0xff, validity, validity + bitmapBytes(values.length));
  return Column.flat(type, layout, values.length, flat.values, validity);
}

function randomLayout(type: DataType, values: readonly Value[], random: Random): Layout {
  if (!isDecimal(type)) return defaultLayout(type);
  const narrow = values.every((value) => typeof value !== 'bigint' || BigInt.asIntN(64, value) === value);
  return narrow && random.chance(0.6) ? 'i64' : 'i128';
}

function asDictionary(
  type: DataType,
  values: readonly Value[],
  layout: Layout,
  validity: number,
  arena: Arena,
  random: Random,
): Column {
  const distinct: Value[] = [];
  const codes = values.map((value) => {
    if (value === null) return -1;
    let code = distinct.findIndex((other) => Object.is(other, value));
    if (code < 0) code = distinct.push(value) - 1;
    return code;
  });
  // Values that no row has.
  while (distinct.length === 0 || random.chance(0.5)) distinct.push(randomFitting(type, layout, random));
  const flat = columnFromValues(type, distinct, arena, layout);
  const dictionary = makeDictionary(layout, flat.values, distinct.length);
  const address = arena.alloc(values.length * 4);
  for (const [row, code] of codes.entries()) {
    heap.u32[(address >>> 2) + row] = code < 0 ? random.below(distinct.length) : code;
  }
  return Column.dictionary(type, dictionary, values.length, address, validity);
}

function randomFitting(type: DataType, layout: Layout, random: Random): Value {
  for (;;) {
    const value = randomValue(type, random);
    if (layout !== 'i64' || !isDecimal(type) || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value)) {
      return value;
    }
  }
}

/** A random ascending selection of some of `capacity` rows; undefined = all. */
export function randomSelection(capacity: number, random: Random): number[] | undefined {
  if (random.chance(0.4)) return undefined;
  const share = random.next();
  const rows: number[] = [];
  for (let row = 0; row < capacity; row++) if (random.chance(share)) rows.push(row);
  return rows;
}
