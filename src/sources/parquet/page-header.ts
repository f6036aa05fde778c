import { heap } from '../../columnar/heap.js';
import { PAGE_TYPE } from './format.js';
import { ThriftError, ThriftReader } from './thrift-reader.js';

interface PageSizes {
  /** Bytes of the header itself. */
  readonly headerBytes: number;
  readonly compressedBytes: number;
  readonly uncompressedBytes: number;
  /** CRC-32 of the page as stored, when its writer kept one. */
  readonly crc: number | null;
}

export interface DataPageHeader extends PageSizes {
  readonly kind: 'data';
  /** Nulls included. */
  readonly valueCount: number;
  readonly encoding: number;
  readonly definitionEncoding: number;
}

export interface DataPageV2Header extends PageSizes {
  readonly kind: 'data_v2';
  readonly valueCount: number;
  readonly encoding: number;
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
  /** Levels never are. */
  readonly valuesCompressed: boolean;
}

export interface DictionaryPageHeader extends PageSizes {
  readonly kind: 'dictionary';
  readonly valueCount: number;
  readonly encoding: number;
}

export interface OtherPageHeader extends PageSizes {
  readonly kind: 'other';
}

export type PageHeader = DataPageHeader | DataPageV2Header | DictionaryPageHeader | OtherPageHeader;

/** Thrown when a header goes on past the bytes that were there: with more of them it may be good. */
export class PageHeaderCutOff extends Error {}

/** Reads the page header at an address of the heap. ThriftError when it is none. */
export function readPageHeader(address: number, end: number): PageHeader {
  const reader = new ThriftReader(heap.u8, address, end);
  try {
    return parse(reader, address);
  } catch (error) {
    if (error instanceof ThriftError && reader.exhausted) throw new PageHeaderCutOff();
    throw error;
  }
}

function parse(reader: ThriftReader, start: number): PageHeader {
  let type = -1;
  let uncompressedBytes = -1;
  let compressedBytes = -1;
  let crc: number | null = null;
  const data = { valueCount: -1, encoding: -1, definitionEncoding: -1 };
  const v2 = { valueCount: -1, encoding: -1, definitionBytes: -1, repetitionBytes: -1, valuesCompressed: true };
  const dictionary = { valueCount: -1, encoding: -1 };
  let id = 0;
  while ((id = reader.field(id)) !== 0) {
    switch (id) {
      case 1:
        type = reader.integer();
        break;
      case 2:
        uncompressedBytes = reader.size('an uncompressed size');
        break;
      case 3:
        compressedBytes = reader.size('a compressed size');
        break;
      case 4:
        crc = reader.integer() >>> 0;
        break;
      case 5:
        readFields(reader, (field) => {
          if (field === 1) data.valueCount = reader.size('a value count');
          else if (field === 2) data.encoding = reader.integer();
          else if (field === 3) data.definitionEncoding = reader.integer();
          else reader.skip();
        });
        break;
      case 7:
        readFields(reader, (field) => {
          if (field === 1) dictionary.valueCount = reader.size('a value count');
          else if (field === 2) dictionary.encoding = reader.integer();
          else reader.skip();
        });
        break;
      case 8:
        readFields(reader, (field) => {
          if (field === 1) v2.valueCount = reader.size('a value count');
          else if (field === 4) v2.encoding = reader.integer();
          else if (field === 5) v2.definitionBytes = reader.size('a size');
          else if (field === 6) v2.repetitionBytes = reader.size('a size');
          else if (field === 7) v2.valuesCompressed = reader.boolean();
          else reader.skip();
        });
        break;
      default:
        reader.skip();
    }
  }
  if (uncompressedBytes < 0 || compressedBytes < 0) throw new ThriftError('a page header without sizes');
  const sizes = { headerBytes: reader.position - start, compressedBytes, uncompressedBytes, crc };
  if (type === PAGE_TYPE.DATA) {
    if (data.valueCount < 0 || data.encoding < 0) throw new ThriftError('an incomplete data page header');
    return { kind: 'data', ...sizes, ...data };
  }
  if (type === PAGE_TYPE.DATA_V2) {
    if (v2.valueCount < 0 || v2.encoding < 0 || v2.definitionBytes < 0 || v2.repetitionBytes < 0) {
      throw new ThriftError('an incomplete data page header');
    }
    return { kind: 'data_v2', ...sizes, ...v2 };
  }
  if (type === PAGE_TYPE.DICTIONARY) {
    if (dictionary.valueCount < 0) throw new ThriftError('an incomplete dictionary page header');
    return { kind: 'dictionary', ...sizes, ...dictionary };
  }
  if (type < 0) throw new ThriftError('a page header without a type');
  return { kind: 'other', ...sizes };
}

function readFields(reader: ThriftReader, read: (id: number) => void): void {
  reader.struct();
  let id = 0;
  while ((id = reader.field(id)) !== 0) read(id);
}
