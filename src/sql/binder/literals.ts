import { notImplemented } from '../../base/errors.js';
import { BINARY, BOOLEAN, decimal, FLOAT64, INT64, INTERVAL, NULL, UINT64, UTF8 } from '../../columnar/data-type.js';
import { parseInterval } from '../../columnar/parse-interval.js';
import { scalar } from '../../columnar/scalar-value.js';
import { binary, type Expr, literal, type LiteralExpr } from '../../expr/expr.js';
import type { IntervalSqlExpr, LiteralSqlExpr, Place, SqlExpr } from '../parser/ast.js';
import { planError } from './binding.js';
import type { BinderOptions } from './options.js';

export function bindLiteral({ value, span }: LiteralSqlExpr, options: BinderOptions): LiteralExpr {
  switch (value.type) {
    case 'number':
      return bindNumber(value.text, false, options, span);
    case 'string':
      return utf8(value.text);
    case 'hex':
      return literal(scalar(BINARY, hexBytes(value.digits, span)));
    case 'boolean':
      return literal(scalar(BOOLEAN, value.value));
    case 'null':
      return literal(scalar(NULL, null));
  }
}

export function utf8(text: string): LiteralExpr {
  return literal(scalar(UTF8, text));
}

const [MIN_INT64, MAX_INT64, MAX_UINT64] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];
const MAX_DECIMAL_PRECISION = 38;

/** Int64 where it fits, else UInt64, else Float64 (or a decimal of the digits written). */
export function bindNumber(text: string, negative: boolean, options: BinderOptions, place: Place): LiteralExpr {
  const digits = text.replaceAll('_', '');
  if (/^[0-9]+$/.test(digits)) {
    const value = negative ? -BigInt(digits) : BigInt(digits);
    if (value >= MIN_INT64 && value <= MAX_INT64) return literal(scalar(INT64, value));
    if (value >= 0n && value <= MAX_UINT64) return literal(scalar(UINT64, value));
  }
  if (options.floatAsDecimal) return decimalLiteral(digits, negative, place);
  const value = Number(digits);
  if (Number.isNaN(value)) throw planError(`"${text}" is no number`, place);
  return literal(scalar(FLOAT64, negative ? -value : value));
}

function decimalLiteral(text: string, negative: boolean, place: Place): LiteralExpr {
  const [, whole = '', fraction = '', exponent = '0'] = /^([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? [];
  const shift = Number(exponent);
  if (whole + fraction === '' || Math.abs(shift) > 100) throw planError(`"${text}" is no number`, place);
  const written = fraction.length - shift;
  const scale = Math.max(written, 0);
  const unscaled = BigInt(whole + fraction) * 10n ** BigInt(scale - written);
  const precision = Math.max(String(unscaled).length, scale);
  if (precision > MAX_DECIMAL_PRECISION) {
    throw notImplemented(`a decimal of ${precision} digits`, place === null ? {} : { span: place });
  }
  return literal(scalar(decimal(precision, scale), negative ? -unscaled : unscaled));
}

function hexBytes(digits: string, place: Place): Uint8Array {
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  if (!/^[0-9a-fA-F]*$/.test(even)) throw planError(`X'${digits}' has a character that is no hexadecimal digit`, place);
  return new Uint8Array(Buffer.from(even, 'hex'));
}

/** An interval literal; `INTERVAL a + b unit` is the sum of two. */
export function bindInterval({ value, unit, span }: IntervalSqlExpr, negative: boolean): Expr {
  const sum = value.kind === 'nested' ? value.expr : value;
  if (sum.kind === 'binary') {
    if (sum.op !== '+' && sum.op !== '-') {
      throw notImplemented(`the operator ${sum.op} inside INTERVAL`, span === null ? {} : { span });
    }
    const part = (side: SqlExpr): IntervalSqlExpr => ({ kind: 'interval', value: side, unit, span });
    return binary(bindInterval(part(sum.left), negative), sum.op, bindInterval(part(sum.right), false));
  }
  const amount = intervalText(sum, negative, span);
  const text = unit === null ? amount : `${amount} ${unit}`;
  const interval = parseInterval(text);
  if (interval === undefined) {
    throw planError(`"${text}" is no interval`, span, "write it like INTERVAL '90' DAY or INTERVAL '1 year 2 months'");
  }
  return literal(scalar(INTERVAL, interval));
}

function intervalText(value: SqlExpr, negative: boolean, place: Place): string {
  if (value.kind === 'unary' && value.op !== 'NOT') {
    return intervalText(value.expr, value.op === '-' ? !negative : negative, place);
  }
  if (value.kind === 'literal' && (value.value.type === 'string' || value.value.type === 'number')) {
    return negative ? `-${value.value.text}` : value.value.text;
  }
  throw notImplemented('INTERVAL over anything but a constant', place === null ? {} : { span: place });
}
