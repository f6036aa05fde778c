import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../support/repository.js';

/** Runs a test file that matches `actual` against a golden in `folder`, as a test run of its own. */
function run(
  folder: string,
  actual: string,
  environment: Record<string, string>,
): { code: number | null; text: string } {
  const golden = pathToFileURL(join(repositoryRoot, 'dist/test/support/golden.js')).href;
  const path = relative(repositoryRoot, join(folder, 'goldens'));
  const file = join(folder, 'a.test.mjs');
  const body = `goldens.match('a.txt', ${JSON.stringify(actual)})`;
  writeFileSync(
    file,
    `import { goldenFolder } from '${golden}'; import { test } from 'node:test';\n` +
      `const goldens = goldenFolder(${JSON.stringify(path)}); test('a', () => { ${body}; });\n`,
  );
  const env: Record<string, string | undefined> = { ...process.env, UPDATE_GOLDEN: '0', ...environment };
  // Set by the surrounding run; with it the inner one would report to the outer.
  env['NODE_TEST_CONTEXT'] = undefined;
  const result = spawnSync(process.execPath, ['--test', file], { encoding: 'utf8', env });
  return { code: result.status, text: result.stdout };
}

test('a golden is written on request, compared otherwise, and must be asked for', () => {
  const folder = mkdtempSync(join(repositoryRoot, 'dist/golden-'));
  try {
    const missing = run(folder, 'one', {});
    assert.equal(missing.code, 1);
    assert.match(missing.text, /no golden .*a\.txt: UPDATE_GOLDEN=1 writes it/);
    assert.equal(run(folder, 'one', { UPDATE_GOLDEN: '1' }).code, 0);
    assert.equal(readFileSync(join(folder, 'goldens/a.txt'), 'utf8'), 'one\n');
    assert.equal(run(folder, 'one', {}).code, 0);
    assert.equal(run(folder, 'two', {}).code, 1);
    writeFileSync(join(folder, 'goldens/left.txt'), 'nobody asks\n');
    const unused = run(folder, 'one', {});
    assert.equal(unused.code, 1);
    assert.match(unused.text, /golden files that no test asked for/);
    assert.equal(run(folder, 'one', { UPDATE_GOLDEN: '1' }).code, 0);
    assert.ok(!existsSync(join(folder, 'goldens/left.txt')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
