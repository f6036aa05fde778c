import { DistqError } from '../../base/errors.js';
import { type DataType, decimal, isDecimal, isInteger, typeName } from '../../columnar/data-type.js';
import type { ScalarFunction, ScalarFunctionInput } from '../../expr/function.js';
import { halfAwayFromZero } from '../../columnar/half-away-from-zero.js';
import type { Column } from '../../columnar/column.js';
import { type ScalarValue, scalarToBigInt } from '../../columnar/scalar-value.js';
import type { ColumnReader } from '../../columnar/column-reader.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import { type ArgumentRule, coerceArguments, int32Argument, requireArity } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

const MAX_PRECISION = 38;

const roundable: ArgumentRule = (type) =>
  isInteger(type) || isDecimal(type) || type.kind === 'Float32' || type.kind === 'Float64'
    ? type
    : type.kind === 'Null'
      ? { kind: 'Float64' }
      : undefined;

/** Rounds half away from zero; a second argument gives the digits kept, negative ones left of the point. The kind of number stays. */
export const round: ScalarFunction = {
  name: 'round',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  nullable: (argNullable) => argNullable.includes(true),
  doc: {
    summary: 'Rounds half away from zero, to the given number of digits (default 0).',
    example: { sql: 'SELECT round(-2.567, 1)', result: '-2.6' },
  },
  coerce(argTypes) {
    requireArity('round', argTypes, 1, 2);
    return coerceArguments('round', argTypes, [roundable, int32Argument], 'a number and optionally a number of digits');
  },
  returnType(argTypes, literals) {
    const type = argTypes[0]!;
    return isDecimal(type) ? roundedDecimal(type, argTypes.length, literals[1] ?? null) : type;
  },
  evaluate(input) {
    const type = input.args[0]!.type;
    if (isDecimal(type)) return roundDecimals(input, type.scale);
    if (isInteger(type)) return roundIntegers(input);
    const single = type.kind === 'Float32';
    return strictRows(input, (row, args, out) => {
      const value = args[0]!.float(row);
      const places = digits(args, row);
      out.setFloat(row, places === 0 ? halfAwayFromZero(value) : roundAt(value, places, single));
    });
  },
};

/** The scale becomes the number of digits where that is known and smaller, as in DataFusion. */
function roundedDecimal(
  type: Extract<DataType, { kind: 'Decimal128' }>,
  argCount: number,
  places: ScalarValue | null,
): DataType {
  const { precision, scale } = type;
  if (argCount === 1) return decimal(precision, Math.min(scale, 0));
  if (places === null || places.value === null) return decimal(Math.min(precision + 1, MAX_PRECISION), scale);
  return decimal(precision, Math.max(0, Math.min(scale, Number(scalarToBigInt(places)))));
}

function digits(args: readonly ColumnReader[], row: number): number {
  const places = args[1];
  if (places === undefined) return 0;
  return Number(places.integer(row));
}

function roundAt(value: number, places: number, single: boolean): number {
  if (single) {
    const factor = Math.fround(10 ** places);
    return Math.fround(halfAwayFromZero(Math.fround(value * factor)) / factor);
  }
  const factor = 10 ** places;
  return halfAwayFromZero(value * factor) / factor;
}

function roundIntegers(input: ScalarFunctionInput): Column {
  const type = input.returnType;
  return strictRows(input, (row, args, out) => {
    const value = args[0]!.integer(row);
    const places = digits(args, row);
    const rounded = places >= 0 ? value : places < -38 ? 0n : roundToMultiple(value, 10n ** BigInt(-places));
    if (!fitsInteger(type, rounded)) {
      throw new DistqError('execution', `round(${value}, ${places}) is out of range of ${typeName(type)}`);
    }
    out.setInteger(row, rounded);
  });
}

function roundDecimals(input: ScalarFunctionInput, scale: number): Column {
  const type = input.returnType;
  const outScale = isDecimal(type) ? type.scale : 0;
  const layout = input.args[0]!.layout === 'i128' || (isDecimal(type) && type.precision > 18) ? 'i128' : 'i64';
  return strictRows(
    input,
    (row, args, out) => {
      const value = args[0]!.integer(row);
      const dropped = scale - Math.min(digits(args, row), scale);
      const rounded = dropped === 0 ? value : dropped > 76 ? 0n : roundToMultiple(value, 10n ** BigInt(dropped));
      out.setInteger(row, outScale < scale ? rounded / 10n ** BigInt(scale - outScale) : rounded);
    },
    layout,
  );
}

/** The multiple of `unit` nearest to `value`; halves go away from zero. */
function roundToMultiple(value: bigint, unit: bigint): bigint {
  const half = unit / 2n;
  return ((value < 0n ? value - half : value + half) / unit) * unit;
}
