import { bitAt } from './bitmap';
import { copyBytes } from './bytes';

/** Bytes that are 0 or 1, packed to a bitmap of ⌈count / 8⌉ bytes, LSB first; spare bits are 0. */
export function packBools(values: usize, count: u32, to: usize): void {
  let row: u32 = 0;
  while (row < count) {
    const end = count - row < 8 ? count - row : 8;
    let byte: u32 = 0;
    for (let k: u32 = 0; k < end; k++) {
      byte |= ((load<u8>(values + ((row + k) as usize)) as u32) & 1) << k;
    }
    store<u8>(to + ((row >> 3) as usize), byte as u8);
    row += 8;
  }
}

/** The reverse of `packBools`: one byte per bit. */
export function unpackBools(bits: usize, count: u32, to: usize): void {
  for (let row: u32 = 0; row < count; row++) {
    store<u8>(to + (row as usize), bitAt(bits, row) as u8);
  }
}

/** Bytes behind the views of rows [start, start + count) that are not null (`validity` 0 = none is). */
export function viewRangeBytes(views: usize, validity: usize, start: u32, count: u32): f64 {
  let total: u64 = 0;
  for (let row = start; row < start + count; row++) {
    if (validity != 0 && bitAt(validity, row) == 0) continue;
    total += load<u32>(views + ((row as usize) << 3) + 4) as u64;
  }
  return total as f64;
}

/** Bytes behind `views[codes[i]]` for the rows [0, count) that are not null. */
export function codedViewBytes(views: usize, codes: usize, validity: usize, count: u32): f64 {
  let total: u64 = 0;
  for (let row: u32 = 0; row < count; row++) {
    if (validity != 0 && bitAt(validity, row) == 0) continue;
    const code = load<u32>(codes + ((row as usize) << 2)) as usize;
    total += load<u32>(views + (code << 3) + 4) as u64;
  }
  return total as f64;
}

/** Rows [start, start + count) as Arrow's `count` + 1 offsets from 0 and the bytes one after the other; null rows are empty. */
export function writeOffsets(
  views: usize,
  validity: usize,
  start: u32,
  count: u32,
  offsets: usize,
  bytes: usize,
): void {
  let at: u32 = 0;
  store<u32>(offsets, 0);
  for (let i: u32 = 0; i < count; i++) {
    const row = start + i;
    if (validity == 0 || bitAt(validity, row) != 0) {
      const view = views + ((row as usize) << 3);
      const length = load<u32>(view + 4);
      copyBytes(bytes + (at as usize), load<u32>(view) as usize, length);
      at += length;
    }
    store<u32>(offsets + (((i + 1) as usize) << 2), at);
  }
}

/**
 * Views of `count` values from `count` + 1 offsets into `bytes`. Returns 0 when the offsets descend or leave the `byteCount` bytes
 * (nothing may be used then), else 1.
 */
export function readOffsets(offsets: usize, count: u32, bytes: usize, byteCount: u32, to: usize): u32 {
  let previous = load<u32>(offsets);
  for (let row: u32 = 0; row < count; row++) {
    const next = load<u32>(offsets + (((row + 1) as usize) << 2));
    if (next < previous) return 0;
    const view = to + ((row as usize) << 3);
    store<u32>(view, (bytes + (previous as usize)) as u32);
    store<u32>(view + 4, next - previous);
    previous = next;
  }
  return previous <= byteCount ? 1 : 0;
}

/** Rows [start, start + count) of views that all have `size` bytes, one after the other; null rows are zeros. 0 when a length differs. */
export function writeFixed(views: usize, validity: usize, start: u32, count: u32, size: u32, to: usize): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const row = start + i;
    const target = to + (i as usize) * (size as usize);
    if (validity != 0 && bitAt(validity, row) == 0) {
      memory.fill(target, 0, size as usize);
      continue;
    }
    const view = views + ((row as usize) << 3);
    if (load<u32>(view + 4) != size) return 0;
    copyBytes(target, load<u32>(view) as usize, size);
  }
  return 1;
}

/** Views of `count` values of `size` bytes each. */
export function readFixed(bytes: usize, size: u32, count: u32, to: usize): void {
  for (let row: u32 = 0; row < count; row++) {
    const view = to + ((row as usize) << 3);
    store<u32>(view, (bytes + (row as usize) * (size as usize)) as u32);
    store<u32>(view + 4, size);
  }
}

/** 1 when all `count` codes are below `size`. */
export function codesBelow(codes: usize, count: u32, size: u32): u32 {
  for (let row: u32 = 0; row < count; row++) {
    if (load<u32>(codes + ((row as usize) << 2)) >= size) return 0;
  }
  return 1;
}
