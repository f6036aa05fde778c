import { DistqError } from '../../base/errors.js';
import { dataError } from '../files/data-error.js';
import type { OpenFile } from '../files/open-file.js';
import { type ParquetFooter, parseFooter, type SchemaCache } from './footer.js';
import { type ParquetSchema, UnsupportedColumn } from './parquet-schema.js';
import { ThriftError } from './thrift-reader.js';

/** Read at the end of a file at first: holds most footers, so that one read does. */
const TAIL_BYTES = 32 * 1024;
/** Magic at both ends and the footer's length. */
const FEWEST_BYTES = 12;
const CACHE_BYTES = 64 * 1024 * 1024;
const MOST_SCHEMAS = 64;

/** Footers by path; one of another size or modification time is not used. The least recently used go first. */
class FooterCache {
  readonly #entries = new Map<string, { size: number; modifiedMs: number; footer: ParquetFooter }>();
  #heldBytes = 0;

  get(file: OpenFile): ParquetFooter | undefined {
    const entry = this.#entries.get(file.path);
    if (entry === undefined) return undefined;
    this.#entries.delete(file.path);
    if (entry.size !== file.size || entry.modifiedMs !== file.modifiedMs) {
      this.#heldBytes -= entry.footer.heldBytes;
      return undefined;
    }
    this.#entries.set(file.path, entry);
    return entry.footer;
  }

  add(file: OpenFile, footer: ParquetFooter): void {
    const earlier = this.#entries.get(file.path);
    if (earlier !== undefined) {
      this.#heldBytes -= earlier.footer.heldBytes;
      this.#entries.delete(file.path);
    }
    this.#entries.set(file.path, { size: file.size, modifiedMs: file.modifiedMs, footer });
    this.#heldBytes += footer.heldBytes;
    for (const [path, { footer: oldest }] of this.#entries) {
      if (this.#heldBytes <= CACHE_BYTES) break;
      this.#entries.delete(path);
      this.#heldBytes -= oldest.heldBytes;
    }
  }
}

/** The last schemas seen, most recent first: files of one table repeat theirs byte for byte. */
class RecentSchemas implements SchemaCache {
  readonly #entries: { readonly bytes: Uint8Array; readonly schema: ParquetSchema }[] = [];

  get(bytes: Uint8Array): ParquetSchema | undefined {
    const index = this.#entries.findIndex((entry) => Buffer.compare(entry.bytes, bytes) === 0);
    const entry = this.#entries[index];
    if (entry === undefined) return undefined;
    if (index > 0) {
      this.#entries.splice(index, 1);
      this.#entries.unshift(entry);
    }
    return entry.schema;
  }

  add(bytes: Uint8Array, schema: ParquetSchema): void {
    this.#entries.unshift({ bytes: bytes.slice(), schema });
    if (this.#entries.length > MOST_SCHEMAS) this.#entries.pop();
  }
}

const cache = new FooterCache();
const schemas = new RecentSchemas();

/** The file's footer, from the cache while size and modification time agree. What is no Parquet file is a `data_source` error. */
export async function readFooter(file: OpenFile): Promise<ParquetFooter> {
  const cached = cache.get(file);
  if (cached !== undefined) return cached;
  const { path, size } = file;
  if (size === 0) throw dataError(path, 'the file is empty (0 bytes)');
  if (size < FEWEST_BYTES) throw dataError(path, `it is not a Parquet file: ${size} bytes are too few`);
  let tail = new Uint8Array(Math.min(size, TAIL_BYTES));
  const pending = file.read(size - tail.length, tail);
  if (pending !== undefined) await pending;
  const length = footerLength(path, size, tail);
  if (length + 8 > tail.length) {
    const missing = new Uint8Array(length + 8);
    const rest = missing.subarray(0, missing.length - tail.length);
    const second = file.read(size - missing.length, rest);
    if (second !== undefined) await second;
    missing.set(tail, rest.length);
    tail = missing;
  }
  // A copy of its own, so that the cache holds no more than the footer.
  const footer = parse(path, tail.slice(tail.length - 8 - length, tail.length - 8));
  cache.add(file, footer);
  return footer;
}

function footerLength(path: string, size: number, tail: Uint8Array): number {
  const magic = latin1.decode(tail.subarray(tail.length - 4));
  if (magic === 'PARE') {
    throw dataError(path, 'its footer is encrypted, and distq has no keys');
  }
  if (magic !== 'PAR1') {
    const start = tail.length === size ? latin1.decode(tail.subarray(0, 4)) : '';
    const reason = start === 'PAR1' ? 'it begins like one but is cut off' : 'it does not end with "PAR1"';
    throw dataError(path, `it is not a complete Parquet file: ${reason}`);
  }
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(tail.length - 8, true);
  if (length === 0 || length > size - FEWEST_BYTES) {
    throw dataError(path, `its footer says it is ${length} bytes long in a file of ${size} bytes: the file is damaged`);
  }
  return length;
}

const latin1 = new TextDecoder('latin1');

function parse(path: string, bytes: Uint8Array): ParquetFooter {
  try {
    return parseFooter(bytes, schemas);
  } catch (error) {
    if (error instanceof ThriftError) {
      throw dataError(path, `its footer is damaged: it holds ${error.message}`, {}, { cause: error });
    }
    if (error instanceof UnsupportedColumn) {
      throw new DistqError('not_implemented', `${error.message} in ${path} is not supported`, { cause: error });
    }
    throw error;
  }
}
