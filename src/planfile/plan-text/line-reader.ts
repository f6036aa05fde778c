import type { DistqError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest-names.js';
import type { Slice } from './expressions/read.js';
import { lineError, type PlanLine } from './plan-line.js';
import { nodeName, type TextNode } from './tree.js';

/** Reads the fields of a node's line: those in front from the left, optional ones at the end from the right. */
export class LineReader {
  readonly line: PlanLine;
  readonly text: string;
  /** The node's name. */
  readonly name: string;
  position: number;
  limit: number;

  constructor(node: TextNode) {
    this.line = node.line;
    this.text = node.line.text;
    this.name = nodeName(node);
    this.position = this.name.length;
    // What EXPLAIN adds under settings, and what a run adds.
    this.limit = this.text.replace(/, (?:metrics|statistics|schema)=\[.*\]$/, '').length;
  }

  error(
    message: string,
    offset: number = this.position,
    hint = `give the ${this.name} as DataFusion prints it`,
  ): DistqError {
    return lineError(this.line, offset, message, hint);
  }

  get isAtEnd(): boolean {
    return this.position >= this.limit;
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position) && this.position + text.length <= this.limit;
  }

  /** Passes over the text, which must stand here. */
  expect(text: string): void {
    if (!this.startsWith(text)) {
      const cut = this.isAtEnd ? ': the line is cut short' : '';
      throw this.error(`"${text.replace(/^, /, '')}" is expected here${cut}`);
    }
    this.position += text.length;
  }

  /** Passes over the text if it stands here. */
  take(text: string): boolean {
    const found = this.startsWith(text);
    if (found) this.position += text.length;
    return found;
  }

  /** Passes over what the pattern (sticky) matches here; its groups. */
  match(pattern: RegExp, what: string): RegExpExecArray {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text.slice(0, this.limit));
    if (found === null) throw this.error(`${what} is expected here${this.isAtEnd ? ': the line is cut short' : ''}`);
    this.position += found[0].length;
    return found;
  }

  /** A word out of a list. */
  choice<T extends string>(choices: readonly T[], what: string): T {
    const start = this.position;
    const word = this.match(/\w+/y, what)[0];
    const found = choices.find((choice) => choice === word);
    if (found !== undefined) return found;
    throw this.error(
      `unknown ${what} ${word}`,
      start,
      didYouMean(word, choices) ?? `give one of ${choices.join(', ')}`,
    );
  }

  /** A whole number. */
  count(): number {
    const start = this.position;
    const digits = this.match(/\d+/y, 'a number')[0];
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) throw this.error(`${digits} is too large`, start);
    return value;
  }

  /** From here to where the marker stands next, over which it passes too. */
  until(marker: string): Slice {
    const end = this.text.indexOf(marker, this.position);
    if (end < 0 || end + marker.length > this.limit) {
      throw this.error(`"${marker}" is missing after this: the line is cut short or changed`);
    }
    const slice = { line: this.line, from: this.position, to: end };
    this.position = end + marker.length;
    return slice;
  }

  /** All that is left. */
  rest(): Slice {
    const slice = { line: this.line, from: this.position, to: this.limit };
    this.position = this.limit;
    return slice;
  }

  /** Takes a field at the end of the line if the pattern, which must end in `$`, matches there; its groups. */
  takeEnd(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.text.slice(0, this.limit));
    if (found === null || found.index < this.position) return null;
    this.limit = found.index;
    return found;
  }

  /** `, fetch=10` at the end. */
  takeFetch(): number | null {
    const found = this.takeEnd(/, fetch=(\d+)$/);
    return found === null ? null : Number(found[1]);
  }

  /** The inside of `, name=[…]` at the end, found by its last occurrence. */
  takeEndList(name: string): Slice | null {
    const marker = `, ${name}=[`;
    const at = this.text.slice(0, this.limit).lastIndexOf(marker);
    if (at < this.position || this.text.charAt(this.limit - 1) !== ']') return null;
    const slice = { line: this.line, from: at + marker.length, to: this.limit - 1 };
    this.limit = at;
    return slice;
  }

  /** The line must end here. */
  end(): void {
    if (!this.isAtEnd) throw this.error('the line should end here');
  }
}
