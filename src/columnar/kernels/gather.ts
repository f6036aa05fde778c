import { copyBytes } from './bytes';

function gather<T>(values: usize, indices: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(indices + (i << 2)) as usize;
    store<T>(to + i * sizeof<T>(), load<T>(values + row * sizeof<T>()));
  }
}

/** `to[i] = values[indices[i]]` for u32 indices and values of 1 byte. */
export function gather8(values: usize, indices: usize, count: u32, to: usize): void {
  gather<u8>(values, indices, count, to);
}

/** Values of 2 bytes. */
export function gather16(values: usize, indices: usize, count: u32, to: usize): void {
  gather<u16>(values, indices, count, to);
}

/** Values of 4 bytes. */
export function gather32(values: usize, indices: usize, count: u32, to: usize): void {
  gather<u32>(values, indices, count, to);
}

/** Values of 8 bytes. */
export function gather64(values: usize, indices: usize, count: u32, to: usize): void {
  gather<u64>(values, indices, count, to);
}

/** Values of 16 bytes. */
export function gather128(values: usize, indices: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const row = load<u32>(indices + (i << 2)) as usize;
    v128.store(to + (i << 4), v128.load(values + (row << 4)));
  }
}

function gatherCoded<T>(values: usize, codes: usize, indices: usize, start: u32, count: u32, to: usize): void {
  const n = count as usize;
  if (indices == 0) {
    if (codes == 0) {
      memory.copy(to, values + (start as usize) * sizeof<T>(), n * sizeof<T>());
      return;
    }
    const first = codes + ((start as usize) << 2);
    for (let i: usize = 0; i < n; i++) {
      const code = load<u32>(first + (i << 2)) as usize;
      store<T>(to + i * sizeof<T>(), load<T>(values + code * sizeof<T>()));
    }
    return;
  }
  if (codes == 0) {
    gather<T>(values, indices, count, to);
    return;
  }
  for (let i: usize = 0; i < n; i++) {
    const row = load<u32>(indices + (i << 2)) as usize;
    const code = load<u32>(codes + (row << 2)) as usize;
    store<T>(to + i * sizeof<T>(), load<T>(values + code * sizeof<T>()));
  }
}

/**
 * Values of `width` bytes of the rows `indices[0 … count)`, or of rows start, start + 1 … when `indices` is 0, to `to`. With `codes`
 * (u32 per row; 0 = none) a row's value is `values[codes[row]]`.
 */
export function gatherColumn(
  width: u32,
  values: usize,
  codes: usize,
  indices: usize,
  start: u32,
  count: u32,
  to: usize,
): void {
  if (width == 8) gatherCoded<u64>(values, codes, indices, start, count, to);
  else if (width == 4) gatherCoded<u32>(values, codes, indices, start, count, to);
  else if (width == 1) gatherCoded<u8>(values, codes, indices, start, count, to);
  else if (width == 2) gatherCoded<u16>(values, codes, indices, start, count, to);
  else gatherCoded<v128>(values, codes, indices, start, count, to);
}

/** As `gatherColumn` for views, but rows that are null (`validity` by row; 0 = none) become empty views. */
export function gatherViews(
  values: usize,
  codes: usize,
  validity: usize,
  indices: usize,
  start: u32,
  count: u32,
  to: usize,
): void {
  if (validity == 0) {
    gatherCoded<u64>(values, codes, indices, start, count, to);
    return;
  }
  for (let i: u32 = 0; i < count; i++) {
    const row = indices != 0 ? load<u32>(indices + ((i << 2) as usize)) : start + i;
    let view: u64 = 0;
    if (((load<u8>(validity + ((row >> 3) as usize)) >> ((row & 7) as u8)) & 1) != 0) {
      const slot = codes != 0 ? load<u32>(codes + ((row << 2) as usize)) : row;
      view = load<u64>(values + ((slot as usize) << 3));
    }
    store<u64>(to + ((i as usize) << 3), view);
  }
}

/** `count` times the value of `width` bytes at `value`. */
export function fillValues(value: usize, width: u32, count: u32, to: usize): void {
  const n = count as usize;
  if (width == 1) {
    memory.fill(to, load<u8>(value), n);
  } else if (width == 2) {
    const v = load<u16>(value);
    for (let i: usize = 0; i < n; i++) store<u16>(to + (i << 1), v);
  } else if (width == 4) {
    const v = load<u32>(value);
    for (let i: usize = 0; i < n; i++) store<u32>(to + (i << 2), v);
  } else if (width == 8) {
    const v = load<u64>(value);
    for (let i: usize = 0; i < n; i++) store<u64>(to + (i << 3), v);
  } else {
    const v = v128.load(value);
    for (let i: usize = 0; i < n; i++) v128.store(to + (i << 4), v);
  }
}

/** `to[i] = start + i`. */
export function iota(start: u32, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) store<u32>(to + (i << 2), start + (i as u32));
}

/** Sign-extends `count` i64 values to 16-byte ones; the areas do not overlap. */
export function widenTo128(values: usize, count: u32, to: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    const v = load<i64>(values + (i << 3));
    store<i64>(to + (i << 4), v);
    store<i64>(to + (i << 4) + 8, v >> 63);
  }
}

/** Bytes behind the `count` views that are not null (`validity` 0 = none is), as a float so that 4 GiB and more is no surprise. */
export function viewBytes(views: usize, validity: usize, count: u32): f64 {
  let total: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (validity != 0 && ((load<u8>(validity + ((i >> 3) as usize)) >> ((i & 7) as u8)) & 1) == 0) continue;
    total += load<u32>(views + ((i << 3) as usize) + 4) as u64;
  }
  return total as f64;
}

/**
 * Copies the bytes of views [start, count) one after the other to `bytes` and writes views of the copies to the same places of `to`
 * (which may be `views`). Null rows become empty. Stops before the first row whose bytes would pass `capacity`; returns that row, or
 * `count` when all are done.
 */
export function copyViews(
  views: usize,
  validity: usize,
  start: u32,
  count: u32,
  to: usize,
  bytes: usize,
  capacity: u32,
): u32 {
  let at = bytes;
  let left = capacity;
  for (let i = start; i < count; i++) {
    const slot = (i << 3) as usize;
    let length = load<u32>(views + slot + 4);
    if (validity != 0 && ((load<u8>(validity + ((i >> 3) as usize)) >> ((i & 7) as u8)) & 1) == 0) length = 0;
    if (length > left) return i;
    copyBytes(at, load<u32>(views + slot) as usize, length);
    store<u32>(to + slot, at as u32);
    store<u32>(to + slot + 4, length);
    at += length as usize;
    left -= length;
  }
  return count;
}
