import type { AggregateFunction, FunctionRegistry, ScalarFunction, WindowFunction } from '../expr/function.js';
import { avg } from './aggregate/avg.js';
import { boolAnd } from './aggregate/bool-and.js';
import { boolOr } from './aggregate/bool-or.js';
import { count } from './aggregate/count.js';
import { max } from './aggregate/max.js';
import { min } from './aggregate/min.js';
import { stddevPop } from './aggregate/stddev-pop.js';
import { stddev } from './aggregate/stddev.js';
import { sum } from './aggregate/sum.js';
import { varPop } from './aggregate/var-pop.js';
import { variance } from './aggregate/var.js';
import { abs } from './scalar/abs.js';
import { btrim } from './scalar/btrim.js';
import { characterLength } from './scalar/character-length.js';
import { coalesce } from './scalar/coalesce.js';
import { concat } from './scalar/concat.js';
import { datePart } from './scalar/date-part.js';
import { lower } from './scalar/lower.js';
import { ltrim } from './scalar/ltrim.js';
import { nullif } from './scalar/nullif.js';
import { round } from './scalar/round.js';
import { rtrim } from './scalar/rtrim.js';
import { startsWith } from './scalar/starts-with.js';
import { strpos } from './scalar/strpos.js';
import { substr } from './scalar/substr.js';
import { upper } from './scalar/upper.js';

/** One line per function; a new function is a file and its line here. */
export const SCALAR_FUNCTIONS: readonly ScalarFunction[] = [
  abs,
  btrim,
  characterLength,
  coalesce,
  concat,
  datePart,
  lower,
  ltrim,
  nullif,
  round,
  rtrim,
  startsWith,
  strpos,
  substr,
  upper,
];

export const AGGREGATE_FUNCTIONS: readonly AggregateFunction[] = [
  avg,
  boolAnd,
  boolOr,
  count,
  max,
  min,
  stddev,
  stddevPop,
  sum,
  variance,
  varPop,
];

export const WINDOW_FUNCTIONS: readonly WindowFunction[] = [];

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
