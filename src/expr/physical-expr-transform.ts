import { DistqError, unreachable } from '../base/errors.js';
import { BOOLEAN, typeName } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type { Schema } from '../columnar/schema.js';
import type { PhysicalColumn, PhysicalExpr } from './physical-expr.js';

/** Direct children, in evaluation order. */
export function physicalChildren(expr: PhysicalExpr): readonly PhysicalExpr[] {
  switch (expr.kind) {
    case 'column':
    case 'literal':
      return [];
    case 'binary':
      return [expr.left, expr.right];
    case 'not':
    case 'negative':
    case 'is_null':
    case 'cast':
      return [expr.expr];
    case 'like':
      return [expr.expr, expr.pattern];
    case 'case':
      return [
        ...(expr.operand === null ? [] : [expr.operand]),
        ...expr.branches.flatMap(({ when, then }) => [when, then]),
        ...(expr.otherwise === null ? [] : [expr.otherwise]),
      ];
    case 'in_list':
      return [expr.expr, ...expr.list];
    case 'scalar_function':
      return expr.args;
    case 'dynamic_filter':
      return expr.children;
  }
}

/** The same node over other children (as many, in the order of `physicalChildren`); types stay as they are. */
export function withPhysicalChildren(expr: PhysicalExpr, children: readonly PhysicalExpr[]): PhysicalExpr {
  const at = (index: number): PhysicalExpr => {
    const child = children[index];
    if (child === undefined) throw new DistqError('internal', `child ${index} of ${expr.kind} is missing`);
    return child;
  };
  switch (expr.kind) {
    case 'column':
    case 'literal':
      return expr;
    case 'binary':
      return { ...expr, left: at(0), right: at(1) };
    case 'not':
    case 'negative':
    case 'is_null':
    case 'cast':
      return { ...expr, expr: at(0) };
    case 'like':
      return { ...expr, expr: at(0), pattern: at(1) };
    case 'case': {
      let next = 0;
      const operand = expr.operand === null ? null : at(next++);
      const branches = expr.branches.map(() => ({ when: at(next++), then: at(next++) }));
      const otherwise = expr.otherwise === null ? null : at(next++);
      return { ...expr, operand, branches, otherwise };
    }
    case 'in_list':
      return { ...expr, expr: at(0), list: children.slice(1) };
    case 'scalar_function':
      return { ...expr, args: children };
    case 'dynamic_filter':
      return { ...expr, children };
  }
  return unreachable(expr, 'expression');
}

/** Rewrites bottom-up. Subtrees in which `rewrite` changes nothing keep their identity. */
export function transformPhysical(expr: PhysicalExpr, rewrite: (expr: PhysicalExpr) => PhysicalExpr): PhysicalExpr {
  const children = physicalChildren(expr);
  if (children.length === 0) return rewrite(expr);
  const rewritten = children.map((child) => transformPhysical(child, rewrite));
  const changed = rewritten.some((child, i) => child !== children[i]);
  return rewrite(changed ? withPhysicalChildren(expr, rewritten) : expr);
}

/** Calls `visit` for the expression and everything below it, parents first. */
export function visitPhysical(expr: PhysicalExpr, visit: (expr: PhysicalExpr) => void): void {
  visit(expr);
  for (const child of physicalChildren(expr)) visitPhysical(child, visit);
}

/** Replaces every column. */
export function mapPhysicalColumns(expr: PhysicalExpr, map: (column: PhysicalColumn) => PhysicalExpr): PhysicalExpr {
  return transformPhysical(expr, (node) => (node.kind === 'column' ? map(node) : node));
}

/** Replaces every column; undefined when `map` has nothing for one of them. */
export function remapColumns(
  expr: PhysicalExpr,
  map: (column: PhysicalColumn) => PhysicalExpr | undefined,
): PhysicalExpr | undefined {
  const missing: PhysicalColumn[] = [];
  const mapped = mapPhysicalColumns(expr, (column) => {
    const replacement = map(column);
    if (replacement === undefined) missing.push(column);
    return replacement ?? column;
  });
  return missing.length > 0 ? undefined : mapped;
}

/**
 * The expression over an input whose column `i` stands at `newIndexOf(i)`; undefined when a column it needs is not there (`newIndexOf`
 * gave undefined or a negative number). Names stay.
 */
export function remapByIndex(
  expr: PhysicalExpr,
  newIndexOf: (index: number) => number | undefined,
): PhysicalExpr | undefined {
  return remapColumns(expr, (column) => {
    const index = newIndexOf(column.index);
    if (index === undefined || index < 0) return undefined;
    return index === column.index ? column : { ...column, index };
  });
}

/** The expression with every column looked up by name (first match) in `schema`; undefined when one is not there. */
export function remapByName(expr: PhysicalExpr, schema: Schema): PhysicalExpr | undefined {
  return remapColumns(expr, (column) => {
    const index = schema.indexOf(column.name);
    if (index < 0) return undefined;
    return index === column.index ? column : { ...column, index };
  });
}

/** The expression with columns `offset` positions further right. */
export function shiftColumns(expr: PhysicalExpr, offset: number): PhysicalExpr {
  if (offset === 0) return expr;
  return mapPhysicalColumns(expr, (column) => ({ ...column, index: column.index + offset }));
}

/** Distinct columns in order of first use. */
export function collectPhysicalColumns(exprs: readonly PhysicalExpr[]): PhysicalColumn[] {
  const found: PhysicalColumn[] = [];
  for (const expr of exprs) {
    visitPhysical(expr, (node) => {
      if (node.kind !== 'column') return;
      if (!found.some((column) => column.index === node.index && column.name === node.name)) found.push(node);
    });
  }
  return found;
}

/** Distinct input positions the expressions read, ascending. */
export function columnIndices(exprs: readonly PhysicalExpr[]): number[] {
  return [...new Set(collectPhysicalColumns(exprs).map((column) => column.index))].sort((a, b) => a - b);
}

/** The AND-ed parts of a predicate, in order. */
export function conjuncts(predicate: PhysicalExpr): PhysicalExpr[] {
  if (predicate.kind === 'binary' && predicate.op === 'AND') {
    return [...conjuncts(predicate.left), ...conjuncts(predicate.right)];
  }
  return [predicate];
}

/** The predicates AND-ed, left-deep; undefined for none. */
export function conjunction(predicates: readonly PhysicalExpr[]): PhysicalExpr | undefined {
  let result: PhysicalExpr | undefined;
  for (const next of predicates) {
    result =
      result === undefined
        ? next
        : {
            kind: 'binary',
            left: result,
            op: 'AND',
            right: next,
            type: BOOLEAN,
            nullable: result.nullable || next.nullable,
          };
  }
  return result;
}

const keys = new WeakMap<PhysicalExpr, string>();

/**
 * A text that two expressions share exactly when they are structurally equal: same shape, column names and positions, literal values
 * bit for bit with their types. Fit as a map key.
 */
export function physicalExprKey(expr: PhysicalExpr): string {
  const known = keys.get(expr);
  if (known !== undefined) return known;
  const key = makeKey(expr);
  keys.set(expr, key);
  return key;
}

/** Structural equality (see `physicalExprKey`). */
export function physicalExprsEqual(a: PhysicalExpr, b: PhysicalExpr): boolean {
  return a === b || (a.kind === b.kind && physicalExprKey(a) === physicalExprKey(b));
}

function makeKey(expr: PhysicalExpr): string {
  const inner = physicalChildren(expr).map(physicalExprKey).join(',');
  switch (expr.kind) {
    case 'column':
      return `c${expr.index}${JSON.stringify(expr.name)}`;
    case 'literal':
      return `l${scalarKey(expr.value)}`;
    case 'binary':
      return `b{${expr.op}}(${inner})`;
    case 'not':
      return `not(${inner})`;
    case 'negative':
      return `neg(${inner})`;
    case 'is_null':
      return `${expr.negated ? 'notnull' : 'null'}(${inner})`;
    case 'like':
      return `like${flags(expr.negated, expr.caseInsensitive)}${JSON.stringify(expr.escape)}(${inner})`;
    case 'case':
      return `case${flags(expr.operand !== null, expr.otherwise !== null)}(${inner})`;
    case 'cast':
      return `cast${flags(expr.safe)}{${typeName(expr.type)}}(${inner})`;
    case 'in_list':
      return `in${flags(expr.negated)}(${inner})`;
    case 'scalar_function':
      return `f{${expr.func.name}:${typeName(expr.type)}}(${inner})`;
    case 'dynamic_filter':
      return `dyn${expr.id}(${inner})`;
  }
}

function flags(...values: boolean[]): string {
  return values.map((value) => (value ? '1' : '0')).join('');
}

/** A text that two constants share exactly when their types and values are identical (NaN = NaN, 0 ≠ −0). */
export function scalarKey({ type, value }: ScalarValue): string {
  const prefix = `${typeName(type)}:`;
  if (value === null) return `${prefix}null`;
  if (typeof value === 'string') return prefix + JSON.stringify(value);
  if (typeof value === 'object') {
    if (value instanceof Uint8Array) return `${prefix}x${Buffer.from(value).toString('hex')}`;
    return `${prefix}${value.months}/${value.days}/${value.nanos}`;
  }
  return prefix + (Object.is(value, -0) ? '-0' : String(value));
}
