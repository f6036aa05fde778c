import type { Expr, SortExpr, WindowFunctionExpr } from '../../expr/expr.js';
import { exprKey, exprsEqual } from '../../expr/expr-equality.js';
import { visitExpr } from '../../expr/expr-transform.js';
import { window } from '../../logical/builder.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { LogicalPlan } from '../../logical/plan.js';
import { findQualified, findUnqualified, normalizeFor } from './columns.js';

/** A key of the order that windows need, and whether it comes from PARTITION BY. */
interface WindowKey {
  readonly key: SortExpr;
  readonly isPartition: boolean;
}

interface WindowGroup {
  readonly keys: readonly WindowKey[];
  readonly windows: WindowFunctionExpr[];
}

/** Window nodes over `input`, one per order that the windows need; those with more keys lie deeper. */
export function windowPlan(input: LogicalPlan, windows: readonly WindowFunctionExpr[]): LogicalPlan {
  const groups: WindowGroup[] = [];
  for (const expr of windows) {
    const keys = windowKeys(expr);
    const group = groups.find((candidate) => sameKeys(candidate.keys, keys));
    if (group === undefined) groups.push({ keys, windows: [expr] });
    else group.windows.push(expr);
  }
  groups.sort((a, b) => compareGroups(a, b, input.schema));
  return groups.reduce<LogicalPlan>(
    (plan, group) =>
      window(
        group.windows.map((expr) => normalizeFor(expr, plan)),
        plan,
      ),
    input,
  );
}

function windowKeys({ partitionBy, orderBy }: WindowFunctionExpr): WindowKey[] {
  const keys: WindowKey[] = [];
  const add = (key: SortExpr, isPartition: boolean): void => {
    if (!keys.some((known) => sameKey(known.key, key))) keys.push({ key, isPartition });
  };
  for (const expr of partitionBy) {
    // A partition key that is ordered by anyway takes that direction.
    const ordered = orderBy.find((key) => exprsEqual(key.expr, expr));
    add(ordered ?? { expr, descending: false, nullsFirst: false }, true);
  }
  for (const key of orderBy) add(key, false);
  return keys;
}

function sameKey(a: SortExpr, b: SortExpr): boolean {
  return a.descending === b.descending && a.nullsFirst === b.nullsFirst && exprKey(a.expr) === exprKey(b.expr);
}

function sameKeys(a: readonly WindowKey[], b: readonly WindowKey[]): boolean {
  return (
    a.length === b.length &&
    a.every((x, index) => x.isPartition === b[index]!.isPartition && sameKey(x.key, b[index]!.key))
  );
}

function compareGroups(a: WindowGroup, b: WindowGroup, schema: DFSchema): number {
  for (let i = 0; i < Math.min(a.keys.length, b.keys.length); i++) {
    const order = compareKeys(a.keys[i]!.key, b.keys[i]!.key, schema);
    if (order !== 0) return order;
  }
  return b.keys.length - a.keys.length;
}

/** By the positions of the columns used; more columns first; then descending before ascending, nulls first before last. */
function compareKeys(a: SortExpr, b: SortExpr, schema: DFSchema): number {
  const [x, y] = [columnPositions(a.expr, schema), columnPositions(b.expr, schema)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] !== y[i]) return x[i]! - y[i]!;
  }
  if (x.length !== y.length) return y.length - x.length;
  if (a.descending !== b.descending) return a.descending ? -1 : 1;
  if (a.nullsFirst !== b.nullsFirst) return a.nullsFirst ? -1 : 1;
  return 0;
}

/** Every use counts; a constant stands behind all columns. */
function columnPositions(expr: Expr, schema: DFSchema): number[] {
  const positions: number[] = [];
  visitExpr(expr, (e) => {
    if (e.kind === 'literal') positions.push(Infinity);
    if (e.kind !== 'column') return undefined;
    const index = e.relation === null ? findUnqualified(schema, e.name) : findQualified(schema, e.relation, e.name);
    if (index !== undefined) positions.push(index);
    return undefined;
  });
  return positions;
}
