import { DistqError, type Span } from '../../base/errors.js';
import type { DocumentField, DocumentNode } from './document-node.js';
import { JsonField, JsonList, JsonNumber, JsonObject, JsonString } from './json-nodes.js';
import { TextPlaces } from './text-places.js';

/** Documents nested deeper than this are refused before the call stack is at risk. */
const MAX_DEPTH = 1000;

/** Reads JSON (RFC 8259; a byte order mark is skipped). What is no JSON, or names a field twice, is a `parse` error with its place. */
export function readJson(text: string): DocumentNode {
  return new JsonReader(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text).document();
}

const BYTE_ORDER_MARK = 0xfeff;
const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_]+/y;

class JsonReader {
  readonly #text: string;
  readonly #places: TextPlaces;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
    this.#places = new TextPlaces(text);
  }

  document(): DocumentNode {
    const node = this.#value(0);
    this.#skipBlanks();
    if (this.#offset < this.#text.length) throw this.#unexpected('the end of the document');
    return node;
  }

  #value(depth: number): DocumentNode {
    this.#skipBlanks();
    if (depth > MAX_DEPTH) throw this.#error(`the document is nested deeper than ${MAX_DEPTH} levels`);
    const start = this.#offset;
    switch (this.#text.charCodeAt(start)) {
      case OPEN_OBJECT:
        return this.#object(start, depth);
      case OPEN_LIST:
        return this.#list(start, depth);
      case QUOTE:
        return new JsonString(this.#string(), this.#places, start, this.#offset);
      default:
        return this.#number(start) ?? this.#word(start);
    }
  }

  #object(start: number, depth: number): DocumentNode {
    const fields = new Map<string, DocumentField>();
    this.#offset++;
    this.#skipBlanks();
    if (this.#accept(CLOSE_OBJECT)) return new JsonObject(fields, this.#places, start);
    do {
      this.#skipBlanks();
      const nameStart = this.#offset;
      if (this.#text.charCodeAt(nameStart) !== QUOTE) throw this.#unexpected('a field name in double quotes');
      const name = this.#string();
      const nameEnd = this.#offset;
      if (fields.has(name)) {
        throw this.#error(`field "${name}" stands twice in one object`, this.#places.span(nameStart, nameEnd));
      }
      this.#skipBlanks();
      if (!this.#accept(COLON)) throw this.#unexpected('":"');
      fields.set(name, new JsonField(this.#value(depth + 1), this.#places, nameStart, nameEnd));
      this.#skipBlanks();
    } while (this.#accept(COMMA));
    if (!this.#accept(CLOSE_OBJECT)) throw this.#unexpected('"," or "}"');
    return new JsonObject(fields, this.#places, start);
  }

  #list(start: number, depth: number): DocumentNode {
    const items: DocumentNode[] = [];
    this.#offset++;
    this.#skipBlanks();
    if (this.#accept(CLOSE_LIST)) return new JsonList(items, this.#places, start);
    do {
      items.push(this.#value(depth + 1));
      this.#skipBlanks();
    } while (this.#accept(COMMA));
    if (!this.#accept(CLOSE_LIST)) throw this.#unexpected('"," or "]"');
    return new JsonList(items, this.#places, start);
  }

  #number(start: number): DocumentNode | undefined {
    const text = this.#match(NUMBER);
    if (text === undefined) return undefined;
    this.#offset += text.length;
    return new JsonNumber(text, this.#places, start);
  }

  #word(start: number): DocumentNode {
    const text = this.#match(WORD);
    if (text !== 'true' && text !== 'false' && text !== 'null') throw this.#unexpected('a value');
    this.#offset += text.length;
    const span = this.#places.span(start, this.#offset);
    return text === 'null' ? { kind: 'null', span } : { kind: 'boolean', value: text === 'true', span };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0];
  }

  /** From the opening quote to behind the closing one. */
  #string(): string {
    const text = this.#text;
    const start = this.#offset;
    let end = start + 1;
    let isPlain = true;
    for (; ; end++) {
      const code = text.charCodeAt(end);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        isPlain = false;
        end++;
      } else if (!(code >= SPACE)) throw this.#brokenString(); // A control character, or the end of the text.
    }
    this.#offset = end + 1;
    if (isPlain) return text.slice(start + 1, end);
    try {
      return JSON.parse(text.slice(start, end + 1)) as string;
    } catch {
      this.#offset = start;
      throw this.#brokenString();
    }
  }

  #brokenString(): DistqError {
    return this.#error('a string does not end, or has a line break or an unknown escape in it', undefined, {
      hint: 'write \\n for a line break and \\\\ for a backslash',
    });
  }

  #accept(code: number): boolean {
    if (this.#text.charCodeAt(this.#offset) !== code) return false;
    this.#offset++;
    return true;
  }

  #skipBlanks(): void {
    for (; ; this.#offset++) {
      const code = this.#text.charCodeAt(this.#offset);
      if (code !== SPACE && code !== LINE_FEED && code !== TAB && code !== CARRIAGE_RETURN) return;
    }
  }

  #unexpected(expected: string): DistqError {
    const found = /\S[\w.]{0,20}/y;
    found.lastIndex = this.#offset;
    const text = found.exec(this.#text)?.[0];
    const shown = text === undefined ? 'the end' : `"${text}"`;
    return this.#error(`expected ${expected}, found ${shown}`);
  }

  #error(
    message: string,
    span: Span = this.#places.span(this.#offset),
    { hint }: { readonly hint?: string } = {},
  ): DistqError {
    return new DistqError('parse', message, { span, ...(hint === undefined ? {} : { hint }) });
  }
}
