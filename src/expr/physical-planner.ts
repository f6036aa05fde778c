import { DistqError, notImplemented } from '../base/errors.js';
import { BOOLEAN, type DataType, type Field, typesEqual } from '../columnar/data-type.js';
import { scalar } from '../columnar/scalar-value.js';
import type { BinaryOperator, CaseExpr, ColumnExpr, Expr, IsExpr, LikeExpr, SortExpr } from './expr.js';
import type { ScalarFunction } from './function.js';
import { physicalBinaryType } from './physical-binary-type.js';
import { conjuncts, physicalExprsEqual } from './physical-expr-transform.js';
import {
  type PhysicalCase,
  type PhysicalExpr,
  type PhysicalLiteral,
  type PhysicalSortExpr,
  physicalLiteral,
} from './physical-expr.js';

/** What physical planning needs of a logical schema; `DFSchema` is one. */
export interface ColumnPositions {
  /** Position of the field that a column means; unknown or ambiguous columns are `plan` errors. */
  require(column: ColumnExpr): number;
  at(index: number): { readonly field: Field };
}

/**
 * A logical expression, already coerced, over positions of `schema`: aliases fall away, BETWEEN becomes two comparisons, IS TRUE
 * and its kin IS [NOT] DISTINCT FROM, casts to the type that is there already vanish. Aggregates, windows and subqueries are planned by
 * their operators and are an `internal` error here.
 */
export function toPhysicalExpr(expr: Expr, schema: ColumnPositions): PhysicalExpr {
  switch (expr.kind) {
    case 'column': {
      const index = schema.require(expr);
      const { type, nullable } = schema.at(index).field;
      // The name as written in the expression, not the field's: they agree, and plans print this one.
      return { kind: 'column', name: expr.name, index, type, nullable };
    }
    case 'literal':
      return physicalLiteral(expr.value);
    case 'alias':
      return toPhysicalExpr(expr.expr, schema);
    case 'binary':
      return physicalBinary(toPhysicalExpr(expr.left, schema), expr.op, toPhysicalExpr(expr.right, schema));
    case 'not':
      return physicalNot(toPhysicalExpr(expr.expr, schema));
    case 'negative': {
      const inner = toPhysicalExpr(expr.expr, schema);
      return { kind: 'negative', expr: inner, type: inner.type, nullable: inner.nullable };
    }
    case 'is':
      return isTest(expr, schema);
    case 'between': {
      const value = toPhysicalExpr(expr.expr, schema);
      const within = physicalBinary(
        physicalBinary(value, '>=', toPhysicalExpr(expr.low, schema)),
        'AND',
        physicalBinary(value, '<=', toPhysicalExpr(expr.high, schema)),
      );
      return expr.negated ? physicalNot(within) : within;
    }
    case 'like':
      return like(expr, schema);
    case 'case':
      return caseExpr(expr, schema);
    case 'cast':
      return physicalCast(toPhysicalExpr(expr.expr, schema), expr.type, expr.safe);
    case 'in_list':
      return physicalInList(
        toPhysicalExpr(expr.expr, schema),
        expr.list.map((item) => toPhysicalExpr(item, schema)),
        expr.negated,
      );
    case 'scalar_function':
      return physicalCall(
        expr.func,
        expr.args.map((arg) => toPhysicalExpr(arg, schema)),
      );
    case 'scalar_subquery':
    case 'exists':
    case 'in_subquery':
    case 'set_comparison':
      throw notImplemented(`this place of a subquery (${expr.kind.replace('_', ' ')})`);
    case 'outer_reference':
      throw notImplemented(`the correlated column ${expr.column.name} at this place of a subquery`);
    case 'aggregate_function':
    case 'window_function':
    case 'grouping_set':
      throw new DistqError('internal', `a ${expr.kind.replace('_', ' ')} where a plain expression is planned`);
  }
}

export function toPhysicalSortExpr(key: SortExpr, schema: ColumnPositions): PhysicalSortExpr {
  return { expr: toPhysicalExpr(key.expr, schema), descending: key.descending, nullsFirst: key.nullsFirst };
}

/** A binary node over coerced operands, typed by its kernel. */
export function physicalBinary(left: PhysicalExpr, op: BinaryOperator, right: PhysicalExpr): PhysicalExpr {
  const distinct = op === 'IS DISTINCT FROM' || op === 'IS NOT DISTINCT FROM';
  const nullable = !distinct && (left.nullable || right.nullable);
  return { kind: 'binary', left, op, right, type: physicalBinaryType(left.type, op, right.type), nullable };
}

export function physicalNot(expr: PhysicalExpr): PhysicalExpr {
  return { kind: 'not', expr, type: BOOLEAN, nullable: expr.nullable };
}

/** A cast, or the expression itself when it has that type already. */
export function physicalCast(expr: PhysicalExpr, type: DataType, safe = false): PhysicalExpr {
  if (typesEqual(expr.type, type)) return expr;
  return { kind: 'cast', expr, type, safe, nullable: safe || expr.nullable };
}

/** `value [NOT] IN (list)` over values of one type. */
export function physicalInList(value: PhysicalExpr, list: readonly PhysicalExpr[], negated: boolean): PhysicalExpr {
  const nullable = value.nullable || list.some((item) => item.nullable);
  return { kind: 'in_list', expr: value, list, negated, type: BOOLEAN, nullable };
}

/** A function call over coerced arguments. */
export function physicalCall(func: ScalarFunction, args: readonly PhysicalExpr[]): PhysicalExpr {
  const literals = args.map((arg) => (arg.kind === 'literal' ? arg.value : null));
  const type = func.returnType(
    args.map((arg) => arg.type),
    literals,
  );
  const nullable = func.nullable?.(args.map((arg) => arg.nullable)) ?? true;
  return { kind: 'scalar_function', func, args, type, nullable };
}

function isTest(test: IsExpr, schema: ColumnPositions): PhysicalExpr {
  const inner = toPhysicalExpr(test.expr, schema);
  if (test.test === 'NULL') {
    return { kind: 'is_null', expr: inner, negated: test.negated, type: BOOLEAN, nullable: false };
  }
  return physicalBinary(inner, test.negated ? 'IS DISTINCT FROM' : 'IS NOT DISTINCT FROM', truthLiteral(test.test));
}

function truthLiteral(test: 'TRUE' | 'FALSE' | 'UNKNOWN'): PhysicalLiteral {
  return physicalLiteral(scalar(BOOLEAN, test === 'UNKNOWN' ? null : test === 'TRUE'));
}

function like(expr: LikeExpr, schema: ColumnPositions): PhysicalExpr {
  const value = toPhysicalExpr(expr.expr, schema);
  const pattern = toPhysicalExpr(expr.pattern, schema);
  if (expr.similarTo) {
    // DataFusion plans SIMILAR TO as a regular-expression match of the pattern as it stands.
    if (expr.escape !== null) throw notImplemented('SIMILAR TO with ESCAPE');
    const op = expr.caseInsensitive ? (expr.negated ? '!~*' : '~*') : expr.negated ? '!~' : '~';
    return physicalBinary(value, op, pattern);
  }
  return {
    kind: 'like',
    expr: value,
    pattern,
    negated: expr.negated,
    caseInsensitive: expr.caseInsensitive,
    escape: expr.escape ?? '\\',
    type: BOOLEAN,
    nullable: value.nullable || pattern.nullable,
  };
}

/** Whether a value cannot be null where the condition holds: `CASE WHEN x IS NOT NULL THEN x …` is how COALESCE is planned. */
function impliesNotNull(condition: PhysicalExpr, value: PhysicalExpr): boolean {
  return conjuncts(condition).some(
    (part) => part.kind === 'is_null' && part.negated && physicalExprsEqual(part.expr, value),
  );
}

function caseExpr(expr: CaseExpr, schema: ColumnPositions): PhysicalExpr {
  const operand = expr.operand === null ? null : toPhysicalExpr(expr.operand, schema);
  const branches = expr.branches.map(({ when, then }) => ({
    when: toPhysicalExpr(when, schema),
    then: toPhysicalExpr(then, schema),
  }));
  return physicalCase(operand, branches, expr.otherwise === null ? null : toPhysicalExpr(expr.otherwise, schema));
}

/** A CASE over coerced parts; its type is that of the first result that is not a bare NULL. */
export function physicalCase(
  operand: PhysicalExpr | null,
  branches: PhysicalCase['branches'],
  stated: PhysicalExpr | null,
): PhysicalExpr {
  const results = [...branches.map((branch) => branch.then), ...(stated === null ? [] : [stated])];
  const typed = results.find((result) => result.type.kind !== 'Null') ?? results[0];
  if (typed === undefined) throw new DistqError('internal', 'a CASE without branches');
  // ELSE NULL is what a CASE without ELSE gives.
  const otherwise = stated?.kind === 'literal' && stated.value.value === null ? null : stated;
  const mayBeNull =
    operand === null
      ? branches.some(({ when, then }) => then.nullable && !impliesNotNull(when, then))
      : branches.some(({ then }) => then.nullable);
  const nullable = otherwise === null || otherwise.nullable || mayBeNull;
  return { kind: 'case', operand, branches, otherwise, type: typed.type, nullable };
}
