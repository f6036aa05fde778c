import { DistqError } from '../base/errors.js';
import { type DataType, UINT16, UINT32, UINT64, UINT8 } from '../columnar/data-type.js';
import { distinctExprs } from '../expr/expr-equality.js';
import type { Expr, GroupingSetExpr } from '../expr/expr.js';

/** Name of the column that tells which grouping set a row belongs to. */
export const GROUPING_ID = '__grouping_id';

const MAX_SETS = 65_535;

/** The sets one group expression stands for, in DataFusion's order; a plain expression is one set of itself. */
export function setsOf(expr: Expr): readonly (readonly Expr[])[] {
  if (expr.kind !== 'grouping_set') return [[expr]];
  switch (expr.form) {
    case 'GROUPING SETS':
      return expr.sets;
    case 'ROLLUP': {
      const keys = expr.sets.flat();
      return Array.from({ length: keys.length + 1 }, (_, length) => keys.slice(0, length));
    }
    case 'CUBE': {
      const keys = expr.sets.flat();
      if (2 ** keys.length > MAX_SETS) throw tooMany();
      return Array.from({ length: 2 ** keys.length }, (_, mask) => keys.filter((_key, bit) => (mask >> bit) & 1));
    }
  }
}

/** A grouping set among other group expressions is combined with them into one GROUPING SETS; anything else stays as written. */
export function combineGroupingSets(groupBy: readonly Expr[]): readonly Expr[] {
  if (groupBy.length < 2 || !groupBy.some((expr) => expr.kind === 'grouping_set')) return groupBy;
  let sets: readonly (readonly Expr[])[] = [[]];
  for (const expr of groupBy) {
    const more = setsOf(expr);
    if (sets.length * more.length > MAX_SETS) throw tooMany();
    sets = sets.flatMap((left) => more.map((right) => distinctExprs([...left, ...right])));
  }
  const combined: GroupingSetExpr = { kind: 'grouping_set', form: 'GROUPING SETS', sets };
  return [combined];
}

function tooMany(): DistqError {
  return new DistqError('plan', `more than ${MAX_SETS} grouping sets`, { hint: 'group by fewer columns' });
}

/** The grouping set of an aggregate, if that is what it groups by. */
export function groupingSetOf(groupBy: readonly Expr[]): GroupingSetExpr | undefined {
  const [only] = groupBy;
  return groupBy.length === 1 && only?.kind === 'grouping_set' ? only : undefined;
}

/** The key columns of an aggregate: of a grouping set each distinct key once, in order of appearance. */
export function groupKeys(groupBy: readonly Expr[]): readonly Expr[] {
  const set = groupingSetOf(groupBy);
  return set === undefined ? groupBy : distinctExprs(set.sets.flat());
}

/** Type of `__grouping_id`: a bit per key. */
export function groupingIdType(keys: number): DataType {
  if (keys <= 8) return UINT8;
  if (keys <= 16) return UINT16;
  return keys <= 32 ? UINT32 : UINT64;
}
