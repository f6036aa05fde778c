import type { RecordBatch } from '../columnar/record-batch.js';
import type { Schema } from '../columnar/schema.js';
import type { Statistics } from '../catalog/statistics.js';
import type { EncodedNode } from '../expr/expr-codec.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';
import type { PlanCodec } from './plan-codec.js';
import type { PlanProperties } from './plan-properties.js';
import type { TaskContext } from './task-context.js';

/** What a node needs of a child's partitions. */
export type Distribution =
  | { readonly kind: 'unspecified' }
  | { readonly kind: 'single' }
  | { readonly kind: 'hash'; readonly exprs: readonly PhysicalExpr[] };

export const UNSPECIFIED: Distribution = { kind: 'unspecified' };
export const SINGLE_PARTITION: Distribution = { kind: 'single' };

/** Rows out against rows in, per node (distributed planner, 4.8.5). */
export type CardinalityEffect = 'equal' | 'lower_equal' | 'greater_equal' | 'unknown';

/** What a display asks for: `full` lists whole file lists and subtrees' details that the default form cuts. */
export interface DescribeOptions {
  readonly full: boolean;
}

/**
 * A physical operator, DataFusion's ExecutionPlan: immutable, properties computed once in the constructor. It states needs and
 * effects, never neighbours. One file per operator in `operators/`, its streaming side in `streams/`.
 */
export interface ExecutionPlan {
  /** DataFusion's name, e.g. `FilterExec`: also its kind in the codec. */
  readonly name: string;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];
  /** The same node over other children (same count). */
  withNewChildren(children: readonly ExecutionPlan[]): ExecutionPlan;
  /** One entry per child. */
  requiredInputDistribution(): readonly Distribution[];
  /** One entry per child; null = no order needed. */
  requiredInputOrdering(): readonly (readonly PhysicalSortExpr[] | null)[];
  /** Per child: whether each output partition keeps the order of the child's partition it comes from. */
  maintainsInputOrder(): readonly boolean[];
  /** Per child: whether more input partitions would help. */
  benefitsFromInputPartitioning(): readonly boolean[];
  cardinalityEffect(): CardinalityEffect;
  statistics(): Statistics;
  /** Rows after which the node stops by itself, or null. */
  readonly fetch: number | null;
  /** The node with that fetch, or undefined when it cannot have one. */
  withFetch(fetch: number): ExecutionPlan | undefined;
  /** The one-line text of EXPLAIN. */
  describe(options: DescribeOptions): string;
  /**
   * The stream of one partition. Allocates nothing and starts nothing: the first pull does. Never called by other operators
   * directly: they pull `context.execute(child, partition)`, which adds metrics, pacing, cancel and the debug modes.
   */
  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch>;
}

/** How one kind of operator travels. Stands beside the operator; `operators/index.ts` lists them all. */
export interface OperatorCodec<T extends ExecutionPlan = ExecutionPlan> {
  readonly kind: string;
  /** Narrowing test for the encoder. */
  is(plan: ExecutionPlan): plan is T;
  /** Fields of the node; children are written by the caller. */
  encode(plan: T, codec: PlanCodec): Omit<EncodedNode, 'kind'>;
  decode(fields: EncodedNode, children: readonly ExecutionPlan[], codec: PlanCodec): T;
}
