import { copyMatch } from './match-copy';
import { backwardBits, buildTable, readCounts } from './zstd-entropy';
import { readLiterals } from './zstd-literals';
import {
  COUNTS,
  LITERAL_LENGTHS,
  LL_ACCURACY,
  MATCH_LENGTHS,
  ML_ACCURACY,
  NONE,
  OFFSETS,
  OF_ACCURACY,
  REPEAT_1,
  REPEAT_2,
  REPEAT_3,
  RESULT,
} from './zstd-workspace';

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

/** Decodes a compressed block to `to`. Returns the bytes written, −1 when damaged. */
export function decodeBlock(
  workspace: usize,
  source: usize,
  bytes: u32,
  frameStart: usize,
  to: usize,
  targetEnd: usize,
): i32 {
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
