import { DistqError } from '../base/errors.js';
import type { EncodedValue } from './expr-codec.js';

/** Checked access to values of the structured tree. What is not there or of another kind is a `protocol` error that names `what`. */

export function malformed(what: string): DistqError {
  return new DistqError('protocol', `the plan holds a malformed ${what}`);
}

export function asObject(value: EncodedValue | undefined, what: string): { readonly [key: string]: EncodedValue } {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || isList(value))
    throw malformed(what);
  return value;
}

export function asList(value: EncodedValue | undefined, what: string): readonly EncodedValue[] {
  if (value === undefined || !isList(value)) throw malformed(what);
  return value;
}

export function asText(value: EncodedValue | undefined, what: string): string {
  if (typeof value !== 'string') throw malformed(what);
  return value;
}

export function asNumber(value: EncodedValue | undefined, what: string): number {
  if (typeof value !== 'number') throw malformed(what);
  return value;
}

export function asFlag(value: EncodedValue | undefined, what: string): boolean {
  if (typeof value !== 'boolean') throw malformed(what);
  return value;
}

/** The value decoded, or null for null; a field that is missing is malformed. */
export function nullable<T>(
  value: EncodedValue | undefined,
  what: string,
  decode: (value: EncodedValue) => T,
): T | null {
  if (value === undefined) throw malformed(what);
  return value === null ? null : decode(value);
}

function isList(value: EncodedValue): value is readonly EncodedValue[] {
  return Array.isArray(value);
}
