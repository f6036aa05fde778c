import { DistqError } from '../../../base/errors.js';
import type {
  FunctionArg,
  FunctionCall,
  Ident,
  OrderByItem,
  Place,
  SqlExpr,
  SqlFrameBound,
  SqlWindowFrame,
  WindowSpec,
} from '../ast.js';
import { decodeIdent, decodeObjectName, namePlace } from './ident.js';
import { decodeOrderByItems } from './order-by.js';
import {
  absent,
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

export function decodeFunction(reader: Reader, node: RawRecord): FunctionCall {
  const name = decodeObjectName(reader, node['name']);
  const place = namePlace(name);
  refuse(node, { parameters: 'a function with two lists of arguments' }, place);
  const args = decodeArguments(reader, node['args'], place);
  return {
    kind: 'function',
    name,
    ...args,
    withinGroup: decodeOrderByItems(reader, node['within_group']),
    filter: reader.optionalExpr(node['filter']),
    ignoreNulls: optional(node['null_treatment'], decodeNullTreatment) ?? args.ignoreNulls,
    over: optional(node['over'], (raw) => decodeOver(reader, raw)),
    span: place,
  };
}

type ArgumentList = Pick<FunctionCall, 'parenthesized' | 'args' | 'distinct' | 'orderBy' | 'ignoreNulls'>;

function decodeArguments(reader: Reader, raw: unknown, place: Place): ArgumentList {
  const { tag, body } = variant(raw, 'arguments');
  // `current_date` and the like come without parentheses.
  if (tag === 'None') return { parenthesized: false, args: [], distinct: false, orderBy: [], ignoreNulls: null };
  if (tag === 'Subquery') throw unsupported('a query as the argument of a function', place);
  if (tag !== 'List') throw unknownVariant(tag, 'list of arguments');
  const node = record(body, 'arguments');
  let orderBy: OrderByItem[] = [];
  let ignoreNulls: boolean | null = null;
  for (const clause of list(node['clauses'], 'clauses of a call')) {
    const { tag: kind, body: content } = variant(clause, 'a clause of a call');
    switch (kind) {
      case 'OrderBy':
        orderBy = decodeOrderByItems(reader, content);
        break;
      case 'IgnoreOrRespectNulls':
        ignoreNulls = decodeNullTreatment(content);
        break;
      case 'Limit':
      case 'OnOverflow':
      case 'Having':
      case 'Separator':
        throw unsupported(`${kind === 'OnOverflow' ? 'ON OVERFLOW' : kind.toUpperCase()} inside a call`, place);
      default:
        throw unsupported('this clause inside a call', place);
    }
  }
  const duplicates = optional(node['duplicate_treatment'], (value) => text(value, 'DISTINCT'));
  const args = list(node['args'], 'arguments').map((arg) => decodeArgument(reader, arg, place));
  return { parenthesized: true, args, distinct: duplicates === 'Distinct', orderBy, ignoreNulls };
}

function decodeNullTreatment(raw: unknown): boolean {
  return text(raw, 'IGNORE NULLS') === 'IgnoreNulls';
}

export function decodeArgument(reader: Reader, raw: unknown, place: Place): FunctionArg {
  const { tag, body } = variant(raw, 'an argument');
  if (tag === 'Named' || tag === 'ExprNamed') throw unsupported('an argument given by name', place);
  if (tag !== 'Unnamed') throw unknownVariant(tag, 'argument');
  const { tag: kind, body: content } = variant(body, 'an argument');
  switch (kind) {
    case 'Expr':
      return { kind: 'expr', expr: reader.expr(content) };
    case 'Wildcard':
      return { kind: 'wildcard', qualifier: null };
    case 'QualifiedWildcard':
      return { kind: 'wildcard', qualifier: decodeObjectName(reader, content) };
    case 'WildcardWithOptions':
      throw unsupported('* with EXCLUDE, EXCEPT, REPLACE or RENAME as an argument', place);
    default:
      throw unknownVariant(kind, 'argument');
  }
}

function decodeOver(reader: Reader, raw: unknown): WindowSpec | Ident {
  const { tag, body } = variant(raw, 'OVER');
  return tag === 'NamedWindow' ? decodeIdent(reader, body) : decodeWindowSpec(reader, record(body, 'a window'));
}

export function decodeWindowSpec(reader: Reader, node: RawRecord): WindowSpec {
  return {
    kind: 'window_spec',
    base: optional(node['window_name'], (raw) => decodeIdent(reader, raw)),
    partitionBy: reader.exprs(node['partition_by']),
    orderBy: decodeOrderByItems(reader, node['order_by']),
    frame: optional(node['window_frame'], (raw) => decodeFrame(reader, record(raw, 'a window frame'))),
  };
}

function decodeFrame(reader: Reader, node: RawRecord): SqlWindowFrame {
  return {
    units: frameUnits(text(node['units'], 'frame units')),
    start: decodeBound(reader, node['start_bound']),
    end: optional(node['end_bound'], (raw) => decodeBound(reader, raw)),
  };
}

function frameUnits(name: string): SqlWindowFrame['units'] {
  switch (name) {
    case 'Rows':
      return 'ROWS';
    case 'Range':
      return 'RANGE';
    case 'Groups':
      return 'GROUPS';
    default:
      throw unknownVariant(name, 'window frame');
  }
}

function decodeBound(reader: Reader, raw: unknown): SqlFrameBound {
  const { tag, body } = variant(raw, 'a bound of a window frame');
  if (tag === 'CurrentRow') return { direction: 'CURRENT ROW' };
  if (tag !== 'Preceding' && tag !== 'Following') throw unknownVariant(tag, 'bound of a window frame');
  return { direction: tag === 'Preceding' ? 'PRECEDING' : 'FOLLOWING', offset: reader.optionalExpr(body) };
}

/** Functions with a syntax of their own, as plain calls. */
export function decodeSpecialFunction(reader: Reader, tag: string, node: RawRecord): FunctionCall {
  const first = reader.expr(node['expr']);
  switch (tag) {
    case 'Ceil':
    case 'Floor': {
      const { tag: field, body } = variant(node['field'], 'a unit of CEIL or FLOOR');
      if (field !== 'DateTimeField') throw unsupported(`${tag.toUpperCase()} with a scale`, first.span);
      if (body !== 'NoDateTime') throw unsupported(`${tag.toUpperCase()} to a unit of time`, first.span);
      return call(tag.toLowerCase(), [first]);
    }
    case 'Position':
      return call('strpos', [reader.expr(node['in']), first]);
    case 'Substring': {
      const from = reader.optionalExpr(node['substring_from']);
      const length = reader.optionalExpr(node['substring_for']);
      if (from === null && length === null) {
        throw new DistqError('plan', 'SUBSTRING needs FROM or FOR', first.span === null ? {} : { span: first.span });
      }
      const start: SqlExpr = from ?? { kind: 'literal', value: { type: 'number', text: '1' }, span: null };
      return call('substr', length === null ? [first, start] : [first, start, length]);
    }
    case 'Trim': {
      const what = reader.optionalExpr(node['trim_what']);
      const characters = absent(node['trim_characters']) ? [] : reader.exprs(node['trim_characters']);
      if (characters.length > 1) throw unsupported('TRIM with several lists of characters', first.span);
      const where = optional(node['trim_where'], (raw) => text(raw, 'LEADING or TRAILING'));
      const name = where === 'Leading' ? 'ltrim' : where === 'Trailing' ? 'rtrim' : 'btrim';
      return call(name, [first, ...(what === null ? characters : [what])]);
    }
    case 'Overlay': {
      const length = reader.optionalExpr(node['overlay_for']);
      const args = [first, reader.expr(node['overlay_what']), reader.expr(node['overlay_from'])];
      return call('overlay', length === null ? args : [...args, length]);
    }
    default:
      throw unknownVariant(tag, 'function');
  }
}

function call(name: string, args: readonly SqlExpr[]): FunctionCall {
  const span = hull(placeOf(args));
  return {
    kind: 'function',
    name: [{ value: name, quoted: false, span }],
    parenthesized: true,
    args: args.map((expr) => ({ kind: 'expr', expr })),
    distinct: false,
    orderBy: [],
    withinGroup: [],
    filter: null,
    ignoreNulls: null,
    over: null,
    span,
  };
}
