import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Regex } from '../../../../src/expr/regex/regex.js';

/** Patterns on which Rust's syntax and JavaScript's agree. */
const { pattern: anyPattern } = fc.letrec<{ atom: string; repeated: string; pattern: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', '.', 'é', '😀') },
    { weight: 2, arbitrary: fc.constantFrom('[ab]', '[^a]', '[a-c]', '\\d', '[^\\d]', '\\.') },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '(?:)') },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
    },
  ),
  repeated: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{1,}'))
    // JavaScript alone refuses to repeat what matched nothing.
    .map(([atom, times]) => (new RegExp(`^(?:${atom})$`, 'u').test('') ? atom : atom + times)),
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(tie('repeated'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}|${b}`),
  ),
}));

const anyText = fc
  .array(fc.constantFrom('a', 'b', 'c', 'é', '😀', '\n', '1', '.'), { maxLength: 12 })
  .map((c) => c.join(''));

test('a match is the one that a backtracking matcher finds', () => {
  fc.assert(
    fc.property(anyPattern, anyText, (pattern, text) => {
      const expected = new RegExp(pattern, 'u').exec(text);
      const found = new Regex(pattern).exec(text);
      if (expected === null) {
        assert.equal(found, undefined, pattern);
      } else {
        assert.deepEqual([found?.[0], found?.[1]], [expected.index, expected.index + expected[0].length], pattern);
      }
      assert.equal(new Regex(pattern).test(text), expected !== null);
    }),
    { numRuns: 5000 },
  );
});

test('matches go on behind the last one, also when they are empty', () => {
  const all = (pattern: string, text: string): string[] =>
    [...new Regex(pattern).matches(text)].map(([start = 0, end = 0]) => text.slice(start, end));
  assert.deepEqual(all('o', 'foobar'), ['o', 'o']);
  assert.deepEqual(all('a*', 'baac'), ['', 'aa', '']);
  assert.deepEqual(all('', '😀a'), ['', '', '']);
});

test('flags, classes, borders and names', () => {
  const cases: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
    ['(?i)straße', 'STRAßE', true],
    ['(?i)[^a]', 'A', false],
    ['(?s)a.b', 'a\nb', true],
    ['a.b', 'a\nb', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['b$', 'b\n', false],
    ['\\bfoo\\b', 'a foo.', true],
    ['\\bfoo\\b', 'afoo', false],
    ['[[:alpha:]]+\\d', 'ab1', true],
    ['[\\w--]', '-', true],
    ['\\p{Greek}', 'α', true],
    ['\\pL', 'α', true],
    ['\\x{1F600}', '😀', true],
    ['[a-z&&[^b]]', 'b', false],
    ['(?x) a b # comment', 'ab', true],
    ['a{2,3}', 'aa', true],
    ['a{2,3}', 'a', false],
  ];
  for (const [pattern, text, matches] of cases) assert.equal(new Regex(pattern).test(text), matches, pattern);
  const named = new Regex('(?P<year>\\d{4})-(?<month>\\d\\d)');
  const captures = named.exec('on 2020-05-06');
  const month = (named.names.get('month') ?? 0) * 2;
  assert.deepEqual([captures?.[month], captures?.[month + 1]], [8, 10]);
});

test('what the syntax does not have is an execution error', () => {
  for (const pattern of [
    '(',
    ')',
    '[a',
    '*a',
    'a{3,2}',
    '(?=a)',
    '(?<!a)',
    '\\1',
    '\\q',
    '(?z)',
    '\\p{Nonsense}',
    'a{9999}',
  ]) {
    assert.throws(() => new Regex(pattern), { name: 'DistqError', kind: 'execution' }, pattern);
  }
});

test('hostile patterns take time in proportion to the text', () => {
  const text = 'a'.repeat(20_000);
  assert.equal(new Regex('(a*)*b').test(text), false);
  assert.equal(new Regex('(a|a)*$').test(text), true);
  assert.equal(new Regex('(?:a?){30}a{30}$').test('a'.repeat(30)), true);
});
