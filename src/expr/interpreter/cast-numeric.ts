import { type DataType, isDecimal, isFloating } from '../../columnar/data-type.js';
import { halfAwayFromZero } from '../../columnar/half-away-from-zero.js';
import { integerRange } from '../../columnar/integer-range.js';
import type { Converter } from './cast.js';

/** Casts among booleans, integers, floats and decimals. */
export function numericCast(from: DataType, to: DataType): Converter | undefined {
  if (to.kind === 'Boolean') return toBoolean(from);
  if (from.kind === 'Boolean' && isDecimal(to)) return undefined;
  if (isDecimal(to)) return toDecimal(from, to.precision, to.scale);
  if (isFloating(to)) return toFloat(from);
  return toInteger(from, to);
}

function toBoolean(from: DataType): Converter | undefined {
  if (isDecimal(from)) return undefined;
  if (isFloating(from)) {
    return (reader, row, out) => {
      out.setBoolean(row, reader.float(row) !== 0);
      return true;
    };
  }
  return (reader, row, out) => {
    out.setBoolean(row, reader.integer(row) !== 0n);
    return true;
  };
}

/** Floats and decimals lose their fraction; a value outside the type has no cast. */
function toInteger(from: DataType, to: DataType): Converter | undefined {
  const range = integerRange(to);
  if (range === undefined) return undefined;
  const [least, most] = range;
  if (isFloating(from)) {
    return (reader, row, out) => {
      const value = Math.trunc(reader.float(row));
      if (!Number.isFinite(value)) return false;
      const exact = BigInt(value);
      if (exact < least || exact > most) return false;
      out.setInteger(row, exact);
      return true;
    };
  }
  const unit = isDecimal(from) ? 10n ** BigInt(Math.max(from.scale, 0)) : 1n;
  return (reader, row, out) => {
    const value = reader.integer(row) / unit;
    if (value < least || value > most) return false;
    out.setInteger(row, value);
    return true;
  };
}

function toFloat(from: DataType): Converter {
  if (isFloating(from)) {
    return (reader, row, out) => {
      out.setFloat(row, reader.float(row));
      return true;
    };
  }
  const unit = isDecimal(from) ? 10 ** from.scale : 1;
  return (reader, row, out) => {
    out.setFloat(row, Number(reader.integer(row)) / unit);
    return true;
  };
}

/** Rounds half away from zero at the target scale; a value of too many digits has no cast. */
function toDecimal(from: DataType, precision: number, scale: number): Converter {
  const limit = 10n ** BigInt(precision);
  if (isFloating(from)) {
    const factor = 10 ** scale;
    return (reader, row, out) => {
      const scaled = halfAwayFromZero(reader.float(row) * factor);
      if (!Number.isFinite(scaled)) return false;
      const unscaled = BigInt(scaled);
      if (unscaled >= limit || unscaled <= -limit) return false;
      out.setInteger(row, unscaled);
      return true;
    };
  }
  const shift = scale - (isDecimal(from) ? from.scale : 0);
  const factor = 10n ** BigInt(Math.abs(shift));
  return (reader, row, out) => {
    const value = reader.integer(row);
    const unscaled = shift >= 0 ? value * factor : divideHalfAway(value, factor);
    if (unscaled >= limit || unscaled <= -limit) return false;
    out.setInteger(row, unscaled);
    return true;
  };
}

function divideHalfAway(value: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return (value < 0n ? value - half : value + half) / divisor;
}
