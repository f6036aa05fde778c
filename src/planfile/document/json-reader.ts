import { DistqError, type Span } from '../../base/errors.js';
import type { DocumentField, DocumentNode } from './document-node.js';

/** Documents nested deeper than this are refused before the call stack is at risk. */
const MAX_DEPTH = 1000;

/** Reads JSON (RFC 8259; a byte order mark is skipped). What is no JSON, or names a field twice, is a `parse` error with its place. */
export function readJson(text: string): DocumentNode {
  return new JsonReader(text.replace(/^\uFEFF/, '')).document();
}

class JsonReader {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  /** Offset of the first character of the current line. */
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
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
    const span = this.#place();
    const first = this.#text[this.#offset];
    if (first === '{') return this.#object(span, depth);
    if (first === '[') return this.#list(span, depth);
    return first === '"' ? this.#stringNode(span) : this.#scalar(span);
  }

  #object(span: Span, depth: number): DocumentNode {
    const fields = new Map<string, DocumentField>();
    this.#offset++;
    this.#skipBlanks();
    if (this.#accept('}')) return { kind: 'object', fields, span };
    do {
      this.#skipBlanks();
      const start = this.#place();
      if (this.#text[this.#offset] !== '"') throw this.#unexpected('a field name in double quotes');
      const name = this.#string();
      const nameSpan = this.#until(start);
      if (fields.has(name)) throw this.#error(`field "${name}" stands twice in one object`, nameSpan);
      this.#skipBlanks();
      if (!this.#accept(':')) throw this.#unexpected('":"');
      fields.set(name, { span: nameSpan, value: this.#value(depth + 1) });
      this.#skipBlanks();
    } while (this.#accept(','));
    if (!this.#accept('}')) throw this.#unexpected('"," or "}"');
    return { kind: 'object', fields, span };
  }

  #list(span: Span, depth: number): DocumentNode {
    const items: DocumentNode[] = [];
    this.#offset++;
    this.#skipBlanks();
    if (this.#accept(']')) return { kind: 'list', items, span };
    do {
      items.push(this.#value(depth + 1));
      this.#skipBlanks();
    } while (this.#accept(','));
    if (!this.#accept(']')) throw this.#unexpected('"," or "]"');
    return { kind: 'list', items, span };
  }

  #scalar(span: Span): DocumentNode {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]+/y;
    pattern.lastIndex = this.#offset;
    const text = pattern.exec(this.#text)?.[0];
    if (text === undefined) throw this.#unexpected('a value');
    if (/^[A-Za-z_]/.test(text) && text !== 'true' && text !== 'false' && text !== 'null') {
      throw this.#unexpected('a value');
    }
    this.#offset += text.length;
    const place = this.#until(span);
    if (text === 'null') return { kind: 'null', span: place };
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', span: place };
    return { kind: 'number', text, span: place };
  }

  #stringNode(span: Span): DocumentNode {
    const start = this.#offset;
    const value = this.#string();
    const isPlain = this.#offset - start === value.length + 2;
    const inner = isPlain ? { line: span.line, column: span.column + 1, block: false } : null;
    return { kind: 'string', value, span: this.#until(span), inner };
  }

  #string(): string {
    const start = this.#offset;
    const pattern = /"(?:[^"\\\p{Cc}]|[\u007F-\u009F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
    pattern.lastIndex = start;
    const text = pattern.exec(this.#text)?.[0];
    if (text === undefined) {
      throw this.#error('a string does not end, or has a line break or an unknown escape in it', undefined, {
        hint: 'write \\n for a line break and \\\\ for a backslash',
      });
    }
    this.#offset += text.length;
    return JSON.parse(text) as string;
  }

  #accept(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset++;
    return true;
  }

  #skipBlanks(): void {
    for (; ; this.#offset++) {
      const character = this.#text[this.#offset];
      if (character === '\n') {
        this.#line++;
        this.#lineStart = this.#offset + 1;
      } else if (character !== ' ' && character !== '\t' && character !== '\r') return;
    }
  }

  #place(): Span {
    return { line: this.#line, column: this.#column() };
  }

  /** From a place to here; values that hold others keep the place where they begin. */
  #until(span: Span): Span {
    return { ...span, endLine: this.#line, endColumn: this.#column() };
  }

  #column(): number {
    // Long lines (a document on one line) are not counted in code points: that would be quadratic.
    const units = this.#offset - this.#lineStart;
    if (units > 500) return units + 1;
    return Array.from(this.#text.slice(this.#lineStart, this.#offset)).length + 1;
  }

  #unexpected(expected: string): DistqError {
    const found = /\S[\w.]{0,20}/y;
    found.lastIndex = this.#offset;
    const text = found.exec(this.#text)?.[0];
    const shown = text === undefined ? 'the end' : `"${text}"`;
    return this.#error(`expected ${expected}, found ${shown}`);
  }

  #error(message: string, span: Span = this.#place(), { hint }: { readonly hint?: string } = {}): DistqError {
    return new DistqError('parse', message, { span, ...(hint === undefined ? {} : { hint }) });
  }
}
