import { COUNTS, HUFFMAN, HUFFMAN_BITS, NEXT, RESULT, WEIGHTS, WEIGHTS_TABLE } from './zstd-workspace';

function highBit(value: u32): u32 {
  return 31 - clz<u32>(value);
}

/** Bits of a stream that is read backwards, up to its end mark; −1 when it has none. */
export function backwardBits(source: usize, bytes: u32): i32 {
  if (bytes == 0) return -1;
  const last = load<u8>(source + (bytes as usize) - 1) as u32;
  if (last == 0) return -1;
  return (((bytes - 1) << 3) + highBit(last)) as i32;
}

/** Fills an FSE table from the counts in the workspace. False when they do not fit. */
export function buildTable(workspace: usize, table: usize, accuracy: u32, symbols: u32): bool {
  const counts = workspace + COUNTS;
  const next = workspace + NEXT;
  const size: u32 = 1 << accuracy;
  const mask = size - 1;
  let high: i32 = (size as i32) - 1;
  for (let s: u32 = 0; s < symbols; s++) {
    const count = load<i16>(counts + ((s as usize) << 1)) as i32;
    if (count == -1) {
      if (high < 0) return false;
      store<u32>(table + ((high as usize) << 2), s);
      high--;
      store<u16>(next + ((s as usize) << 1), 1);
    } else {
      store<u16>(next + ((s as usize) << 1), count as u16);
    }
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let position: u32 = 0;
  for (let s: u32 = 0; s < symbols; s++) {
    const count = load<i16>(counts + ((s as usize) << 1)) as i32;
    for (let i = 0; i < count; i++) {
      store<u32>(table + ((position as usize) << 2), s);
      do {
        position = (position + step) & mask;
      } while ((position as i32) > high);
    }
  }
  if (position != 0) return false;
  for (let state: u32 = 0; state < size; state++) {
    const at = table + ((state as usize) << 2);
    const s = load<u32>(at);
    const x = load<u16>(next + ((s as usize) << 1)) as u32;
    store<u16>(next + ((s as usize) << 1), (x + 1) as u16);
    const bits = accuracy - highBit(x);
    store<u32>(at, s | (bits << 8) | (((x << bits) - size) << 16));
  }
  return true;
}

/**
 * Reads an FSE table description; counts go to the workspace, accuracy and symbol count to its result. Returns its bytes, −1 when damaged.
 */
export function readCounts(workspace: usize, source: usize, bytes: u32, maxAccuracy: u32, maxSymbols: u32): i32 {
  const bitsEnd = (bytes as u64) << 3;
  if (bytes == 0) return -1;
  const accuracy = ((load<u8>(source) as u32) & 15) + 5;
  if (accuracy > maxAccuracy) return -1;
  let position: u64 = 4;
  let remaining: i32 = 1 << accuracy;
  let symbol: u32 = 0;
  const counts = workspace + COUNTS;
  while (remaining > 0) {
    if (symbol >= maxSymbols) return -1;
    const bits = highBit((remaining + 1) as u32) + 1;
    if (position >= bitsEnd) return -1;
    let value =
      ((load<u32>(source + ((position >> 3) as usize)) >> ((position & 7) as u32)) as u32) & ((1 << bits) - 1);
    position += bits as u64;
    const lower: u32 = (1 << (bits - 1)) - 1;
    const threshold: u32 = (1 << bits) - 1 - ((remaining + 1) as u32);
    if ((value & lower) < threshold) {
      position--;
      value &= lower;
    } else if (value > lower) {
      value -= threshold;
    }
    const probability = (value as i32) - 1;
    remaining -= probability < 0 ? 1 : probability;
    store<i16>(counts + ((symbol as usize) << 1), probability as i16);
    symbol++;
    if (probability == 0) {
      let repeat: u32 = 3;
      while (repeat == 3) {
        if (position >= bitsEnd) return -1;
        repeat = ((load<u16>(source + ((position >> 3) as usize)) as u32) >> ((position & 7) as u32)) & 3;
        position += 2;
        if (symbol + repeat > maxSymbols) return -1;
        for (let i: u32 = 0; i < repeat; i++) {
          store<i16>(counts + ((symbol as usize) << 1), 0);
          symbol++;
        }
      }
    }
  }
  if (remaining < 0 || position > bitsEnd) return -1;
  store<u32>(workspace + RESULT, accuracy);
  store<u32>(workspace + RESULT, symbol, 4);
  return ((position + 7) >> 3) as i32;
}

/** FSE-coded Huffman weights; how many there are, −1 when damaged. */
function readWeights(workspace: usize, source: usize, bytes: u32): i32 {
  const used = readCounts(workspace, source, bytes, 6, 256);
  if (used < 0) return -1;
  const accuracy = load<u32>(workspace + RESULT);
  const table = workspace + WEIGHTS_TABLE;
  if (!buildTable(workspace, table, accuracy, load<u32>(workspace + RESULT, 4))) return -1;
  const stream = source + (used as usize);
  let bits = backwardBits(stream, bytes - (used as u32));
  if (bits < 0) return -1;
  bits -= (accuracy << 1) as i32;
  if (bits < 0) return -1;
  const mask: u32 = (1 << accuracy) - 1;
  const start = load<u32>(stream + ((bits >> 3) as usize)) >> ((bits & 7) as u32);
  let odd = start & mask;
  let even = (start >> accuracy) & mask;
  const weights = workspace + WEIGHTS;
  let count: i32 = 0;
  // Two states take turns; the stream ends in the middle of an update, and the other state has one more symbol.
  while (true) {
    if (count > 253) return -1;
    const entry = load<u32>(table + ((even as usize) << 2));
    store<u8>(weights + (count as usize), entry as u8);
    count++;
    const n = ((entry >> 8) & 255) as i32;
    if (n > bits) {
      store<u8>(weights + (count as usize), load<u32>(table + ((odd as usize) << 2)) as u8);
      return count + 1;
    }
    bits -= n;
    const rest = (load<u32>(stream + ((bits >> 3) as usize)) >> ((bits & 7) as u32)) & ((1 << n) - 1);
    even = odd;
    odd = (entry >> 16) + rest;
  }
}

/** Reads a Huffman tree description and builds the table. Returns its bytes, −1 when damaged. */
export function readHuffman(workspace: usize, source: usize, bytes: u32): i32 {
  if (bytes == 0) return -1;
  const header = load<u8>(source) as u32;
  const weights = workspace + WEIGHTS;
  let count: i32;
  let used: u32;
  if (header >= 128) {
    count = (header - 127) as i32;
    used = 1 + (((count + 1) >> 1) as u32);
    if (used > bytes) return -1;
    for (let i: i32 = 0; i < count; i++) {
      const byte = load<u8>(source + 1 + ((i >> 1) as usize)) as u32;
      store<u8>(weights + (i as usize), (i & 1) == 0 ? byte >> 4 : byte & 15);
    }
  } else {
    used = 1 + header;
    if (used > bytes) return -1;
    count = readWeights(workspace, source + 1, header);
    if (count < 0) return -1;
  }
  let sum: u32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const weight = load<u8>(weights + (i as usize)) as u32;
    if (weight > 11) return -1;
    if (weight > 0) sum += 1 << (weight - 1);
  }
  if (sum == 0) return -1;
  const maxBits = highBit(sum) + 1;
  if (maxBits > 11) return -1;
  const rest = (1 << maxBits) - sum;
  if ((rest & (rest - 1)) != 0) return -1;
  store<u8>(weights + (count as usize), highBit(rest) + 1);
  count++;
  // Symbols by weight, those of the least weight (the longest codes) first.
  const table = workspace + HUFFMAN;
  let position: u32 = 0;
  for (let weight: u32 = 1; weight <= maxBits; weight++) {
    const entries: u32 = 1 << (weight - 1);
    const bits = maxBits + 1 - weight;
    for (let i: i32 = 0; i < count; i++) {
      if ((load<u8>(weights + (i as usize)) as u32) != weight) continue;
      const entry: u32 = (i as u32) | (bits << 8);
      for (let e: u32 = 0; e < entries; e++) {
        store<u16>(table + ((position as usize) << 1), entry as u16);
        position++;
      }
    }
  }
  if (position != (1 as u32) << maxBits) return -1;
  store<u32>(workspace + HUFFMAN_BITS, maxBits);
  return used as i32;
}

/** Decodes one Huffman stream of `count` symbols. */
export function huffmanStream(workspace: usize, source: usize, bytes: u32, to: usize, count: u32): bool {
  let bits = backwardBits(source, bytes);
  if (bits < 0) return false;
  const table = workspace + HUFFMAN;
  const maxBits = load<u32>(workspace + HUFFMAN_BITS) as u64;
  const shift = 64 - maxBits;
  let o = to;
  const stop = to + (count as usize);
  // Five codes of at most 11 bits come from one load of 57 bits or more.
  while (o + 5 <= stop && bits >= 64) {
    const end = (bits + 7) >> 3;
    let window = load<u64>(source + (end as usize) - 8) << (((end << 3) - bits) as u64);
    let entry = load<u16>(table + (((window >> shift) as usize) << 1)) as u32;
    let n = entry >> 8;
    store<u8>(o, entry);
    window <<= n as u64;
    let taken = n;
    entry = load<u16>(table + (((window >> shift) as usize) << 1)) as u32;
    n = entry >> 8;
    store<u8>(o, entry, 1);
    window <<= n as u64;
    taken += n;
    entry = load<u16>(table + (((window >> shift) as usize) << 1)) as u32;
    n = entry >> 8;
    store<u8>(o, entry, 2);
    window <<= n as u64;
    taken += n;
    entry = load<u16>(table + (((window >> shift) as usize) << 1)) as u32;
    n = entry >> 8;
    store<u8>(o, entry, 3);
    window <<= n as u64;
    taken += n;
    entry = load<u16>(table + (((window >> shift) as usize) << 1)) as u32;
    store<u8>(o, entry, 4);
    taken += entry >> 8;
    bits -= taken as i32;
    o += 5;
  }
  const maxBits32 = maxBits as i32;
  while (o < stop) {
    const p = bits - maxBits32;
    const index =
      p >= 0
        ? (load<u32>(source + ((p >> 3) as usize)) >> ((p & 7) as u32)) & ((1 << maxBits32) - 1)
        : (load<u32>(source) << (-p as u32)) & ((1 << maxBits32) - 1);
    const entry = load<u16>(table + ((index as usize) << 1)) as u32;
    store<u8>(o++, entry);
    bits -= (entry >> 8) as i32;
    if (bits < 0) return false;
  }
  return bits == 0;
}
