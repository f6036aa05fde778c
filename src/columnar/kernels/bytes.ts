/**
 * Byte helpers for the other kernels; not exported from the module. None reads or writes past the given length: string bytes may
 * end at the last byte of memory.
 */

/** Copies `length` bytes between areas that do not overlap. */
export function copyBytes(to: usize, from: usize, length: u32): void {
  const n = length as usize;
  if (n > 64) {
    memory.copy(to, from, n);
    return;
  }
  if (n >= 8) {
    let at: usize = 0;
    const last = n - 8;
    while (at < last) {
      store<u64>(to + at, load<u64>(from + at));
      at += 8;
    }
    store<u64>(to + last, load<u64>(from + last));
    return;
  }
  if (n >= 4) {
    const tail = load<u32>(from + n - 4);
    store<u32>(to, load<u32>(from));
    store<u32>(to + n - 4, tail);
    return;
  }
  if (n == 0) return;
  store<u8>(to, load<u8>(from));
  if (n > 1) {
    store<u8>(to + n - 1, load<u8>(from + n - 1));
    store<u8>(to + 1, load<u8>(from + 1));
  }
}

export function equalBytes(a: usize, b: usize, length: u32): bool {
  let n = length as usize;
  if (n >= 8) {
    let at: usize = 0;
    const last = n - 8;
    while (at < last) {
      if (load<u64>(a + at) != load<u64>(b + at)) return false;
      at += 8;
    }
    return load<u64>(a + last) == load<u64>(b + last);
  }
  if (n >= 4) {
    return load<u32>(a) == load<u32>(b) && load<u32>(a + n - 4) == load<u32>(b + n - 4);
  }
  while (n > 0) {
    n--;
    if (load<u8>(a + n) != load<u8>(b + n)) return false;
  }
  return true;
}

/** Order of two byte strings: negative, 0 or positive; a prefix comes before its extensions. */
export function compareBytes(a: usize, aLength: u32, b: usize, bLength: u32): i32 {
  const shared = (aLength < bLength ? aLength : bLength) as usize;
  let at: usize = 0;
  while (at + 8 <= shared) {
    const x = load<u64>(a + at);
    const y = load<u64>(b + at);
    if (x != y) return bswap<u64>(x) < bswap<u64>(y) ? -1 : 1;
    at += 8;
  }
  while (at < shared) {
    const x = load<u8>(a + at) as i32;
    const y = load<u8>(b + at) as i32;
    if (x != y) return x - y;
    at++;
  }
  return aLength == bLength ? 0 : aLength < bLength ? -1 : 1;
}
