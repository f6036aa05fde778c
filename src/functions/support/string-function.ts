import type { Column } from '../../columnar/column.js';
import type { ColumnBuilder } from '../../columnar/column-builder.js';
import type { ColumnReader } from '../../columnar/column-reader.js';
import { type DataType, isString, UTF8_VIEW } from '../../columnar/data-type.js';
import type { FunctionDoc, ScalarFunction, ScalarFunctionInput } from '../../expr/function.js';
import { type ArgumentRule, coerceArguments, requireArity } from './signature.js';
import { strictRows } from './strict-rows.js';

export interface StringFunctionOptions {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Least and most arguments. */
  readonly arity: readonly [number, number];
  /** One rule per argument; the last repeats. */
  readonly rules: readonly ArgumentRule[];
  /** String arguments of several types all become Utf8View, as under DataFusion's signatures that list uniform types. */
  readonly uniform?: true;
  /** Completes "name takes …". */
  readonly takes: string;
  readonly returnType: (argTypes: readonly DataType[]) => DataType;
  readonly doc: FunctionDoc;
  /** Writes the result of a row without nulls. */
  readonly each: (row: number, args: readonly ColumnReader[], out: ColumnBuilder, input: ScalarFunctionInput) => void;
}

/** A strict function that works row by row. */
export function stringFunction(options: StringFunctionOptions): ScalarFunction {
  const { name, arity, rules, takes, each } = options;
  return {
    name,
    aliases: options.aliases ?? [],
    volatility: 'immutable',
    strict: true,
    doc: options.doc,
    coerce(argTypes) {
      requireArity(name, argTypes, arity[0], arity[1]);
      const types = coerceArguments(name, argTypes, rules, takes);
      const kinds = new Set(types.filter(isString).map(({ kind }) => kind));
      if (options.uniform !== true || kinds.size < 2) return types;
      return types.map((type) => (isString(type) ? UTF8_VIEW : type));
    },
    returnType: options.returnType,
    evaluate: (input): Column =>
      strictRows(input, (row, args, out) => {
        each(row, args, out, input);
      }),
  };
}
