/**
 * Reads the tree for what compiler, linter and floor check do not know. Each rule names the file and line that breaks it.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { repositoryRoot } from './support/repository.js';

interface SourceText {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

function filesBelow(folder: string, pattern: RegExp): readonly SourceText[] {
  const start = join(repositoryRoot, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(repositoryRoot, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }));
}

/** `path:line: text` of every line that matches. */
function matches(files: readonly SourceText[], pattern: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

const sources = filesBelow('src', /\.ts$/);
const tests = filesBelow('test', /\.ts$/).filter((file) => file.path !== 'test/tidy.test.ts');
const scripts = [...filesBelow('.config', /\.(mjs|py)$/), ...filesBelow('bin', /\.js$/)];
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'fixtures/README.md'].flatMap((path) => {
  const file = join(repositoryRoot, path);
  return existsSync(file) ? [{ path, text: readFileSync(file, 'utf8') }] : [];
});

test('the tree is read at all', () => {
  assert.ok(sources.length > 10 && tests.length > 3 && scripts.length > 3);
});

test('no file in src is longer than 800 lines', () => {
  const long = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  assert.deepEqual(
    long.filter(({ lines }) => lines > 800),
    [],
  );
});

test('file names are kebab-case and name a subject', () => {
  const names = [...sources, ...tests].map((file) => file.path);
  const vague = /^(utils?|helpers?|common|misc|shared|types)\.ts$/;
  assert.deepEqual(
    names.filter(
      (path) => vague.test(basename(path)) || !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/.test(basename(path)),
    ),
    [],
  );
});

test('nothing is left undone or switched off', () => {
  assert.deepEqual(matches([...sources, ...tests, ...scripts], /\b(TODO|FIXME|XXX|HACK)\b/), []);
  assert.deepEqual(matches(tests, /\b(test|it|describe|suite)\.(skip|only|todo)\(/), []);
  assert.deepEqual(matches(tests, /\b(skip|only|todo): true\b/), []);
  assert.deepEqual(matches([...sources, ...tests], /@ts-(ignore|nocheck|expect-error)/), []);
});

test('no type is forced', () => {
  assert.deepEqual(matches([...sources, ...tests], /\bas unknown as\b|<any>|\bas any\b/), []);
});

test('no machine is named: absolute paths of a workplace do not belong here', () => {
  assert.deepEqual(
    matches([...sources, ...tests, ...scripts, ...documents], /(^|[^\w.])\/(work|home|root|Users)\//),
    [],
  );
});

test('operators are immutable: every field of a class named …Exec is readonly', () => {
  const broken: string[] = [];
  let operators = 0;
  for (const { path, text } of sources) {
    if (!/class \w+Exec\b/.test(text)) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
    const visit = (node: ts.Node): void => {
      if (ts.isClassDeclaration(node) && node.name?.text.endsWith('Exec') === true) {
        operators++;
        for (const member of node.members) {
          if (!ts.isPropertyDeclaration(member)) continue;
          if (member.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ReadonlyKeyword) === true) continue;
          const { line } = file.getLineAndCharacterOfPosition(member.getStart(file));
          broken.push(`${path}:${line + 1}: ${node.name.text}.${member.name.getText(file)}`);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  assert.deepEqual(broken, []);
  if (existsSync(join(repositoryRoot, 'src/physical/operators'))) assert.ok(operators > 0, 'no operator was found');
});
