import type { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import type { PhysicalExpr } from '../physical-expr.js';
import type { Rows } from './rows.js';

/** What an evaluation reads from and writes to. */
export interface EvalContext {
  /** Physical input column `index`; every one is as long as the rows' capacity. */
  column(index: number): Column;
  /** Where results go. */
  readonly arena: Arena;
}

/**
 * A compiled expression: gives a column of `rows.capacity` rows that is defined at the given rows; other slots hold what is safe to
 * read (zeros, codes in range). It is pure and holds no buffers.
 */
export type EvalNode = (context: EvalContext, rows: Rows) => Column;

/** Compiles a child expression; handed to each family so that they need not import one another. */
export type Compile = (expr: PhysicalExpr) => EvalNode;
