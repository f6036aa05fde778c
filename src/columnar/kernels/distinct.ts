/**
 * The set behind DISTINCT aggregates: (group, value) pairs. A value is a 16-byte key: fixed-width values sign-extended (floats
 * canonical), strings as (64-bit hash, view). Entries are 24 bytes: u32 next entry of the same group, u32 group number, the key.
 * The table holds u32 entry addresses, 0 = free; its size is a power of two.
 * A group's state starts with u32 first entry, u32 group number.
 */
import { equalBytes } from './bytes';

const ENTRY_BYTES: usize = 24;

/** Values of a layout (codes of accumulate-kernels.ts) as keys: 16 bytes each to `to`. */
export function distinctKeys(layout: u32, values: usize, count: u32, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const out = to + ((i << 4) as usize);
    let low: i64 = 0;
    let high: i64 = 0;
    switch (layout) {
      case 0:
        low = load<i8>(values + (i as usize)) as i64;
        high = low >> 63;
        break;
      case 1:
        low = load<u8>(values + (i as usize)) as i64;
        break;
      case 2:
        low = load<i16>(values + ((i << 1) as usize)) as i64;
        high = low >> 63;
        break;
      case 3:
        low = load<u16>(values + ((i << 1) as usize)) as i64;
        break;
      case 4:
        low = load<i32>(values + ((i << 2) as usize)) as i64;
        high = low >> 63;
        break;
      case 5:
        low = load<u32>(values + ((i << 2) as usize)) as i64;
        break;
      case 6:
        low = load<i64>(values + ((i << 3) as usize));
        high = low >> 63;
        break;
      case 7:
        low = load<i64>(values + ((i << 3) as usize));
        break;
      case 8: {
        let single = load<f32>(values + ((i << 2) as usize));
        if (single != single) low = 0x7fc00000;
        else {
          if (single == 0) single = 0;
          low = reinterpret<u32>(single) as i64;
        }
        break;
      }
      case 9: {
        let double = load<f64>(values + ((i << 3) as usize));
        if (double != double) low = 0x7ff8000000000000;
        else {
          if (double == 0) double = 0;
          low = reinterpret<i64>(double);
        }
        break;
      }
      case 10:
        low = load<i64>(values + ((i << 4) as usize));
        high = load<i64>(values + ((i << 4) as usize), 8);
        break;
      case 11:
        high = load<i64>(values + ((i << 3) as usize));
        low = hashBytes(high as u32 as usize, ((high as u64) >> 32) as u32);
        break;
    }
    store<i64>(out, low);
    store<i64>(out, high, 8);
  }
}

/** Restores `width`-byte values from keys (strings: their views). */
export function distinctValues(keys: usize, count: u32, width: u32, strings: bool, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const key = keys + ((i << 4) as usize);
    const out = to + (i as usize) * (width as usize);
    if (strings) store<u64>(out, load<u64>(key, 8));
    else if (width == 1) store<u8>(out, load<u8>(key));
    else if (width == 2) store<u16>(out, load<u16>(key));
    else if (width == 4) store<u32>(out, load<u32>(key));
    else if (width == 8) store<u64>(out, load<u64>(key));
    else {
      store<u64>(out, load<u64>(key));
      store<u64>(out, load<u64>(key, 8), 8);
    }
  }
}

function mix(a: u64, b: u64): u64 {
  let h = (a ^ 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  h ^= h >> 32;
  h = (h ^ b) * 0x94d049bb133111eb;
  return h ^ (h >> 29);
}

function hashBytes(at: usize, length: u32): i64 {
  let h: u64 = (length as u64) * 0x9e3779b97f4a7c15;
  let left = length;
  while (left >= 8) {
    h = mix(h, load<u64>(at));
    at += 8;
    left -= 8;
  }
  let tail: u64 = 0;
  for (let i: u32 = 0; i < left; i++) tail |= (load<u8>(at + (i as usize)) as u64) << ((i << 3) as u64);
  return mix(h, tail) as i64;
}

function slotHash(low: u64, high: u64, group: u32, strings: bool): u64 {
  // A string's view differs from copy to copy; its hash is in `low`.
  return mix(low ^ ((group as u64) * 0xd6e8feb86659fd93), strings ? 0 : high);
}

/**
 * Adds (group, key) pairs that are not there yet. New entries are appended at `entries` (room for `count`); bit i of `fresh`
 * (zeroed) is set for each row that added one. The u32 at `groupCounter` is the last group number given out. The table must have more
 * than `count` free slots. Returns how many entries were added.
 */
export function distinctInsert(
  table: usize,
  slots: u32,
  entries: usize,
  keys: usize,
  strings: bool,
  groups: usize,
  count: u32,
  offset: u32,
  mask: usize,
  fresh: usize,
  groupCounter: usize,
): u32 {
  const slotMask = (slots - 1) as u64;
  let next = entries;
  let added: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && ((load<u8>(mask + ((i >> 3) as usize)) >> ((i & 7) as u8)) & 1) == 0) continue;
    const state = (load<u32>(groups + ((i << 2) as usize)) + offset) as usize;
    let group = load<u32>(state, 4);
    if (group == 0) {
      group = load<u32>(groupCounter) + 1;
      store<u32>(groupCounter, group);
      store<u32>(state, group, 4);
    }
    const key = keys + ((i << 4) as usize);
    const low = load<u64>(key);
    const high = load<u64>(key, 8);
    let slot = slotHash(low, high, group, strings) & slotMask;
    let found = false;
    for (;;) {
      const entry = load<u32>(table + ((slot << 2) as usize)) as usize;
      if (entry == 0) break;
      if (load<u32>(entry, 4) == group && load<u64>(entry, 8) == low && sameTail(entry, high, strings)) {
        found = true;
        break;
      }
      slot = (slot + 1) & slotMask;
    }
    if (found) continue;
    store<u32>(next, load<u32>(state));
    store<u32>(next, group, 4);
    store<u64>(next, low, 8);
    store<u64>(next, high, 16);
    store<u32>(state, next as u32);
    store<u32>(table + ((slot << 2) as usize), next as u32);
    next += ENTRY_BYTES;
    added++;
    const byte = fresh + ((i >> 3) as usize);
    store<u8>(byte, load<u8>(byte) | (1 << ((i & 7) as u8)));
  }
  return added;
}

/** Appends every counted row's (group, key) at `entries`, without looking for equal ones. Returns how many. */
export function appendValues(entries: usize, keys: usize, groups: usize, count: u32, offset: u32, mask: usize): u32 {
  let next = entries;
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && ((load<u8>(mask + ((i >> 3) as usize)) >> ((i & 7) as u8)) & 1) == 0) continue;
    const state = (load<u32>(groups + ((i << 2) as usize)) + offset) as usize;
    const key = keys + ((i << 4) as usize);
    store<u32>(next, load<u32>(state));
    store<u64>(next, load<u64>(key), 8);
    store<u64>(next, load<u64>(key, 8), 16);
    store<u32>(state, next as u32);
    next += ENTRY_BYTES;
  }
  return ((next - entries) / ENTRY_BYTES) as u32;
}

function sameTail(entry: usize, high: u64, strings: bool): bool {
  const other = load<u64>(entry, 16);
  if (other == high) return true;
  if (!strings) return false;
  const length = (high >> 32) as u32;
  if (((other >> 32) as u32) != length) return false;
  return equalBytes(high as u32 as usize, other as u32 as usize, length);
}

/** Puts the entries [entries, entries + count × 24) into an empty (zeroed) larger table. */
export function distinctRehash(table: usize, slots: u32, entries: usize, count: u32, strings: bool): void {
  const slotMask = (slots - 1) as u64;
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + (i as usize) * ENTRY_BYTES;
    let slot = slotHash(load<u64>(entry, 8), load<u64>(entry, 16), load<u32>(entry, 4), strings) & slotMask;
    while (load<u32>(table + ((slot << 2) as usize)) != 0) slot = (slot + 1) & slotMask;
    store<u32>(table + ((slot << 2) as usize), entry as u32);
  }
}

/** Bytes that the strings of new entries need. */
export function distinctStringBytes(entries: usize, count: u32): f64 {
  let bytes: f64 = 0;
  for (let i: u32 = 0; i < count; i++) bytes += load<u32>(entries + (i as usize) * ENTRY_BYTES, 20) as f64;
  return bytes;
}

/** Copies the strings of entries to `to` and points the entries there. */
export function distinctAdoptStrings(entries: usize, count: u32, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + (i as usize) * ENTRY_BYTES;
    const length = load<u32>(entry, 20) as usize;
    memory.copy(to, load<u32>(entry, 16) as usize, length);
    store<u32>(entry, to as u32, 16);
    to += length;
  }
}

/** Bytes of a group's values as `distinctWrite` writes them. */
export function distinctBytes(first: usize, strings: bool): f64 {
  let bytes: f64 = 0;
  let entry = first;
  while (entry != 0) {
    bytes += strings ? ((4 + load<u32>(entry, 20)) as f64) : 16;
    entry = load<u32>(entry) as usize;
  }
  return bytes;
}

/** Writes a group's values: 16-byte keys, or u32 length and bytes of each string. */
export function distinctWrite(first: usize, strings: bool, to: usize): void {
  let entry = first;
  while (entry != 0) {
    if (strings) {
      const length = load<u32>(entry, 20);
      store<u32>(to, length);
      memory.copy(to + 4, load<u32>(entry, 16) as usize, length as usize);
      to += 4 + (length as usize);
    } else {
      store<u64>(to, load<u64>(entry, 8));
      store<u64>(to, load<u64>(entry, 16), 8);
      to += 16;
    }
    entry = load<u32>(entry) as usize;
  }
}
