import type { ScalarValue } from '../columnar/scalar-value.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';

/**
 * How a node's rows are spread over its partitions. `unknown` still has a count. A hash without expressions is one whose keys the node
 * no longer puts out: stages still count it as hash partitioned.
 */
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
  /** Expressions with one value in every partition (literals, columns pinned by `= literal`). */
  readonly constants: readonly PlanConstant[];
}

/** An expression that does not change from row to row. */
export interface PlanConstant {
  readonly expr: PhysicalExpr;
  /** `uniform`: one value over all partitions; `per_partition`: each partition may have its own (branches of a union). */
  readonly across: 'uniform' | 'per_partition';
  /** The value where it is known; always null for `per_partition`. */
  readonly value: ScalarValue | null;
}
