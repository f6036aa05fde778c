import { didYouMean } from '../../base/nearest-names.js';
import type { DataType } from '../../columnar/data-type.js';
import { INT64 } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import {
  type AggregateFunctionExpr,
  alias,
  column,
  type Expr,
  literal,
  type SortExpr,
  type WindowFunctionExpr,
} from '../../expr/expr.js';
import { displayExpr, schemaName } from '../../expr/expr-display.js';
import { exprType } from '../../expr/expr-schema.js';
import { columnKey } from '../../expr/expr-transform.js';
import { hasWindow } from '../../expr/expr-utils.js';
import type { AggregateFunction, ScalarFunction, WindowFunction } from '../../expr/function.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { FunctionArg, FunctionCall, Place, WindowSpec } from '../parser/ast.js';
import { at, type Binding, planError, type Scope } from './binding.js';
import { relationsMatch } from './columns.js';
import { bindIdentifier } from './identifier.js';
import { normalizeName, normalizeIdent } from './options.js';
import { bindSortKeys } from './sort-keys.js';
import { bindFrame, resolveWindow } from './window-frame.js';

/** A call: scalar functions first, then (with OVER) windows or aggregates. A name that is no function may be a column. */
export function bindFunction(b: Binding, call: FunctionCall, schema: DFSchema, scope: Scope): Expr {
  const name = normalizeName(call.name, b.options);
  if (call.orderBy.length > 0 && call.withinGroup.length > 0) {
    throw planError('ORDER BY and WITHIN GROUP exclude each other', call.span);
  }
  const scalarFunction = b.functions.scalar(name);
  if (scalarFunction !== undefined) return scalarCall(b, scalarFunction, name, call, schema, scope);
  if (call.over !== null) return windowCall(b, name, call, call.over, schema, scope);
  const aggregate = b.functions.aggregate(name);
  if (aggregate !== undefined) return aggregateCall(b, aggregate, name, call, schema, scope);
  if (!call.parenthesized)
    return bindIdentifier(b, { kind: 'identifier', parts: call.name, span: call.span }, schema, scope);
  if (b.functions.window(name) !== undefined) {
    throw planError(`${name} is a window function`, call.span, `write ${name}(…) OVER (…)`);
  }
  throw unknownFunction(b, name, call.span);
}

/** A call that the SQL syntax makes under a name of its own (EXTRACT). */
export function namedFunction(b: Binding, name: string, args: readonly Expr[], place: Place): Expr {
  const func = b.functions.scalar(name);
  if (func === undefined) throw unknownFunction(b, name, place);
  return { kind: 'scalar_function', func, args };
}

function unknownFunction(b: Binding, name: string, place: Place): Error {
  return planError(`unknown function "${name}"`, place, didYouMean(name, b.functions.names()));
}

function scalarCall(
  b: Binding,
  func: ScalarFunction,
  name: string,
  call: FunctionCall,
  schema: DFSchema,
  scope: Scope,
): Expr {
  const refused: readonly (readonly [boolean, string])[] = [
    [call.over !== null, 'OVER'],
    [call.distinct, 'DISTINCT'],
    [call.filter !== null, 'FILTER'],
    [call.orderBy.length > 0, 'ORDER BY'],
    [call.withinGroup.length > 0, 'WITHIN GROUP'],
    [call.ignoreNulls !== null, 'IGNORE or RESPECT NULLS'],
  ];
  for (const [isUsed, clause] of refused) {
    if (isUsed) throw planError(`${clause} does not go with ${name}, which works row by row`, call.span);
  }
  const args = call.args.map((arg) => plainArg(b, arg, name, call.span, schema, scope));
  checkArgs(func, args, schema, call.span);
  return typedName({ kind: 'scalar_function', func, args }, func.name, name, args);
}

/** A call under an alias of the function shows the name the user wrote. */
function typedName(expr: Expr, canonical: string, written: string, args: readonly Expr[]): Expr {
  if (canonical === written.toLowerCase()) return expr;
  return alias(expr, `${written}(${args.map(displayExpr).join(',')})`);
}

function plainArg(b: Binding, arg: FunctionArg, name: string, place: Place, schema: DFSchema, scope: Scope): Expr {
  if (arg.kind === 'expr') return b.expr(arg.expr, schema, scope);
  throw planError(`* is no argument of ${name}`, place);
}

/** Number and types of arguments, as far as their columns are resolved; the function's own error gets the place of the call. */
function checkArgs(
  func: ScalarFunction | AggregateFunction | WindowFunction,
  args: readonly Expr[],
  schema: DFSchema,
  place: Place,
): void {
  let types: DataType[];
  try {
    types = args.map((arg) => exprType(arg, schema));
  } catch {
    // An ambiguous or unknown column is reported where the expression is used; a wrong inner call already was.
    return;
  }
  at(place, () => func.coerce(types));
}

/** The arguments of an aggregate, and how they read in a name: `*` and nothing both count rows. */
function countArgs(call: FunctionCall, schema: DFSchema, b: Binding): { args: Expr[]; shown: Expr[] } | undefined {
  const one = literal(scalar(INT64, 1n));
  const [only, ...more] = call.args;
  if (only === undefined) return { args: [one], shown: [] };
  if (more.length > 0 || only.kind !== 'wildcard') return undefined;
  if (only.qualifier === null) return { args: [one], shown: [column('*')] };
  const relation = normalizeName(only.qualifier, b.options);
  if (!schema.fields.some((field) => relationsMatch(field.relation, relation))) {
    throw planError(`"${relation}" is no table of this query`, call.span);
  }
  return { args: [one], shown: [column('*', relation)] };
}

function aggregateCall(
  b: Binding,
  func: AggregateFunction,
  name: string,
  call: FunctionCall,
  schema: DFSchema,
  scope: Scope,
): Expr {
  const star = func.name === 'count' ? countArgs(call, schema, b) : undefined;
  const bound = star?.args ?? call.args.map((arg) => plainArg(b, arg, name, call.span, schema, scope));
  const { args, orderBy } = orderedArgs(b, func, bound, call, schema, scope);
  const filter = call.filter === null ? null : b.expr(call.filter, schema, scope);
  checkArgs(func, args, schema, call.span);
  const { distinct, ignoreNulls } = call;
  const expr: AggregateFunctionExpr = {
    kind: 'aggregate_function',
    func,
    args,
    distinct,
    filter,
    orderBy,
    ignoreNulls,
  };
  if (star !== undefined) return alias(expr, schemaName({ ...expr, args: star.shown }));
  return typedName(expr, func.name, name, args);
}

/** WITHIN GROUP puts its key in front of the arguments of an ordered-set aggregate. */
function orderedArgs(
  b: Binding,
  func: AggregateFunction,
  args: readonly Expr[],
  call: FunctionCall,
  schema: DFSchema,
  scope: Scope,
): { readonly args: readonly Expr[]; readonly orderBy: readonly SortExpr[] } {
  if (func.orderedSet !== true) {
    if (call.withinGroup.length > 0) {
      throw planError('WITHIN GROUP goes with ordered-set aggregates such as percentile_cont', call.span);
    }
    return { args, orderBy: bindSortKeys(b, call.orderBy, schema, scope, { ordinals: true }) };
  }
  // percentile_cont(value, share ORDER BY value) names the value twice.
  const isInline = call.withinGroup.length === 0 && call.orderBy.length > 0;
  const keys = bindSortKeys(b, isInline ? call.orderBy : call.withinGroup, schema, scope, { ordinals: false });
  const [key] = keys;
  if (key === undefined) return { args, orderBy: [] };
  if (keys.length > 1) throw planError('WITHIN GROUP takes one sort key', call.span);
  const rest = isInline && args.length >= 2 ? args.slice(1) : args;
  return { args: [key.expr, ...rest], orderBy: keys };
}

/** Aggregates that as windows mean the window function of the same name. */
const OWN_WINDOW_FORMS = new Set(['first_value', 'last_value', 'nth_value']);

function windowFunction(b: Binding, name: string, place: Place): WindowFunction | AggregateFunction {
  const aggregate = b.functions.aggregate(name);
  if (aggregate !== undefined && !OWN_WINDOW_FORMS.has(aggregate.name)) return aggregate;
  const func = b.functions.window(name) ?? aggregate;
  if (func === undefined) throw unknownFunction(b, name, place);
  return func;
}

function windowCall(
  b: Binding,
  name: string,
  call: FunctionCall,
  over: NonNullable<FunctionCall['over']>,
  schema: DFSchema,
  scope: Scope,
): Expr {
  if (call.withinGroup.length > 0) throw planError('OVER and WITHIN GROUP exclude each other', call.span);
  if (call.orderBy.length > 0) throw planError('ORDER BY inside the call does not go with OVER', call.span);
  const func = windowFunction(b, name, call.span);
  const isAggregate = 'createAccumulator' in func;
  if (call.filter !== null && !isAggregate) {
    throw planError(`FILTER goes with aggregates, and ${name} is none`, call.span);
  }
  const spec: WindowSpec = resolveWindow(over, scope.windows, (ident) => normalizeIdent(ident, b.options));
  // A constant makes no partitions.
  const partitionBy = spec.partitionBy
    .filter((expr) => expr.kind !== 'literal')
    .map((expr) => b.expr(expr, schema, scope));
  const keys = bindSortKeys(b, spec.orderBy, schema, scope, { ordinals: false });
  const [first] = keys;
  const isStrict = first?.expr.kind === 'column' && scope.uniqueColumns.has(columnKey(first.expr));
  const { frame, orderBy } = bindFrame(spec.frame, keys, isStrict, call.span);
  const star = func.name === 'count' ? countArgs(call, schema, b) : undefined;
  const args = star?.args ?? call.args.map((arg) => plainArg(b, arg, name, call.span, schema, scope));
  const filter = call.filter === null ? null : b.expr(call.filter, schema, scope);
  checkArgs(func, args, schema, call.span);
  const inside = [...args, ...partitionBy, ...orderBy.map((key) => key.expr), ...(filter === null ? [] : [filter])];
  if (inside.some(hasWindow)) {
    throw planError(`${name} cannot use another window function`, call.span, 'compute that one in a subquery first');
  }
  const expr: WindowFunctionExpr = {
    kind: 'window_function',
    func,
    args,
    partitionBy,
    orderBy,
    frame,
    distinct: call.distinct,
    filter,
    ignoreNulls: call.ignoreNulls,
  };
  if (star !== undefined) return alias(expr, schemaName({ ...expr, args: star.shown }));
  return typedName(expr, func.name, name, args);
}
