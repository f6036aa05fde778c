/** Numbers of the Parquet format (parquet.thrift). */

export const PHYSICAL_TYPES = [
  'BOOLEAN',
  'INT32',
  'INT64',
  'INT96',
  'FLOAT',
  'DOUBLE',
  'BYTE_ARRAY',
  'FIXED_LEN_BYTE_ARRAY',
] as const;
export type PhysicalType = (typeof PHYSICAL_TYPES)[number];

export const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;
export type Codec = (typeof CODECS)[number];

export const ENCODING = {
  PLAIN: 0,
  PLAIN_DICTIONARY: 2,
  RLE: 3,
  BIT_PACKED: 4,
  DELTA_BINARY_PACKED: 5,
  DELTA_LENGTH_BYTE_ARRAY: 6,
  DELTA_BYTE_ARRAY: 7,
  RLE_DICTIONARY: 8,
  BYTE_STREAM_SPLIT: 9,
} as const;

const ENCODING_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(ENCODING).map(([name, number]) => [number, name]),
);

export function encodingName(number: number): string {
  return ENCODING_NAMES.get(number) ?? `number ${number}`;
}

export const PAGE_TYPE = { DATA: 0, INDEX: 1, DICTIONARY: 2, DATA_V2: 3 } as const;

export const REPETITION = { REQUIRED: 0, OPTIONAL: 1, REPEATED: 2 } as const;

/** Bytes of one value in PLAIN encoding, or 0 where it varies (BYTE_ARRAY) or is less than one (BOOLEAN). */
export function physicalWidth(type: PhysicalType, typeLength: number): number {
  switch (type) {
    case 'INT32':
    case 'FLOAT':
      return 4;
    case 'INT64':
    case 'DOUBLE':
      return 8;
    case 'INT96':
      return 12;
    case 'FIXED_LEN_BYTE_ARRAY':
      return typeLength;
    case 'BOOLEAN':
    case 'BYTE_ARRAY':
      return 0;
  }
}
