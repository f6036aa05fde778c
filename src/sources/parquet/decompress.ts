import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import { type Codec, CODECS } from './format.js';

/** What a decompressor needs for its tables. */
export const WORKSPACE_BYTES: number = 160 * 1024;

/** Page bytes that do not decompress, or a codec there is none for. */
export class DecompressError extends Error {}

/**
 * Decompresses `sourceBytes` at `source` to exactly `targetBytes` at `target`. Both areas are followed by 64 bytes that may be read and
 * written. `codec` is an index of CODECS; `workspace` has WORKSPACE_BYTES.
 */
export function decompress(
  codec: number,
  source: number,
  sourceBytes: number,
  target: number,
  targetBytes: number,
  workspace: number,
): void {
  const name = CODECS[codec];
  if (name === undefined || name === 'LZO') {
    throw new DecompressError(`the compression ${name ?? `number ${codec}`} is not supported`);
  }
  const written = run(name, source, sourceBytes, target, targetBytes, workspace);
  if (written < 0) throw new DecompressError(`a page's ${name} data is damaged`);
  if (written !== targetBytes) {
    throw new DecompressError(`a page has ${written} bytes where its header says ${targetBytes}`);
  }
}

/** Bytes written, −1 for damage. */
function run(
  name: Exclude<Codec, 'LZO'>,
  source: number,
  sourceBytes: number,
  target: number,
  targetBytes: number,
  workspace: number,
): number {
  switch (name) {
    case 'UNCOMPRESSED':
      if (sourceBytes === targetBytes) heap.u8.copyWithin(target, source, source + sourceBytes);
      return sourceBytes;
    case 'SNAPPY':
      return kernels.snappyDecompress(source, sourceBytes, target, targetBytes);
    case 'LZ4_RAW':
      return kernels.lz4Decompress(source, sourceBytes, target, targetBytes);
    case 'LZ4':
      return decompressHadoopLz4(source, sourceBytes, target, targetBytes);
    case 'GZIP':
    case 'BROTLI':
      return decompressWithZlib(name, source, sourceBytes, target, targetBytes);
    case 'ZSTD':
      return kernels.zstdDecompress(source, sourceBytes, target, targetBytes, workspace);
  }
}

function decompressWithZlib(
  name: 'GZIP' | 'BROTLI',
  source: number,
  sourceBytes: number,
  target: number,
  targetBytes: number,
): number {
  const input = heap.u8.subarray(source, source + sourceBytes);
  const options = { maxOutputLength: Math.max(targetBytes, 1) };
  let output: Buffer;
  try {
    output = name === 'GZIP' ? unzipSync(input, options) : brotliDecompressSync(input, options);
  } catch {
    return -1;
  }
  if (output.length <= targetBytes) heap.u8.set(output, target);
  return output.length;
}

/**
 * Codec "LZ4" is Hadoop's framing (blocks of big-endian sizes, uncompressed and compressed), but some writers put a bare block there.
 */
function decompressHadoopLz4(source: number, sourceBytes: number, target: number, targetBytes: number): number {
  const view = new DataView(heap.u8.buffer, source, sourceBytes);
  let read = 0;
  let written = 0;
  while (sourceBytes - read >= 8) {
    const uncompressed = view.getUint32(read);
    const compressed = view.getUint32(read + 4);
    if (compressed > sourceBytes - read - 8 || uncompressed > targetBytes - written) break;
    const bytes = kernels.lz4Decompress(source + read + 8, compressed, target + written, uncompressed);
    if (bytes !== uncompressed) break;
    read += 8 + compressed;
    written += bytes;
  }
  if (read === sourceBytes && written === targetBytes) return written;
  return kernels.lz4Decompress(source, sourceBytes, target, targetBytes);
}
