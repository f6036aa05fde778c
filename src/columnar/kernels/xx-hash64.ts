const PRIME_1: u64 = 0x9e3779b185ebca87;
const PRIME_2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME_3: u64 = 0x165667b19e3779f9;
const PRIME_4: u64 = 0x85ebca77c2b2ae63;
const PRIME_5: u64 = 0x27d4eb2f165667c5;

function round(accumulator: u64, input: u64): u64 {
  return rotl<u64>(accumulator + input * PRIME_2, 31) * PRIME_1;
}

function mergeRound(hash: u64, accumulator: u64): u64 {
  return (hash ^ round(0, accumulator)) * PRIME_1 + PRIME_4;
}

/** XXH64 of a byte range with seed 0. */
export function xxHash64(source: usize, bytes: u32): u64 {
  let p = source;
  const end = source + (bytes as usize);
  let hash: u64;
  if (bytes >= 32) {
    let a: u64 = PRIME_1 + PRIME_2;
    let b: u64 = PRIME_2;
    let c: u64 = 0;
    let d: u64 = 0 - PRIME_1;
    do {
      a = round(a, load<u64>(p));
      b = round(b, load<u64>(p, 8));
      c = round(c, load<u64>(p, 16));
      d = round(d, load<u64>(p, 24));
      p += 32;
    } while (end - p >= 32);
    hash = rotl<u64>(a, 1) + rotl<u64>(b, 7) + rotl<u64>(c, 12) + rotl<u64>(d, 18);
    hash = mergeRound(mergeRound(mergeRound(mergeRound(hash, a), b), c), d);
  } else {
    hash = PRIME_5;
  }
  hash += bytes as u64;
  while (end - p >= 8) {
    hash = rotl<u64>(hash ^ round(0, load<u64>(p)), 27) * PRIME_1 + PRIME_4;
    p += 8;
  }
  if (end - p >= 4) {
    hash = rotl<u64>(hash ^ ((load<u32>(p) as u64) * PRIME_1), 23) * PRIME_2 + PRIME_3;
    p += 4;
  }
  while (p < end) {
    hash = rotl<u64>(hash ^ ((load<u8>(p) as u64) * PRIME_5), 11) * PRIME_1;
    p++;
  }
  hash = (hash ^ (hash >> 33)) * PRIME_2;
  hash = (hash ^ (hash >> 29)) * PRIME_3;
  return hash ^ (hash >> 32);
}
