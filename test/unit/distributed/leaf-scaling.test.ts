/** How file scans are dealt over tasks: distributed planner reference, section 5. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteSplit } from '../../../src/catalog/byte-split.js';
import { pieceBytes, type FileGroup } from '../../../src/catalog/file-scan.js';
import { dealGroups, fileScanTaskCount, scaleUpFileScan } from '../../../src/distributed/handlers/file-scan.js';
import { DistributedLeafExec } from '../../../src/distributed/operators/distributed-leaf-exec.js';
import { desired } from '../../../src/distributed/task-count.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { DataSourceExec } from '../../../src/physical/operators/data-source-exec.js';
import { EmptyExec } from '../../../src/physical/operators/empty-exec.js';
import { type ScanShape, scan, settings, table } from '../../support/plan-builders.js';

function groupsText(groups: readonly FileGroup[]): string[] {
  return groups.map((group) =>
    group.map(({ path, range }) => (range === null ? path : `${path} ${range.start}..${range.end}`)).join(', '),
  );
}

function dealt(groups: ScanShape['groups'], tasks: number, shape: Partial<ScanShape> = {}): string[][] {
  const leaf = scan({ groups, columns: ['k'], ...shape });
  const config = leaf.source.fileScan;
  assert.ok(config !== null);
  return dealGroups(config, tasks).map(groupsText);
}

describe('how many tasks a scan wants (5.1)', () => {
  const MiB = 2 ** 20;
  const rows = [
    { bytes: 137_369, perPartition: 1, partitions: 3, tasks: 45_790 },
    { bytes: 137_369, perPartition: 16 * MiB, partitions: 3, tasks: 1 },
    { bytes: 100 * MiB, perPartition: 16 * MiB, partitions: 4, tasks: 2 },
    { bytes: 1024 * MiB, perPartition: 16 * MiB, partitions: 8, tasks: 8 },
    { bytes: 0, perPartition: 1, partitions: 3, tasks: 1 },
  ];
  for (const { bytes, perPartition, partitions, tasks } of rows) {
    test(`${bytes} bytes, ${perPartition} per partition, ${partitions} partitions`, () => {
      const config = settings({
        'distributed.file_scan_config_bytes_per_partition': perPartition,
        'execution.target_partitions': partitions,
      });
      assert.deepEqual(fileScanTaskCount(table('t', 1, { bytes }), config), desired(tasks));
    });
  }

  test('ranges count with their length, other leaves are not asked', () => {
    const config = settings({
      'distributed.file_scan_config_bytes_per_partition': 10,
      'execution.target_partitions': 1,
    });
    const leaf = table('t', 1, { bytes: 1000 });
    const { fileScan } = leaf.source;
    assert.ok(fileScan !== null);
    const ranged = leaf.withFileScan({
      ...fileScan,
      fileGroups: fileScan.fileGroups.map((group) => group.map((f) => ({ ...f, range: { start: 100, end: 130 } }))),
    });
    assert.deepEqual(fileScanTaskCount(ranged, config), desired(3));
    assert.equal(fileScanTaskCount(new EmptyExec(leaf.schema), config), undefined);
  });
});

describe('how files are dealt (5.3 – 5.5)', () => {
  const w: ScanShape['groups'] = [[['w0', 46_084]], [['w1', 45_461]], [['w2', 45_824]]];

  test('three files over three tasks', () => {
    assert.deepEqual(dealt(w, 3), [
      ['w0 0..15264', 'w0 45792..46084, w1 0..14972', 'w2 39..15303'],
      ['w0 15264..30528', 'w1 14972..30236', 'w2 15303..30567'],
      ['w0 30528..45792', 'w1 30236..45461, w2 0..39', 'w2 30567..45824'],
    ]);
  });

  test('three files over two tasks', () => {
    assert.deepEqual(dealt(w, 2), [
      ['w0 0..22895', 'w0 45790..46084, w1 0..22601', 'w2 35..22930'],
      ['w0 22895..45790', 'w1 22601..45461, w2 0..35', 'w2 22930..45824'],
    ]);
  });

  test('one task is cut anew as well', () => {
    assert.deepEqual(dealt(w, 1), [['w0 0..45790', 'w0 45790..46084, w1 0..45461, w2 0..35', 'w2 35..45824']]);
  });

  test('sizes 700, 200 and 400 in two partitions over three tasks', () => {
    assert.deepEqual(
      dealt(
        [
          [
            ['a', 700],
            ['b', 200],
          ],
          [['c', 400]],
        ],
        3,
      ),
      [
        ['a 0..217', 'a 651..700, b 0..168'],
        ['a 217..434', 'b 168..200, c 0..185'],
        ['a 434..651', 'c 185..400'],
      ],
    );
  });

  test('a hive layout keeps its buckets in task and partition', () => {
    const hive: ScanShape['groups'] = ['A', 'B', 'C', 'D'].map((key) => [[key, 100]]);
    assert.deepEqual(dealt(hive, 2, { hashedBy: ['k'] }), [
      ['A', 'C', '', ''],
      ['B', 'D', '', ''],
    ]);
  });

  test('a bucket of several files stays together', () => {
    const hive: ScanShape['groups'] = [
      [
        ['A1', 100],
        ['A2', 100],
      ],
      [['B', 100]],
      [['C', 100]],
      [['D', 100]],
    ];
    assert.deepEqual(dealt(hive, 2, { hashedBy: ['k'] }), [
      ['A1, A2', 'C', '', ''],
      ['B', 'D', '', ''],
    ]);
  });

  test('16 lineitem files, cut into three partitions, over four tasks: by file numbers', () => {
    // Sizes of TPC-H 0.02 in 16 files, in the order of the paths as text.
    const sizes: Readonly<Record<string, number>> = {
      f1: 297026,
      f10: 295413,
      f11: 299974,
      f12: 299781,
      f13: 303444,
      f14: 299035,
      f15: 299144,
      f16: 297868,
      f2: 298584,
      f3: 298697,
      f4: 300382,
      f5: 298485,
      f6: 296774,
      f7: 297790,
      f8: 297267,
      f9: 296399,
    };
    const leaf = scan({ groups: [Object.entries(sizes)], columns: ['k'] });
    const { fileScan } = leaf.source;
    assert.ok(fileScan !== null);
    const fileGroups = byteSplit(fileScan.fileGroups, { targetGroups: 3, minBytes: 0, keepOrder: false });
    assert.ok(fileGroups !== null);
    const numbers = dealGroups({ ...fileScan, fileGroups }, 4).map((task) =>
      task.map((group) => group.map(({ path }) => path.slice(1)).join(',')).join(' | '),
    );
    assert.deepEqual(numbers, [
      '1,10 | 14,15 | 4,5',
      '10,11 | 15,16 | 5,6,7',
      '11,12,13 | 16,2,3 | 7,8',
      '13,14,14 | 3,4,4 | 8,9',
    ]);
  });

  test('tiny files: tasks are padded with empty groups', () => {
    // 9 bytes into 4 groups of 3 make only 3.
    assert.deepEqual(dealt([[['a', 5]], [['b', 4]]], 2), [
      ['a 0..3', 'b 1..4'],
      ['a 3..5, b 0..1', ''],
    ]);
  });

  test('ordered files that cannot be cut are dealt whole, padded', () => {
    const groups: ScanShape['groups'] = [
      [
        ['a', 10],
        ['b', 10],
      ],
      [
        ['c', 10],
        ['d', 10],
      ],
      [
        ['e', 10],
        ['f', 10],
      ],
    ];
    assert.deepEqual(dealt(groups, 2, { sortedBy: ['k'] }), [
      ['a, b', 'e, f'],
      ['c, d', ''],
    ]);
  });

  test('T23, T24: every byte of every file is in exactly one variant, and all variants have equally many partitions', () => {
    const files = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 4 });
    const groups = fc.array(files, { minLength: 1, maxLength: 5 });
    const layout = fc.constantFrom<Partial<ScanShape>>({}, { sortedBy: ['k'] }, { hashedBy: ['k'] });
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 9 }), layout, (sizes, tasks, shape) => {
        let named = 0;
        const tables = sizes.map((group) => group.map((bytes) => [`f${named++}`, bytes] as const));
        const leaf = scan({ groups: tables, columns: ['k'], ...shape });
        const scaled = scaleUpFileScan(leaf, tasks);
        assert.ok(scaled instanceof DistributedLeafExec);
        assert.equal(scaled.variants.length, tasks);
        assert.equal(scaled.original, leaf);
        const read = new Map<string, [number, number][]>();
        for (const variant of scaled.variants) {
          assert.equal(variant.properties.partitioning.count, scaled.properties.partitioning.count);
          for (const piece of filesOf(variant)) {
            const start = piece.range?.start ?? 0;
            const ranges = read.get(piece.path) ?? [];
            ranges.push([start, start + pieceBytes(piece)]);
            read.set(piece.path, ranges);
          }
        }
        for (const [path, bytes] of tables.flat()) {
          const ranges = (read.get(path) ?? []).sort((a, b) => a[0] - b[0]);
          let covered = 0;
          for (const [start, end] of ranges) {
            assert.equal(start, covered);
            covered = end;
          }
          assert.equal(covered, bytes);
        }
      }),
    );
  });
});

test('groups dealt over tasks hold equally many bytes; buckets of a hash layout, which stay whole, equally many files', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 9 }), fc.boolean(), (bytes, tasks, isHashed) => {
      const groups = bytes.map((size, index) => [[`f${index}`, size] as const]);
      const leaf = scan({ groups, columns: ['k'], ...(isHashed ? { hashedBy: ['k'] } : {}) });
      const config = leaf.source.fileScan;
      assert.ok(config !== null);
      const dealtGroups = dealGroups(config, tasks);
      if (isHashed) {
        const counts = dealtGroups.map((own) => own.flat().length);
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join(', '));
        return;
      }
      const total = bytes.reduce((sum, size) => sum + size, 0);
      const each = Math.ceil(total / (groups.length * tasks));
      const perTask = dealtGroups[0]?.length ?? 0;
      // Group g went to task g mod tasks.
      const held = Array.from({ length: perTask * tasks }, (_, g) =>
        (dealtGroups[g % tasks]?.[Math.floor(g / tasks)] ?? []).reduce((sum, piece) => sum + pieceBytes(piece), 0),
      ).filter((size) => size > 0);
      assert.equal(
        held.reduce((sum, size) => sum + size, 0),
        total,
      );
      for (const size of held.slice(0, -1)) assert.equal(size, each);
    }),
  );
});

function filesOf(leaf: ExecutionPlan): FileGroup {
  assert.ok(leaf instanceof DataSourceExec && leaf.source.fileScan !== null);
  return leaf.source.fileScan.fileGroups.flat();
}

test('a leaf refuses variants that do not fit together', () => {
  const leaf = table('t', 2);
  const plan = { kind: 'plan' };
  assert.throws(() => new DistributedLeafExec(leaf, []), plan);
  assert.throws(() => new DistributedLeafExec(leaf, [leaf, table('t', 3)]), plan);
  assert.throws(() => new DistributedLeafExec(leaf, [leaf, table('t', 2, { columns: ['k', 'w'] })]), plan);
});
