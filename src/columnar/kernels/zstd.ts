import { xxHash64 } from './xx-hash64';
import { decodeBlock } from './zstd-block';
import {
  BLOCK_MAX,
  HUFFMAN_BITS,
  LL_ACCURACY,
  ML_ACCURACY,
  NONE,
  OF_ACCURACY,
  REPEAT_1,
  REPEAT_2,
  REPEAT_3,
} from './zstd-workspace';

/**
 * Decompresses Zstandard frames, one behind the other; skippable ones are passed over. Both areas may be read, and the target written, up
 * to 64 bytes past their ends; `workspace` has 160 KiB. Returns the number of bytes, or −1 when the data is damaged, does not fit or needs a
 * dictionary.
 */
export function zstdDecompress(source: usize, sourceBytes: u32, target: usize, capacity: u32, workspace: usize): i32 {
  let s = source;
  const sourceEnd = source + (sourceBytes as usize);
  let d = target;
  const targetEnd = target + (capacity as usize);
  while (s < sourceEnd) {
    if (sourceEnd - s < 8) return -1;
    const magic = load<u32>(s);
    if ((magic & 0xfffffff0) == 0x184d2a50) {
      const size = load<u32>(s, 4) as usize;
      s += 8;
      if (size > sourceEnd - s) return -1;
      s += size;
      continue;
    }
    if (magic != 0xfd2fb528) return -1;
    const descriptor = load<u8>(s, 4) as u32;
    s += 5;
    if ((descriptor & 8) != 0) return -1;
    const single = (descriptor & 32) != 0;
    const dictionaryBytes: usize = (descriptor & 3) == 3 ? 4 : ((descriptor & 3) as usize);
    const sizeFlag = descriptor >> 6;
    const sizeBytes: usize = sizeFlag == 0 ? (single ? 1 : 0) : ((1 << sizeFlag) as usize);
    const windowBytes: usize = single ? 0 : 1;
    const headerBytes = windowBytes + dictionaryBytes + sizeBytes;
    if (headerBytes > sourceEnd - s) return -1;
    s += windowBytes;
    for (let i: usize = 0; i < dictionaryBytes; i++) if (load<u8>(s + i) != 0) return -1;
    s += headerBytes - windowBytes;
    store<u32>(workspace + HUFFMAN_BITS, NONE);
    store<u32>(workspace + LL_ACCURACY, NONE);
    store<u32>(workspace + OF_ACCURACY, NONE);
    store<u32>(workspace + ML_ACCURACY, NONE);
    store<u32>(workspace + REPEAT_1, 1);
    store<u32>(workspace + REPEAT_2, 4);
    store<u32>(workspace + REPEAT_3, 8);
    const frameStart = d;
    let last = false;
    while (!last) {
      if (sourceEnd - s < 3) return -1;
      const header = (load<u16>(s) as u32) | ((load<u8>(s, 2) as u32) << 16);
      s += 3;
      last = (header & 1) != 0;
      const kind = (header >> 1) & 3;
      const size = header >> 3;
      if (kind == 0) {
        if ((size as usize) > sourceEnd - s || (size as usize) > targetEnd - d) return -1;
        memory.copy(d, s, size as usize);
        s += size as usize;
        d += size as usize;
      } else if (kind == 1) {
        if (s >= sourceEnd || (size as usize) > targetEnd - d) return -1;
        memory.fill(d, load<u8>(s), size as usize);
        s += 1;
        d += size as usize;
      } else if (kind == 2) {
        if (size > BLOCK_MAX || (size as usize) > sourceEnd - s) return -1;
        const written = decodeBlock(workspace, s, size, frameStart, d, targetEnd);
        if (written < 0) return -1;
        s += size as usize;
        d += written as usize;
      } else {
        return -1;
      }
    }
    if ((descriptor & 4) != 0) {
      if (sourceEnd - s < 4) return -1;
      if (load<u32>(s) != (xxHash64(frameStart, (d - frameStart) as u32) as u32)) return -1;
      s += 4;
    }
  }
  return (d - target) as i32;
}
