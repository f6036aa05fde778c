import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGGREGATE_FUNCTIONS, SCALAR_FUNCTIONS } from '../../../src/functions/index.js';
import { SessionContext } from '../../../src/session/session-context.js';
import { queryRows } from '../../support/query-rows.js';

test('the example of every function gives the result that its documentation shows', async (t) => {
  const session = await SessionContext.create({ settings: [['distq.worker_mode', 'in_process']] });
  try {
    for (const { name, doc } of [...SCALAR_FUNCTIONS, ...AGGREGATE_FUNCTIONS]) {
      await t.test(name, async () => {
        const rows = await queryRows(session, `SELECT CAST(x AS VARCHAR) FROM (${doc.example.sql}) AS t(x)`);
        assert.deepEqual(rows, [[doc.example.result]]);
      });
    }
  } finally {
    await session.close();
  }
});

test('names and aliases are unique and in lower case', () => {
  for (const functions of [SCALAR_FUNCTIONS, AGGREGATE_FUNCTIONS]) {
    const names = functions.flatMap((entry) => [entry.name, ...entry.aliases]);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      names,
      names.map((name) => name.toLowerCase()),
    );
  }
});
