import { alias, type AliasExpr, type Expr, type WindowFunctionExpr } from '../../expr/expr.js';
import { displayExpr, schemaName } from '../../expr/expr-display.js';
import { exprKey } from '../../expr/expr-equality.js';
import { columnKey, replaceColumns, transformExprDown, visitExpr } from '../../expr/expr-transform.js';
import { hasWindow } from '../../expr/expr-utils.js';
import { distinct, distinctOn, filter, projection } from '../../logical/builder.js';
import type { DFSchema } from '../../logical/df-schema.js';
import { functionalDependencies } from '../../logical/functional-dependence.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { OrderByItem, Place, Select, SelectItem, SqlExpr } from '../parser/ast.js';
import { bindAggregate, findAggregates } from './aggregate.js';
import { at, type Binding, planError, type Scope } from './binding.js';
import {
  checkColumns,
  fallbackSchemas,
  mergeSchemas,
  normalizeColumns,
  normalizeFor,
  usingColumns,
} from './columns.js';
import { bindFrom } from './from.js';
import { normalizeIdent } from './options.js';
import { type Clauses, rebase, type Stage } from './select-stage.js';
import { bindSortKeys } from './sort-keys.js';
import { sortPlan } from './sort-plan.js';
import { resolveWindows } from './window-frame.js';
import { windowPlan } from './window-plan.js';
import { expandWildcard } from './wildcard.js';

/** SELECT with its ORDER BY, in DataFusion's order: FROM, WHERE, select list, grouping, HAVING, windows, QUALIFY, DISTINCT, sort. */
export function bindSelect(b: Binding, select: Select, orderBy: readonly OrderByItem[], outer: Scope): LogicalPlan {
  const from = bindFrom(b, select.from, { ...outer, setLeft: null });
  const base = select.where === null ? from : bindWhere(b, select.where, from, { ...outer, setLeft: null });
  const scope: Scope = {
    ...outer,
    setLeft: null,
    windows: resolveWindows(select.windows, (ident) => normalizeIdent(ident, b.options)),
    uniqueColumns: uniqueColumns(base),
  };
  const projected = project(b, select.projection, base, scope, outer.setLeft);
  const aliases = aliasMap(projected.exprs);
  const clauses = bindClauses(b, select, orderBy, { base, projected, aliases, scope });
  const grouped = bindAggregate(base, clauses, projected.exprs, select.span);
  const filtered = grouped.having === null ? grouped.plan : where(grouped.plan, grouped.having, select.having);
  return finish(select, clauses, base, withWindows(filtered, grouped));
}

type Aliases = ReadonlyMap<string, Expr>;
type ProjectionPlan = ReturnType<typeof projection>;

function bindWhere(b: Binding, condition: SqlExpr, plan: LogicalPlan, scope: Scope): LogicalPlan {
  const predicate = b.expr(condition, plan.schema, scope);
  checkColumns([predicate], plan.schema);
  if (findAggregates([predicate]).length > 0) {
    throw planError('WHERE cannot use aggregates', condition.span, 'filter groups with HAVING');
  }
  if (hasWindow(predicate)) {
    throw planError('WHERE cannot use window functions', condition.span, 'filter their results with QUALIFY');
  }
  const levels = [[plan.schema], fallbackSchemas(plan), ...scope.outer.toReversed().map((schema) => [schema])];
  return where(plan, normalizeColumns(predicate, levels, usingColumns(plan)), condition);
}

function where(plan: LogicalPlan, predicate: Expr, written: SqlExpr | null): LogicalPlan {
  return at(written?.span ?? null, () => filter(normalizeFor(predicate, plan), plan));
}

/** Columns of the input in which no value repeats: an order that begins with one has no ties. */
function uniqueColumns(plan: LogicalPlan): ReadonlySet<string> {
  const unique = functionalDependencies(plan).flatMap(({ source, unique: isUnique }) => {
    const [only] = source;
    return isUnique && only !== undefined && source.length === 1 ? [columnKey(plan.schema.columnAt(only))] : [];
  });
  return new Set(unique);
}

/** The select list over the input, before grouping. In a later branch of a set operation columns take the first branch's names. */
function project(
  b: Binding,
  items: readonly SelectItem[],
  input: LogicalPlan,
  scope: Scope,
  setLeft: DFSchema | null,
): ProjectionPlan {
  const places: Place[] = [];
  const exprs = items.flatMap((item) => {
    const found = item.kind === 'wildcard' ? expandWildcard(b, item, input, scope) : [bindItem(b, item, input, scope)];
    places.push(...found.map(() => (item.kind === 'wildcard' ? item.span : (item.alias?.span ?? item.expr.span))));
    return found.map((expr) => columnize(normalizeFor(expr, input), input));
  });
  const named = exprs.map((expr, index) => {
    const name = setLeft?.fields[index]?.field.name;
    return name === undefined || expr.kind === 'column' || expr.kind === 'alias' ? expr : alias(expr, name);
  });
  checkNames(named, places);
  return at(places[0] ?? null, () => projection(named, input));
}

type ExprItem = Extract<SelectItem, { kind: 'expr' }>;

function bindItem(b: Binding, { expr, alias: name }: ExprItem, input: LogicalPlan, scope: Scope): Expr {
  const bound = b.expr(expr, input.schema, scope);
  checkColumns([bound], input.schema);
  const resolved = normalizeColumns(bound, [[input.schema]], usingColumns(input));
  if (name === null) return resolved;
  const wanted = normalizeIdent(name, b.options);
  return resolved.kind === 'column' && resolved.name === wanted ? resolved : alias(resolved, wanted);
}

/** Two columns that could not be told apart by a query around this one: same name, and not two different tables in front. */
function checkNames(exprs: readonly Expr[], places: readonly Place[]): void {
  const seen = new Map<string, number>();
  const bare = new Map<string, number>();
  for (const [index, expr] of exprs.entries()) {
    const name = schemaName(expr);
    const isQualified = (expr.kind === 'column' || expr.kind === 'alias') && expr.relation !== null;
    const short = expr.kind === 'column' || expr.kind === 'alias' ? expr.name : name;
    const earlier = seen.get(name) ?? bare.get(`${isQualified ? 'bare' : 'qualified'} ${short}`);
    if (earlier !== undefined) {
      const message = `columns ${earlier + 1} and ${index + 1} of the select list are both named "${isQualified ? name : short}"`;
      throw planError(message, places[index], 'rename one of them with AS');
    }
    seen.set(name, index);
    bare.set(`${isQualified ? 'qualified' : 'bare'} ${short}`, index);
  }
}

/** What the input has computed already is read from it. */
function columnize(expr: Expr, input: LogicalPlan): Expr {
  const computed = new Map<string, Expr>();
  for (let node = input; node.kind === 'window' || node.kind === 'aggregate'; node = node.input) {
    const exprs = node.kind === 'window' ? node.windows : [...node.groupBy, ...node.aggregates];
    const offset = node.schema.length - exprs.length;
    // Grouping sets put more columns in front than expressions; those are looked up by name.
    if (offset >= 0) exprs.forEach((e, index) => computed.set(exprKey(e), node.schema.columnAt(offset + index)));
    if (node.kind === 'aggregate') break;
  }
  return computed.size === 0 ? expr : transformExprDown(expr, (e) => computed.get(exprKey(e)) ?? e);
}

function aliasMap(exprs: readonly Expr[]): Aliases {
  return new Map(
    exprs.filter((expr): expr is AliasExpr => expr.kind === 'alias').map((expr) => [expr.name, expr.expr]),
  );
}

interface SelectContext {
  readonly base: LogicalPlan;
  readonly projected: ProjectionPlan;
  readonly aliases: Aliases;
  readonly scope: Scope;
}

function bindClauses(b: Binding, select: Select, orderBy: readonly OrderByItem[], context: SelectContext): Clauses {
  const { base, projected, aliases, scope } = context;
  // Of two fields of one name the input's wins.
  const combined = mergeSchemas(base.schema, projected.schema);
  const condition = (written: SqlExpr | null): Expr | null => {
    if (written === null) return null;
    return at(written.span, () => normalizeFor(withoutAliases(b.expr(written, combined, scope), aliases), projected));
  };
  const keys = bindSortKeys(b, orderBy, projected.schema, scope, { ordinals: true, additional: base.schema });
  return {
    orderBy: keys.map((key) => ({ ...key, expr: normalizeFor(key.expr, projected) })),
    on: bindOn(b, select, context),
    having: condition(select.having),
    groupBy: bindGroupBy(b, select.groupBy, combined, context),
    qualify: condition(select.qualify),
  };
}

/** Columns that are aliases of the select list replaced by what those stand for. */
function withoutAliases(expr: Expr, aliases: Aliases): Expr {
  return replaceColumns(expr, ({ relation, name }) => (relation === null ? aliases.get(name) : undefined));
}

/** Here an alias counts only where it is the whole expression, and wins over columns. */
function bindOn(b: Binding, { distinct: kind }: Select, { base, projected, aliases, scope }: SelectContext): Expr[] {
  if (typeof kind === 'string') return [];
  const schema = mergeSchemas(projected.schema, base.schema);
  return kind.on.map((written) => {
    const bound = topLevelAlias(b.expr(written, schema, scope), aliases);
    return at(written.span, () => normalizeFor(bound, projected));
  });
}

function topLevelAlias(expr: Expr, aliases: Aliases): Expr {
  return expr.kind === 'column' && expr.relation === null ? (aliases.get(expr.name) ?? expr) : expr;
}

function bindGroupBy(
  b: Binding,
  groupBy: Select['groupBy'],
  combined: DFSchema,
  { base, projected, aliases, scope }: SelectContext,
): Expr[] {
  if (groupBy === 'all') return projected.exprs.filter((expr) => findAggregates([expr]).length === 0);
  // Here a column of the input wins over an alias.
  const own = new Set(base.schema.fields.map(({ field }) => field.name));
  const usable = new Map([...aliases].filter(([name]) => !own.has(name)));
  return groupBy.map((written) => {
    const bound = ordinal(withoutAliases(b.expr(written, combined, scope), usable), projected.exprs, written.span);
    return at(written.span, () => {
      const expr = normalizeFor(bound, projected);
      checkColumns([expr], base.schema);
      if (findAggregates([expr]).length > 0) throw planError('GROUP BY cannot use aggregates');
      if (hasWindow(expr)) throw planError('GROUP BY cannot use window functions');
      return expr;
    });
  });
}

function ordinal(expr: Expr, select: readonly Expr[], place: Place): Expr {
  if (expr.kind !== 'literal' || expr.value.type.kind !== 'Int64' || expr.value.value === null) return expr;
  const found = select[Number(expr.value.value) - 1];
  if (found === undefined) {
    throw planError(`GROUP BY ${displayedNumber(expr.value.value)}: there are columns 1 to ${select.length}`, place);
  }
  return found.kind === 'alias' ? found.expr : found;
}

function displayedNumber(value: unknown): string {
  return String(value);
}

/** Window nodes for all window functions behind the select list, which then read their columns; QUALIFY filters them. */
function withWindows(plan: LogicalPlan, stage: Stage): Stage {
  const { select, qualify, orderBy, on } = stage;
  const windows = findWindows([
    ...select,
    ...(qualify === null ? [] : [qualify]),
    ...orderBy.map((key) => key.expr),
    ...on,
  ]);
  if (windows.length === 0) {
    if (qualify === null) return { ...stage, plan };
    throw planError('QUALIFY filters window functions, and there is none', undefined, 'filter with WHERE or HAVING');
  }
  const windowed = windowPlan(plan, windows);
  const rebased = (expr: Expr, bases: readonly Expr[] = windows): Expr => rebase(expr, bases, windowed);
  const qualified = (): LogicalPlan => {
    if (qualify === null) return windowed;
    const resolved = windows.map((expr) => normalizeFor(expr, windowed));
    return filter(normalizeFor(rebased(qualify, resolved), windowed), windowed);
  };
  return {
    ...stage,
    plan: qualified(),
    select: select.map((expr) => rebased(expr)),
    orderBy: orderBy.map((key) => ({ ...key, expr: rebased(key.expr) })),
    on: on.map((expr) => rebased(expr)),
    qualify: null,
  };
}

function findWindows(exprs: readonly Expr[]): WindowFunctionExpr[] {
  const found = new Map<string, WindowFunctionExpr>();
  for (const expr of exprs) {
    visitExpr(expr, (e) => {
      if (e.kind !== 'window_function') return undefined;
      if (!found.has(exprKey(e))) found.set(exprKey(e), e);
      return false;
    });
  }
  return [...found.values()];
}

/** The final projection, DISTINCT and ORDER BY. */
function finish(select: Select, clauses: Clauses, base: LogicalPlan, stage: Stage): LogicalPlan {
  if (typeof select.distinct === 'string') {
    const plan = projection(
      stage.select.map((expr) => columnize(normalizeFor(expr, stage.plan), stage.plan)),
      stage.plan,
    );
    return sortPlan(select.distinct === 'distinct' ? distinct(plan) : plan, stage.orderBy);
  }
  // DISTINCT ON works on its input's columns, so aliases in ORDER BY are replaced by what they stand for.
  const isPlain = !stage.isAggregate && stage.plan === base;
  const input = isPlain ? base : stage.plan;
  const aliases = aliasMap(stage.select);
  const orderBy = stage.orderBy.map((key) => ({ ...key, expr: normalizeFor(topLevelAlias(key.expr, aliases), input) }));
  const on = stage.on.map((expr) => normalizeFor(expr, input));
  const matches = on.every(
    (expr, index) => orderBy[index] !== undefined && exprKey(orderBy[index].expr) === exprKey(expr),
  );
  if (orderBy.length > 0 && !matches) {
    const place = clauses.on.length > 0 ? select.span : null;
    throw planError(
      `ORDER BY must begin with the expressions of DISTINCT ON: ${on.map(displayExpr).join(', ')}`,
      place,
    );
  }
  return distinctOn(on, stage.select, orderBy, input);
}
