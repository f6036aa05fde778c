import type { DataType } from './data-type.js';

/** Smallest and largest value of an integer type; undefined for other types. */
export function integerRange(type: DataType): readonly [bigint, bigint] | undefined {
  switch (type.kind) {
    case 'Int8':
      return [-(2n ** 7n), 2n ** 7n - 1n];
    case 'Int16':
      return [-(2n ** 15n), 2n ** 15n - 1n];
    case 'Int32':
      return [-(2n ** 31n), 2n ** 31n - 1n];
    case 'Int64':
      return [-(2n ** 63n), 2n ** 63n - 1n];
    case 'UInt8':
      return [0n, 2n ** 8n - 1n];
    case 'UInt16':
      return [0n, 2n ** 16n - 1n];
    case 'UInt32':
      return [0n, 2n ** 32n - 1n];
    case 'UInt64':
      return [0n, 2n ** 64n - 1n];
    default:
      return undefined;
  }
}

export function fitsInteger(type: DataType, value: bigint): boolean {
  const range = integerRange(type);
  return range === undefined || (value >= range[0] && value <= range[1]);
}
