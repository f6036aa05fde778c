/**
 * Runs compiled tests by an explicit file list: `node .config/test.mjs [path part …] [node --test option …]`.
 *
 *   npm run unit                                   every test
 *   npm run unit -- columnar                       the files whose path contains `columnar`
 *   npm run unit -- columnar expr                  either
 *   npm run unit -- expr --test-name-pattern CASE  node's own options pass through
 *
 * A folder is never handed to node: 20 would run the helpers in it as tests too, 22 would not find it.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const filters = [];
const options = [];
const parameters = process.argv.slice(2);
for (let index = 0; index < parameters.length; index++) {
  const parameter = parameters[index];
  if (!parameter.startsWith('-')) {
    filters.push(
      parameter
        .replaceAll('\\', '/')
        .replace(/^\.\//, '')
        .replace(/\.[jt]s$/, '.js'),
    );
    continue;
  }
  options.push(parameter);
  // `--test-only` is a switch; every other --test-… option takes a value, after `=` or as the next word.
  const takesValue = parameter.startsWith('--test-') && parameter !== '--test-only' && !parameter.includes('=');
  if (takesValue && index + 1 < parameters.length) options.push(parameters[++index]);
}

const folder = 'dist/test';
if (!existsSync(folder)) fail('the tests are not built: npm run build');
const all = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
  .map((entry) => join(entry.parentPath, entry.name).split(sep).join('/'))
  .sort();
const files = filters.length === 0 ? all : all.filter((file) => filters.some((filter) => file.includes(filter)));
if (files.length === 0) {
  fail(filters.length === 0 ? 'there are no tests in dist/test' : `no test file matches ${filters.join(' or ')}`);
}

const child = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${availableParallelism()}`,
    '--test-timeout=900000',
    ...options,
    ...files,
  ],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(error.message));
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});

function fail(sentence) {
  console.error(`test: ${sentence}`);
  process.exit(1);
}
