import type { DataType } from '../../columnar/data-type.js';
import type { Expr } from '../../expr/expr.js';
import type { ExprFacts } from '../../expr/function.js';
import { type ExprSchema, exprNullable, exprType } from '../../expr/expr-schema.js';
import type { ConstantEvaluator } from '../optimizer-rule.js';

/** What simplification may know about an expression's surroundings. */
export class SimplifyInfo implements ExprFacts {
  readonly schema: ExprSchema;
  readonly constants: ConstantEvaluator;

  constructor(schema: ExprSchema, constants: ConstantEvaluator) {
    this.schema = schema;
    this.constants = constants;
  }

  type(expr: Expr): DataType {
    return exprType(expr, this.schema);
  }

  nullable(expr: Expr): boolean {
    return exprNullable(expr, this.schema);
  }

  isBoolean(expr: Expr): boolean {
    return this.type(expr).kind === 'Boolean';
  }
}
