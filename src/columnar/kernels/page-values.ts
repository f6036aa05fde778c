// Values of Parquet pages in the layouts of columns. Kernels that check give 1 for good and 0 for bad data.

/**
 * PLAIN byte arrays (u32 length, bytes) as `count` views of the page. Returns where the next one begins, 0 when a length passes `end`.
 */
export function byteArrayViews(source: usize, end: usize, count: u32, to: usize): usize {
  let s = source;
  const stop = to + ((count as usize) << 3);
  for (let o = to; o < stop; o += 8) {
    if (end - s < 4) return 0;
    const length = load<u32>(s);
    s += 4;
    if ((length as usize) > end - s) return 0;
    store<u32>(o, s as u32);
    store<u32>(o, length, 4);
    s += length as usize;
  }
  return s;
}

/** `count` values of `width` bytes each as views. */
export function fixedViews(source: usize, width: u32, count: u32, to: usize): void {
  let s = source;
  const stop = to + ((count as usize) << 3);
  for (let o = to; o < stop; o += 8) {
    store<u32>(o, s as u32);
    store<u32>(o, width, 4);
    s += width as usize;
  }
}

/** Bits, least significant first, as one byte each. */
export function bitsToBytes(source: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u8>(to + i, ((load<u8>(source + (i >> 3)) as u32) >> ((i & 7) as u32)) & 1);
  }
}

/** i32 → i64. */
export function i32ToI64(source: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) store<i64>(to + (i << 3), load<i32>(source + (i << 2)) as i64);
}

/** u32 codes → bytes (all below 256). */
export function u32ToU8(source: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) store<u8>(to + i, load<u32>(source + (i << 2)));
}

/** i32 → i8, u8: 0 when one does not fit. */
export function i32ToI8(source: usize, count: u32, to: usize): i32 {
  let bad: i32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const value = load<i32>(source + (i << 2));
    bad |= ((value << 24) >> 24) ^ value;
    store<i8>(to + i, value as i8);
  }
  return bad == 0 ? 1 : 0;
}

export function i32ToU8(source: usize, count: u32, to: usize): i32 {
  let bad: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const value = load<u32>(source + (i << 2));
    bad |= value >> 8;
    store<u8>(to + i, value as u8);
  }
  return bad == 0 ? 1 : 0;
}

/** i32 → i16, u16: 0 when one does not fit. */
export function i32ToI16(source: usize, count: u32, to: usize): i32 {
  let bad: i32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const value = load<i32>(source + (i << 2));
    bad |= ((value << 16) >> 16) ^ value;
    store<i16>(to + (i << 1), value as i16);
  }
  return bad == 0 ? 1 : 0;
}

export function i32ToU16(source: usize, count: u32, to: usize): i32 {
  let bad: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const value = load<u32>(source + (i << 2));
    bad |= value >> 16;
    store<u16>(to + (i << 1), value as u16);
  }
  return bad == 0 ? 1 : 0;
}

const NANOS_PER_DAY: i64 = 86400000000000;
const JULIAN_EPOCH: i64 = 2440588;

/** INT96 (u64 nanoseconds of the day, u32 Julian day) → i64 nanoseconds since 1970; 0 when one lies outside 1677 – 2262. */
export function int96ToNanos(source: usize, count: u32, to: usize): i32 {
  let good: i32 = 1;
  for (let i: usize = 0; i < (count as usize); i++) {
    const nanos = load<i64>(source + i * 12);
    const days = (load<u32>(source + i * 12, 8) as i64) - JULIAN_EPOCH;
    // 106,751 days are less than 2^63 nanoseconds, and a day more on either side may still be.
    if (days < -106752 || days > 106751 || nanos < 0 || nanos >= NANOS_PER_DAY) {
      good = 0;
      continue;
    }
    // The first day begins before the least i64: count from its end.
    const result = days < 0 ? (days + 1) * NANOS_PER_DAY + (nanos - NANOS_PER_DAY) : days * NANOS_PER_DAY + nanos;
    if (days < 0 ? result > 0 : result < 0) good = 0;
    store<i64>(to + (i << 3), result);
  }
  return good;
}

/** IEEE half → f32. */
export function halfToF32(source: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const half = load<u16>(source + (i << 1)) as u32;
    const sign = (half & 0x8000) << 16;
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    if (exponent == 0) {
      const magnitude = (fraction as f32) * 5.9604644775390625e-8;
      store<u32>(to + (i << 2), sign | reinterpret<u32>(magnitude));
    } else if (exponent == 31) {
      store<u32>(to + (i << 2), sign | 0x7f800000 | (fraction << 13));
    } else {
      store<u32>(to + (i << 2), sign | ((exponent + 112) << 23) | (fraction << 13));
    }
  }
}

/** INTERVAL (u32 months, days, milliseconds) → i32 months, i32 days, i64 nanoseconds. */
export function intervalsToNanos(source: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u32>(to + (i << 4), load<u32>(source + i * 12));
    store<u32>(to + (i << 4), load<u32>(source + i * 12, 4), 4);
    store<i64>(to + (i << 4), (load<u32>(source + i * 12, 8) as i64) * 1000000, 8);
  }
}

/** Big-endian two's complement of `width` bytes as low and high limb; false when it has more than 128 bits. */
function storeBigEndian(source: usize, width: usize, to: usize): bool {
  let s = source;
  let left = width;
  const sign: u64 = width > 0 && load<i8>(source) < 0 ? -1 : 0;
  while (left > 16) {
    if (load<u8>(s) != (sign as u8)) return false;
    s++;
    left--;
  }
  let low = sign;
  let high = sign;
  while (left > 8) {
    high = (high << 8) | (load<u8>(s++) as u64);
    left--;
  }
  if (width >= 8) low = 0;
  while (left > 0) {
    low = (low << 8) | (load<u8>(s++) as u64);
    left--;
  }
  // A value of more than 16 bytes whose sign bit got lost is not the same number.
  if (width > 16 && (high as i64) < 0 != (sign != 0)) return false;
  store<u64>(to, low);
  store<u64>(to, high, 8);
  return true;
}

/** Big-endian decimals of `width` bytes → two limbs; 0 when one does not fit. */
export function decimalsToI128(source: usize, width: u32, count: u32, to: usize): i32 {
  for (let i: usize = 0; i < (count as usize); i++) {
    if (!storeBigEndian(source + i * (width as usize), width as usize, to + (i << 4))) return 0;
  }
  return 1;
}

/** Big-endian decimals of `width` bytes → i64; 0 when one does not fit. `scratch` has 16 bytes. */
export function decimalsToI64(source: usize, width: u32, count: u32, to: usize, scratch: usize): i32 {
  if (width <= 8 && width > 0) {
    // The reads pass the value by up to 7 bytes, which the shift drops.
    const shift = (8 - (width as u64)) << 3;
    for (let i: usize = 0; i < (count as usize); i++) {
      store<i64>(to + (i << 3), (bswap<u64>(load<u64>(source + i * (width as usize))) as i64) >> shift);
    }
    return 1;
  }
  for (let i: usize = 0; i < (count as usize); i++) {
    if (!storeBigEndian(source + i * (width as usize), width as usize, scratch)) return 0;
    const low = load<i64>(scratch);
    if (load<i64>(scratch, 8) != low >> 63) return 0;
    store<i64>(to + (i << 3), low);
  }
  return 1;
}

/** Big-endian decimals behind views → two limbs; 0 when one does not fit. */
export function viewedDecimalsToI128(views: usize, count: u32, to: usize): i32 {
  for (let i: usize = 0; i < (count as usize); i++) {
    const bytes = load<u32>(views + (i << 3)) as usize;
    if (!storeBigEndian(bytes, load<u32>(views + (i << 3), 4) as usize, to + (i << 4))) return 0;
  }
  return 1;
}

/** Big-endian decimals behind views → i64; 0 when one does not fit. `scratch` has 16 bytes. */
export function viewedDecimalsToI64(views: usize, count: u32, to: usize, scratch: usize): i32 {
  for (let i: usize = 0; i < (count as usize); i++) {
    const bytes = load<u32>(views + (i << 3)) as usize;
    if (!storeBigEndian(bytes, load<u32>(views + (i << 3), 4) as usize, scratch)) return 0;
    const low = load<i64>(scratch);
    if (load<i64>(scratch, 8) != low >> 63) return 0;
    store<i64>(to + (i << 3), low);
  }
  return 1;
}

function spread<T>(values: usize, validity: usize, start: u32, count: u32, dense: u32): void {
  let from = values + (dense as usize) * sizeof<T>();
  for (let i = count as usize; i > 0; ) {
    i--;
    const bit = (start as usize) + i;
    const at = values + i * sizeof<T>();
    if (((load<u8>(validity + (bit >> 3)) as u32) >> ((bit & 7) as u32)) & 1) {
      from -= sizeof<T>();
      store<T>(at, load<T>(from));
    } else {
      store<T>(at, 0);
    }
  }
}

/**
 * Moves the `dense` values at the beginning of an area of `count` values to the places whose bit of `validity` (from bit `start` on) is
 * set; the other places become zero. `width` is 1, 2, 4, 8 or 16; as many bits are set as there are dense values.
 */
export function spreadValues(values: usize, width: u32, validity: usize, start: u32, count: u32, dense: u32): void {
  if (width == 1) spread<u8>(values, validity, start, count, dense);
  else if (width == 2) spread<u16>(values, validity, start, count, dense);
  else if (width == 4) spread<u32>(values, validity, start, count, dense);
  else if (width == 8) spread<u64>(values, validity, start, count, dense);
  else {
    let from = values + ((dense as usize) << 4);
    for (let i = count as usize; i > 0; ) {
      i--;
      const bit = (start as usize) + i;
      const at = values + (i << 4);
      if (((load<u8>(validity + (bit >> 3)) as u32) >> ((bit & 7) as u32)) & 1) {
        from -= 16;
        v128.store(at, v128.load(from));
      } else {
        v128.store(at, i64x2.splat(0));
      }
    }
  }
}

/** BYTE_STREAM_SPLIT: byte j of value i stands at `j · count + i`. */
export function byteStreamMerge(source: usize, width: u32, count: u32, to: usize): void {
  const n = count as usize;
  const w = width as usize;
  for (let j: usize = 0; j < w; j++) {
    const stream = source + j * n;
    let o = to + j;
    for (let i: usize = 0; i < n; i++) {
      store<u8>(o, load<u8>(stream + i));
      o += w;
    }
  }
}
