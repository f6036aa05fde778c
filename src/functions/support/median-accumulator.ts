import type { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { BINARY, type DataType, isDecimal } from '../../columnar/data-type.js';
import { flattenColumn, narrowDecimal, widenDecimal } from '../../columnar/flatten.js';
import { heap } from '../../columnar/heap.js';
import { LAYOUT_CODES } from '../../columnar/kernel-types/accumulate-kernels.js';
import { kernels } from '../../columnar/kernels.js';
import { defaultLayout } from '../../columnar/layout.js';
import { compareValues } from '../../columnar/value-order.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows } from './accumulator-input.js';
import { EntryChunks, groupValues, KEY_BYTES, KeyStream, writeGroupValues } from './value-entries.js';

/**
 * The middle value of each group: all values are kept, 24 bytes each, in the aggregate's arena. Of an even number of values it is the
 * mean of the middle two (for decimals truncated at their scale). The partial state is one binary per group that lists its values.
 */
export class MedianAccumulator implements GroupsAccumulator {
  readonly stateWidth = 8;
  readonly #type: DataType;
  readonly #wide: boolean;
  readonly #chunks = new EntryChunks();

  constructor(type: DataType) {
    this.#type = type;
    this.#wide = isDecimal(type);
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask === 'none') return;
    let flat = flattenColumn(column, input.scratch);
    if (this.#wide) flat = widenDecimal(flat, input.scratch);
    const keys = input.scratch.alloc(input.numRows * KEY_BYTES);
    kernels.distinctKeys(LAYOUT_CODES[flat.layout]!, flat.values, input.numRows, keys);
    this.#append(keys, input.numRows, input.groups, input, mask);
  }

  merge(input: AccumulatorInput): void {
    new KeyStream(input, false).forEach((keys, targets, rows) => {
      this.#append(keys, rows, targets, input, 0);
    });
  }

  #append(keys: number, rows: number, groups: number, input: AccumulatorInput, mask: number): void {
    const entries = this.#chunks.room(rows, input.arena);
    this.#chunks.added(kernels.appendValues(entries, keys, groups, rows, input.stateOffset, mask));
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    const out = new ColumnBuilder(BINARY, numRows, arena);
    for (let row = 0; row < numRows; row++) {
      writeGroupValues(heap.u32[(groups >>> 2) + row]! + stateOffset, false, row, out, arena);
    }
    return [out.finish()];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const layout = this.#wide ? 'i128' : defaultLayout(this.#type);
    const out = new ColumnBuilder(this.#type, numRows, arena, 0, layout);
    for (let row = 0; row < numRows; row++) {
      const { address, bytes } = groupValues(heap.u32[(groups >>> 2) + row]! + stateOffset, arena);
      const count = bytes / KEY_BYTES;
      if (count === 0) {
        out.setNull(row);
        continue;
      }
      const places = Array.from({ length: count }, (_, i) => address + i * KEY_BYTES);
      places.sort((a, b) => compareValues(layout, a, b));
      const upper = places[count >>> 1]!;
      const lower = count % 2 === 1 ? upper : places[(count >>> 1) - 1]!;
      this.#setMean(out, row, lower, upper);
    }
    return narrowDecimal(out.finish(), arena);
  }

  #setMean(out: ColumnBuilder, row: number, lower: number, upper: number): void {
    if (this.#wide) out.setInteger(row, (wideAt(lower) + wideAt(upper)) / 2n);
    else if (this.#type.kind === 'Float32') out.setFloat(row, mean(heap.f32[lower >>> 2]!, heap.f32[upper >>> 2]!));
    else out.setF64(row, mean(heap.f64[lower >>> 3]!, heap.f64[upper >>> 3]!));
  }
}

function mean(a: number, b: number): number {
  return a === b ? a : (a + b) / 2;
}

function wideAt(address: number): bigint {
  return (heap.i64[(address >>> 3) + 1]! << 64n) | heap.u64[address >>> 3]!;
}
