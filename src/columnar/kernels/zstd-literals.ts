import { huffmanStream, readHuffman } from './zstd-entropy';
import { BLOCK_MAX, HUFFMAN_BITS, LITERALS, NONE, RESULT } from './zstd-workspace';

/**
 * Reads the literals section. Puts where the literals lie and how many there are into the result. Returns the section's bytes, −1 when
 * damaged.
 */
export function readLiterals(workspace: usize, source: usize, bytes: u32): i32 {
  if (bytes == 0) return -1;
  const first = load<u8>(source) as u32;
  const kind = first & 3;
  const format = (first >> 2) & 3;
  const literals = workspace + LITERALS;
  let headerBytes: u32;
  let size: u32;
  if (kind < 2) {
    if ((format & 1) == 0) {
      headerBytes = 1;
      size = first >> 3;
    } else {
      headerBytes = format == 1 ? 2 : 3;
      if (bytes < headerBytes) return -1;
      size = format == 1 ? (load<u16>(source) as u32) >> 4 : (load<u32>(source) & 0xffffff) >> 4;
    }
    if (size > BLOCK_MAX) return -1;
    if (kind == 0) {
      if (size > bytes - headerBytes) return -1;
      store<u32>(workspace + RESULT, (source + (headerBytes as usize)) as u32);
      store<u32>(workspace + RESULT, size, 4);
      return (headerBytes + size) as i32;
    }
    if (bytes < headerBytes + 1) return -1;
    memory.fill(literals, load<u8>(source + (headerBytes as usize)), size as usize);
    store<u32>(workspace + RESULT, literals as u32);
    store<u32>(workspace + RESULT, size, 4);
    return (headerBytes + 1) as i32;
  }
  headerBytes = format < 2 ? 3 : format + 2;
  if (bytes < headerBytes) return -1;
  const bits: u64 = format < 2 ? 10 : format == 2 ? 14 : 18;
  const header = load<u64>(source) >> 4;
  const mask = ((1 as u64) << bits) - 1;
  size = (header & mask) as u32;
  const compressed = ((header >> bits) & mask) as u32;
  if (size > BLOCK_MAX || compressed > bytes - headerBytes) return -1;
  let s = source + (headerBytes as usize);
  let left = compressed;
  if (kind == 2) {
    const used = readHuffman(workspace, s, left);
    if (used < 0) return -1;
    s += used as usize;
    left -= used as u32;
  } else if (load<u32>(workspace + HUFFMAN_BITS) == NONE) {
    return -1;
  }
  if (format == 0) {
    if (!huffmanStream(workspace, s, left, literals, size)) return -1;
  } else {
    if (left < 6) return -1;
    const bytes1 = load<u16>(s) as u32;
    const bytes2 = load<u16>(s, 2) as u32;
    const bytes3 = load<u16>(s, 4) as u32;
    if (bytes1 + bytes2 + bytes3 > left - 6) return -1;
    const bytes4 = left - 6 - bytes1 - bytes2 - bytes3;
    const quarter = (size + 3) >> 2;
    if (quarter * 3 > size) return -1;
    s += 6;
    if (!huffmanStream(workspace, s, bytes1, literals, quarter)) return -1;
    s += bytes1 as usize;
    if (!huffmanStream(workspace, s, bytes2, literals + (quarter as usize), quarter)) return -1;
    s += bytes2 as usize;
    if (!huffmanStream(workspace, s, bytes3, literals + ((quarter * 2) as usize), quarter)) return -1;
    s += bytes3 as usize;
    if (!huffmanStream(workspace, s, bytes4, literals + ((quarter * 3) as usize), size - quarter * 3)) return -1;
  }
  store<u32>(workspace + RESULT, literals as u32);
  store<u32>(workspace + RESULT, size, 4);
  return (headerBytes + compressed) as i32;
}
