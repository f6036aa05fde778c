import { heap } from './heap.js';

/** Code points in `length` bytes at `start`: bytes that do not continue another (invalid text counts its lead bytes). */
export function countCodePoints(start: number, length: number): number {
  let count = 0;
  for (let at = start; at < start + length; at++) if ((heap.u8[at]! & 0xc0) !== 0x80) count++;
  return count;
}

/** Byte offset of code point `index` (0-based) in `length` bytes at `start`; `length` when there are fewer. */
export function codePointOffset(start: number, length: number, index: number): number {
  let seen = 0;
  for (let offset = 0; offset < length; offset++) {
    if ((heap.u8[start + offset]! & 0xc0) !== 0x80) {
      if (seen === index) return offset;
      seen++;
    }
  }
  return length;
}

/** The code points of a text, each as a string. */
export function codePointsOf(text: string): string[] {
  return Array.from(text);
}

/** Bytes of the code point that starts at `at`, at most up to `end`. */
export function codePointBytes(at: number, end: number): number {
  let next = at + 1;
  while (next < end && (heap.u8[next]! & 0xc0) === 0x80) next++;
  return next - at;
}

/** Offset of the first occurrence of a needle in a haystack, or -1. An empty needle is at 0. */
export function indexOfBytes(haystack: Uint8Array, needle: Uint8Array): number {
  if (needle.length === 0) return 0;
  return Buffer.from(haystack.buffer, haystack.byteOffset, haystack.byteLength).indexOf(needle);
}
