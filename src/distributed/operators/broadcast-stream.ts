import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { TaskContext } from '../../physical/task-context.js';
import type { BroadcastExec } from './broadcast-exec.js';

export function broadcastStream(
  _node: BroadcastExec,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing BroadcastExec');
}
