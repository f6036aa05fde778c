import { didYouMean } from '../../base/nearest-names.js';
import { notImplemented } from '../../base/errors.js';
import { alias, type ColumnExpr, type Expr } from '../../expr/expr.js';
import { columnKey } from '../../expr/expr-transform.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { Ident, SelectItem } from '../parser/ast.js';
import { type Binding, planError, type Scope } from './binding.js';
import { checkColumns, normalizeColumns, relationsMatch, usingColumns } from './columns.js';
import { normalizeIdent, normalizeName } from './options.js';

type Wildcard = Extract<SelectItem, { kind: 'wildcard' }>;

/** The columns `*` or `t.*` stands for, with EXCLUDE, EXCEPT and REPLACE worked in. */
export function expandWildcard(b: Binding, item: Wildcard, plan: LogicalPlan, scope: Scope): Expr[] {
  const { options, span } = item;
  const refused = options.rename.length > 0 ? '* RENAME' : options.ilike === null ? undefined : '* ILIKE';
  if (refused !== undefined) throw notImplemented(refused, span === null ? {} : { span });
  const columns = item.qualifier === null ? allColumns(item, plan) : columnsOfTable(b, item, plan);
  const excluded = excludedNames(b, options.exclude, columns);
  const kept = columns.filter((column) => !excluded.has(column.name));
  if (kept.length === 0) throw planError('* leaves no column', span);
  if (options.replace.length === 0) return kept;
  const replacements = new Map<string, Expr>();
  for (const { expr, name } of options.replace) {
    const bound = b.expr(expr, plan.schema, scope);
    checkColumns([bound], plan.schema);
    replacements.set(normalizeIdent(name, b.options), normalizeColumns(bound, [[plan.schema]], usingColumns(plan)));
  }
  return kept.map((column) => {
    const replacement = replacements.get(column.name);
    return replacement === undefined ? column : alias(replacement, column.name);
  });
}

/** All columns, of the keys of a USING join only one side's. */
function allColumns({ span }: Wildcard, plan: LogicalPlan): ColumnExpr[] {
  if (plan.kind === 'empty_relation') throw planError('* needs a FROM', span);
  const columns = plan.schema.columns();
  const hidden = new Set<string>();
  for (const keys of usingColumns(plan)) {
    // Which side stays is decided by the qualifiers' order, not the tables'.
    const candidates = columns.filter((column) => keys.has(columnKey(column))).sort(byQualifier);
    const names = new Set<string>();
    for (const column of candidates) {
      if (names.has(column.name)) hidden.add(columnKey(column));
      names.add(column.name);
    }
  }
  return columns.filter((column) => !hidden.has(columnKey(column)));
}

function byQualifier(a: ColumnExpr, b: ColumnExpr): number {
  const [x, y] = [a.relation ?? '', b.relation ?? ''];
  if (x !== y) return x < y ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function columnsOfTable(b: Binding, { qualifier, span }: Wildcard, plan: LogicalPlan): ColumnExpr[] {
  const relation = normalizeName(qualifier ?? [], b.options);
  const columns = plan.schema.columns().filter((column) => relationsMatch(column.relation, relation));
  if (columns.length > 0) return columns;
  const relations = plan.schema.fields.flatMap((field) => (field.relation === null ? [] : [field.relation]));
  throw planError(`"${relation}" is no table of this query`, span, didYouMean(relation, relations));
}

function excludedNames(b: Binding, idents: readonly Ident[], columns: readonly ColumnExpr[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const ident of idents) {
    const name = normalizeIdent(ident, b.options);
    if (names.has(name)) throw planError(`"${name}" is excluded twice`, ident.span);
    const known = columns.map((column) => column.name);
    if (!known.includes(name)) throw planError(`unknown column "${name}"`, ident.span, didYouMean(name, known));
    names.add(name);
  }
  return names;
}
