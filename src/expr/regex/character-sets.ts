import type { CharacterSet } from './syntax.js';

const NEWLINE = 0x0a;

/** A set by a JavaScript character class, remembered for ASCII. */
function byClass(source: string): CharacterSet {
  const pattern = new RegExp(`^${source}$`, 'u');
  const ascii = Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code)));
  return (codePoint) => (codePoint < 128 ? ascii[codePoint] === true : pattern.test(String.fromCodePoint(codePoint)));
}

/** Unicode-aware, as Rust has them. */
export const DIGIT: CharacterSet = byClass('\\p{Nd}');
export const SPACE: CharacterSet = byClass('\\p{White_Space}');
export const WORD: CharacterSet = byClass('[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]');

export const ANY: CharacterSet = () => true;
export const ANY_BUT_NEWLINE: CharacterSet = (codePoint) => codePoint !== NEWLINE;

/** The classes of `[[:name:]]`. */
export const ASCII_CLASSES: Readonly<Record<string, CharacterSet>> = {
  alnum: byClass('[0-9A-Za-z]'),
  alpha: byClass('[A-Za-z]'),
  ascii: (codePoint) => codePoint < 128,
  blank: byClass('[\\t ]'),
  cntrl: byClass('[\\x00-\\x1f\\x7f]'),
  digit: byClass('[0-9]'),
  graph: byClass('[!-~]'),
  lower: byClass('[a-z]'),
  print: byClass('[ -~]'),
  punct: byClass('[!-\\/:-@\\[-`{-~]'),
  space: byClass('[\\t\\n\\v\\f\\r ]'),
  upper: byClass('[A-Z]'),
  word: byClass('[0-9A-Za-z_]'),
  xdigit: byClass('[0-9A-Fa-f]'),
};

/** `\p{name}`: undefined when Unicode has no such property. */
export function propertySet(name: string): CharacterSet | undefined {
  for (const source of [`\\p{${name}}`, `\\p{Script=${name}}`, `\\p{General_Category=${name}}`]) {
    try {
      return byClass(source);
    } catch {
      // Not this kind of property.
    }
  }
  return undefined;
}

export function single(codePoint: number): CharacterSet {
  return (other) => other === codePoint;
}

export function range(first: number, last: number): CharacterSet {
  return (codePoint) => codePoint >= first && codePoint <= last;
}

export function not(set: CharacterSet): CharacterSet {
  return (codePoint) => !set(codePoint);
}

export function union(sets: readonly CharacterSet[]): CharacterSet {
  const [only] = sets;
  if (only !== undefined && sets.length === 1) return only;
  return (codePoint) => sets.some((set) => set(codePoint));
}

export function both(a: CharacterSet, b: CharacterSet): CharacterSet {
  return (codePoint) => a(codePoint) && b(codePoint);
}

/** The set and what differs from it in case only. */
export function foldCase(set: CharacterSet): CharacterSet {
  return (codePoint) => {
    if (set(codePoint)) return true;
    const text = String.fromCodePoint(codePoint);
    return variant(set, text.toLowerCase(), codePoint) || variant(set, text.toUpperCase(), codePoint);
  };
}

function variant(set: CharacterSet, text: string, original: number): boolean {
  const codePoint = text.codePointAt(0);
  // A mapping to several characters is none of single characters.
  if (codePoint === undefined || codePoint === original) return false;
  return text.length === (codePoint > 0xffff ? 2 : 1) && set(codePoint);
}
