import { notImplemented } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { BINARY, field, INT64 } from '../../columnar/data-type.js';
import { kernels } from '../../columnar/kernels.js';
import { scalar } from '../../columnar/scalar-value.js';
import type { AccumulatorInput, AggregateFunction, GroupsAccumulator } from '../../expr/function.js';
import { countedRows, flatValues } from '../support/accumulator-input.js';
import { DistinctAccumulator } from '../support/distinct-accumulator.js';
import { requireArity } from '../support/signature.js';

/** Rows in which no argument is null; with DISTINCT, different values. Never null. */
export const count: AggregateFunction = {
  name: 'count',
  aliases: [],
  doc: {
    summary: 'Number of rows in which no argument is null.',
    example: { sql: 'SELECT count(x) FROM (VALUES (1), (NULL), (3)) AS t(x)', result: '2' },
  },
  coerce(argTypes) {
    requireArity('count', argTypes, 1, Infinity);
    return [...argTypes];
  },
  returnType: () => INT64,
  nullable: false,
  stateFields: (name, _, distinct) =>
    distinct ? [field(`${name}[count distinct]`, BINARY, false)] : [field(`${name}[count]`, INT64, false)],
  orderSensitive: false,
  reversible: true,
  monotonicity: () => 'increasing',
  emptyValue: scalar(INT64, 0n),
  createAccumulator(argTypes, { distinct }) {
    if (!distinct) return new CountAccumulator();
    if (argTypes.length !== 1) throw notImplemented('count(DISTINCT …) of several columns');
    return new DistinctAccumulator(new CountAccumulator(), argTypes[0]!);
  },
};

class CountAccumulator implements GroupsAccumulator {
  readonly stateWidth = 8;

  update(input: AccumulatorInput): void {
    const mask = countedRows(input.args, input);
    if (mask !== 'none') kernels.accumulateCount(input.groups, input.numRows, input.stateOffset, mask);
  }

  merge(input: AccumulatorInput): void {
    const counts = input.args[0]!;
    const mask = countedRows([counts], input);
    if (mask === 'none') return;
    kernels.accumulateCounts(input.groups, input.numRows, input.stateOffset, flatValues(counts, input), mask);
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    return [this.evaluate(groups, numRows, stateOffset, arena)];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const values = arena.alloc(numRows * 8);
    kernels.gatherState(groups, numRows, stateOffset, 8, values);
    return Column.flat(INT64, 'i64', numRows, values);
  }
}
