import { Regex } from './regex.js';

/** Patterns mostly are constants: a small cache spares compiling one per row when they are not. */
const MAX_CACHED = 200;
const cache = new Map<string, Regex>();

/** The compiled expression; syntax errors are `execution` errors. */
export function cachedRegex(pattern: string, flags: string): Regex {
  const key = `${flags}/${pattern}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = new Regex(pattern, flags);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, made);
  return made;
}
