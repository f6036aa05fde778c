import type { DataSource } from '../catalog/data-source.js';
import type { EncodedNode, EncodedValue, ExprCodec } from '../expr/expr-codec.js';
import type { AggregateFunction, WindowFunction } from '../expr/function.js';
import type { ExecutionPlan } from './execution-plan.js';

/** Writes and reads whole physical plans as one structured tree; implemented over the registered operator and source codecs. */
export interface PlanCodec extends ExprCodec {
  plan(plan: ExecutionPlan): EncodedNode;
  decodePlan(encoded: EncodedValue): ExecutionPlan;
  source(source: DataSource): EncodedNode;
  decodeSource(encoded: EncodedValue): DataSource;
  /** Aggregate functions travel by canonical name. */
  decodeAggregateFunction(name: string): AggregateFunction;
  /** So do pure window functions. */
  decodeWindowFunction(name: string): WindowFunction;
}
