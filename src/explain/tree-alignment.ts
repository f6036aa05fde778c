/** An ordered tree whose nodes can be compared. */
export interface AlignedNode {
  /** Nodes of different kinds are never paired. */
  readonly kind: string;
  /** What is compared within a kind. */
  readonly key: string;
  readonly children: readonly AlignedNode[];
}

const REMOVE = 4;
/** More than removing one node and adding the other, so that it is never chosen. */
const NEVER = 2 * REMOVE + 1;

/**
 * Pairs the nodes of two trees so that the fewest are removed, added or changed; pairs keep ancestors and order. Zhang and Shasha's
 * tree edit distance ("Simple fast algorithms for the editing distance between trees", 1989).
 */
export function alignTrees<T extends AlignedNode>(a: T, b: T): Map<AlignedNode, AlignedNode> {
  const left = new PostOrder(a);
  const right = new PostOrder(b);
  const width = right.nodes.length + 1;
  const distances = new Int32Array((left.nodes.length + 1) * width);
  for (const i of left.keyRoots) for (const j of right.keyRoots) forest(left, right, i, j, distances);
  const pairs = new Map<AlignedNode, AlignedNode>();
  trace(left, right, left.nodes.length, right.nodes.length, distances, pairs);
  return pairs;
}

/** Nodes in post-order, counted from 1. */
class PostOrder {
  readonly nodes: AlignedNode[] = [];
  /** Per node, the first node of its subtree. */
  readonly first: number[] = [0];
  readonly keyRoots: readonly number[];

  constructor(root: AlignedNode) {
    const visit = (node: AlignedNode): number => {
      const firsts = node.children.map(visit);
      this.nodes.push(node);
      const first = firsts[0] ?? this.nodes.length;
      this.first.push(first);
      return first;
    };
    visit(root);
    const last = new Map<number, number>();
    for (let index = 1; index <= this.nodes.length; index++) last.set(this.firstOf(index), index);
    this.keyRoots = [...last.values()].sort((a, b) => a - b);
  }

  firstOf(index: number): number {
    return this.first[index] ?? 0;
  }

  node(index: number): AlignedNode | undefined {
    return this.nodes[index - 1];
  }
}

/** Distances between the forests that end in nodes i and j; distances of whole subtrees go to `distances`. */
function forest(left: PostOrder, right: PostOrder, i: number, j: number, distances: Int32Array): Int32Array {
  const fromA = left.firstOf(i);
  const fromB = right.firstOf(j);
  const columns = j - fromB + 2;
  const width = right.nodes.length + 1;
  const table = new Int32Array((i - fromA + 2) * columns);
  const at = (x: number, y: number): number => table[(x - fromA + 1) * columns + (y - fromB + 1)] ?? 0;
  for (let x = fromA; x <= i; x++) table[(x - fromA + 1) * columns] = at(x - 1, fromB - 1) + REMOVE;
  for (let y = fromB; y <= j; y++) table[y - fromB + 1] = at(fromA - 1, y - 1) + REMOVE;
  for (let x = fromA; x <= i; x++) {
    for (let y = fromB; y <= j; y++) {
      const whole = left.firstOf(x) === fromA && right.firstOf(y) === fromB;
      const pair = whole
        ? at(x - 1, y - 1) + changeCost(left.node(x), right.node(y))
        : at(left.firstOf(x) - 1, right.firstOf(y) - 1) + (distances[x * width + y] ?? 0);
      const least = Math.min(at(x - 1, y) + REMOVE, at(x, y - 1) + REMOVE, pair);
      table[(x - fromA + 1) * columns + (y - fromB + 1)] = least;
      if (whole) distances[x * width + y] = least;
    }
  }
  return table;
}

function trace(
  left: PostOrder,
  right: PostOrder,
  i: number,
  j: number,
  distances: Int32Array,
  pairs: Map<AlignedNode, AlignedNode>,
): void {
  const fromA = left.firstOf(i);
  const fromB = right.firstOf(j);
  const columns = j - fromB + 2;
  const table = forest(left, right, i, j, distances);
  const at = (x: number, y: number): number => table[(x - fromA + 1) * columns + (y - fromB + 1)] ?? 0;
  let x = i;
  let y = j;
  while (x >= fromA && y >= fromB) {
    const whole = left.firstOf(x) === fromA && right.firstOf(y) === fromB;
    const a = left.node(x);
    const b = right.node(y);
    if (at(x, y) === at(x - 1, y) + REMOVE) x--;
    else if (at(x, y) === at(x, y - 1) + REMOVE) y--;
    else if (whole) {
      if (a !== undefined && b !== undefined) pairs.set(a, b);
      x--;
      y--;
    } else {
      trace(left, right, x, y, distances, pairs);
      x = left.firstOf(x) - 1;
      y = right.firstOf(y) - 1;
    }
  }
}

function changeCost(a: AlignedNode | undefined, b: AlignedNode | undefined): number {
  if (a === undefined || b === undefined || a.kind !== b.kind) return NEVER;
  return a.key === b.key ? 0 : REMOVE - 1;
}
