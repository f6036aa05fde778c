import { heap } from './heap.js';
import type { Layout } from './layout.js';

/** Whether two values of one layout, at these addresses, are equal: ±0 equal, every NaN equal to every NaN, strings by bytes. */
export function equalValues(layout: Layout, a: number, b: number): boolean {
  return compareValues(layout, a, b) === 0;
}

/**
 * Order of two values of one layout: negative, 0 or positive. NaN is above all numbers and equal to itself, −0 equals 0, strings
 * go by UTF-8 bytes, intervals by months, days, nanoseconds.
 */
export function compareValues(layout: Layout, a: number, b: number): number {
  switch (layout) {
    case 'null':
      return 0;
    case 'bool':
    case 'u8':
      return heap.u8[a]! - heap.u8[b]!;
    case 'i8':
      return heap.i8[a]! - heap.i8[b]!;
    case 'i16':
      return heap.i16[a >>> 1]! - heap.i16[b >>> 1]!;
    case 'u16':
      return heap.u16[a >>> 1]! - heap.u16[b >>> 1]!;
    case 'i32':
      return order(heap.i32[a >>> 2]!, heap.i32[b >>> 2]!);
    case 'u32':
      return order(heap.u32[a >>> 2]!, heap.u32[b >>> 2]!);
    case 'i64':
      return order(heap.i64[a >>> 3]!, heap.i64[b >>> 3]!);
    case 'u64':
      return order(heap.u64[a >>> 3]!, heap.u64[b >>> 3]!);
    case 'f32':
      return compareFloats(heap.f32[a >>> 2]!, heap.f32[b >>> 2]!);
    case 'f64':
      return compareFloats(heap.f64[a >>> 3]!, heap.f64[b >>> 3]!);
    case 'i128': {
      const high = order(heap.i64[(a >>> 3) + 1]!, heap.i64[(b >>> 3) + 1]!);
      return high !== 0 ? high : order(heap.u64[a >>> 3]!, heap.u64[b >>> 3]!);
    }
    case 'interval': {
      const months = order(heap.i32[a >>> 2]!, heap.i32[b >>> 2]!);
      if (months !== 0) return months;
      const days = order(heap.i32[(a >>> 2) + 1]!, heap.i32[(b >>> 2) + 1]!);
      return days !== 0 ? days : order(heap.i64[(a >>> 3) + 1]!, heap.i64[(b >>> 3) + 1]!);
    }
    case 'view':
      return Buffer.compare(viewed(a), viewed(b));
  }
}

function compareFloats(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

function order<T extends number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function viewed(address: number): Uint8Array {
  const start = heap.u32[address >>> 2]!;
  return heap.u8.subarray(start, start + heap.u32[(address >>> 2) + 1]!);
}
