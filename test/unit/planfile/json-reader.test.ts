import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DistqError } from '../../../src/base/errors.js';
import { type DocumentNode, fieldOf } from '../../../src/planfile/document/document-node.js';
import { readJson } from '../../../src/planfile/document/json-reader.js';

/** What JSON.parse would give. */
function plain(node: DocumentNode): unknown {
  switch (node.kind) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return node.value;
    case 'number':
      return JSON.parse(node.text);
    case 'list':
      return node.items.map(plain);
    case 'object':
      return Object.fromEntries([...node.fields].map(([name, { value }]) => [name, plain(value)]));
  }
}

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.deepEqual(plain(readJson(text)), JSON.parse(text));
    }),
  );
});

test('refuses what JSON.parse refuses', () => {
  const json = fc.jsonValue().map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(json, fc.nat(), fc.constantFrom('', ',', '"', '}', '0', 'x', '\\', '\n', '\u0001'), (text, at, put) => {
      const place = at % (text.length + 1);
      const damaged = text.slice(0, place) + put + text.slice(place + 1);
      let expected: unknown;
      let refused = false;
      try {
        expected = JSON.parse(damaged);
      } catch {
        refused = true;
      }
      if (!refused) {
        // Names that stand twice are the one thing that JSON.parse lets pass.
        try {
          assert.deepEqual(plain(readJson(damaged)), expected);
        } catch (error) {
          assert.ok(error instanceof DistqError && error.message.includes('stands twice'), String(error));
        }
        return;
      }
      assert.throws(
        () => readJson(damaged),
        (error) => error instanceof DistqError && error.kind === 'parse' && error.span !== undefined,
      );
    }),
    { numRuns: 500 },
  );
});

test('keeps every digit and every place', () => {
  const node = readJson('{\n  "é": [9223372036854775807, -0, 1e400],\n  "b": "x\\u0041"\n}');
  assert.equal(node.kind, 'object');
  const list = fieldOf(node, 'é');
  assert.ok(list?.kind === 'list');
  assert.deepEqual(
    list.items.map((item) => (item.kind === 'number' ? [item.text, item.span.line, item.span.column] : [])),
    [
      ['9223372036854775807', 2, 9],
      ['-0', 2, 30],
      ['1e400', 2, 34],
    ],
  );
});

test('a document nested too deeply is an error, not a crash', () => {
  assert.throws(() => readJson('['.repeat(100_000)), { message: /nested deeper than 1000/ });
});
