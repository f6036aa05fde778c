/** String kernels (`kernels/strings.ts`), called by emitted expressions. A string is its address and length. */
export interface StringKernels {
  /** 1 or 0. */
  equalStrings(a: number, aLength: number, b: number, bLength: number): number;
  /** Negative, 0 or positive. */
  compareStrings(a: number, aLength: number, b: number, bLength: number): number;
  startsWithBytes(text: number, length: number, prefix: number, prefixLength: number): number;
  countCodePoints(text: number, length: number): number;
  /** Address in the low 32 bits, length in the high ones. */
  substrView(text: number, length: number, start: bigint, count: bigint): bigint;
  /** `program`: address of a LIKE program (see the kernel). */
  likeMatches(text: number, length: number, program: number): number;
}
