import { didYouMean } from '../../base/nearest-names.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import { evaluateConstant } from '../../expr/constant-evaluator.js';
import { isVolatile } from '../../expr/expr-utils.js';
import { tableScan } from '../../logical/builder.js';
import { DFSchema } from '../../logical/df-schema.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { SqlExpr, TableFactor } from '../parser/ast.js';
import { at, type Binding, errorAt, planError, type Scope } from './binding.js';
import { checkColumns } from './columns.js';
import { normalizeName } from './options.js';

const NO_COLUMNS = new DFSchema([]);

/** `FROM f(1, 'a')`: a scan of what the function makes of its arguments; the table is called `f()`, as in DataFusion. */
export function bindTableFunction(
  b: Binding,
  { name, args, span }: Extract<TableFactor, { kind: 'table_function' }>,
  scope: Scope,
): LogicalPlan {
  const called = normalizeName(name, b.options);
  const names = b.tableFunctionNames();
  if (!names.includes(called)) {
    throw errorAt('not_implemented', `the table function ${called} is not supported`, span, didYouMean(called, names));
  }
  const values = args.map((arg, index) => constant(b, arg, index, called, scope));
  const provider = at(span, () => b.tableFunction(called, values));
  if (provider === undefined) throw planError(`unknown table function "${called}"`, span);
  return tableScan(`${called}()`, provider);
}

function constant(b: Binding, arg: SqlExpr, index: number, called: string, scope: Scope): ScalarValue {
  const place = 'span' in arg ? arg.span : null;
  const expr = b.expr(arg, NO_COLUMNS, { ...scope, outer: [], outerFrom: null });
  checkColumns([expr], NO_COLUMNS);
  // Two plans of one text must be the same plan.
  const value = isVolatile(expr) ? undefined : at(place, () => evaluateConstant(expr));
  if (value !== undefined) return value;
  throw planError(`argument ${index + 1} of ${called} is no constant`, place, 'table functions take constants only');
}
