import { DistqError } from '../../../base/errors.js';
import type { Place, SqlType } from '../ast.js';
import { absent, integer, list, optional, record, text, unsupported, variant } from './reader.js';

const INTEGERS: Readonly<Record<string, Extract<SqlType, { kind: 'integer' }>>> = {
  TinyInt: { kind: 'integer', bits: 8, unsigned: false },
  SmallInt: { kind: 'integer', bits: 16, unsigned: false },
  Int2: { kind: 'integer', bits: 16, unsigned: false },
  Int: { kind: 'integer', bits: 32, unsigned: false },
  Integer: { kind: 'integer', bits: 32, unsigned: false },
  Int4: { kind: 'integer', bits: 32, unsigned: false },
  BigInt: { kind: 'integer', bits: 64, unsigned: false },
  Int8: { kind: 'integer', bits: 64, unsigned: false },
  TinyIntUnsigned: { kind: 'integer', bits: 8, unsigned: true },
  SmallIntUnsigned: { kind: 'integer', bits: 16, unsigned: true },
  Int2Unsigned: { kind: 'integer', bits: 16, unsigned: true },
  IntUnsigned: { kind: 'integer', bits: 32, unsigned: true },
  IntegerUnsigned: { kind: 'integer', bits: 32, unsigned: true },
  Int4Unsigned: { kind: 'integer', bits: 32, unsigned: true },
  BigIntUnsigned: { kind: 'integer', bits: 64, unsigned: true },
  Int8Unsigned: { kind: 'integer', bits: 64, unsigned: true },
};

/** SQL type names as DataFusion reads them; the rest is refused by name. `place` is where the type is used. */
export function decodeType(raw: unknown, place: Place): SqlType {
  const { tag, body } = variant(raw, 'a type');
  const whole = INTEGERS[tag];
  if (whole !== undefined) return whole;
  switch (tag) {
    case 'Boolean':
    case 'Bool':
      return { kind: 'boolean' };
    case 'Float':
    case 'Real':
    case 'Float4':
      return { kind: 'float', bits: 32 };
    case 'Double':
      if (decodePrecision(body)[0] !== null) throw unsupported('DOUBLE with a precision', place);
      return { kind: 'float', bits: 64 };
    case 'DoublePrecision':
    case 'Float8':
      return { kind: 'float', bits: 64 };
    case 'Decimal':
    case 'Numeric': {
      const [precision, scale] = decodePrecision(body);
      return { kind: 'decimal', precision, scale };
    }
    case 'Char':
    case 'Varchar':
    case 'Text':
    case 'String':
      return { kind: 'string' };
    case 'Bytea':
      return { kind: 'binary' };
    case 'Date':
      return { kind: 'date' };
    case 'Time': {
      const [precision, zone] = decodeTimezone(body);
      if (precision !== null) throw unsupported('TIME with a precision', place);
      if (zone) throw unsupported('TIME WITH TIME ZONE', place);
      return { kind: 'time' };
    }
    case 'Timestamp': {
      const [precision, withTimeZone] = decodeTimezone(body);
      if (precision !== null && ![0, 3, 6, 9].includes(precision)) {
        throw new DistqError('not_implemented', `TIMESTAMP(${precision}) is not supported`, {
          hint: 'the precision may be 0, 3, 6 or 9',
          ...(place === null ? {} : { span: place }),
        });
      }
      return { kind: 'timestamp', precision, withTimeZone };
    }
    case 'Interval': {
      const { fields, precision } = record(body, 'an interval type');
      if (!absent(fields) || !absent(precision)) throw unsupported('INTERVAL with fields or a precision', place);
      return { kind: 'interval' };
    }
    case 'Custom': {
      const [name] = list(body, 'a type');
      const parts = list(name, 'a type name').map((part) => {
        const { body: ident } = variant(part, 'a type name');
        return text(record(ident, 'a type name')['value'], 'a type name');
      });
      throw unsupported(`the type ${parts.join('.')}`, place);
    }
    default:
      throw unsupported(`the type ${typeWords(tag)}`, place);
  }
}

/** `None`, `{Precision: p}` or `{PrecisionAndScale: [p, s]}`. */
function decodePrecision(raw: unknown): [number | null, number | null] {
  const { tag, body } = variant(raw, 'a precision');
  if (tag === 'None') return [null, null];
  if (tag === 'Precision') return [integer(body, 'a precision'), null];
  const [precision, scale] = list(body, 'a precision and scale');
  return [integer(precision, 'a precision'), integer(scale, 'a scale')];
}

/** `[precision, 'WithTimeZone' | …]` */
function decodeTimezone(raw: unknown): [number | null, boolean] {
  const [precision, zone] = list(raw, 'a precision and a time zone');
  const name = text(zone, 'a time zone');
  return [optional(precision, (p) => integer(p, 'a precision')), name === 'WithTimeZone' || name === 'Tz'];
}

/** `CharacterVarying` → `CHARACTER VARYING`. */
function typeWords(tag: string): string {
  return tag.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase();
}
