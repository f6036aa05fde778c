import { crc32 } from 'node:zlib';
import { DistqError, invariant } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { bitmapBytes, Column, type Dictionary, makeDictionary } from '../../columnar/column.js';
import type { DataType } from '../../columnar/data-type.js';
import { addr, heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import { type BufferPool, MAX_BUFFER_BYTES, type PooledBuffer } from '../files/buffer-pool.js';
import { dataError, inFile } from '../files/data-error.js';
import type { OpenFile } from '../files/open-file.js';
import { ChunkInput } from './chunk-input.js';
import { DecompressError } from './decompress.js';
import type { ColumnChunk } from './footer.js';
import { CODECS } from './format.js';
import { type LeafFormat, leafFormat } from './leaf-format.js';
import { openDataPage, openDictionaryPage, type Page, type PageContext, PageError } from './page.js';
import { type PageHeader, PageHeaderCutOff, readPageHeader } from './page-header.js';
import type { ParquetLeaf } from './parquet-schema.js';
import { ThriftError } from './thrift-reader.js';

const FIRST_HEADER_BYTES = 256;
const MOST_HEADER_BYTES = 16 * 1024 * 1024;
/** A page, decompressed, and the decoders' states in front of it lie in one buffer. */
const MOST_PAGE_BYTES = MAX_BUFFER_BYTES - 64;
/** Strings in one batch, by engine rule 1.9. */
const BATCH_BYTES = 8 * 1024 * 1024;

export interface ColumnReaderOptions {
  readonly file: OpenFile;
  readonly pool: BufferPool;
  /** 16 bytes that kernels may use between two awaits. */
  readonly scratch: number;
  /** As the user knows it. */
  readonly name: string;
  readonly type: DataType;
  readonly leaf: ParquetLeaf;
}

/**
 * Reads one column of one file, row group by row group, in pieces that all columns agree on:
 *
 *     start(rowGroup, chunk, rows);  then per batch: endBatch(), prepare(n) → how many rows may be taken, take(that many)
 *
 * Columns come dictionary-coded where the pages are, one dictionary per row group; strings are views of decompressed pages, which live
 * until `endBatch`. Whatever is wrong with the bytes is a `data_source` error naming file, row group and column.
 */
export class ColumnReader {
  readonly #options: ColumnReaderOptions;
  readonly #format: LeafFormat;
  #context: PageContext;
  #input: ChunkInput | null = null;
  #rowGroup = 0;
  /** Rows of pages that were not opened yet. */
  #rowsUnopened = 0;
  #rowsLeft = 0;
  readonly #pages: Page[] = [];
  /** Buffers of pages that are used up, which the current batch may still refer to. */
  readonly #spent: PooledBuffer[] = [];
  #dictionary: Dictionary | null = null;
  #dictionaryBuffers: readonly PooledBuffer[] = [];
  #headerBytes = FIRST_HEADER_BYTES;

  constructor(options: ColumnReaderOptions) {
    this.#options = options;
    const { pool, leaf, type, scratch } = options;
    this.#format = leafFormat(leaf, type, scratch);
    this.#context = { pool, leaf, format: this.#format, codec: 0, scratch, batchBytes: BATCH_BYTES };
  }

  /** Bytes read from the file for this row group. */
  get bytesRead(): number {
    return this.#input?.bytesRead ?? 0;
  }

  /** A read that still writes to the heap. */
  get pending(): Promise<void> | null {
    return this.#input?.pending ?? null;
  }

  /** Goes to a row group's chunk; what the last one left is dropped. */
  start(rowGroup: number, chunk: ColumnChunk, rows: number): void {
    this.#finishRowGroup();
    this.#rowGroup = rowGroup;
    const { file, pool } = this.#options;
    if (chunk.encrypted) throw this.#error('the column is encrypted, and distq has no keys');
    if (chunk.external) throw this.#error('the column lies in another file, which is not supported');
    if (chunk.valueCount !== rows) {
      throw this.#error(
        `the column has ${chunk.valueCount} values and the row group ${rows} rows: the file is damaged`,
      );
    }
    const { start, compressedBytes, codec } = chunk;
    if (CODECS[codec] === undefined) throw this.#error(`the compression number ${codec} is unknown`);
    if (rows > 0 && (start < 4 || start + compressedBytes > file.size)) {
      throw this.#error(
        `its pages (bytes ${start} to ${start + compressedBytes}) lie outside the file: the file is damaged`,
      );
    }
    this.#context = { ...this.#context, codec };
    this.#input = new ChunkInput(file, pool, start, start + compressedBytes);
    this.#rowsUnopened = rows;
    this.#rowsLeft = rows;
  }

  /** Forgets what the last batch referred to. */
  endBatch(): void {
    for (const buffer of this.#spent) this.#options.pool.give(buffer);
    this.#spent.length = 0;
  }

  /**
   * Opens pages until `rows` rows (at most those left) are there and gives how many may be taken at once: fewer where the column turns from
   * dictionary codes to plain values, or where strings would fill a batch.
   */
  prepare(rows: number): number | Promise<number> {
    invariant(rows > 0 && rows <= this.#rowsLeft, 'rows that a row group does not have');
    try {
      while (true) {
        const { ready, closed } = this.#ready();
        if (closed || ready >= rows) return Math.min(ready, rows);
        const pending = this.#openPage();
        if (pending !== undefined) return this.#resume(pending, rows);
      }
    } catch (error) {
      throw this.#dataError(error);
    }
  }

  async #resume(pending: Promise<void>, rows: number): Promise<number> {
    await pending;
    return this.prepare(rows);
  }

  /** Rows of open pages that go into one batch, and whether no further page may join them. */
  #ready(): { ready: number; closed: boolean } {
    let ready = 0;
    let pinned = 0;
    const first = this.#pages[0];
    for (const page of this.#pages) {
      if ((page.kind === 'codes') !== (first?.kind === 'codes')) return { ready, closed: true };
      if (page.rowsPerBatch < page.rowsLeft) return { ready: Math.max(ready, page.rowsPerBatch), closed: true };
      ready += page.rowsLeft;
      pinned += page.pinnedBytes;
      if (pinned >= BATCH_BYTES) return { ready, closed: true };
    }
    return { ready, closed: false };
  }

  /** The next `rows` rows, as many as `prepare` allowed; validity, codes and copied values go to the arena. */
  take(rows: number, arena: Arena): Column {
    try {
      const column = this.#pages[0]?.kind === 'codes' ? this.#takeCodes(rows, arena) : this.#takeFlat(rows, arena);
      this.#rowsLeft -= rows;
      return column;
    } catch (error) {
      throw this.#dataError(error);
    }
  }

  /** Gives all buffers back; not while a read is pending. */
  close(): void {
    this.endBatch();
    this.#finishRowGroup();
  }

  #takeCodes(rows: number, arena: Arena): Column {
    const { type } = this.#options;
    const page = this.#pages[0]!;
    const dictionary = this.#dictionary;
    if (dictionary === null) throw new PageError('a page of dictionary codes without a dictionary');
    if (page.rowsLeft >= rows && page.state !== 0 && allValid(page, rows)) {
      if (addr(kernels.hybridRepeats(page.state)) >= rows) return this.#takeRepeated(page, dictionary, rows);
    }
    const codes = arena.alloc(rows * 4);
    const validity = this.#takePages(rows, arena, codes, 4, (from, count, to) => {
      const greatest = from.state === 0 ? -1 : kernels.hybridDecode(from.state, count, to);
      if (greatest < 0) throw new PageError('a page holds fewer dictionary codes than rows');
      if (greatest >= dictionary.size) throw codeOutside(greatest, dictionary);
    });
    if (validity === ALL_NULL) return Column.nulls(type, this.#format.layout, rows);
    return Column.dictionary(type, dictionary, rows, codes, validity);
  }

  /** All rows of the batch have one code: a constant. */
  #takeRepeated(page: Page, dictionary: Dictionary, rows: number): Column {
    const { layout, width } = this.#format;
    const word = page.state >>> 2;
    const bitWidth = heap.u32[word + 2]!;
    const code = bitWidth === 0 ? 0 : heap.u32[word + 4]!;
    if (code >= dictionary.size) throw codeOutside(code, dictionary);
    if (bitWidth > 0) heap.u32[word + 3]! -= rows;
    takeValidLevels(page, rows);
    this.#consume(page, rows);
    return Column.constant(this.#options.type, layout, rows, dictionary.values + code * width);
  }

  #takeFlat(rows: number, arena: Arena): Column {
    const { type } = this.#options;
    const { layout, width } = this.#format;
    const values = arena.alloc(rows * width);
    const validity = this.#takePages(rows, arena, values, width, (page, count, to) => {
      this.#decode(page, count, to, arena);
    });
    if (validity === ALL_NULL) return Column.nulls(type, layout, rows);
    return Column.flat(type, layout, rows, values, validity);
  }

  /**
   * Takes rows page by page into the area at `values`. `decode` writes the next `count` values of a page one behind the other; nulls then
   * get their places. Returns the validity bitmap, 0 when all rows are valid, ALL_NULL when none is.
   */
  #takePages(
    rows: number,
    arena: Arena,
    values: number,
    width: number,
    decode: (page: Page, count: number, to: number) => void,
  ): number {
    let validity = 0;
    let valid = 0;
    let done = 0;
    while (done < rows) {
      const page = this.#pages[0];
      if (page === undefined) throw new PageError('the pages hold fewer rows than the row group');
      const count = Math.min(page.rowsLeft, rows - done);
      const to = values + done * width;
      if (allValid(page, count)) {
        takeValidLevels(page, count);
        if (validity !== 0) kernels.fillBits(validity, done, count, 1);
        decode(page, count, to);
        valid += count;
      } else {
        if (validity === 0) {
          validity = arena.alloc(bitmapBytes(rows));
          kernels.fillBits(validity, 0, done, 1);
        }
        const dense = kernels.hybridDecodeBits(page.levels, count, validity, done);
        if (dense < 0) throw new PageError('the definition levels of a page are damaged');
        if (dense > 0) decode(page, dense, to);
        kernels.spreadValues(to, width, validity, done, count, dense);
        valid += dense;
      }
      done += count;
      this.#consume(page, count);
    }
    if (valid === rows) return 0;
    return valid === 0 ? ALL_NULL : validity;
  }

  /** Writes the next `count` values of a page without dictionary in the column's layout. */
  #decode(page: Page, count: number, to: number, arena: Arena): void {
    const { stride, fromFixed, fromViews } = this.#format;
    switch (page.kind) {
      case 'fixed': {
        const bytes = count * stride;
        if (bytes > page.end - page.position) throw tooFewValues();
        if (fromFixed === null) heap.u8.copyWithin(to, page.position, page.position + bytes);
        else if (!fromFixed(page.position, count, to)) throw doesNotFit();
        page.position += bytes;
        return;
      }
      case 'byte_arrays': {
        const views = fromViews === null ? to : arena.alloc(count * 8);
        const next = addr(kernels.byteArrayViews(page.position, page.end, count, views));
        if (next === 0) throw tooFewValues();
        if (fromViews !== null && !fromViews(views, count, to)) throw doesNotFit();
        page.position = next;
        return;
      }
      case 'views': {
        const bytes = count * 8;
        if (bytes > page.end - page.position) throw tooFewValues();
        if (fromViews === null) heap.u8.copyWithin(to, page.position, page.position + bytes);
        else if (!fromViews(page.position, count, to)) throw doesNotFit();
        page.position += bytes;
        return;
      }
      case 'rle_booleans': {
        const wide = arena.alloc(count * 4);
        const greatest = page.state === 0 ? -1 : kernels.hybridDecode(page.state, count, wide);
        if (greatest < 0 || greatest > 1) throw tooFewValues();
        kernels.u32ToU8(wide, count, to);
        return;
      }
      case 'codes':
        throw new DistqError('internal', 'codes are no values');
    }
  }

  #consume(page: Page, rows: number): void {
    page.rowsLeft -= rows;
    if (page.rowsLeft > 0) return;
    this.#pages.shift();
    this.#spent.push(...page.buffers);
  }

  /** Reads and opens the next page of the chunk. A promise when bytes must be waited for; then nothing was opened yet: call again. */
  #openPage(): Promise<void> | undefined {
    const input = this.#input;
    invariant(input !== null, 'a column reader that was not started');
    if (input.remaining === 0) throw new PageError('the pages hold fewer rows than the row group');
    const pendingHeader = input.require(Math.min(this.#headerBytes, input.remaining));
    if (pendingHeader !== undefined) return pendingHeader;
    const header = this.#readHeader(input);
    if (header === undefined) return undefined;
    if (header.compressedBytes > input.remaining - header.headerBytes) {
      throw new PageError(`a page of ${header.compressedBytes} bytes passes the end of the column's data`);
    }
    const most = Math.max(header.compressedBytes + header.headerBytes, header.uncompressedBytes);
    if (most > MOST_PAGE_BYTES) {
      const place = inFile(this.#options.file.path, { rowGroup: this.#rowGroup, column: this.#options.name });
      throw new DistqError('resources_exhausted', `cannot read ${place}: a page of ${most} bytes is more than 64 MiB`);
    }
    const pendingBody = input.require(header.headerBytes + header.compressedBytes);
    if (pendingBody !== undefined) return pendingBody;
    const body = input.address + header.headerBytes;
    if (header.crc !== null) {
      const crc = crc32(heap.u8.subarray(body, body + header.compressedBytes));
      if (crc !== header.crc) throw new PageError('the checksum of a page does not match: the file is damaged');
    }
    this.#open(header, body);
    input.advance(header.headerBytes + header.compressedBytes);
    this.#headerBytes = FIRST_HEADER_BYTES;
    return undefined;
  }

  /** The header at the input's position; undefined when more of its bytes are needed. */
  #readHeader(input: ChunkInput): PageHeader | undefined {
    try {
      return readPageHeader(input.address, input.address + input.available);
    } catch (error) {
      if (!(error instanceof PageHeaderCutOff)) throw error;
      if (input.available >= input.remaining || input.available >= MOST_HEADER_BYTES) {
        throw new PageError('a page header is damaged');
      }
      this.#headerBytes = input.available * 2;
      return undefined;
    }
  }

  #open(header: PageHeader, body: number): void {
    switch (header.kind) {
      case 'dictionary': {
        if (this.#dictionary !== null) throw new PageError('a second dictionary');
        const { values, count, buffers } = openDictionaryPage(header, body, this.#context);
        this.#dictionary = makeDictionary(this.#format.layout, values, count);
        this.#dictionaryBuffers = buffers;
        return;
      }
      case 'data':
      case 'data_v2': {
        if (header.valueCount > this.#rowsUnopened) {
          throw new PageError('the pages hold more rows than the row group');
        }
        if (header.valueCount === 0) return;
        this.#pages.push(openDataPage(header, body, this.#context));
        this.#rowsUnopened -= header.valueCount;
        return;
      }
      case 'other':
        return;
    }
  }

  #finishRowGroup(): void {
    const { pool } = this.#options;
    for (const page of this.#pages) for (const buffer of page.buffers) pool.give(buffer);
    this.#pages.length = 0;
    for (const buffer of this.#dictionaryBuffers) pool.give(buffer);
    this.#dictionaryBuffers = [];
    this.#dictionary = null;
    this.#input?.close();
    this.#input = null;
  }

  #error(reason: string): DistqError {
    const { file, name } = this.#options;
    return dataError(file.path, reason, { rowGroup: this.#rowGroup, column: name });
  }

  /** Damage, and traps of kernels on it, as a `data_source` error with its place. */
  #dataError(error: unknown): unknown {
    if (error instanceof PageError || error instanceof DecompressError) return this.#error(error.message);
    if (error instanceof ThriftError) return this.#error(`a page header is damaged: it holds ${error.message}`);
    if (error instanceof WebAssembly.RuntimeError) return this.#error('a page is damaged');
    return error;
  }
}

/** No address: marks a batch in which every row is null. */
const ALL_NULL = -1;

/** Whether none of the next `rows` rows of a page is null, as far as one look at its levels tells. */
function allValid(page: Page, rows: number): boolean {
  if (page.levels === 0) return true;
  return addr(kernels.hybridRepeats(page.levels)) >= rows && heap.u32[(page.levels >>> 2) + 4] === 1;
}

/** Passes over levels that `allValid` looked at. */
function takeValidLevels(page: Page, rows: number): void {
  if (page.levels !== 0) heap.u32[(page.levels >>> 2) + 3]! -= rows;
}

function codeOutside(code: number, dictionary: Dictionary): PageError {
  return new PageError(`a page has dictionary code ${code}, but the dictionary has ${dictionary.size} values`);
}

function tooFewValues(): PageError {
  return new PageError('a page holds fewer values than rows');
}

function doesNotFit(): PageError {
  return new PageError('a value does not fit the type of the column');
}
