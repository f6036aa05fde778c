import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  coalesceGroup,
  coalesceGroupSize,
  coalesceRanges,
  coalesceSource,
  fanInRanges,
} from '../../../src/distributed/addressing.js';

const counts = { partitions: fc.integer({ min: 1, max: 6 }), tasks: fc.integer({ min: 1, max: 9 }) };

describe('shuffle and broadcast', () => {
  test('the examples of runtime 1.8.1 and 1.8.2', () => {
    assert.deepEqual(fanInRanges(4, 3, { taskIndex: 1, taskCount: 2 }), [
      { producerTask: 0, firstPartition: 4, partitionCount: 4 },
      { producerTask: 1, firstPartition: 4, partitionCount: 4 },
      { producerTask: 2, firstPartition: 4, partitionCount: 4 },
    ]);
    assert.deepEqual(fanInRanges(3, 2, { taskIndex: 2, taskCount: 4 }), [
      { producerTask: 0, firstPartition: 6, partitionCount: 3 },
      { producerTask: 1, firstPartition: 6, partitionCount: 3 },
    ]);
  });

  test('all consumers together read each partition of each producer once', () => {
    fc.assert(
      fc.property(counts.partitions, counts.tasks, counts.tasks, (partitionCount, producers, consumers) => {
        const read = new Map<string, number>();
        for (let taskIndex = 0; taskIndex < consumers; taskIndex++) {
          for (const range of fanInRanges(partitionCount, producers, { taskIndex, taskCount: consumers })) {
            for (let offset = 0; offset < range.partitionCount; offset++) {
              const key = `${range.producerTask}/${range.firstPartition + offset}`;
              read.set(key, (read.get(key) ?? 0) + 1);
            }
          }
        }
        const expected = Array.from({ length: producers }, (_, producer) =>
          Array.from({ length: partitionCount * consumers }, (__, partition) => `${producer}/${partition}`),
        ).flat();
        assert.deepEqual([...read.keys()].sort(), expected.sort());
        assert.ok([...read.values()].every((times) => times === 1));
      }),
    );
  });
});

describe('coalesce', () => {
  test('the examples of runtime 1.8.3', () => {
    assert.deepEqual(coalesceGroup(5, { taskIndex: 0, taskCount: 2 }), { start: 0, length: 3 });
    assert.deepEqual(coalesceGroup(5, { taskIndex: 1, taskCount: 2 }), { start: 3, length: 2 });
    assert.deepEqual(coalesceSource(7, 3, 5, { taskIndex: 0, taskCount: 2 }), { producerTask: 2, partition: 1 });
    for (const partition of [6, 7, 8]) {
      assert.equal(coalesceSource(partition, 3, 5, { taskIndex: 1, taskCount: 2 }), undefined);
    }
    assert.equal(coalesceGroupSize(2, 5), 1);
    assert.deepEqual(coalesceRanges(3, 2, { taskIndex: 1, taskCount: 5 }), [
      { producerTask: 1, firstPartition: 0, partitionCount: 3 },
    ]);
    assert.deepEqual(coalesceRanges(3, 2, { taskIndex: 2, taskCount: 5 }), []);
    assert.deepEqual(coalesceSource(10, 3, 4, { taskIndex: 0, taskCount: 1 }), { producerTask: 3, partition: 1 });
  });

  test('every producer partition is read by exactly one consumer partition', () => {
    fc.assert(
      fc.property(counts.partitions, counts.tasks, counts.tasks, (producerPartitions, producers, consumers) => {
        const read: string[] = [];
        const partitions = producerPartitions * coalesceGroupSize(producers, consumers);
        for (let taskIndex = 0; taskIndex < consumers; taskIndex++) {
          const consumer = { taskIndex, taskCount: consumers };
          const opened = coalesceRanges(producerPartitions, producers, consumer).map((range) => range.producerTask);
          for (let partition = 0; partition < partitions; partition++) {
            const source = coalesceSource(partition, producerPartitions, producers, consumer);
            if (source === undefined) continue;
            assert.ok(opened.includes(source.producerTask));
            read.push(`${source.producerTask}/${source.partition}`);
          }
        }
        const expected = Array.from({ length: producers }, (_, producer) =>
          Array.from({ length: producerPartitions }, (__, partition) => `${producer}/${partition}`),
        ).flat();
        assert.deepEqual(read.sort(), expected.sort());
      }),
    );
  });
});
