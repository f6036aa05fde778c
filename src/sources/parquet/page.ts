import { heap, addr } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { BufferPool, PooledBuffer } from '../files/buffer-pool.js';
import { decompress, WORKSPACE_BYTES } from './decompress.js';
import { ENCODING, encodingName, type PhysicalType } from './format.js';
import type { LeafFormat } from './leaf-format.js';
import type { DataPageHeader, DataPageV2Header, DictionaryPageHeader } from './page-header.js';
import type { ParquetLeaf } from './parquet-schema.js';

/** Damage inside a page, in words that follow "file, row group, column: ". */
export class PageError extends Error {}

/** In front of a page's bytes in its buffer: the states of two hybrid decoders. */
const STATES_BYTES = 64;
const STATE_BYTES = 32;

/**
 * A data page that is decompressed and being read. `kind` says how the values that are not null come:
 *
 * - `codes`: hybrid-coded dictionary codes; `state` is their decoder's (0 when the page has no values at all).
 * - `fixed`: contiguous PLAIN values from `position` on. - `byte_arrays`: PLAIN byte arrays. - `views`: views, 8 bytes each.
 * - `rle_booleans`: hybrid-coded, by `state`.
 */
export interface Page {
  readonly kind: 'codes' | 'fixed' | 'byte_arrays' | 'views' | 'rle_booleans';
  /** Rows, nulls included, that were not taken yet. */
  rowsLeft: number;
  /** Decoder of the definition levels; 0 when no row can be null. */
  readonly levels: number;
  readonly state: number;
  position: number;
  readonly end: number;
  /** Bytes that views of the page keep alive; 0 for values that are copied. */
  readonly pinnedBytes: number;
  /** Rows that one batch should take of it at most, because of these bytes. */
  readonly rowsPerBatch: number;
  readonly buffers: readonly PooledBuffer[];
}

/** What pages of one chunk share. */
export interface PageContext {
  readonly pool: BufferPool;
  readonly leaf: ParquetLeaf;
  readonly format: LeafFormat;
  readonly codec: number;
  /** 16 bytes for kernels. */
  readonly scratch: number;
  /** Bytes of strings in a batch, roughly at most. */
  readonly batchBytes: number;
}

function inflate(
  { pool }: PageContext,
  codec: number,
  source: number,
  sourceBytes: number,
  target: number,
  targetBytes: number,
): void {
  const workspace = pool.take(WORKSPACE_BYTES);
  try {
    decompress(codec, source, sourceBytes, target, targetBytes, workspace.address);
  } finally {
    pool.give(workspace);
  }
}

/** Opens the data page whose stored bytes lie at `source`. */
export function openDataPage(header: DataPageHeader | DataPageV2Header, source: number, context: PageContext): Page {
  const buffer = context.pool.take(header.uncompressedBytes + STATES_BYTES);
  try {
    const start = buffer.address + STATES_BYTES;
    const end = start + header.uncompressedBytes;
    const optional = context.leaf.maxDefinitionLevel > 0;
    let position = start;
    let levels = 0;
    if (header.kind === 'data') {
      inflate(context, context.codec, source, header.compressedBytes, start, header.uncompressedBytes);
      if (optional) {
        if (header.definitionEncoding !== ENCODING.RLE) {
          throw new PageError(
            `definition levels in encoding ${encodingName(header.definitionEncoding)} are not supported`,
          );
        }
        if (end - position < 4) throw new PageError('a page is too short for its definition levels');
        const bytes = new DataView(heap.u8.buffer).getUint32(position, true);
        position += 4;
        if (bytes > end - position) throw new PageError('a page is too short for its definition levels');
        levels = buffer.address;
        kernels.hybridStart(levels, position, position + bytes, 1);
        position += bytes;
      }
    } else {
      const levelBytes = header.repetitionBytes + header.definitionBytes;
      if (levelBytes > header.compressedBytes || levelBytes > header.uncompressedBytes) {
        throw new PageError('the levels of a page are longer than the page');
      }
      heap.u8.copyWithin(start, source, source + levelBytes);
      position = start + levelBytes;
      if (end > position) {
        const codec = header.valuesCompressed ? context.codec : 0;
        inflate(context, codec, source + levelBytes, header.compressedBytes - levelBytes, position, end - position);
      }
      if (optional) {
        levels = buffer.address;
        kernels.hybridStart(levels, start + header.repetitionBytes, position, 1);
      }
    }
    return openValues(header, buffer, levels, position, end, context);
  } catch (error) {
    context.pool.give(buffer);
    throw error;
  }
}

function openValues(
  header: DataPageHeader | DataPageV2Header,
  buffer: PooledBuffer,
  levels: number,
  position: number,
  end: number,
  context: PageContext,
): Page {
  const { leaf, format } = context;
  const { physicalType } = leaf;
  const state = buffer.address + STATE_BYTES;
  const base = {
    rowsLeft: header.valueCount,
    levels,
    state: 0,
    position,
    end,
    pinnedBytes: 0,
    rowsPerBatch: Infinity,
    buffers: [buffer],
  };
  /** The page with its values decoded into a buffer of their own, which may go together with the page's own. */
  const decoded = (kind: 'fixed' | 'views', values: PooledBuffer, bytes: number, pinned: number): Page => ({
    ...base,
    kind,
    position: values.address,
    end: values.address + bytes,
    buffers: [buffer, values],
    ...pinning(format.pinsPages ? pinned : 0, header.valueCount, context.batchBytes),
  });
  switch (header.encoding) {
    case ENCODING.PLAIN: {
      if (physicalType === 'BYTE_ARRAY') {
        const pinned = format.pinsPages ? end - position : 0;
        return { ...base, kind: 'byte_arrays', ...pinning(pinned, header.valueCount, context.batchBytes) };
      }
      if (physicalType === 'BOOLEAN') {
        const count = Math.min(header.valueCount, (end - position) * 8);
        const values = context.pool.take(count);
        kernels.bitsToBytes(position, count, values.address);
        return decoded('fixed', values, count, 0);
      }
      const pinned = format.pinsPages ? end - position : 0;
      return { ...base, kind: 'fixed', ...pinning(pinned, header.valueCount, context.batchBytes) };
    }
    case ENCODING.PLAIN_DICTIONARY:
    case ENCODING.RLE_DICTIONARY: {
      if (position === end) return { ...base, kind: 'codes' };
      const bitWidth = heap.u8[position]!;
      if (bitWidth > 32) throw new PageError(`dictionary codes of ${bitWidth} bits`);
      kernels.hybridStart(state, position + 1, end, bitWidth);
      return { ...base, kind: 'codes', state };
    }
    case ENCODING.RLE: {
      if (physicalType !== 'BOOLEAN') break;
      if (position === end) return { ...base, kind: 'rle_booleans' };
      if (end - position < 4) throw new PageError('a page is too short for its values');
      const bytes = new DataView(heap.u8.buffer).getUint32(position, true);
      if (bytes > end - position - 4) throw new PageError('a page is too short for its values');
      kernels.hybridStart(state, position + 4, position + 4 + bytes, 1);
      return { ...base, kind: 'rle_booleans', state };
    }
    case ENCODING.DELTA_BINARY_PACKED: {
      if (physicalType !== 'INT32' && physicalType !== 'INT64') break;
      const width = physicalType === 'INT32' ? 4 : 8;
      const { values, count } = decodeDeltas(position, end, width, header.valueCount, context);
      return decoded('fixed', values, count * width, 0);
    }
    case ENCODING.DELTA_LENGTH_BYTE_ARRAY: {
      if (physicalType !== 'BYTE_ARRAY') break;
      const { views, count } = decodeLengths(position, end, header.valueCount, context);
      return decoded('views', views, count * 8, end - position);
    }
    case ENCODING.DELTA_BYTE_ARRAY: {
      if (physicalType !== 'BYTE_ARRAY' && physicalType !== 'FIXED_LEN_BYTE_ARRAY') break;
      return openPrefixed(decoded, position, end, header.valueCount, context);
    }
    case ENCODING.BYTE_STREAM_SPLIT: {
      if (!SPLITTABLE.has(physicalType)) break;
      const count = Math.floor((end - position) / format.stride);
      if (count * format.stride !== end - position) throw new PageError('a page holds a part of a value');
      const values = context.pool.take(end - position);
      kernels.byteStreamMerge(position, format.stride, count, values.address);
      return decoded('fixed', values, count * format.stride, end - position);
    }
    default:
  }
  throw new PageError(`${physicalType} values in encoding ${encodingName(header.encoding)} are not supported`);
}

const SPLITTABLE: ReadonlySet<PhysicalType> = new Set<PhysicalType>([
  'INT32',
  'INT64',
  'FLOAT',
  'DOUBLE',
  'FIXED_LEN_BYTE_ARRAY',
]);

function pinning(bytes: number, values: number, batchBytes: number): Pick<Page, 'pinnedBytes' | 'rowsPerBatch'> {
  const rowsPerBatch = bytes <= batchBytes ? Infinity : Math.max(1, Math.floor((values * batchBytes) / bytes));
  return { pinnedBytes: bytes, rowsPerBatch };
}

interface Deltas {
  readonly values: PooledBuffer;
  readonly count: number;
  /** Address behind the sequence. */
  readonly next: number;
}

function decodeDeltas(position: number, end: number, width: 4 | 8, rows: number, context: PageContext): Deltas {
  const count = kernels.deltaCount(position, end, context.scratch);
  if (count < 0 || count > rows) throw new PageError('a delta-coded page is damaged');
  const values = context.pool.take(count * width);
  const next = addr(kernels.deltaDecode(position, end, width, values.address, context.scratch));
  if (next === 0) {
    context.pool.give(values);
    throw new PageError('a delta-coded page is damaged');
  }
  return { values, count, next };
}

function decodeLengths(
  position: number,
  end: number,
  rows: number,
  context: PageContext,
): { views: PooledBuffer; count: number } {
  const { values: lengths, count, next } = decodeDeltas(position, end, 4, rows, context);
  const views = context.pool.take(count * 8);
  const behind = addr(kernels.lengthViews(lengths.address, count, next, end, views.address));
  context.pool.give(lengths);
  if (behind === 0) {
    context.pool.give(views);
    throw new PageError('the strings of a page are longer than the page');
  }
  return { views, count };
}

/** DELTA_BYTE_ARRAY: prefix lengths, then the suffixes as DELTA_LENGTH_BYTE_ARRAY. */
function openPrefixed(
  decoded: (kind: 'fixed' | 'views', values: PooledBuffer, bytes: number, pinned: number) => Page,
  position: number,
  end: number,
  rows: number,
  context: PageContext,
): Page {
  const { pool, leaf } = context;
  const { values: prefixes, count, next } = decodeDeltas(position, end, 4, rows, context);
  const { views, count: suffixCount } = decodeLengths(next, end, rows, context);
  if (suffixCount !== count) throw new PageError('a page has not as many prefixes as suffixes');
  const suffixBytes = lengthsOfViews(views.address, count);
  const prefixBytes = kernels.sumLengths(prefixes.address, count);
  if (prefixBytes < 0) throw new PageError('a delta-coded page is damaged');
  const bytes = pool.take(prefixBytes + suffixBytes);
  const good = kernels.joinPrefixes(prefixes.address, views.address, count, bytes.address) === 1;
  pool.give(prefixes);
  if (!good) throw new PageError('a delta-coded string continues one that is shorter');
  if (leaf.physicalType === 'BYTE_ARRAY') {
    const page = decoded('views', views, count * 8, prefixBytes + suffixBytes);
    return { ...page, buffers: [...page.buffers, bytes] };
  }
  // Values of one length lie one behind the other: PLAIN.
  for (let i = 0; i < count; i++) {
    if (heap.u32[((views.address + i * 8) >>> 2) + 1] !== leaf.typeLength) {
      throw new PageError(`a value has not the ${leaf.typeLength} bytes of its type`);
    }
  }
  const page = decoded('fixed', bytes, count * leaf.typeLength, count * leaf.typeLength);
  return { ...page, buffers: [...page.buffers, views] };
}

function lengthsOfViews(views: number, count: number): number {
  return kernels.viewBytes(views, 0, count);
}

/** Values of a dictionary, in the column's layout. */
export interface OpenDictionary {
  readonly values: number;
  readonly count: number;
  readonly buffers: readonly PooledBuffer[];
}

/** Decodes the dictionary page whose stored bytes lie at `source`. */
export function openDictionaryPage(header: DictionaryPageHeader, source: number, context: PageContext): OpenDictionary {
  const { pool, leaf, format } = context;
  if (header.encoding !== ENCODING.PLAIN && header.encoding !== ENCODING.PLAIN_DICTIONARY) {
    throw new PageError(`a dictionary in encoding ${encodingName(header.encoding)} is not supported`);
  }
  if (leaf.physicalType === 'BOOLEAN') throw new PageError('a dictionary of booleans');
  const { valueCount: count, uncompressedBytes } = header;
  const leastBytes = format.stride === 0 ? 4 : format.stride;
  if (count * leastBytes > uncompressedBytes) {
    throw new PageError(`a dictionary of ${count} values in ${uncompressedBytes} bytes`);
  }
  const page = pool.take(uncompressedBytes);
  const start = page.address;
  inflate(context, context.codec, source, header.compressedBytes, start, uncompressedBytes);
  const values = pool.take(Math.max(1, count * format.width));
  const buffers = [page, values];
  let good = true;
  if (format.stride > 0) {
    if (format.fromFixed === null) heap.u8.copyWithin(values.address, start, start + count * format.stride);
    else good = format.fromFixed(start, count, values.address);
  } else {
    const views = format.fromViews === null ? values : pool.take(count * 8);
    const end = addr(kernels.byteArrayViews(start, start + uncompressedBytes, count, views.address));
    if (end === 0) throw new PageError('the values of a dictionary are longer than its page');
    if (format.fromViews !== null) {
      good = format.fromViews(views.address, count, values.address);
      pool.give(views);
    }
  }
  if (!good) throw new PageError('a value does not fit its type');
  if (!format.pinsPages) {
    pool.give(page);
    buffers.shift();
  }
  return { values: values.address, count, buffers };
}
