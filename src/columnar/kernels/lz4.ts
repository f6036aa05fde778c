import { copyMatch } from './match-copy';

/**
 * Decompresses an LZ4 block. Both areas may be read, and the target written, up to 64 bytes past their ends. Returns the number of
 * bytes, or −1 when the block is damaged or does not fit.
 */
export function lz4Decompress(source: usize, sourceBytes: u32, target: usize, capacity: u32): i32 {
  let s = source;
  const sourceEnd = source + (sourceBytes as usize);
  let d = target;
  const targetEnd = target + (capacity as usize);
  if (sourceBytes == 0) return capacity == 0 ? 0 : -1;
  while (s < sourceEnd) {
    const token = load<u8>(s++) as u32;
    let literals = (token >> 4) as usize;
    if (literals == 15) {
      let byte: u32;
      do {
        if (s >= sourceEnd) return -1;
        byte = load<u8>(s++) as u32;
        literals += byte as usize;
        if (literals > (capacity as usize)) return -1;
      } while (byte == 255);
    }
    if (literals > sourceEnd - s || literals > targetEnd - d) return -1;
    if (literals <= 16) v128.store(d, v128.load(s));
    else memory.copy(d, s, literals);
    s += literals;
    d += literals;
    // The last sequence ends after its literals.
    if (s == sourceEnd) return (d - target) as i32;
    if (sourceEnd - s < 2) return -1;
    const offset = load<u16>(s) as usize;
    s += 2;
    let length = (token & 15) as usize;
    if (length == 15) {
      let byte: u32;
      do {
        if (s >= sourceEnd) return -1;
        byte = load<u8>(s++) as u32;
        length += byte as usize;
        if (length > (capacity as usize)) return -1;
      } while (byte == 255);
    }
    length += 4;
    if (offset == 0 || offset > d - target || length > targetEnd - d) return -1;
    copyMatch(d, offset, length);
    d += length;
  }
  return -1;
}
