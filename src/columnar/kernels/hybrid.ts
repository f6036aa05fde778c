/**
 * Parquet's RLE / bit-packed hybrid, decoded in pieces. A decoder's state is 32 bytes of u32s:
 *
 *    0 next byte          4 end of the bytes      8 bits per value
 *   12 values left in the current repeated run    16 its value
 *   20 values left in the current packed run      24 values taken from it       28 end of its bytes
 */
export function hybridStart(state: usize, source: usize, end: usize, bitWidth: u32): void {
  store<u32>(state, source as u32);
  store<u32>(state, end as u32, 4);
  store<u32>(state, bitWidth, 8);
  store<u32>(state, 0, 12);
  store<u32>(state, 0, 16);
  store<u32>(state, 0, 20);
  store<u32>(state, 0, 24);
  store<u32>(state, 0, 28);
}

/** Reads the header of the next run that has values. False when there is none. */
function nextRun(state: usize): bool {
  let p = load<u32>(state) as usize;
  const end = load<u32>(state, 4) as usize;
  const width = load<u32>(state, 8);
  while (true) {
    let header: u32 = 0;
    let shift: u32 = 0;
    while (true) {
      if (p >= end || shift > 28) return false;
      const byte = load<u8>(p++) as u32;
      header |= (byte & 127) << shift;
      if (byte < 128) break;
      shift += 7;
    }
    const count = header >> 1;
    if ((header & 1) != 0) {
      if (count > 0x0fffffff) return false;
      const bytes = (count as u64) * (width as u64);
      // The last group may be cut off by its writer: only values whose bits are there can be taken.
      const available = (end - p) as u64;
      const runEnd = p + (min<u64>(bytes, available) as usize);
      store<u32>(state, runEnd as u32, 28);
      store<u32>(state, 0, 24);
      store<u32>(state, count << 3, 20);
      store<u32>(state, p as u32);
      if (count == 0) continue;
      return true;
    }
    const valueBytes = ((width + 7) >> 3) as usize;
    if (valueBytes > end - p) return false;
    let value: u32 = 0;
    for (let i: usize = 0; i < valueBytes; i++) value |= (load<u8>(p + i) as u32) << ((i as u32) << 3);
    p += valueBytes;
    store<u32>(state, p as u32);
    store<u32>(state, count, 12);
    store<u32>(state, value, 16);
    if (count > 0) return true;
  }
}

/** The largest of `count` u32s. */
function largest(values: usize, count: usize): u32 {
  let i: usize = 0;
  let wide = i32x4.splat(0);
  for (; i + 4 <= count; i += 4) wide = i32x4.max_u(wide, v128.load(values + (i << 2)));
  let result = max<u32>(
    max<u32>(i32x4.extract_lane(wide, 0) as u32, i32x4.extract_lane(wide, 1) as u32),
    max<u32>(i32x4.extract_lane(wide, 2) as u32, i32x4.extract_lane(wide, 3) as u32),
  );
  for (; i < count; i++) result = max<u32>(result, load<u32>(values + (i << 2)));
  return result;
}

/** Values [first, first + count) of the packed run at `source` as u32s. Reads up to 8 bytes past the last one's. */
function unpack(source: usize, width: u32, first: u32, count: u32, out: usize): void {
  const mask: u64 = ((1 as u64) << (width as u64)) - 1;
  let index = first;
  const stop = first + count;
  let o = out;
  while (index < stop && (index & 7) != 0) {
    const bit = (index as u64) * (width as u64);
    store<u32>(o, ((load<u64>(source + ((bit >> 3) as usize)) >> (bit & 7)) & mask) as u32);
    index++;
    o += 4;
  }
  let p = (source + (((index as u64) * (width as u64)) >> 3)) as usize;
  const w = width as u64;
  if (width <= 8) {
    for (; index + 8 <= stop; index += 8) {
      const bits = load<u64>(p);
      store<u32>(o, (bits & mask) as u32);
      store<u32>(o, ((bits >> w) & mask) as u32, 4);
      store<u32>(o, ((bits >> (2 * w)) & mask) as u32, 8);
      store<u32>(o, ((bits >> (3 * w)) & mask) as u32, 12);
      store<u32>(o, ((bits >> (4 * w)) & mask) as u32, 16);
      store<u32>(o, ((bits >> (5 * w)) & mask) as u32, 20);
      store<u32>(o, ((bits >> (6 * w)) & mask) as u32, 24);
      store<u32>(o, ((bits >> (7 * w)) & mask) as u32, 28);
      p += width as usize;
      o += 32;
    }
  } else if (width <= 16) {
    // Four values take at most 64 bits; the second four begin in the middle of a byte when the width is odd.
    const half = (w * 4) >> 3;
    const odd = (w * 4) & 7;
    for (; index + 8 <= stop; index += 8) {
      const low = load<u64>(p);
      const high = load<u64>(p + (half as usize)) >> odd;
      store<u32>(o, (low & mask) as u32);
      store<u32>(o, ((low >> w) & mask) as u32, 4);
      store<u32>(o, ((low >> (2 * w)) & mask) as u32, 8);
      store<u32>(o, ((low >> (3 * w)) & mask) as u32, 12);
      store<u32>(o, (high & mask) as u32, 16);
      store<u32>(o, ((high >> w) & mask) as u32, 20);
      store<u32>(o, ((high >> (2 * w)) & mask) as u32, 24);
      store<u32>(o, ((high >> (3 * w)) & mask) as u32, 28);
      p += width as usize;
      o += 32;
    }
  }
  while (index < stop) {
    const bit = (index as u64) * (width as u64);
    store<u32>(o, ((load<u64>(source + ((bit >> 3) as usize)) >> (bit & 7)) & mask) as u32);
    index++;
    o += 4;
  }
}

/**
 * The next `count` values as u32s. Returns the largest of them, or −1 when the bytes end before or a value is above 2^31 − 1.
 * Reads up to 8 bytes past the end of its bytes.
 */
export function hybridDecode(state: usize, count: u32, out: usize): i32 {
  const width = load<u32>(state, 8);
  if (width == 0) {
    // Writers of a one-value dictionary need not bother to write runs.
    memory.fill(out, 0, (count as usize) << 2);
    return 0;
  }
  let greatest: u32 = 0;
  let left = count;
  let o = out;
  while (left > 0) {
    const repeated = load<u32>(state, 12);
    if (repeated > 0) {
      const n = min<u32>(repeated, left);
      const value = load<u32>(state, 16);
      greatest = max<u32>(greatest, value);
      const wide = i32x4.splat(value as i32);
      const stop = o + ((n as usize) << 2);
      let at = o;
      for (; at + 16 <= stop; at += 16) v128.store(at, wide);
      for (; at < stop; at += 4) store<u32>(at, value);
      store<u32>(state, repeated - n, 12);
      left -= n;
      o = stop;
      continue;
    }
    const packed = load<u32>(state, 20);
    if (packed > 0) {
      const n = min<u32>(packed, left);
      const source = load<u32>(state) as usize;
      const taken = load<u32>(state, 24);
      const runEnd = load<u32>(state, 28) as usize;
      if ((((taken + n) as u64) * (width as u64) + 7) >> 3 > ((runEnd - source) as u64)) return -1;
      unpack(source, width, taken, n, o);
      store<u32>(state, packed - n, 20);
      store<u32>(state, taken + n, 24);
      if (packed == n) store<u32>(state, runEnd as u32);
      left -= n;
      o += (n as usize) << 2;
      continue;
    }
    if (!nextRun(state)) return -1;
  }
  greatest = max<u32>(greatest, largest(out, count as usize));
  return greatest > 0x7fffffff ? -1 : (greatest as i32);
}

/** How many of the next values repeat one value: the rest of the current or next run, 0 when that is packed or there is none. */
export function hybridRepeats(state: usize): u32 {
  if (load<u32>(state, 8) == 0) return 0xffffffff;
  if (load<u32>(state, 12) == 0 && load<u32>(state, 20) == 0 && !nextRun(state)) return 0;
  return load<u32>(state, 12);
}

/** Copies `count` bits from bit `fromBit` of `from` to bit `toBit` of `to`; reads up to 8 bytes past the last. Returns the set ones. */
function copyBits(from: usize, fromBit: u32, to: usize, toBit: u32, count: u32): u32 {
  let set: u32 = 0;
  let source = fromBit;
  let target = toBit;
  let left = count;
  while (left > 0 && (target & 7) != 0) {
    const bit = ((load<u8>(from + ((source >> 3) as usize)) as u32) >> (source & 7)) & 1;
    const at = to + ((target >> 3) as usize);
    store<u8>(at, ((load<u8>(at) as u32) & ~(1 << (target & 7))) | (bit << (target & 7)));
    set += bit;
    source++;
    target++;
    left--;
  }
  while (left >= 32) {
    const bits = (load<u64>(from + ((source >> 3) as usize)) >> ((source & 7) as u64)) as u32;
    store<u32>(to + ((target >> 3) as usize), bits);
    set += popcnt<u32>(bits);
    source += 32;
    target += 32;
    left -= 32;
  }
  while (left > 0) {
    const bit = ((load<u8>(from + ((source >> 3) as usize)) as u32) >> (source & 7)) & 1;
    const at = to + ((target >> 3) as usize);
    store<u8>(at, ((load<u8>(at) as u32) & ~(1 << (target & 7))) | (bit << (target & 7)));
    set += bit;
    source++;
    target++;
    left--;
  }
  return set;
}

/** Sets `count` bits from `start` on to `value`. */
function setBits(bitmap: usize, start: u32, count: u32, value: bool): void {
  let at = start;
  let left = count;
  while (left > 0 && ((at & 7) != 0 || left < 8)) {
    const byte = bitmap + ((at >> 3) as usize);
    const bit = 1 << (at & 7);
    store<u8>(byte, value ? (load<u8>(byte) as u32) | bit : (load<u8>(byte) as u32) & ~bit);
    at++;
    left--;
    if (left >= 8 && (at & 7) == 0) break;
  }
  const bytes = (left >> 3) as usize;
  memory.fill(bitmap + ((at >> 3) as usize), value ? 255 : 0, bytes);
  at += (bytes as u32) << 3;
  left &= 7;
  for (; left > 0; left--) {
    const byte = bitmap + ((at >> 3) as usize);
    const bit = 1 << (at & 7);
    store<u8>(byte, value ? (load<u8>(byte) as u32) | bit : (load<u8>(byte) as u32) & ~bit);
    at++;
  }
}

/**
 * The next `count` values of a decoder of 1-bit values as bits [start, start + count) of a bitmap: definition levels of a flat nullable
 * column are its validity. Returns how many are set, or −1 when the bytes end before or a value is above 1.
 */
export function hybridDecodeBits(state: usize, count: u32, bitmap: usize, start: u32): i32 {
  let set: u32 = 0;
  let at = start;
  let left = count;
  while (left > 0) {
    const repeated = load<u32>(state, 12);
    if (repeated > 0) {
      const n = min<u32>(repeated, left);
      const value = load<u32>(state, 16);
      if (value > 1) return -1;
      setBits(bitmap, at, n, value == 1);
      if (value == 1) set += n;
      store<u32>(state, repeated - n, 12);
      at += n;
      left -= n;
      continue;
    }
    const packed = load<u32>(state, 20);
    if (packed > 0) {
      const n = min<u32>(packed, left);
      const source = load<u32>(state) as usize;
      const taken = load<u32>(state, 24);
      const runEnd = load<u32>(state, 28) as usize;
      if ((taken + n + 7) >> 3 > ((runEnd - source) as u32)) return -1;
      set += copyBits(source, taken, bitmap, at, n);
      store<u32>(state, packed - n, 20);
      store<u32>(state, taken + n, 24);
      if (packed == n) store<u32>(state, runEnd as u32);
      at += n;
      left -= n;
      continue;
    }
    if (!nextRun(state)) return -1;
  }
  return set as i32;
}
