/** Plans compared node by node: goldens, and what a diff must keep of both sides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDiff } from '../../../src/explain/diff.js';
import { type AlignedNode, alignTrees } from '../../../src/explain/tree-alignment.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { joinedAndGrouped, manyStages, spreadUnion, twoStages } from '../../support/explained-plans.js';
import { goldenFolder } from '../../support/golden.js';
import { filter, grouped, table } from '../../support/plan-builders.js';

const goldens = goldenFolder('test/unit/explain/golden/diff');
const plain = grouped(table('t', 2), ['k'], 2);
const filtered = grouped(filter(table('t', 2), 'v', 7), ['k'], 4);
const pairs: Readonly<Record<string, readonly [ExecutionPlan, ExecutionPlan]>> = {
  filtered: [plain, filtered],
  distributed: [twoStages(), joinedAndGrouped()],
  union: [twoStages(), spreadUnion()],
  large: [manyStages(2), manyStages(3)],
};

for (const [name, [a, b]] of Object.entries(pairs)) {
  test(`${name}: golden`, () => {
    goldens.match(`${name}.txt`, renderDiff(a, b));
  });

  test(`${name}: both plans can be read from it`, () => {
    const side = (text: string, drop: string): string[] =>
      text.split('\n').filter((line) => !line.startsWith(drop) && !/^~ +→/.test(line));
    const nodes = (plan: ExecutionPlan): number => renderDiff(plan, plan).split('\n').length;
    assert.equal(side(renderDiff(a, b), '+').length, nodes(a));
    assert.equal(side(renderDiff(a, b), '-').length, nodes(b));
    const count = (text: string, mark: string): number =>
      text.split('\n').filter((line) => line.startsWith(mark)).length;
    assert.equal(count(renderDiff(a, b), '-'), count(renderDiff(b, a), '+'));
  });

  test(`${name}: a plan is like itself`, () => {
    for (const plan of [a, b])
      assert.ok(
        renderDiff(plan, plan)
          .trimEnd()
          .split('\n')
          .every((line) => line.startsWith('  ')),
      );
  });
}

test('the fewest nodes are touched', () => {
  const node = (kind: string, ...children: AlignedNode[]): AlignedNode => ({ kind, key: kind, children });
  const a = node('r', node('x', node('a'), node('b')), node('c'));
  const b = node('r', node('a'), node('b'), node('y', node('c')));
  const pairs = alignTrees(a, b);
  assert.deepEqual([...pairs.keys()].map(({ kind }) => kind).toSorted(), ['a', 'b', 'c', 'r']);
});
