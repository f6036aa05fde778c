import { formatDecimal } from '../decimal-text.js';
import { heap } from '../heap.js';

const TWO_32 = 2 ** 32;
const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** Digits of the i64 at `address`, without a BigInt while it is within ±2^53. */
export function i64Text(address: number): string {
  const high = heap.i32[(address >>> 2) + 1]!;
  if (high >= -0x200000 && high < 0x200000) return String(high * TWO_32 + heap.u32[address >>> 2]!);
  return String(heap.i64[address >>> 3]!);
}

export function u64Text(address: number): string {
  const high = heap.u32[(address >>> 2) + 1]!;
  if (high < 0x200000) return String(high * TWO_32 + heap.u32[address >>> 2]!);
  return String(heap.u64[address >>> 3]!);
}

/** The decimal whose unscaled value is the i64 at `address`. */
export function narrowDecimalText(address: number, scale: number): string {
  const high = heap.i32[(address >>> 2) + 1]!;
  if (scale < 0 || scale > 15 || high < -0x200000 || high >= 0x200000) {
    return formatDecimal(heap.i64[address >>> 3]!, scale);
  }
  const unscaled = high * TWO_32 + heap.u32[address >>> 2]!;
  if (scale === 0) return String(unscaled);
  const power = POWERS_OF_TEN[scale]!;
  const absolute = Math.abs(unscaled);
  const whole = Math.floor(absolute / power);
  const rest = absolute - whole * power;
  return `${unscaled < 0 ? '-' : ''}${whole}.${String(rest).padStart(scale, '0')}`;
}

/** The decimal whose unscaled value is the two limbs at `address`. */
export function wideDecimalText(address: number, scale: number): string {
  const low = heap.u64[address >>> 3]!;
  const high = heap.i64[(address >>> 3) + 1]!;
  return formatDecimal((high << 64n) | low, scale);
}
