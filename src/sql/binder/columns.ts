import { didYouMean } from '../../base/nearest-names.js';
import type { DistqError } from '../../base/errors.js';
import { fieldsEqual } from '../../columnar/data-type.js';
import type { ColumnExpr, Expr } from '../../expr/expr.js';
import { columnKey, columnsOf, replaceColumns, visitExpr } from '../../expr/expr-transform.js';
import { subqueryOf } from '../../expr/expr-utils.js';
import { displayColumn } from '../../expr/expr-display.js';
import { DFSchema } from '../../logical/df-schema.js';
import type { LogicalPlan } from '../../logical/plan.js';
import { logicalSubquery } from '../../logical/subquery.js';
import { planExprs, planInputs } from '../../logical/traverse.js';
import { planError } from './binding.js';

/** Position of the field an unqualified name means: one match, or among several the only one without a qualifier. */
export function findUnqualified(schema: DFSchema, name: string): number | undefined {
  const found = positionsOf(schema, name);
  if (found.length <= 1) return found[0];
  const bare = found.filter((index) => schema.at(index).relation === null);
  return bare.length === 1 ? bare[0] : undefined;
}

function positionsOf(schema: DFSchema, name: string): number[] {
  const found: number[] = [];
  for (let i = 0; i < schema.length; i++) if (schema.fields[i]!.field.name === name) found.push(i);
  return found;
}

/** Position of the first field of that qualifier and name; of a dotted qualifier the last parts may be given. */
export function findQualified(schema: DFSchema, relation: string, name: string): number | undefined {
  const index = schema.fields.findIndex(
    (candidate) => candidate.field.name === name && relationsMatch(candidate.relation, relation),
  );
  return index < 0 ? undefined : index;
}

/** `t` may be written for `s.t`, and `s.t` for `t`. */
export function relationsMatch(relation: string | null, written: string): boolean {
  if (relation === null) return false;
  return relation === written || relation.endsWith(`.${written}`) || written.endsWith(`.${relation}`);
}

/** The fields of `left`, then those of `right` that are not among them already. */
export function mergeSchemas(left: DFSchema, right: DFSchema): DFSchema {
  const names = new Set(left.fields.map(({ field }) => field.name));
  const added = right.fields.filter(({ relation, field }) =>
    relation === null
      ? !names.has(field.name)
      : !left.fields.some((own) => own.relation === relation && fieldsEqual(own.field, field)),
  );
  return new DFSchema([...left.fields, ...added]);
}

const usingOf = new WeakMap<LogicalPlan, readonly ReadonlySet<string>[]>();

/** The key columns (`columnKey`) of each USING join in a plan: an unqualified name may mean any of one set. */
export function usingColumns(plan: LogicalPlan): readonly ReadonlySet<string>[] {
  let found = usingOf.get(plan);
  if (found !== undefined) return found;
  const own: ReadonlySet<string>[] = [];
  if (plan.kind === 'join' && plan.constraint === 'USING') {
    own.push(new Set(columnsOf(...plan.on.flat()).map(columnKey)));
  }
  const inside: LogicalPlan[] = [...planInputs(plan)];
  for (const expr of planExprs(plan)) {
    visitExpr(expr, (e) => {
      const inner = subqueryOf(e);
      if (inner !== undefined) inside.push(logicalSubquery(inner).plan);
      return undefined;
    });
  }
  found = [...own, ...inside.flatMap(usingColumns)];
  usingOf.set(plan, found);
  return found;
}

/** Schemas in which an unqualified name is looked for, first level first; those of one level count together. */
export type SchemaLevels = readonly (readonly DFSchema[])[];

/** The levels for the output of a plan: its own columns, then those of its inputs where the node renames. */
function levelsOf(plan: LogicalPlan): SchemaLevels {
  return [[plan.schema], fallbackSchemas(plan)];
}

export function fallbackSchemas(plan: LogicalPlan): readonly DFSchema[] {
  switch (plan.kind) {
    case 'window':
    case 'projection':
    case 'aggregate':
    case 'join':
      return planInputs(plan).map((input) => input.schema);
    case 'filter':
    case 'sort':
    case 'table_scan':
    case 'subquery_alias':
    case 'subquery':
    case 'limit':
    case 'union':
    case 'distinct':
    case 'distinct_on':
    case 'values':
    case 'empty_relation':
      return [];
  }
}

/** Gives unqualified columns the qualifier of the field they mean. Unknown and ambiguous names are `plan` errors. */
export function normalizeColumns(expr: Expr, levels: SchemaLevels, using: readonly ReadonlySet<string>[]): Expr {
  return replaceColumns(expr, (column) => {
    if (column.relation !== null) return undefined;
    const found = candidates(column, levels);
    const [first] = found;
    if (first === undefined) throw unknownColumn(column, levels.flat());
    if (!isOneColumn(found, using)) throw ambiguous(column, found);
    return { ...column, relation: first.relation };
  });
}

/** `normalizeColumns` against a plan's output. */
export function normalizeFor(expr: Expr, plan: LogicalPlan): Expr {
  return normalizeColumns(expr, levelsOf(plan), usingColumns(plan));
}

/** Whether `normalizeFor` would find every column. */
export function isNormalizable(expr: Expr, plan: LogicalPlan): boolean {
  const levels = levelsOf(plan);
  return columnsOf(expr).every((column) => {
    if (column.relation !== null) return true;
    const found = candidates(column, levels);
    return found.length > 0 && isOneColumn(found, usingColumns(plan));
  });
}

/** The fields an unqualified column may mean: those of the first level that has any. */
function candidates(column: ColumnExpr, levels: SchemaLevels): ColumnExpr[] {
  for (const level of levels) {
    const found = level.flatMap((schema) => positionsOf(schema, column.name).map((index) => schema.columnAt(index)));
    if (found.length > 0) return found;
  }
  return [];
}

function isOneColumn(found: readonly ColumnExpr[], using: readonly ReadonlySet<string>[]): boolean {
  return found.length === 1 || using.some((keys) => found.every((candidate) => keys.has(columnKey(candidate))));
}

function ambiguous(column: ColumnExpr, candidates: readonly ColumnExpr[]): DistqError {
  const places = [...new Set(candidates.map(displayColumn))].join(' or ');
  return planError(
    `column "${column.name}" is ambiguous: it may be ${places}`,
    column.span,
    'write the table name in front of it',
  );
}

/** Refuses columns that no field of the schema can be. */
export function checkColumns(exprs: readonly Expr[], schema: DFSchema): void {
  for (const column of columnsOf(...exprs)) {
    const found =
      column.relation === null
        ? schema.fields.some(({ field }) => field.name === column.name)
        : findQualified(schema, column.relation, column.name) !== undefined;
    if (!found) throw unknownColumn(column, [schema]);
  }
}

export function unknownColumn(column: ColumnExpr, schemas: readonly DFSchema[]): DistqError {
  const fields = schemas.flatMap((schema) => schema.fields);
  const { relation, name } = column;
  if (relation === null) {
    const hint = didYouMean(
      name,
      fields.map(({ field }) => field.name),
    );
    return planError(`unknown column "${name}"`, column.span, hint);
  }
  const own = fields.filter((field) => relationsMatch(field.relation, relation));
  if (own.length === 0) {
    const relations = fields.flatMap((field) => (field.relation === null ? [] : [field.relation]));
    return planError(`"${relation}" is no table of this query`, column.span, didYouMean(relation, relations));
  }
  const hint = didYouMean(
    name,
    own.map(({ field }) => field.name),
  );
  return planError(`unknown column "${relation}.${name}"`, column.span, hint);
}

/** The column of a plan's output that stands for an expression it computed: by position for columns, by name for the rest. */
export function asOutputColumn(expr: Expr, plan: LogicalPlan, name: string): ColumnExpr {
  if (expr.kind !== 'column') return { kind: 'column', relation: null, name };
  const index =
    expr.relation === null
      ? findUnqualified(plan.schema, expr.name)
      : findQualified(plan.schema, expr.relation, expr.name);
  if (index === undefined) throw unknownColumn(expr, [plan.schema]);
  const column = plan.schema.columnAt(index);
  return expr.span === undefined ? column : { ...column, span: expr.span };
}
