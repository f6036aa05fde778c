import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DistqError } from '../../../src/base/errors.js';
import type { EncodedValue } from '../../../src/expr/expr-codec.js';
import { readJson } from '../../../src/planfile/document/json-reader.js';
import { fromJson, toJson } from '../../../src/planfile/plan-document/encoded-json.js';
import { FileTable } from '../../../src/planfile/plan-document/file-table.js';

const encoded = fc.letrec<{ value: EncodedValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.uint8Array(),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$int', '$object', '$bytes', '$number')), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value;

function roundTrip(value: EncodedValue): EncodedValue {
  return fromJson({ node: readJson(JSON.stringify(toJson(value, new FileTable()))), path: '' }, []);
}

test('every encoded value comes back from its JSON bit by bit', () => {
  fc.assert(
    fc.property(encoded, (value) => {
      // `__proto__` as a literal key is no field of any encoded node.
      assert.deepStrictEqual(roundTrip(value), value);
    }),
    { numRuns: 300 },
  );
});

test('the forms of exact values', () => {
  assert.deepEqual(toJson([-0, Number.NaN, -Infinity, 9223372036854775807n, new Uint8Array([1, 2])], new FileTable()), [
    { $number: '-0' },
    { $number: 'NaN' },
    { $number: '-Infinity' },
    { $int: '9223372036854775807' },
    { $bytes: 'AQI=' },
  ]);
});

test('forms that are never written are refused with their place', () => {
  for (const text of ['{"$int": "1.5"}', '{"$int": 1}', '{"$number": "1"}', '{"$bytes": "?"}', '{"$what": 1}']) {
    assert.throws(
      () => fromJson({ node: readJson(text), path: 'stored.plan' }, []),
      (error) => error instanceof DistqError && error.kind === 'parse' && error.message.startsWith('stored.plan: $'),
      text,
    );
  }
});

test('files stand once in their table, and pieces come back', () => {
  const node: EncodedValue = {
    kind: 'leaf',
    fileGroups: [
      [
        ['a', 10, 1.5],
        ['b', 20, 2, 0, 5],
      ],
      [],
    ],
    variantGroups: [
      [[['b', 20, 2, 0, 3]], [['a', 10, 1.5, 0, 10]]],
      [
        [],
        [
          ['a', 11, 1.5],
          ['b', 20, 2, 3, 5],
        ],
      ],
    ],
  };
  const table = new FileTable();
  const written = toJson(node, table);
  assert.deepEqual(table.files, [
    ['a', 10, 1.5],
    ['b', 20, 2],
    ['a', 11, 1.5],
  ]);
  assert.deepEqual(written, {
    kind: 'leaf',
    fileGroups: [[[0], [1, 0, 5]], []],
    variantGroups: [
      [[[1, 0, 3]], [[0, 0]]],
      [[], [[2], [1, 3, 5]]],
    ],
  });
  const place = { node: readJson(JSON.stringify(written)), path: 'stored.plan' };
  assert.deepEqual(fromJson(place, table.files), node);
  assert.throws(() => fromJson(place, table.files.slice(0, 2)), {
    message: 'stored.plan.variantGroups[1][1][0]: there is no file 2',
  });
});
