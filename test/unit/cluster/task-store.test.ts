import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancelScope } from '../../../src/base/cancel-scope.js';
import { DistqError } from '../../../src/base/errors.js';
import { queryId, stageId } from '../../../src/base/ids.js';
import { TaskStore } from '../../../src/cluster/worker/task-store.js';

const query = queryId('q');
const stage = stageId(1);

test('11.6: plan and request come in any order', async () => {
  const store = new TaskStore<string>();
  const early = store.get(query, stage, 0, new CancelScope());
  store.put(query, stage, 0, 'plan');
  assert.equal(await early, 'plan');
  assert.equal(await store.get(query, stage, 0, new CancelScope()), 'plan');
});

test('a failure to take the plan is what everybody gets', async () => {
  const store = new TaskStore<string>();
  const early = store.get(query, stage, 0, new CancelScope());
  store.fail(query, stage, 0, new DistqError('execution', 'no such function'));
  await assert.rejects(early, { message: 'no such function' });
  await assert.rejects(store.get(query, stage, 0, new CancelScope()), { message: 'no such function' });
});

test('a second plan for a task is refused', () => {
  const store = new TaskStore<string>();
  store.put(query, stage, 0, 'one');
  assert.throws(
    () => {
      store.put(query, stage, 0, 'two');
    },
    { kind: 'protocol' },
  );
});

test('a plan that does not come is an error after the wait', async () => {
  const store = new TaskStore<string>();
  await assert.rejects(
    store.get(query, stage, 3, new CancelScope(), 20),
    /plan of task 3 of stage 1 did not come within 20 ms/,
  );
});

test('a cancel ends the wait at once', async () => {
  const store = new TaskStore<string>();
  const scope = new CancelScope();
  const waiting = store.get(query, stage, 0, scope);
  scope.cancel(new DistqError('cancelled', 'enough'));
  await assert.rejects(waiting, { message: 'enough' });
});

test('L2: a query that is over leaves no cell, however late somebody asks', async () => {
  const store = new TaskStore<string>();
  const waiting = store.get(query, stage, 0, new CancelScope());
  store.put(query, stage, 1, 'plan');
  store.close(query, new DistqError('cancelled', 'over'));
  await assert.rejects(waiting, { message: 'over' });
  await assert.rejects(store.get(query, stage, 1, new CancelScope()), { kind: 'cancelled' });
  assert.throws(
    () => {
      store.put(query, stage, 2, 'late');
    },
    { kind: 'protocol' },
  );
  assert.equal(store.size, 0);
});
