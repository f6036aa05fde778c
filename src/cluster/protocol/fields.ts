import { DistqError } from '../../base/errors.js';
import type { EncodedValue } from '../../expr/expr-codec.js';

type Fields = { readonly [key: string]: EncodedValue };

/** Reads the fields of a decoded message, each checked: what does not fit is a `protocol` error naming message and field. */
export class FieldReader {
  readonly #what: string;
  readonly #fields: Fields;

  constructor(value: EncodedValue, what: string) {
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array || isList(value)) {
      throw new DistqError('protocol', `${what} is no set of fields`);
    }
    this.#what = what;
    this.#fields = value;
  }

  value(name: string): EncodedValue {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (value === undefined) throw new DistqError('protocol', `${this.#what} has no field ${name}`);
    return value;
  }

  text(name: string): string {
    const value = this.value(name);
    if (typeof value !== 'string') throw this.#wrong(name, 'text');
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.value(name) === null ? undefined : this.text(name);
  }

  /** An integer from 0. */
  count(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw this.#wrong(name, 'count');
    return value;
  }

  optionalCount(name: string): number | undefined {
    return this.value(name) === null ? undefined : this.count(name);
  }

  number(name: string): number {
    const value = this.value(name);
    if (typeof value !== 'number') throw this.#wrong(name, 'number');
    return value;
  }

  bigint(name: string): bigint {
    const value = this.value(name);
    if (typeof value !== 'bigint') throw this.#wrong(name, 'bigint');
    return value;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== 'boolean') throw this.#wrong(name, 'truth value');
    return value;
  }

  bytes(name: string): Uint8Array {
    const value = this.value(name);
    if (!(value instanceof Uint8Array)) throw this.#wrong(name, 'byte string');
    return value;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.text(name);
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw this.#wrong(name, `value among ${choices.join(', ')}`);
    return found;
  }

  list(name: string): readonly EncodedValue[] {
    const value = this.value(name);
    if (!isList(value)) throw this.#wrong(name, 'list');
    return value;
  }

  texts(name: string): string[] {
    return this.list(name).map((item) => {
      if (typeof item !== 'string') throw this.#wrong(name, 'list of texts');
      return item;
    });
  }

  counts(name: string): number[] {
    return this.list(name).map((item) => {
      if (typeof item !== 'number' || !Number.isSafeInteger(item) || item < 0)
        throw this.#wrong(name, 'list of counts');
      return item;
    });
  }

  object(name: string): FieldReader {
    return new FieldReader(this.value(name), `${name} of ${this.#what}`);
  }

  optionalObject(name: string): FieldReader | undefined {
    return this.value(name) === null ? undefined : this.object(name);
  }

  #wrong(name: string, expected: string): DistqError {
    return new DistqError('protocol', `field ${name} of ${this.#what} is no ${expected}`);
  }
}

export function isList(value: EncodedValue): value is readonly EncodedValue[] {
  return Array.isArray(value);
}
