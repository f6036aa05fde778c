/**
 * Zstandard frames (RFC 8878) without dictionaries. A workspace of ZSTD_WORKSPACE_BYTES holds the tables and a block's literals:
 */
const HUFFMAN: usize = 0; // 2^11 entries of (u8 symbol, u8 bits)
const LITERAL_LENGTHS: usize = 4096; // FSE tables of u32 entries: symbol | bits << 8 | next state << 16
const OFFSETS: usize = 6144;
const MATCH_LENGTHS: usize = 7168;
const WEIGHTS_TABLE: usize = 9216;
const COUNTS: usize = 9472; // i16 per symbol
const NEXT: usize = 9984; // u16 per symbol
const WEIGHTS: usize = 10496; // u8 per symbol
const VARIABLES: usize = 10752;
const LITERALS: usize = 11264;

/** u32 variables of a frame. An accuracy of 0xff marks a table that was not read yet. */
const HUFFMAN_BITS: usize = VARIABLES;
const LL_ACCURACY: usize = VARIABLES + 4;
const OF_ACCURACY: usize = VARIABLES + 8;
const ML_ACCURACY: usize = VARIABLES + 12;
const REPEAT_1: usize = VARIABLES + 16;
const REPEAT_2: usize = VARIABLES + 20;
const REPEAT_3: usize = VARIABLES + 24;
/** What readers of headers hand back besides their result. */
const RESULT: usize = VARIABLES + 32;
const NONE: u32 = 0xff;

const BLOCK_MAX: u32 = 131072;

const LL_DEFAULT = memory.data<i8>([
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
]);
const OF_DEFAULT = memory.data<i8>([
  1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
]);
const ML_DEFAULT = memory.data<i8>([
  1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
]);
const LL_BASE = memory.data<u32>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024,
  2048, 4096, 8192, 16384, 32768, 65536,
]);
const LL_BITS = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);
const ML_BASE = memory.data<u32>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
  34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539,
]);
const ML_BITS = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3,
  3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);

function highBit(value: u32): u32 {
  return 31 - clz<u32>(value);
}

/** Bits of a stream that is read backwards, up to its end mark; −1 when it has none. */
function backwardBits(source: usize, bytes: u32): i32 {
  if (bytes == 0) return -1;
  const last = load<u8>(source + (bytes as usize) - 1) as u32;
  if (last == 0) return -1;
  return (((bytes - 1) << 3) + highBit(last)) as i32;
}

/** Fills an FSE table from the counts in the workspace. False when they do not fit. */
function buildTable(workspace: usize, table: usize, accuracy: u32, symbols: u32): bool {
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
function readCounts(workspace: usize, source: usize, bytes: u32, maxAccuracy: u32, maxSymbols: u32): i32 {
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
function readHuffman(workspace: usize, source: usize, bytes: u32): i32 {
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
function huffmanStream(workspace: usize, source: usize, bytes: u32, to: usize, count: u32): bool {
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

/**
 * Reads the literals section. Puts where the literals lie and how many there are into the result. Returns the section's bytes, −1 when
 * damaged.
 */
function readLiterals(workspace: usize, source: usize, bytes: u32): i32 {
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

/** Prepares one of the three tables of sequences. Returns the bytes read, −1 when damaged. */
function readTable(
  workspace: usize,
  source: usize,
  bytes: u32,
  mode: u32,
  table: usize,
  accuracyAt: usize,
  defaults: usize,
  defaultAccuracy: u32,
  defaultSymbols: u32,
  maxAccuracy: u32,
  maxSymbols: u32,
): i32 {
  if (mode == 0) {
    for (let i: u32 = 0; i < defaultSymbols; i++) {
      store<i16>(workspace + COUNTS + ((i as usize) << 1), load<i8>(defaults + (i as usize)) as i16);
    }
    store<u32>(workspace + accuracyAt, defaultAccuracy);
    return buildTable(workspace, workspace + table, defaultAccuracy, defaultSymbols) ? 0 : -1;
  }
  if (mode == 1) {
    if (bytes == 0) return -1;
    const symbol = load<u8>(source) as u32;
    if (symbol >= maxSymbols) return -1;
    store<u32>(workspace + table, symbol);
    store<u32>(workspace + accuracyAt, 0);
    return 1;
  }
  if (mode == 2) {
    const used = readCounts(workspace, source, bytes, maxAccuracy, maxSymbols);
    if (used < 0) return -1;
    const accuracy = load<u32>(workspace + RESULT);
    if (!buildTable(workspace, workspace + table, accuracy, load<u32>(workspace + RESULT, 4))) return -1;
    store<u32>(workspace + accuracyAt, accuracy);
    return used;
  }
  return load<u32>(workspace + accuracyAt) == NONE ? -1 : 0;
}

/** Copies a match that may overlap itself; writes up to 15 bytes past its end. */
function copyMatch(to: usize, offset: usize, length: usize): void {
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
  } else {
    while (d < end) store<u8>(d++, load<u8>(from++));
  }
}

/** Decodes a compressed block to `to`. Returns the bytes written, −1 when damaged. */
function decodeBlock(workspace: usize, source: usize, bytes: u32, frameStart: usize, to: usize, targetEnd: usize): i32 {
  const literalBytes = readLiterals(workspace, source, bytes);
  if (literalBytes < 0) return -1;
  let literal = load<u32>(workspace + RESULT) as usize;
  const literalEnd = literal + (load<u32>(workspace + RESULT, 4) as usize);
  let s = source + (literalBytes as usize);
  const end = source + (bytes as usize);
  let d = to;
  if (s >= end) return -1;
  const first = load<u8>(s++) as u32;
  let sequences = first;
  if (first >= 128) {
    if (first < 255) {
      if (s >= end) return -1;
      sequences = ((first - 128) << 8) + (load<u8>(s++) as u32);
    } else {
      if (end - s < 2) return -1;
      sequences = (load<u16>(s) as u32) + 0x7f00;
      s += 2;
    }
  }
  if (sequences > 0) {
    if (s >= end) return -1;
    const modes = load<u8>(s++) as u32;
    if ((modes & 3) != 0) return -1;
    let used = readTable(
      workspace,
      s,
      (end - s) as u32,
      modes >> 6,
      LITERAL_LENGTHS,
      LL_ACCURACY,
      LL_DEFAULT,
      6,
      36,
      9,
      36,
    );
    if (used < 0) return -1;
    s += used as usize;
    used = readTable(workspace, s, (end - s) as u32, (modes >> 4) & 3, OFFSETS, OF_ACCURACY, OF_DEFAULT, 5, 29, 8, 32);
    if (used < 0) return -1;
    s += used as usize;
    used = readTable(
      workspace,
      s,
      (end - s) as u32,
      (modes >> 2) & 3,
      MATCH_LENGTHS,
      ML_ACCURACY,
      ML_DEFAULT,
      6,
      53,
      9,
      53,
    );
    if (used < 0) return -1;
    s += used as usize;

    let bits = backwardBits(s, (end - s) as u32);
    if (bits < 0) return -1;
    const llTable = workspace + LITERAL_LENGTHS;
    const ofTable = workspace + OFFSETS;
    const mlTable = workspace + MATCH_LENGTHS;
    const llAccuracy = load<u32>(workspace + LL_ACCURACY);
    const ofAccuracy = load<u32>(workspace + OF_ACCURACY);
    const mlAccuracy = load<u32>(workspace + ML_ACCURACY);
    bits -= (llAccuracy + ofAccuracy + mlAccuracy) as i32;
    if (bits < 0) return -1;
    const start = load<u64>(s + ((bits >> 3) as usize)) >> ((bits & 7) as u64);
    let mlState = (start as u32) & ((1 << mlAccuracy) - 1);
    let ofState = ((start >> (mlAccuracy as u64)) as u32) & ((1 << ofAccuracy) - 1);
    let llState = ((start >> ((mlAccuracy + ofAccuracy) as u64)) as u32) & ((1 << llAccuracy) - 1);
    let repeat1 = load<u32>(workspace + REPEAT_1);
    let repeat2 = load<u32>(workspace + REPEAT_2);
    let repeat3 = load<u32>(workspace + REPEAT_3);

    for (let i: u32 = 0; i < sequences; i++) {
      const llEntry = load<u32>(llTable + ((llState as usize) << 2));
      const ofEntry = load<u32>(ofTable + ((ofState as usize) << 2));
      const mlEntry = load<u32>(mlTable + ((mlState as usize) << 2));
      const llCode = llEntry & 255;
      const ofCode = ofEntry & 255;
      const mlCode = mlEntry & 255;
      const llBits = load<u8>(LL_BITS + (llCode as usize)) as u32;
      const mlBits = load<u8>(ML_BITS + (mlCode as usize)) as u32;
      let literalLength = load<u32>(LL_BASE + ((llCode as usize) << 2));
      let matchLength = load<u32>(ML_BASE + ((mlCode as usize) << 2));
      // Offset, match and literal bits follow one another from the top.
      bits -= ofCode as i32;
      if (bits < 0) return -1;
      let offset =
        ((1 as u32) << ofCode) +
        (((load<u64>(s + ((bits >> 3) as usize)) >> ((bits & 7) as u64)) as u32) & (((1 as u32) << ofCode) - 1));
      bits -= (mlBits + llBits) as i32;
      if (bits < 0) return -1;
      const extra = load<u64>(s + ((bits >> 3) as usize)) >> ((bits & 7) as u64);
      literalLength += (extra as u32) & (((1 as u32) << llBits) - 1);
      matchLength += ((extra >> (llBits as u64)) as u32) & (((1 as u32) << mlBits) - 1);
      if (i + 1 < sequences) {
        const llNext = (llEntry >> 8) & 255;
        const ofNext = (ofEntry >> 8) & 255;
        const mlNext = (mlEntry >> 8) & 255;
        bits -= (llNext + ofNext + mlNext) as i32;
        if (bits < 0) return -1;
        const update = load<u64>(s + ((bits >> 3) as usize)) >> ((bits & 7) as u64);
        ofState = (ofEntry >> 16) + ((update as u32) & ((1 << ofNext) - 1));
        mlState = (mlEntry >> 16) + (((update >> (ofNext as u64)) as u32) & ((1 << mlNext) - 1));
        llState = (llEntry >> 16) + (((update >> ((ofNext + mlNext) as u64)) as u32) & ((1 << llNext) - 1));
      }
      if (offset > 3) {
        offset -= 3;
        repeat3 = repeat2;
        repeat2 = repeat1;
        repeat1 = offset;
      } else {
        const which = literalLength == 0 ? offset : offset - 1;
        if (which == 0) {
          offset = repeat1;
        } else {
          offset = which == 1 ? repeat2 : which == 2 ? repeat3 : repeat1 - 1;
          if (which > 1) repeat3 = repeat2;
          repeat2 = repeat1;
          repeat1 = offset;
        }
      }
      const length = literalLength as usize;
      if (length > literalEnd - literal || length > targetEnd - d) return -1;
      if (length <= 16) v128.store(d, v128.load(literal));
      else memory.copy(d, literal, length);
      literal += length;
      d += length;
      if (offset == 0 || (offset as usize) > d - frameStart || (matchLength as usize) > targetEnd - d) return -1;
      copyMatch(d, offset as usize, matchLength as usize);
      d += matchLength as usize;
    }
    if (bits != 0) return -1;
    store<u32>(workspace + REPEAT_1, repeat1);
    store<u32>(workspace + REPEAT_2, repeat2);
    store<u32>(workspace + REPEAT_3, repeat3);
  }
  const rest = literalEnd - literal;
  if (rest > targetEnd - d) return -1;
  memory.copy(d, literal, rest);
  d += rest;
  return (d - to) as i32;
}

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
