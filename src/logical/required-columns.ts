import type { ColumnExpr, Expr } from '../expr/expr.js';
import { columnsOf, visitExpr } from '../expr/expr-transform.js';
import { subqueryOf } from '../expr/expr-utils.js';
import type { DFSchema } from './df-schema.js';

/**
 * The output columns of a node that somebody above needs: ascending positions, each once. `narrowing` says that a projection which
 * drops the others would help the consumer.
 * Source: RequiredIndices of DataFusion's optimize_projections.
 */
export class RequiredColumns {
  readonly indices: readonly number[];
  readonly narrowing: boolean;

  constructor(indices: Iterable<number>, narrowing = false) {
    this.indices = [...new Set(indices)].sort((a, b) => a - b);
    this.narrowing = narrowing;
  }

  static all(schema: DFSchema): RequiredColumns {
    return new RequiredColumns(schema.fields.keys());
  }

  static readonly none: RequiredColumns = new RequiredColumns([]);

  asNarrowing(): RequiredColumns {
    return new RequiredColumns(this.indices, true);
  }

  /** With the columns that expressions over `schema` read, outer references of their subqueries included. */
  withExprs(exprs: readonly Expr[], schema: DFSchema): RequiredColumns {
    const found: number[] = [];
    for (const column of [...columnsOf(...exprs), ...outerColumnsOf(exprs)]) {
      const index = schema.has(column) ? schema.indexOf(column) : -1;
      if (index >= 0) found.push(index);
    }
    return new RequiredColumns([...this.indices, ...found], this.narrowing);
  }

  map(position: (index: number) => number): RequiredColumns {
    return new RequiredColumns(this.indices.map(position), this.narrowing);
  }

  /** Positions below `border`, and those from `border` on counted from there. */
  split(border: number): [RequiredColumns, RequiredColumns] {
    const below = this.indices.filter((index) => index < border);
    const above = this.indices.filter((index) => index >= border).map((index) => index - border);
    return [new RequiredColumns(below, this.narrowing), new RequiredColumns(above, this.narrowing)];
  }

  pick<T>(items: readonly T[]): T[] {
    return this.indices.flatMap((index) => {
      const item = items[index];
      return item === undefined ? [] : [item];
    });
  }

  columns(schema: DFSchema): ColumnExpr[] {
    return this.indices.map((index) => schema.columnAt(index));
  }
}

function outerColumnsOf(exprs: readonly Expr[]): ColumnExpr[] {
  const found: ColumnExpr[] = [];
  for (const expr of exprs) {
    visitExpr(expr, (inner) => {
      const subquery = subqueryOf(inner);
      if (subquery !== undefined) found.push(...subquery.outerColumns.map((outer) => outer.column));
      return true;
    });
  }
  return found;
}
