import { DistqError } from '../../../base/errors.js';
import type { BinarySqlExpr, IsSqlExpr, LikeSqlExpr, Place, SqlBinaryOperator, SqlExpr } from '../ast.js';
import { decodeType } from './data-type.js';
import { decodeFunction, decodeSpecialFunction } from './function.js';
import { decodeIdent, decodeIdents, namePlace } from './ident.js';
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
  text,
  unknownVariant,
  unsupported,
  variant,
} from './reader.js';
import { decodeDateTimeField, decodeLiteral, decodeStringText } from './value.js';

export function decodeExpr(reader: Reader, raw: unknown): SqlExpr {
  const { tag, body } = variant(raw, 'an expression');
  switch (tag) {
    case 'Identifier': {
      const ident = decodeIdent(reader, body);
      return { kind: 'identifier', parts: [ident], span: ident.span };
    }
    case 'CompoundIdentifier': {
      const parts = decodeIdents(reader, body);
      return { kind: 'identifier', parts, span: namePlace(parts) };
    }
    case 'Value':
      return decodeLiteral(reader, body);
    case 'BinaryOp':
      return decodeBinary(reader, record(body, tag));
    case 'UnaryOp':
      return decodeUnary(reader, record(body, tag));
    case 'IsNull':
    case 'IsNotNull':
    case 'IsTrue':
    case 'IsNotTrue':
    case 'IsFalse':
    case 'IsNotFalse':
    case 'IsUnknown':
    case 'IsNotUnknown':
      return decodeIs(reader, tag, body);
    case 'IsDistinctFrom':
    case 'IsNotDistinctFrom': {
      const [left, right] = reader.exprs(body);
      if (left === undefined || right === undefined) throw unknownVariant(tag, 'comparison');
      const op = tag === 'IsDistinctFrom' ? 'IS DISTINCT FROM' : 'IS NOT DISTINCT FROM';
      return { kind: 'binary', left, op, right, span: hull(left.span, right.span) };
    }
    case 'InList':
      return decodeInList(reader, record(body, tag));
    case 'InSubquery':
      return decodeInSubquery(reader, record(body, tag));
    case 'Between':
      return decodeBetween(reader, record(body, tag));
    case 'Like':
      return decodeLike(reader, 'LIKE', record(body, tag));
    case 'ILike':
      return decodeLike(reader, 'ILIKE', record(body, tag));
    case 'SimilarTo':
      return decodeLike(reader, 'SIMILAR TO', record(body, tag));
    case 'AnyOp':
    case 'AllOp':
      return decodeQuantified(reader, tag === 'AnyOp' ? 'ANY' : 'ALL', record(body, tag));
    case 'Case':
      return decodeCase(reader, record(body, tag));
    case 'Cast':
      return decodeCast(reader, record(body, tag));
    case 'TypedString':
      return decodeTypedString(reader, record(body, tag));
    case 'Interval':
      return decodeInterval(reader, record(body, tag));
    case 'Extract': {
      const { field, expr } = record(body, tag);
      const inner = reader.expr(expr);
      return { kind: 'extract', field: decodeDateTimeField(field), expr: inner, span: inner.span };
    }
    case 'Nested': {
      const expr = reader.expr(body);
      return { kind: 'nested', expr, span: expr.span };
    }
    case 'Function':
      return decodeFunction(reader, record(body, tag));
    case 'Ceil':
    case 'Floor':
    case 'Position':
    case 'Substring':
    case 'Trim':
    case 'Overlay':
      return decodeSpecialFunction(reader, tag, record(body, tag));
    case 'Exists': {
      const { subquery, negated } = record(body, tag);
      const query = reader.query(subquery);
      return { kind: 'exists', query, negated: flag(negated, 'NOT'), span: query.span };
    }
    case 'Subquery': {
      const query = reader.query(body);
      return { kind: 'subquery', query, span: query.span };
    }
    case 'GroupingSets':
    case 'Cube':
    case 'Rollup': {
      const sets = list(body, 'grouping sets').map((set) => reader.exprs(set));
      const form = tag === 'GroupingSets' ? 'GROUPING SETS' : tag === 'Cube' ? 'CUBE' : 'ROLLUP';
      return { kind: 'grouping_sets', form, sets, span: placeOf(sets.flat()) };
    }
    case 'Tuple': {
      const items = reader.exprs(body);
      return { kind: 'tuple', items, span: placeOf(items) };
    }
    default:
      throw unsupported(constructName(tag), firstPlace(reader, body));
  }
}

const BINARY_OPERATORS: Readonly<Record<string, SqlBinaryOperator>> = {
  Plus: '+',
  Minus: '-',
  Multiply: '*',
  Divide: '/',
  Modulo: '%',
  StringConcat: '||',
  Gt: '>',
  Lt: '<',
  GtEq: '>=',
  LtEq: '<=',
  Eq: '=',
  NotEq: '<>',
  And: 'AND',
  Or: 'OR',
  BitwiseOr: '|',
  BitwiseAnd: '&',
  BitwiseXor: '^',
  PGBitwiseXor: '^',
  PGBitwiseShiftLeft: '<<',
  PGBitwiseShiftRight: '>>',
  PGRegexMatch: '~',
  PGRegexIMatch: '~*',
  PGRegexNotMatch: '!~',
  PGRegexNotIMatch: '!~*',
  Spaceship: 'IS NOT DISTINCT FROM',
};

/** Names of operators that are refused, where their SQL text says more than the parser's name. */
const REFUSED_OPERATORS: Readonly<Record<string, string>> = {
  Xor: 'XOR',
  PGLikeMatch: '~~',
  PGILikeMatch: '~~*',
  PGNotLikeMatch: '!~~',
  PGNotILikeMatch: '!~~*',
  PGStartsWith: '^@',
  Arrow: '->',
  LongArrow: '->>',
  HashArrow: '#>',
  HashLongArrow: '#>>',
  AtAt: '@@',
  AtArrow: '@>',
  ArrowAt: '<@',
  PGOverlap: '&&',
  DuckIntegerDivide: '//',
  MyIntegerDivide: 'DIV',
};

function decodeOperator(raw: unknown, place: Place): SqlBinaryOperator {
  const { tag } = variant(raw, 'an operator');
  const op = BINARY_OPERATORS[tag];
  if (op === undefined) throw unsupported(`the operator ${REFUSED_OPERATORS[tag] ?? tag}`, place);
  return op;
}

/** Chains lean to the left and may be thousands of terms long, so the left spine is walked in a loop. */
function decodeBinary(reader: Reader, top: RawRecord): SqlExpr {
  const spine: RawRecord[] = [top];
  let leftmost: unknown = top['left'];
  for (;;) {
    const { tag, body } = variant(leftmost, 'an operand');
    if (tag !== 'BinaryOp') break;
    const node = record(body, tag);
    spine.push(node);
    leftmost = node['left'];
  }
  let left = reader.expr(leftmost);
  for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
    const right = reader.expr(node['right']);
    const span = hull(left.span, right.span);
    const binary: BinarySqlExpr = { kind: 'binary', left, op: decodeOperator(node['op'], span), right, span };
    left = binary;
  }
  return left;
}

function decodeUnary(reader: Reader, node: RawRecord): SqlExpr {
  const { tag } = variant(node['op'], 'an operator');
  const expr = reader.expr(node['expr']);
  const op = tag === 'Not' ? 'NOT' : tag === 'Minus' ? '-' : tag === 'Plus' ? '+' : undefined;
  if (op === undefined) throw unsupported(`the operator ${tag === 'BitwiseNot' ? '~' : tag}`, expr.span);
  return { kind: 'unary', op, expr, span: expr.span };
}

function decodeIs(reader: Reader, tag: string, body: unknown): IsSqlExpr {
  const negated = tag.startsWith('IsNot');
  const expr = reader.expr(body);
  const test = isTest(tag.slice(negated ? 'IsNot'.length : 'Is'.length));
  return { kind: 'is', expr, test, negated, span: expr.span };
}

function isTest(name: string): IsSqlExpr['test'] {
  switch (name) {
    case 'Null':
      return 'NULL';
    case 'True':
      return 'TRUE';
    case 'False':
      return 'FALSE';
    case 'Unknown':
      return 'UNKNOWN';
    default:
      throw unknownVariant(name, 'IS test');
  }
}

function decodeInList(reader: Reader, node: RawRecord): SqlExpr {
  const expr = reader.expr(node['expr']);
  const items = reader.exprs(node['list']);
  const negated = flag(node['negated'], 'NOT');
  return { kind: 'in_list', expr, list: items, negated, span: hull(expr.span, placeOf(items)) };
}

function decodeInSubquery(reader: Reader, node: RawRecord): SqlExpr {
  const expr = reader.expr(node['expr']);
  const query = reader.query(node['subquery']);
  const negated = flag(node['negated'], 'NOT');
  return { kind: 'in_subquery', expr, query, negated, span: hull(expr.span, query.span) };
}

function decodeBetween(reader: Reader, node: RawRecord): SqlExpr {
  const expr = reader.expr(node['expr']);
  const [low, high] = [reader.expr(node['low']), reader.expr(node['high'])];
  const negated = flag(node['negated'], 'NOT');
  return { kind: 'between', expr, low, high, negated, span: hull(expr.span, high.span) };
}

function decodeLike(reader: Reader, form: LikeSqlExpr['form'], node: RawRecord): SqlExpr {
  const expr = reader.expr(node['expr']);
  const pattern = reader.expr(node['pattern']);
  const span = hull(expr.span, pattern.span);
  if (node['any'] === true) throw unsupported(`${form} ANY`, span);
  const escape = optional(node['escape_char'], (raw) => {
    const character = decodeStringText(reader, raw);
    if (character === null || Array.from(character).length !== 1) {
      throw new DistqError('plan', `the ESCAPE of ${form} is one character in single quotes`, {
        ...(span === null ? {} : { span }),
      });
    }
    return character;
  });
  return { kind: 'like', form, expr, pattern, escape, negated: flag(node['negated'], 'NOT'), span };
}

function decodeQuantified(reader: Reader, quantifier: 'ANY' | 'ALL', node: RawRecord): SqlExpr {
  const left = reader.expr(node['left']);
  const op = decodeOperator(node['compare_op'], left.span);
  const right = reader.expr(node['right']);
  if (right.kind !== 'subquery') throw unsupported(`${quantifier} over a list or an array`, left.span);
  return { kind: 'quantified', left, op, quantifier, query: right.query, span: hull(left.span, right.span) };
}

function decodeCase(reader: Reader, node: RawRecord): SqlExpr {
  const branches = list(node['conditions'], 'WHEN branches').map((raw) => {
    const branch = record(raw, 'a WHEN branch');
    return { when: reader.expr(branch['condition']), then: reader.expr(branch['result']) };
  });
  return {
    kind: 'case',
    operand: reader.optionalExpr(node['operand']),
    branches,
    otherwise: reader.optionalExpr(node['else_result']),
    span: hull(reader.token(node['case_token']), reader.token(node['end_token'])),
  };
}

function decodeCast(reader: Reader, node: RawRecord): SqlExpr {
  const expr = reader.expr(node['expr']);
  if (node['array'] === true) throw unsupported('CAST to an ARRAY', expr.span);
  if (!absent(node['format'])) throw unsupported('CAST with FORMAT', expr.span);
  const kind = text(node['kind'], 'a kind of cast');
  const safe = kind === 'TryCast' || kind === 'SafeCast';
  return { kind: 'cast', expr, type: decodeType(node['data_type'], expr.span), safe, span: expr.span };
}

function decodeTypedString(reader: Reader, node: RawRecord): SqlExpr {
  const { value, span } = decodeLiteral(reader, node['value']);
  if (value.type !== 'string') throw unsupported('a typed literal that is no string', span);
  return { kind: 'typed_string', type: decodeType(node['data_type'], span), text: value.text, span };
}

function decodeInterval(reader: Reader, node: RawRecord): SqlExpr {
  const value = reader.expr(node['value']);
  if (!absent(node['last_field'])) throw unsupported('INTERVAL … TO …', value.span);
  if (!absent(node['leading_precision']) || !absent(node['fractional_seconds_precision'])) {
    throw unsupported('INTERVAL with a precision', value.span);
  }
  return { kind: 'interval', value, unit: optional(node['leading_field'], decodeDateTimeField), span: value.span };
}

/** The names users know for expressions that have no place in the tree. */
const CONSTRUCTS: Readonly<Record<string, string>> = {
  CompoundFieldAccess: 'access to a field or an element (a[i])',
  JsonAccess: 'JSON access (a:b)',
  IsNormalized: 'IS NORMALIZED',
  InUnnest: 'IN UNNEST',
  RLike: 'RLIKE',
  Convert: 'CONVERT',
  AtTimeZone: 'AT TIME ZONE',
  Collate: 'COLLATE',
  Prefixed: 'a prefixed literal',
  Struct: 'STRUCT',
  Named: 'a named expression',
  Dictionary: 'a struct literal ({…})',
  Map: 'MAP',
  Array: 'an array literal',
  MatchAgainst: 'MATCH … AGAINST',
  Wildcard: '* outside the select list',
  QualifiedWildcard: '* outside the select list',
  OuterJoin: 'the outer join mark (+)',
  Prior: 'PRIOR',
  Lambda: 'a lambda',
  MemberOf: 'MEMBER OF',
};

function constructName(tag: string): string {
  const name = CONSTRUCTS[tag];
  if (name === undefined) throw unknownVariant(tag, 'expression');
  return name;
}

/** The first place found anywhere inside a node that is refused, so that the error can point at it. */
function firstPlace(reader: Reader, raw: unknown): Place {
  if (typeof raw !== 'object' || raw === null) return null;
  for (const [name, value] of Object.entries(raw)) {
    const place = name === 'span' ? reader.place(value) : firstPlace(reader, value);
    if (place !== null) return place;
  }
  return null;
}
