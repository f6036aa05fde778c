/** How network boundaries read: through the task's exchange, one connection per producer task, shared by the task's partitions. */
import { invariant } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { outputOrdering } from '../../physical/equivalence.js';
import { mergeSorted } from '../../physical/streams/merge-sorted.js';
import { mergeStreams } from '../../physical/streams/merge-streams.js';
import type { ExchangeConnection, RecordBatchStream, TaskContext } from '../../physical/task-context.js';
import type { ProducerRange } from '../addressing.js';
import type { NetworkBoundary } from '../network-boundary.js';
import type { NetworkCoalesceExec } from './network-coalesce-exec.js';

/**
 * Shuffle and broadcast: the consumer's partition of every producer task. All producers are asked at once (T1); their batches are passed
 * on as they arrive, or their rows merged by the order that the boundary promises.
 */
export async function* fanInStream(
  node: NetworkBoundary,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const inputs = node
    .ranges(context.task)
    .map((range) => connectionTo(node, range, context).partition(partition, context.scope));
  const order = outputOrdering(node.properties);
  if (order === null || inputs.length === 1) {
    yield* received(mergeStreams(inputs), context);
    return;
  }
  const memory = context.memory(node);
  try {
    yield* mergeSorted(inputs, {
      schema: node.schema,
      exprs: order,
      fetch: null,
      batchSize: context.config.get('execution.batch_size'),
      compiler: context.compiler,
      memory,
    });
  } finally {
    memory.release();
  }
}

/** Coalesce: one producer partition, as it is; no rows where the consumer's group is shorter than others. */
export async function* coalesceStream(
  node: NetworkCoalesceExec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const source = node.source(partition, context.task);
  if (source === undefined) return;
  const range = node.ranges(context.task).find(({ producerTask }) => producerTask === source.producerTask);
  invariant(range !== undefined, `task ${source.producerTask} of stage ${node.inputStage.id} is read by nobody`);
  const input = connectionTo(node, range, context).partition(source.partition, context.scope);
  yield* received(input, context);
}

function connectionTo(node: NetworkBoundary, range: ProducerRange, context: TaskContext): ExchangeConnection {
  const { inputStage } = node;
  invariant(inputStage.state === 'remote', `stage ${inputStage.id} was executed before it was handed to workers`);
  return context.shared(node, `producer ${range.producerTask}`, () => {
    const worker = inputStage.workers[range.producerTask];
    invariant(worker !== undefined, `task ${range.producerTask} of stage ${inputStage.id} has no worker`);
    return context.exchange.connect(
      { ...range, stage: inputStage.id, worker, schema: node.schema },
      context.withScope(context.taskScope),
    );
  });
}

/** Passes batches on; waiting for them is not this operator's work. */
async function* received(
  stream: RecordBatchStream | AsyncGenerator<RecordBatch, void, undefined>,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  try {
    for (;;) {
      const next = await context.waiting(stream.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await stream.return();
  }
}
