import { isFloating, isInteger } from '../../columnar/data-type.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';

/** How many values lie between two bounds of one type, both included; undefined where the type does not count or a bound is missing. */
export function valueRange(min: ScalarValue | undefined, max: ScalarValue | undefined): number | undefined {
  if (min === undefined || max === undefined || min.value === null || max.value === null) return undefined;
  const { type } = min;
  if (isFloating(type)) return floatRange(Number(min.value), Number(max.value));
  if (isInteger(type) || type.kind === 'Date32' || type.kind === 'Date64' || type.kind === 'Timestamp') {
    const range = Number(BigInt(max.value as number | bigint) - BigInt(min.value as number | bigint)) + 1;
    return range > 0 ? range : undefined;
  }
  return undefined;
}

const bits = new DataView(new ArrayBuffer(8));

/** Representable doubles between two numbers, both included. */
export function floatRange(min: number, max: number): number | undefined {
  if (Number.isNaN(min) || Number.isNaN(max) || min > max) return undefined;
  return Number(orderedBits(max) - orderedBits(min)) + 1;
}

/** The bits of a double as an integer that orders like the double. */
function orderedBits(value: number): bigint {
  bits.setFloat64(0, value);
  const raw = bits.getBigInt64(0);
  return raw >= 0n ? raw : -(raw & 0x7fff_ffff_ffff_ffffn);
}
