import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { type BoundedWindowAggSpec, boundedWindowAggStream } from '../streams/bounded-window-agg-stream.js';
import type { TaskContext } from '../task-context.js';
import { WindowBase, windowOperatorCodec } from './window-base.js';
import { boundedWindowText } from './window-text.js';

/**
 * Window functions that all can be given while the rows of a partition come in. The input is ordered by the keys (DataFusion's mode
 * `Sorted`; its other modes are for inputs without an end).
 */
export class BoundedWindowAggExec extends WindowBase implements BoundedWindowAggSpec {
  readonly name = 'BoundedWindowAggExec';

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new BoundedWindowAggExec(this.windows, input!, this.canRepartition);
  }

  describe(): string {
    return `BoundedWindowAggExec: wdw=[${this.windows.map(boundedWindowText).join(', ')}], mode=[Sorted]`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return boundedWindowAggStream(this, partition, context);
  }
}

export const boundedWindowAggExecCodec: OperatorCodec<BoundedWindowAggExec> = windowOperatorCodec(
  'BoundedWindowAggExec',
  BoundedWindowAggExec,
);
