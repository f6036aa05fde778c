import type { RecordBatch } from '../../columnar/record-batch.js';
import type { ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { type WindowAggSpec, windowAggStream } from '../streams/window-agg-stream.js';
import type { TaskContext } from '../task-context.js';
import { WindowBase, windowOperatorCodec } from './window-base.js';
import { windowText } from './window-text.js';

/** Window functions of which some need to see the whole partition before its first row can be given. */
export class WindowAggExec extends WindowBase implements WindowAggSpec {
  readonly name = 'WindowAggExec';

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new WindowAggExec(this.windows, input!, this.canRepartition);
  }

  describe(): string {
    return `WindowAggExec: wdw=[${this.windows.map(windowText).join(', ')}]`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return windowAggStream(this, partition, context);
  }
}

export const windowAggExecCodec: OperatorCodec<WindowAggExec> = windowOperatorCodec('WindowAggExec', WindowAggExec);
