/** `kernels/ipc.ts`: between the engine's layouts and Arrow's. */
export interface IpcKernels {
  /** Bytes that are 0 or 1, packed to a bitmap of ⌈count / 8⌉ bytes, LSB first; spare bits are 0. */
  packBools(values: number, count: number, to: number): void;
  /** The reverse of `packBools`. */
  unpackBools(bits: number, count: number, to: number): void;
  /** Bytes behind the views of rows [start, start + count) that are not null (`validity` 0 = none is). */
  viewRangeBytes(views: number, validity: number, start: number, count: number): number;
  /** Bytes behind `views[codes[i]]` for the rows [0, count) that are not null. */
  codedViewBytes(views: number, codes: number, validity: number, count: number): number;
  /** Rows [start, start + count) as `count` + 1 u32 offsets from 0 and the bytes one after the other; null rows are empty. */
  writeOffsets(views: number, validity: number, start: number, count: number, offsets: number, bytes: number): void;
  /** Views of `count` values; 0 when the offsets descend or leave the `byteCount` bytes, else 1. */
  readOffsets(offsets: number, count: number, bytes: number, byteCount: number, to: number): number;
  /** Rows [start, start + count) of views that all have `size` bytes; null rows are zeros. 0 when a length differs, else 1. */
  writeFixed(views: number, validity: number, start: number, count: number, size: number, to: number): number;
  /** Views of `count` values of `size` bytes each. */
  readFixed(bytes: number, size: number, count: number, to: number): void;
  /** 1 when all `count` codes are below `size`, else 0. */
  codesBelow(codes: number, count: number, size: number): number;
}
