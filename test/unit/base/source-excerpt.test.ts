import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceExcerpt } from '../../../src/base/source-excerpt.js';

test('an excerpt marks the span below its line', () => {
  const text = 'select a\nfrom t\nwhere shipdte < 5';
  assert.deepEqual(sourceExcerpt(text, { line: 3, column: 7, endLine: 3, endColumn: 14 }), [
    'where shipdte < 5',
    '      ^^^^^^^',
  ]);
});

test('columns are code points, wide characters take two places, tabs one', () => {
  assert.deepEqual(sourceExcerpt("\tselect '日本', 😀x", { line: 1, column: 16, endLine: 1, endColumn: 17 }), [
    " select '日本', 😀x",
    '                  ^',
  ]);
});

test('a place without an end, at the end of the text and over several lines', () => {
  assert.deepEqual(sourceExcerpt('select 1 +\r\n2', { line: 1, column: 11 }), ['select 1 +', '          ^']);
  assert.deepEqual(sourceExcerpt('select (\n1)', { line: 1, column: 8, endLine: 2, endColumn: 3 }), [
    'select (',
    '       ^',
  ]);
  assert.deepEqual(sourceExcerpt('\uFEFFselect', { line: 1, column: 1, endLine: 1, endColumn: 7 }), [
    'select',
    '^^^^^^',
  ]);
});

test('a long line is cut around the span', () => {
  const text = `${'a'.repeat(150)} here ${'b'.repeat(150)}`;
  const [shown = '', marks = ''] = sourceExcerpt(text, { line: 1, column: 152, endLine: 1, endColumn: 156 });
  assert.ok(shown.length < 120);
  assert.ok(shown.startsWith('…') && shown.endsWith('…'));
  assert.equal(shown.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1), 'here');
});

test('a span outside the text has no excerpt', () => {
  assert.deepEqual(sourceExcerpt('select 1', { line: 4, column: 1 }), []);
});
