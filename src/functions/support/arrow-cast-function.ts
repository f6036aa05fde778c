import { DistqError } from '../../base/errors.js';
import { type DataType, isString, typesEqual } from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { Expr } from '../../expr/expr.js';
import type { FunctionDoc, ScalarFunction } from '../../expr/function.js';
import { compileNode } from '../../expr/interpreter/compile.js';
import { allRows } from '../../expr/interpreter/rows.js';
import { parseTypeName } from '../../expr/parse-type.js';
import { requireArity, wrongArguments } from './signature.js';

/** `arrow_cast` or `arrow_try_cast`: a cast whose target is the Arrow name of a type. The planner makes a cast of it. */
export function arrowCastFunction(name: string, safe: boolean, doc: FunctionDoc): ScalarFunction {
  return {
    name,
    aliases: [],
    volatility: 'immutable',
    strict: true,
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 2);
      if (!isString(argTypes[1]!)) throw wrongArguments(name, argTypes, 'a value and the name of a type');
      return [...argTypes];
    },
    returnType: (_, literals) => targetType(name, literals[1] ?? null),
    nullable: ([nullable]) => safe || nullable === true,
    evaluate({ args, numRows, returnType, arena }) {
      const value = args[0]!;
      if (typesEqual(value.type, returnType)) return value;
      const expr = { kind: 'column', name: 'value', index: 0, type: value.type, nullable: true } as const;
      const node = compileNode({ kind: 'cast', expr, safe, type: returnType, nullable: true });
      return node({ arena, column: () => value }, allRows(numRows));
    },
    simplify([expr, type]): Expr | undefined {
      if (expr === undefined || type?.kind !== 'literal') return undefined;
      return { kind: 'cast', expr, type: targetType(name, type.value), safe };
    },
  };
}

function targetType(name: string, literal: ScalarValue | null): DataType {
  if (literal === null || typeof literal.value !== 'string') {
    throw new DistqError('plan', `the second argument of ${name} is the name of a type, written as a constant`);
  }
  const type = parseTypeName(literal.value);
  if (type === undefined) {
    throw new DistqError('plan', `${name} knows no type "${literal.value}"`, {
      hint: "types are written as Arrow prints them: 'Int32', 'Decimal128(15, 2)', 'Timestamp(ns)'",
    });
  }
  return type;
}
