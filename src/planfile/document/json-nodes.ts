import type { Span } from '../../base/errors.js';
import type { DocumentField, DocumentNode, InnerPlace } from './document-node.js';
import type { TextPlaces } from './text-places.js';

/* The nodes of a JSON text: values with the offsets of their text, which become places when someone asks. */

export class JsonList {
  readonly kind = 'list';
  readonly items: readonly DocumentNode[];
  readonly #places: TextPlaces;
  readonly #start: number;

  constructor(items: readonly DocumentNode[], places: TextPlaces, start: number) {
    this.items = items;
    this.#places = places;
    this.#start = start;
  }

  /** Values that hold others have the place where they begin. */
  get span(): Span {
    return this.#places.span(this.#start);
  }
}

export class JsonObject {
  readonly kind = 'object';
  readonly fields: ReadonlyMap<string, DocumentField>;
  readonly #places: TextPlaces;
  readonly #start: number;

  constructor(fields: ReadonlyMap<string, DocumentField>, places: TextPlaces, start: number) {
    this.fields = fields;
    this.#places = places;
    this.#start = start;
  }

  get span(): Span {
    return this.#places.span(this.#start);
  }
}

export class JsonField implements DocumentField {
  readonly value: DocumentNode;
  readonly #places: TextPlaces;
  readonly #start: number;
  readonly #end: number;

  constructor(value: DocumentNode, places: TextPlaces, start: number, end: number) {
    this.value = value;
    this.#places = places;
    this.#start = start;
    this.#end = end;
  }

  get span(): Span {
    return this.#places.span(this.#start, this.#end);
  }
}

export class JsonString {
  readonly kind = 'string';
  readonly value: string;
  readonly #places: TextPlaces;
  readonly #start: number;
  readonly #end: number;

  constructor(value: string, places: TextPlaces, start: number, end: number) {
    this.value = value;
    this.#places = places;
    this.#start = start;
    this.#end = end;
  }

  get span(): Span {
    return this.#places.span(this.#start, this.#end);
  }

  /** Text without escapes stands in the file as it is. */
  get inner(): InnerPlace | null {
    if (this.#end - this.#start !== this.value.length + 2) return null;
    const { line, column } = this.#places.span(this.#start);
    return { line, column: column + 1, block: false };
  }
}

export class JsonNumber {
  readonly kind = 'number';
  readonly text: string;
  readonly #places: TextPlaces;
  readonly #start: number;

  constructor(text: string, places: TextPlaces, start: number) {
    this.text = text;
    this.#places = places;
    this.#start = start;
  }

  get span(): Span {
    return this.#places.span(this.#start, this.#start + this.text.length);
  }
}
