import type { AggregateFunction, FunctionRegistry, ScalarFunction, WindowFunction } from '../expr/function.js';
import { anyValue } from './aggregate/any-value.js';
import { avg } from './aggregate/avg.js';
import { bitAnd } from './aggregate/bit-and.js';
import { bitOr } from './aggregate/bit-or.js';
import { bitXor } from './aggregate/bit-xor.js';
import { boolAnd } from './aggregate/bool-and.js';
import { boolOr } from './aggregate/bool-or.js';
import { corr } from './aggregate/corr.js';
import { count } from './aggregate/count.js';
import { covarPop } from './aggregate/covar-pop.js';
import { covarSamp } from './aggregate/covar-samp.js';
import { firstValue } from './aggregate/first-value.js';
import { grouping } from './aggregate/grouping.js';
import { lastValue } from './aggregate/last-value.js';
import { max } from './aggregate/max.js';
import { median } from './aggregate/median.js';
import { min } from './aggregate/min.js';
import { regrAvgx } from './aggregate/regr-avgx.js';
import { regrAvgy } from './aggregate/regr-avgy.js';
import { regrCount } from './aggregate/regr-count.js';
import { regrIntercept } from './aggregate/regr-intercept.js';
import { regrR2 } from './aggregate/regr-r2.js';
import { regrSlope } from './aggregate/regr-slope.js';
import { regrSxx } from './aggregate/regr-sxx.js';
import { regrSxy } from './aggregate/regr-sxy.js';
import { regrSyy } from './aggregate/regr-syy.js';
import { stddevPop } from './aggregate/stddev-pop.js';
import { stddev } from './aggregate/stddev.js';
import { sum } from './aggregate/sum.js';
import { varPop } from './aggregate/var-pop.js';
import { variance } from './aggregate/var.js';
import { abs } from './scalar/abs.js';
import { acos } from './scalar/acos.js';
import { acosh } from './scalar/acosh.js';
import { arrowCast } from './scalar/arrow-cast.js';
import { arrowTryCast } from './scalar/arrow-try-cast.js';
import { arrowTypeof } from './scalar/arrow-typeof.js';
import { ascii } from './scalar/ascii.js';
import { asin } from './scalar/asin.js';
import { asinh } from './scalar/asinh.js';
import { atan } from './scalar/atan.js';
import { atan2 } from './scalar/atan2.js';
import { atanh } from './scalar/atanh.js';
import { bitLength } from './scalar/bit-length.js';
import { btrim } from './scalar/btrim.js';
import { cbrt } from './scalar/cbrt.js';
import { ceil } from './scalar/ceil.js';
import { characterLength } from './scalar/character-length.js';
import { chr } from './scalar/chr.js';
import { coalesce } from './scalar/coalesce.js';
import { concatWs } from './scalar/concat-ws.js';
import { concat } from './scalar/concat.js';
import { contains } from './scalar/contains.js';
import { cos } from './scalar/cos.js';
import { cosh } from './scalar/cosh.js';
import { cot } from './scalar/cot.js';
import { currentDate } from './scalar/current-date.js';
import { currentTime } from './scalar/current-time.js';
import { dateBin } from './scalar/date-bin.js';
import { datePart } from './scalar/date-part.js';
import { dateTrunc } from './scalar/date-trunc.js';
import { decode } from './scalar/decode.js';
import { degrees } from './scalar/degrees.js';
import { encode } from './scalar/encode.js';
import { endsWith } from './scalar/ends-with.js';
import { exp } from './scalar/exp.js';
import { factorial } from './scalar/factorial.js';
import { findInSet } from './scalar/find-in-set.js';
import { floor } from './scalar/floor.js';
import { fromUnixtime } from './scalar/from-unixtime.js';
import { gcd } from './scalar/gcd.js';
import { greatest } from './scalar/greatest.js';
import { initcap } from './scalar/initcap.js';
import { isnan } from './scalar/isnan.js';
import { iszero } from './scalar/iszero.js';
import { lcm } from './scalar/lcm.js';
import { least } from './scalar/least.js';
import { left } from './scalar/left.js';
import { levenshtein } from './scalar/levenshtein.js';
import { ln } from './scalar/ln.js';
import { log } from './scalar/log.js';
import { log10 } from './scalar/log10.js';
import { log2 } from './scalar/log2.js';
import { lower } from './scalar/lower.js';
import { lpad } from './scalar/lpad.js';
import { ltrim } from './scalar/ltrim.js';
import { makeDate } from './scalar/make-date.js';
import { md5 } from './scalar/md5.js';
import { nanvl } from './scalar/nanvl.js';
import { now } from './scalar/now.js';
import { nullif } from './scalar/nullif.js';
import { nvl } from './scalar/nvl.js';
import { nvl2 } from './scalar/nvl2.js';
import { octetLength } from './scalar/octet-length.js';
import { overlay } from './scalar/overlay.js';
import { pi } from './scalar/pi.js';
import { power } from './scalar/power.js';
import { radians } from './scalar/radians.js';
import { random } from './scalar/random.js';
import { regexpCount } from './scalar/regexp-count.js';
import { regexpInstr } from './scalar/regexp-instr.js';
import { regexpLike } from './scalar/regexp-like.js';
import { regexpReplace } from './scalar/regexp-replace.js';
import { repeat } from './scalar/repeat.js';
import { replace } from './scalar/replace.js';
import { reverse } from './scalar/reverse.js';
import { right } from './scalar/right.js';
import { round } from './scalar/round.js';
import { rpad } from './scalar/rpad.js';
import { rtrim } from './scalar/rtrim.js';
import { sha224 } from './scalar/sha224.js';
import { sha256 } from './scalar/sha256.js';
import { sha384 } from './scalar/sha384.js';
import { sha512 } from './scalar/sha512.js';
import { signum } from './scalar/signum.js';
import { sin } from './scalar/sin.js';
import { sinh } from './scalar/sinh.js';
import { splitPart } from './scalar/split-part.js';
import { sqrt } from './scalar/sqrt.js';
import { startsWith } from './scalar/starts-with.js';
import { strpos } from './scalar/strpos.js';
import { substrIndex } from './scalar/substr-index.js';
import { substr } from './scalar/substr.js';
import { tan } from './scalar/tan.js';
import { tanh } from './scalar/tanh.js';
import { toChar } from './scalar/to-char.js';
import { toDate } from './scalar/to-date.js';
import { toHex } from './scalar/to-hex.js';
import { toTimestampMicros } from './scalar/to-timestamp-micros.js';
import { toTimestampMillis } from './scalar/to-timestamp-millis.js';
import { toTimestampNanos } from './scalar/to-timestamp-nanos.js';
import { toTimestampSeconds } from './scalar/to-timestamp-seconds.js';
import { toTimestamp } from './scalar/to-timestamp.js';
import { toUnixtime } from './scalar/to-unixtime.js';
import { translate } from './scalar/translate.js';
import { trunc } from './scalar/trunc.js';
import { upper } from './scalar/upper.js';
import { uuid } from './scalar/uuid.js';
import { cumeDist } from './window/cume-dist.js';
import { denseRank } from './window/dense-rank.js';
import { firstValueWindow } from './window/first-value.js';
import { lag } from './window/lag.js';
import { lastValueWindow } from './window/last-value.js';
import { lead } from './window/lead.js';
import { nthValue } from './window/nth-value.js';
import { ntile } from './window/ntile.js';
import { percentRank } from './window/percent-rank.js';
import { rank } from './window/rank.js';
import { rowNumber } from './window/row-number.js';

/** One line per function; a new function is a file and its line here. */
export const SCALAR_FUNCTIONS: readonly ScalarFunction[] = [
  abs,
  acos,
  acosh,
  arrowCast,
  arrowTryCast,
  arrowTypeof,
  ascii,
  asin,
  asinh,
  atan,
  atan2,
  atanh,
  bitLength,
  btrim,
  cbrt,
  ceil,
  characterLength,
  chr,
  coalesce,
  concatWs,
  concat,
  contains,
  cos,
  cosh,
  cot,
  currentDate,
  currentTime,
  dateBin,
  datePart,
  dateTrunc,
  decode,
  degrees,
  encode,
  endsWith,
  exp,
  factorial,
  findInSet,
  floor,
  fromUnixtime,
  gcd,
  greatest,
  initcap,
  isnan,
  iszero,
  lcm,
  least,
  left,
  levenshtein,
  ln,
  log,
  log10,
  log2,
  lower,
  lpad,
  ltrim,
  makeDate,
  md5,
  nanvl,
  now,
  nullif,
  nvl,
  nvl2,
  octetLength,
  overlay,
  pi,
  power,
  radians,
  random,
  regexpCount,
  regexpInstr,
  regexpLike,
  regexpReplace,
  repeat,
  replace,
  reverse,
  right,
  round,
  rpad,
  rtrim,
  sha224,
  sha256,
  sha384,
  sha512,
  signum,
  sin,
  sinh,
  splitPart,
  sqrt,
  startsWith,
  strpos,
  substrIndex,
  substr,
  tan,
  tanh,
  toChar,
  toDate,
  toHex,
  toTimestampMicros,
  toTimestampMillis,
  toTimestampNanos,
  toTimestampSeconds,
  toTimestamp,
  toUnixtime,
  translate,
  trunc,
  upper,
  uuid,
];

export const AGGREGATE_FUNCTIONS: readonly AggregateFunction[] = [
  anyValue,
  avg,
  bitAnd,
  bitOr,
  bitXor,
  boolAnd,
  boolOr,
  corr,
  count,
  covarPop,
  covarSamp,
  firstValue,
  grouping,
  lastValue,
  max,
  median,
  min,
  regrAvgx,
  regrAvgy,
  regrCount,
  regrIntercept,
  regrR2,
  regrSlope,
  regrSxx,
  regrSxy,
  regrSyy,
  stddevPop,
  stddev,
  sum,
  varPop,
  variance,
];

const WINDOW_FUNCTIONS: readonly WindowFunction[] = [
  cumeDist,
  denseRank,
  firstValueWindow,
  lag,
  lastValueWindow,
  lead,
  nthValue,
  ntile,
  percentRank,
  rank,
  rowNumber,
];

/** A registry of every built-in function. Look-up ignores case and knows aliases. */
export function createFunctionRegistry(): FunctionRegistry {
  const scalars = byName(SCALAR_FUNCTIONS);
  const aggregates = byName(AGGREGATE_FUNCTIONS);
  const windows = byName(WINDOW_FUNCTIONS);
  return {
    scalar: (name) => scalars.get(name.toLowerCase()),
    aggregate: (name) => aggregates.get(name.toLowerCase()),
    window: (name) => windows.get(name.toLowerCase()),
    names: () => [...scalars.keys(), ...aggregates.keys(), ...windows.keys()].sort(),
  };
}

function byName<T extends { readonly name: string; readonly aliases: readonly string[] }>(
  functions: readonly T[],
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const entry of functions) for (const name of [entry.name, ...entry.aliases]) found.set(name, entry);
  return found;
}
