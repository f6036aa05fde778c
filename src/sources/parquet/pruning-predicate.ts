import { BOOLEAN, isString, UINT64, UTF8_VIEW } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import type { Schema } from '../../columnar/schema.js';
import type { BinaryOperator, ComparisonOperator } from '../../expr/expr.js';
import { type PhysicalColumn, type PhysicalExpr, physicalLiteral } from '../../expr/physical-expr.js';
import { collectPhysicalColumns } from '../../expr/physical-expr-transform.js';
import { likePrefix, upperBoundOfPrefix } from './like-prefix.js';

/** A statistic that a pruning predicate reads: of a table column, or the row count. */
export interface RequiredStatistic {
  readonly kind: 'min' | 'max' | 'null_count' | 'row_count';
  /** Position in the table schema; −1 for `row_count`. */
  readonly column: number;
}

/**
 * A predicate over statistics that is false (or never true) for data in which no row can satisfy the predicate it was built from.
 * `expr` is an expression over the `required` statistics, in that order.
 */
export interface PruningPredicate {
  readonly expr: PhysicalExpr;
  readonly required: readonly RequiredStatistic[];
}

export interface PruningOptions {
  /** Longest IN list that is looked at; 0 = none. */
  readonly maxInListSize: number;
}

const TRUE: PhysicalExpr = physicalLiteral(scalar(BOOLEAN, true));
const FALSE: PhysicalExpr = physicalLiteral(scalar(BOOLEAN, false));
const ZERO: PhysicalExpr = physicalLiteral(scalar(UINT64, 0n));

/**
 * Builds the pruning predicate DataFusion builds, in its text (section 4.3 of the plan reference), or null when nothing of `predicate`
 * can be decided by statistics. Columns are positions in `schema`.
 *
 * Source: build_predicate_expression in apache/datafusion, pruning/src/pruning_predicate.rs.
 */
export function buildPruningPredicate(
  predicate: PhysicalExpr,
  schema: Schema,
  options: PruningOptions,
): PruningPredicate | null {
  const builder = new Builder(schema, options);
  const expr = builder.build(predicate);
  return expr === TRUE ? null : { expr, required: builder.required };
}

class Builder {
  readonly required: RequiredStatistic[] = [];
  readonly #schema: Schema;
  readonly #options: PruningOptions;

  constructor(schema: Schema, options: PruningOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  build(expr: PhysicalExpr): PhysicalExpr {
    switch (expr.kind) {
      case 'literal':
        return expr.value.value === false ? FALSE : TRUE;
      case 'column':
        if (expr.type.kind !== 'Boolean') return TRUE;
        return binary(this.#statistic('min', expr), 'OR', this.#statistic('max', expr));
      case 'not': {
        const column = expr.expr;
        if (column.kind !== 'column' || column.type.kind !== 'Boolean') return TRUE;
        return binary(not(this.#statistic('min', column)), 'OR', not(this.#statistic('max', column)));
      }
      case 'is_null':
        return this.#isNull(expr.expr, expr.negated);
      case 'in_list':
        return this.#inList(expr.expr, expr.list, expr.negated);
      case 'like':
        if (expr.caseInsensitive) return TRUE;
        return this.#like(expr.expr, expr.pattern, expr.negated, expr.escape);
      case 'binary':
        return this.#binary(expr.left, expr.op, expr.right);
      case 'negative':
      case 'case':
      case 'cast':
      case 'scalar_function':
      case 'dynamic_filter':
        return TRUE;
    }
  }

  #binary(left: PhysicalExpr, op: BinaryOperator, right: PhysicalExpr): PhysicalExpr {
    if (op === 'AND' || op === 'OR') {
      const a = this.build(left);
      const b = this.build(right);
      if (op === 'AND') {
        if (a === FALSE || b === FALSE) return FALSE;
        return a === TRUE ? b : b === TRUE ? a : binary(a, 'AND', b);
      }
      if (a === TRUE || b === TRUE) return TRUE;
      return a === FALSE ? b : b === FALSE ? a : binary(a, 'OR', b);
    }
    const leftColumns = collectPhysicalColumns([left]);
    const rightColumns = collectPhysicalColumns([right]);
    if (!decidable(op)) return TRUE;
    if (leftColumns.length === 1 && rightColumns.length === 0) return this.#comparison(left, op, right);
    if (leftColumns.length === 0 && rightColumns.length === 1) return this.#comparison(right, REVERSED[op], left);
    return TRUE;
  }

  /** `side op constant`, `side` being a column under casts and negations. */
  #comparison(side: PhysicalExpr, op: ComparisonOperator, constant: PhysicalExpr): PhysicalExpr {
    if (side.kind === 'negative') {
      const negated = negate(constant);
      return negated === undefined ? TRUE : this.#comparison(side.expr, REVERSED[op], negated);
    }
    const column = columnUnderCasts(side);
    if (column === undefined) return TRUE;
    const min = (): PhysicalExpr => this.#replace(side, 'min', column);
    const max = (): PhysicalExpr => this.#replace(side, 'max', column);
    switch (op) {
      case '=': {
        const low = min();
        return this.#unlessAllNull(column, binary(binary(low, '<=', constant), 'AND', binary(constant, '<=', max())));
      }
      case '!=': {
        const low = min();
        return this.#unlessAllNull(column, binary(binary(low, '!=', constant), 'OR', binary(constant, '!=', max())));
      }
      case '<':
      case '<=':
        return this.#unlessAllNull(column, binary(min(), op, constant));
      case '>':
      case '>=':
        return this.#unlessAllNull(column, binary(max(), op, constant));
      case 'IS DISTINCT FROM': {
        const isNull = literalIsNull(constant);
        if (isNull === undefined) return TRUE;
        const nulls = this.#statistic('null_count', column);
        const whenNull = binary(truth(isNull), 'AND', binary(nulls, '!=', this.#rowCount()));
        const low = min();
        const differs = binary(binary(low, '!=', constant), 'OR', binary(constant, '!=', max()));
        const whenNot = binary(truth(!isNull), 'AND', binary(binary(nulls, '>', ZERO), 'OR', differs));
        return binary(whenNull, 'OR', whenNot);
      }
      case 'IS NOT DISTINCT FROM': {
        const isNull = literalIsNull(constant);
        if (isNull === undefined) return TRUE;
        const nulls = this.#statistic('null_count', column);
        const whenNull = binary(truth(isNull), 'AND', binary(nulls, '>', ZERO));
        const someValue = binary(truth(!isNull), 'AND', binary(nulls, '!=', this.#rowCount()));
        const low = min();
        const within = binary(binary(low, '<=', constant), 'AND', binary(constant, '<=', max()));
        return binary(whenNull, 'OR', binary(someValue, 'AND', within));
      }
    }
  }

  #like(side: PhysicalExpr, pattern: PhysicalExpr, negated: boolean, escape: string): PhysicalExpr {
    const column = columnUnderCasts(side);
    if (column === undefined || collectPhysicalColumns([pattern]).length > 0) return TRUE;
    // Numbers are taken even if nothing comes of it, as DataFusion does.
    const min = this.#replace(side, 'min', column);
    const max = this.#replace(side, 'max', column);
    if (pattern.kind !== 'literal' || typeof pattern.value.value !== 'string') return TRUE;
    const text = (value: string): PhysicalExpr =>
      physicalLiteral(scalar(isString(side.type) ? side.type : UTF8_VIEW, value));
    const { prefix, rest } = likePrefix(pattern.value.value, escape);
    if (negated) {
      if (prefix === '' || rest !== '%') return TRUE;
      const differs = (bound: PhysicalExpr): PhysicalExpr => ({
        kind: 'like',
        expr: bound,
        pattern,
        negated: true,
        caseInsensitive: false,
        escape,
        type: BOOLEAN,
        nullable: true,
      });
      return this.#unlessAllNull(column, binary(differs(min), 'OR', differs(max)));
    }
    if (rest === '') {
      const value = text(prefix);
      return this.#unlessAllNull(column, binary(binary(min, '<=', value), 'AND', binary(value, '<=', max)));
    }
    if (prefix === '') return TRUE;
    const upper = upperBoundOfPrefix(prefix);
    if (upper === undefined) return TRUE;
    return this.#unlessAllNull(column, binary(binary(min, '<=', text(upper)), 'AND', binary(text(prefix), '<=', max)));
  }

  #isNull(expr: PhysicalExpr, negated: boolean): PhysicalExpr {
    if (expr.kind !== 'column') return TRUE;
    if (!negated) return binary(this.#statistic('null_count', expr), '>', ZERO);
    const rows = this.#rowCount();
    return binary(this.#statistic('null_count', expr), '!=', rows);
  }

  #inList(expr: PhysicalExpr, list: readonly PhysicalExpr[], negated: boolean): PhysicalExpr {
    if (list.length === 0 || list.length > this.#options.maxInListSize) return TRUE;
    const tests = list.map((item) => binary(expr, negated ? '!=' : '=', item));
    return this.build(tests.reduce((all, next) => binary(all, negated ? 'AND' : 'OR', next)));
  }

  /** A comparison can only be true where some value is not null. */
  #unlessAllNull(column: PhysicalColumn, test: PhysicalExpr): PhysicalExpr {
    const nulls = this.#statistic('null_count', column);
    return binary(binary(nulls, '!=', this.#rowCount()), 'AND', test);
  }

  /** `side` with the column replaced by a statistic of it; casts stay around it. */
  #replace(side: PhysicalExpr, kind: 'min' | 'max', column: PhysicalColumn): PhysicalExpr {
    if (side.kind === 'cast') return { ...side, expr: this.#replace(side.expr, kind, column), nullable: true };
    return this.#statistic(kind, column);
  }

  #rowCount(): PhysicalExpr {
    return { kind: 'column', name: 'row_count', index: this.#require('row_count', -1), type: UINT64, nullable: true };
  }

  #statistic(kind: 'min' | 'max' | 'null_count', column: PhysicalColumn): PhysicalColumn {
    const field = this.#schema.field(column.index);
    const type = kind === 'null_count' ? UINT64 : field.type;
    const index = this.#require(kind, column.index);
    return { kind: 'column', name: `${column.name}_${kind}`, index, type, nullable: true };
  }

  /** The statistic's number: those asked for first come first. */
  #require(kind: RequiredStatistic['kind'], column: number): number {
    const known = this.required.findIndex((statistic) => statistic.kind === kind && statistic.column === column);
    if (known >= 0) return known;
    this.required.push({ kind, column });
    return this.required.length - 1;
  }
}

function decidable(op: BinaryOperator): op is ComparisonOperator {
  return Object.hasOwn(REVERSED, op);
}

/** The operators that statistics can decide, each with the one for swapped sides. */
const REVERSED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  'IS DISTINCT FROM': 'IS DISTINCT FROM',
  'IS NOT DISTINCT FROM': 'IS NOT DISTINCT FROM',
};

/** The column below casts that keep the order: between two strings, or between two types that are none. */
function columnUnderCasts(expr: PhysicalExpr): PhysicalColumn | undefined {
  if (expr.kind === 'column') return expr;
  if (expr.kind !== 'cast' || isString(expr.type) !== isString(expr.expr.type)) return undefined;
  return columnUnderCasts(expr.expr);
}

function binary(left: PhysicalExpr, op: BinaryOperator, right: PhysicalExpr): PhysicalExpr {
  return { kind: 'binary', left, op, right, type: BOOLEAN, nullable: true };
}

function not(expr: PhysicalExpr): PhysicalExpr {
  return { kind: 'not', expr, type: BOOLEAN, nullable: true };
}

/** A literal that stays in the text, unlike TRUE and FALSE, which stand for "nothing to decide" and are folded away. */
function truth(value: boolean): PhysicalExpr {
  return physicalLiteral(scalar(BOOLEAN, value));
}

function literalIsNull(expr: PhysicalExpr): boolean | undefined {
  return expr.kind === 'literal' ? expr.value.value === null : undefined;
}

/** The constant with its sign turned; undefined where that is no constant of the type. */
function negate(expr: PhysicalExpr): PhysicalExpr | undefined {
  if (expr.kind !== 'literal') return undefined;
  const { type, value } = expr.value;
  if (value === null) return expr;
  if (typeof value === 'number' || typeof value === 'bigint') return physicalLiteral(scalar(type, -value));
  return undefined;
}
