import { DistqError } from '../../base/errors.js';
import { isArithmetic, isComparison } from '../operators.js';
import type { PhysicalBinary, PhysicalExpr } from '../physical-expr.js';
import { compileArithmetic } from './arithmetic.js';
import { compileBitwise } from './bitwise.js';
import { compileCase } from './case.js';
import { compileCast } from './cast.js';
import { compileComparison } from './comparison.js';
import type { EvalNode } from './eval-node.js';
import { compileFunction } from './function-call.js';
import { compileInList, literalColumn } from './in-list.js';
import { compileLike } from './like.js';
import { compileIsNull, compileLogical, compileNot } from './logic.js';
import { compileNegative } from './negative.js';
import { compileConcat } from './string-concat.js';
import { overDictionary } from './over-dictionary.js';
import { compileRegexMatch } from './regex-match.js';

/** A tree of closures for an expression. What distq cannot evaluate is `not_implemented`, here and not at the first batch. */
export function compileNode(expr: PhysicalExpr): EvalNode {
  if (expr.kind === 'column') return (context) => context.column(expr.index);
  if (expr.kind === 'literal') return (context, rows) => literalColumn(expr.value, rows.capacity, context.arena);
  return overDictionary(expr, compileOperation(expr));
}

function compileOperation(expr: Exclude<PhysicalExpr, { kind: 'column' | 'literal' }>): EvalNode {
  switch (expr.kind) {
    case 'binary':
      return compileBinary(expr);
    case 'not':
      return compileNot(compileNode(expr.expr));
    case 'negative':
      return compileNegative(expr, compileNode(expr.expr));
    case 'is_null':
      return compileIsNull(compileNode(expr.expr), expr.negated);
    case 'like':
      return compileLike(expr, compileNode);
    case 'case':
      return compileCase(expr, compileNode);
    case 'cast':
      return compileCast(expr, compileNode(expr.expr));
    case 'in_list':
      return compileInList(expr, compileNode);
    case 'scalar_function':
      return compileFunction(expr, compileNode);
    case 'dynamic_filter':
      throw new DistqError('internal', 'a dynamic filter is resolved by its operator before it is evaluated');
  }
}

function compileBinary(expr: PhysicalBinary): EvalNode {
  const { op } = expr;
  const left = compileNode(expr.left);
  const right = compileNode(expr.right);
  if (isComparison(op)) return compileComparison(op, left, right);
  if (isArithmetic(op)) return compileArithmetic(expr, op, left, right);
  switch (op) {
    case 'AND':
    case 'OR':
      return compileLogical(op, left, right);
    case '&':
    case '|':
    case 'BIT_XOR':
    case '<<':
    case '>>':
      return compileBitwise(expr, op, left, right);
    case '||':
      return compileConcat(expr.type, left, right);
    case '~':
    case '~*':
    case '!~':
    case '!~*':
      return compileRegexMatch(op, left, right);
  }
}
