// A set of integers as a bitmap over a range. At `set`: i64 base (a multiple of 64), u32 number of bits (a multiple of 64); the bits
// begin 64 bytes behind it.

const BITS: usize = 8;
const BITMAP: usize = 64;

function keyAt(address: usize, width: u32): i64 {
  return width == 4 ? (load<i32>(address) as i64) : load<i64>(address);
}

function has(set: usize, base: i64, bits: u64, key: i64): u32 {
  // Below the base the difference wraps to a huge one.
  const at = (key - base) as u64;
  if (at >= bits) return 0;
  return ((load<u8>(set + BITMAP + ((at as usize) >> 3)) as u32) >> ((at as u32) & 7)) & 1;
}

/** Adds the keys (of `width` 4 or 8 bytes, within the range) at `offset` of rows; those whose null bit is clear are left out. */
export function addRowKeys(
  set: usize,
  first: usize,
  rowWidth: u32,
  count: u32,
  offset: u32,
  width: u32,
  nullOffset: u32,
  nullMask: u32,
): void {
  const base = load<i64>(set);
  let row = first;
  for (let i: u32 = 0; i < count; i++) {
    if (nullMask == 0 || ((load<u8>(row + (nullOffset as usize)) as u32) & nullMask) != 0) {
      const at = (keyAt(row + (offset as usize), width) - base) as usize;
      const byte = set + BITMAP + (at >> 3);
      store<u8>(byte, load<u8>(byte) | (1 << ((at & 7) as u8)));
    }
    row += rowWidth as usize;
  }
}

/** Adds the keys of `from`, whose range lies within that of `set`. */
export function uniteKeySets(set: usize, from: usize): void {
  const at = ((load<i64>(from) - load<i64>(set)) >> 3) as usize;
  const bytes = (load<u32>(from + BITS) >> 3) as usize;
  for (let i: usize = 0; i < bytes; i += 8) {
    const to = set + BITMAP + at + i;
    store<u64>(to, load<u64>(to) | load<u64>(from + BITMAP + i));
  }
}

/** One byte per value: 1 when it is in the set. */
export function keySetFlags(set: usize, values: usize, width: u32, count: u32, flags: usize): void {
  const base = load<i64>(set);
  const bits = load<u32>(set + BITS) as u64;
  for (let i: u32 = 0; i < count; i++) {
    store<u8>(flags + (i as usize), has(set, base, bits, keyAt(values + ((i * width) as usize), width)));
  }
}

/**
 * The rows (all of `count`, or those of a selection) whose value is in the set and not null, ascending, to `out`; returns how many.
 * `out` has room for one more than comes out, and may be the selection.
 */
export function selectKeys(
  set: usize,
  values: usize,
  width: u32,
  validity: usize,
  selection: usize,
  count: u32,
  out: usize,
): u32 {
  const base = load<i64>(set);
  const bits = load<u32>(set + BITS) as u64;
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const row = selection == 0 ? i : load<u32>(selection + ((i as usize) << 2));
    let kept = has(set, base, bits, keyAt(values + ((row * width) as usize), width));
    if (validity != 0) kept &= ((load<u8>(validity + ((row >> 3) as usize)) as u32) >> (row & 7)) & 1;
    store<u32>(out + ((found as usize) << 2), row);
    found += kept;
  }
  return found;
}

/** The same for dictionary codes by the flags of their values. */
export function selectFlaggedCodes(
  flags: usize,
  codes: usize,
  validity: usize,
  selection: usize,
  count: u32,
  out: usize,
): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const row = selection == 0 ? i : load<u32>(selection + ((i as usize) << 2));
    let kept = load<u8>(flags + (load<u32>(codes + ((row as usize) << 2)) as usize)) as u32;
    if (validity != 0) kept &= ((load<u8>(validity + ((row >> 3) as usize)) as u32) >> (row & 7)) & 1;
    store<u32>(out + ((found as usize) << 2), row);
    found += kept;
  }
  return found;
}
