/** Copies a match that may overlap itself; writes up to 15 bytes past its end. */
export function copyMatch(to: usize, offset: usize, length: usize): void {
  let d = to;
  let from = to - offset;
  const end = to + length;
  if (offset >= 16) {
    do {
      v128.store(d, v128.load(from));
      d += 16;
      from += 16;
    } while (d < end);
  } else if (offset >= 8) {
    do {
      store<u64>(d, load<u64>(from));
      d += 8;
      from += 8;
    } while (d < end);
  } else if (offset == 1) {
    memory.fill(d, load<u8>(from), length);
  } else {
    // The pattern doubles until a step of 8 bytes no longer reads what it has not written.
    let distance = offset;
    while (distance < 8 && d < end) {
      store<u64>(d, load<u64>(from));
      d += distance;
      distance <<= 1;
    }
    while (d < end) {
      store<u64>(d, load<u64>(d - distance));
      d += 8;
    }
  }
}
