import { NetworkBoundary } from '../distributed/network-boundary.js';
import { DistributedExec } from '../distributed/operators/distributed-exec.js';
import { DistributedLeafExec } from '../distributed/operators/distributed-leaf-exec.js';
import { headerPartitions, type Stage } from '../distributed/stage.js';
import type { ExecutionPlan } from '../physical/execution-plan.js';
import { type AlignedNode, alignTrees } from './tree-alignment.js';

interface DiffNode extends AlignedNode {
  readonly text: string;
  readonly depth: number;
  readonly children: readonly DiffNode[];
}

/**
 * Two plans as one tree, node by node: two blanks before what both have, `-` before what only the first has, `+` before what only the
 * second has, `~` before the two forms of a node that changed. Numbers of stages do not count as a change. Ends with a newline.
 */
export function renderDiff(first: ExecutionPlan, second: ExecutionPlan): string {
  const a = diffTree(first, 0);
  const b = diffTree(second, 0);
  const pairs = alignTrees<DiffNode>(a, b);
  const left = preOrder(a);
  const right = preOrder(b);
  const lines: string[] = [];
  const write = (mark: string, { depth, text }: DiffNode): void => {
    lines.push(`${mark} ${'  '.repeat(depth)}${text}`);
  };
  let next = 0;
  // Pairs keep the order of both trees: what is not paired stands between them.
  for (const node of left) {
    const partner = pairs.get(node);
    if (partner === undefined) {
      write('-', node);
      continue;
    }
    for (let other = right[next]; other !== undefined && other !== partner; other = right[++next]) write('+', other);
    const own = right[next++];
    if (own === undefined) continue;
    if (own.key === node.key) {
      write(' ', own);
    } else {
      write('~', node);
      lines.push(`~ ${'  '.repeat(own.depth)}→ ${own.text}`);
    }
  }
  for (const other of right.slice(next)) write('+', other);
  return `${lines.join('\n')}\n`;
}

function diffTree(node: ExecutionPlan, depth: number): DiffNode {
  if (node instanceof DistributedExec) return named('DistributedExec', 'DistributedExec', depth, [node.input]);
  const text = node.describe({ full: true }).trim();
  if (node instanceof DistributedLeafExec) {
    const variants = node.variants.map((variant, task): DiffNode => {
      const own = `t${task}: ${variant.describe({ full: true }).trim()}`;
      return { kind: `variant ${variant.name}`, key: own, text: own, depth: depth + 1, children: [] };
    });
    return { kind: node.name, key: '', text: 'DistributedLeafExec:', depth, children: variants };
  }
  if (node instanceof NetworkBoundary) {
    return {
      kind: node.name,
      key: withoutNumbers(text),
      text,
      depth,
      children: [stageTree(node.inputStage, depth + 1)],
    };
  }
  return named(node.name, text, depth, node.children);
}

function named(kind: string, text: string, depth: number, children: readonly ExecutionPlan[]): DiffNode {
  return { kind, key: text, text, depth, children: children.map((child) => diffTree(child, depth + 1)) };
}

function stageTree(stage: Stage, depth: number): DiffNode {
  if (stage.state === 'remote') {
    const text = `Stage ${stage.id}: its plan was handed to workers`;
    return { kind: 'stage', key: withoutNumbers(text), text, depth, children: [] };
  }
  const text = `Stage ${stage.id} ── tasks=${stage.tasks}, partitions=${headerPartitions(stage)}`;
  return { kind: 'stage', key: withoutNumbers(text), text, depth, children: [diffTree(stage.plan, depth + 1)] };
}

function withoutNumbers(text: string): string {
  return text.replace(/Stage \d+/, 'Stage');
}

function preOrder(node: DiffNode): DiffNode[] {
  return [node, ...node.children.flatMap(preOrder)];
}
