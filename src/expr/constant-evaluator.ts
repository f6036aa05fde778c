import { asDistqError, DistqError } from '../base/errors.js';
import { Arena } from '../columnar/arena.js';
import type { DataType } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import { valueAt } from '../columnar/value-at.js';
import type { Expr } from './expr.js';
import { compileNode } from './interpreter/compile.js';
import { allRows } from './interpreter/rows.js';
import type { PhysicalExpr } from './physical-expr.js';
import { type ColumnPositions, toPhysicalExpr } from './physical-planner.js';

const NO_COLUMNS: ColumnPositions = {
  require(column) {
    throw new DistqError('internal', `the column ${column.name} in a constant expression`);
  },
  at() {
    throw new DistqError('internal', 'a column in a constant expression');
  },
};

/**
 * The value of a coerced expression without columns and subqueries, computed by the engine's own interpreter; undefined when it fails
 * (1 / 0, a cast that does not fit): the expression then stays and fails, or not, when it is run.
 */
export function evaluateConstant(expr: Expr): ScalarValue | undefined {
  return attempt(() => evaluatePhysicalConstant(toPhysicalExpr(expr, NO_COLUMNS)));
}

/** The value of a physical expression without columns; failures are thrown. */
export function evaluatePhysicalConstant(expr: PhysicalExpr): ScalarValue {
  if (expr.kind === 'literal') return expr.value;
  const arena = new Arena();
  try {
    const column = compileNode(expr)(
      {
        arena,
        column: (index) => {
          throw new DistqError('internal', `column ${index} in a constant expression`);
        },
      },
      allRows(1),
    );
    return { type: expr.type, value: valueAt(column, 0) };
  } finally {
    arena.free();
  }
}

/** A constant cast to another type; undefined when it has no value there. */
export function castConstant(value: ScalarValue, type: DataType): ScalarValue | undefined {
  return evaluateConstant({ kind: 'cast', expr: { kind: 'literal', value }, type, safe: false });
}

function attempt(evaluate: () => ScalarValue): ScalarValue | undefined {
  try {
    return evaluate();
  } catch (error) {
    const { kind } = asDistqError(error);
    if (kind === 'execution' || kind === 'not_implemented' || kind === 'plan') return undefined;
    throw error;
  }
}
