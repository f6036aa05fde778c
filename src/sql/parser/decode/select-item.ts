import type { Ident, SelectItem, WildcardOptions } from '../ast.js';
import { decodeIdent, decodeIdents, decodeObjectName, namePlace } from './ident.js';
import { hull, list, optional, type Reader, record, text, unknownVariant, unsupported, variant } from './reader.js';
import type { Place } from '../ast.js';

export function decodeSelectItems(reader: Reader, raw: unknown): SelectItem[] {
  return list(raw, 'a select list').map((item) => decodeSelectItem(reader, item));
}

function decodeSelectItem(reader: Reader, raw: unknown): SelectItem {
  const { tag, body } = variant(raw, 'an item of the select list');
  switch (tag) {
    case 'UnnamedExpr':
      return { kind: 'expr', expr: reader.expr(body), alias: null };
    case 'ExprWithAlias': {
      const { expr, alias } = record(body, 'an item of the select list');
      return { kind: 'expr', expr: reader.expr(expr), alias: decodeIdent(reader, alias) };
    }
    case 'ExprWithAliases':
      throw unsupported('several aliases for one expression', null);
    case 'Wildcard': {
      const span = reader.token(record(body, '*')['wildcard_token']);
      return { kind: 'wildcard', qualifier: null, options: decodeOptions(reader, body, span), span };
    }
    case 'QualifiedWildcard': {
      const [name, options] = list(body, 'a qualified *');
      const { tag: kind, body: content } = variant(name, 'a qualified *');
      if (kind !== 'ObjectName') throw unsupported('* behind an expression', null);
      const qualifier = decodeObjectName(reader, content);
      const span = hull(namePlace(qualifier), reader.token(record(options, '*')['wildcard_token']));
      return { kind: 'wildcard', qualifier, options: decodeOptions(reader, options, span), span };
    }
    default:
      throw unknownVariant(tag, 'item of the select list');
  }
}

function decodeOptions(reader: Reader, raw: unknown, place: Place): WildcardOptions {
  const node = record(raw, 'the options of *');
  if (node['opt_alias'] !== undefined && node['opt_alias'] !== null) throw unsupported('* with an alias', place);
  const excluded = optional(node['opt_exclude'], (value) => decodeExclude(reader, value)) ?? [];
  const except = optional(node['opt_except'], (value) => {
    const { first_element: first, additional_elements: more } = record(value, 'EXCEPT');
    return [decodeIdent(reader, first), ...decodeIdents(reader, more)];
  });
  return {
    exclude: [...excluded, ...(except ?? [])],
    replace:
      optional(node['opt_replace'], (value) =>
        list(record(value, 'REPLACE')['items'], 'REPLACE').map((item) => {
          const { expr, column_name: name } = record(item, 'REPLACE');
          return { expr: reader.expr(expr), name: decodeIdent(reader, name) };
        }),
      ) ?? [],
    rename: optional(node['opt_rename'], (value) => decodeRename(reader, value)) ?? [],
    ilike: optional(node['opt_ilike'], (value) => text(record(value, 'ILIKE')['pattern'], 'ILIKE')),
  };
}

function decodeExclude(reader: Reader, raw: unknown): Ident[] {
  const { tag, body } = variant(raw, 'EXCLUDE');
  const names = tag === 'Single' ? [body] : list(body, 'EXCLUDE');
  return names.map((name) => {
    const parts = decodeObjectName(reader, name);
    const [only] = parts;
    if (only === undefined || parts.length > 1) throw unsupported('EXCLUDE of a qualified name', namePlace(parts));
    return only;
  });
}

function decodeRename(reader: Reader, raw: unknown): WildcardOptions['rename'] {
  const { tag, body } = variant(raw, 'RENAME');
  const items = tag === 'Single' ? [body] : list(body, 'RENAME');
  return items.map((item) => {
    const { ident, alias } = record(item, 'RENAME');
    return { name: decodeIdent(reader, ident), alias: decodeIdent(reader, alias) };
  });
}
