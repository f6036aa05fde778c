import { typeName } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import type {
  AggregateFunctionExpr,
  BinaryOperator,
  ColumnExpr,
  Expr,
  GroupingSetExpr,
  SortExpr,
  WindowFrame,
  WindowFrameBound,
  WindowFunctionExpr,
} from './expr.js';
import { precedence } from './operators.js';
import { scalarText } from './scalar-text.js';

/**
 * The three texts of a logical expression. `display`: logical EXPLAIN, with parentheses and casts. `name`: field names; no
 * parentheses, casts invisible. `human`: like a name with bare constants, for aggregates in physical plans.
 */
type Form = 'display' | 'name' | 'human';

/** As logical EXPLAIN prints it: `lineitem.l_tax * (Int64(1) - CAST(a AS Float64)) AS x`. */
export function displayExpr(expr: Expr): string {
  return render(expr, 'display');
}

/** Names already worked out; a plan asks for the name of the same expression again and again. */
const names = new WeakMap<Expr, string>();

/** The name of the field an expression makes: `lineitem.l_tax * Int64(1) - a`. An alias' name is its own. */
export function schemaName(expr: Expr): string {
  if (expr.kind === 'column') return displayColumn(expr);
  let name = names.get(expr);
  if (name === undefined) {
    name = render(expr, 'name');
    names.set(expr, name);
  }
  return name;
}

/** As people write it, constants bare: `lineitem.l_tax * 1 - a`. What stands before ` as ` in AggregateExec. */
export function humanName(expr: Expr): string {
  return render(expr, 'human');
}

/** `relation.name`, or the name alone. */
export function displayColumn(column: Pick<ColumnExpr, 'relation' | 'name'>): string {
  return column.relation === null ? column.name : `${column.relation}.${column.name}`;
}

/** `a ASC NULLS LAST`; the null order is always said. */
export function displaySort(key: SortExpr): string {
  return sortKey(key, 'display');
}

/** Typed form of a constant: `Int64(1)`, `Utf8("x")`, `Decimal128(0.05,15,2)`, `NULL`. */
export function displayLiteral(value: ScalarValue): string {
  const { type } = value;
  const text = scalarText(value);
  const quoted = value.value === null ? text : `"${text}"`;
  switch (type.kind) {
    case 'Null':
      return 'NULL';
    case 'Decimal128':
      return `Decimal128(${text},${type.precision},${type.scale})`;
    case 'Timestamp':
      return `Timestamp${UNIT_WORDS[type.unit]}(${text}, ${type.timezone === null ? 'None' : `Some("${type.timezone}")`})`;
    case 'Time32':
    case 'Time64':
    case 'Duration':
      return `${type.kind}${UNIT_WORDS[type.unit]}(${quoted})`;
    case 'Interval':
      return `IntervalMonthDayNano(${quoted})`;
    case 'FixedSizeBinary':
      return `FixedSizeBinary(${type.size}, ${quoted})`;
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
      return `${type.kind}(${value.value instanceof Uint8Array ? `"${value.value.join(',')}"` : text})`;
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
    case 'Date32':
    case 'Date64':
      return `${type.kind}(${quoted})`;
    case 'Boolean':
    case 'Int8':
    case 'Int16':
    case 'Int32':
    case 'Int64':
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
    case 'UInt64':
    case 'Float32':
    case 'Float64':
    case 'List':
    case 'Struct':
    case 'Map':
      return `${type.kind}(${text})`;
  }
}

const UNIT_WORDS = { s: 'Second', ms: 'Millisecond', us: 'Microsecond', ns: 'Nanosecond' } as const;

function render(expr: Expr, form: Form): string {
  const text = (e: Expr): string => (form === 'name' ? schemaName(e) : render(e, form));
  switch (expr.kind) {
    case 'column':
      return displayColumn(expr);
    case 'literal':
      return form === 'human' ? scalarText(expr.value) : displayLiteral(expr.value);
    case 'alias':
      return form === 'display' ? `${text(expr.expr)} AS ${expr.name}` : displayColumn(expr);
    case 'binary':
      return `${operand(expr.left, expr.op)} ${expr.op} ${operand(expr.right, expr.op)}`;
    case 'not':
      return `NOT ${text(expr.expr)}`;
    case 'negative':
      return `(- ${text(expr.expr)})`;
    case 'is':
      return `${text(expr.expr)} IS ${expr.negated ? 'NOT ' : ''}${expr.test}`;
    case 'between':
      return `${text(expr.expr)} ${not(expr)}BETWEEN ${text(expr.low)} AND ${text(expr.high)}`;
    case 'like': {
      const word = expr.similarTo ? 'SIMILAR TO' : expr.caseInsensitive ? 'ILIKE' : 'LIKE';
      const escape = expr.escape === null ? '' : ` ${form === 'display' ? 'ESCAPE' : 'CHAR'} '${expr.escape}'`;
      return `${text(expr.expr)} ${not(expr)}${word} ${text(expr.pattern)}${escape}`;
    }
    case 'case': {
      let out = 'CASE ';
      if (expr.operand !== null) out += `${text(expr.operand)} `;
      for (const { when, then } of expr.branches) out += `WHEN ${text(when)} THEN ${text(then)} `;
      if (expr.otherwise !== null) out += `ELSE ${text(expr.otherwise)} `;
      return `${out}END`;
    }
    case 'cast':
      if (form !== 'display') return text(expr.expr);
      return `${expr.safe ? 'TRY_CAST' : 'CAST'}(${text(expr.expr)} AS ${typeName(expr.type)})`;
    case 'in_list': {
      const items = expr.list.map(text).join(', ');
      return `${text(expr.expr)} ${not(expr)}IN ${form === 'name' ? items : `([${items}])`}`;
    }
    case 'scalar_function':
      return `${expr.func.name}(${expr.args.map(text).join(form === 'name' ? ',' : ', ')})`;
    case 'aggregate_function':
      return aggregate(expr, form);
    case 'window_function':
      return windowFunction(expr, form);
    case 'outer_reference':
      return `outer_ref(${displayColumn(expr.column)})`;
    case 'scalar_subquery':
      return form === 'display' ? '(<subquery>)' : (expr.subquery.outputs[0]?.name ?? '');
    case 'exists':
      return `${not(expr)}EXISTS${form === 'display' ? ' (<subquery>)' : ''}`;
    case 'in_subquery':
      return form === 'display' ? `${text(expr.expr)} ${not(expr)}IN (<subquery>)` : `${not(expr)}IN`;
    case 'set_comparison':
      return `${text(expr.expr)} ${expr.op} ${expr.quantifier} (<subquery>)`;
    case 'grouping_set':
      return groupingSet(expr, form);
  }

  function operand(child: Expr, parent: BinaryOperator): string {
    const inner = text(child);
    const wrap = form === 'display' && child.kind === 'binary' && precedence(child.op) < precedence(parent);
    return wrap ? `(${inner})` : inner;
  }
}

function not(expr: { readonly negated: boolean }): string {
  return expr.negated ? 'NOT ' : '';
}

function list(exprs: readonly Expr[], form: Form, separator: string): string {
  return exprs.map((e) => render(e, form)).join(separator);
}

function sortKey(key: SortExpr, form: Form): string {
  // Sort keys keep their casts and parentheses in names too.
  return `${render(key.expr, form === 'name' ? 'display' : form)} ${key.descending ? 'DESC' : 'ASC'} NULLS ${key.nullsFirst ? 'FIRST' : 'LAST'}`;
}

function sortKeys(keys: readonly SortExpr[], form: Form): string {
  return keys.map((key) => sortKey(key, form)).join(', ');
}

function nullTreatment(ignoreNulls: boolean | null): string {
  return ignoreNulls === null ? '' : ignoreNulls ? ' IGNORE NULLS' : ' RESPECT NULLS';
}

function aggregate(expr: AggregateFunctionExpr, form: Form): string {
  // An ordered-set aggregate's first argument is its sort key: names say it once, behind WITHIN GROUP.
  const withinGroup = form === 'name' && expr.func.orderedSet === true && expr.orderBy.length > 0;
  const args = withinGroup ? expr.args.slice(1) : expr.args;
  const separator = form === 'name' ? ',' : ', ';
  let out = `${expr.func.name}(${expr.distinct ? 'DISTINCT ' : ''}${list(args, form, separator)})`;
  out += nullTreatment(expr.ignoreNulls);
  // The condition of FILTER keeps its parentheses and typed constants in every form.
  if (expr.filter !== null) out += ` FILTER (WHERE ${render(expr.filter, 'display')})`;
  if (expr.orderBy.length > 0) {
    out += ` ${withinGroup ? 'WITHIN GROUP' : 'ORDER BY'} [${sortKeys(expr.orderBy, form)}]`;
  }
  return out;
}

function windowFunction(expr: WindowFunctionExpr, form: Form): string {
  // Aggregates over windows separate their arguments by ", " in names too; pure window functions by ",".
  const separator = form === 'name' && !('stateFields' in expr.func) ? ',' : ', ';
  let out = `${expr.func.name}(${expr.distinct ? 'DISTINCT ' : ''}${list(expr.args, form, separator)})`;
  out += nullTreatment(expr.ignoreNulls);
  if (expr.filter !== null) out += ` FILTER (WHERE ${render(expr.filter, 'display')})`;
  if (expr.partitionBy.length > 0) out += ` PARTITION BY [${list(expr.partitionBy, form, ', ')}]`;
  if (expr.orderBy.length > 0) out += ` ORDER BY [${sortKeys(expr.orderBy, form)}]`;
  return `${out} ${displayFrame(expr.frame)}`;
}

/** `ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING` */
export function displayFrame(frame: WindowFrame): string {
  return `${frame.units} BETWEEN ${frameBound(frame.start)} AND ${frameBound(frame.end)}`;
}

function frameBound(bound: WindowFrameBound): string {
  if (bound.direction === 'CURRENT ROW') return 'CURRENT ROW';
  const offset = bound.offset === null || bound.offset.value === null ? 'UNBOUNDED' : scalarText(bound.offset);
  return `${offset} ${bound.direction}`;
}

function groupingSet(expr: GroupingSetExpr, form: Form): string {
  const sets = expr.sets.map((set) => list(set, form, form === 'name' ? ',' : ', '));
  if (expr.form === 'GROUPING SETS') return `GROUPING SETS (${sets.map((set) => `(${set})`).join(', ')})`;
  return `${expr.form} (${sets.join(', ')})`;
}
