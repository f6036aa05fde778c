import { DistqError } from '../base/errors.js';
import type { TimeUnit } from '../columnar/data-type.js';
import type { EncodedValue } from './expr-codec.js';

/** Reading parts of an encoded tree: what is not of the shape asked for is a `protocol` error that names it. */

type Encoded = { readonly [key: string]: EncodedValue };

export function malformed(what: string): DistqError {
  return new DistqError('protocol', `the plan holds a malformed ${what}`);
}

export function object(value: EncodedValue | undefined, what: string): Encoded {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || isList(value))
    throw malformed(what);
  return value;
}

function isList(value: EncodedValue): value is readonly EncodedValue[] {
  return Array.isArray(value);
}

export function list(value: EncodedValue | undefined, what: string): readonly EncodedValue[] {
  if (value === undefined || !isList(value)) throw malformed(what);
  return value;
}

export function text(value: EncodedValue | undefined, what: string): string {
  if (typeof value !== 'string') throw malformed(what);
  return value;
}

export function number(value: EncodedValue | undefined, what: string): number {
  if (typeof value !== 'number') throw malformed(what);
  return value;
}

export function flag(value: EncodedValue | undefined, what: string): boolean {
  if (typeof value !== 'boolean') throw malformed(what);
  return value;
}

export function unit(value: EncodedValue | undefined): TimeUnit {
  if (value === 's' || value === 'ms' || value === 'us' || value === 'ns') return value;
  throw malformed('time unit');
}
