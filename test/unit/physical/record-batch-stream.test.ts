import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DistqError } from '../../../src/base/errors.js';
import { Arena } from '../../../src/columnar/arena.js';
import { field, INT64 } from '../../../src/columnar/data-type.js';
import { batchFromRows } from '../../../src/columnar/from-values.js';
import { Schema } from '../../../src/columnar/schema.js';
import { MockExec, testTask } from '../../support/mock-exec.js';

const schema = new Schema([field('k', INT64)]);

test('4.1: a cancel between two pulls closes the operator, though nobody closes the stream', async () => {
  const arena = new Arena();
  const batch = batchFromRows(schema, [[1n]], arena);
  const plan = new MockExec(schema, [[batch, batch]]);
  const { context, scope } = testTask();
  const stream = context.execute(plan, 0);
  assert.equal((await stream.next()).done, false);
  scope.cancel(new DistqError('cancelled', 'stopped'));
  await assert.rejects(stream.next(), { message: 'stopped' });
  assert.equal(plan.log.closed, 1);
  arena.free();
});
