import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, Column } from '../../columnar/column.js';
import { FLOAT64, UINT64 } from '../../columnar/data-type.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows, flatValues } from './accumulator-input.js';

const CORRECTION_OFFSET = 8;
const SEEN_OFFSET = 16;

/**
 * Compensated float sums, for `sum` and `avg`: independent of the order of rows to about one unit in the last place. State per group:
 * sum, correction, rows seen; partial state (sum, correction), with the rows in front for averages.
 */
export class FloatSumAccumulator implements GroupsAccumulator {
  readonly stateWidth = 24;
  readonly #average: boolean;

  constructor(average: boolean) {
    this.#average = average;
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask === 'none') return;
    kernels.accumulateSumF64(input.groups, input.numRows, input.stateOffset, flatValues(column, input), mask);
  }

  merge(input: AccumulatorInput): void {
    const mask = countedRows(input.args, input);
    if (mask === 'none') return;
    const [sums, corrections] = this.#average ? input.args.slice(1) : input.args;
    kernels.mergeSumF64(
      input.groups,
      input.numRows,
      input.stateOffset,
      flatValues(sums!, input),
      flatValues(corrections!, input),
      this.#average ? flatValues(input.args[0]!, input) : 0,
      mask,
    );
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    const nulls = this.#validity(groups, numRows, stateOffset, arena);
    const part = (offset: number): number => {
      const to = arena.alloc(numRows * 8);
      kernels.gatherState(groups, numRows, stateOffset + offset, 8, to);
      return to;
    };
    const sums = Column.flat(FLOAT64, 'f64', numRows, part(0), nulls);
    const corrections = Column.flat(FLOAT64, 'f64', numRows, part(CORRECTION_OFFSET), nulls);
    if (!this.#average) return [sums, corrections];
    return [Column.flat(UINT64, 'u64', numRows, part(SEEN_OFFSET)), sums, corrections];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const nulls = this.#validity(groups, numRows, stateOffset, arena);
    const values = arena.alloc(numRows * 8);
    for (let row = 0; row < numRows; row++) {
      const at = (heap.u32[(groups >>> 2) + row]! + stateOffset) >>> 3;
      const sum = heap.f64[at]!;
      // Past infinity the correction is NaN and means nothing.
      const total = Number.isFinite(sum) ? sum + heap.f64[at + 1]! : sum;
      heap.f64[(values >>> 3) + row] = this.#average ? total / Number(heap.i64[at + 2]!) : total;
    }
    return Column.flat(FLOAT64, 'f64', numRows, values, nulls);
  }

  #validity(groups: number, numRows: number, stateOffset: number, arena: Arena): number {
    const validity = arena.alloc(bitmapBytes(numRows));
    return kernels.gatherSeen(groups, numRows, stateOffset + SEEN_OFFSET, validity) === numRows ? 0 : validity;
  }
}
