import {
  collectPhysicalColumns,
  physicalExprsEqual,
  remapColumns,
  shiftColumns,
} from '../../expr/physical-expr-transform.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { finalGroupBy } from '../aggregate-expr.js';
import { normalizeExpr } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { CoalescePartitionsExec } from '../operators/coalesce-partitions-exec.js';
import { CrossJoinExec } from '../operators/cross-join-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { RepartitionExec } from '../operators/repartition-exec.js';
import { PlanContext } from './plan-context.js';

/** `data`: the keys, in order, by which a node above wants its rows hashed; empty = nobody cares. */
type Node = PlanContext<readonly PhysicalExpr[]>;

/** Orders the keys of partitioned joins and aggregates like those of the nodes above, so that one repartition serves both. */
export function reorderJoinKeys(plan: ExecutionPlan): ExecutionPlan {
  return PlanContext.of<readonly PhysicalExpr[]>(plan, []).transformDown(adjust).plan;
}

function adjust(node: Node): Node {
  const { plan, data: required } = node;
  const [first, second] = node.children;
  if (plan instanceof HashJoinExec && first !== undefined && second !== undefined) {
    switch (plan.mode) {
      case 'Partitioned':
        return adjustJoin(node, plan);
      case 'CollectLeft':
        second.data = throughCollectedJoin(plan, required);
        return node;
      case 'Auto':
        return node;
    }
  }
  if (plan instanceof CrossJoinExec && second !== undefined) {
    second.data = shiftDown(required, plan.left.schema.length) ?? [];
    return node;
  }
  if (plan instanceof AggregateExec) {
    return required.length > 0 && plan.mode === 'FinalPartitioned' ? adjustAggregate(node, plan) : node;
  }
  if (plan instanceof ProjectionExec && first !== undefined) {
    first.data = beforeProjection(required, plan) ?? [];
    return node;
  }
  if (plan instanceof RepartitionExec || plan instanceof CoalescePartitionsExec) return node;
  for (const child of node.children) child.data = required;
  return node;
}

function adjustJoin(node: Node, join: HashJoinExec): Node {
  const required = node.data;
  const leftKeys = join.on.map(([key]) => key);
  const rightKeys = join.on.map(([, key]) => key);
  const positions = matchKeys(leftKeys, rightKeys, required, join);
  const on = positions === undefined ? join.on : positions.map((i) => join.on[i]!);
  const reordered = positions?.some((position, i) => position !== i) === true;
  const plan = reordered ? new HashJoinExec(join.left, join.right, on, join.joinType, join.mode, join.options) : join;
  const [left, right] = node.children;
  left!.data = on.map(([key]) => key);
  right!.data = on.map(([, key]) => key);
  return new PlanContext(plan, required, node.children);
}

/** The permutation that makes one side's keys the required ones; undefined when there is none. */
function matchKeys(
  leftKeys: readonly PhysicalExpr[],
  rightKeys: readonly PhysicalExpr[],
  required: readonly PhysicalExpr[],
  join: HashJoinExec,
): number[] | undefined {
  if (required.length !== leftKeys.length) return undefined;
  const direct = permutation(leftKeys, required) ?? permutation(rightKeys, required);
  if (direct !== undefined) return direct;
  const classes = join.properties.equivalences;
  if (classes.length === 0) return undefined;
  const normal = (exprs: readonly PhysicalExpr[]): PhysicalExpr[] => exprs.map((expr) => normalizeExpr(expr, classes));
  const wanted = normal(required);
  return permutation(normal(leftKeys), wanted) ?? permutation(normal(rightKeys), wanted);
}

/** Per wanted expression the position of its equal among `have`, each used once. */
function permutation(have: readonly PhysicalExpr[], wanted: readonly PhysicalExpr[]): number[] | undefined {
  const positions: number[] = [];
  for (const expr of wanted) {
    const index = have.findIndex((other, i) => !positions.includes(i) && physicalExprsEqual(expr, other));
    if (index < 0) return undefined;
    positions.push(index);
  }
  return positions;
}

/** Reorders the keys of both stages, and restores the column order above. */
function adjustAggregate(node: Node, final: AggregateExec): Node {
  const partial = final.input;
  const unchanged = node;
  if (!(partial instanceof AggregateExec) || partial.mode !== 'Partial') return unchanged;
  if (final.groupBy.groups.length !== 1 || partial.groupBy.groups.length !== 1) return unchanged;
  const outputs = final.groupBy.exprs.map(({ expr, name }, index) => ({
    ...({ kind: 'column', name, index } as const),
    type: expr.type,
    nullable: expr.nullable,
  }));
  const positions = permutation(outputs, node.data);
  if (positions?.length !== outputs.length || positions.every((position, i) => position === i)) return unchanged;
  const { groups, nullExprs } = partial.groupBy;
  const groupBy = { exprs: positions.map((i) => partial.groupBy.exprs[i]!), nullExprs, groups };
  const newPartial = new AggregateExec('Partial', groupBy, partial.aggregates, partial.input, partial.options);
  const newFinal = new AggregateExec(final.mode, finalGroupBy(groupBy), final.aggregates, newPartial, final.options);
  const restored = final.schema.fields.map((_, i) => (i < positions.length ? positions.indexOf(i) : i));
  const below = PlanContext.of<readonly PhysicalExpr[]>(newFinal, []);
  return new PlanContext<readonly PhysicalExpr[]>(ProjectionExec.ofColumns(newFinal, restored), [], [below]);
}

function throughCollectedJoin(join: HashJoinExec, required: readonly PhysicalExpr[]): readonly PhysicalExpr[] {
  switch (join.joinType) {
    case 'Inner':
    case 'Right':
      return shiftDown(required, join.left.schema.length) ?? [];
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return required;
    case 'Left':
    case 'Full':
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
      return [];
  }
}

/** Expressions over a join's output as ones over its right side; undefined when one needs the left. */
function shiftDown(exprs: readonly PhysicalExpr[], leftLength: number): PhysicalExpr[] | undefined {
  const shifted: PhysicalExpr[] = [];
  for (const expr of exprs) {
    if (collectPhysicalColumns([expr]).some(({ index }) => index < leftLength)) return undefined;
    shifted.push(shiftColumns(expr, -leftLength));
  }
  return shifted;
}

function beforeProjection(
  exprs: readonly PhysicalExpr[],
  { exprs: projected }: ProjectionExec,
): PhysicalExpr[] | undefined {
  const before: PhysicalExpr[] = [];
  for (const expr of exprs) {
    const source = remapColumns(expr, (column) => {
      const below = projected[column.index]?.expr;
      return below?.kind === 'column' ? below : undefined;
    });
    if (source === undefined) return undefined;
    before.push(source);
  }
  return before;
}
