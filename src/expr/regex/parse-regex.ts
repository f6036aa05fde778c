import { DistqError } from '../../base/errors.js';
import { codePointsOf } from '../../columnar/utf8.js';
import {
  ANY,
  ANY_BUT_NEWLINE,
  ASCII_CLASSES,
  both,
  DIGIT,
  foldCase,
  not,
  propertySet,
  range,
  single,
  SPACE,
  union,
  WORD,
} from './character-sets.js';
import type { CharacterSet, ParsedRegex, RegexNode } from './syntax.js';

/** Most copies that counted repetitions may unroll to. */
const MAX_REPEAT = 1000;

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
  readonly extended: boolean;
}

/** Parses Rust's regex syntax (no look-around, no back-references); `flags` as in `(?flags)`. What it does not know is an `execution` error. */
export function parseRegex(pattern: string, flags: string): ParsedRegex {
  return new RegexParser(pattern).parse(flags);
}

class RegexParser {
  readonly #pattern: string;
  readonly #characters: readonly string[];
  readonly #names = new Map<string, number>();
  #at = 0;
  #groups = 1;
  #flags: Flags = { ignoreCase: false, multiLine: false, dotAll: false, swapGreed: false, extended: false };

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#characters = codePointsOf(pattern);
  }

  parse(flags: string): ParsedRegex {
    // `g` belongs to the function, not to the pattern.
    this.#setFlags(flags.replaceAll('g', ''));
    const root = this.#choice();
    if (this.#at < this.#characters.length) throw this.#wrong('an unopened group is closed');
    return { root: { kind: 'group', part: root, index: 0 }, groups: this.#groups, names: this.#names };
  }

  #wrong(what: string): DistqError {
    return new DistqError(
      'execution',
      `the regular expression "${this.#pattern}" is malformed at character ${this.#at + 1}: ${what}`,
    );
  }

  #peek(offset = 0): string | undefined {
    return this.#characters[this.#at + offset];
  }

  #take(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw this.#wrong('it ends too early');
    this.#at++;
    return character;
  }

  #accept(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.#peek(i) !== text.charAt(i)) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): RegexNode {
    const outer = this.#flags;
    const parts = [this.#sequence()];
    while (this.#accept('|')) parts.push(this.#sequence());
    this.#flags = outer;
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'choice', parts };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    for (;;) {
      if (this.#flags.extended) this.#skipBlanks();
      const next = this.#peek();
      if (next === undefined || next === '|' || next === ')') break;
      const atom = this.#atom();
      if (atom !== undefined) parts.push(this.#repeated(atom));
    }
    const [only] = parts;
    if (only === undefined) return { kind: 'empty' };
    return parts.length === 1 ? only : { kind: 'sequence', parts };
  }

  #skipBlanks(): void {
    for (;;) {
      const next = this.#peek();
      if (next === '#') {
        while (this.#peek() !== undefined && this.#peek() !== '\n') this.#at++;
      } else if (next !== undefined && /\s/.test(next)) {
        this.#at++;
      } else {
        return;
      }
    }
  }

  /** One element; undefined for what only sets flags. */
  #atom(): RegexNode | undefined {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#setNode(this.#bracket());
      case '.':
        return { kind: 'set', set: this.#flags.dotAll ? ANY : ANY_BUT_NEWLINE };
      case '^':
        return { kind: 'assert', assertion: this.#flags.multiLine ? 'line start' : 'text start' };
      case '$':
        return { kind: 'assert', assertion: this.#flags.multiLine ? 'line end' : 'text end' };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw this.#wrong('there is nothing to repeat');
      default:
        return this.#setNode(single(character.codePointAt(0) ?? 0));
    }
  }

  #setNode(set: CharacterSet): RegexNode {
    return { kind: 'set', set: this.#flags.ignoreCase ? foldCase(set) : set };
  }

  #group(): RegexNode | undefined {
    let index: number | undefined;
    const outer = this.#flags;
    if (this.#accept('?')) {
      if (this.#accept('P<') || this.#accept('<')) {
        if (this.#peek() === '=' || this.#peek() === '!') throw this.#wrong('look-behind is not supported');
        index = this.#groups++;
        this.#names.set(this.#until('>'), index);
      } else {
        if (this.#peek() === '=' || this.#peek() === '!') throw this.#wrong('look-ahead is not supported');
        let flags = '';
        while (this.#peek() !== ':' && this.#peek() !== ')') flags += this.#take();
        this.#setFlags(flags);
        // `(?i)` holds for the rest of the group it stands in.
        if (this.#accept(')')) return undefined;
        this.#at++;
      }
    } else {
      index = this.#groups++;
    }
    const part = this.#choice();
    if (!this.#accept(')')) throw this.#wrong('a group is not closed');
    this.#flags = outer;
    return index === undefined ? part : { kind: 'group', part, index };
  }

  #until(end: string): string {
    let text = '';
    while (this.#peek() !== end) text += this.#take();
    this.#at++;
    return text;
  }

  #setFlags(text: string): void {
    let on = true;
    const flags = { ...this.#flags };
    for (const flag of text) {
      if (flag === '-') on = false;
      else if (flag === 'i') flags.ignoreCase = on;
      else if (flag === 'm') flags.multiLine = on;
      else if (flag === 's') flags.dotAll = on;
      else if (flag === 'U') flags.swapGreed = on;
      else if (flag === 'x') flags.extended = on;
      else if (flag !== 'u') throw this.#wrong(`there is no flag "${flag}"`);
    }
    this.#flags = flags;
  }

  #repeated(atom: RegexNode): RegexNode {
    let part = atom;
    for (;;) {
      if (this.#flags.extended) this.#skipBlanks();
      const bounds = this.#bounds();
      if (bounds === undefined) return part;
      const lazy = this.#accept('?');
      const [min, max] = bounds;
      part = { kind: 'repeat', part, min, max, greedy: lazy === this.#flags.swapGreed };
    }
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#accept('*')) return [0, Infinity];
    if (this.#accept('+')) return [1, Infinity];
    if (this.#accept('?')) return [0, 1];
    if (this.#peek() !== '{') return undefined;
    this.#at++;
    const parts = /^(\d+)(?:(,)(\d*))?$/.exec(this.#until('}').replaceAll(' ', ''));
    if (parts === null) throw this.#wrong('a counted repetition is {n}, {n,} or {n,m}');
    const min = Number(parts[1]);
    const max = parts[2] === undefined ? min : parts[3] === '' ? Infinity : Number(parts[3]);
    if (max < min) throw this.#wrong('the bounds of a repetition are in the wrong order');
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT)) {
      throw this.#wrong(`at most ${MAX_REPEAT} repetitions can be counted`);
    }
    return [min, max];
  }

  #escape(): RegexNode {
    const character = this.#take();
    switch (character) {
      case 'b':
        return { kind: 'assert', assertion: 'word border' };
      case 'B':
        return { kind: 'assert', assertion: 'no word border' };
      case 'A':
        return { kind: 'assert', assertion: 'text start' };
      case 'z':
        return { kind: 'assert', assertion: 'text end' };
      default:
        return this.#setNode(this.#escapedSet(character));
    }
  }

  /** The set behind a backslash, inside and outside brackets. */
  #escapedSet(character: string): CharacterSet {
    switch (character) {
      case 'd':
        return DIGIT;
      case 'D':
        return not(DIGIT);
      case 's':
        return SPACE;
      case 'S':
        return not(SPACE);
      case 'w':
        return WORD;
      case 'W':
        return not(WORD);
      case 'p':
        return this.#property();
      case 'P':
        return not(this.#property());
      default:
        return single(this.#escapedCodePoint(character));
    }
  }

  #property(): CharacterSet {
    const name = this.#accept('{') ? this.#until('}') : this.#take();
    const negated = name.startsWith('^');
    const set = propertySet(negated ? name.slice(1) : name);
    if (set === undefined) throw this.#wrong(`Unicode has no property "${name}"`);
    return negated ? not(set) : set;
  }

  #escapedCodePoint(character: string): number {
    const named = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, a: 0x07, '0': 0 }[character];
    if (named !== undefined) return named;
    if (character === 'x' || character === 'u' || character === 'U') {
      const digits = character === 'x' ? 2 : character === 'u' ? 4 : 8;
      const text = this.#accept('{') ? this.#until('}') : Array.from({ length: digits }, () => this.#take()).join('');
      const codePoint = Number.parseInt(text, 16);
      if (!/^[0-9a-f]+$/i.test(text) || codePoint > 0x10ffff) throw this.#wrong(`"${text}" is no character`);
      return codePoint;
    }
    if (/[0-9]/.test(character)) throw this.#wrong('back-references are not supported');
    if (/[A-Za-z]/.test(character)) throw this.#wrong(`there is no escape \\${character}`);
    return character.codePointAt(0) ?? 0;
  }

  /** What stands in brackets, after the opening one. */
  #bracket(): CharacterSet {
    const negated = this.#accept('^');
    const sets: CharacterSet[] = [];
    let intersection: CharacterSet | undefined;
    let first = true;
    for (;;) {
      if (this.#peek() === ']' && !first) break;
      first = false;
      if (this.#accept('&&')) {
        const left = union(sets);
        intersection = intersection === undefined ? left : both(intersection, left);
        sets.length = 0;
        continue;
      }
      sets.push(this.#bracketItem());
    }
    this.#at++;
    const last = union(sets);
    const set = intersection === undefined ? last : both(intersection, last);
    // Case is folded before the set is turned round.
    const folded = this.#flags.ignoreCase ? foldCase(set) : set;
    return negated ? not(folded) : folded;
  }

  #bracketItem(): CharacterSet {
    if (this.#accept('[:')) {
      const name = this.#until(':');
      if (!this.#accept(']')) throw this.#wrong('a class is written [:name:]');
      const plain = name.replace(/^\^/, '');
      const set = Object.hasOwn(ASCII_CLASSES, plain) ? ASCII_CLASSES[plain] : undefined;
      if (set === undefined) throw this.#wrong(`there is no class "${name}"`);
      return name.startsWith('^') ? not(set) : set;
    }
    if (this.#accept('[')) return this.#bracket();
    const character = this.#take();
    if (character === '\\' && /[dDsSwWpP]/.test(this.#peek() ?? '')) return this.#escapedSet(this.#take());
    const from = this.#bracketCodePoint(character);
    if (this.#peek() !== '-' || this.#peek(1) === ']' || this.#peek(1) === undefined) return single(from);
    this.#at++;
    const to = this.#bracketCodePoint(this.#take());
    if (to < from) throw this.#wrong('a range is in the wrong order');
    return range(from, to);
  }

  #bracketCodePoint(character: string): number {
    return character === '\\' ? this.#escapedCodePoint(this.#take()) : (character.codePointAt(0) ?? 0);
  }
}
