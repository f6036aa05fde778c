import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, Column } from '../../columnar/column.js';
import { BINARY, type DataType, field, INT64, isInteger } from '../../columnar/data-type.js';
import { flattenColumn } from '../../columnar/flatten.js';
import { LAYOUT_CODES } from '../../columnar/kernel-types/accumulate-kernels.js';
import { kernels } from '../../columnar/kernels.js';
import { defaultLayout, layoutWidth } from '../../columnar/layout.js';
import type { AccumulatorInput, AggregateFunction, FunctionDoc, GroupsAccumulator } from '../../expr/function.js';
import { countedRows } from './accumulator-input.js';
import { DistinctAccumulator } from './distinct-accumulator.js';
import { firstArgumentType, requireArity, wrongArguments } from './signature.js';

const OPERATIONS = { and: 0, or: 1, xor: 2 } as const;
const SEEN_OFFSET = 8;

/** `bit_and`, `bit_or` or `bit_xor` of integers, whose type stays. */
export function bitsFunction(name: string, operation: keyof typeof OPERATIONS, doc: FunctionDoc): AggregateFunction {
  return {
    name,
    aliases: [],
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 1);
      const type = firstArgumentType(argTypes);
      if (!isInteger(type) && type.kind !== 'Null') throw wrongArguments(name, argTypes, 'an integer');
      return [type.kind === 'Null' ? INT64 : type];
    },
    returnType: firstArgumentType,
    nullable: true,
    stateFields: (column, argTypes, distinct) => [
      distinct
        ? field(`${column}[${name} distinct]`, BINARY, false)
        : field(`${column}[${name}]`, firstArgumentType(argTypes)),
    ],
    orderSensitive: false,
    createAccumulator(argTypes, { distinct }) {
      const type = firstArgumentType(argTypes);
      const plain = new BitsAccumulator(type, OPERATIONS[operation]);
      return distinct ? new DistinctAccumulator(plain, type) : plain;
    },
  };
}

class BitsAccumulator implements GroupsAccumulator {
  readonly stateWidth = 16;
  readonly #type: DataType;
  readonly #operation: number;

  constructor(type: DataType, operation: number) {
    this.#type = type;
    this.#operation = operation;
  }

  update(input: AccumulatorInput): void {
    const column = input.args[0]!;
    const mask = countedRows([column], input);
    if (mask === 'none') return;
    const flat = flattenColumn(column, input.scratch);
    const keys = input.scratch.alloc(input.numRows * 16);
    kernels.distinctKeys(LAYOUT_CODES[flat.layout]!, flat.values, input.numRows, keys);
    kernels.accumulateBits(this.#operation, input.groups, input.numRows, input.stateOffset, keys, mask);
  }

  merge(input: AccumulatorInput): void {
    this.update(input);
  }

  state(groups: number, numRows: number, stateOffset: number, arena: Arena): Column[] {
    return [this.evaluate(groups, numRows, stateOffset, arena)];
  }

  evaluate(groups: number, numRows: number, stateOffset: number, arena: Arena): Column {
    const layout = defaultLayout(this.#type);
    const wide = arena.alloc(numRows * 8);
    const validity = arena.alloc(bitmapBytes(numRows));
    kernels.gatherState(groups, numRows, stateOffset, 8, wide);
    const seen = kernels.gatherSeen(groups, numRows, stateOffset + SEEN_OFFSET, validity);
    const nulls = seen === numRows ? 0 : validity;
    const width = layoutWidth(layout);
    if (width === 8) return Column.flat(this.#type, layout, numRows, wide, nulls);
    const values = arena.alloc(numRows * width);
    kernels.narrowValues(wide, numRows, width, values);
    return Column.flat(this.#type, layout, numRows, values, nulls);
  }
}
