import { alias, column, type Expr, type ExprKind } from '../../expr/expr.js';
import { normalizedExprKey } from '../../expr/expr-equality.js';
import { schemaName } from '../../expr/expr-display.js';
import { exprChildren, mapExprChildren } from '../../expr/expr-transform.js';
import { isVolatile, subqueryOf } from '../../expr/expr-utils.js';

/** How often an expression is certain to be evaluated for a row. */
type Evaluation = 'surely once' | 'conditionally' | 'common';

export interface CommonExpr {
  readonly expr: Expr;
  readonly name: string;
}

export interface Extraction {
  /** In the order of their names: what a projection below computes once. */
  readonly common: readonly CommonExpr[];
  /** The given lists with the common parts replaced by columns. */
  readonly rewritten: readonly (readonly Expr[])[];
}

export interface ExtractOptions {
  /** Whether whole aggregate calls may be extracted: only above the aggregate that computes them. */
  readonly aggregates: boolean;
  readonly nextName: () => string;
}

/**
 * Finds expressions that occur at least twice where they are always evaluated, or once always and once under a condition, and
 * replaces them by columns: bare under an alias, else aliased to the name they had. Undefined when there is none.
 * Source: datafusion/common/src/cse.rs and optimizer/src/common_subexpr_eliminate.rs.
 */
export function extractCommon(lists: readonly (readonly Expr[])[], options: ExtractOptions): Extraction | undefined {
  const counter = new Counter(options.aggregates);
  for (const expr of lists.flat()) counter.visit(expr, false);
  if (!counter.foundCommon) return undefined;
  const common = new Map<string, CommonExpr>();
  const replace = (expr: Expr, aliased: boolean): Expr => {
    if (counter.isCommon(expr)) {
      const key = normalizedExprKey(expr);
      let entry = common.get(key);
      if (entry === undefined) {
        entry = { expr, name: options.nextName() };
        common.set(key, entry);
      }
      const replacement = column(entry.name);
      return aliased ? replacement : alias(replacement, schemaName(expr));
    }
    return mapExprChildren(expr, (child) => replace(child, aliased || expr.kind === 'alias'));
  };
  const rewritten = lists.map((list) => list.map((expr) => replace(expr, false)));
  return { common: [...common.values()], rewritten };
}

/** Free to compute again, or no value of their own. */
const NEVER_EXTRACTED: ReadonlySet<ExprKind> = new Set<ExprKind>([
  'column',
  'literal',
  'alias',
  'outer_reference',
  'grouping_set',
]);

class Counter {
  readonly #evaluations = new Map<string, Evaluation>();
  readonly #aggregates: boolean;
  foundCommon = false;

  constructor(aggregates: boolean) {
    this.#aggregates = aggregates;
  }

  isCommon(expr: Expr): boolean {
    return this.#counts(expr) && this.#evaluations.get(normalizedExprKey(expr)) === 'common';
  }

  visit(expr: Expr, conditional: boolean): void {
    const branches = conditional ? undefined : conditionalChildren(expr);
    if (branches === undefined) {
      for (const child of exprChildren(expr)) this.visit(child, conditional);
    } else {
      for (const child of branches.always) this.visit(child, false);
      for (const child of branches.sometimes) this.visit(child, true);
    }
    if (this.#counts(expr)) this.#count(normalizedExprKey(expr), conditional);
  }

  #count(key: string, conditional: boolean): void {
    const before = this.#evaluations.get(key);
    if (before === undefined) {
      this.#evaluations.set(key, conditional ? 'conditionally' : 'surely once');
    } else if (before === 'surely once' || (before === 'conditionally' && !conditional)) {
      this.#evaluations.set(key, 'common');
      this.foundCommon = true;
    }
  }

  #counts(expr: Expr): boolean {
    if (NEVER_EXTRACTED.has(expr.kind) || subqueryOf(expr) !== undefined || isVolatile(expr)) return false;
    return expr.kind !== 'aggregate_function' || this.#aggregates;
  }
}

/** The children of an expression that may skip some of them: those it always evaluates, and the others. */
function conditionalChildren(
  expr: Expr,
): { readonly always: readonly Expr[]; readonly sometimes: readonly Expr[] } | undefined {
  if (expr.kind === 'binary' && (expr.op === 'AND' || expr.op === 'OR')) {
    return { always: [expr.left], sometimes: [expr.right] };
  }
  if (expr.kind === 'case') {
    const [first, ...rest] = expr.branches;
    return {
      always: [...(expr.operand === null ? [] : [expr.operand]), ...(first === undefined ? [] : [first.when])],
      sometimes: [
        ...(first === undefined ? [] : [first.then]),
        ...rest.flatMap(({ when, then }) => [when, then]),
        ...(expr.otherwise === null ? [] : [expr.otherwise]),
      ],
    };
  }
  if (expr.kind === 'scalar_function' && expr.func.name === 'coalesce') {
    return { always: expr.args.slice(0, 1), sometimes: expr.args.slice(1) };
  }
  return undefined;
}
