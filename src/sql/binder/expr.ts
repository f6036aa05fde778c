import { notImplemented } from '../../base/errors.js';
import {
  type DataType,
  isFloating,
  isInteger,
  isSignedInteger,
  typeName,
  timestamp,
} from '../../columnar/data-type.js';
import { binary, type BinaryOperator, cast, type Expr, type GroupingSetExpr, type IsExpr } from '../../expr/expr.js';
import { exprType } from '../../expr/expr-schema.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type {
  BinarySqlExpr,
  CastSqlExpr,
  GroupingSetsSqlExpr,
  IsSqlExpr,
  SqlBinaryOperator,
  SqlExpr,
  UnarySqlExpr,
} from '../parser/ast.js';
import { at, type Binding, planError, type Scope } from './binding.js';
import { columnType } from './column-type.js';
import { bindFunction, namedFunction } from './function-call.js';
import { bindIdentifier } from './identifier.js';
import { bindInterval, bindLiteral, bindNumber, utf8 } from './literals.js';
import { bindExists, bindInSubquery, bindQuantified, bindScalarSubquery } from './subquery.js';

/** `Binding.expr` */
export function bindExpr(b: Binding, expr: SqlExpr, schema: DFSchema, scope: Scope): Expr {
  const one = (inner: SqlExpr): Expr => bindExpr(b, inner, schema, scope);
  switch (expr.kind) {
    case 'identifier':
      return bindIdentifier(b, expr, schema, scope);
    case 'literal':
      return bindLiteral(expr, b.options);
    case 'nested':
      return one(expr.expr);
    case 'binary':
      return bindBinary(b, expr, schema, scope);
    case 'unary':
      return bindUnary(b, expr, schema, scope);
    case 'is':
      return isTest(one(expr.expr), expr);
    case 'in_list':
      return { kind: 'in_list', expr: one(expr.expr), list: expr.list.map(one), negated: expr.negated };
    case 'between':
      return {
        kind: 'between',
        expr: one(expr.expr),
        negated: expr.negated,
        low: one(expr.low),
        high: one(expr.high),
      };
    case 'like':
      return {
        kind: 'like',
        expr: one(expr.expr),
        negated: expr.negated,
        pattern: one(expr.pattern),
        escape: expr.escape,
        caseInsensitive: expr.form === 'ILIKE',
        similarTo: expr.form === 'SIMILAR TO',
      };
    case 'case':
      return {
        kind: 'case',
        operand: expr.operand === null ? null : one(expr.operand),
        branches: expr.branches.map((branch) => ({ when: one(branch.when), then: one(branch.then) })),
        otherwise: expr.otherwise === null ? null : one(expr.otherwise),
      };
    case 'cast':
      return bindCast(b, expr, schema, scope);
    case 'typed_string':
      return cast(utf8(expr.text), columnType(expr.type, b.options, expr.span));
    case 'interval':
      return bindInterval(expr, false);
    case 'extract':
      return namedFunction(b, 'date_part', [utf8(expr.field), one(expr.expr)], expr.span);
    case 'function':
      return bindFunction(b, expr, schema, scope);
    case 'exists':
      return bindExists(b, expr, schema, scope);
    case 'subquery':
      return bindScalarSubquery(b, expr, schema, scope);
    case 'in_subquery':
      return bindInSubquery(b, expr, schema, scope);
    case 'quantified':
      return bindQuantified(b, expr, binaryOperator(expr.op), schema, scope);
    case 'grouping_sets':
      return groupingSets(expr, one);
    case 'tuple':
      throw notImplemented('a list of values in parentheses', expr.span === null ? {} : { span: expr.span });
  }
}

/** Chains lean to the left and may be long, so the left spine is walked in a loop. */
function bindBinary(b: Binding, top: BinarySqlExpr, schema: DFSchema, scope: Scope): Expr {
  const spine: BinarySqlExpr[] = [];
  let leftmost: SqlExpr = top;
  while (leftmost.kind === 'binary') {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  let left = bindExpr(b, leftmost, schema, scope);
  for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
    left = binary(left, binaryOperator(node.op), bindExpr(b, node.right, schema, scope));
  }
  return left;
}

function binaryOperator(op: SqlBinaryOperator): BinaryOperator {
  if (op === '<>') return '!=';
  return op === '^' ? 'BIT_XOR' : op;
}

function isTest(expr: Expr, { test, negated }: IsSqlExpr): IsExpr {
  return { kind: 'is', expr, test, negated };
}

function bindUnary(b: Binding, { op, expr, span }: UnarySqlExpr, schema: DFSchema, scope: Scope): Expr {
  if (op === '-' && expr.kind === 'literal' && expr.value.type === 'number') {
    return bindNumber(expr.value.text, true, b.options, expr.span);
  }
  if (op === '-' && expr.kind === 'interval') return bindInterval(expr, true);
  const operand = bindExpr(b, expr, schema, scope);
  const type = typeOf(operand, schema);
  if (type !== undefined && !takes(op, type)) {
    const wanted =
      op === 'NOT' ? 'a condition' : op === '-' ? 'a signed number, an interval or a timestamp' : 'a number';
    throw planError(`${op} takes ${wanted}, and this is ${typeName(type)}`, span);
  }
  if (op === '+') return operand;
  return op === '-' ? { kind: 'negative', expr: operand } : { kind: 'not', expr: operand };
}

/** Undefined while a column is still ambiguous. */
function typeOf(expr: Expr, schema: DFSchema): DataType | undefined {
  try {
    return exprType(expr, schema);
  } catch {
    return undefined;
  }
}

function takes(op: UnarySqlExpr['op'], type: DataType): boolean {
  switch (op) {
    case 'NOT':
      return type.kind === 'Boolean' || type.kind === 'Null';
    case '+':
    case '-': {
      const signed = isSignedInteger(type) || isFloating(type) || type.kind === 'Decimal128';
      const other = type.kind === 'Interval' || type.kind === 'Timestamp';
      return signed || other || (op === '-' ? type.kind === 'Null' : isInteger(type));
    }
  }
}

function bindCast(b: Binding, { expr, type, safe, span }: CastSqlExpr, schema: DFSchema, scope: Scope): Expr {
  const target = columnType(type, b.options, span);
  const operand = bindExpr(b, expr, schema, scope);
  // A number cast to a timestamp counts seconds.
  const isSeconds =
    !safe && target.kind === 'Timestamp' && target.unit === 'ns' && typeOf(operand, schema)?.kind === 'Int64';
  return cast(isSeconds ? cast(operand, timestamp('s', target.timezone)) : operand, target, safe);
}

function groupingSets({ form, sets, span }: GroupingSetsSqlExpr, one: (expr: SqlExpr) => Expr): GroupingSetExpr {
  if (form !== 'GROUPING SETS' && sets.some((keys) => keys.length !== 1)) {
    throw notImplemented(`${form} over lists of columns`, span === null ? {} : { span });
  }
  return at(span, () => ({ kind: 'grouping_set', form, sets: sets.map((keys) => keys.map(one)) }));
}
