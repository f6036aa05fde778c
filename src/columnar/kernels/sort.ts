import { compareBytes } from './bytes';

// Sorting of rows. An entry is 16 bytes: u64 prefix (its unsigned order never contradicts the order of the first key), u32 row.
// A key descriptor is 16 bytes: u8 kind, u8 descending, u8 nulls first, u8 mask of the null bit (0 = never null), u32 offset of the
// value in the row, u32 offset of the null byte. Kinds as in `hash.ts`.

const F32: u32 = 8;
const F64: u32 = 9;

function orderF64(bits: u64): u64 {
  return bits >> 63 != 0 ? ~bits : bits | 0x8000000000000000;
}

/** Order-preserving form of a value's first 64 bits; equal forms say nothing for kinds wider than that. */
function prefixOf(kind: u32, at: usize): u64 {
  switch (kind) {
    case 0:
      return (load<i8>(at) as i64 as u64) ^ 0x8000000000000000;
    case 1:
      return (load<i16>(at) as i64 as u64) ^ 0x8000000000000000;
    case 2:
      return (load<i32>(at) as i64 as u64) ^ 0x8000000000000000;
    case 3:
      return load<u64>(at) ^ 0x8000000000000000;
    case 4:
      return load<u8>(at) as u64;
    case 5:
      return load<u16>(at) as u64;
    case 6:
      return load<u32>(at) as u64;
    case 7:
      return load<u64>(at);
    case F32: {
      const value = load<f32>(at) as f64;
      return value != value ? 0xffffffffffffffff : orderF64(reinterpret<u64>(value + 0.0));
    }
    case F64: {
      const value = load<f64>(at);
      return value != value ? 0xffffffffffffffff : orderF64(reinterpret<u64>(value + 0.0));
    }
    case 10: {
      // Saturated to 64 bits: order holds, ties are looked at again.
      const low = load<u64>(at);
      const high = load<i64>(at + 8);
      if (high > (low as i64) >> 63) return 0xffffffffffffffff;
      if (high < (low as i64) >> 63) return 0;
      return low ^ 0x8000000000000000;
    }
    case 11: {
      const length = load<u32>(at + 4);
      const bytes = load<u32>(at) as usize;
      if (length >= 8) return bswap<u64>(load<u64>(bytes));
      let prefix: u64 = 0;
      for (let i: u32 = 0; i < length; i++)
        prefix |= (load<u8>(bytes + (i as usize)) as u64) << ((56 - (i << 3)) as u64);
      return prefix;
    }
    case 12:
      return (
        ((((load<i32>(at) as u32) ^ 0x80000000) as u64) << 32) | (((load<i32>(at + 4) as u32) ^ 0x80000000) as u64)
      );
    default:
      return 0;
  }
}

function compareValues(kind: u32, a: usize, b: usize): i32 {
  if (kind == 11) {
    return compareBytes(load<u32>(a) as usize, load<u32>(a + 4), load<u32>(b) as usize, load<u32>(b + 4));
  }
  if (kind == 10) {
    const x = load<i64>(a + 8);
    const y = load<i64>(b + 8);
    if (x != y) return x < y ? -1 : 1;
    const u = load<u64>(a);
    const v = load<u64>(b);
    return u == v ? 0 : u < v ? -1 : 1;
  }
  const x = prefixOf(kind, a);
  const y = prefixOf(kind, b);
  if (x != y) return x < y ? -1 : 1;
  if (kind == 12) {
    const u = load<i64>(a + 8);
    const v = load<i64>(b + 8);
    return u == v ? 0 : u < v ? -1 : 1;
  }
  return 0;
}

/** Order of two rows by the keys: negative, 0 or positive. */
export function compareRows(a: usize, b: usize, keys: usize, keyCount: u32): i32 {
  for (let k: usize = 0; k < (keyCount as usize); k++) {
    const key = keys + (k << 4);
    const offset = load<u32>(key + 4) as usize;
    const mask = load<u8>(key + 3) as u32;
    if (mask != 0) {
      const nullOffset = load<u32>(key + 8) as usize;
      const aValid = ((load<u8>(a + nullOffset) as u32) & mask) != 0;
      const bValid = ((load<u8>(b + nullOffset) as u32) & mask) != 0;
      if (aValid != bValid) {
        const nullsFirst = load<u8>(key + 2) != 0;
        return aValid == nullsFirst ? 1 : -1;
      }
      if (!aValid) continue;
    }
    const order = compareValues(load<u8>(key) as u32, a + offset, b + offset);
    if (order != 0) return load<u8>(key + 1) != 0 ? -order : order;
  }
  return 0;
}

/** The sort entries of `count` rows. */
export function sortEntries(rows: usize, count: u32, keys: usize, entries: usize): void {
  const kind = load<u8>(keys) as u32;
  const descending = load<u8>(keys + 1) != 0;
  const nullPrefix: u64 = load<u8>(keys + 2) != 0 ? 0 : 0xffffffffffffffff;
  const mask = load<u8>(keys + 3) as u32;
  const offset = load<u32>(keys + 4) as usize;
  const nullOffset = load<u32>(keys + 8) as usize;
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(rows + (i << 2)) as usize;
    let prefix = nullPrefix;
    if (mask == 0 || ((load<u8>(row + nullOffset) as u32) & mask) != 0) {
      prefix = prefixOf(kind, row + offset);
      if (descending) prefix = ~prefix;
    }
    const entry = entries + (i << 4);
    store<u64>(entry, prefix);
    store<u64>(entry + 8, row as u64);
  }
}

function compareEntries(a: usize, b: usize, keys: usize, keyCount: u32): i32 {
  const x = load<u64>(a);
  const y = load<u64>(b);
  if (x != y) return x < y ? -1 : 1;
  return compareRows(load<u32>(a + 8) as usize, load<u32>(b + 8) as usize, keys, keyCount);
}

/** Sorts entries in place, stably; `scratch` has room for as many. Runs of 64 Ki entries take some milliseconds. */
export function sortRun(entries: usize, count: u32, keys: usize, keyCount: u32, scratch: usize): void {
  const n = count as usize;
  const block: usize = 16;
  for (let start: usize = 0; start < n; start += block) {
    const end = min(start + block, n);
    for (let i = start + 1; i < end; i++) {
      const entry = v128.load(entries + (i << 4));
      v128.store(scratch, entry);
      let j = i;
      while (j > start && compareEntries(scratch, entries + ((j - 1) << 4), keys, keyCount) < 0) {
        v128.store(entries + (j << 4), v128.load(entries + ((j - 1) << 4)));
        j--;
      }
      v128.store(entries + (j << 4), entry);
    }
  }
  let from = entries;
  let to = scratch;
  for (let width = block; width < n; width <<= 1) {
    for (let left: usize = 0; left < n; left += width << 1) {
      const middle = min(left + width, n);
      const right = min(left + (width << 1), n);
      let a = from + (left << 4);
      const aEnd = from + (middle << 4);
      let b = aEnd;
      const bEnd = from + (right << 4);
      let out = to + (left << 4);
      if (b < bEnd && compareEntries(aEnd - 16, b, keys, keyCount) <= 0) {
        memory.copy(out, a, bEnd - a);
        continue;
      }
      while (a < aEnd && b < bEnd) {
        if (compareEntries(b, a, keys, keyCount) < 0) {
          v128.store(out, v128.load(b));
          b += 16;
        } else {
          v128.store(out, v128.load(a));
          a += 16;
        }
        out += 16;
      }
      if (a < aEnd) memory.copy(out, a, aEnd - a);
      else if (b < bEnd) memory.copy(out, b, bEnd - b);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  if (from != entries) memory.copy(entries, from, n << 4);
}

// A merge: `cursors` is an array of (u32 next entry, u32 end); `heap` an array of u32 cursor numbers in heap order. Ties go to the lower
// cursor number.

function cursorLess(cursors: usize, a: u32, b: u32, keys: usize, keyCount: u32): bool {
  const order = compareEntries(
    load<u32>(cursors + ((a as usize) << 3)) as usize,
    load<u32>(cursors + ((b as usize) << 3)) as usize,
    keys,
    keyCount,
  );
  return order < 0 || (order == 0 && a < b);
}

function siftDown(cursors: usize, heap: usize, size: u32, keys: usize, keyCount: u32, from: u32): void {
  let at = from;
  const item = load<u32>(heap + ((at as usize) << 2));
  while (true) {
    let child = at * 2 + 1;
    if (child >= size) break;
    let least = load<u32>(heap + ((child as usize) << 2));
    if (child + 1 < size) {
      const other = load<u32>(heap + (((child + 1) as usize) << 2));
      if (cursorLess(cursors, other, least, keys, keyCount)) {
        child++;
        least = other;
      }
    }
    if (!cursorLess(cursors, least, item, keys, keyCount)) break;
    store<u32>(heap + ((at as usize) << 2), least);
    at = child;
  }
  store<u32>(heap + ((at as usize) << 2), item);
}

/** Makes `heap` (cursor numbers in any order) a heap. */
export function mergeStart(cursors: usize, heap: usize, size: u32, keys: usize, keyCount: u32): void {
  let at = size >> 1;
  while (at > 0) {
    at--;
    siftDown(cursors, heap, size, keys, keyCount, at);
  }
}

/**
 * Merges up to `capacity` rows into `rows` (addresses). Stops early, after taking the row, when a cursor reaches its end: that cursor
 * is then at the top of the heap. Returns the number of rows; the caller refills the top cursor (and calls `mergeSettle`) or drops it.
 */
export function mergeNext(
  cursors: usize,
  heap: usize,
  size: u32,
  keys: usize,
  keyCount: u32,
  rows: usize,
  capacity: u32,
): u32 {
  for (let made: u32 = 0; made < capacity; made++) {
    const top = load<u32>(heap);
    const cursor = cursors + ((top as usize) << 3);
    const entry = load<u32>(cursor);
    store<u32>(rows + ((made as usize) << 2), load<u32>((entry as usize) + 8));
    store<u32>(cursor, entry + 16);
    if (entry + 16 == load<u32>(cursor + 4)) return made + 1;
    siftDown(cursors, heap, size, keys, keyCount, 0);
  }
  return capacity;
}

/** Puts the refilled top of the heap where it belongs. */
export function mergeSettle(cursors: usize, heap: usize, size: u32, keys: usize, keyCount: u32): void {
  siftDown(cursors, heap, size, keys, keyCount, 0);
}

/**
 * Positions among `count` entries that come before `bound` (an entry), or with `orEqual` not after it. Ascending, to `positions`.
 */
export function entriesBefore(
  entries: usize,
  count: u32,
  bound: usize,
  orEqual: u32,
  keys: usize,
  keyCount: u32,
  positions: usize,
): u32 {
  let found: u32 = 0;
  const most = orEqual != 0 ? 0 : -1;
  for (let i: u32 = 0; i < count; i++) {
    if (compareEntries(entries + ((i as usize) << 4), bound, keys, keyCount) > most) continue;
    store<u32>(positions + ((found as usize) << 2), i);
    found++;
  }
  return found;
}

/**
 * Keeps the addresses of the rows with the least and the largest value of a key (nulls left out) among `count` rows of `width` bytes
 * from `first` and those that `state` (u32 least, u32 largest; 0 = none yet) already names.
 */
export function rowExtremes(first: usize, width: u32, count: u32, key: usize, state: usize): void {
  const kind = load<u8>(key) as u32;
  const mask = load<u8>(key + 3) as u32;
  const offset = load<u32>(key + 4) as usize;
  const nullOffset = load<u32>(key + 8) as usize;
  let least = load<u32>(state) as usize;
  let largest = load<u32>(state + 4) as usize;
  let row = first;
  for (let i: u32 = 0; i < count; i++) {
    if (mask == 0 || ((load<u8>(row + nullOffset) as u32) & mask) != 0) {
      if (least == 0 || compareValues(kind, row + offset, least + offset) < 0) least = row;
      if (largest == 0 || compareValues(kind, row + offset, largest + offset) > 0) largest = row;
    }
    row += width as usize;
  }
  store<u32>(state, least as u32);
  store<u32>(state + 4, largest as u32);
}
