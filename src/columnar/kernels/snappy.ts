import { copyMatch } from './match-copy';

/**
 * Decompresses a Snappy block. Both areas may be read, and the target written, up to 64 bytes past their ends; nothing beyond
 * `capacity` counts as output. Returns the number of bytes, or −1 when the block is damaged or does not fit.
 */
export function snappyDecompress(source: usize, sourceBytes: u32, target: usize, capacity: u32): i32 {
  let s = source;
  const sourceEnd = source + (sourceBytes as usize);
  let declared: u64 = 0;
  let shift: u64 = 0;
  while (true) {
    if (s >= sourceEnd || shift > 28) return -1;
    const byte = load<u8>(s++) as u64;
    declared |= (byte & 127) << shift;
    if (byte < 128) break;
    shift += 7;
  }
  if (declared > (capacity as u64)) return -1;
  let d = target;
  const targetEnd = target + (declared as usize);
  while (s < sourceEnd) {
    const tag = load<u8>(s++) as u32;
    const kind = tag & 3;
    if (kind == 0) {
      let length = ((tag >> 2) + 1) as usize;
      if (length <= 16) {
        if (length > sourceEnd - s || length > targetEnd - d) return -1;
        v128.store(d, v128.load(s));
        s += length;
        d += length;
        continue;
      }
      if (length > 60) {
        const extra = length - 60;
        if (extra > sourceEnd - s) return -1;
        // Bytes past `extra` are masked off; the over-read stays inside the padding.
        const raw = load<u32>(s) & ((0xffffffff as u32) >> ((4 - (extra as u32)) << 3));
        s += extra;
        if (raw == 0xffffffff) return -1;
        length = (raw as usize) + 1;
      }
      if (length > sourceEnd - s || length > targetEnd - d) return -1;
      memory.copy(d, s, length);
      s += length;
      d += length;
      continue;
    }
    // Copies of one and two offset bytes follow each other at random: both are computed, so that nothing is guessed.
    const next = load<u32>(s);
    const isNear = kind == 1;
    const length = select<u32>(((tag >> 2) & 7) + 4, (tag >> 2) + 1, isNear) as usize;
    let offset = select<u32>(((tag >> 5) << 8) | (next & 0xff), next & 0xffff, isNear) as usize;
    s += select<usize>(1, 2, isNear);
    if (kind == 3) {
      offset = next as usize;
      s += 2;
    }
    if (s > sourceEnd || offset == 0 || offset > d - target || length > targetEnd - d) return -1;
    if (offset >= 16 && length <= 16) v128.store(d, v128.load(d - offset));
    else copyMatch(d, offset, length);
    d += length;
  }
  return d == targetEnd ? (declared as i32) : -1;
}
