import { DistqError, type Span } from '../../base/errors.js';
import type { Ident, ObjectName } from './ast.js';
import { type Token, tokenSpan } from './lexer.js';

/** A position in the tokens of one statement, with the checks that hand-written statements need. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #index = 0;

  /** `tokens`: those of one statement, at least one. */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#index >= this.#tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#index + ahead];
  }

  next(expected: string): Token {
    const token = this.peek();
    if (token === undefined) throw this.unexpected(expected);
    this.#index++;
    return token;
  }

  /** The tokens from here on. */
  rest(): readonly Token[] {
    return this.#tokens.slice(this.#index);
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === 'word' && token.value === word;
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === 'symbol' && token.value === symbol;
  }

  /** Takes the words if all of them come next. */
  accept(...words: string[]): boolean {
    if (!words.every((word, ahead) => this.isWord(word, ahead))) return false;
    this.#index += words.length;
    return true;
  }

  acceptSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#index++;
    return true;
  }

  expect(...words: string[]): void {
    for (const word of words) if (!this.accept(word)) throw this.unexpected(word);
  }

  expectSymbol(symbol: string): void {
    if (!this.acceptSymbol(symbol)) throw this.unexpected(`"${symbol}"`);
  }

  expectEnd(): void {
    if (!this.done) throw this.unexpected('the end of the statement');
  }

  ident(expected: string): Ident {
    const token = this.peek();
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted')) throw this.unexpected(expected);
    this.#index++;
    const quoted = token.kind === 'quoted';
    return { value: quoted ? token.value : token.text, quoted, span: tokenSpan(token) };
  }

  objectName(expected: string): ObjectName {
    const parts = [this.ident(expected)];
    while (this.acceptSymbol('.')) parts.push(this.ident(expected));
    return parts;
  }

  string(expected: string): string {
    const token = this.peek();
    if (token?.kind !== 'string') throw this.unexpected(expected);
    this.#index++;
    return token.value;
  }

  /** `( item, item, … )`; a comma before the closing parenthesis is allowed. */
  parenthesized<T>(item: () => T): T[] {
    this.expectSymbol('(');
    const items: T[] = [];
    while (!this.acceptSymbol(')')) {
      items.push(item());
      if (this.isSymbol(')')) continue;
      if (!this.acceptSymbol(',')) throw this.unexpected('"," or ")"');
    }
    return items;
  }

  /** The tokens up to the comma or the closing parenthesis that ends the current item; these stay. */
  takeItem(expected: string): readonly Token[] {
    const start = this.#index;
    let depth = 0;
    for (; !this.done; this.#index++) {
      if (depth === 0 && (this.isSymbol(',') || this.isSymbol(')'))) break;
      if (this.isSymbol('(')) depth++;
      if (this.isSymbol(')')) depth--;
    }
    if (this.#index === start) throw this.unexpected(expected);
    return this.#tokens.slice(start, this.#index);
  }

  unexpected(expected: string): DistqError {
    return unexpectedToken(expected, this.peek(), this.#tokens.at(-1));
  }
}

/** `expected X, found Y`, placed at the token or, where the text is over, behind its last one. */
export function unexpectedToken(expected: string, found: Token | undefined, last: Token | undefined): DistqError {
  const shown = found === undefined ? 'the end of the statement' : shownToken(found);
  const span = found === undefined ? endSpan(last) : tokenSpan(found);
  return new DistqError('parse', `expected ${expected}, found ${shown}`, { span });
}

/** The place right behind a token. */
export function endSpan(last: Token | undefined): Span {
  return last === undefined ? { line: 1, column: 1 } : { line: last.endLine, column: last.endColumn };
}

function shownToken(token: Token): string {
  const text = token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text;
  return token.kind === 'string' || token.kind === 'quoted' ? text : `"${text}"`;
}
