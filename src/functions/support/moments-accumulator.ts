import type { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { FLOAT64, UINT64 } from '../../columnar/data-type.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { AccumulatorInput, GroupsAccumulator } from '../../expr/function.js';
import { countedRows, flatValues } from './accumulator-input.js';
import { ColumnBuilder } from '../../columnar/column-builder.js';

const MEAN_OFFSET = 8;
const SQUARES_OFFSET = 16;

/** Variance and standard deviation by Welford's method; partial state (count, mean, squared distances). */
export class MomentsAccumulator implements GroupsAccumulator {
  readonly stateWidth = 24;
  readonly #sample: boolean;
  readonly #root: boolean;

  /** `sample`: divide by n − 1 (null for one row); `root`: the standard deviation. */
  constructor(sample: boolean, root: boolean) {
    this.#sample = sample;
    this.#root = root;
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask === 'none') return;
    kernels.accumulateMoments(input.groups, input.numRows, input.stateOffset, flatValues(column, input), mask);
  }

  merge(input: AccumulatorInput): void {
    const mask = countedRows(input.args, input);
    if (mask === 'none') return;
    const [counts, means, squares] = input.args.map((column) => flatValues(column, input));
    kernels.mergeMoments(input.groups, input.numRows, input.stateOffset, counts!, means!, squares!, mask);
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    const part = (offset: number): number => {
      const to = arena.alloc(numRows * 8);
      kernels.gatherState(groups, numRows, stateOffset + offset, 8, to);
      return to;
    };
    return [
      Column.flat(UINT64, 'u64', numRows, part(0)),
      Column.flat(FLOAT64, 'f64', numRows, part(MEAN_OFFSET)),
      Column.flat(FLOAT64, 'f64', numRows, part(SQUARES_OFFSET)),
    ];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const out = new ColumnBuilder(FLOAT64, numRows, arena);
    const least = this.#sample ? 2 : 1;
    for (let row = 0; row < numRows; row++) {
      const at = (heap.u32[(groups >>> 2) + row]! + stateOffset) >>> 3;
      const count = Number(heap.i64[at]!);
      if (count < least) {
        out.setNull(row);
        continue;
      }
      const variance = heap.f64[at + 2]! / (this.#sample ? count - 1 : count);
      out.setF64(row, this.#root ? Math.sqrt(variance) : variance);
    }
    return out.finish();
  }
}
