import { copyBytes } from './bytes';

// Rows: fixed-width records at arbitrary addresses, given as a vector of u32 addresses. Columns lie at an offset inside the row.

function isNull(validity: usize, row: u32): bool {
  return validity != 0 && ((load<u8>(validity + ((row >> 3) as usize)) >> ((row & 7) as u8)) & 1) == 0;
}

function scatter<T>(
  values: usize,
  codes: usize,
  validity: usize,
  start: u32,
  count: u32,
  rows: usize,
  offset: u32,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const from = start + i;
    if (isNull(validity, from)) continue;
    const slot = (codes == 0 ? from : load<u32>(codes + ((from as usize) << 2))) as usize;
    const row = load<u32>(rows + ((i as usize) << 2)) as usize;
    store<T>(row + (offset as usize), load<T>(values + slot * sizeof<T>()));
  }
}

/**
 * Writes values [start, start + count) of `width` bytes into the rows at `offset`. Null values leave their slot as it is.
 * `codes` 0 = flat.
 */
export function scatterColumn(
  width: u32,
  values: usize,
  codes: usize,
  validity: usize,
  start: u32,
  count: u32,
  rows: usize,
  offset: u32,
): void {
  if (width == 8) scatter<u64>(values, codes, validity, start, count, rows, offset);
  else if (width == 4) scatter<u32>(values, codes, validity, start, count, rows, offset);
  else if (width == 1) scatter<u8>(values, codes, validity, start, count, rows, offset);
  else if (width == 2) scatter<u16>(values, codes, validity, start, count, rows, offset);
  else if (width == 16) scatter<v128>(values, codes, validity, start, count, rows, offset);
}

/** As `scatterColumn` for f64 keys: every NaN becomes one NaN, −0 becomes +0. */
export function scatterF64Key(
  values: usize,
  codes: usize,
  validity: usize,
  start: u32,
  count: u32,
  rows: usize,
  offset: u32,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const from = start + i;
    if (isNull(validity, from)) continue;
    const slot = (codes == 0 ? from : load<u32>(codes + ((from as usize) << 2))) as usize;
    const value = load<f64>(values + (slot << 3));
    const row = load<u32>(rows + ((i as usize) << 2)) as usize;
    store<u64>(row + (offset as usize), value != value ? 0x7ff8000000000000 : reinterpret<u64>(value + 0.0));
  }
}

/** As `scatterF64Key` for f32. */
export function scatterF32Key(
  values: usize,
  codes: usize,
  validity: usize,
  start: u32,
  count: u32,
  rows: usize,
  offset: u32,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const from = start + i;
    if (isNull(validity, from)) continue;
    const slot = (codes == 0 ? from : load<u32>(codes + ((from as usize) << 2))) as usize;
    const value = load<f32>(values + (slot << 2));
    const row = load<u32>(rows + ((i as usize) << 2)) as usize;
    store<u32>(row + (offset as usize), value != value ? 0x7fc00000 : reinterpret<u32>(value + (0.0 as f32)));
  }
}

/** i64 values into 16-byte slots, sign-extended. */
export function scatterWidened(
  values: usize,
  codes: usize,
  validity: usize,
  start: u32,
  count: u32,
  rows: usize,
  offset: u32,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const from = start + i;
    if (isNull(validity, from)) continue;
    const slot = (codes == 0 ? from : load<u32>(codes + ((from as usize) << 2))) as usize;
    const value = load<i64>(values + (slot << 3));
    const at = (load<u32>(rows + ((i as usize) << 2)) as usize) + (offset as usize);
    store<i64>(at, value);
    store<i64>(at + 8, value >> 63);
  }
}

/**
 * 16-byte values into i64 slots. Returns the first position whose value does not fit, or `count`: then all were written.
 */
export function scatterNarrowed(
  values: usize,
  codes: usize,
  validity: usize,
  start: u32,
  count: u32,
  rows: usize,
  offset: u32,
): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const from = start + i;
    if (isNull(validity, from)) continue;
    const slot = (codes == 0 ? from : load<u32>(codes + ((from as usize) << 2))) as usize;
    const low = load<i64>(values + (slot << 4));
    if (load<i64>(values + (slot << 4) + 8) != low >> 63) return i;
    store<i64>((load<u32>(rows + ((i as usize) << 2)) as usize) + (offset as usize), low);
  }
  return count;
}

/** Sets the bits of `mask` in the byte at `offset` of the rows whose value is not null (`validity` 0 = all). */
export function scatterValidity(validity: usize, start: u32, count: u32, rows: usize, offset: u32, mask: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    if (isNull(validity, start + i)) continue;
    const at = (load<u32>(rows + ((i as usize) << 2)) as usize) + (offset as usize);
    store<u8>(at, load<u8>(at) | (mask as u8));
  }
}

function gatherFrom<T>(rows: usize, count: u32, offset: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(rows + (i << 2)) as usize;
    // Row 0 is no row: the first page of memory is readable, so the value is garbage and the caller marks it null.
    store<T>(to + i * sizeof<T>(), load<T>(row + (offset as usize)));
  }
}

/** Values of `width` bytes at `offset` of the rows, densely to `to`. A row address of 0 gives garbage. */
export function gatherRowColumn(width: u32, rows: usize, count: u32, offset: u32, to: usize): void {
  if (width == 8) gatherFrom<u64>(rows, count, offset, to);
  else if (width == 4) gatherFrom<u32>(rows, count, offset, to);
  else if (width == 1) gatherFrom<u8>(rows, count, offset, to);
  else if (width == 2) gatherFrom<u16>(rows, count, offset, to);
  else if (width == 16) gatherFrom<v128>(rows, count, offset, to);
}

/** Views at `offset` of the rows; row 0, and null when `mask` says so, gives an empty view. */
export function gatherRowViews(rows: usize, count: u32, offset: u32, nullOffset: u32, mask: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(rows + (i << 2)) as usize;
    let view: u64 = 0;
    if (row != 0 && (mask == 0 || ((load<u8>(row + (nullOffset as usize)) as u32) & mask) != 0)) {
      view = load<u64>(row + (offset as usize));
    }
    store<u64>(to + (i << 3), view);
  }
}

/**
 * Validity of a column over the rows: bits [start, start + count) of `to`. Row 0 is null; `mask` 0 = no row is. Returns how many are
 * valid.
 */
export function gatherRowValidity(rows: usize, count: u32, nullOffset: u32, mask: u32, to: usize, start: u32): u32 {
  let set: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(rows + ((i as usize) << 2)) as usize;
    const valid: u32 = row != 0 && (mask == 0 || ((load<u8>(row + (nullOffset as usize)) as u32) & mask) != 0) ? 1 : 0;
    const at = to + (((start + i) >> 3) as usize);
    const bit: u32 = 1 << ((start + i) & 7);
    const byte = load<u8>(at) as u32;
    store<u8>(at, (valid != 0 ? byte | bit : byte & ~bit) as u8);
    set += valid;
  }
  return set;
}

/** Bytes behind the views at `offset` of the rows. */
export function rowViewBytes(rows: usize, count: u32, offset: u32): f64 {
  let total: u64 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    total += load<u32>((load<u32>(rows + (i << 2)) as usize) + (offset as usize) + 4) as u64;
  }
  return total as f64;
}

/**
 * Copies the bytes behind the views at `offset` of rows [start, count) to `bytes` and points the views at the copies. Stops before
 * the first row whose bytes would pass `capacity`; returns that row, or `count`.
 */
export function ownRowViews(rows: usize, start: u32, count: u32, offset: u32, bytes: usize, capacity: u32): u32 {
  let at = bytes;
  let left = capacity;
  for (let i = start; i < count; i++) {
    const view = (load<u32>(rows + ((i as usize) << 2)) as usize) + (offset as usize);
    const length = load<u32>(view + 4);
    if (length > left) return i;
    copyBytes(at, load<u32>(view) as usize, length);
    store<u32>(view, at as u32);
    at += length as usize;
    left -= length;
  }
  return count;
}

/** Addresses of `count` rows of `width` bytes that follow one another from `first`. */
export function rowAddresses(first: usize, width: u32, count: u32, to: usize): void {
  let at = first as u32;
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u32>(to + (i << 2), at);
    at += width;
  }
}

/** The u32 at `offset` of each row (0 for row 0). */
export function gatherRowWords(rows: usize, count: u32, offset: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(rows + (i << 2)) as usize;
    store<u32>(to + (i << 2), row == 0 ? 0 : load<u32>(row + (offset as usize)));
  }
}

/** Stores the byte at `offset` of every row; row 0 is skipped. */
export function markRows(rows: usize, count: u32, offset: u32, value: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(rows + (i << 2)) as usize;
    if (row != 0) store<u8>(row + (offset as usize), value as u8);
  }
}

/**
 * Of `count` rows of `width` bytes from `first`, the addresses of those whose byte at `offset` is (not) 0, to `to`; returns how many.
 */
export function markedRows(first: usize, width: u32, count: u32, offset: u32, wanted: u32, to: usize): u32 {
  let found: u32 = 0;
  let row = first;
  for (let i: u32 = 0; i < count; i++) {
    const marked: u32 = load<u8>(row + (offset as usize)) != 0 ? 1 : 0;
    if (marked == wanted) {
      store<u32>(to + ((found as usize) << 2), row as u32);
      found++;
    }
    row += width as usize;
  }
  return found;
}

/** Copies `count` rows of `width` bytes one after the other to `to`. */
export function copyRows(rows: usize, count: u32, width: u32, to: usize): void {
  let at = to;
  for (let i: usize = 0; i < (count as usize); i++) {
    memory.copy(at, load<u32>(rows + (i << 2)) as usize, width as usize);
    at += width as usize;
  }
}

/** Stores the high half of each hash (u64) in its row at `offset`. */
export function scatterTags(hashes: usize, rows: usize, count: u32, offset: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(rows + (i << 2)) as usize;
    store<u32>(row + (offset as usize), load<u32>(hashes + (i << 3) + 4));
  }
}
