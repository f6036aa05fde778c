// The one hash of the engine (engine rule 7.2): of values, whatever their encoding and layout, the same in every process.
// A row's hash starts at SEED and takes in one 64-bit word per key column. Low 32 bits: shuffle buckets; high 32: hash tables.

const SEED: u64 = 0x243f6a8885a308d3;
const SPREAD: u64 = 0x9e3779b97f4a7c15;
const NULL_WORD: u64 = 0x452821e638d01377;
const LENGTH_WORD: u64 = 0xa0761d6478bd642f;

function mix(x: u64): u64 {
  let h = x;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93;
  h ^= h >> 32;
  return h;
}

/** The hash after one more key column. */
function combine(hash: u64, word: u64): u64 {
  return mix((hash * SPREAD) ^ word);
}

/** The word of an integer or decimal: itself while it fits 64 bits signed, whatever the layout. */
function word128(low: u64, high: u64): u64 {
  return high == (((low as i64) >> 63) as u64) ? low : low ^ mix(high + SPREAD);
}

function wordF64(value: f64): u64 {
  if (value != value) return 0x7ff8000000000000;
  // −0 + 0 is +0.
  return reinterpret<u64>(value + 0.0);
}

/** Reads nothing outside [address, address + length). */
function wordBytes(address: usize, length: u32): u64 {
  let h = (length as u64) * LENGTH_WORD;
  let at = address;
  let left = length;
  while (left >= 8) {
    h = mix((h * SPREAD) ^ load<u64>(at));
    at += 8;
    left -= 8;
  }
  if (left == 0) return h;
  let tail: u64 = 0;
  if (left >= 4) {
    tail = (load<u32>(at) as u64) | ((load<u32>(at + (left as usize) - 4) as u64) << 32);
  } else {
    tail =
      (load<u8>(at) as u64) |
      ((load<u8>(at + ((left >> 1) as usize)) as u64) << 8) |
      ((load<u8>(at + (left as usize) - 1) as u64) << 16);
  }
  return mix((h * SPREAD) ^ tail);
}

// Kinds of key words; `rows/key-kind.ts` beside has the same numbers.
const I8: u32 = 0;
const I16: u32 = 1;
const I32: u32 = 2;
const I64: u32 = 3;
const U8: u32 = 4;
const U16: u32 = 5;
const U32: u32 = 6;
const U64: u32 = 7;
const F32: u32 = 8;
const F64: u32 = 9;
const I128: u32 = 10;
const VIEW: u32 = 11;
const INTERVAL: u32 = 12;

function wordOf<T>(values: usize, slot: usize): u64 {
  if (isFloat<T>()) return wordF64(load<T>(values + slot * sizeof<T>()) as f64);
  if (isSigned<T>()) return load<T>(values + slot * sizeof<T>()) as i64 as u64;
  if (sizeof<T>() == 8) return word128(load<u64>(values + (slot << 3)), 0);
  return load<T>(values + slot * sizeof<T>()) as u64;
}

function wordAt(kind: u32, values: usize, slot: usize): u64 {
  switch (kind) {
    case I8:
      return wordOf<i8>(values, slot);
    case I16:
      return wordOf<i16>(values, slot);
    case I32:
      return wordOf<i32>(values, slot);
    case I64:
      return wordOf<i64>(values, slot);
    case U8:
      return wordOf<u8>(values, slot);
    case U16:
      return wordOf<u16>(values, slot);
    case U32:
      return wordOf<u32>(values, slot);
    case U64:
      return wordOf<u64>(values, slot);
    case F32:
      return wordOf<f32>(values, slot);
    case F64:
      return wordOf<f64>(values, slot);
    case I128:
      return word128(load<u64>(values + (slot << 4)), load<u64>(values + (slot << 4) + 8));
    case VIEW:
      return wordBytes(load<u32>(values + (slot << 3)) as usize, load<u32>(values + (slot << 3) + 4));
    case INTERVAL:
      return load<u64>(values + (slot << 4)) ^ mix(load<u64>(values + (slot << 4) + 8) + SPREAD);
    default:
      return NULL_WORD;
  }
}

function hashFixed<T>(values: usize, codes: usize, validity: usize, count: u32, hashes: usize, first: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    let word = NULL_WORD;
    if (validity == 0 || ((load<u8>(validity + (i >> 3)) >> ((i & 7) as u8)) & 1) != 0) {
      word = wordOf<T>(values, codes == 0 ? i : (load<u32>(codes + (i << 2)) as usize));
    }
    const at = hashes + (i << 3);
    store<u64>(at, combine(first != 0 ? SEED : load<u64>(at), word));
  }
}

/** For kinds whose word costs more than the switch. */
function hashAny(kind: u32, values: usize, codes: usize, validity: usize, count: u32, hashes: usize, first: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    let word = NULL_WORD;
    if (validity == 0 || ((load<u8>(validity + (i >> 3)) >> ((i & 7) as u8)) & 1) != 0) {
      word = wordAt(kind, values, codes == 0 ? i : (load<u32>(codes + (i << 2)) as usize));
    }
    const at = hashes + (i << 3);
    store<u64>(at, combine(first != 0 ? SEED : load<u64>(at), word));
  }
}

/**
 * Takes one dense key column into the row hashes (u64[count]); `first` starts them. `codes` 0 = flat values, else values are behind
 * codes; `validity` 0 = no nulls. An unknown kind is a column of nulls.
 */
export function hashColumn(
  kind: u32,
  values: usize,
  codes: usize,
  validity: usize,
  count: u32,
  hashes: usize,
  first: u32,
): void {
  if (kind == I64) hashFixed<i64>(values, codes, validity, count, hashes, first);
  else if (kind == I32) hashFixed<i32>(values, codes, validity, count, hashes, first);
  else if (kind == F64) hashFixed<f64>(values, codes, validity, count, hashes, first);
  else if (kind == U8) hashFixed<u8>(values, codes, validity, count, hashes, first);
  else if (kind == I16) hashFixed<i16>(values, codes, validity, count, hashes, first);
  else if (kind == I8) hashFixed<i8>(values, codes, validity, count, hashes, first);
  else if (kind == U16) hashFixed<u16>(values, codes, validity, count, hashes, first);
  else if (kind == U32) hashFixed<u32>(values, codes, validity, count, hashes, first);
  else if (kind == U64) hashFixed<u64>(values, codes, validity, count, hashes, first);
  else if (kind == F32) hashFixed<f32>(values, codes, validity, count, hashes, first);
  else hashAny(kind, values, codes, validity, count, hashes, first);
}

/** The key words of `count` flat values, for `hashWords` over the codes of a dictionary. */
export function keyWords(kind: u32, values: usize, count: u32, words: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) store<u64>(words + (i << 3), wordAt(kind, values, i));
}

/** As `hashColumn`, for codes whose values' words are known. */
export function hashWords(words: usize, codes: usize, validity: usize, count: u32, hashes: usize, first: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    let word = NULL_WORD;
    if (validity == 0 || ((load<u8>(validity + (i >> 3)) >> ((i & 7) as u8)) & 1) != 0) {
      word = load<u64>(words + ((load<u32>(codes + (i << 2)) as usize) << 3));
    }
    const at = hashes + (i << 3);
    store<u64>(at, combine(first != 0 ? SEED : load<u64>(at), word));
  }
}

/** Hashes of rows without key columns. */
export function hashNothing(count: u32, hashes: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) store<u64>(hashes + (i << 3), SEED);
}

/**
 * Groups rows by bucket = low 32 bits of the hash modulo `buckets`: row numbers, ascending within a bucket, to `indices`; the end of
 * each bucket in `indices` to `ends` (u32[buckets]).
 */
export function bucketRows(hashes: usize, count: u32, buckets: u32, indices: usize, ends: usize): void {
  memory.fill(ends, 0, (buckets as usize) << 2);
  const n = count as usize;
  for (let i: usize = 0; i < n; i++) {
    const at = ends + ((((load<u32>(hashes + (i << 3)) % buckets) as usize) << 2) as usize);
    store<u32>(at, load<u32>(at) + 1);
  }
  let start: u32 = 0;
  for (let b: usize = 0; b < (buckets as usize); b++) {
    const size = load<u32>(ends + (b << 2));
    store<u32>(ends + (b << 2), start);
    start += size;
  }
  // Each bucket's start walks to its end.
  for (let i: usize = 0; i < n; i++) {
    const at = ends + ((((load<u32>(hashes + (i << 3)) % buckets) as usize) << 2) as usize);
    const place = load<u32>(at);
    store<u32>(indices + ((place as usize) << 2), i as u32);
    store<u32>(at, place + 1);
  }
}
