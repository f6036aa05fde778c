import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDistq } from '../cli/run-distq.js';
import { fixturesTpch } from '../support/repository.js';

test('a long table comes in sections, each with its head, and counts all its rows once', {
  timeout: 60_000,
}, async () => {
  const sql = 'select o_orderkey from orders';
  const args = ['exec', '--sql', sql, '--data', fixturesTpch, '--metrics', 'none', '--quiet', '--max-rows', '2500'];
  const { code, stdout, stderr } = await runDistq(args);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.filter((line) => line.includes('o_orderkey')).length, 3);
  assert.equal(new Set(lines.filter((line) => /^│ +\d+ │$/.test(line))).size, 2500);
  assert.equal(lines.at(-1), '15,000 rows, the first 2,500 shown (--max-rows)');
});
