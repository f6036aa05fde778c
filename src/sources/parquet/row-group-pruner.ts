import type { ScanContext } from '../../catalog/data-source.js';
import type { FileScanConfig } from '../../catalog/file-scan.js';
import { BOOLEAN, type DataType } from '../../columnar/data-type.js';
import type { KeySet } from '../../columnar/rows/key-set.js';
import { type PhysicalDynamicFilter, type PhysicalExpr, physicalLiteral } from '../../expr/physical-expr.js';
import { conjunction, conjuncts, mapPhysicalColumns } from '../../expr/physical-expr-transform.js';
import { mayHoldRowsWithin } from './bound-pruning.js';
import { columnBounds, compareComparables } from './column-bounds.js';
import type { ParquetFooter } from './footer.js';
import type { ParquetOptions } from './parquet-options.js';
import { mayMatch } from './pruning-evaluation.js';
import { buildPruningPredicate, type PruningPredicate } from './pruning-predicate.js';

/** Why a row group need not be read. */
export type Verdict = 'read' | 'pruned_statistics' | 'pruned_dynamic_filter';

/** Decides by statistics which row groups a scan reads, with the static predicate and what dynamic filters say by then. */
export class RowGroupPruner {
  readonly #scan: FileScanConfig;
  readonly #options: ParquetOptions;
  readonly #context: ScanContext;
  readonly #static: PruningPredicate | null;
  readonly #dynamic: readonly PhysicalDynamicFilter[];
  /** The pruning predicate of each dynamic filter's current state. */
  readonly #built = new Map<
    number,
    { current: PhysicalExpr | readonly (KeySet | null)[]; pruning: PruningPredicate | null }
  >();

  constructor(scan: FileScanConfig, options: ParquetOptions, context: ScanContext) {
    this.#scan = scan;
    this.#options = options;
    this.#context = context;
    const predicate = options.pruning ? scan.predicate : null;
    this.#static = predicate === null ? null : buildPruningPredicate(predicate, scan.tableSchema, options);
    this.#dynamic =
      predicate === null ? [] : conjuncts(predicate).filter((conjunct) => conjunct.kind === 'dynamic_filter');
  }

  /** `leafOf` gives the leaf of a table column in the footer's file. */
  judge(footer: ParquetFooter, rowGroup: number, leafOf: (column: number) => number): Verdict {
    if (this.#static !== null && !this.#mayMatch(this.#static, footer, rowGroup, leafOf)) return 'pruned_statistics';
    return this.judgeAgain(footer, rowGroup, leafOf);
  }

  /** For a row group that passed: what dynamic filters say by now. */
  judgeAgain(footer: ParquetFooter, rowGroup: number, leafOf: (column: number) => number): Verdict {
    const { tableSchema } = this.#scan;
    for (const filter of this.#dynamic) {
      const bounds = this.#context.rowBounds(filter.id);
      const statistics = { footer, rowGroup, leafOf, typeOf: (column: number) => tableSchema.field(column).type };
      if (bounds !== null && !mayHoldRowsWithin(bounds, filter.children, statistics)) return 'pruned_dynamic_filter';
      const pruning = this.#current(filter);
      if (pruning !== null && !this.#mayMatch(pruning, footer, rowGroup, leafOf)) return 'pruned_dynamic_filter';
    }
    return 'read';
  }

  #mayMatch(
    pruning: PruningPredicate,
    footer: ParquetFooter,
    rowGroup: number,
    leafOf: (column: number) => number,
  ): boolean {
    return mayMatch(pruning, footer, rowGroup, leafOf, (column): DataType => this.#scan.tableSchema.field(column).type);
  }

  /** The row groups in the order that suits the sort above the scan: likely winners first. */
  order(footer: ParquetFooter, rowGroups: readonly number[], leafOf: (column: number) => number): number[] {
    const { sortOrderForReorder, reverseRowGroups, tableSchema, projection } = this.#scan;
    const ordered = reverseRowGroups ? rowGroups.toReversed() : [...rowGroups];
    const key = sortOrderForReorder?.[0];
    if (key?.expr.kind !== 'column') return ordered;
    const source = projection[key.expr.index]?.expr;
    if (source?.kind !== 'column') return ordered;
    const { index } = source;
    const leaf = leafOf(index);
    if (leaf < 0) return ordered;
    const { type } = tableSchema.field(index);
    const side = key.descending ? 'max' : 'min';
    const bounds = ordered.map((rowGroup) => {
      const value = columnBounds(footer.statistics(rowGroup, leaf), footer.schema.leaves[leaf]!, type)[side];
      return { rowGroup, value };
    });
    // Where bounds are missing the order stays: sort is stable.
    if (bounds.some(({ value }) => value === null)) return ordered;
    bounds.sort((a, b) => {
      const order = a.value === null || b.value === null ? 0 : compareComparables(a.value, b.value);
      return key.descending ? -order : order;
    });
    return bounds.map(({ rowGroup }) => rowGroup);
  }

  #current(filter: PhysicalDynamicFilter): PruningPredicate | null {
    const published = this.#context.dynamicFilter(filter.id);
    // The keys of all tasks are at least as tight as what one task published.
    const current = this.#context.keySets(filter.id) ?? published;
    if (current === null) return null;
    const known = this.#built.get(filter.id);
    if (known?.current === current) return known.pruning;
    const placed =
      'kind' in current
        ? mapPhysicalColumns(current, (column) => filter.children[column.index] ?? column)
        : keyBounds(filter, current);
    const pruning = placed === undefined ? null : buildPruningPredicate(placed, this.#scan.tableSchema, this.#options);
    this.#built.set(filter.id, { current, pruning });
    return pruning;
  }
}

/** `least ≤ key AND key ≤ largest` for every key whose values are known and which is an integer. */
function keyBounds(filter: PhysicalDynamicFilter, sets: readonly (KeySet | null)[]): PhysicalExpr | undefined {
  return conjunction(
    filter.children.flatMap((child, index) => {
      const set = sets[index] ?? null;
      if (set === null || set.isEmpty) return [];
      const isLong = child.type.kind === 'Int64';
      if (!isLong && child.type.kind !== 'Int32' && child.type.kind !== 'Date32') return [];
      const bound = (op: '>=' | '<=', value: bigint): PhysicalExpr => ({
        kind: 'binary',
        left: child,
        op,
        right: physicalLiteral({ type: child.type, value: isLong ? value : Number(value) }),
        type: BOOLEAN,
        nullable: true,
      });
      return [bound('>=', set.least), bound('<=', set.largest)];
    }),
  );
}
