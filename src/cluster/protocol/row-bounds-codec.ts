import { DistqError } from '../../base/errors.js';
import type { BoundKey, BoundValue, RowBound } from '../../columnar/rows/row-bound.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import type { RowBoundsUpdate } from '../../physical/row-bounds.js';
import { FieldReader, isList } from './fields.js';

/** Bounds of a dynamic filter as they go from process to process. */
export function encodeRowBounds({ id, bounds }: RowBoundsUpdate): EncodedValue {
  return {
    id,
    bounds: bounds.map(({ keys, inclusive }) => ({ inclusive, keys: keys.map(encodeKey) })),
  };
}

export function decodeRowBounds(fields: FieldReader): RowBoundsUpdate {
  return {
    id: fields.count('id'),
    bounds: fields.list('bounds').map((encoded): RowBound => {
      const bound = new FieldReader(encoded, 'a bound of rows');
      return { keys: bound.list('keys').map(decodeKey), inclusive: bound.flag('inclusive') };
    }),
  };
}

function encodeKey({ child, descending, nullsFirst, value }: BoundKey): EncodedValue {
  const isPlain = value === null || typeof value !== 'object' || value instanceof Uint8Array;
  return { child, descending, nullsFirst, value: isPlain ? value : { ...value } };
}

function decodeKey(encoded: EncodedValue): BoundKey {
  const key = new FieldReader(encoded, 'a key of a bound');
  return {
    child: key.count('child'),
    descending: key.flag('descending'),
    nullsFirst: key.flag('nullsFirst'),
    value: decodeBoundValue(key.value('value')),
  };
}

function decodeBoundValue(value: EncodedValue): BoundValue {
  if (typeof value === 'string' || isList(value)) throw new DistqError('protocol', 'a key of a bound has no value');
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  const interval = new FieldReader(value, 'an interval');
  return { months: interval.number('months'), days: interval.number('days'), nanos: interval.bigint('nanos') };
}
