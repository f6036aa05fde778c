import { DistqError } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { BOOLEAN, type DataType, isDecimal, typeName } from '../../columnar/data-type.js';
import { flattenColumn, narrowDecimal, widenDecimal } from '../../columnar/flatten.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import { defaultLayout, type Layout, layoutWidth } from '../../columnar/layout.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows } from './accumulator-input.js';
import { adoptPending } from './string-state.js';

const NULL_FLAG = 4;

/**
 * `first_value`, `last_value`, `any_value`: the value of the first or last row that comes, nulls included unless they are ignored.
 * Partial state: the value, and whether there was a row.
 */
export class EndAccumulator implements GroupsAccumulator {
  readonly stateWidth: number;
  readonly #type: DataType;
  readonly #layout: Layout;
  readonly #last: number;
  readonly #ignoreNulls: boolean;
  readonly #flagsOffset: number;

  constructor(type: DataType, last: boolean, ignoreNulls: boolean) {
    this.#type = type;
    this.#layout = isDecimal(type) ? 'i128' : defaultLayout(type);
    if (this.#layout === 'null') {
      throw new DistqError('not_implemented', `the first or last value of type ${typeName(type)} is not supported`);
    }
    this.#last = last ? 1 : 0;
    this.#ignoreNulls = ignoreNulls;
    const width = layoutWidth(this.#layout);
    this.#flagsOffset = this.#layout === 'view' ? 12 : width === 16 ? 16 : 8;
    this.stateWidth = this.#flagsOffset + (this.#layout === 'view' ? 4 : 8);
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows(this.#ignoreNulls ? [column] : [], input);
    if (mask !== 'none') this.#take(column, input, mask);
  }

  merge(input: AccumulatorInput): void {
    const [values, isSet] = [input.args[0]!, new ColumnReader(input.args[1]!)];
    const mask = input.scratch.allocZeroed(((input.numRows + 63) >>> 6) << 3);
    for (let row = 0; row < input.numRows; row++) {
      const kept = input.filter === 0 || ((heap.u8[input.filter + (row >>> 3)]! >>> (row & 7)) & 1) === 1;
      if (kept && isSet.boolean(row)) heap.u8[mask + (row >>> 3)]! |= 1 << (row & 7);
    }
    this.#take(values, input, mask);
  }

  #take(column: Column, input: AccumulatorInput, mask: number): void {
    const { groups, numRows, stateOffset, scratch } = input;
    let flat = flattenColumn(column, scratch);
    if (this.#layout === 'i128') flat = widenDecimal(flat, scratch);
    if (this.#layout !== 'view') {
      const width = layoutWidth(this.#layout);
      kernels.accumulateEnd(this.#last, width, groups, numRows, stateOffset, flat.values, flat.validity, mask);
      return;
    }
    const pending = scratch.alloc(numRows * 8);
    const marked = kernels.accumulateEndString(
      this.#last,
      groups,
      numRows,
      stateOffset,
      flat.values,
      flat.validity,
      mask,
      pending,
    );
    adoptPending(pending, marked, input);
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    const isSet = new ColumnBuilder(BOOLEAN, numRows, arena);
    for (let row = 0; row < numRows; row++) isSet.setBoolean(row, this.#flags(groups, row, stateOffset) !== 0);
    return [this.evaluate(groups, numRows, stateOffset, arena), isSet.finish()];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const out = new ColumnBuilder(this.#type, numRows, arena, 0, this.#layout);
    for (let row = 0; row < numRows; row++) {
      const flags = this.#flags(groups, row, stateOffset);
      if (flags === 0 || (flags & NULL_FLAG) !== 0) out.setNull(row);
      else out.copyValue(row, heap.u32[(groups >>> 2) + row]! + stateOffset);
    }
    return narrowDecimal(out.finish(), arena);
  }

  #flags(groups: number, row: number, stateOffset: number): number {
    return heap.u32[(heap.u32[(groups >>> 2) + row]! + stateOffset + this.#flagsOffset) >>> 2]!;
  }
}
