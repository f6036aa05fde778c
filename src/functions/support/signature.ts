import { DistqError } from '../../base/errors.js';
import {
  type DataType,
  FLOAT64,
  INT32,
  INT64,
  isBinary,
  isDecimal,
  isFloating,
  isInteger,
  isNumeric,
  isString,
  typeName,
  UTF8,
} from '../../columnar/data-type.js';

/** A call whose arguments the function does not take: `plan`, naming what came and what is taken. */
export function wrongArguments(name: string, argTypes: readonly DataType[], takes: string): DistqError {
  return new DistqError('plan', `${name}(${argTypes.map(typeName).join(', ')}) does not exist: ${name} takes ${takes}`);
}

/** Checks the number of arguments. */
export function requireArity(name: string, argTypes: readonly DataType[], min: number, max: number = min): void {
  if (argTypes.length >= min && argTypes.length <= max) return;
  const wanted = max === Infinity ? `at least ${min}` : min === max ? String(min) : `${min} to ${max}`;
  const noun = wanted === '1' || wanted === 'at least 1' ? 'argument' : 'arguments';
  throw new DistqError('plan', `${name} takes ${wanted} ${noun}, not ${argTypes.length}`);
}

/** How one argument is coerced: gives the type to cast to, or undefined when the argument does not fit. */
export type ArgumentRule = (type: DataType) => DataType | undefined;

/** Strings as they are; null as Utf8. */
export const stringArgument: ArgumentRule = (type) => (isString(type) ? type : type.kind === 'Null' ? UTF8 : undefined);

/** Strings as they are; binaries become strings; null as Utf8. */
export const textArgument: ArgumentRule = (type) =>
  isBinary(type) ? { kind: type.kind === 'LargeBinary' ? 'LargeUtf8' : 'Utf8View' } : stringArgument(type);

/** Strings and binaries as they are; null as Utf8. */
export const bytesArgument: ArgumentRule = (type) => (isBinary(type) ? type : stringArgument(type));

/** Integers become Int64. */
/** Integers become Int32. */
export const int32Argument: ArgumentRule = (type) => (isInteger(type) || type.kind === 'Null' ? INT32 : undefined);

export const int64Argument: ArgumentRule = (type) => (isInteger(type) || type.kind === 'Null' ? INT64 : undefined);

/** Numbers become Float64, except Float32, which stays. */
export const floatArgument: ArgumentRule = (type) =>
  type.kind === 'Float32' ? type : isNumeric(type) || type.kind === 'Null' ? FLOAT64 : undefined;

/** Numbers become Float64. */
export const float64Argument: ArgumentRule = (type) => (isNumeric(type) || type.kind === 'Null' ? FLOAT64 : undefined);

/** Any number as it is; null as Int64. */
export const numericArgument: ArgumentRule = (type) =>
  isNumeric(type) ? type : type.kind === 'Null' ? INT64 : undefined;

/** Decimals and floats as they are, integers as Float64. */
export const decimalOrFloatArgument: ArgumentRule = (type) =>
  isDecimal(type) || isFloating(type) ? type : float64Argument(type);

/** Applies one rule per argument (the last rule repeats); `takes` completes the message when one does not fit. */
export function coerceArguments(
  name: string,
  argTypes: readonly DataType[],
  rules: readonly ArgumentRule[],
  takes: string,
): DataType[] {
  return argTypes.map((type, index) => {
    const rule = rules[Math.min(index, rules.length - 1)];
    const coerced = rule?.(type);
    if (coerced === undefined) throw wrongArguments(name, argTypes, takes);
    return coerced;
  });
}

/** The type of the first argument (functions that give back the kind of string or number they got). */
export function firstArgumentType(argTypes: readonly DataType[]): DataType {
  const first = argTypes[0];
  if (first === undefined) throw new DistqError('internal', 'a function without arguments has no first argument type');
  return first;
}
