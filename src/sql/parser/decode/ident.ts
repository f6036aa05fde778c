import type { Ident, ObjectName } from '../ast.js';
import { absent, hull, list, type Reader, record, text, unsupported, variant } from './reader.js';
import type { Place } from '../ast.js';

export function decodeIdent(reader: Reader, raw: unknown): Ident {
  const ident = record(raw, 'an identifier');
  return {
    value: text(ident['value'], 'an identifier'),
    quoted: !absent(ident['quote_style']),
    span: reader.place(ident['span']),
  };
}

export function decodeIdents(reader: Reader, raw: unknown): Ident[] {
  return list(raw, 'identifiers').map((item) => decodeIdent(reader, item));
}

export function decodeObjectName(reader: Reader, raw: unknown): ObjectName {
  return list(raw, 'a name').map((part) => {
    const { tag, body } = variant(part, 'a part of a name');
    if (tag !== 'Identifier') throw unsupported('a name computed by a function', null);
    return decodeIdent(reader, body);
  });
}

export function namePlace(name: ObjectName): Place {
  return hull(...name.map((part) => part.span));
}
