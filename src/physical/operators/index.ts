import type { OperatorCodec } from '../execution-plan.js';
import { aggregateExecCodec } from './aggregate-exec.js';
import { boundedWindowAggExecCodec } from './bounded-window-agg-exec.js';
import { coalescePartitionsExecCodec } from './coalesce-partitions-exec.js';
import { crossJoinExecCodec } from './cross-join-exec.js';
import { dataSourceExecCodec } from './data-source-exec.js';
import { emptyExecCodec } from './empty-exec.js';
import { filterExecCodec } from './filter-exec.js';
import { globalLimitExecCodec } from './global-limit-exec.js';
import { hashJoinExecCodec } from './hash-join-exec.js';
import { interleaveExecCodec } from './interleave-exec.js';
import { localLimitExecCodec } from './local-limit-exec.js';
import { nestedLoopJoinExecCodec } from './nested-loop-join-exec.js';
import { placeholderRowExecCodec } from './placeholder-row-exec.js';
import { projectionExecCodec } from './projection-exec.js';
import { repartitionExecCodec } from './repartition-exec.js';
import { sortExecCodec } from './sort-exec.js';
import { sortPreservingMergeExecCodec } from './sort-preserving-merge-exec.js';
import { unionExecCodec } from './union-exec.js';
import { windowAggExecCodec } from './window-agg-exec.js';

/** Every operator of this room that can travel; the floors above add their own. */
export const OPERATOR_CODECS: readonly OperatorCodec[] = [
  aggregateExecCodec,
  boundedWindowAggExecCodec,
  coalescePartitionsExecCodec,
  crossJoinExecCodec,
  dataSourceExecCodec,
  emptyExecCodec,
  filterExecCodec,
  globalLimitExecCodec,
  hashJoinExecCodec,
  interleaveExecCodec,
  localLimitExecCodec,
  nestedLoopJoinExecCodec,
  placeholderRowExecCodec,
  projectionExecCodec,
  repartitionExecCodec,
  sortExecCodec,
  sortPreservingMergeExecCodec,
  unionExecCodec,
  windowAggExecCodec,
];
