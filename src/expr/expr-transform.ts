import type { CaseExpr, ColumnExpr, Expr, SortExpr } from './expr.js';

/** Direct sub-expressions in DataFusion's order of traversal. Plans of subqueries are not entered. */
export function exprChildren(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'column':
    case 'literal':
    case 'outer_reference':
    case 'scalar_subquery':
    case 'exists':
      return [];
    case 'alias':
    case 'not':
    case 'negative':
    case 'is':
    case 'cast':
    case 'in_subquery':
    case 'set_comparison':
      return [expr.expr];
    case 'binary':
      return [expr.left, expr.right];
    case 'between':
      return [expr.expr, expr.low, expr.high];
    case 'like':
      return [expr.expr, expr.pattern];
    case 'case':
      return caseChildren(expr);
    case 'in_list':
      return [expr.expr, ...expr.list];
    case 'scalar_function':
      return expr.args;
    case 'aggregate_function':
      return [...expr.args, ...optional(expr.filter), ...expr.orderBy.map((key) => key.expr)];
    case 'window_function':
      return [...expr.args, ...expr.partitionBy, ...expr.orderBy.map((key) => key.expr), ...optional(expr.filter)];
    case 'grouping_set':
      return expr.sets.flat();
  }
}

function caseChildren(expr: CaseExpr): Expr[] {
  return [
    ...optional(expr.operand),
    ...expr.branches.flatMap((branch) => [branch.when, branch.then]),
    ...optional(expr.otherwise),
  ];
}

function optional(expr: Expr | null): Expr[] {
  return expr === null ? [] : [expr];
}

/** A map that remembers whether it changed anything, so that what stays the same keeps its identity. */
export class ChangeTracker<T> {
  readonly map: (value: T) => T;
  #any = false;

  constructor(map: (value: T) => T) {
    this.map = (value) => {
      const mapped = map(value);
      if (mapped !== value) this.#any = true;
      return mapped;
    };
  }

  get any(): boolean {
    return this.#any;
  }
}

/** The expression with `map` applied to each direct child; the same object when none changed. */
export function mapExprChildren(expr: Expr, map: (child: Expr) => Expr): Expr {
  const changes = new ChangeTracker(map);
  const one = changes.map;
  const maybe = (child: Expr | null): Expr | null => (child === null ? null : one(child));
  const keys = (sorts: readonly SortExpr[]): SortExpr[] => sorts.map((key) => ({ ...key, expr: one(key.expr) }));
  const rebuilt = (): Expr => {
    switch (expr.kind) {
      case 'column':
      case 'literal':
      case 'outer_reference':
      case 'scalar_subquery':
      case 'exists':
        return expr;
      case 'alias':
        return { ...expr, expr: one(expr.expr) };
      case 'not':
        return { ...expr, expr: one(expr.expr) };
      case 'negative':
        return { ...expr, expr: one(expr.expr) };
      case 'is':
        return { ...expr, expr: one(expr.expr) };
      case 'cast':
        return { ...expr, expr: one(expr.expr) };
      case 'in_subquery':
        return { ...expr, expr: one(expr.expr) };
      case 'set_comparison':
        return { ...expr, expr: one(expr.expr) };
      case 'binary':
        return { ...expr, left: one(expr.left), right: one(expr.right) };
      case 'between':
        return { ...expr, expr: one(expr.expr), low: one(expr.low), high: one(expr.high) };
      case 'like':
        return { ...expr, expr: one(expr.expr), pattern: one(expr.pattern) };
      case 'case':
        return {
          ...expr,
          operand: maybe(expr.operand),
          branches: expr.branches.map((branch) => ({ when: one(branch.when), then: one(branch.then) })),
          otherwise: maybe(expr.otherwise),
        };
      case 'in_list':
        return { ...expr, expr: one(expr.expr), list: expr.list.map(one) };
      case 'scalar_function':
        return { ...expr, args: expr.args.map(one) };
      case 'aggregate_function':
        return { ...expr, args: expr.args.map(one), filter: maybe(expr.filter), orderBy: keys(expr.orderBy) };
      case 'window_function':
        return {
          ...expr,
          args: expr.args.map(one),
          partitionBy: expr.partitionBy.map(one),
          orderBy: keys(expr.orderBy),
          filter: maybe(expr.filter),
        };
      case 'grouping_set':
        return { ...expr, sets: expr.sets.map((set) => set.map(one)) };
    }
  };
  const result = rebuilt();
  return changes.any ? result : expr;
}

/** Rewrites children first, then the node made of them. Unchanged parts keep their identity. */
export function transformExprUp(expr: Expr, rewrite: (expr: Expr) => Expr): Expr {
  return rewrite(mapExprChildren(expr, (child) => transformExprUp(child, rewrite)));
}

/** Rewrites the node first and goes on into what came out of it. */
export function transformExprDown(expr: Expr, rewrite: (expr: Expr) => Expr): Expr {
  return mapExprChildren(rewrite(expr), (child) => transformExprDown(child, rewrite));
}

/** Parents before children; `enter` returning false keeps out of an expression's children. */
export function visitExpr(expr: Expr, enter: (expr: Expr) => boolean | undefined): void {
  if (enter(expr) === false) return;
  for (const child of exprChildren(expr)) visitExpr(child, enter);
}

/** Whether the expression or anything inside it (subquery plans apart) passes the test. */
export function someExpr(expr: Expr, test: (expr: Expr) => boolean): boolean {
  return test(expr) || exprChildren(expr).some((child) => someExpr(child, test));
}

/** Columns an expression reads, each once, in order of first use. Outer references are not among them. */
export function columnsOf(...exprs: readonly Expr[]): ColumnExpr[] {
  const found = new Map<string, ColumnExpr>();
  for (const expr of exprs) {
    visitExpr(expr, (e) => {
      if (e.kind !== 'column') return undefined;
      const key = columnKey(e);
      if (!found.has(key)) found.set(key, e);
      return false;
    });
  }
  return [...found.values()];
}

/** A map key for a column; different qualifiers give different keys. */
export function columnKey({ relation, name }: Pick<ColumnExpr, 'relation' | 'name'>): string {
  return relation === null ? `:${name}` : `${relation.length}:${relation}.${name}`;
}

/** Each column replaced by what `replacement` gives for it; undefined leaves it. */
export function replaceColumns(expr: Expr, replacement: (column: ColumnExpr) => Expr | undefined): Expr {
  return transformExprUp(expr, (e) => (e.kind === 'column' ? (replacement(e) ?? e) : e));
}
