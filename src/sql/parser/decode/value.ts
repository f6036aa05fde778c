import type { LiteralSqlExpr, LiteralValue, Place } from '../ast.js';
import { flag, list, type Reader, record, text, unsupported, variant } from './reader.js';

/** `{value, span}` */
export function decodeLiteral(reader: Reader, raw: unknown): LiteralSqlExpr {
  const { value, span } = record(raw, 'a literal');
  const place = reader.place(span);
  return { kind: 'literal', value: decodeValue(value, place), span: place };
}

function decodeValue(raw: unknown, place: Place): LiteralValue {
  const { tag, body } = variant(raw, 'a literal');
  switch (tag) {
    case 'Number': {
      const [digits] = list(body, 'a number');
      return { type: 'number', text: text(digits, 'a number') };
    }
    case 'SingleQuotedString':
    case 'EscapedStringLiteral':
    case 'UnicodeStringLiteral':
    case 'NationalStringLiteral':
    case 'DoubleQuotedString':
      return { type: 'string', text: text(body, 'a string') };
    case 'DollarQuotedString':
    case 'QuoteDelimitedStringLiteral':
    case 'NationalQuoteDelimitedStringLiteral':
      return { type: 'string', text: text(record(body, 'a string')['value'], 'a string') };
    case 'HexStringLiteral':
      return { type: 'hex', digits: text(body, 'a hexadecimal string') };
    case 'Boolean':
      return { type: 'boolean', value: flag(body, 'a boolean') };
    case 'Null':
      return { type: 'null' };
    case 'Placeholder':
      throw unsupported(`the parameter ${text(body, 'a parameter')}`, place);
    default:
      throw unsupported('this form of string', place);
  }
}

/** The text of a string literal, or null when the literal is none. */
export function decodeStringText(reader: Reader, raw: unknown): string | null {
  const { value } = decodeLiteral(reader, raw);
  return value.type === 'string' ? value.text : null;
}

/** `Year` → `YEAR`, `TimezoneHour` → `TIMEZONE_HOUR`; a word of the user's own stays as it is. */
export function decodeDateTimeField(raw: unknown): string {
  const { tag, body } = variant(raw, 'a date or time field');
  if (tag === 'Custom') return text(record(body, 'a field')['value'], 'a field');
  if (tag.startsWith('Timezone')) return tag.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
  return tag.toUpperCase();
}
