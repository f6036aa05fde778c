/** Reads an unsigned LEB128 of up to 64 bits at `source`; stores it at `to` and gives the next address, 0 when it passes `end`. */
function varint(source: usize, end: usize, to: usize): usize {
  let s = source;
  let value: u64 = 0;
  let shift: u64 = 0;
  while (true) {
    if (s >= end || shift > 63) return 0;
    const byte = load<u8>(s++) as u64;
    value |= (byte & 127) << shift;
    if (byte < 128) break;
    shift += 7;
  }
  store<u64>(to, value);
  return s;
}

/**
 * DELTA_BINARY_PACKED: block size, miniblocks per block, value count, first value, blocks. How many values there are, or −1 when the
 * header is damaged. `scratch` has 16 bytes.
 */
export function deltaCount(source: usize, end: usize, scratch: usize): i32 {
  let s = varint(source, end, scratch);
  if (s == 0) return -1;
  s = varint(s, end, scratch);
  if (s == 0) return -1;
  s = varint(s, end, scratch);
  if (s == 0) return -1;
  const count = load<u64>(scratch);
  return count > 0x7fffffff ? -1 : (count as i32);
}

/**
 * Decodes all values of a DELTA_BINARY_PACKED sequence as integers of `width` bytes (4 or 8; sums wrap, as writers' differences do).
 * `to` has room for the count that `deltaCount` gave. Returns where the sequence ends, 0 when it is damaged. Reads up to 16 bytes past
 * `end`. `scratch` has 16 bytes.
 */
export function deltaDecode(source: usize, end: usize, width: u32, to: usize, scratch: usize): usize {
  let s = varint(source, end, scratch);
  if (s == 0) return 0;
  const blockSize = load<u64>(scratch);
  s = varint(s, end, scratch);
  if (s == 0) return 0;
  const miniblocks = load<u64>(scratch);
  s = varint(s, end, scratch);
  if (s == 0) return 0;
  const count = load<u64>(scratch) as usize;
  s = varint(s, end, scratch);
  if (s == 0) return 0;
  const first = load<u64>(scratch);
  let value = (first >> 1) ^ (0 - (first & 1));
  if (count == 0) return s;
  if (miniblocks == 0 || miniblocks > 65536 || blockSize > 0x7fffffff || blockSize % miniblocks != 0) return 0;
  const perMiniblock = (blockSize / miniblocks) as usize;
  if (perMiniblock == 0 || perMiniblock % 8 != 0) return 0;
  if (width == 4) store<u32>(to, value as u32);
  else store<u64>(to, value);
  let done: usize = 1;
  while (done < count) {
    s = varint(s, end, scratch);
    if (s == 0) return 0;
    const zigzag = load<u64>(scratch);
    const least = (zigzag >> 1) ^ (0 - (zigzag & 1));
    const widths = s;
    if ((miniblocks as usize) > end - s) return 0;
    s += miniblocks as usize;
    for (let m: usize = 0; m < (miniblocks as usize) && done < count; m++) {
      const bits = load<u8>(widths + m) as u32;
      if (bits > 64) return 0;
      const bytes = ((perMiniblock as u64) * (bits as u64)) >> 3;
      const n = min<usize>(perMiniblock, count - done);
      // The last miniblock may be cut off by its writer behind its last value.
      const needed = ((n as u64) * (bits as u64) + 7) >> 3;
      if (needed > ((end - s) as u64)) return 0;
      const mask: u64 = bits == 64 ? u64.MAX_VALUE : ((1 as u64) << (bits as u64)) - 1;
      for (let i: usize = 0; i < n; i++) {
        const bit = (i as u64) * (bits as u64);
        const at = s + ((bit >> 3) as usize);
        const shift = bit & 7;
        let delta = load<u64>(at) >> shift;
        if ((bits as u64) + shift > 64) delta |= (load<u8>(at, 8) as u64) << (64 - shift);
        value += least + (delta & mask);
        if (width == 4) store<u32>(to + (done << 2), value as u32);
        else store<u64>(to + (done << 3), value);
        done++;
      }
      s += min<u64>(bytes, (end - s) as u64) as usize;
    }
  }
  return s;
}

/** Sum of `count` i32 lengths as a float; −1 when one is negative. */
export function sumLengths(lengths: usize, count: u32): f64 {
  let sum: u64 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const length = load<i32>(lengths + (i << 2));
    if (length < 0) return -1;
    sum += length as u64;
  }
  return sum as f64;
}

/** Views of consecutive strings of these lengths, from `source` on. Returns where they end, 0 when that passes `end`. */
export function lengthViews(lengths: usize, count: u32, source: usize, end: usize, to: usize): usize {
  let s = source;
  for (let i: usize = 0; i < (count as usize); i++) {
    const length = load<i32>(lengths + (i << 2));
    if (length < 0 || (length as usize) > end - s) return 0;
    store<u32>(to + (i << 3), s as u32);
    store<u32>(to + (i << 3), length as u32, 4);
    s += length as usize;
  }
  return s;
}

/**
 * DELTA_BYTE_ARRAY: each string is the first `prefixes[i]` bytes of the one before and a suffix. Writes the strings to `bytes`, which has
 * room for all prefixes and suffixes, and views of them over the suffixes' views. 0 when a prefix is longer than the string before.
 */
export function joinPrefixes(prefixes: usize, suffixes: usize, count: u32, bytes: usize): i32 {
  let previous: usize = 0;
  let previousLength: usize = 0;
  let o = bytes;
  for (let i: usize = 0; i < (count as usize); i++) {
    const prefix = load<i32>(prefixes + (i << 2));
    if (prefix < 0 || (prefix as usize) > previousLength) return 0;
    const suffix = load<u32>(suffixes + (i << 3)) as usize;
    const suffixLength = load<u32>(suffixes + (i << 3), 4) as usize;
    memory.copy(o, previous, prefix as usize);
    memory.copy(o + (prefix as usize), suffix, suffixLength);
    previous = o;
    previousLength = (prefix as usize) + suffixLength;
    store<u32>(suffixes + (i << 3), o as u32);
    store<u32>(suffixes + (i << 3), previousLength as u32, 4);
    o += previousLength;
  }
  return 1;
}
