/** Bit `index` of a bitmap (LSB first): 0 or 1. */
export function bitAt(bitmap: usize, index: u32): u32 {
  return ((load<u8>(bitmap + ((index >> 3) as usize)) as u32) >> (index & 7)) & 1;
}

/** Sets the bits [start, start + count) to `value`; other bits of the touched bytes stay. */
export function fillBits(bitmap: usize, start: u32, count: u32, value: u32): void {
  let bit = start;
  const end = start + count;
  while (bit < end && (bit & 7) != 0) {
    putBit(bitmap, bit, value);
    bit++;
  }
  const bytes = (end - bit) >> 3;
  if (bytes > 0) {
    memory.fill(bitmap + ((bit >> 3) as usize), value != 0 ? 0xff : 0, bytes as usize);
    bit += bytes << 3;
  }
  while (bit < end) {
    putBit(bitmap, bit, value);
    bit++;
  }
}

export function putBit(bitmap: usize, index: u32, value: u32): void {
  const at = bitmap + ((index >> 3) as usize);
  const mask: u32 = 1 << (index & 7);
  const byte = load<u8>(at) as u32;
  store<u8>(at, (value != 0 ? byte | mask : byte & ~mask) as u8);
}

/**
 * Bits `indices[0 … count)` of `from` into bits [toStart, toStart + count) of `to`; `indices` 0 = rows fromStart, fromStart + 1 …
 * Returns how many of them are set.
 */
export function gatherBits(from: usize, indices: usize, fromStart: u32, count: u32, to: usize, toStart: u32): u32 {
  let set: u32 = 0;
  let i: u32 = 0;
  while (i < count && ((toStart + i) & 7) != 0) {
    const bit = bitAt(from, indices != 0 ? load<u32>(indices + ((i << 2) as usize)) : fromStart + i);
    putBit(to, toStart + i, bit);
    set += bit;
    i++;
  }
  if (indices == 0 && ((fromStart + i) & 7) == 0) {
    const bytes = (count - i) >> 3;
    const source = from + (((fromStart + i) >> 3) as usize);
    const target = to + (((toStart + i) >> 3) as usize);
    for (let b: u32 = 0; b < bytes; b++) {
      const byte = load<u8>(source + (b as usize));
      store<u8>(target + (b as usize), byte);
      set += popcnt<u32>(byte as u32);
    }
    i += bytes << 3;
  } else {
    while (i + 8 <= count) {
      let byte: u32 = 0;
      for (let k: u32 = 0; k < 8; k++) {
        const row = indices != 0 ? load<u32>(indices + (((i + k) << 2) as usize)) : fromStart + i + k;
        byte |= bitAt(from, row) << k;
      }
      store<u8>(to + (((toStart + i) >> 3) as usize), byte as u8);
      set += popcnt<u32>(byte);
      i += 8;
    }
  }
  while (i < count) {
    const bit = bitAt(from, indices != 0 ? load<u32>(indices + ((i << 2) as usize)) : fromStart + i);
    putBit(to, toStart + i, bit);
    set += bit;
    i++;
  }
  return set;
}

/** `to` = `a` and `b`, `count` bits from bit 0; whole 8-byte words are read and written. */
export function andBits(a: usize, b: usize, count: u32, to: usize): void {
  const words = (count + 63) >> 6;
  for (let w: u32 = 0; w < words; w++) {
    const at = (w << 3) as usize;
    store<u64>(to + at, load<u64>(a + at) & load<u64>(b + at));
  }
}

/** Ascending indexes of the set bits among the first `count`, as u32, to `to`; returns how many. */
export function setBitIndices(bitmap: usize, count: u32, to: usize): u32 {
  let out = to;
  let base: u32 = 0;
  while (base < count) {
    const left = count - base;
    let word: u64 = 0;
    if (left >= 64) word = load<u64>(bitmap + ((base >> 3) as usize));
    else {
      const bytes = (left + 7) >> 3;
      for (let b: u32 = 0; b < bytes; b++) {
        word |= (load<u8>(bitmap + (((base >> 3) + b) as usize)) as u64) << ((b << 3) as u64);
      }
      word &= ((1 as u64) << (left as u64)) - 1;
    }
    while (word != 0) {
      store<u32>(out, base + (ctz<u64>(word) as u32));
      out += 4;
      word &= word - 1;
    }
    base += 64;
  }
  return ((out - to) >> 2) as u32;
}
