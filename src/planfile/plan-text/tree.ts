import type { PlanLine } from './plan-line.js';
import { lineError } from './plan-line.js';

/** A node of a plan as its text has it. */
export interface TextNode {
  readonly line: PlanLine;
  readonly children: readonly TextNode[];
}

interface OpenNode extends TextNode {
  readonly children: OpenNode[];
}

/** Deeper plans than people write; the walks over a tree are recursive. */
const MOST_LEVELS = 1000;

/** The tree that the indentation of the lines tells; a line that fits nowhere is a `parse` error. */
export function treeOf(lines: readonly PlanLine[]): TextNode {
  const path: OpenNode[] = [];
  let root: OpenNode | undefined;
  const base = lines[0]?.level ?? 0;
  for (const line of lines) {
    const level = line.level - base;
    const node: OpenNode = { line, children: [] };
    if (root === undefined) root = node;
    else if (level === 0) {
      throw lineError(line, 0, 'a plan has one root, and this line starts another', 'give one plan a file');
    } else if (!Number.isInteger(level) || level < 0 || level > path.length) {
      throw lineError(
        line,
        0,
        `the line is ${2 * line.level} blanks in, and ${expectedIndents(base, path.length)} are expected`,
        'a node stands two blanks further in than the node that reads it',
      );
    } else if (level > MOST_LEVELS) {
      throw lineError(line, 0, `the plan is more than ${MOST_LEVELS} levels deep`, 'shorten it');
    }
    path.length = level;
    path.at(-1)?.children.push(node);
    path.push(node);
  }
  if (root === undefined) throw new Error('a tree of no lines');
  return root;
}

function expectedIndents(base: number, depth: number): string {
  const first = 2 * (base + 1);
  const last = 2 * (base + depth);
  return first === last ? `${first}` : `${first}, … or ${last}`;
}

/** The node's name: what stands before the first `:` or blank. */
export function nodeName({ line }: TextNode): string {
  return /^[^:\s]*/.exec(line.text)?.[0] ?? '';
}

export function visitNodes(node: TextNode, visit: (node: TextNode) => void): void {
  visit(node);
  for (const child of node.children) visitNodes(child, visit);
}
