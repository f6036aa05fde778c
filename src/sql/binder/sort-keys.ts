import type { Expr, SortExpr } from '../../expr/expr.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { OrderByItem } from '../parser/ast.js';
import { type Binding, planError, type Scope } from './binding.js';
import { mergeSchemas } from './columns.js';
import { defaultNullsFirst } from './options.js';

export interface SortKeyOptions {
  /** A whole number names a column of the schema by its place. */
  readonly ordinals: boolean;
  /** Columns that keys may also use; those of the schema win. */
  readonly additional?: DFSchema;
}

/** ORDER BY keys over `schema`. */
export function bindSortKeys(
  b: Binding,
  items: readonly OrderByItem[],
  schema: DFSchema,
  scope: Scope,
  { ordinals, additional }: SortKeyOptions,
): SortExpr[] {
  if (items.length === 0) return [];
  const visible = additional === undefined ? schema : mergeSchemas(schema, additional);
  return items.map((item) => {
    const ascending = item.ascending ?? true;
    const nullsFirst = item.nullsFirst ?? defaultNullsFirst(ascending, b.options);
    const expr = (ordinals ? ordinal(item, schema) : undefined) ?? b.expr(item.expr, visible, scope);
    return { expr, descending: !ascending, nullsFirst };
  });
}

function ordinal({ expr }: OrderByItem, schema: DFSchema): Expr | undefined {
  if (expr.kind !== 'literal' || expr.value.type !== 'number') return undefined;
  const position = Number(expr.value.text);
  if (!Number.isInteger(position) || position < 1 || position > schema.length) {
    throw planError(`ORDER BY ${expr.value.text}: there are columns 1 to ${schema.length}`, expr.span);
  }
  return schema.columnAt(position - 1);
}
