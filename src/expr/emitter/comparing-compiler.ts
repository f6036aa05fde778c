import { asDistqError, DistqError } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { ColumnReader } from '../../columnar/column-reader.js';
import { alignLayouts } from '../../columnar/align-layouts.js';
import { heap } from '../../columnar/heap.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { compareValues } from '../../columnar/value-order.js';
import type { ExpressionCompiler } from '../evaluator.js';
import { displayPhysicalExpr } from '../physical-expr-display.js';
import type { PhysicalExpr } from '../physical-expr.js';

/** Runs two compilers on every batch and throws `internal` where they differ; the first one's results count. */
export function comparingCompiler(first: ExpressionCompiler, second: ExpressionCompiler): ExpressionCompiler {
  return {
    projection(exprs) {
      const [a, b] = [first.projection(exprs), second.projection(exprs)];
      return {
        evaluate(batch, arena) {
          const results = both(
            () => a.evaluate(batch, arena),
            () => b.evaluate(batch, arena),
            exprs,
          );
          for (const [i, expr] of exprs.entries()) {
            compareColumns(expr, batch, results[0][i]!, results[1][i]!, arena);
          }
          return results[0];
        },
      };
    },
    filter(predicate) {
      const [a, b] = [first.filter(predicate), second.filter(predicate)];
      return {
        filter(batch, arena) {
          const [kept, expected] = both(
            () => a.filter(batch, arena),
            () => b.filter(batch, arena),
            [predicate],
          );
          if (!sameRows(kept, expected)) {
            throw new DistqError(
              'internal',
              `emitted code keeps ${kept.numRows} rows and the interpreter ${expected.numRows} of ${displayPhysicalExpr(predicate)}`,
            );
          }
          return kept;
        },
      };
    },
  };
}

/** Both results; when both fail with the same message the first failure is thrown, and when only one does, a complaint. */
function both<T>(first: () => T, second: () => T, exprs: readonly PhysicalExpr[]): [T, T] {
  const [a, b] = [attempt(first), attempt(second)];
  if (a.error === undefined && b.error === undefined) return [a.value, b.value];
  if (a.error?.message === b.error?.message && a.error !== undefined) throw a.error;
  const shown = exprs.map(displayPhysicalExpr).join(', ');
  throw new DistqError(
    'internal',
    `emitted code and interpreter fail differently on ${shown}: ${a.error?.message ?? 'no error'}, ${b.error?.message ?? 'no error'}`,
  );
}

type Outcome<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: DistqError };

function attempt<T>(run: () => T): Outcome<T> {
  try {
    return { value: run() };
  } catch (error) {
    return { error: asDistqError(error) };
  }
}

function rowAt(batch: RecordBatch, i: number): number {
  return batch.selection === 0 ? i : heap.u32[(batch.selection >>> 2) + i]!;
}

function sameRows(a: RecordBatch, b: RecordBatch): boolean {
  if (a.numRows !== b.numRows) return false;
  for (let i = 0; i < a.numRows; i++) if (rowAt(a, i) !== rowAt(b, i)) return false;
  return true;
}

function compareColumns(expr: PhysicalExpr, batch: RecordBatch, a: Column, b: Column, arena: Arena): void {
  const [left, right] = alignLayouts([a, b], expr.type, arena);
  const [readA, readB] = [new ColumnReader(left!), new ColumnReader(right!)];
  for (let i = 0; i < batch.numRows; i++) {
    const row = rowAt(batch, i);
    const [nullA, nullB] = [readA.isNull(row), readB.isNull(row)];
    if (nullA && nullB) continue;
    if (nullA !== nullB || !identical(left!, readA.address(row), readB.address(row))) {
      throw new DistqError(
        'internal',
        `emitted code and interpreter differ in row ${row} of ${displayPhysicalExpr(expr)}`,
      );
    }
  }
}

/** Equal values; floats bit for bit, but for the payload of NaN. */
function identical(column: Column, a: number, b: number): boolean {
  if (column.layout === 'f64') return Object.is(heap.f64[a >>> 3], heap.f64[b >>> 3]);
  if (column.layout === 'f32') return Object.is(heap.f32[a >>> 2], heap.f32[b >>> 2]);
  return compareValues(column.layout, a, b) === 0;
}
