import type { OperatorCodec } from '../../physical/execution-plan.js';
import { broadcastCodec } from './broadcast-exec.js';
import { childrenIsolatorUnionCodec } from './children-isolator-union-exec.js';
import { distributedCodec } from './distributed-exec.js';
import { distributedLeafCodec } from './distributed-leaf-exec.js';
import { networkBroadcastCodec } from './network-broadcast-exec.js';
import { networkCoalesceCodec } from './network-coalesce-exec.js';
import { networkShuffleCodec } from './network-shuffle-exec.js';

/** What a task's plan may hold besides the physical operators. A DistributedLeafExec is missing on purpose: encoding one is a bug. */
export const DISTRIBUTED_TASK_CODECS: readonly OperatorCodec[] = [
  networkShuffleCodec,
  networkCoalesceCodec,
  networkBroadcastCodec,
  broadcastCodec,
  childrenIsolatorUnionCodec,
];

/** What a whole distributed plan may hold besides the physical operators: for plans that are stored. */
export const DISTRIBUTED_PLAN_CODECS: readonly OperatorCodec[] = [
  ...DISTRIBUTED_TASK_CODECS,
  distributedLeafCodec,
  distributedCodec,
];
