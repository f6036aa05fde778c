import type { TableProvider } from '../catalog/data-source.js';
import { DistqError } from '../base/errors.js';
import { BOOLEAN, type DataType, field, NULL, typeName, typesEqual } from '../columnar/data-type.js';
import { scalar } from '../columnar/scalar-value.js';
import { unionCoercion, valuesCoercion } from '../expr/coercion/union.js';
import { cast, type Expr, literal, type OuterReferenceExpr, type SortExpr } from '../expr/expr.js';
import { displayColumn, schemaName } from '../expr/expr-display.js';
import { exprField, exprNullable, exprType } from '../expr/expr-schema.js';
import { columnKey } from '../expr/expr-transform.js';
import { unaliasNested } from '../expr/expr-utils.js';
import { DFSchema, EMPTY_DF_SCHEMA, type QualifiedField } from './df-schema.js';
import { displayPlan } from './display.js';
import { combineGroupingSets, GROUPING_ID, groupingIdType, groupingSetOf, groupKeys } from './grouping-sets.js';
import type {
  AggregateNode,
  DistinctNode,
  DistinctOnNode,
  EmptyRelationNode,
  FilterNode,
  JoinNode,
  JoinType,
  LimitNode,
  LogicalPlan,
  ProjectionNode,
  SortNode,
  SubqueryAliasNode,
  SubqueryNode,
  TableScanNode,
  UnionNode,
  ValuesNode,
  WindowNode,
} from './plan.js';
import { LogicalSubquery } from './subquery.js';

/** The output column of an expression: a plain column or an alias keeps its qualifier, anything else has none. */
function outputField(expr: Expr, schema: DFSchema): QualifiedField {
  if (expr.kind === 'column') {
    const { type, nullable } = schema.fieldOf(expr);
    return { relation: expr.relation, field: field(expr.name, type, nullable) };
  }
  if (expr.kind === 'alias') {
    const { type, nullable } = exprField(expr.expr, schema);
    return { relation: expr.relation, field: field(expr.name, type, nullable) };
  }
  return { relation: null, field: exprField(expr, schema) };
}

export function projection(exprs: readonly Expr[], input: LogicalPlan): ProjectionNode {
  checkNames(exprs, 'the select list');
  const schema = new DFSchema(exprs.map((expr) => outputField(expr, input.schema)));
  return { kind: 'projection', exprs, input, schema };
}

/** Two output columns of one name could not be told apart. */
function checkNames(exprs: readonly Expr[], where: string): void {
  const seen = new Map<string, number>();
  for (const [index, expr] of exprs.entries()) {
    const name = schemaName(expr);
    const earlier = seen.get(name);
    if (earlier !== undefined) {
      throw new DistqError('plan', `columns ${earlier + 1} and ${index + 1} of ${where} are both named "${name}"`, {
        hint: 'rename one of them with AS',
      });
    }
    seen.set(name, index);
  }
}

export function filter(predicate: Expr, input: LogicalPlan): FilterNode {
  const type = exprType(predicate, input.schema);
  if (type.kind !== 'Boolean' && type.kind !== 'Null') {
    throw new DistqError(
      'plan',
      `a condition must be true or false, and ${schemaName(predicate)} is ${typeName(type)}`,
    );
  }
  // Aliases inside a predicate name nothing.
  return { kind: 'filter', predicate: unaliasNested(predicate), input, schema: input.schema };
}

/** Output: keys (once each, nullable under grouping sets), `__grouping_id` under grouping sets, aggregates. */
export function aggregate(groupBy: readonly Expr[], aggregates: readonly Expr[], input: LogicalPlan): AggregateNode {
  const groups = combineGroupingSets(groupBy);
  const keys = groupKeys(groups);
  const sets = groupingSetOf(groups) !== undefined;
  checkNames([...keys, ...aggregates], 'the grouping');
  const fields = keys.map((key): QualifiedField => {
    const { relation, field: f } = outputField(key, input.schema);
    return { relation, field: sets ? field(f.name, f.type, true) : f };
  });
  if (sets) fields.push({ relation: null, field: field(GROUPING_ID, groupingIdType(keys.length), false) });
  for (const expr of aggregates) fields.push(outputField(expr, input.schema));
  return { kind: 'aggregate', groupBy: groups, aggregates, input, schema: new DFSchema(fields) };
}

/** Output: the input's columns, then the windows. */
export function window(windows: readonly Expr[], input: LogicalPlan): WindowNode {
  const fields = windows.map((expr) => outputField(expr, input.schema));
  return { kind: 'window', windows, input, schema: new DFSchema([...input.schema.fields, ...fields]) };
}

export function sort(keys: readonly SortExpr[], input: LogicalPlan, fetch: number | null = null): SortNode {
  return { kind: 'sort', keys, fetch, input, schema: input.schema };
}

export interface JoinOptions {
  readonly on?: JoinNode['on'];
  readonly filter?: Expr | null;
  readonly constraint?: JoinNode['constraint'];
  readonly nullEqualsNull?: boolean;
  readonly nullAware?: boolean;
}

export function join(
  left: LogicalPlan,
  right: LogicalPlan,
  joinType: JoinType,
  { on = [], filter: condition = null, constraint = 'ON', nullEqualsNull = false, nullAware = false }: JoinOptions = {},
): JoinNode {
  const schema = joinSchema(left.schema, right.schema, joinType);
  return { kind: 'join', left, right, joinType, on, filter: condition, constraint, nullEqualsNull, nullAware, schema };
}

export function crossJoin(left: LogicalPlan, right: LogicalPlan): JoinNode {
  return join(left, right, 'Inner');
}

/** Columns a join gives; the side that may be missing becomes nullable. */
function joinSchema(left: DFSchema, right: DFSchema, joinType: JoinType): DFSchema {
  switch (joinType) {
    case 'Inner':
      return checked(left.concat(right));
    case 'Left':
      return checked(left.concat(right.withNullable()));
    case 'Right':
      return checked(left.withNullable().concat(right));
    case 'Full':
      return checked(left.withNullable().concat(right.withNullable()));
    case 'LeftSemi':
    case 'LeftAnti':
      return left;
    case 'RightSemi':
    case 'RightAnti':
      return right;
    case 'LeftMark':
      return new DFSchema([...left.fields, markField(right)]);
    case 'RightMark':
      return new DFSchema([...right.fields, markField(left)]);
  }
}

/** The column that says whether the other side has a match; it carries that side's qualifier when there is but one. */
function markField(other: DFSchema): QualifiedField {
  const relations = new Set(other.fields.map((f) => f.relation).filter((relation) => relation !== null));
  const [relation] = relations;
  return { relation: relations.size === 1 ? (relation ?? null) : null, field: field('mark', BOOLEAN, false) };
}

function checked(schema: DFSchema): DFSchema {
  const seen = new Set<string>();
  for (const { relation, field: f } of schema.fields) {
    const key = columnKey({ relation, name: f.name });
    if (seen.has(key)) {
      throw new DistqError('plan', `both sides of a join have a column ${displayColumn({ relation, name: f.name })}`, {
        hint: 'give one side another name with AS',
      });
    }
    seen.add(key);
  }
  return schema;
}

export interface TableScanOptions {
  readonly projection?: readonly number[] | null;
  readonly filters?: readonly Expr[];
  readonly fetch?: number | null;
}

/** `projection`: ascending positions in the table; null reads all columns. */
export function tableScan(
  tableName: string,
  source: TableProvider,
  { projection: columns = null, filters = [], fetch = null }: TableScanOptions = {},
): TableScanNode {
  const fields = columns === null ? source.schema : source.schema.project(columns);
  const schema = DFSchema.fromSchema(fields, tableName);
  return { kind: 'table_scan', tableName, source, projection: columns, filters, fetch, schema };
}

export function subqueryAlias(alias: string, input: LogicalPlan): SubqueryAliasNode {
  const schema = checked(new DFSchema(input.schema.fields.map((f) => ({ relation: alias, field: f.field }))));
  return { kind: 'subquery_alias', alias, input, schema };
}

/** A lateral subquery in FROM. */
export function subquery(input: LogicalPlan, outerColumns: readonly Expr[]): SubqueryNode {
  return { kind: 'subquery', input, outerColumns, schema: input.schema };
}

/** A plan as part of an expression. */
export function subqueryPlan(plan: LogicalPlan, outerColumns: readonly OuterReferenceExpr[]): LogicalSubquery {
  return new LogicalSubquery(plan, outerColumns, (inner) => displayPlan(inner).split('\n'));
}

export function limit(skip: number, fetch: number | null, input: LogicalPlan): LimitNode {
  return { kind: 'limit', skip, fetch, input, schema: input.schema };
}

/** UNION ALL. Names come from the first branch, without qualifiers; the type is the branches' common one. */
export function union(inputs: readonly LogicalPlan[]): UnionNode {
  const [first, ...rest] = inputs;
  if (first === undefined) throw new DistqError('internal', 'a union without branches');
  for (const input of rest) {
    if (input.schema.length !== first.schema.length) {
      throw new DistqError(
        'plan',
        `the branches of a set operation have ${first.schema.length} and ${input.schema.length} columns`,
      );
    }
  }
  const used = new Map<string, number>();
  const fields = first.schema.fields.map((_, index): QualifiedField => {
    const columns = inputs.map((input) => input.schema.at(index).field);
    const common = unionCoercion(columns.map((column) => column.type));
    const { name, type } = first.schema.at(index).field;
    if (common === undefined) {
      throw new DistqError(
        'plan',
        `column ${index + 1} ("${name}") of a set operation has no common type: ${columns.map((c) => typeName(c.type)).join(', ')}`,
      );
    }
    const repeated = used.get(name) ?? 0;
    used.set(name, repeated + 1);
    const unique = repeated === 0 ? name : `${name}_${repeated}`;
    const nullable = columns.some((column) => column.nullable);
    return { relation: null, field: field(unique, common.kind === 'Null' ? type : common, nullable) };
  });
  return { kind: 'union', inputs, schema: new DFSchema(fields) };
}

export function distinct(input: LogicalPlan): DistinctNode {
  return { kind: 'distinct', input, schema: input.schema };
}

/** The first row, by `keys`, of each group of `on`; the output is `select`. */
export function distinctOn(
  on: readonly Expr[],
  select: readonly Expr[],
  keys: readonly SortExpr[],
  input: LogicalPlan,
): DistinctOnNode {
  checkNames(select, 'the select list');
  const fields = select.map((expr) => ({ relation: null, field: outputField(expr, input.schema).field }));
  const schema = new DFSchema(fields);
  return { kind: 'distinct_on', on, select, sort: keys, input, schema };
}

/** Rows of constants, as columns `column1`, `column2`, …; each column has the common type of its values. */
export function values(rows: readonly (readonly Expr[])[]): ValuesNode {
  const [first] = rows;
  if (first === undefined || first.length === 0) throw new DistqError('plan', 'VALUES without a value');
  for (const [index, row] of rows.entries()) {
    if (row.length !== first.length) {
      throw new DistqError(
        'plan',
        `row ${index + 1} of VALUES has ${row.length} values, the first has ${first.length}`,
      );
    }
  }
  const fields = first.map((_, index): QualifiedField => {
    const column = rows.map((row) => row[index]).filter((value) => value !== undefined);
    const type = valuesType(column, index);
    const nullable = column.some((value) => exprNullable(value, EMPTY_DF_SCHEMA));
    return { relation: null, field: field(`column${index + 1}`, type, nullable || type.kind === 'Null') };
  });
  const cells = rows.map((row) =>
    row.map((value, index) => typedValue(value, fields[index]?.field.type ?? exprType(value, EMPTY_DF_SCHEMA))),
  );
  return { kind: 'values', rows: cells, schema: new DFSchema(fields) };
}

/** A cell at its column's type; an untyped null takes it on. */
function typedValue(value: Expr, type: DataType): Expr {
  if (typesEqual(exprType(value, EMPTY_DF_SCHEMA), type)) return value;
  return value.kind === 'literal' && value.value.value === null ? literal(scalar(type, null)) : cast(value, type);
}

function valuesType(column: readonly Expr[], index: number): DataType {
  const types = column.map((value) => exprType(value, EMPTY_DF_SCHEMA)).filter((type) => type.kind !== 'Null');
  if (types.length === 0) return NULL;
  const common = valuesCoercion(types);
  if (common !== undefined) return common;
  throw new DistqError(
    'plan',
    `column ${index + 1} of VALUES has no common type: ${[...new Set(types.map(typeName))].join(', ')}`,
  );
}

/** No row (of `schema`), or one row without columns. */
export function emptyRelation(producesOneRow: boolean, schema: DFSchema = EMPTY_DF_SCHEMA): EmptyRelationNode {
  return { kind: 'empty_relation', producesOneRow, schema };
}
