import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionContext } from '../../../src/session/index.js';
import { fixturesTpch } from '../../support/repository.js';

test('a frame gives Arrow batches that stay valid, its schema and its metrics', async () => {
  const session = await SessionContext.create({ data: [fixturesTpch] });
  try {
    const frame = await session.sql(
      'select o_orderkey, o_orderpriority, o_totalprice, o_orderdate from orders order by o_orderkey limit 10000',
    );
    const batches = await frame.collect();
    const rows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
    assert.equal(rows, 10_000);
    const keys = batches.flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, i) => Number(batch.getChildAt(0)?.get(i))),
    );
    assert.deepEqual(
      keys,
      keys.toSorted((a, b) => a - b),
    );
    assert.equal(
      batches[0]?.schema.fields.map(({ name }) => name).join(),
      frame.schema.fields.map(({ name }) => name).join(),
    );
    assert.equal(frame.metrics()?.stages.find(({ stage }) => stage === 0)?.output_rows, 10_000);
  } finally {
    await session.close();
  }
});

test('a session runs several queries, sees tables registered by hand and refuses unknown ones', async () => {
  const session = await SessionContext.create();
  try {
    await session.registerParquet('n', `${fixturesTpch}/nation`);
    const frame = await session.sql(
      'create view big as select * from n where n_regionkey > 2; select count(*) as c from big',
    );
    const [batch] = await frame.collect();
    assert.equal(Number(batch?.getChildAt(0)?.get(0)), 10);
    await assert.rejects(session.sql('select * from m'), /unknown table "m"/);
    await assert.rejects(session.sql('set execution.batch_size = 10'), /no query/);
    await assert.rejects(session.registerParquet('x', '/no/such/place'), /no\/such\/place/);
  } finally {
    await session.close();
  }
});
