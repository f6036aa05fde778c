import type { CancelScope } from '../../base/cancel-scope.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { Partitioning } from '../plan-properties.js';
import type { RecordBatchStream, TaskContext } from '../task-context.js';
import { mergeSorted } from './merge-sorted.js';
import { mergeStreams } from './merge-streams.js';
import { RepartitionPump } from './repartition-pump.js';

/** What the stream of a RepartitionExec needs of its node. */
export interface RepartitionSpec extends ExecutionPlan {
  readonly input: ExecutionPlan;
  readonly partitioning: Partitioning;
  readonly preserveOrder: boolean;
  /** The order to merge the input partitions by, or null. */
  readonly sortExprs: readonly PhysicalSortExpr[] | null;
}

/**
 * One output of a repartition. By hash, a pump of the task deals rows out. Round robin only names which input feeds which output
 * (input i feeds output i mod n): partitions of one task are no threads, so moving rows between them would buy nothing (engine rule 8.3).
 */
export async function* repartitionStream(
  spec: RepartitionSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const inputs = spec.input.properties.partitioning.count;
  const { partitioning } = spec;
  if (partitioning.kind !== 'hash') {
    const own = Array.from({ length: inputs }, (_, input) => input).filter(
      (input) => input % partitioning.count === partition,
    );
    yield* merged(
      spec,
      own.map((input) => context.execute(spec.input, input)),
      context,
    );
    return;
  }
  const ordered = spec.preserveOrder && spec.sortExprs !== null && inputs > 1;
  const pump = context.shared(
    spec,
    'repartition',
    () =>
      new RepartitionPump(
        {
          plan: spec,
          input: spec.input,
          exprs: partitioning.exprs,
          outputs: partitioning.count,
          perInput: ordered,
        },
        context,
      ),
  );
  if (!ordered) {
    yield* pump.output(partition, 0, context);
    return;
  }
  yield* merged(
    spec,
    Array.from({ length: inputs }, (_, input) =>
      asStream(context.scope.child(), (scope) => pump.output(partition, input, context.withScope(scope))),
    ),
    context,
  );
}

/** One stream from several: by order when there is one to keep, else as batches arrive. */
async function* merged(
  spec: RepartitionSpec,
  streams: readonly RecordBatchStream[],
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const [only] = streams;
  if (only === undefined) return;
  if (streams.length === 1) {
    yield* only;
    return;
  }
  if (!spec.preserveOrder || spec.sortExprs === null) {
    yield* mergeStreams(streams);
    return;
  }
  const memory = context.memory(spec, 'merge');
  try {
    yield* mergeSorted(streams, {
      schema: spec.schema,
      exprs: spec.sortExprs,
      fetch: null,
      batchSize: context.config.get('execution.batch_size'),
      compiler: context.compiler,
      memory,
    });
  } finally {
    memory.release();
  }
}

/** A generator as the merge wants it: closing cancels its waits first. */
function asStream(
  scope: CancelScope,
  make: (scope: CancelScope) => AsyncGenerator<RecordBatch, void, undefined>,
): RecordBatchStream {
  const generator = make(scope);
  return {
    next: () => generator.next(),
    return: async () => {
      scope.cancel();
      return await generator.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
