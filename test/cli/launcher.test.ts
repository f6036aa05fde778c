import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../support/repository.js';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function launch(root: string, ...parameters: string[]): Ended {
  const result = spawnSync(process.execPath, [join(root, 'bin/distq.js'), ...parameters], { encoding: 'utf8' });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

test('--version prints the version of package.json', () => {
  const about: unknown = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  assert.ok(typeof about === 'object' && about !== null && 'version' in about);
  const expected = { code: 0, stdout: `distq ${String(about.version)}\n`, stderr: '' };
  assert.deepEqual(launch(repositoryRoot, '--version'), expected);
});

test('an unbuilt checkout says how to build, also where the path has spaces and accents', () => {
  const root = mkdtempSync(join(tmpdir(), 'distq sp ace%20é-'));
  try {
    mkdirSync(join(root, 'bin'));
    for (const file of ['package.json', 'bin/distq.js']) copyFileSync(join(repositoryRoot, file), join(root, file));
    assert.deepEqual(launch(root, '--version'), { code: 1, stdout: '', stderr: 'distq is not built: npm run build\n' });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
