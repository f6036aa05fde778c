import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desired, limitTaskCount, maximum, mergeTaskCounts } from '../../../src/distributed/task-count.js';

test('merging wishes and limits (planner 4.8.2)', () => {
  assert.deepEqual(mergeTaskCounts(desired(4), desired(3)), desired(4));
  assert.deepEqual(mergeTaskCounts(desired(4), maximum(1)), maximum(1));
  assert.deepEqual(mergeTaskCounts(maximum(1), desired(4)), maximum(1));
  assert.deepEqual(mergeTaskCounts(desired(2), maximum(6)), maximum(6));
  assert.deepEqual(mergeTaskCounts(maximum(3), maximum(2)), maximum(2));
});

test('a limit keeps the kind and leaves at least one task', () => {
  assert.deepEqual(limitTaskCount(desired(9), 4), desired(4));
  assert.deepEqual(limitTaskCount(maximum(2), 4), maximum(2));
  assert.deepEqual(limitTaskCount(desired(0), 4), desired(1));
});
