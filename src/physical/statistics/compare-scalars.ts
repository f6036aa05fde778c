import type { ScalarValue } from '../../columnar/scalar-value.js';

/** Order of two constants of one type (negative, 0, positive), null first; undefined when the type has no simple order. */
export function compareScalars(a: ScalarValue, b: ScalarValue): number | undefined {
  const left = a.value;
  const right = b.value;
  if (a.type.kind !== b.type.kind) return undefined;
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'));
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (!isNumber(left) || !isNumber(right)) return undefined;
  if (left === right) return 0;
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : 1;
  if (Number.isNaN(right)) return -1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isNumber(value: ScalarValue['value']): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
