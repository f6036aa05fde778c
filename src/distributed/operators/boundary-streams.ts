import { notImplemented } from '../../base/errors.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { TaskContext } from '../../physical/task-context.js';
import type { NetworkBoundary } from '../network-boundary.js';

export function fanInStream(
  _node: NetworkBoundary,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing a network boundary');
}

export function coalesceStream(
  _node: NetworkBoundary,
  _partition: number,
  _context: TaskContext,
): AsyncIterable<RecordBatch> {
  throw notImplemented('executing a network boundary');
}
