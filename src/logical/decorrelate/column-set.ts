import type { ColumnExpr } from '../../expr/expr.js';
import { columnKey } from '../../expr/expr-transform.js';
import { compareColumns } from '../simplify/canonicalize.js';

/** Columns, each once, in order of qualifier and name: the order in which correlated columns join a select list. */
export function sortedColumns(columns: Iterable<ColumnExpr>): ColumnExpr[] {
  const unique = new Map<string, ColumnExpr>();
  for (const column of columns) unique.set(columnKey(column), column);
  return [...unique.values()].sort(compareColumns);
}
