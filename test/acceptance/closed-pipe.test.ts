/** `distq exec … | head -1`: the reader that leaves is no error, whatever the format and wherever the stages run. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fixturesTpch, repositoryRoot } from '../support/repository.js';
import { skipWithoutProc } from './processes.js';

/** Far more than the pipe and all buffers hold; no reader would see its end. */
const SQL = 'select l_orderkey, l_comment, o_comment from lineitem, orders';

const firstLines: Readonly<Record<string, RegExp>> = {
  table: /^┌─+┬─+┬─+┐\n$/,
  csv: /^l_orderkey,l_comment,o_comment\n$/,
  ndjson: /^\{"l_orderkey":\d+,"l_comment":".*","o_comment":".*"\}\n$/,
  json: /^\[\n$/,
};

interface Ended {
  readonly stdout: string;
  /** distq's messages, then its exit code. */
  readonly stderr: string;
}

/** Runs distq with a real pipe to `head -1`. */
async function toHead(format: string, more: readonly string[]): Promise<Ended> {
  const args = ['exec', '--sql', SQL, '--data', fixturesTpch, '--format', format, ...more];
  const script = '{ "$@"; echo "exit $?" >&2; } | head -1';
  const command = [process.execPath, join(repositoryRoot, 'bin/distq.js'), ...args];
  const shell = spawn('sh', ['-c', script, 'sh', ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = { stdout: '', stderr: '' };
  shell.stdout.on('data', (chunk: Buffer) => (parts.stdout += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (parts.stderr += chunk.toString()));
  await new Promise((resolve) => shell.on('close', resolve));
  return parts;
}

const hostings: Readonly<Record<string, readonly string[]>> = {
  'in one process': ['--set', 'distq.worker_mode=in_process'],
  'from child processes': ['--set', 'distq.worker_mode=processes'],
};

describe('a reader that leaves after one line', { skip: skipWithoutProc() }, () => {
  for (const [hosting, settings] of Object.entries(hostings)) {
    for (const [format, line] of Object.entries(firstLines)) {
      test(`${format} ${hosting}`, { timeout: 60_000 }, async () => {
        const spread = ['--workers', '2', '--set', 'distributed.file_scan_config_bytes_per_partition=1'];
        // A table is cut off by itself unless it may be long.
        const long = format === 'table' ? ['--max-rows', '1000000000'] : [];
        const ended = await toHead(format, [...settings, ...spread, ...long, '--metrics', 'none']);
        assert.match(ended.stdout, line);
        assert.equal(ended.stderr, 'exit 0\n');
      });
    }
  }

  test('the metrics of what ran until then still come', { timeout: 60_000 }, async () => {
    const { stderr } = await toHead('ndjson', ['--workers', '2', '--metrics-format', 'json']);
    const [document = '', exit] = stderr.split('\n');
    const parsed: unknown = JSON.parse(document);
    assert.ok(typeof parsed === 'object' && parsed !== null && 'stages' in parsed && Array.isArray(parsed.stages));
    assert.ok(
      parsed.stages.some(
        (row: unknown) => typeof row === 'object' && row !== null && 'state' in row && row.state === 'cancelled',
      ),
    );
    assert.equal(exit, 'exit 0');
  });
});
