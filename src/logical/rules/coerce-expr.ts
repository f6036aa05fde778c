import { DistqError } from '../../base/errors.js';
import {
  BOOLEAN,
  type DataType,
  INTERVAL,
  isNumeric,
  isTemporal,
  typeName,
  typesEqual,
  UINT64,
} from '../../columnar/data-type.js';
import { type ScalarValue, scalar } from '../../columnar/scalar-value.js';
import { binarySignature } from '../../expr/coercion/binary-operator.js';
import { comparisonCoercion } from '../../expr/coercion/comparison.js';
import { likeCoercion } from '../../expr/coercion/string.js';
import { comparisonUnion, unionCoercion } from '../../expr/coercion/union.js';
import {
  cast,
  type CaseExpr,
  type Expr,
  type LikeExpr,
  type SortExpr,
  type SubqueryPlan,
  type WindowFrame,
  type WindowFrameBound,
} from '../../expr/expr.js';
import { type ExprSchema, exprType } from '../../expr/expr-schema.js';
import { castConstant } from '../../expr/constant-evaluator.js';
import { scalarText } from '../../expr/scalar-text.js';
import { mapExprChildren } from '../../expr/expr-transform.js';
import { projection } from '../builder.js';
import { type LogicalSubquery, logicalSubquery } from '../subquery.js';

/**
 * Casts inside an expression until every operator and function gets the types it takes, bottom up. `coerceSubquery` does the same
 * for the plans of subqueries. Types that do not fit are `plan` errors.
 */
export function coerceExpr(
  expr: Expr,
  schema: ExprSchema,
  coerceSubquery: (subquery: LogicalSubquery) => LogicalSubquery,
): Expr {
  const coerced = mapExprChildren(expr, (child) => coerceExpr(child, schema, coerceSubquery));
  return coerceNode(coerced, schema, coerceSubquery);
}

function coerceNode(
  expr: Expr,
  schema: ExprSchema,
  coerceSubquery: (subquery: LogicalSubquery) => LogicalSubquery,
): Expr {
  const type = (e: Expr): DataType => exprType(e, schema);
  const to = (e: Expr, target: DataType): Expr => castTo(e, target, schema);
  const inner = (subquery: SubqueryPlan): LogicalSubquery => coerceSubquery(logicalSubquery(subquery));
  switch (expr.kind) {
    case 'column':
    case 'literal':
    case 'alias':
    case 'cast':
    case 'outer_reference':
    case 'grouping_set':
      return expr;
    case 'negative':
      type(expr);
      return expr;
    case 'not':
      return same(expr, { ...expr, expr: asBoolean(expr.expr, schema, 'NOT') });
    case 'is':
      if (expr.test === 'NULL') return expr;
      return same(expr, { ...expr, expr: asBoolean(expr.expr, schema, `IS ${expr.test}`) });
    case 'binary': {
      const { left, right } = binarySignature(type(expr.left), expr.op, type(expr.right));
      return same(expr, { ...expr, left: to(expr.left, left), right: to(expr.right, right) });
    }
    case 'between': {
      const common = comparisonUnion([type(expr.expr), type(expr.low), type(expr.high)]);
      if (common === undefined) throw mismatch('BETWEEN', [expr.expr, expr.low, expr.high], schema);
      return same(expr, {
        ...expr,
        expr: to(expr.expr, common),
        low: to(expr.low, common),
        high: to(expr.high, common),
      });
    }
    case 'like':
      return coerceLike(expr, schema);
    case 'case':
      return coerceCase(expr, schema);
    case 'in_list': {
      const common = comparisonUnion([type(expr.expr), ...expr.list.map(type)]);
      if (common === undefined) throw mismatch('IN', [expr.expr, ...expr.list], schema);
      return same(expr, { ...expr, expr: to(expr.expr, common), list: expr.list.map((item) => to(item, common)) });
    }
    case 'scalar_function':
    case 'aggregate_function': {
      const types = expr.func.coerce(expr.args.map(type));
      return same(expr, { ...expr, args: expr.args.map((arg, index) => to(arg, types[index] ?? type(arg))) });
    }
    case 'window_function': {
      const types = expr.func.coerce(expr.args.map(type));
      const args = expr.args.map((arg, index) => to(arg, types[index] ?? type(arg)));
      return same(expr, { ...expr, args, frame: coerceFrame(expr.frame, expr.orderBy, schema) });
    }
    case 'scalar_subquery':
    case 'exists':
      return same(expr, { ...expr, subquery: inner(expr.subquery) });
    case 'in_subquery':
    case 'set_comparison': {
      const subquery = inner(expr.subquery);
      const [output] = subquery.outputs;
      const common = output === undefined ? undefined : comparisonCoercion(type(expr.expr), output.type);
      if (common === undefined) {
        const shown = [type(expr.expr), ...(output === undefined ? [] : [output.type])].map(typeName).join(' and ');
        throw new DistqError('plan', `${shown} cannot be compared with each other in a subquery`);
      }
      return same(expr, { ...expr, expr: to(expr.expr, common), subquery: castSubquery(subquery, common) });
    }
  }
}

/** The old object when nothing inside changed. */
function same<T extends Expr>(old: T, rebuilt: T): T {
  const keys = Object.keys(old) as (keyof T)[];
  const equal = keys.every((key) => {
    const a = old[key];
    const b = rebuilt[key];
    return a === b || (Array.isArray(a) && Array.isArray(b) && a.every((item, index) => item === b[index]));
  });
  return equal ? old : rebuilt;
}

/** The expression at the type; a scalar subquery is cast inside its plan. */
export function castTo(expr: Expr, type: DataType, schema: ExprSchema): Expr {
  if (typesEqual(exprType(expr, schema), type)) return expr;
  if (expr.kind === 'scalar_subquery') {
    return { ...expr, subquery: castSubquery(logicalSubquery(expr.subquery), type) };
  }
  return cast(expr, type);
}

/** The subquery with its one column at the type. */
function castSubquery(subquery: LogicalSubquery, type: DataType): LogicalSubquery {
  const { plan } = subquery;
  if (typesEqual(plan.schema.at(0).field.type, type)) return subquery;
  if (plan.kind === 'projection') {
    const [only] = plan.exprs;
    if (only !== undefined) {
      return subquery.withPlan(projection([castTo(only, type, plan.input.schema)], plan.input));
    }
  }
  return subquery.withPlan(projection([cast(plan.schema.columnAt(0), type)], plan));
}

function asBoolean(expr: Expr, schema: ExprSchema, where: string): Expr {
  const type = exprType(expr, schema);
  if (type.kind !== 'Boolean' && type.kind !== 'Null') {
    throw new DistqError('plan', `${where} takes true or false, not ${typeName(type)}`);
  }
  return castTo(expr, BOOLEAN, schema);
}

function mismatch(where: string, exprs: readonly Expr[], schema: ExprSchema): DistqError {
  const types = [...new Set(exprs.map((e) => typeName(exprType(e, schema))))];
  return new DistqError('plan', `${where} cannot compare ${types.join(', ')} with each other`);
}

function coerceLike(expr: LikeExpr, schema: ExprSchema): Expr {
  const common = likeCoercion(exprType(expr.expr, schema), exprType(expr.pattern, schema));
  if (common === undefined) {
    const types = [expr.expr, expr.pattern].map((e) => typeName(exprType(e, schema)));
    throw new DistqError('plan', `LIKE takes strings, not ${types.join(' and ')}`);
  }
  const value = castTo(expr.expr, common, schema);
  return same(expr, { ...expr, expr: value, pattern: castTo(expr.pattern, common, schema) });
}

function coerceCase(expr: CaseExpr, schema: ExprSchema): Expr {
  const { operand, branches, otherwise } = expr;
  const whens = branches.map((branch) => branch.when);
  const whenType = operand === null ? BOOLEAN : comparisonUnion([operand, ...whens].map((e) => exprType(e, schema)));
  if (whenType === undefined) throw mismatch('CASE', operand === null ? whens : [operand, ...whens], schema);
  const values = branches.map((branch) => branch.then);
  if (otherwise !== null) values.push(otherwise);
  const resultType = unionCoercion(values.map((e) => exprType(e, schema)));
  if (resultType === undefined) throw mismatch('CASE', values, schema);
  const coerced: CaseExpr = {
    ...expr,
    operand: operand === null ? null : castTo(operand, whenType, schema),
    branches: branches.map((branch) => {
      const when = operand === null ? asBoolean(branch.when, schema, 'WHEN') : castTo(branch.when, whenType, schema);
      const then = castTo(branch.then, resultType, schema);
      return when === branch.when && then === branch.then ? branch : { when, then };
    }),
    otherwise: otherwise === null ? null : castTo(otherwise, resultType, schema),
  };
  return same(expr, coerced);
}

/** Offsets of ROWS and GROUPS count (UInt64); those of RANGE are steps of the order key: numbers of its type, or intervals. */
function coerceFrame(frame: WindowFrame, orderBy: readonly SortExpr[], schema: ExprSchema): WindowFrame {
  const target = frame.units === 'RANGE' ? rangeType(frame, orderBy, schema) : UINT64;
  if (target === undefined) return frame;
  const start = coerceBound(frame.start, target);
  const end = coerceBound(frame.end, target);
  return start === frame.start && end === frame.end ? frame : { ...frame, start, end };
}

function rangeType(frame: WindowFrame, orderBy: readonly SortExpr[], schema: ExprSchema): DataType | undefined {
  const [key] = orderBy;
  const offsets = [frame.start, frame.end].some((bound) => bound.offset !== null && bound.offset.value !== null);
  if (!offsets || key === undefined) return undefined;
  const type = exprType(key.expr, schema);
  if (isNumeric(type)) return type;
  if (isTemporal(type)) return INTERVAL;
  throw new DistqError('plan', `RANGE with an offset cannot order by ${typeName(type)}`);
}

function coerceBound(bound: WindowFrameBound, target: DataType): WindowFrameBound {
  if (bound.offset === null || typesEqual(bound.offset.type, target)) return bound;
  return { ...bound, offset: coerceOffset(bound.offset, target) };
}

function coerceOffset(offset: ScalarValue, target: DataType): ScalarValue {
  if (offset.value === null) return scalar(target, null);
  const coerced = castConstant(offset, target);
  if (coerced !== undefined) return coerced;
  throw new DistqError('plan', `the window frame offset ${scalarText(offset)} is no ${typeName(target)}`);
}
