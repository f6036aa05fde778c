/**
 * Smallest and largest values as state inside group rows (see accumulate.ts for `groups`, `offset`, `mask`).
 * Fixed-width state: the value (8 bytes, 16 for i128), then an i64 that is 1 once a row was seen.
 */
import { bitAt } from './bitmap';
import { compareBytes, copyBytes } from './bytes';

/** Layout codes, as `LAYOUT_CODES` in accumulate-kernels.ts gives them. */
export function accumulateExtreme(
  layout: u32,
  largest: bool,
  groups: usize,
  count: u32,
  offset: u32,
  values: usize,
  mask: usize,
): void {
  switch (layout) {
    case 0:
      extreme<i8>(largest, groups, count, offset, values, mask);
      return;
    case 1:
      extreme<u8>(largest, groups, count, offset, values, mask);
      return;
    case 2:
      extreme<i16>(largest, groups, count, offset, values, mask);
      return;
    case 3:
      extreme<u16>(largest, groups, count, offset, values, mask);
      return;
    case 4:
      extreme<i32>(largest, groups, count, offset, values, mask);
      return;
    case 5:
      extreme<u32>(largest, groups, count, offset, values, mask);
      return;
    case 6:
      extreme<i64>(largest, groups, count, offset, values, mask);
      return;
    case 7:
      extreme<u64>(largest, groups, count, offset, values, mask);
      return;
    case 8:
      extreme<f32>(largest, groups, count, offset, values, mask);
      return;
    case 9:
      extreme<f64>(largest, groups, count, offset, values, mask);
      return;
    case 10:
      extremeWide(largest, groups, count, offset, values, mask);
      return;
  }
}

function extreme<T>(largest: bool, groups: usize, count: u32, offset: u32, values: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = (load<u32>(groups + ((i << 2) as usize)) + offset) as usize;
    const value = load<T>(values + (i as usize) * sizeof<T>());
    if (load<i64>(at, 8) != 0) {
      const current = load<T>(at);
      const better = largest ? above<T>(value, current) : above<T>(current, value);
      if (!better) continue;
    } else {
      store<i64>(at, 1, 8);
    }
    store<T>(at, value);
  }
}

/** Order with NaN above all numbers. */
function above<T>(a: T, b: T): bool {
  if (isFloat<T>()) return a > b || (a != a && b == b);
  return a > b;
}

function extremeWide(largest: bool, groups: usize, count: u32, offset: u32, values: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = (load<u32>(groups + ((i << 2) as usize)) + offset) as usize;
    const from = values + ((i << 4) as usize);
    const low = load<u64>(from);
    const high = load<i64>(from, 8);
    if (load<i64>(at, 16) != 0) {
      const currentHigh = load<i64>(at, 8);
      const currentLow = load<u64>(at);
      const greater = high > currentHigh || (high == currentHigh && low > currentLow);
      const less = high < currentHigh || (high == currentHigh && low < currentLow);
      if (!(largest ? greater : less)) continue;
    } else {
      store<i64>(at, 1, 16);
    }
    store<u64>(at, low);
    store<i64>(at, high, 8);
  }
}

/**
 * Strings. State (16 bytes): u32 address, u32 length, u32 capacity of the bytes it owns, u32 flags (1 seen, 2 pending). Rows that win
 * leave a view of the batch's bytes and mark the state pending; for each state marked `pending` gets its address and that of the bytes
 * it owns (two u32; room for `count` pairs). Returns how many. `adoptStrings` must follow before the batch goes.
 */
export function accumulateExtremeString(
  largest: bool,
  groups: usize,
  count: u32,
  offset: u32,
  views: usize,
  mask: usize,
  pending: usize,
): u32 {
  let marked: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = (load<u32>(groups + ((i << 2) as usize)) + offset) as usize;
    const view = views + ((i << 3) as usize);
    const address = load<u32>(view);
    const length = load<u32>(view, 4);
    const flags = load<u32>(at, 12);
    if ((flags & 1) != 0) {
      const order = compareBytes(address as usize, length, load<u32>(at) as usize, load<u32>(at, 4));
      if (largest ? order <= 0 : order >= 0) continue;
    }
    if ((flags & 2) == 0) {
      // The first of the batch: remember the bytes the state owns beside its address.
      const entry = pending + ((marked << 3) as usize);
      store<u32>(entry, at as u32);
      store<u32>(entry, load<u32>(at), 4);
      marked++;
    }
    store<u32>(at, address);
    store<u32>(at, length, 4);
    store<u32>(at, flags | 3, 12);
  }
  return marked;
}

/** Bytes of new room that `adoptStrings` will need for these pending states (capacities double, from 16). */
export function pendingBytes(pending: usize, marked: u32): f64 {
  let bytes: f64 = 0;
  for (let i: u32 = 0; i < marked; i++) {
    const at = load<u32>(pending + ((i << 3) as usize)) as usize;
    if (load<u32>(at, 4) > load<u32>(at, 8)) bytes += room(load<u32>(at, 4)) as f64;
  }
  return bytes;
}

function room(length: u32): u32 {
  let size: u32 = 16;
  while (size < length) size <<= 1;
  return size;
}

/** Copies the winners' bytes into the bytes their state owns, or into new room at `to`, and clears the pending marks. */
export function adoptStrings(pending: usize, marked: u32, to: usize): void {
  for (let i: u32 = 0; i < marked; i++) {
    const entry = pending + ((i << 3) as usize);
    const at = load<u32>(entry) as usize;
    const length = load<u32>(at, 4);
    let target = load<u32>(entry, 4) as usize;
    if (length > load<u32>(at, 8)) {
      target = to;
      const size = room(length);
      to += size as usize;
      store<u32>(at, size, 8);
    }
    copyBytes(target, load<u32>(at) as usize, length);
    store<u32>(at, target as u32);
    store<u32>(at, load<u32>(at, 12) & ~2, 12);
  }
}

/**
 * The first or last value as state: the value (8 bytes, 16 for `width` 16), then u32 flags: 1 seen, 4 null. `nulls`: 0 or the validity of
 * the values; a null counts as a value.
 */
export function accumulateEnd(
  last: bool,
  width: u32,
  groups: usize,
  count: u32,
  offset: u32,
  values: usize,
  nulls: usize,
  mask: usize,
): void {
  const flagsAt: usize = width == 16 ? 16 : 8;
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = (load<u32>(groups + ((i << 2) as usize)) + offset) as usize;
    if (!last && load<u32>(at + flagsAt) != 0) continue;
    const from = values + (i as usize) * (width as usize);
    if (width == 1) store<u8>(at, load<u8>(from));
    else if (width == 2) store<u16>(at, load<u16>(from));
    else if (width == 4) store<u32>(at, load<u32>(from));
    else {
      store<u64>(at, load<u64>(from));
      if (width == 16) store<u64>(at, load<u64>(from, 8), 8);
    }
    store<u32>(at + flagsAt, nulls != 0 && bitAt(nulls, i) == 0 ? 5 : 1);
  }
}

/** As `accumulateEnd` for strings, in the state and with the pending list of `accumulateExtremeString`; 4 in the flags says null. */
export function accumulateEndString(
  last: bool,
  groups: usize,
  count: u32,
  offset: u32,
  views: usize,
  nulls: usize,
  mask: usize,
  pending: usize,
): u32 {
  let marked: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = (load<u32>(groups + ((i << 2) as usize)) + offset) as usize;
    const flags = load<u32>(at, 12);
    if (!last && flags != 0) continue;
    if ((flags & 2) == 0) {
      const entry = pending + ((marked << 3) as usize);
      store<u32>(entry, at as u32);
      store<u32>(entry, load<u32>(at), 4);
      marked++;
    }
    const isNull = nulls != 0 && bitAt(nulls, i) == 0;
    const view = views + ((i << 3) as usize);
    store<u32>(at, isNull ? 0 : load<u32>(view));
    store<u32>(at, isNull ? 0 : load<u32>(view, 4), 4);
    store<u32>(at, isNull ? 7 : 3, 12);
  }
  return marked;
}
