import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteSplit } from '../../../src/catalog/byte-split.js';
import { pieceBytes, type FileGroup, type PartitionedFile } from '../../../src/catalog/file-scan.js';

function file(path: string, size: number, range: [number, number] | null = null): PartitionedFile {
  return { path, size, modifiedMs: 0, range: range === null ? null : { start: range[0], end: range[1] } };
}

function text(groups: readonly FileGroup[] | null): string[] | null {
  if (groups === null) return null;
  return groups.map((group) =>
    group.map((f) => `${f.path} ${f.range === null ? 'whole' : `${f.range.start}..${f.range.end}`}`).join(', '),
  );
}

const even = { minBytes: 0, keepOrder: false } as const;
const ordered = { minBytes: 0, keepOrder: true } as const;

describe('byteSplit without order', () => {
  const w = [[file('w0', 46084)], [file('w1', 45461)], [file('w2', 45824)]];

  test('cuts the flattened bytes into equal groups (worked numbers of planner 5.5)', () => {
    assert.deepEqual(text(byteSplit(w, { ...even, targetGroups: 9 })), [
      'w0 0..15264',
      'w0 15264..30528',
      'w0 30528..45792',
      'w0 45792..46084, w1 0..14972',
      'w1 14972..30236',
      'w1 30236..45461, w2 0..39',
      'w2 39..15303',
      'w2 15303..30567',
      'w2 30567..45824',
    ]);
    assert.deepEqual(text(byteSplit(w, { ...even, targetGroups: 3 })), [
      'w0 0..45790',
      'w0 45790..46084, w1 0..45461, w2 0..35',
      'w2 35..45824',
    ]);
  });

  test('leaves small and empty data alone', () => {
    assert.equal(byteSplit(w, { ...even, targetGroups: 3, minBytes: 137_370 }), null);
    assert.notEqual(byteSplit(w, { ...even, targetGroups: 3, minBytes: 137_369 }), null);
    assert.equal(byteSplit([[file('a', 0)]], { ...even, targetGroups: 3 }), null);
    assert.equal(byteSplit([], { ...even, targetGroups: 3 }), null);
  });

  test('gives fewer groups where rounding leaves nothing for the last ones', () => {
    assert.deepEqual(text(byteSplit([[file('a', 9)]], { ...even, targetGroups: 4 })), ['a 0..3', 'a 3..6', 'a 6..9']);
  });

  test('cuts ranges further, inside the range', () => {
    assert.deepEqual(text(byteSplit([[file('a', 100, [40, 60])]], { ...even, targetGroups: 2 })), [
      'a 40..50',
      'a 50..60',
    ]);
  });

  test('covers every byte once, in order, in groups of one size', () => {
    const groups = fc.array(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 40 }), (sizes, targetGroups) => {
        let named = 0;
        const input = sizes.map((group) => group.map((size) => file(`f${named++}`, size)));
        const total = input.flat().reduce((sum, f) => sum + f.size, 0);
        const result = byteSplit(input, { ...even, targetGroups });
        if (total === 0) {
          assert.equal(result, null);
          return;
        }
        assert.ok(result !== null);
        const groupBytes = Math.ceil(total / targetGroups);
        assert.equal(result.length, Math.ceil(total / groupBytes));
        if (total > (targetGroups - 1) ** 2) assert.equal(result.length, targetGroups);
        const sizesOut = result.map((group) => group.reduce((sum, f) => sum + pieceBytes(f), 0));
        for (const bytes of sizesOut.slice(0, -1)) assert.equal(bytes, groupBytes);
        // Pieces, joined in order, are the input files one after the other.
        const joined: [string, number][] = [];
        for (const piece of result.flat()) {
          assert.ok(piece.range !== null && piece.range.end > piece.range.start);
          const last = joined.at(-1);
          if (last?.[0] === piece.path) {
            assert.equal(piece.range.start, last[1]);
            last[1] = piece.range.end;
          } else {
            assert.equal(piece.range.start, 0);
            joined.push([piece.path, piece.range.end]);
          }
        }
        assert.deepEqual(
          joined,
          input
            .flat()
            .filter((f) => f.size > 0)
            .map((f) => [f.path, f.size]),
        );
      }),
    );
  });
});

describe('byteSplit with order', () => {
  test('changes nothing when there are enough groups, or none that can be cut', () => {
    assert.equal(byteSplit([[file('a', 10)], [file('b', 10)]], { ...ordered, targetGroups: 2 }), null);
    assert.equal(byteSplit([[file('a', 10), file('b', 10)]], { ...ordered, targetGroups: 4 }), null);
  });

  test('cuts a lone file evenly', () => {
    assert.deepEqual(text(byteSplit([[file('a', 10)]], { ...ordered, targetGroups: 4 })), [
      'a 0..3',
      'a 3..6',
      'a 6..9',
      'a 9..10',
    ]);
  });

  test('gives one more part to the file with the largest parts; groups of several files stay', () => {
    const groups = [[file('a', 100)], [file('b', 30), file('c', 30)], [file('d', 41)]];
    assert.deepEqual(text(byteSplit(groups, { ...ordered, targetGroups: 6 })), [
      'a 0..33',
      'b whole, c whole',
      'd 0..20',
      'a 33..66',
      'a 66..100',
      'd 20..41',
    ]);
  });
});

test('the same split of the same groups is made once, and another split is another', () => {
  const groups = [[file('a', 10), file('b', 10)]];
  const first = byteSplit(groups, { ...even, targetGroups: 4 });
  assert.equal(byteSplit(groups, { ...even, targetGroups: 4 }), first);
  assert.deepEqual(text(byteSplit(groups, { ...even, targetGroups: 2 })), ['a 0..10', 'b 0..10']);
  assert.equal(byteSplit(groups, { ...even, targetGroups: 2, minBytes: 21 }), null);
  assert.deepEqual(byteSplit(groups, { ...even, targetGroups: 4 }), first);
});

test('a piece that a split leaves as it is stays the same object', () => {
  const groups = [[file('a', 10, [0, 10]), file('b', 10, [0, 10])]];
  const result = byteSplit(groups, { ...even, targetGroups: 2 });
  assert.equal(result?.[0]?.[0], groups[0]?.[0]);
  assert.equal(result?.[1]?.[0], groups[0]?.[1]);
});
