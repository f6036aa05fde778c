import { DistqError } from '../../base/errors.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import { isArithmetic, isComparison } from '../operators.js';
import { physicalChildren } from '../physical-expr-transform.js';
import type { PhysicalBinary, PhysicalExpr } from '../physical-expr.js';
import { emitArithmetic, emitNegative, supportsArithmetic, supportsNegative } from './arithmetic.js';
import { emitCase, supportsCase } from './case.js';
import { emitCast, supportsCast } from './cast.js';
import { emitComparison, supportsComparison } from './comparison.js';
import type { EmitContext } from './emit-context.js';
import { emitFunction, functionOperands, supportsFunction } from './functions.js';
import { emitInList, supportsInList } from './in-list.js';
import { emitLike, supportsLike } from './like.js';
import { emitIsNull, emitLogical, emitNot } from './logic.js';
import { temporalOperands } from './temporal.js';
import { kindOfType, type Value } from './value.js';

/** Whether code can be emitted for the node itself; its operands (see `emittedOperands`) are asked apart. */
export function supportsNode(expr: PhysicalExpr): boolean {
  if (kindOfType(expr.type) === undefined) return false;
  switch (expr.kind) {
    case 'column':
      return true;
    case 'literal':
      return fitsLocal(expr.value);
    case 'binary':
      return supportsBinary(expr);
    case 'not':
    case 'is_null':
      return true;
    case 'negative':
      return supportsNegative(expr);
    case 'like':
      return supportsLike(expr);
    case 'case':
      return supportsCase(expr);
    case 'cast':
      return supportsCast(expr);
    case 'in_list':
      return supportsInList(expr);
    case 'scalar_function':
      return supportsFunction(expr);
    case 'dynamic_filter':
      return false;
  }
}

/** Decimal constants of more than 63 bits have no narrow form. */
function fitsLocal({ type, value }: ScalarValue): boolean {
  return type.kind !== 'Decimal128' || typeof value !== 'bigint' || BigInt.asIntN(64, value) === value;
}

function supportsBinary(expr: PhysicalBinary): boolean {
  const { op } = expr;
  if (isComparison(op)) return supportsComparison(expr.left, expr.right);
  if (isArithmetic(op)) return supportsArithmetic(expr, op);
  return op === 'AND' || op === 'OR';
}

/** An operand of a node, and whether the node evaluates it for every row. */
export interface Operand {
  readonly expr: PhysicalExpr;
  readonly always: boolean;
}

/** The operands whose code the node's code needs, in order of evaluation. */
export function emittedOperands(expr: PhysicalExpr): readonly Operand[] {
  const always = (operands: readonly PhysicalExpr[]): Operand[] =>
    operands.map((operand) => ({ expr: operand, always: true }));
  switch (expr.kind) {
    case 'binary':
      if (expr.op === 'AND' || expr.op === 'OR') {
        return [
          { expr: expr.left, always: true },
          { expr: expr.right, always: false },
        ];
      }
      return always(isArithmetic(expr.op) ? temporalOperands(expr, expr.op) : [expr.left, expr.right]);
    case 'case': {
      const operands: Operand[] = expr.operand === null ? [] : always([expr.operand]);
      for (const [index, { when, then }] of expr.branches.entries()) {
        operands.push({ expr: when, always: index === 0 }, { expr: then, always: false });
      }
      if (expr.otherwise !== null) operands.push({ expr: expr.otherwise, always: false });
      return operands;
    }
    case 'in_list':
    case 'like':
      return always([expr.expr]);
    case 'scalar_function':
      return functionOperands(expr).map((operand, index) => ({
        expr: operand,
        always: expr.func.name !== 'coalesce' || index === 0,
      }));
    case 'column':
    case 'literal':
    case 'not':
    case 'negative':
    case 'is_null':
    case 'cast':
    case 'dynamic_filter':
      return always(physicalChildren(expr));
  }
}

/** Code of a node that is neither column nor literal. */
export function emitNode(context: EmitContext, expr: PhysicalExpr): Value {
  switch (expr.kind) {
    case 'binary':
      return emitBinary(context, expr);
    case 'not':
      return emitNot(context, expr);
    case 'negative':
      return emitNegative(context, expr);
    case 'is_null':
      return emitIsNull(context, expr);
    case 'like':
      return emitLike(context, expr);
    case 'case':
      return emitCase(context, expr);
    case 'cast':
      return emitCast(context, expr);
    case 'in_list':
      return emitInList(context, expr);
    case 'scalar_function':
      return emitFunction(context, expr);
    case 'column':
    case 'literal':
    case 'dynamic_filter':
      throw new DistqError('internal', `no code for ${expr.kind}`);
  }
}

function emitBinary(context: EmitContext, expr: PhysicalBinary): Value {
  const { op } = expr;
  if (isComparison(op)) return emitComparison(context, expr, op);
  if (isArithmetic(op)) return emitArithmetic(context, expr, op);
  if (op === 'AND' || op === 'OR') return emitLogical(context, expr, op);
  throw new DistqError('internal', `no code for the operator ${op}`);
}
