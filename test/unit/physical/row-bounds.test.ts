import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Arena } from '../../../src/columnar/arena.js';
import { DATE32, FLOAT64, INT64, UTF8_VIEW } from '../../../src/columnar/data-type.js';
import { columnFromValues } from '../../../src/columnar/from-values.js';
import { heap } from '../../../src/columnar/heap.js';
import type { DataType } from '../../../src/columnar/data-type.js';
import type { ScalarValue } from '../../../src/columnar/scalar-value.js';
import { type BoundValue, compareBounds, type RowBound } from '../../../src/columnar/rows/row-bound.js';
import { RowBoundFilter } from '../../../src/columnar/rows/row-bound-filter.js';
import { RowBounds, type RowBoundsUpdate, TaskRowBounds } from '../../../src/physical/row-bounds.js';

type Way = 'asc first' | 'asc last' | 'desc first' | 'desc last';

function bound(values: readonly BoundValue[], ways: readonly Way[], inclusive = false): RowBound {
  const keys = values.map((value, child) => ({
    child,
    descending: ways[child]!.startsWith('desc'),
    nullsFirst: ways[child]!.endsWith('first'),
    value,
  }));
  return { keys, inclusive };
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Positions of the rows that pass. */
function passing(
  bounds: readonly RowBound[],
  columns: readonly { readonly type: DataType; readonly values: readonly ScalarValue['value'][] }[],
  { missing = [], selected }: { missing?: readonly number[]; selected?: readonly number[] } = {},
): number[] {
  const arena = new Arena();
  const own = new Arena();
  const filter = new RowBoundFilter(
    columns.map(({ type }, child) => (missing.includes(child) ? null : type)),
    own,
  );
  filter.use(bounds);
  const count = columns[0]!.values.length;
  let rows = { selection: 0, count };
  if (selected !== undefined) {
    rows = { selection: arena.alloc(selected.length * 4), count: selected.length };
    heap.u32.set(selected, rows.selection >>> 2);
  }
  const kept = filter.keep(
    columns.map(({ type, values }) => columnFromValues(type, values, arena)),
    rows,
    arena,
  );
  const found =
    kept.selection === 0
      ? Array.from({ length: kept.count }, (_, i) => i)
      : [...heap.u32.subarray(kept.selection >>> 2, (kept.selection >>> 2) + kept.count)];
  arena.free();
  own.free();
  return found;
}

describe('rows within a bound', () => {
  const ints = { type: INT64, values: [1n, null, 3n, 5n, 3n] };
  test('the place itself is out, or in', () => {
    assert.deepEqual(passing([bound([3n], ['asc last'])], [ints]), [0]);
    assert.deepEqual(passing([bound([3n], ['asc last'], true)], [ints]), [0, 2, 4]);
    assert.deepEqual(passing([bound([3n], ['asc first'])], [ints]), [0, 1]);
    assert.deepEqual(passing([bound([3n], ['desc first'])], [ints]), [1, 3]);
    assert.deepEqual(passing([bound([3n], ['desc last'])], [ints]), [3]);
  });
  test('a NULL that is first lets nothing pass but NULLs, one that is last everything else', () => {
    assert.deepEqual(passing([bound([null], ['asc first'])], [ints]), []);
    assert.deepEqual(passing([bound([null], ['asc first'], true)], [ints]), [1]);
    assert.deepEqual(passing([bound([null], ['desc last'])], [ints]), [0, 2, 3, 4]);
  });
  test('NaN is above all numbers, −0 is 0', () => {
    const floats = { type: FLOAT64, values: [NaN, -0, 0, Infinity, -1, null] };
    assert.deepEqual(passing([bound([0], ['asc last'])], [floats]), [4]);
    assert.deepEqual(passing([bound([-0], ['asc last'], true)], [floats]), [1, 2, 4]);
    assert.deepEqual(passing([bound([Infinity], ['desc last'])], [floats]), [0]);
    assert.deepEqual(passing([bound([NaN], ['asc last'])], [floats]), [1, 2, 3, 4]);
  });
  test('keys decide one after the other; where a column is missing, the keys before it, ties included', () => {
    const days = { type: DATE32, values: [7, 7, 8, 6, 7] };
    const texts = { type: UTF8_VIEW, values: ['b', 'a', 'a', 'z', null] };
    const both = [bound([7, text('b')], ['asc last', 'desc first'])];
    assert.deepEqual(passing(both, [days, texts]), [3, 4]);
    assert.deepEqual(passing(both, [days, texts], { missing: [1] }), [0, 1, 3, 4]);
    assert.deepEqual(passing(both, [days, texts], { missing: [0] }), [0, 1, 2, 3, 4]);
  });
  test('one of several bounds is enough, and a selection stays one', () => {
    const either = [bound([2n], ['asc last']), bound([4n], ['desc last'])];
    assert.deepEqual(passing(either, [ints]), [0, 3]);
    assert.deepEqual(passing(either, [ints], { selected: [1, 2, 3] }), [3]);
    assert.deepEqual(passing([bound([9n], ['asc last'])], [ints], { selected: [0, 2] }), [0, 2]);
  });
});

describe('bounds of a query', () => {
  const at = (value: bigint): readonly RowBound[] => [bound([value], ['asc last'])];

  test('only tighten; other processes hear of it', () => {
    const told: RowBoundsUpdate[] = [];
    const here = new RowBounds((update) => told.push(update));
    assert.equal(here.current(1), null);
    here.publish({ id: 1, bounds: at(5n) });
    const first = here.current(1);
    here.publish({ id: 1, bounds: at(7n) });
    assert.equal(here.current(1), first);
    here.receive({ id: 1, bounds: at(3n) });
    assert.deepEqual(here.current(1), at(3n));
    assert.equal(here.current(2), null);
    assert.deepEqual(told, [{ id: 1, bounds: at(5n) }]);
  });

  test('what was held back is told later', () => {
    const told: RowBoundsUpdate[] = [];
    let now = 1_000;
    const here = new RowBounds(
      (update) => told.push(update),
      () => now,
    );
    here.publish({ id: 1, bounds: at(9n) });
    here.publish({ id: 1, bounds: at(4n) });
    here.current(1);
    assert.equal(told.length, 1);
    now += 1_000;
    here.current(1);
    here.current(1);
    assert.deepEqual(told.slice(1), [{ id: 1, bounds: at(4n) }]);
  });

  test('long values stay in their process', () => {
    const here = new RowBounds(() => assert.fail('told'));
    here.publish({ id: 1, bounds: [bound([text('x'.repeat(5000))], ['asc last'])] });
    assert.notEqual(here.current(1), null);
  });

  test('a task is strict about its own bounds and keeps the ties of others', () => {
    const query = new RowBounds();
    const [a, b] = [new TaskRowBounds(query), new TaskRowBounds(query)];
    a.publish(1, at(5n));
    assert.deepEqual(a.current(1), at(5n));
    assert.deepEqual(b.current(1), [bound([5n], ['asc last'], true)]);
    b.publish(1, at(4n));
    assert.deepEqual(a.current(1), [bound([4n], ['asc last'], true)]);
    assert.deepEqual(b.current(1), at(4n));
    a.publish(1, at(4n));
    assert.deepEqual(a.current(1), at(4n));
    assert.equal(a.current(1), a.current(1));
  });

  test('compare as the sort does', () => {
    const order = (x: BoundValue, y: BoundValue, way: Way): number =>
      compareBounds(bound([x], [way]), bound([y], [way]));
    assert.ok(order(null, 1, 'asc first') < 0);
    assert.ok(order(null, 1, 'desc last') > 0);
    assert.equal(order(null, null, 'asc last'), 0);
    assert.ok(order(NaN, Infinity, 'asc last') > 0);
    assert.ok(order(NaN, Infinity, 'desc last') < 0);
    assert.equal(order(NaN, NaN, 'asc last'), 0);
    assert.equal(order(-0, 0, 'asc last'), 0);
    assert.ok(order(text('é'), text('z'), 'asc last') > 0);
    assert.ok(order({ months: 1, days: 0, nanos: 0n }, { months: 1, days: 0, nanos: 1n }, 'asc last') < 0);
    assert.ok(order(false, true, 'asc last') < 0);
  });
});
