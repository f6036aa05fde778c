import type { DataType, TypeKind } from './data-type.js';

const RANGES: Readonly<Partial<Record<TypeKind, readonly [bigint, bigint]>>> = {
  Int8: [-(2n ** 7n), 2n ** 7n - 1n],
  Int16: [-(2n ** 15n), 2n ** 15n - 1n],
  Int32: [-(2n ** 31n), 2n ** 31n - 1n],
  Int64: [-(2n ** 63n), 2n ** 63n - 1n],
  UInt8: [0n, 2n ** 8n - 1n],
  UInt16: [0n, 2n ** 16n - 1n],
  UInt32: [0n, 2n ** 32n - 1n],
  UInt64: [0n, 2n ** 64n - 1n],
};

/** Smallest and largest value of an integer type; undefined for other types. */
export function integerRange(type: DataType): readonly [bigint, bigint] | undefined {
  return RANGES[type.kind];
}

export function fitsInteger(type: DataType, value: bigint): boolean {
  const range = integerRange(type);
  return range === undefined || (value >= range[0] && value <= range[1]);
}
