import type { TimeUnit } from '../columnar/data-type.js';

export const NANOS_PER_DAY = 86_400_000_000_000n;

const PER_SECOND: Readonly<Record<TimeUnit, bigint>> = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n };

/** Steps of a unit in one second. */
export function unitsPerSecond(unit: TimeUnit): bigint {
  return PER_SECOND[unit];
}

/** Steps of a unit in one day. */
export function unitsPerDay(unit: TimeUnit): bigint {
  return PER_SECOND[unit] * 86_400n;
}

/** Nanoseconds in one step of a unit. */
export function nanosPer(unit: TimeUnit): bigint {
  return 1_000_000_000n / PER_SECOND[unit];
}

/** Quotient rounded down; the divisor is positive. */
export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/** Whether a time zone is UTC under one of its names, so that local time is the stored instant. */
export function isUtc(timezone: string): boolean {
  return /^(utc|z|gmt|etc\/utc|[+-]00:?00)$/i.test(timezone);
}
