import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { conjuncts, scalarKey } from '../../expr/physical-expr-transform.js';
import { scalarText } from '../../expr/scalar-text.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';

/** What must hold of a column in every row that can satisfy the predicate: its value is one of these, or none of these. */
export interface LiteralGuarantee {
  readonly kind: 'in' | 'not_in';
  readonly column: { readonly name: string; readonly index: number };
  /** By structural key, so that equal constants count once. */
  readonly values: ReadonlyMap<string, ScalarValue>;
}

/** The guarantees of a predicate, as DataFusion's LiteralGuarantee::analyze finds them: fit for Bloom filters and dictionaries. */
export function requiredGuarantees(predicate: PhysicalExpr): LiteralGuarantee[] {
  const found = new Collector();
  for (const conjunct of conjuncts(predicate)) {
    const term = columnTerm(conjunct);
    if (term !== undefined) {
      found.add(term);
      continue;
    }
    if (conjunct.kind === 'binary' && conjunct.op === 'OR') {
      for (const guarantee of fromDisjunction(disjuncts(conjunct))) found.add(guarantee);
    }
  }
  return found.guarantees();
}

/** `a in (1, 2), b not in (x)`: values and entries sorted as text. */
export function displayGuarantees(guarantees: readonly LiteralGuarantee[]): string {
  return guarantees
    .map(({ kind, column, values }) => {
      const texts = [...values.values()].map(scalarText).sort(compareText);
      return `${column.name} ${kind === 'in' ? 'in' : 'not in'} (${texts.join(', ')})`;
    })
    .sort(compareText)
    .join(', ');
}

function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

class Collector {
  /** By column and kind; null once an intersection came out empty, which nothing repairs. */
  readonly #entries = new Map<string, LiteralGuarantee | null>();

  add(guarantee: LiteralGuarantee): void {
    const key = `${guarantee.kind} ${guarantee.column.index}`;
    const earlier = this.#entries.get(key);
    if (earlier === null) return;
    if (earlier === undefined) {
      this.#entries.set(key, guarantee);
      return;
    }
    const values =
      guarantee.kind === 'in'
        ? new Map([...earlier.values].filter(([value]) => guarantee.values.has(value)))
        : new Map([...earlier.values, ...guarantee.values]);
    this.#entries.set(key, values.size === 0 ? null : { ...guarantee, values });
  }

  guarantees(): LiteralGuarantee[] {
    return [...this.#entries.values()].filter((entry) => entry !== null);
  }
}

/** `column = constant`, `column != constant`, `column [NOT] IN (constants)`; bare columns only. */
function columnTerm(expr: PhysicalExpr): LiteralGuarantee | undefined {
  if (expr.kind === 'in_list') {
    if (expr.expr.kind !== 'column') return undefined;
    const values = expr.list.map((item) => (item.kind === 'literal' ? item.value : undefined));
    if (!values.every((value) => value !== undefined)) return undefined;
    return guarantee(expr.negated ? 'not_in' : 'in', expr.expr, values);
  }
  if (expr.kind !== 'binary' || (expr.op !== '=' && expr.op !== '!=')) return undefined;
  const [column, constant] = expr.left.kind === 'column' ? [expr.left, expr.right] : [expr.right, expr.left];
  if (column.kind !== 'column' || constant.kind !== 'literal') return undefined;
  return guarantee(expr.op === '=' ? 'in' : 'not_in', column, [constant.value]);
}

function guarantee(
  kind: LiteralGuarantee['kind'],
  column: LiteralGuarantee['column'],
  values: readonly ScalarValue[],
): LiteralGuarantee {
  return { kind, column, values: new Map(values.map((value) => [scalarKey(value), value])) };
}

function disjuncts(expr: PhysicalExpr): PhysicalExpr[] {
  if (expr.kind === 'binary' && expr.op === 'OR') return [...disjuncts(expr.left), ...disjuncts(expr.right)];
  return [expr];
}

/** Columns that every branch holds to some values, each at most once: the union of these. */
function fromDisjunction(branches: readonly PhysicalExpr[]): LiteralGuarantee[] {
  let common: Map<number, LiteralGuarantee> | undefined;
  for (const branch of branches) {
    const own = new Map<number, LiteralGuarantee>();
    const twice = new Set<number>();
    for (const part of conjuncts(branch)) {
      const term = columnTerm(part);
      if (term?.kind !== 'in') continue;
      if (own.has(term.column.index)) twice.add(term.column.index);
      own.set(term.column.index, term);
    }
    // A column named twice in a branch, or a branch without a term, leaves nothing to say.
    if (own.size === 0 || twice.size > 0) return [];
    if (common === undefined) {
      common = own;
      continue;
    }
    for (const [index, earlier] of common) {
      const term = own.get(index);
      if (term === undefined) common.delete(index);
      else common.set(index, { ...earlier, values: new Map([...earlier.values, ...term.values]) });
    }
  }
  return common === undefined ? [] : [...common.values()];
}
