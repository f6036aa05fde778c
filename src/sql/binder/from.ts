import { didYouMean } from '../../base/nearest-names.js';
import { notImplemented } from '../../base/errors.js';
import { alias, type Expr } from '../../expr/expr.js';
import {
  crossJoin,
  emptyRelation,
  join,
  projection,
  subquery,
  subqueryAlias,
  tableScan,
} from '../../logical/builder.js';
import { DFSchema } from '../../logical/df-schema.js';
import type { JoinNode, LogicalPlan } from '../../logical/plan.js';
import { withInputs } from '../../logical/transform.js';
import { planInputs } from '../../logical/traverse.js';
import type {
  Ident,
  Join,
  JoinConstraint,
  ObjectName,
  Place,
  SqlJoinType,
  TableAlias,
  TableFactor,
  TableWithJoins,
} from '../parser/ast.js';
import { at, type Binding, planError, type Scope } from './binding.js';
import { checkColumns, mergeSchemas, normalizeColumns, normalizeFor } from './columns.js';
import { normalizeIdent, normalizeName } from './options.js';
import { outerReferences } from './subquery.js';
import { aliasUniquely } from './table-alias.js';
import { bindTableFunction } from './table-function.js';

/** FROM: tables of a list are cross joins, left to right. No FROM is one row without columns. */
export function bindFrom(b: Binding, from: readonly TableWithJoins[], scope: Scope): LogicalPlan {
  const [first, ...rest] = from;
  if (first === undefined) return emptyRelation(true);
  let left = bindTableWithJoins(b, first, scope);
  for (const table of rest) {
    const right = bindTableWithJoins(b, table, { ...scope, outerFrom: left.schema });
    left = at(table.relation.span, () => {
      checkSides(left, right);
      return crossJoin(left, right);
    });
  }
  return left;
}

function bindTableWithJoins(b: Binding, { relation, joins }: TableWithJoins, scope: Scope): LogicalPlan {
  let left = bindRelation(b, relation, scope);
  let visible = scope.outerFrom;
  for (const next of joins) {
    visible = visible === null ? left.schema : mergeSchemas(visible, left.schema);
    left = bindJoin(b, left, next, { ...scope, outerFrom: visible });
  }
  return left;
}

function bindRelation(b: Binding, relation: TableFactor, scope: Scope): LogicalPlan {
  return relation.kind === 'derived' && relation.lateral
    ? bindLateral(b, relation, scope)
    : bindFactor(b, relation, scope);
}

/** LATERAL sees the tables to its left as an enclosing query. Without any reference to them it is an ordinary subquery. */
function bindLateral(b: Binding, relation: TableFactor, scope: Scope): LogicalPlan {
  const left = scope.outerFrom ?? new DFSchema([]);
  const innermost = scope.outer.at(-1);
  const visible = innermost === undefined ? left : mergeSchemas(left, innermost);
  const plan = bindFactor(b, relation, { ...scope, outer: [...scope.outer.slice(0, -1), visible], outerFrom: null });
  const outer = outerReferences(plan);
  if (outer.length === 0) return plan;
  return plan.kind === 'subquery_alias'
    ? subqueryAlias(plan.alias, subquery(plan.input, outer))
    : subquery(plan, outer);
}

function bindFactor(b: Binding, relation: TableFactor, scope: Scope): LogicalPlan {
  const plan = withoutSort(b, bindUnaliased(b, relation, scope));
  return relation.alias === null ? plan : applyAlias(b, plan, relation.alias);
}

function bindUnaliased(b: Binding, relation: TableFactor, scope: Scope): LogicalPlan {
  switch (relation.kind) {
    case 'table':
      return bindTable(b, relation.name, relation.span, scope);
    case 'table_function':
      return bindTableFunction(b, relation, scope);
    case 'derived':
      return b.query(relation.query, { ...scope, outerFrom: relation.lateral ? null : scope.outerFrom });
    case 'nested_join':
      return bindTableWithJoins(b, relation.table, scope);
  }
}

function bindTable(b: Binding, name: ObjectName, place: Place, scope: Scope): LogicalPlan {
  const tableName = normalizeName(name, b.options);
  const cte = scope.ctes.get(tableName);
  if (cte !== undefined) return cte;
  const table = b.table(tableName);
  if (table === undefined) {
    const hint = didYouMean(tableName, [...scope.ctes.keys(), ...b.tableNames()]);
    throw planError(`unknown table "${tableName}"`, place, hint);
  }
  if (table.view === null) return tableScan(tableName, table.provider);
  const { query, columns } = table.view;
  return at(place, () => aliasUniquely(tableName, renameColumns(b, b.viewQuery(tableName, query), columns, place)));
}

/** `AS alias (columns)` */
export function applyAlias(b: Binding, plan: LogicalPlan, { name, columns }: TableAlias): LogicalPlan {
  return aliasUniquely(normalizeIdent(name, b.options), renameColumns(b, plan, columns, name.span));
}

function renameColumns(b: Binding, plan: LogicalPlan, columns: readonly Ident[], place: Place): LogicalPlan {
  if (columns.length === 0) return plan;
  if (columns.length !== plan.schema.length) {
    throw planError(`${columns.length} names are given for ${plan.schema.length} columns`, place);
  }
  const exprs = columns.map((ident, index) => alias(plan.schema.columnAt(index), normalizeIdent(ident, b.options)));
  return at(place, () => projection(exprs, plan));
}

/**
 * The order of rows that a subquery gives means nothing to the query around it: sorts go, unless a LIMIT above them picks rows by it.
 * As in DataFusion the walk goes once down the plan, and behind the first LIMIT it meets, all sorts stay.
 */
function withoutSort(b: Binding, plan: LogicalPlan): LogicalPlan {
  if (!b.options.dropSubquerySorts) return plan;
  let isLimited = false;
  const walk = (node: LogicalPlan): LogicalPlan => {
    if (node.kind === 'limit') isLimited = true;
    const kept = node.kind === 'sort' && !isLimited ? node.input : node;
    return withInputs(kept, planInputs(kept).map(walk));
  };
  return walk(plan);
}

function bindJoin(b: Binding, left: LogicalPlan, next: Join, scope: Scope): LogicalPlan {
  const { relation, type, constraint } = next;
  const isLateral = relation.kind === 'derived' && relation.lateral;
  if (isLateral && (type === 'Full' || type === 'Right' || type === 'RightSemi' || type === 'RightAnti')) {
    throw notImplemented(
      `LATERAL in a ${type.toUpperCase()} join`,
      relation.span === null ? {} : { span: relation.span },
    );
  }
  const right = bindRelation(b, relation, scope);
  return at(relation.alias?.name.span ?? relation.span, () => {
    checkSides(left, right);
    if (type === 'Cross') return crossJoin(left, right);
    return constrained(b, left, right, type, constraint, relation.span, scope);
  });
}

function constrained(
  b: Binding,
  left: LogicalPlan,
  right: LogicalPlan,
  type: SqlJoinType,
  constraint: JoinConstraint,
  place: Place,
  scope: Scope,
): LogicalPlan {
  switch (constraint.kind) {
    case 'on': {
      // The condition sees both sides, whatever the join gives.
      const both = crossJoin(left, right).schema;
      const condition = b.expr(constraint.expr, both, scope);
      checkColumns([condition], both);
      return join(left, right, type, { filter: normalizeColumns(condition, [[left.schema, right.schema]], []) });
    }
    case 'using':
      return joinUsing(
        left,
        right,
        type,
        constraint.columns.map((name) => usingKey(b, name)),
      );
    case 'natural': {
      const names = new Set(left.schema.fields.map(({ field }) => field.name));
      const keys = right.schema.fields.flatMap(({ field }) => (names.has(field.name) ? [{ name: field.name }] : []));
      return keys.length === 0 ? crossJoin(left, right) : joinUsing(left, right, type, keys);
    }
    case 'none':
      if (type !== 'Inner') throw planError(`a ${type.toUpperCase()} join needs ON or USING`, place);
      return crossJoin(left, right);
  }
}

/** A column of an unnamed subquery and one of a named table that have the same name could not be told apart. */
function checkSides(left: LogicalPlan, right: LogicalPlan): void {
  for (const [bare, named] of [
    [left, right],
    [right, left],
  ] as const) {
    const names = new Set(bare.schema.fields.flatMap(({ relation, field }) => (relation === null ? [field.name] : [])));
    if (names.size === 0) continue;
    const both = named.schema.fields.find(({ relation, field }) => relation !== null && names.has(field.name));
    if (both !== undefined) {
      throw planError(`both sides of a join have a column ${both.field.name}`, undefined, 'name the subquery with AS');
    }
  }
}

interface UsingKey {
  readonly name: string;
  readonly span?: NonNullable<Place>;
}

function usingKey(b: Binding, name: ObjectName): UsingKey {
  const [only] = name;
  if (only === undefined || name.length > 1) throw planError('USING takes plain column names', only?.span);
  return { name: normalizeIdent(only, b.options), ...(only.span === null ? {} : { span: only.span }) };
}

function joinUsing(left: LogicalPlan, right: LogicalPlan, type: SqlJoinType, keys: readonly UsingKey[]): LogicalPlan {
  const on: JoinNode['on'] = keys.map((key): readonly [Expr, Expr] => {
    const column: Expr = { kind: 'column', relation: null, ...key };
    return [normalizeFor(column, left), normalizeFor(column, right)];
  });
  return join(left, right, type, { on, constraint: 'USING' });
}
