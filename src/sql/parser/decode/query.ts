import { DistqError } from '../../../base/errors.js';
import type { Cte, NamedWindow, OrderByItem, Place, Query, Select, SetExpr, SqlExpr, Values } from '../ast.js';
import { decodeWindowSpec } from './function.js';
import { decodeIdent } from './ident.js';
import { decodeOrderByItems } from './order-by.js';
import {
  absent,
  flag,
  hull,
  list,
  optional,
  type RawRecord,
  placeOf,
  type Reader,
  record,
  refuse,
  text,
  unknownVariant,
  unsupported,
  variant,
} from './reader.js';
import { decodeSelectItems } from './select-item.js';
import { decodeTableAlias, decodeTableWithJoins, factorPlace } from './table.js';

export function decodeQuery(reader: Reader, raw: unknown): Query {
  const node = record(raw, 'a query');
  const body = decodeSetExpr(reader, node['body']);
  const refused = {
    locks: 'FOR UPDATE or FOR SHARE',
    for_clause: 'FOR JSON, FOR XML or FOR BROWSE',
    settings: 'SETTINGS',
    format_clause: 'FORMAT',
    pipe_operators: 'the pipe operator |>',
  };
  refuse(node, refused, body.span);
  const limit = decodeLimit(reader, node['limit_clause'], body.span);
  const fetch = optional(node['fetch'], (present) => decodeFetch(reader, record(present, 'FETCH'), body.span));
  if (fetch !== null && limit.limit !== null) {
    throw new DistqError('plan', 'a query has either LIMIT or FETCH', fetch.span === null ? {} : { span: fetch.span });
  }
  const withClause = absent(node['with']) ? null : record(node['with'], 'WITH');
  return {
    ctes: withClause === null ? [] : decodeCtes(reader, withClause),
    recursive: withClause !== null && flag(withClause['recursive'], 'RECURSIVE'),
    body,
    orderBy: optional(node['order_by'], (present) => decodeOrderBy(reader, present, body.span)) ?? [],
    limit: fetch ?? limit.limit,
    offset: limit.offset,
    span: withClause === null ? body.span : hull(reader.token(withClause['with_token']), body.span),
  };
}

function decodeCtes(reader: Reader, withClause: RawRecord): Cte[] {
  return list(withClause['cte_tables'], 'common table expressions').map((raw) => {
    const node = record(raw, 'a common table expression');
    const alias = decodeTableAlias(reader, node['alias']);
    refuse(node, { from: 'FROM behind a common table expression' }, alias.name.span);
    return { alias, query: reader.query(node['query']) };
  });
}

function decodeOrderBy(reader: Reader, raw: unknown, place: Place): OrderByItem[] {
  const node = record(raw, 'ORDER BY');
  refuse(node, { interpolate: 'INTERPOLATE' }, place);
  const { tag, body } = variant(node['kind'], 'ORDER BY');
  if (tag === 'All') throw unsupported('ORDER BY ALL', place);
  return decodeOrderByItems(reader, body);
}

function decodeLimit(
  reader: Reader,
  raw: unknown,
  place: Place,
): { readonly limit: SqlExpr | null; readonly offset: SqlExpr | null } {
  if (absent(raw)) return { limit: null, offset: null };
  const { tag, body } = variant(raw, 'LIMIT');
  const node = record(body, 'LIMIT');
  if (tag === 'OffsetCommaLimit') {
    return { limit: reader.expr(node['limit']), offset: reader.expr(node['offset']) };
  }
  if (tag !== 'LimitOffset') throw unknownVariant(tag, 'LIMIT');
  refuse(node, { limit_by: 'LIMIT BY' }, place);
  return {
    limit: reader.optionalExpr(node['limit']),
    offset: optional(node['offset'], (offset) => reader.expr(record(offset, 'OFFSET')['value'])),
  };
}

function decodeFetch(reader: Reader, node: RawRecord, place: Place): SqlExpr {
  refuse(node, { with_ties: 'FETCH … WITH TIES', percent: 'FETCH … PERCENT' }, place);
  const quantity = reader.optionalExpr(node['quantity']);
  return quantity ?? { kind: 'literal', value: { type: 'number', text: '1' }, span: null };
}

function decodeSetExpr(reader: Reader, raw: unknown): SetExpr {
  const { tag, body } = variant(raw, 'a query');
  switch (tag) {
    case 'Select':
      return decodeSelect(reader, record(body, 'SELECT'));
    case 'Query': {
      const query = reader.query(body);
      return { kind: 'query', query, span: query.span };
    }
    case 'SetOperation':
      return decodeSetOperation(reader, record(body, 'a set operation'));
    case 'Values':
      return decodeValues(reader, record(body, 'VALUES'));
    case 'Insert':
    case 'Update':
    case 'Delete':
    case 'Merge':
    case 'Table':
      throw unsupported(`${tag.toUpperCase()} as a query`, null);
    default:
      throw unknownVariant(tag, 'query');
  }
}

/** Unions of many branches lean to the left, so the left spine is walked in a loop. */
function decodeSetOperation(reader: Reader, top: RawRecord): SetExpr {
  const spine: RawRecord[] = [top];
  let leftmost: unknown = top['left'];
  for (;;) {
    const { tag, body } = variant(leftmost, 'a query');
    if (tag !== 'SetOperation') break;
    const node = record(body, 'a set operation');
    spine.push(node);
    leftmost = node['left'];
  }
  let left = decodeSetExpr(reader, leftmost);
  for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
    const right = decodeSetExpr(reader, node['right']);
    const quantifier = text(node['set_quantifier'], 'ALL or DISTINCT');
    left = {
      kind: 'set_operation',
      op: setOperator(text(node['op'], 'a set operator')),
      all: quantifier === 'All' || quantifier === 'AllByName',
      byName: quantifier.endsWith('ByName'),
      left,
      right,
      span: hull(left.span, right.span),
    };
  }
  return left;
}

function setOperator(name: string): 'UNION' | 'INTERSECT' | 'EXCEPT' {
  switch (name) {
    case 'Union':
      return 'UNION';
    case 'Intersect':
      return 'INTERSECT';
    case 'Except':
    case 'Minus':
      return 'EXCEPT';
    default:
      throw unknownVariant(name, 'set operator');
  }
}

function decodeValues(reader: Reader, node: RawRecord): Values {
  const rows = list(node['rows'], 'rows').map((row) => reader.exprs(record(row, 'a row')['content']));
  const span = placeOf(rows.flat());
  refuse(node, { value_keyword: 'VALUE instead of VALUES', explicit_row: 'ROW in VALUES' }, span);
  return { kind: 'values', rows, span };
}

const REFUSED_CLAUSES = {
  top: 'TOP',
  into: 'SELECT INTO',
  exclude: 'EXCLUDE behind the select list',
  lateral_views: 'LATERAL VIEW',
  prewhere: 'PREWHERE',
  connect_by: 'CONNECT BY',
  cluster_by: 'CLUSTER BY',
  distribute_by: 'DISTRIBUTE BY',
  sort_by: 'SORT BY',
  value_table_mode: 'SELECT AS',
} as const;

function decodeSelect(reader: Reader, node: RawRecord): Select {
  const start = reader.token(node['select_token']);
  refuse(node, REFUSED_CLAUSES, start);
  if (node['flavor'] === 'FromFirstNoSelect') throw unsupported('FROM without SELECT', start);
  const modifiers = absent(node['select_modifiers']) ? {} : record(node['select_modifiers'], 'modifiers');
  if (Object.values(modifiers).includes(true)) throw unsupported('a modifier behind SELECT', start);
  const projection = decodeSelectItems(reader, node['projection']);
  const from = list(node['from'], 'FROM').map((table) => decodeTableWithJoins(reader, table));
  const where = reader.optionalExpr(node['selection']);
  const having = reader.optionalExpr(node['having']);
  const qualify = reader.optionalExpr(node['qualify']);
  const groupBy = decodeGroupBy(reader, node['group_by'], start);
  const ends: Place[] = [
    ...projection.map((item) => (item.kind === 'expr' ? hull(item.expr.span, item.alias?.span ?? null) : item.span)),
    ...from.flatMap((table) => [table.relation, ...table.joins.map((join) => join.relation)]).map(factorPlace),
    where?.span ?? null,
    having?.span ?? null,
    qualify?.span ?? null,
    ...(groupBy === 'all' ? [] : groupBy.map((expr) => expr.span)),
  ];
  return {
    kind: 'select',
    distinct: decodeDistinct(reader, node['distinct']),
    projection,
    from,
    where,
    groupBy,
    having,
    windows: list(node['named_window'], 'WINDOW').map((window) => decodeNamedWindow(reader, window)),
    qualify,
    span: hull(start, ...ends),
  };
}

function decodeDistinct(reader: Reader, raw: unknown): Select['distinct'] {
  if (absent(raw)) return 'all';
  const { tag, body } = variant(raw, 'DISTINCT');
  switch (tag) {
    case 'All':
      return 'all';
    case 'Distinct':
      return 'distinct';
    case 'On':
      return { on: reader.exprs(body) };
    default:
      throw unknownVariant(tag, 'DISTINCT');
  }
}

function decodeGroupBy(reader: Reader, raw: unknown, place: Place): Select['groupBy'] {
  const { tag, body } = variant(raw, 'GROUP BY');
  const parts = list(body, 'GROUP BY');
  const modifiers = tag === 'All' ? parts : list(parts[1], 'modifiers of GROUP BY');
  if (modifiers.length > 0) throw unsupported('GROUP BY … WITH ROLLUP, CUBE or TOTALS', place);
  return tag === 'All' ? 'all' : reader.exprs(parts[0]);
}

function decodeNamedWindow(reader: Reader, raw: unknown): NamedWindow {
  const [name, definition] = list(raw, 'a named window');
  const ident = decodeIdent(reader, name);
  const { tag, body } = variant(definition, 'a named window');
  if (tag !== 'WindowSpec') throw unsupported('a window that only renames another one', ident.span);
  return { name: ident, spec: decodeWindowSpec(reader, record(body, 'a window')) };
}
