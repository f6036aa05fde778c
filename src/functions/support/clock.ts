/** Nanoseconds since 1970-01-01 in UTC, of the machine's clock (to the millisecond). */
export function nowNanos(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
