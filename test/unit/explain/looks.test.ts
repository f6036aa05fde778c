/** The other looks of the stage tree: ranges, collapsed leaves, annotations (planner reference, 7.1 and 10). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DistributedLeafExec } from '../../../src/distributed/operators/distributed-leaf-exec.js';
import { ANNOTATION_MARK } from '../../../src/explain/annotations.js';
import { collapsedLeaf } from '../../../src/explain/collapsed-leaf.js';
import { checkShown } from '../../../src/explain/formats.js';
import { renderIndent } from '../../../src/explain/indent.js';
import { renderTree, type TreeOptions } from '../../../src/explain/tree.js';
import type { ExecutionPlan } from '../../../src/physical/execution-plan.js';
import { joinedAndGrouped, spreadUnion } from '../../support/explained-plans.js';
import { goldenFolder } from '../../support/golden.js';
import { scan, table } from '../../support/plan-builders.js';

const goldens = goldenFolder('test/unit/explain/golden/looks');
const plans = { joined: joinedAndGrouped(), union: spreadUnion() };
const looks: Readonly<Record<string, TreeOptions>> = {
  ranges: { taskView: 'ranges' },
  collapsed: { collapse: true },
  'collapsed-ranges': { collapse: true, taskView: 'ranges' },
  annotated: { annotate: true },
};

for (const [planName, plan] of Object.entries(plans)) {
  for (const [look, options] of Object.entries(looks)) {
    test(`${planName}, ${look}`, () => {
      goldens.match(`${planName}.${look}.txt`, renderTree(plan, options));
    });
  }
}

describe('collapsed leaves', () => {
  const leaf = (...variants: ExecutionPlan[]): DistributedLeafExec => {
    const [first] = variants;
    assert.ok(first !== undefined);
    return new DistributedLeafExec(first, variants);
  };

  test('neighbours that read equally much share an entry; a file in two pieces is one file', () => {
    const many = leaf(
      scan({ groups: [[['a', 10]], [['b', 20]]], columns: ['k'] }),
      scan({ groups: [[['c', 30]], [['d', 0]]], columns: ['k'] }),
      scan({ groups: [[['e', 5]], [['e', 6]]], columns: ['k'] }),
      scan({ groups: [[], []], columns: ['k'] }),
    );
    assert.equal(
      collapsedLeaf(many),
      'DistributedLeafExec: DataSourceExec: files={t0..t1: 2 files, 30.0 B; t2: 1 file, 11.0 B; t3: 0 files, 0.0 B}, projection=[k], file_type=parquet',
    );
  });

  test('variants that differ in more than files keep their lines', () => {
    const limited = scan({ groups: [[['a', 10]]], columns: ['k'], limit: 5 });
    assert.equal(collapsedLeaf(leaf(scan({ groups: [[['a', 10]]], columns: ['k'] }), limited)), null);
  });
});

describe('annotations', () => {
  test('each kind once, above its first node', () => {
    const lines = renderTree(plans.joined, { annotate: true }).split('\n');
    const sentences = lines.filter((line) => line.includes(ANNOTATION_MARK)).map((line) => line.trim().slice(2).trim());
    assert.ok(sentences.length >= 8);
    assert.equal(new Set(sentences).size, sentences.length);
    const stripped = lines.filter((line) => !line.includes(ANNOTATION_MARK)).join('\n');
    assert.equal(stripped, renderTree(plans.joined), 'the plan itself is unchanged');
  });

  test('in the indented text too', () => {
    assert.match(renderIndent(table('t', 1), { annotate: true }), /^-- Reads files .*\nDataSourceExec: /);
  });
});

test('a format says what it cannot show', () => {
  assert.throws(() => {
    checkShown('json', { collapse: true });
  }, /--format json does not show --collapse/);
  assert.throws(() => {
    checkShown('indent', { taskView: 'ranges' });
  }, /--format indent does not show --task-view/);
  checkShown('json', { collapse: false, annotate: false, taskView: 'variants' });
  checkShown('indent', { annotate: true });
});
