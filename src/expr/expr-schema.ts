import { DistqError } from '../base/errors.js';
import { BOOLEAN, type DataType, type Field, field, INT64, isInteger, NULL, typeName } from '../columnar/data-type.js';
import { type ScalarValue, scalar } from '../columnar/scalar-value.js';
import { negationType } from './coercion/arithmetic.js';
import { binarySignature } from './coercion/binary-operator.js';
import { unionCoercion } from './coercion/union.js';
import type { CaseExpr, ColumnExpr, Expr } from './expr.js';
import { schemaName } from './expr-display.js';

/** What an expression needs to be typed: the field behind each column. `DFSchema` is one. */
export interface ExprSchema {
  /** The field a column means; unknown or ambiguous names are `plan` errors. */
  fieldOf(column: ColumnExpr): Field;
}

/** Name (schema name), type and nullability of an expression's result. */
export function exprField(expr: Expr, schema: ExprSchema): Field {
  return field(schemaName(expr), exprType(expr, schema), exprNullable(expr, schema));
}

/** Result type; types that do not fit each other are `plan` errors. */
export function exprType(expr: Expr, schema: ExprSchema): DataType {
  switch (expr.kind) {
    case 'column':
      return schema.fieldOf(expr).type;
    case 'literal':
      return expr.value.type;
    case 'alias':
      return exprType(expr.expr, schema);
    case 'binary':
      return binarySignature(exprType(expr.left, schema), expr.op, exprType(expr.right, schema)).result;
    case 'negative': {
      const type = exprType(expr.expr, schema);
      const result = negationType(type);
      if (result === undefined) throw new DistqError('plan', `- does not take ${typeName(type)}`);
      return result;
    }
    case 'not':
    case 'is':
    case 'between':
    case 'like':
    case 'in_list':
    case 'exists':
    case 'in_subquery':
    case 'set_comparison':
      return BOOLEAN;
    case 'case':
      return caseType(expr, schema);
    case 'cast':
      return expr.type;
    case 'scalar_function': {
      const types = expr.func.coerce(expr.args.map((arg) => exprType(arg, schema)));
      return expr.func.returnType(types, expr.args.map(knownValue));
    }
    case 'aggregate_function':
      return expr.func.returnType(expr.func.coerce(expr.args.map((arg) => exprType(arg, schema))));
    case 'window_function':
      return expr.func.returnType(expr.func.coerce(expr.args.map((arg) => exprType(arg, schema))));
    case 'outer_reference':
      return expr.type;
    case 'scalar_subquery':
      return expr.subquery.outputs[0]?.type ?? NULL;
    case 'grouping_set':
      // Only ever asked for its members; as a whole it has no value.
      return INT64;
  }
}

/** A constant argument's value, also when it has just been cast from one integer type to another. */
function knownValue(arg: Expr): ScalarValue | null {
  if (arg.kind === 'literal') return arg.value;
  if (arg.kind !== 'cast' || arg.expr.kind !== 'literal' || !isInteger(arg.type)) return null;
  const { value, type } = arg.expr.value;
  if (!isInteger(type) || (typeof value !== 'bigint' && typeof value !== 'number')) return null;
  const wide = arg.type.kind === 'Int64' || arg.type.kind === 'UInt64';
  return scalar(arg.type, wide ? BigInt(value) : Number(value));
}

/** CASE gives the common type of its branches; untyped nulls do not count. */
function caseType(expr: CaseExpr, schema: ExprSchema): DataType {
  const values = expr.branches.map((branch) => branch.then);
  if (expr.otherwise !== null) values.push(expr.otherwise);
  const types = values.map((value) => exprType(value, schema)).filter((type) => type.kind !== 'Null');
  if (types.length === 0) return NULL;
  const common = unionCoercion(types);
  if (common === undefined) {
    throw new DistqError('plan', `the branches of CASE have no common type: ${types.map(typeName).join(', ')}`);
  }
  return common;
}

/** Longest IN list whose items are looked at for nulls. */
const IN_LIST_LOOKED_AT = 6;

export function exprNullable(expr: Expr, schema: ExprSchema): boolean {
  const nullable = (e: Expr): boolean => exprNullable(e, schema);
  switch (expr.kind) {
    case 'column':
      return schema.fieldOf(expr).nullable;
    case 'literal':
      return expr.value.value === null;
    case 'alias':
    case 'not':
    case 'negative':
      return nullable(expr.expr);
    case 'binary':
      return nullable(expr.left) || nullable(expr.right);
    case 'is':
    case 'exists':
      return false;
    case 'between':
      return nullable(expr.expr) || nullable(expr.low) || nullable(expr.high);
    case 'like':
      return nullable(expr.expr) || nullable(expr.pattern);
    case 'case':
      return expr.otherwise === null || nullable(expr.otherwise) || expr.branches.some((b) => nullable(b.then));
    case 'cast':
      return expr.safe || nullable(expr.expr);
    case 'in_list':
      return expr.list.length > IN_LIST_LOOKED_AT || nullable(expr.expr) || expr.list.some(nullable);
    case 'in_subquery':
      return nullable(expr.expr) || (expr.subquery.outputs[0]?.nullable ?? true);
    case 'scalar_function':
      return expr.func.nullable === undefined || expr.func.nullable(expr.args.map(nullable));
    case 'aggregate_function':
    case 'window_function':
      return expr.func.nullable;
    case 'outer_reference':
      return expr.nullable;
    case 'scalar_subquery':
    case 'set_comparison':
    case 'grouping_set':
      return true;
  }
}
