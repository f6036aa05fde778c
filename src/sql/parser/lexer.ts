import { DistqError, type Span } from '../../base/errors.js';

export type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'symbol';

/** A token of SQL text. Offsets are UTF-16 units; line and column are 1-based, columns in code points; ends are exclusive. */
export interface Token {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  /** A word in upper case, a quoted name or a string without its quotes and escapes; otherwise the text. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * Splits SQL into tokens as the parser's generic dialect does, as far as statements need it: where strings, quoted names and comments
 * end, what is a word. Comments (`--`, nested block comments) and white space are left out. Something without its end is a `parse` error.
 */
export function lex(text: string): Token[] {
  const lexer = new Lexer(text);
  const tokens: Token[] = [];
  for (let token = lexer.next(); token !== undefined; token = lexer.next()) tokens.push(token);
  return tokens;
}

export function tokenSpan({ line, column, endLine, endColumn }: Token): Span {
  return { line, column, endLine, endColumn };
}

const WORD_START = /[\p{L}_@#]/u;
const WORD_PART = /[\p{L}\p{N}_@#$]/u;
const SYMBOLS_OF_TWO = new Set(['||', '::', '<=', '>=', '<>', '!=', '|>', '->', '=>', '<<', '>>']);

class Lexer {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  #column = 1;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token | undefined {
    this.#skipBlanks();
    if (this.#offset >= this.#text.length) return undefined;
    const [start, line, column] = [this.#offset, this.#line, this.#column];
    const { kind, value } = this.#token();
    const text = this.#text.slice(start, this.#offset);
    return {
      kind,
      text,
      value: value ?? (kind === 'word' ? text.toUpperCase() : text),
      start,
      end: this.#offset,
      line,
      column,
      endLine: this.#line,
      endColumn: this.#column,
    };
  }

  #token(): { readonly kind: TokenKind; readonly value?: string } {
    const character = this.#peek();
    const following = this.#text.charAt(this.#offset + 1);
    if (character === "'") return { kind: 'string', value: this.#quotedText("'", false) };
    if (character === '"' || character === '`') return { kind: 'quoted', value: this.#quotedText(character, false) };
    if (character === '$') {
      const body = this.#dollarQuoted();
      if (body !== undefined) return { kind: 'string', value: body };
    }
    if (following === "'" && /[eEnNbBrRxX]/.test(character)) {
      this.#advance(1);
      return { kind: 'string', value: this.#quotedText("'", /[eE]/.test(character)) };
    }
    if (/[0-9]/.test(character) || (character === '.' && /[0-9]/.test(following))) {
      this.#advanceBy(/(?:[0-9][0-9_]*)?(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?/y);
      return { kind: 'number' };
    }
    if (WORD_START.test(character)) {
      while (this.#offset < this.#text.length && WORD_PART.test(this.#peek())) this.#advance(1);
      return { kind: 'word' };
    }
    this.#advance(SYMBOLS_OF_TWO.has(character + following) ? 2 : 1);
    return { kind: 'symbol' };
  }

  /** One code point. */
  #peek(): string {
    const code = this.#text.codePointAt(this.#offset);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #advance(codePoints: number): void {
    for (let i = 0; i < codePoints; i++) {
      const character = this.#peek();
      this.#offset += character.length;
      if (character === '\n') {
        this.#line++;
        this.#column = 1;
      } else {
        this.#column++;
      }
    }
  }

  #advanceBy(pattern: RegExp): void {
    pattern.lastIndex = this.#offset;
    this.#advance(Math.max(1, pattern.exec(this.#text)?.[0].length ?? 0));
  }

  /** Moves behind the next occurrence of `end`, or fails at `start`. */
  #advancePast(end: string, from: number, what: string, start: Span): void {
    const found = this.#text.indexOf(end, from);
    if (found < 0) throw new DistqError('parse', `${what} has no end`, { span: start });
    while (this.#offset < found + end.length) this.#advance(1);
  }

  #here(): Span {
    return { line: this.#line, column: this.#column };
  }

  #skipBlanks(): void {
    while (this.#offset < this.#text.length) {
      if (/\s/.test(this.#text.charAt(this.#offset))) {
        this.#advance(1);
      } else if (this.#text.startsWith('--', this.#offset)) {
        while (this.#offset < this.#text.length && this.#text.charAt(this.#offset) !== '\n') this.#advance(1);
      } else if (this.#text.startsWith('/*', this.#offset)) {
        this.#skipBlockComment();
      } else {
        return;
      }
    }
  }

  #skipBlockComment(): void {
    const start = this.#here();
    let depth = 0;
    do {
      if (this.#offset >= this.#text.length) throw new DistqError('parse', 'a comment has no end', { span: start });
      const isOpening = this.#text.startsWith('/*', this.#offset);
      const isClosing = !isOpening && this.#text.startsWith('*/', this.#offset);
      depth += isOpening ? 1 : isClosing ? -1 : 0;
      this.#advance(isOpening || isClosing ? 2 : 1);
    } while (depth > 0);
  }

  /** The text between quotes, in which the doubled quote stands for one; with `escapes`, a backslash too (its meaning is kept out). */
  #quotedText(quote: string, escapes: boolean): string {
    const start = this.#here();
    this.#advance(1);
    let value = '';
    for (;;) {
      if (this.#offset >= this.#text.length) {
        throw new DistqError('parse', `${quote === "'" ? 'a string' : 'a quoted name'} has no end`, { span: start });
      }
      const character = this.#peek();
      if (escapes && character === '\\') {
        this.#advance(1);
        value += this.#peek();
        this.#advance(1);
      } else if (character !== quote) {
        value += character;
        this.#advance(1);
      } else if (this.#text.charAt(this.#offset + 1) === quote) {
        value += quote;
        this.#advance(2);
      } else {
        this.#advance(1);
        return value;
      }
    }
  }

  /** `$$…$$` or `$tag$…$tag$`; undefined for `$1` and other uses of the dollar. */
  #dollarQuoted(): string | undefined {
    const opening = /^\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/u.exec(this.#text.slice(this.#offset, this.#offset + 80))?.[0];
    if (opening === undefined) return undefined;
    const from = this.#offset + opening.length;
    this.#advancePast(opening, from, 'a string', this.#here());
    return this.#text.slice(from, this.#offset - opening.length);
  }
}
