/**
 * Aggregate state inside group rows. `groups` holds one u32 address per input row; a group's state is at that address + `offset`.
 * `mask` is 0 or a bitmap of the rows that count (validity and filter, ANDed).
 */
import { bitAt, putBit } from './bitmap';

/** Whether all rows have the same group, so that state can stay in registers. */
function oneGroup(groups: usize, count: u32): bool {
  if (count == 0) return false;
  const first = load<u32>(groups);
  if (load<u32>(groups + (((count - 1) << 2) as usize)) != first) return false;
  if (load<u32>(groups + (((count >> 1) << 2) as usize)) != first) return false;
  for (let i: u32 = 1; i < count; i++) if (load<u32>(groups + ((i << 2) as usize)) != first) return false;
  return true;
}

function stateAt(groups: usize, row: u32, offset: u32): usize {
  return (load<u32>(groups + ((row << 2) as usize)) + offset) as usize;
}

/** State: i64 count. Adds the rows of each group. */
export function accumulateCount(groups: usize, count: u32, offset: u32, mask: usize): void {
  if (mask == 0 && oneGroup(groups, count)) {
    const at = stateAt(groups, 0, offset);
    store<i64>(at, load<i64>(at) + (count as i64));
    return;
  }
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = stateAt(groups, i, offset);
    store<i64>(at, load<i64>(at) + 1);
  }
}

/** State: i64 count. Adds the i64 values (partial counts). */
export function accumulateCounts(groups: usize, count: u32, offset: u32, values: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = stateAt(groups, i, offset);
    store<i64>(at, load<i64>(at) + load<i64>(values + ((i << 3) as usize)));
  }
}

/** State: u64 low, i64 high, i64 rows seen. Adds i64 values exactly. */
export function accumulateSumI64(groups: usize, count: u32, offset: u32, values: usize, mask: usize): void {
  if (mask == 0 && oneGroup(groups, count)) {
    let low: u64 = 0;
    let high: i64 = 0;
    for (let i: u32 = 0; i < count; i++) {
      const value = load<i64>(values + ((i << 3) as usize));
      low += value as u64;
      high += (value >> 63) + ((low < (value as u64)) as i64);
    }
    addSum(stateAt(groups, 0, offset), low, high, count as i64);
    return;
  }
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const value = load<i64>(values + ((i << 3) as usize));
    const at = stateAt(groups, i, offset);
    const low = load<u64>(at) + (value as u64);
    store<u64>(at, low);
    // Sums seldom leave 64 bits, and a store that the next row must wait for costs more than the question.
    const carry = (value >> 63) + ((low < (value as u64)) as i64);
    if (carry != 0) store<i64>(at, load<i64>(at, 8) + carry, 8);
    store<i64>(at, load<i64>(at, 16) + 1, 16);
  }
}

/** As `accumulateSumI64` for u64 values. */
export function accumulateSumU64(groups: usize, count: u32, offset: u32, values: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const value = load<u64>(values + ((i << 3) as usize));
    const at = stateAt(groups, i, offset);
    const low = load<u64>(at) + value;
    store<u64>(at, low);
    store<i64>(at, load<i64>(at, 8) + ((low < value) as i64), 8);
    store<i64>(at, load<i64>(at, 16) + 1, 16);
  }
}

/**
 * As `accumulateSumI64` for 16-byte values. `seen` is 0 or the address of i64 row counts behind each value (merging averages), else
 * each value counts as one row. Returns 1 when a sum left 128 bits.
 */
export function accumulateSumI128(
  groups: usize,
  count: u32,
  offset: u32,
  values: usize,
  seen: usize,
  mask: usize,
): u32 {
  let overflow: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const from = values + ((i << 4) as usize);
    const rows: i64 = seen != 0 ? load<i64>(seen + ((i << 3) as usize)) : 1;
    overflow |= addSum(stateAt(groups, i, offset), load<u64>(from), load<i64>(from, 8), rows);
  }
  return overflow;
}

function addSum(at: usize, low: u64, high: i64, rows: i64): u32 {
  const sumLow = load<u64>(at) + low;
  const oldHigh = load<i64>(at, 8);
  const sumHigh = oldHigh + high + ((sumLow < low) as i64);
  store<u64>(at, sumLow);
  store<i64>(at, sumHigh, 8);
  store<i64>(at, load<i64>(at, 16) + rows, 16);
  return (((oldHigh ^ sumHigh) & (high ^ sumHigh)) < 0) as u32;
}

/** State: f64 sum, f64 correction, i64 rows seen. Adds f64 values with Neumaier's compensation. */
export function accumulateSumF64(groups: usize, count: u32, offset: u32, values: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    addFloat(stateAt(groups, i, offset), load<f64>(values + ((i << 3) as usize)), 0, 1);
  }
}

/** Merges float sums: sums, corrections, and rows seen (`seen` 0: one each). */
export function mergeSumF64(
  groups: usize,
  count: u32,
  offset: u32,
  sums: usize,
  corrections: usize,
  seen: usize,
  mask: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = (i << 3) as usize;
    const rows: i64 = seen != 0 ? load<i64>(seen + at) : 1;
    addFloat(stateAt(groups, i, offset), load<f64>(sums + at), load<f64>(corrections + at), rows);
  }
}

function addFloat(at: usize, value: f64, correction: f64, rows: i64): void {
  const sum = load<f64>(at);
  const total = sum + value;
  const lost = Math.abs(sum) >= Math.abs(value) ? sum - total + value : value - total + sum;
  store<f64>(at, total);
  store<f64>(at, load<f64>(at, 8) + lost + correction, 8);
  store<i64>(at, load<i64>(at, 16) + rows, 16);
}

/**
 * Sums of `accumulateSum*` states as i64 into `to`; bits of `validity` say which groups saw rows. Returns bit 0: some group saw none,
 * bit 1: some sum does not fit 64 signed bits.
 */
export function finishSumI64(groups: usize, count: u32, offset: u32, to: usize, validity: usize): u32 {
  let result: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const at = stateAt(groups, i, offset);
    const low = load<i64>(at);
    const seen = load<i64>(at, 16) != 0;
    store<i64>(to + ((i << 3) as usize), low);
    putBit(validity, i, seen as u32);
    if (!seen) result |= 1;
    if (load<i64>(at, 8) != low >> 63) result |= 2;
  }
  return result;
}

/** Copies `width` (8 or 16) bytes of each group's state at `offset` to `to`. */
export function gatherState(groups: usize, count: u32, offset: u32, width: u32, to: usize): void {
  if (width == 8) {
    for (let i: u32 = 0; i < count; i++) store<u64>(to + ((i << 3) as usize), load<u64>(stateAt(groups, i, offset)));
    return;
  }
  for (let i: u32 = 0; i < count; i++) {
    const at = stateAt(groups, i, offset);
    const out = to + ((i << 4) as usize);
    store<u64>(out, load<u64>(at));
    store<u64>(out, load<u64>(at, 8), 8);
  }
}

/** The low `width` (1, 2 or 4) bytes of `count` 8-byte values. */
export function narrowValues(values: usize, count: u32, width: u32, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const value = load<u64>(values + ((i << 3) as usize));
    if (width == 1) store<u8>(to + (i as usize), value as u8);
    else if (width == 2) store<u16>(to + ((i << 1) as usize), value as u16);
    else store<u32>(to + ((i << 2) as usize), value as u32);
  }
}

/** The low limbs of `count` 16-byte integers; returns 1 when one does not fit 64 signed bits. */
export function narrow128(values: usize, count: u32, to: usize): u32 {
  let wide: i64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const from = values + ((i << 4) as usize);
    const low = load<i64>(from);
    wide |= load<i64>(from, 8) ^ (low >> 63);
    store<i64>(to + ((i << 3) as usize), low);
  }
  return (wide != 0) as u32;
}

/** Bits: whether the i64 of each group's state at `offset` is not 0. Returns how many are. */
export function gatherSeen(groups: usize, count: u32, offset: u32, validity: usize): u32 {
  let seen: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const bit: u32 = load<i64>(stateAt(groups, i, offset)) != 0 ? 1 : 0;
    putBit(validity, i, bit);
    seen += bit;
  }
  return seen;
}

/**
 * Averages of sum states: sum × `power` (an integer below 2^53) ÷ rows, truncated, as i64. Returns how many groups need wider arithmetic; their row
 * numbers (u32) go to `slow` and their results are left out. Groups without rows give 0: their nulls are the caller's.
 */
export function finishAverage(groups: usize, count: u32, offset: u32, power: f64, to: usize, slow: usize): u32 {
  let slowCount: u32 = 0;
  const factor = power as i64;
  const limit = i64.MAX_VALUE / factor;
  for (let i: u32 = 0; i < count; i++) {
    const at = stateAt(groups, i, offset);
    const low = load<i64>(at);
    const rows = load<i64>(at, 16);
    if (rows == 0) {
      store<i64>(to + ((i << 3) as usize), 0);
    } else if (load<i64>(at, 8) != low >> 63 || low > limit || low < -limit) {
      store<u32>(slow + ((slowCount << 2) as usize), i);
      slowCount++;
    } else {
      store<i64>(to + ((i << 3) as usize), (low * factor) / rows);
    }
  }
  return slowCount;
}

/** State: i64 count, f64 mean, f64 sum of squared distances (Welford). */
export function accumulateMoments(groups: usize, count: u32, offset: u32, values: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const value = load<f64>(values + ((i << 3) as usize));
    const at = stateAt(groups, i, offset);
    const rows = load<i64>(at) + 1;
    const mean = load<f64>(at, 8);
    const delta = value - mean;
    const newMean = mean + delta / (rows as f64);
    store<i64>(at, rows);
    store<f64>(at, newMean, 8);
    store<f64>(at, load<f64>(at, 16) + delta * (value - newMean), 16);
  }
}

/** Merges moments (counts i64, means f64, squares f64) by Chan's formula; states of no rows change nothing. */
export function mergeMoments(
  groups: usize,
  count: u32,
  offset: u32,
  counts: usize,
  means: usize,
  squares: usize,
  mask: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const from = (i << 3) as usize;
    const rows = load<i64>(counts + from);
    if (rows == 0) continue;
    const at = stateAt(groups, i, offset);
    const oldRows = load<i64>(at);
    const mean = load<f64>(means + from);
    if (oldRows == 0) {
      store<i64>(at, rows);
      store<f64>(at, mean, 8);
      store<f64>(at, load<f64>(squares + from), 16);
      continue;
    }
    const total = oldRows + rows;
    const oldMean = load<f64>(at, 8);
    const delta = oldMean - mean;
    store<i64>(at, total);
    store<f64>(at, ((oldRows as f64) * oldMean + (rows as f64) * mean) / (total as f64), 8);
    const spread = (delta * delta * (oldRows as f64) * (rows as f64)) / (total as f64);
    store<f64>(at, load<f64>(at, 16) + load<f64>(squares + from) + spread, 16);
  }
}

/**
 * State: f64 rows, mean of y, mean of x, squares of y, squares of x, products (48 bytes): what correlation and regression are made of.
 */
export function accumulatePairs(groups: usize, count: u32, offset: u32, ys: usize, xs: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const from = (i << 3) as usize;
    addPairs(stateAt(groups, i, offset), 1, load<f64>(ys + from), load<f64>(xs + from), 0, 0, 0);
  }
}

/** Merges pair states: six f64 columns in the order of the state. */
export function mergePairs(
  groups: usize,
  count: u32,
  offset: u32,
  rows: usize,
  meanY: usize,
  meanX: usize,
  squaresY: usize,
  squaresX: usize,
  products: usize,
  mask: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const from = (i << 3) as usize;
    const n = load<f64>(rows + from);
    if (n == 0) continue;
    addPairs(
      stateAt(groups, i, offset),
      n,
      load<f64>(meanY + from),
      load<f64>(meanX + from),
      load<f64>(squaresY + from),
      load<f64>(squaresX + from),
      load<f64>(products + from),
    );
  }
}

function addPairs(at: usize, n: f64, meanY: f64, meanX: f64, squaresY: f64, squaresX: f64, products: f64): void {
  const old = load<f64>(at);
  const total = old + n;
  const deltaY = meanY - load<f64>(at, 8);
  const deltaX = meanX - load<f64>(at, 16);
  const weight = (old * n) / total;
  store<f64>(at, total);
  store<f64>(at, load<f64>(at, 8) + (deltaY * n) / total, 8);
  store<f64>(at, load<f64>(at, 16) + (deltaX * n) / total, 16);
  store<f64>(at, load<f64>(at, 24) + squaresY + deltaY * deltaY * weight, 24);
  store<f64>(at, load<f64>(at, 32) + squaresX + deltaX * deltaX * weight, 32);
  store<f64>(at, load<f64>(at, 40) + products + deltaY * deltaX * weight, 40);
}

/** State: i64 bits, i64 rows seen. `operation`: 0 and, 1 or, 2 xor. Values are the low halves of 16-byte keys. */
export function accumulateBits(operation: u32, groups: usize, count: u32, offset: u32, keys: usize, mask: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (mask != 0 && bitAt(mask, i) == 0) continue;
    const at = stateAt(groups, i, offset);
    const value = load<i64>(keys + ((i << 4) as usize));
    const old = load<i64>(at);
    const first = load<i64>(at, 8) == 0;
    store<i64>(at, first ? value : operation == 0 ? old & value : operation == 1 ? old | value : old ^ value);
    store<i64>(at, load<i64>(at, 8) + 1, 8);
  }
}
