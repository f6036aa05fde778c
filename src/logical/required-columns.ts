import type { ColumnExpr, Expr } from '../expr/expr.js';
import { visitExpr } from '../expr/expr-transform.js';
import type { DFSchema } from './df-schema.js';

/** Ascending positions of the columns of one schema that somebody needs. Immutable. */
export class RequiredColumns {
  readonly indices: readonly number[];

  private constructor(indices: readonly number[]) {
    this.indices = indices;
  }

  static readonly none: RequiredColumns = new RequiredColumns([]);

  static all(schema: DFSchema): RequiredColumns {
    return new RequiredColumns(schema.fields.map((_, index) => index));
  }

  static of(indices: Iterable<number>): RequiredColumns {
    return new RequiredColumns([...new Set(indices)].sort((a, b) => a - b));
  }

  /** These and the columns of `schema` that the expressions read, also from inside a subquery. */
  withExprs(schema: DFSchema, exprs: Iterable<Expr>): RequiredColumns {
    const all = new Set(this.indices);
    const add = (column: ColumnExpr): void => {
      const index = schema.indexOf(column);
      if (index >= 0) all.add(index);
    };
    for (const expr of exprs) {
      visitExpr(expr, (e) => {
        if (e.kind === 'column') add(e);
        else if (e.kind === 'outer_reference') add(e.column);
        else if ('subquery' in e) for (const outer of e.subquery.outerColumns) add(outer.column);
        return true;
      });
    }
    return RequiredColumns.of(all);
  }

  /** Those below `count`, and those from it on, counted from 0 again. */
  split(count: number): readonly [RequiredColumns, RequiredColumns] {
    return [
      new RequiredColumns(this.indices.filter((index) => index < count)),
      new RequiredColumns(this.indices.filter((index) => index >= count).map((index) => index - count)),
    ];
  }

  union(other: RequiredColumns): RequiredColumns {
    return RequiredColumns.of([...this.indices, ...other.indices]);
  }

  /** The entries of a list at these positions; positions past its end are left out. */
  pick<T>(list: readonly T[]): T[] {
    return list.filter((_, index) => this.indices.includes(index));
  }

  columns(schema: DFSchema): ColumnExpr[] {
    return this.indices.map((index) => schema.columnAt(index));
  }
}
