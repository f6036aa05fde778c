import { DistqError } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, Column } from '../../columnar/column.js';
import { type DataType, decimal, isDecimal, typeName, UINT64 } from '../../columnar/data-type.js';
import { formatDecimal } from '../../columnar/decimal-text.js';
import { flattenColumn, widenDecimal } from '../../columnar/flatten.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows, flatValues } from './accumulator-input.js';
import { fitsInteger } from '../../columnar/integer-range.js';

const MAX_DECIMAL = 10n ** 38n;
const SEEN_OFFSET = 16;

/** Type in which partial integer and decimal sums travel: 128 bits, whatever the argument. */
export function sumStateType(argType: DataType): DataType {
  return decimal(38, isDecimal(argType) ? argType.scale : 0);
}

/**
 * Exact sums of integers and decimals in 128 bits, for `sum` and `avg`. State per group: low and high limb, rows seen.
 * With `average`, partial state is (rows, sum) and the result sum ÷ rows at the result's scale, truncated; else it is the sum alone.
 */
export class ExactSumAccumulator implements GroupsAccumulator {
  readonly stateKey = 'exact sum';
  readonly stateWidth = 24;
  readonly #argType: DataType;
  readonly #resultType: DataType;
  readonly #average: boolean;

  constructor(argType: DataType, resultType: DataType, average: boolean) {
    this.#argType = argType;
    this.#resultType = resultType;
    this.#average = average;
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask !== 'none') this.#add(column, input, 0, mask);
  }

  merge(input: AccumulatorInput): void {
    const sums = input.args[this.#average ? 1 : 0]!;
    const mask = countedRows(input.args, input);
    if (mask === 'none') return;
    const seen = this.#average ? flatValues(input.args[0]!, input) : 0;
    this.#add(sums, input, seen, mask);
  }

  #add(column: Column, input: AccumulatorInput, seen: number, mask: number): void {
    const { groups, numRows, stateOffset, scratch } = input;
    const flat = flattenColumn(column, scratch);
    if (flat.layout === 'u64') {
      kernels.accumulateSumU64(groups, numRows, stateOffset, flat.values, mask);
    } else if (flat.layout === 'i64' && seen === 0) {
      kernels.accumulateSumI64(groups, numRows, stateOffset, flat.values, mask);
    } else {
      const wide = widenDecimal(flat, scratch);
      if (kernels.accumulateSumI128(groups, numRows, stateOffset, wide.values, seen, mask) !== 0)
        throw this.#overflow();
    }
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    const sums = this.#sums(groups, numRows, stateOffset, sumStateType(this.#argType), arena);
    if (!this.#average) return [sums];
    const counts = arena.alloc(numRows * 8);
    kernels.gatherState(groups, numRows, stateOffset + SEEN_OFFSET, 8, counts);
    return [Column.flat(UINT64, 'u64', numRows, counts), sums];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    if (this.#average) return this.#averages(groups, numRows, stateOffset, arena);
    const sums = this.#sums(groups, numRows, stateOffset, this.#resultType, arena);
    if (isDecimal(this.#resultType)) {
      if (sums.layout === 'i128') this.#checkDecimals(sums);
      return sums;
    }
    if (sums.layout === 'i128' || this.#resultType.kind === 'UInt64') return this.#checkedIntegers(sums, arena);
    return sums;
  }

  /** Sums as i64 where all fit, else two limbs; null for groups without rows. */
  #sums(groups: number, numRows: number, stateOffset: number, type: DataType, arena: Arena): Column {
    const validity = arena.alloc(bitmapBytes(numRows));
    const narrow = arena.alloc(numRows * 8);
    const found = kernels.finishSumI64(groups, numRows, stateOffset, narrow, validity);
    const nulls = (found & 1) === 0 ? 0 : validity;
    if ((found & 2) === 0) return Column.flat(type, 'i64', numRows, narrow, nulls);
    const wide = arena.alloc(numRows * 16);
    kernels.gatherState(groups, numRows, stateOffset, 16, wide);
    return Column.flat(type, 'i128', numRows, wide, nulls);
  }

  #averages(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const type = this.#resultType;
    const power = isDecimal(type) && isDecimal(this.#argType) ? type.scale - this.#argType.scale : 0;
    const validity = arena.alloc(bitmapBytes(numRows));
    const seen = kernels.gatherSeen(groups, numRows, stateOffset + SEEN_OFFSET, validity);
    const values = arena.alloc(numRows * 8);
    const slow = arena.alloc(numRows * 4);
    const slowCount = kernels.finishAverage(groups, numRows, stateOffset, 10 ** power, values, slow);
    const nulls = seen === numRows ? 0 : validity;
    if (slowCount === 0) return Column.flat(type, 'i64', numRows, values, nulls);
    const wide = arena.alloc(numRows * 16);
    kernels.widenTo128(values, numRows, wide);
    const factor = 10n ** BigInt(power);
    for (let i = 0; i < slowCount; i++) {
      const row = heap.u32[(slow >>> 2) + i]!;
      const at = (heap.u32[(groups >>> 2) + row]! + stateOffset) >>> 3;
      const sum = (heap.i64[at + 1]! << 64n) | heap.u64[at]!;
      const average = (sum * factor) / heap.i64[at + 2]!;
      if (average >= MAX_DECIMAL || average <= -MAX_DECIMAL) throw this.#overflow();
      heap.u64[(wide >>> 3) + row * 2] = BigInt.asUintN(64, average);
      heap.i64[(wide >>> 3) + row * 2 + 1] = average >> 64n;
    }
    return Column.flat(type, 'i128', numRows, wide, nulls);
  }

  #checkDecimals(sums: Column): void {
    for (let row = 0; row < sums.length; row++) {
      const value = wideAt(sums, row);
      if (value >= MAX_DECIMAL || value <= -MAX_DECIMAL) throw this.#overflow(value);
    }
  }

  /** Integer sums in the result's own layout; one that does not fit is an error. */
  #checkedIntegers(sums: Column, arena: Arena): Column {
    const values = arena.alloc(sums.length * 8);
    for (let row = 0; row < sums.length; row++) {
      const value = sums.layout === 'i128' ? wideAt(sums, row) : heap.i64[(sums.values >>> 3) + row]!;
      const counted = sums.validity === 0 || ((heap.u8[sums.validity + (row >>> 3)]! >>> (row & 7)) & 1) === 1;
      if (counted && !fitsInteger(this.#resultType, value)) throw this.#overflow(value);
      heap.i64[(values >>> 3) + row] = BigInt.asIntN(64, value);
    }
    return Column.flat(
      this.#resultType,
      this.#resultType.kind === 'UInt64' ? 'u64' : 'i64',
      sums.length,
      values,
      sums.validity,
    );
  }

  #overflow(value?: bigint): DistqError {
    const type = typeName(this.#resultType);
    const scale = isDecimal(this.#argType) ? this.#argType.scale : 0;
    const total = value === undefined ? '' : `: the total is ${formatDecimal(value, scale)}`;
    return new DistqError('execution', `${this.#average ? 'avg' : 'sum'} is out of range of ${type}${total}`);
  }
}

function wideAt(column: Column, row: number): bigint {
  const at = (column.values >>> 3) + row * 2;
  return (heap.i64[at + 1]! << 64n) | heap.u64[at]!;
}
