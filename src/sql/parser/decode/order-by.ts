import type { OrderByItem } from '../ast.js';
import { flag, list, optional, type Reader, record, refuse } from './reader.js';

export function decodeOrderByItems(reader: Reader, raw: unknown): OrderByItem[] {
  return list(raw, 'sort keys').map((item) => {
    const node = record(item, 'a sort key');
    const expr = reader.expr(node['expr']);
    refuse(node, { with_fill: 'WITH FILL' }, expr.span);
    const options = record(node['options'], 'the options of a sort key');
    return {
      expr,
      ascending: optional(options['asc'], (value) => flag(value, 'ASC')),
      nullsFirst: optional(options['nulls_first'], (value) => flag(value, 'NULLS FIRST')),
    };
  });
}
