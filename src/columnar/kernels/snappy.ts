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
      if (length <= 16) v128.store(d, v128.load(s));
      else memory.copy(d, s, length);
      s += length;
      d += length;
      continue;
    }
    let length: usize;
    let offset: usize;
    if (kind == 1) {
      if (s >= sourceEnd) return -1;
      length = (((tag >> 2) & 7) + 4) as usize;
      offset = (((tag >> 5) << 8) | (load<u8>(s) as u32)) as usize;
      s += 1;
    } else if (kind == 2) {
      if (sourceEnd - s < 2) return -1;
      length = ((tag >> 2) + 1) as usize;
      offset = load<u16>(s) as usize;
      s += 2;
    } else {
      if (sourceEnd - s < 4) return -1;
      length = ((tag >> 2) + 1) as usize;
      offset = load<u32>(s) as usize;
      s += 4;
    }
    if (offset == 0 || offset > d - target || length > targetEnd - d) return -1;
    copyMatch(d, offset, length);
    d += length;
  }
  return d == targetEnd ? (declared as i32) : -1;
}
