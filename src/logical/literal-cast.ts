import { type DataType, isDecimal, isInteger, isString } from '../columnar/data-type.js';
import { type ScalarValue, scalar } from '../columnar/scalar-value.js';

/** Types whose constants can be carried from one to another without loss. Floats are not among them. */
export function canConvertLosslessly(type: DataType): boolean {
  return (
    isInteger(type) ||
    isDecimal(type) ||
    isString(type) ||
    type.kind === 'Timestamp' ||
    type.kind === 'Date32' ||
    type.kind === 'Date64'
  );
}

const PER_SECOND = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n } as const;
const MILLIS_PER_DAY = 86_400_000n;

/** The constant in another type with exactly the same meaning, or undefined when there is none (out of range, digits lost). */
export function losslessLiteral(constant: ScalarValue, target: DataType): ScalarValue | undefined {
  const { type, value } = constant;
  if (!canConvertLosslessly(type) || !canConvertLosslessly(target)) return undefined;
  if (value === null) return scalar(target, null);
  if (isString(type)) return isString(target) ? scalar(target, value) : undefined;
  if (isInteger(type) || isDecimal(type)) {
    return isInteger(target) || isDecimal(target) ? number(constant, target) : undefined;
  }
  if (type.kind === 'Timestamp') {
    if (target.kind !== 'Timestamp' || typeof value !== 'bigint') return undefined;
    const exact = rescale(value, PER_SECOND[type.unit], PER_SECOND[target.unit]);
    return exact === undefined ? undefined : scalar(target, exact);
  }
  if (type.kind === 'Date64' && target.kind === 'Date32' && typeof value === 'bigint') {
    return value % MILLIS_PER_DAY === 0n ? scalar(target, Number(value / MILLIS_PER_DAY)) : undefined;
  }
  if (type.kind === 'Date32' && target.kind === 'Date64' && typeof value === 'number') {
    return scalar(target, BigInt(value) * MILLIS_PER_DAY);
  }
  return type.kind === target.kind ? constant : undefined;
}

/** `value * to / from` when that is a whole number. */
function rescale(value: bigint, from: bigint, to: bigint): bigint | undefined {
  const scaled = value * to;
  return scaled % from === 0n ? scaled / from : undefined;
}

function number({ type, value }: ScalarValue, target: DataType): ScalarValue | undefined {
  if (typeof value !== 'bigint' && typeof value !== 'number') return undefined;
  const from = isDecimal(type) ? type.scale : 0;
  const to = isDecimal(target) ? target.scale : 0;
  const exact = rescale(BigInt(value), 10n ** BigInt(from), 10n ** BigInt(to));
  if (exact === undefined) return undefined;
  const [low, high] = bounds(target);
  if (exact < low || exact > high) return undefined;
  const wide = target.kind === 'Int64' || target.kind === 'UInt64' || target.kind === 'Decimal128';
  return scalar(target, wide ? exact : Number(exact));
}

/** Smallest and largest stored integer of an integer or decimal type. */
function bounds(type: DataType): readonly [bigint, bigint] {
  if (isDecimal(type)) {
    const most = 10n ** BigInt(type.precision) - 1n;
    return [-most, most];
  }
  const bits = BigInt(type.kind.replace(/\D/g, ''));
  return type.kind.startsWith('U') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}
