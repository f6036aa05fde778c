import { DistqError } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, Column } from '../../columnar/column.js';
import { type DataType, isDecimal, typeName } from '../../columnar/data-type.js';
import { flattenColumn, narrowDecimal, widenDecimal } from '../../columnar/flatten.js';
import { LAYOUT_CODES } from '../../columnar/kernel-types/accumulate-kernels.js';
import { kernels } from '../../columnar/kernels.js';
import { defaultLayout, type Layout, layoutWidth } from '../../columnar/layout.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows } from './accumulator-input.js';
import { adoptPending } from './string-state.js';

/** `min` and `max`, also `bool_and` and `bool_or`: the partial state is the value itself. Strings are copied into the aggregate's arena. */
export function extremeAccumulator(type: DataType, largest: boolean): GroupsAccumulator {
  const layout = isDecimal(type) ? 'i128' : defaultLayout(type);
  if (layout === 'view') return new StringExtreme(type, largest);
  if (layout === 'null') return new NullExtreme(type);
  if (layout === 'interval') {
    throw new DistqError('not_implemented', `${largest ? 'max' : 'min'} of ${typeName(type)} is not supported`);
  }
  return new FixedExtreme(type, layout, largest);
}

class FixedExtreme implements GroupsAccumulator {
  readonly stateWidth: number;
  readonly #type: DataType;
  readonly #layout: Layout;
  readonly #code: number;
  readonly #largest: number;
  /** Bytes of the value in the state; the seen flag follows. */
  readonly #valueBytes: number;

  constructor(type: DataType, layout: Layout, largest: boolean) {
    this.#type = type;
    this.#layout = layout;
    this.#code = LAYOUT_CODES[layout]!;
    this.#largest = largest ? 1 : 0;
    this.#valueBytes = layout === 'i128' ? 16 : 8;
    this.stateWidth = this.#valueBytes + 8;
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask === 'none') return;
    let flat = flattenColumn(column, input.scratch);
    if (this.#layout === 'i128') flat = widenDecimal(flat, input.scratch);
    kernels.accumulateExtreme(
      this.#code,
      this.#largest,
      input.groups,
      input.numRows,
      input.stateOffset,
      flat.values,
      mask,
    );
  }

  merge(input: AccumulatorInput): void {
    this.update(input);
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    return [this.evaluate(groups, numRows, stateOffset, arena)];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const validity = arena.alloc(bitmapBytes(numRows));
    const seen = kernels.gatherSeen(groups, numRows, stateOffset + this.#valueBytes, validity);
    const nulls = seen === numRows ? 0 : validity;
    const width = layoutWidth(this.#layout);
    const wide = arena.alloc(numRows * this.#valueBytes);
    kernels.gatherState(groups, numRows, stateOffset, this.#valueBytes, wide);
    if (this.#layout === 'i128') return narrowDecimal(Column.flat(this.#type, 'i128', numRows, wide, nulls), arena);
    if (width === 8) return Column.flat(this.#type, this.#layout, numRows, wide, nulls);
    const values = arena.alloc(numRows * width);
    kernels.narrowValues(wide, numRows, width, values);
    return Column.flat(this.#type, this.#layout, numRows, values, nulls);
  }
}

class StringExtreme implements GroupsAccumulator {
  readonly stateWidth = 16;
  readonly #type: DataType;
  readonly #largest: number;

  constructor(type: DataType, largest: boolean) {
    this.#type = type;
    this.#largest = largest ? 1 : 0;
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask === 'none') return;
    const { groups, numRows, stateOffset, scratch } = input;
    const flat = flattenColumn(column, scratch);
    const pending = scratch.alloc(numRows * 8);
    const marked = kernels.accumulateExtremeString(
      this.#largest,
      groups,
      numRows,
      stateOffset,
      flat.values,
      mask,
      pending,
    );
    adoptPending(pending, marked, input);
  }

  merge(input: AccumulatorInput): void {
    this.update(input);
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    return [this.evaluate(groups, numRows, stateOffset, arena)];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const views = arena.alloc(numRows * 8);
    const validity = arena.alloc(bitmapBytes(numRows));
    kernels.gatherState(groups, numRows, stateOffset, 8, views);
    const seen = kernels.gatherSeen(groups, numRows, stateOffset + 8, validity);
    return Column.flat(this.#type, 'view', numRows, views, seen === numRows ? 0 : validity);
  }
}

/** The extreme of an untyped null column. */
class NullExtreme implements GroupsAccumulator {
  readonly stateWidth = 0;
  readonly #type: DataType;

  constructor(type: DataType) {
    this.#type = type;
  }

  update(): void {
    // Every value is null.
  }

  merge(): void {
    // Every value is null.
  }

  state(groups: number, numRows: number): Column[] {
    return [this.evaluate(groups, numRows)];
  }

  evaluate(_groups: number, numRows: number): Column {
    return Column.nulls(this.#type, 'null', numRows);
  }
}
