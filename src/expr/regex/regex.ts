import { WORD } from './character-sets.js';
import { parseRegex } from './parse-regex.js';
import type { Assertion, CharacterSet, ParsedRegex, RegexNode } from './syntax.js';

/** Instructions of the matcher; targets are indexes. Of two targets the first is preferred. */
type Instruction =
  | { readonly op: 'set'; readonly set: CharacterSet }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'match' };

/** Begin and end of each group in code units of the text; -1 for a group that took no part. */
export type Captures = readonly number[];

/**
 * A compiled regular expression. Matching follows all alternatives at once (Pike's machine), so that its time is at most text × pattern,
 * whatever the pattern: a query's expression cannot hang a worker. Of several matches the leftmost counts, and there the one that a
 * backtracking matcher would find first.
 */
export class Regex {
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  readonly #program: readonly Instruction[];

  /** Syntax errors are `execution` errors. */
  constructor(pattern: string, flags = '') {
    const parsed = parseRegex(pattern, flags);
    this.groups = parsed.groups;
    this.names = parsed.names;
    this.#program = compileProgram(parsed);
  }

  /** Whether the text holds a match. */
  test(text: string): boolean {
    return this.#search(text, 0, false) !== undefined;
  }

  /** The first match at or after code unit `from`. */
  exec(text: string, from = 0): Captures | undefined {
    return this.#search(text, from, true);
  }

  /** All matches that do not overlap, from code unit `from` on. An empty one right behind another match does not count. */
  *matches(text: string, from = 0): Generator<Captures, void, undefined> {
    let lastEnd = -1;
    for (let at = from; at <= text.length; ) {
      const found = this.exec(text, at);
      if (found === undefined) return;
      const [start = 0, end = 0] = found;
      if (end > start || start !== lastEnd) yield found;
      lastEnd = end;
      at = end > start ? end : end + width(text, end);
    }
  }

  #search(text: string, from: number, captures: boolean): Captures | undefined {
    const program = this.#program;
    const slots = captures ? this.groups * 2 : 0;
    let current = new ThreadList(program.length);
    let next = new ThreadList(program.length);
    let found: Captures | undefined;
    for (let at = from; ; ) {
      // A match that began earlier is further left: nothing new is tried once there is one.
      if (found === undefined) this.#add(current, 0, new Array<number>(slots).fill(-1), text, at);
      if (current.size === 0 && found !== undefined) break;
      const codePoint = text.codePointAt(at);
      const after = at + width(text, at);
      for (let i = 0; i < current.size; i++) {
        const instruction = program[current.instruction(i)]!;
        if (instruction.op === 'match') {
          found = current.captures(i);
          // Threads behind are less preferred.
          break;
        }
        if (instruction.op === 'set' && codePoint !== undefined && instruction.set(codePoint)) {
          this.#add(next, current.instruction(i) + 1, current.captures(i), text, after);
        }
      }
      if (found !== undefined && !captures) return found;
      [current, next] = [next, current];
      next.clear();
      if (codePoint === undefined) break;
      at = after;
    }
    return found;
  }

  /** Follows what needs no character, in order of preference; each instruction is entered once per position. */
  #add(list: ThreadList, start: number, captures: readonly number[], text: string, at: number): void {
    const pending: { readonly at: number; readonly captures: readonly number[] }[] = [{ at: start, captures }];
    for (let thread = pending.pop(); thread !== undefined; thread = pending.pop()) {
      const { at: index } = thread;
      if (list.has(index)) continue;
      list.enter(index);
      const instruction = this.#program[index]!;
      switch (instruction.op) {
        case 'jump':
          pending.push({ at: instruction.to, captures: thread.captures });
          break;
        case 'split':
          pending.push({ at: instruction.second, captures: thread.captures });
          pending.push({ at: instruction.first, captures: thread.captures });
          break;
        case 'save': {
          const { slot } = instruction;
          const wanted = slot < thread.captures.length;
          pending.push({ at: index + 1, captures: wanted ? thread.captures.with(slot, at) : thread.captures });
          break;
        }
        case 'assert':
          if (holds(instruction.assertion, text, at)) pending.push({ at: index + 1, captures: thread.captures });
          break;
        case 'set':
        case 'match':
          list.push(index, thread.captures);
          break;
      }
    }
  }
}

/** The threads at one position, most preferred first. */
class ThreadList {
  readonly #entered: Uint32Array;
  readonly #instructions: number[] = [];
  readonly #captures: (readonly number[])[] = [];
  #generation = 1;

  constructor(instructions: number) {
    this.#entered = new Uint32Array(instructions);
  }

  get size(): number {
    return this.#instructions.length;
  }

  has(instruction: number): boolean {
    return this.#entered[instruction] === this.#generation;
  }

  enter(instruction: number): void {
    this.#entered[instruction] = this.#generation;
  }

  push(instruction: number, captures: readonly number[]): void {
    this.#instructions.push(instruction);
    this.#captures.push(captures);
  }

  instruction(i: number): number {
    return this.#instructions[i]!;
  }

  captures(i: number): readonly number[] {
    return this.#captures[i]!;
  }

  clear(): void {
    this.#instructions.length = 0;
    this.#captures.length = 0;
    this.#generation++;
  }
}

/** Code units of the character at `at`; 1 at the end of the text. */
function width(text: string, at: number): number {
  const codePoint = text.codePointAt(at);
  return codePoint !== undefined && codePoint > 0xffff ? 2 : 1;
}

function holds(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case 'text start':
      return at === 0;
    case 'text end':
      return at === text.length;
    case 'line start':
      return at === 0 || text.charAt(at - 1) === '\n';
    case 'line end':
      return at === text.length || text.charAt(at) === '\n';
    case 'word border':
      return wordBefore(text, at) !== wordAfter(text, at);
    case 'no word border':
      return wordBefore(text, at) === wordAfter(text, at);
  }
}

function wordAfter(text: string, at: number): boolean {
  const codePoint = text.codePointAt(at);
  return codePoint !== undefined && WORD(codePoint);
}

function wordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const low = text.charCodeAt(at - 1) >= 0xdc00 && text.charCodeAt(at - 1) <= 0xdfff && at > 1;
  return wordAfter(text, low ? at - 2 : at - 1);
}

function compileProgram({ root }: ParsedRegex): Instruction[] {
  const program: Instruction[] = [];
  emit(root, program);
  program.push({ op: 'match' });
  return program;
}

function emit(node: RegexNode, program: Instruction[]): void {
  switch (node.kind) {
    case 'empty':
      return;
    case 'set':
      program.push({ op: 'set', set: node.set });
      return;
    case 'assert':
      program.push({ op: 'assert', assertion: node.assertion });
      return;
    case 'sequence':
      for (const part of node.parts) emit(part, program);
      return;
    case 'choice':
      emitChoice(node.parts, program);
      return;
    case 'group':
      program.push({ op: 'save', slot: node.index * 2 });
      emit(node.part, program);
      program.push({ op: 'save', slot: node.index * 2 + 1 });
      return;
    case 'repeat':
      emitRepeat(node.part, node.min, node.max, node.greedy, program);
      return;
  }
}

function emitChoice(parts: readonly RegexNode[], program: Instruction[]): void {
  const ends: number[] = [];
  for (const [i, part] of parts.entries()) {
    if (i === parts.length - 1) {
      emit(part, program);
      break;
    }
    const split = program.push({ op: 'jump', to: 0 }) - 1;
    emit(part, program);
    ends.push(program.push({ op: 'jump', to: 0 }) - 1);
    program[split] = { op: 'split', first: split + 1, second: program.length };
  }
  for (const end of ends) program[end] = { op: 'jump', to: program.length };
}

function emitRepeat(part: RegexNode, min: number, max: number, greedy: boolean, program: Instruction[]): void {
  const fork = (at: number, inside: number, outside: number): void => {
    program[at] = greedy
      ? { op: 'split', first: inside, second: outside }
      : { op: 'split', first: outside, second: inside };
  };
  for (let i = 0; i < min; i++) emit(part, program);
  if (max === Infinity) {
    const split = program.push({ op: 'jump', to: 0 }) - 1;
    emit(part, program);
    program.push({ op: 'jump', to: split });
    fork(split, split + 1, program.length);
    return;
  }
  const splits: number[] = [];
  for (let i = min; i < max; i++) {
    splits.push(program.push({ op: 'jump', to: 0 }) - 1);
    emit(part, program);
  }
  for (const split of splits) fork(split, split + 1, program.length);
}
