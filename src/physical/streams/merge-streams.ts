import { deferred } from '../../base/deferred.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { closeAll } from '../record-batch-stream.js';
import type { RecordBatchStream } from '../task-context.js';

interface Arrival {
  readonly input: RecordBatchStream;
  readonly result?: IteratorResult<RecordBatch>;
  readonly error?: unknown;
}

/**
 * The batches of several streams in arrival order (engine rules 1.3 and 2.4): all open inputs are armed before any is waited for, and
 * the input whose batch was passed on is armed again only when the merge itself is pulled again. One `then` per armed input, a ready
 * queue, no racing of promises.
 *
 * Waits need no scope of their own: an input's pull rejects when its scope is cancelled.
 */
export async function* mergeStreams(
  inputs: readonly RecordBatchStream[],
): AsyncGenerator<RecordBatch, void, undefined> {
  const ready: Arrival[] = [];
  let wake: (() => void) | undefined;
  const arrive = (arrival: Arrival): void => {
    ready.push(arrival);
    wake?.();
  };
  const arm = (input: RecordBatchStream): void => {
    input.next().then(
      (result) => {
        arrive({ input, result });
      },
      (error: unknown) => {
        arrive({ input, error });
      },
    );
  };
  let open = inputs.length;
  try {
    for (const input of inputs) arm(input);
    while (open > 0) {
      const arrival = ready.shift();
      if (arrival === undefined) {
        const signal = deferred<undefined>();
        wake = () => {
          signal.resolve(undefined);
        };
        await signal.promise;
        wake = undefined;
        continue;
      }
      if (arrival.result === undefined) throw arrival.error;
      if (arrival.result.done === true) {
        open--;
        continue;
      }
      yield arrival.result.value;
      arm(arrival.input);
    }
  } finally {
    await closeAll(inputs);
  }
}
