/** String kernels that emitted expressions call. Strings are (address, length); nothing is read past their ends. */
import { compareBytes, equalBytes } from './bytes';

export function equalStrings(a: usize, aLength: u32, b: usize, bLength: u32): u32 {
  return aLength == bLength && equalBytes(a, b, aLength) ? 1 : 0;
}

/** Negative, 0 or positive, by bytes. */
export function compareStrings(a: usize, aLength: u32, b: usize, bLength: u32): i32 {
  return compareBytes(a, aLength, b, bLength);
}

export function startsWithBytes(text: usize, length: u32, prefix: usize, prefixLength: u32): u32 {
  return length >= prefixLength && equalBytes(text, prefix, prefixLength) ? 1 : 0;
}

function isContinuation(at: usize): bool {
  return (load<u8>(at) & 0xc0) == 0x80;
}

/** Code points: bytes that do not continue another. */
export function countCodePoints(text: usize, length: u32): u32 {
  let count: u32 = 0;
  const end = text + (length as usize);
  let at = text;
  while (at + 16 <= end) {
    // As signed bytes, continuation bytes are those below -64.
    const starts = i8x16.ge_s(v128.load(at), i8x16.splat(-64));
    count += popcnt<u32>(i8x16.bitmask(starts) as u32);
    at += 16;
  }
  while (at < end) {
    if (!isContinuation(at)) count++;
    at++;
  }
  return count;
}

/** Address of code point `index` (0-based) between `at` and `end`; `end` when there are fewer. */
function skipCodePoints(at: usize, end: usize, index: i64): usize {
  const bytes = (end - at) as i64;
  if (index >= bytes) {
    // Even of one byte each there are not that many.
    return end;
  }
  let left = index;
  while (at < end) {
    if (!isContinuation(at)) {
      if (left == 0) return at;
      left--;
    }
    at++;
  }
  return end;
}

/**
 * `substr(text, start, count)` as a view: address in the low 32 bits, length in the high ones. `start` is 1-based and may be below 1;
 * `count` is not negative.
 */
export function substrView(text: usize, length: u32, start: i64, count: i64): u64 {
  const end = text + (length as usize);
  const skip = start > 1 ? start - 1 : 0;
  const from = skipCodePoints(text, end, skip);
  // Positions before the text count, but give nothing. The signs differ, so that the sum cannot overflow.
  let wanted = count;
  if (start < 1) wanted = start + count > 1 ? start + count - 1 : 0;
  const to = skipCodePoints(from, end, wanted);
  return (from as u64) | (((to - from) as u64) << 32);
}

/** Stands for `_` in a LIKE segment (see like-matcher.ts, which writes the programs). */
const ANY_CHARACTER: u8 = 0xff;
/** No address: 0 may be one, of an empty string. */
const NOWHERE: usize = 0xffffffff;

/**
 * Whether a text matches a LIKE program: u32 segments, u32 flags (1 open start, 2 open end), then per segment u32 length, u32 plain
 * (1: no `_`), bytes padded to a multiple of 4.
 */
export function likeMatches(text: usize, length: u32, program: usize): u32 {
  const segments = load<u32>(program);
  const flags = load<u32>(program, 4);
  const end = text + (length as usize);
  if (segments == 0) return flags != 0 || length == 0 ? 1 : 0;
  let at = text;
  let segment = program + 8;
  for (let index: u32 = 0; index < segments; index++) {
    const size = load<u32>(segment);
    const plain = load<u32>(segment, 4) != 0;
    const bytes = segment + 8;
    const anchoredStart = index == 0 && (flags & 1) == 0;
    const anchoredEnd = index == segments - 1 && (flags & 2) == 0;
    if (anchoredStart) {
      const after = matchAt(at, end, bytes, size);
      if (after == NOWHERE || (anchoredEnd && after != end)) return 0;
      at = after;
    } else if (anchoredEnd) {
      return matchAtEnd(at, end, bytes, size) ? 1 : 0;
    } else {
      const after = plain ? findPlain(at, end, bytes, size) : findAny(at, end, bytes, size);
      if (after == NOWHERE) return 0;
      at = after;
    }
    segment = bytes + (((size + 3) & ~3) as usize);
  }
  return 1;
}

/** Address after the segment when it stands at `at`, else NOWHERE. */
function matchAt(at: usize, end: usize, bytes: usize, size: u32): usize {
  for (let i: u32 = 0; i < size; i++) {
    if (at >= end) return NOWHERE;
    const byte = load<u8>(bytes + (i as usize));
    if (byte != ANY_CHARACTER) {
      if (load<u8>(at) != byte) return NOWHERE;
      at++;
    } else {
      at++;
      while (at < end && isContinuation(at)) at++;
    }
  }
  return at;
}

/** Counted back from the end, and not before `from`. */
function matchAtEnd(from: usize, end: usize, bytes: usize, size: u32): bool {
  let at = end;
  for (let i = (size as i32) - 1; i >= 0; i--) {
    if (at <= from) return false;
    at--;
    const byte = load<u8>(bytes + (i as usize));
    if (byte == ANY_CHARACTER) {
      while (at > from && isContinuation(at)) at--;
    } else if (load<u8>(at) != byte) {
      return false;
    }
  }
  return true;
}

function findAny(from: usize, end: usize, bytes: usize, size: u32): usize {
  for (let at = from; at <= end; at++) {
    if (at < end && at > from && isContinuation(at)) continue;
    const after = matchAt(at, end, bytes, size);
    if (after != NOWHERE) return after;
  }
  return NOWHERE;
}

/** Address after the first occurrence of `size` (> 0) bytes, or NOWHERE: first and last byte are compared at 16 places at a time. */
function findPlain(from: usize, end: usize, bytes: usize, size: u32): usize {
  const n = size as usize;
  if (end - from < n) return NOWHERE;
  const limit = end - n + 1;
  const firstByte = load<u8>(bytes);
  const lastByte = load<u8>(bytes + n - 1);
  const first = i8x16.splat(firstByte as i8);
  const last = i8x16.splat(lastByte as i8);
  const inner: u32 = size > 2 ? size - 2 : 0;
  let at = from;
  while (at + 16 <= limit) {
    const both = v128.and(i8x16.eq(v128.load(at), first), i8x16.eq(v128.load(at + n - 1), last));
    let mask = i8x16.bitmask(both) as u32;
    while (mask != 0) {
      const place = at + (ctz<u32>(mask) as usize);
      if (equalBytes(place + 1, bytes + 1, inner)) return place + n;
      mask &= mask - 1;
    }
    at += 16;
  }
  while (at < limit) {
    if (load<u8>(at) == firstByte && load<u8>(at + n - 1) == lastByte && equalBytes(at + 1, bytes + 1, inner)) {
      return at + n;
    }
    at++;
  }
  return NOWHERE;
}
