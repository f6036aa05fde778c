import type { PartitionedFile } from '../../catalog/file-scan.js';
import type { DistributedLeafExec } from '../../distributed/operators/distributed-leaf-exec.js';
import { fileGroupsOf } from '../leaf-files.js';

/** Bytes [start, end) of a file that tasks read another number of times than the plan for one node does. */
export interface CoverageGap {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Times the plan for one node reads them. */
  readonly expected: number;
  /** The tasks that read them, once per time. */
  readonly tasks: readonly number[];
}

interface Edge {
  readonly at: number;
  readonly opens: boolean;
  /** null: the plan for one node. */
  readonly task: number | null;
}

/** Where the variants of a leaf, taken together, do not read what the original reads; empty for leaves that read no files. */
export function coverageGaps(leaf: DistributedLeafExec): CoverageGap[] {
  const original = fileGroupsOf(leaf.original);
  const variants = leaf.variants.map(fileGroupsOf);
  if (original === null || variants.includes(null)) return [];
  const edges = new Map<string, Edge[]>();
  const add = (piece: PartitionedFile, task: number | null): void => {
    const { path, size, range } = piece;
    const own = edges.get(path) ?? [];
    edges.set(path, own);
    const { start, end } = range ?? { start: 0, end: size };
    if (end > start) own.push({ at: start, opens: true, task }, { at: end, opens: false, task });
  };
  for (const piece of original.flat()) add(piece, null);
  for (const [task, groups] of variants.entries()) for (const piece of groups?.flat() ?? []) add(piece, task);
  return [...edges].flatMap(([path, own]) => gapsOfFile(path, own));
}

/** Sweeps over a file and compares how often each stretch is read. */
function gapsOfFile(path: string, edges: Edge[]): CoverageGap[] {
  const gaps: CoverageGap[] = [];
  let expected = 0;
  const tasks: number[] = [];
  let start = 0;
  for (const edge of edges.sort((a, b) => a.at - b.at)) {
    if (edge.at > start && tasks.length !== expected) {
      const last = gaps.at(-1);
      const same = last?.end === start && last.expected === expected && last.tasks.join() === tasks.join();
      if (same) gaps.pop();
      gaps.push({ path, start: same ? last.start : start, end: edge.at, expected, tasks: [...tasks] });
    }
    start = edge.at;
    if (edge.task === null) expected += edge.opens ? 1 : -1;
    else if (edge.opens) tasks.push(edge.task);
    else tasks.splice(tasks.indexOf(edge.task), 1);
  }
  return gaps;
}
