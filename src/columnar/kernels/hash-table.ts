import { copyBytes, equalBytes } from './bytes';

// A hash table over rows: a directory of pieces by the top bits of the hash, each an open-addressing table of u64 slots
// (tag = high 32 bits of the hash, row address; 0 = free). The slot is a multiplicative remix of the whole tag, so that neither the
// shuffle's bits (low) nor the directory's (top) decide it.
//
// A piece: u32 address of slots, u32 mask, u32 used, u32 limit.
// A key: `fixedBytes` bytes (a multiple of 8, null slots and padding zero), then `viewCount` views.

const PIECE_MASK: usize = 4;
const PIECE_USED: usize = 8;
const PIECE_LIMIT: usize = 12;

// What a caller lends to a kernel that makes rows; `rows/hash-table.ts` beside has the same numbers.
const ROW_NEXT: usize = 0;
const ROW_END: usize = 4;
const BYTES_NEXT: usize = 8;
const BYTES_END: usize = 12;
const REASON: usize = 16;
const PIECE: usize = 20;
const MADE: usize = 24;

const NEEDS_PIECE: u32 = 1;
const NEEDS_ROWS: u32 = 2;
const NEEDS_BYTES: u32 = 3;

// Keys are looked up in blocks: first the slots of a whole block are loaded, then the rows they name, and only then are keys compared.
// The loads of the first two loops do not depend on one another, so that the processor waits for many cache lines at once.
const BLOCK: u32 = 512;
const blockRows = memory.data(2048);
const sink = memory.data(8);

/** Brings the slots of keys [from, to) and the rows they name into the caches. */
function warm(directory: usize, shift: u32, hashes: usize, from: u32, to: u32): void {
  for (let i = from; i < to; i++) {
    const tag = load<u32>(hashes + ((i as usize) << 3) + 4);
    const piece = pieceOf(directory, shift, tag);
    const slot = slotOf(tag, load<u32>(piece + PIECE_MASK));
    const row = load<u32>((load<u32>(piece) as usize) + ((slot as usize) << 3));
    store<u32>(blockRows + (((i - from) as usize) << 2), row);
  }
  let sum: u64 = 0;
  // Row 0 is no row, but may be read.
  for (let i: usize = 0; i < ((to - from) as usize); i++) {
    sum += load<u64>(load<u32>(blockRows + (i << 2)) as usize);
  }
  store<u64>(sink, sum);
}

/** Brings the slots of rows [from, to) that are about to be put in into the caches, and the rows that head them. */
function warmForRows(directory: usize, shift: u32, rows: usize, from: u32, to: u32, tagOffset: u32): void {
  for (let i = from; i < to; i++) {
    const tag = load<u32>((load<u32>(rows + ((i as usize) << 2)) as usize) + (tagOffset as usize));
    const piece = pieceOf(directory, shift, tag);
    const slot = slotOf(tag, load<u32>(piece + PIECE_MASK));
    const row = load<u32>((load<u32>(piece) as usize) + ((slot as usize) << 3));
    store<u32>(blockRows + (((i - from) as usize) << 2), row);
  }
  let sum: u64 = 0;
  for (let i: usize = 0; i < ((to - from) as usize); i++) {
    sum += load<u64>(load<u32>(blockRows + (i << 2)) as usize);
  }
  store<u64>(sink, sum);
}

function slotOf(tag: u32, mask: u32): u32 {
  const h = tag * 0x9e3779b1;
  return (h ^ (h >> 15)) & mask;
}

function pieceOf(directory: usize, shift: u32, tag: u32): usize {
  // shift = 31 − bits, so that 0 bits need no shift by 32.
  return load<u32>(directory + ((((tag >> 1) >> shift) as usize) << 2)) as usize;
}

/** Small enough to be inlined: most keys differ in their first 8 bytes, or are no longer. */
function equalKeys(row: usize, key: usize, fixedBytes: u32, viewCount: u32): bool {
  if (fixedBytes == 8 && viewCount == 0) return load<u64>(row) == load<u64>(key);
  return equalLongKeys(row, key, fixedBytes, viewCount);
}

function equalLongKeys(row: usize, key: usize, fixedBytes: u32, viewCount: u32): bool {
  let at: usize = 0;
  const fixed = fixedBytes as usize;
  while (at < fixed) {
    if (load<u64>(row + at) != load<u64>(key + at)) return false;
    at += 8;
  }
  for (let v: u32 = 0; v < viewCount; v++) {
    const length = load<u32>(row + at + 4);
    if (length != load<u32>(key + at + 4)) return false;
    const a = load<u32>(row + at) as usize;
    const b = load<u32>(key + at) as usize;
    if (a != b && !equalBytes(a, b, length)) return false;
    at += 8;
  }
  return true;
}

/**
 * Finds or makes the group row of each key [start, count): its address goes to `groups`. New rows are bumped from the lent space
 * (state: next and end of rows, next and end of string bytes), start with the key (string bytes copied) and are zero behind it.
 * Returns `count`, or the key at which something ran out: state then says what (1 a piece is full, and which; 2 row space; 3 bytes).
 * The state's count of made rows goes up.
 */
export function findOrMakeGroups(
  directory: usize,
  shift: u32,
  hashes: usize,
  keys: usize,
  fixedBytes: u32,
  viewCount: u32,
  rowWidth: u32,
  start: u32,
  count: u32,
  groups: usize,
  large: u32,
  state: usize,
): u32 {
  const keyBytes = fixedBytes + (viewCount << 3);
  let lastHash: u64 = 0;
  let lastRow: u32 = 0;
  let warmed = large != 0 ? start : count;
  for (let i = start; i < count; i++) {
    if (i == warmed) {
      warmed = min(i + BLOCK, count);
      warm(directory, shift, hashes, i, warmed);
    }
    const hash = load<u64>(hashes + ((i as usize) << 3));
    // Equal keys often follow one another.
    if (hash == lastHash && lastRow != 0) {
      if (equalKeys(lastRow as usize, keys + ((i * keyBytes) as usize), fixedBytes, viewCount)) {
        store<u32>(groups + ((i as usize) << 2), lastRow);
        continue;
      }
    }
    const tag = (hash >> 32) as u32;
    const piece = pieceOf(directory, shift, tag);
    const slots = load<u32>(piece) as usize;
    const mask = load<u32>(piece + PIECE_MASK);
    const key = keys + ((i * keyBytes) as usize);
    let slot = slotOf(tag, mask);
    let row: u32 = 0;
    while (true) {
      const entry = slots + ((slot as usize) << 3);
      row = load<u32>(entry);
      if (row == 0) break;
      if (load<u32>(entry + 4) == tag && equalKeys(row as usize, key, fixedBytes, viewCount)) break;
      slot = (slot + 1) & mask;
    }
    if (row == 0) {
      const used = load<u32>(piece + PIECE_USED);
      if (used >= load<u32>(piece + PIECE_LIMIT)) {
        store<u32>(state + REASON, NEEDS_PIECE);
        store<u32>(state + PIECE, piece as u32);
        return i;
      }
      row = load<u32>(state + ROW_NEXT);
      if (load<u32>(state + ROW_END) - row < rowWidth) {
        store<u32>(state + REASON, NEEDS_ROWS);
        return i;
      }
      if (viewCount != 0) {
        let bytes = load<u32>(state + BYTES_NEXT);
        let needed: u64 = 0;
        for (let v: u32 = 0; v < viewCount; v++)
          needed += load<u32>(key + ((fixedBytes + (v << 3) + 4) as usize)) as u64;
        if (((load<u32>(state + BYTES_END) - bytes) as u64) < needed) {
          store<u32>(state + REASON, NEEDS_BYTES);
          return i;
        }
        for (let v: u32 = 0; v < viewCount; v++) {
          const at = (fixedBytes + (v << 3)) as usize;
          const length = load<u32>(key + at + 4);
          copyBytes(bytes as usize, load<u32>(key + at) as usize, length);
          store<u32>((row as usize) + at, bytes);
          store<u32>((row as usize) + at + 4, length);
          bytes += length;
        }
        store<u32>(state + BYTES_NEXT, bytes);
      }
      for (let at: usize = 0; at < (fixedBytes as usize); at += 8) {
        store<u64>((row as usize) + at, load<u64>(key + at));
      }
      memory.fill((row as usize) + (keyBytes as usize), 0, (rowWidth - keyBytes) as usize);
      store<u32>(state + ROW_NEXT, row + rowWidth);
      store<u32>(state + MADE, load<u32>(state + MADE) + 1);
      store<u32>(piece + PIECE_USED, used + 1);
      const entry = slots + ((slot as usize) << 3);
      store<u32>(entry, row);
      store<u32>(entry + 4, tag);
    }
    store<u32>(groups + ((i as usize) << 2), row);
    lastHash = hash;
    lastRow = row;
  }
  return count;
}

function place(slots: usize, mask: u32, entry: u64): void {
  let slot = slotOf((entry >> 32) as u32, mask);
  while (load<u32>(slots + ((slot as usize) << 3)) != 0) slot = (slot + 1) & mask;
  store<u64>(slots + ((slot as usize) << 3), entry);
}

/** Moves the entries of a table into a larger, zeroed one. */
export function growTable(slots: usize, mask: u32, toSlots: usize, toMask: u32): void {
  for (let s: usize = 0; s <= (mask as usize); s++) {
    const entry = load<u64>(slots + (s << 3));
    if ((entry as u32) != 0) place(toSlots, toMask, entry);
  }
}

/**
 * Splits a table into two zeroed ones by bit `bit` of the tag (31 = its top bit). Returns how many entries went to the second.
 */
export function splitTable(slots: usize, mask: u32, bit: u32, zeros: usize, ones: usize, toMask: u32): u32 {
  let moved: u32 = 0;
  for (let s: usize = 0; s <= (mask as usize); s++) {
    const entry = load<u64>(slots + (s << 3));
    if ((entry as u32) == 0) continue;
    if ((((entry >> 32) as u32) >> bit) & 1) {
      place(ones, toMask, entry);
      moved++;
    } else {
      place(zeros, toMask, entry);
    }
  }
  return moved;
}

/**
 * Puts rows (addresses [start, count), each beginning with its key) into the table as chains of rows with equal keys: the row at the
 * head is the one put in last; the u32 at `nextOffset` leads to the one before, or is 0. The tag of a row's hash is the u32 at
 * `tagOffset`. Returns `count`, or the row at which a piece was full (state names the piece).
 */
export function chainRows(
  directory: usize,
  shift: u32,
  rows: usize,
  start: u32,
  count: u32,
  fixedBytes: u32,
  viewCount: u32,
  tagOffset: u32,
  nextOffset: u32,
  state: usize,
): u32 {
  let warmed = start;
  for (let i = start; i < count; i++) {
    if (i == warmed) {
      warmed = min(i + BLOCK, count);
      warmForRows(directory, shift, rows, i, warmed, tagOffset);
    }
    const row = load<u32>(rows + ((i as usize) << 2)) as usize;
    const tag = load<u32>(row + (tagOffset as usize));
    const piece = pieceOf(directory, shift, tag);
    const slots = load<u32>(piece) as usize;
    const mask = load<u32>(piece + PIECE_MASK);
    let slot = slotOf(tag, mask);
    while (true) {
      const entry = slots + ((slot as usize) << 3);
      const head = load<u32>(entry);
      if (head == 0) {
        const used = load<u32>(piece + PIECE_USED);
        if (used >= load<u32>(piece + PIECE_LIMIT)) {
          store<u32>(state + REASON, NEEDS_PIECE);
          store<u32>(state + PIECE, piece as u32);
          return i;
        }
        store<u32>(piece + PIECE_USED, used + 1);
        store<u32>(row + (nextOffset as usize), 0);
        store<u32>(entry, row as u32);
        store<u32>(entry + 4, tag);
        break;
      }
      if (load<u32>(entry + 4) == tag && equalKeys(head as usize, row, fixedBytes, viewCount)) {
        store<u32>(row + (nextOffset as usize), head);
        store<u32>(entry, row as u32);
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return count;
}

/** The row that heads the chain of each key, or 0; `validity` (0 = none) marks keys that match nothing. Returns how many match. */
export function probeChains(
  directory: usize,
  shift: u32,
  hashes: usize,
  keys: usize,
  fixedBytes: u32,
  viewCount: u32,
  validity: usize,
  count: u32,
  heads: usize,
  large: u32,
): u32 {
  const keyBytes = fixedBytes + (viewCount << 3);
  let matches: u32 = 0;
  let lastHash: u64 = 0;
  let lastHead: u32 = 0;
  let warmed = large != 0 ? 0 : count;
  for (let i: u32 = 0; i < count; i++) {
    if (i == warmed) {
      warmed = min(i + BLOCK, count);
      warm(directory, shift, hashes, i, warmed);
    }
    let head: u32 = 0;
    if (validity == 0 || ((load<u8>(validity + ((i >> 3) as usize)) >> ((i & 7) as u8)) & 1) != 0) {
      const hash = load<u64>(hashes + ((i as usize) << 3));
      if (hash == lastHash && lastHead != 0) {
        if (equalKeys(lastHead as usize, keys + ((i * keyBytes) as usize), fixedBytes, viewCount)) {
          matches++;
          store<u32>(heads + ((i as usize) << 2), lastHead);
          continue;
        }
      }
      const tag = (hash >> 32) as u32;
      const piece = pieceOf(directory, shift, tag);
      const slots = load<u32>(piece) as usize;
      const mask = load<u32>(piece + PIECE_MASK);
      const key = keys + ((i * keyBytes) as usize);
      let slot = slotOf(tag, mask);
      while (true) {
        const entry = slots + ((slot as usize) << 3);
        head = load<u32>(entry);
        if (head == 0) break;
        if (load<u32>(entry + 4) == tag && equalKeys(head as usize, key, fixedBytes, viewCount)) break;
        slot = (slot + 1) & mask;
      }
      lastHash = hash;
      lastHead = head;
    }
    if (head != 0) matches++;
    store<u32>(heads + ((i as usize) << 2), head);
  }
  return matches;
}

/**
 * Walks chains: pairs (position in `heads`, row) in order, at most `capacity`, into `positions` and `rows`. `cursor` holds (u32
 * position, u32 next row of that position, 0 = its head is still to be taken) and is moved on. Returns the number of pairs; the walk
 * is over when the cursor's position is `count`. With `outer`, a position without a chain gives one pair with row 0.
 */
export function walkChains(
  heads: usize,
  count: u32,
  nextOffset: u32,
  cursor: usize,
  positions: usize,
  rows: usize,
  capacity: u32,
  outer: u32,
): u32 {
  let position = load<u32>(cursor);
  let row = load<u32>(cursor + 4);
  let made: u32 = 0;
  while (position < count) {
    if (row == 0) {
      row = load<u32>(heads + ((position as usize) << 2));
      if (row == 0 && outer != 0) {
        if (made == capacity) break;
        store<u32>(positions + ((made as usize) << 2), position);
        store<u32>(rows + ((made as usize) << 2), 0);
        made++;
      }
    }
    while (row != 0) {
      if (made == capacity) {
        store<u32>(cursor, position);
        store<u32>(cursor + 4, row);
        return made;
      }
      store<u32>(positions + ((made as usize) << 2), position);
      store<u32>(rows + ((made as usize) << 2), row);
      made++;
      row = load<u32>((row as usize) + (nextOffset as usize));
    }
    position++;
  }
  store<u32>(cursor, position);
  store<u32>(cursor + 4, 0);
  return made;
}

/** Marks all rows of each chain; a chain whose head is marked already is done. */
export function visitChains(heads: usize, count: u32, nextOffset: u32, markOffset: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    let row = load<u32>(heads + ((i as usize) << 2)) as usize;
    if (row == 0 || load<u8>(row + (markOffset as usize)) != 0) continue;
    while (row != 0) {
      store<u8>(row + (markOffset as usize), 1);
      row = load<u32>(row + (nextOffset as usize)) as usize;
    }
  }
}

/** One byte per head: 1 where it is not 0. */
export function headFlags(heads: usize, count: u32, flags: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u8>(flags + i, load<u32>(heads + (i << 2)) != 0 ? 1 : 0);
  }
}

/** Sets the flag (one byte) of each position. */
export function flagPositions(positions: usize, count: u32, flags: usize): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    store<u8>(flags + (load<u32>(positions + (i << 2)) as usize), 1);
  }
}

/** Positions whose flag is `wanted` (0 or 1), ascending; returns how many. */
export function selectFlags(flags: usize, count: u32, wanted: u32, positions: usize): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if ((load<u8>(flags + (i as usize)) as u32) != wanted) continue;
    store<u32>(positions + ((found as usize) << 2), i);
    found++;
  }
  return found;
}

/**
 * Pairs in the order of positions, with (position, row 0) for those of [from, to) whose flag is 0: `positions` is ascending, its
 * positions are flagged, and none is past `to`. Returns how many pairs went to `toPositions` and `toRows`.
 */
export function fillUnmatched(
  positions: usize,
  rows: usize,
  count: u32,
  flags: usize,
  from: u32,
  to: u32,
  toPositions: usize,
  toRows: usize,
): u32 {
  let made: u32 = 0;
  let i: u32 = 0;
  for (let position = from; position <= to; position++) {
    while (i < count && load<u32>(positions + ((i as usize) << 2)) == position) {
      store<u32>(toPositions + ((made as usize) << 2), position);
      store<u32>(toRows + ((made as usize) << 2), load<u32>(rows + ((i as usize) << 2)));
      made++;
      i++;
    }
    if (position < to && load<u8>(flags + (position as usize)) == 0) {
      store<u32>(toPositions + ((made as usize) << 2), position);
      store<u32>(toRows + ((made as usize) << 2), 0);
      made++;
    }
  }
  return made;
}

/** Positions whose head is (not) 0, ascending, to `positions`, and the heads of those to `rows` (0 = not wanted). */
export function selectHeads(heads: usize, count: u32, wanted: u32, positions: usize, rows: usize): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const head = load<u32>(heads + ((i as usize) << 2));
    if ((head != 0 ? <u32>1 : <u32>0) != wanted) continue;
    store<u32>(positions + ((found as usize) << 2), i);
    if (rows != 0) store<u32>(rows + ((found as usize) << 2), head);
    found++;
  }
  return found;
}

/**
 * Rows of dictionary-coded keys by a map from combined code to group row (0 = not met, 1 = met in this call). Known ones go to
 * `groups`; the first position of every unmet code goes to `missing`. Returns how many are missing; positions whose group is still 1
 * are filled by a second call once the map is.
 */
export function groupsByCode(codes: usize, count: u32, map: usize, groups: usize, missing: usize): u32 {
  let found: u32 = 0;
  for (let i: usize = 0; i < (count as usize); i++) {
    const at = map + ((load<u32>(codes + (i << 2)) as usize) << 2);
    const group = load<u32>(at);
    if (group == 0) {
      store<u32>(at, 1);
      store<u32>(missing + ((found as usize) << 2), i as u32);
      found++;
    }
    store<u32>(groups + (i << 2), group);
  }
  return found;
}

/** `combined[i] = combined[i] · size + code`, where a null has the code `size − 1`; `first` starts at 0. */
export function combineCodes(codes: usize, validity: usize, count: u32, size: u32, combined: usize, first: u32): void {
  for (let i: usize = 0; i < (count as usize); i++) {
    let code = load<u32>(codes + (i << 2));
    if (validity != 0 && ((load<u8>(validity + (i >> 3)) >> ((i & 7) as u8)) & 1) == 0) code = size - 1;
    const at = combined + (i << 2);
    store<u32>(at, first != 0 ? code : load<u32>(at) * size + code);
  }
}
