import {
  collectPhysicalColumns,
  physicalChildren,
  physicalExprKey,
  visitPhysical,
  withPhysicalChildren,
} from '../physical-expr-transform.js';
import type { PhysicalColumn, PhysicalExpr } from '../physical-expr.js';
import { emittedOperands, supportsNode } from './emit-node.js';
import { kindOfType } from './value.js';

/** Columns from this index on are not the batch's: they hold what the interpreter computes before the emitted code runs. */
export const FIRST_HOISTED = 1_000_000;

/** How expressions are split between emitted code and the interpreter. */
export interface EmitPlan {
  /** The expressions with unknown parts replaced by hoisted columns. */
  readonly exprs: readonly PhysicalExpr[];
  /** What the interpreter computes first: column FIRST_HOISTED + i. */
  readonly hoisted: readonly PhysicalExpr[];
}

/**
 * Splits expressions into what is emitted and what the interpreter does first, batch at a time. Only parts that are evaluated for every
 * row are taken out: something that may fail stays inside its CASE, AND or OR, and then the whole of that is interpreted.
 */
export function planEmission(exprs: readonly PhysicalExpr[]): EmitPlan {
  const hoisted: PhysicalExpr[] = [];
  const hoist = (expr: PhysicalExpr): PhysicalColumn => {
    const key = physicalExprKey(expr);
    let index = hoisted.findIndex((known) => physicalExprKey(known) === key);
    if (index < 0) index = hoisted.push(expr) - 1;
    return {
      kind: 'column',
      name: `$${index}`,
      index: FIRST_HOISTED + index,
      type: expr.type,
      nullable: expr.nullable,
    };
  };
  const plan = (expr: PhysicalExpr, always: boolean): PhysicalExpr | undefined => {
    const mark = hoisted.length;
    const own = planNode(expr, always, plan);
    if (own !== undefined) return own;
    // What its operands hoisted belongs to it now.
    hoisted.length = mark;
    return always && kindOfType(expr.type) !== undefined ? hoist(expr) : undefined;
  };
  return { exprs: exprs.map((expr) => plan(expr, true) ?? hoist(expr)), hoisted };
}

function planNode(
  expr: PhysicalExpr,
  always: boolean,
  plan: (expr: PhysicalExpr, always: boolean) => PhysicalExpr | undefined,
): PhysicalExpr | undefined {
  if (!supportsNode(expr)) return undefined;
  const replaced = new Map<PhysicalExpr, PhysicalExpr>();
  for (const operand of emittedOperands(expr)) {
    const planned = plan(operand.expr, always && operand.always);
    if (planned === undefined) return undefined;
    if (planned !== operand.expr) replaced.set(operand.expr, planned);
  }
  if (replaced.size === 0) return expr;
  return withPhysicalChildren(
    expr,
    physicalChildren(expr).map((child) => replaced.get(child) ?? child),
  );
}

/** A boolean part that reads one column only and can be a look-up by dictionary code. */
export interface TableCandidate {
  readonly expr: PhysicalExpr;
  readonly key: string;
  readonly column: number;
}

/** The largest such parts of the expressions, each once. */
export function tableCandidates(exprs: readonly PhysicalExpr[]): TableCandidate[] {
  const found = new Map<string, TableCandidate>();
  const visit = (expr: PhysicalExpr): void => {
    if (expr.kind === 'column' || expr.kind === 'literal') return;
    if (expr.type.kind === 'Boolean') {
      const columns = collectPhysicalColumns([expr]);
      const [only] = columns;
      if (columns.length === 1 && only !== undefined && only.index < FIRST_HOISTED && isImmutable(expr)) {
        const key = physicalExprKey(expr);
        found.set(key, { expr, key, column: only.index });
        return;
      }
    }
    for (const operand of emittedOperands(expr)) visit(operand.expr);
  };
  exprs.forEach(visit);
  return [...found.values()];
}

function isImmutable(expr: PhysicalExpr): boolean {
  let immutable = true;
  visitPhysical(expr, (part) => {
    if (part.kind === 'scalar_function' && part.func.volatility !== 'immutable') immutable = false;
  });
  return immutable;
}
