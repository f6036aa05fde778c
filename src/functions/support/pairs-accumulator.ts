import type { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';
import { type DataType, FLOAT64 } from '../../columnar/data-type.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows, flatValues } from './accumulator-input.js';

/** What correlation and regression are made of; y is the first argument, x the second. */
export interface PairMoments {
  readonly rows: number;
  readonly meanY: number;
  readonly meanX: number;
  /** Sums of squared distances from the means, and of their products. */
  readonly squaresY: number;
  readonly squaresX: number;
  readonly products: number;
}

/** Names of the state's parts, in order; each is one f64. */
export const PAIR_PARTS = ['count', 'mean_y', 'mean_x', 'm2_y', 'm2_x', 'co_moment'] as const;

/** Co-moments of two columns over the rows where neither is null; `finish` makes the result of them, null for undefined. */
export class PairsAccumulator implements GroupsAccumulator {
  readonly stateWidth = 48;
  readonly #type: DataType;
  readonly #finish: (moments: PairMoments) => number | undefined;

  constructor(type: DataType, finish: (moments: PairMoments) => number | undefined) {
    this.#type = type;
    this.#finish = finish;
  }

  update(input: AccumulatorInput): void {
    const mask = countedRows(input.args, input);
    if (mask === 'none') return;
    const [ys, xs] = input.args.map((column) => flatValues(column, input));
    kernels.accumulatePairs(input.groups, input.numRows, input.stateOffset, ys!, xs!, mask);
  }

  merge(input: AccumulatorInput): void {
    const mask = countedRows(input.args, input);
    if (mask === 'none') return;
    const [rows, meanY, meanX, squaresY, squaresX, products] = input.args.map((column) => flatValues(column, input));
    kernels.mergePairs(
      input.groups,
      input.numRows,
      input.stateOffset,
      rows!,
      meanY!,
      meanX!,
      squaresY!,
      squaresX!,
      products!,
      mask,
    );
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    return PAIR_PARTS.map((_, part) => {
      const to = arena.alloc(numRows * 8);
      kernels.gatherState(groups, numRows, stateOffset + part * 8, 8, to);
      return Column.flat(FLOAT64, 'f64', numRows, to);
    });
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const out = new ColumnBuilder(this.#type, numRows, arena);
    for (let row = 0; row < numRows; row++) {
      const at = (heap.u32[(groups >>> 2) + row]! + stateOffset) >>> 3;
      const result = this.#finish({
        rows: heap.f64[at]!,
        meanY: heap.f64[at + 1]!,
        meanX: heap.f64[at + 2]!,
        squaresY: heap.f64[at + 3]!,
        squaresX: heap.f64[at + 4]!,
        products: heap.f64[at + 5]!,
      });
      if (result === undefined) out.setNull(row);
      else if (this.#type.kind === 'Float64') out.setF64(row, result);
      else out.setInteger(row, BigInt(result));
    }
    return out.finish();
  }
}
