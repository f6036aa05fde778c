/**
 * Golden files: text that a test expects, kept beside the tests and reviewed like code.
 *
 *     const goldens = goldenFolder('test/plans/explain');          // once per test file, at module level
 *     test('q1', () => { goldens.match('q1.distributed.txt', plan); });
 *
 * `UPDATE_GOLDEN=1 npm test` writes what the tests say and removes what no test asked for. Otherwise a difference, a missing file
 * and a file that no test asked for are failures.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { repositoryRoot } from './repository.js';

const updating: boolean = process.env.UPDATE_GOLDEN === '1';
/** With a name filter not every test runs, so the files that nobody asked for say nothing. */
const filtered: boolean = process.execArgv.some((argument) => argument.startsWith('--test-name-pattern'));

export interface GoldenFolder {
  /** Compares `actual` with the file, after both got one newline at the end. */
  match(name: string, actual: string): void;
}

/**
 * The goldens of one test file. The folder belongs to that test file alone: its leftovers are reported when the tests are done.
 * `path` is relative to the repository's root.
 */
export function goldenFolder(path: string): GoldenFolder {
  const folder = join(repositoryRoot, path);
  const asked = new Set<string>();
  after(() => {
    if (filtered || !existsSync(folder)) return;
    const left = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !asked.has(file));
    if (!updating) assert.deepEqual(left, [], 'golden files that no test asked for (UPDATE_GOLDEN=1 removes them)');
    for (const file of left) rmSync(file);
  });
  return {
    match(name: string, actual: string): void {
      const file = join(folder, name);
      asked.add(file);
      const text = `${actual.trimEnd()}\n`;
      if (updating) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        return;
      }
      assert.ok(existsSync(file), `no golden ${path}/${name}: UPDATE_GOLDEN=1 writes it`);
      assert.equal(text, readFileSync(file, 'utf8').replaceAll('\r\n', '\n'), `${path}/${name} differs`);
    },
  };
}

/** One spelling for what changes from run to run: the repository's path, temporary folders, durations. Row counts stay exact. */
export function normaliseVolatile(text: string): string {
  return text
    .replaceAll(repositoryRoot, '<root>')
    .replaceAll(repositoryRoot.slice(1), '<root>')
    .replace(/\/tmp\/distq-[\w.-]+/g, '<tmp>')
    .replace(/\b\d+(\.\d+)?\s?(ns|µs|us|ms|s)\b/g, '<time>');
}
