import { notImplemented } from '../../base/errors.js';
import type { ColumnExpr, Expr, OuterReferenceExpr } from '../../expr/expr.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { IdentifierExpr, Place } from '../parser/ast.js';
import type { Binding, Scope } from './binding.js';
import { findQualified, findUnqualified, relationsMatch, unknownColumn } from './columns.js';
import { normalizeIdent } from './options.js';

/**
 * A column by its name: of this query; else of an enclosing one, innermost first; else as it is written, to be resolved (keys of USING
 * joins) or refused where the expression is used.
 */
export function bindIdentifier(b: Binding, { parts, span }: IdentifierExpr, schema: DFSchema, scope: Scope): Expr {
  const names = parts.map((part) => normalizeIdent(part, b.options));
  const own = search(names, schema, span);
  if (own !== undefined) return placed(schema.columnAt(own), span);
  for (const outer of scope.outer.toReversed()) {
    const index = search(names, outer, span);
    if (index !== undefined) return outerReference(outer, index);
  }
  const name = names.at(-1) ?? '';
  const relation = names.length > 1 ? names.slice(0, -1).join('.') : null;
  const column = placed({ kind: 'column', relation, name }, span);
  // A table of an enclosing query that has no such column: said here, where that query's columns are known.
  const isOf = (candidate: DFSchema): boolean =>
    relation !== null && candidate.fields.some((field) => relationsMatch(field.relation, relation));
  const outer = isOf(schema) ? undefined : scope.outer.findLast(isOf);
  if (outer !== undefined) throw unknownColumn(column, [outer]);
  return column;
}

function placed(column: ColumnExpr, span: Place): ColumnExpr {
  return span === null ? column : { ...column, span };
}

function outerReference(schema: DFSchema, index: number): OuterReferenceExpr {
  const { type, nullable } = schema.at(index).field;
  return { kind: 'outer_reference', column: schema.columnAt(index), type, nullable };
}

/** Position of the field; of `a.b.c` the longest qualifier is tried first, and what is left over would be a field of a struct. */
function search(names: readonly string[], schema: DFSchema, span: Place): number | undefined {
  for (let last = Math.min(names.length, 4) - 1; last >= 0; last--) {
    const name = names[last] ?? '';
    const index =
      last === 0 ? findUnqualified(schema, name) : findQualified(schema, names.slice(0, last).join('.'), name);
    if (index === undefined) continue;
    if (last === names.length - 1) return index;
    // `t.c` where t is no table but happens to be a column is an unknown table, unless the column has fields.
    if (schema.at(index).field.type.kind === 'Struct') {
      throw notImplemented('access to a field of a struct', span === null ? {} : { span });
    }
  }
  return undefined;
}
