import type { PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';

/** How a node's rows are spread over its partitions. `unknown` still has a count. */
export type Partitioning =
  | { readonly kind: 'round_robin'; readonly count: number }
  | { readonly kind: 'hash'; readonly exprs: readonly PhysicalExpr[]; readonly count: number }
  | { readonly kind: 'unknown'; readonly count: number };

export function unknownPartitioning(count: number): Partitioning {
  return { kind: 'unknown', count };
}

/**
 * What is known of a node's output, computed once when it is made (see `equivalence.ts` for the algebra).
 */
export interface PlanProperties {
  readonly partitioning: Partitioning;
  /** Orders that every partition has, longest knowledge first; empty = none. */
  readonly orderings: readonly (readonly PhysicalSortExpr[])[];
  /** Classes of expressions that are equal in every row (join keys, filters `a = b`). */
  readonly equivalences: readonly (readonly PhysicalExpr[])[];
  /** Expressions with one value over all rows and partitions (literals, columns pinned by `= literal`). */
  readonly constants: readonly PhysicalExpr[];
}
