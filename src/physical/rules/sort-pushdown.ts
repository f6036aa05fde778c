import { collectPhysicalColumns, mapPhysicalColumns, shiftColumns } from '../../expr/physical-expr-transform.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import { orderingSatisfied, outputOrdering, reorder, sortRequirementsCompatible } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { GlobalLimitExec } from '../operators/global-limit-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { joinOutputSides } from '../operators/join-schema.js';
import { OutputRequirementExec } from '../operators/output-requirement-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { SortPreservingMergeExec } from '../operators/sort-preserving-merge-exec.js';
import { UnionExec } from '../operators/union-exec.js';
import { PlanContext } from './plan-context.js';
import { addSortAbove } from './plan-kinds.js';

type Keys = readonly PhysicalSortExpr[];

/** What the nodes above want of a node's rows. */
interface Demand {
  readonly order: Keys | null;
  /** Rows they need at most. */
  readonly fetch: number | null;
}

type Node = PlanContext<Demand>;

const NO_DEMAND: Demand = { order: null, fetch: null };

/** Moves sorts down while their order survives on the way up, and melts sorts that meet. */
export function pushDownSorts(plan: ExecutionPlan): ExecutionPlan {
  const root = PlanContext.of(plan, NO_DEMAND);
  demandOfChildren(root);
  return root.transformDown(push).plan;
}

/** Children get what their parent itself requires. */
function demandOfChildren(node: Node): void {
  const required = node.plan.requiredInputOrdering();
  for (const [i, child] of node.children.entries()) {
    child.data = { order: required[i] ?? null, fetch: child.plan.fetch };
  }
}

function minFetch(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

function push(node: Node): Node {
  const { plan } = node;
  const { order: demanded, fetch: parentFetch } = node.data;
  if (demanded === null) {
    if (!(plan instanceof SortExec)) {
      demandOfChildren(node);
      return node;
    }
    const below = node.children[0]!;
    below.data = { order: outputOrdering(plan.properties) ?? plan.exprs, fetch: minFetch(plan.fetch, parentFetch) };
    return push(below);
  }
  const satisfied = orderingSatisfied(demanded, plan.properties);
  if (plan instanceof SortExec) {
    const own = outputOrdering(plan.properties) ?? plan.exprs;
    const parentIsStricter = sortRequirementsCompatible(demanded, own, plan.properties);
    const below = node.children[0]!;
    if (!satisfied && !parentIsStricter) {
      // Two different orders one above the other: both sorts stay.
      const inner = addSortAbove(below, own, plan.fetch, NO_DEMAND);
      const outer = addSortAbove(inner, demanded, parentFetch, NO_DEMAND);
      below.data = NO_DEMAND;
      return outer === inner ? push(inner) : outer;
    }
    const ownIsStricter = sortRequirementsCompatible(own, demanded, plan.properties);
    below.data = { order: ownIsStricter ? own : demanded, fetch: minFetch(plan.fetch, parentFetch) };
    return push(below);
  }
  if (satisfied) {
    const required = plan.requiredInputOrdering();
    const reach = passesRows(plan) ? parentFetch : null;
    for (const [i, child] of node.children.entries()) {
      child.data = { order: required[i] ?? null, fetch: minFetch(reach, child.plan.fetch) };
    }
    return node;
  }
  const passed = passDown(plan, demanded, parentFetch);
  if (passed !== undefined) {
    const fetch = minFetch(plan.fetch, parentFetch);
    for (const [i, child] of node.children.entries()) child.data = { order: passed[i] ?? null, fetch };
    return node;
  }
  node.data = NO_DEMAND;
  const sorted = addSortAbove(node, demanded, parentFetch, NO_DEMAND);
  if (sorted === node) demandOfChildren(node);
  return sorted;
}

/** Whether the first rows of the output come from the first rows of the input. */
function passesRows(plan: ExecutionPlan): boolean {
  return (
    plan instanceof ProjectionExec || plan instanceof SortPreservingMergeExec || plan instanceof OutputRequirementExec
  );
}

/** The demand restated for each child; undefined when a sort must stay above this node. */
function passDown(plan: ExecutionPlan, demanded: Keys, fetch: number | null): (Keys | null)[] | undefined {
  if (plan.fetch !== null || plan instanceof GlobalLimitExec) {
    // Sorting below a limit would let other rows through, unless they are in that order anyway.
    const own = outputOrdering(plan.properties);
    const fits = own !== null && sortRequirementsCompatible(demanded, own, plan.properties);
    return fits && plan.children.length === 1 ? [demanded] : undefined;
  }
  if (plan instanceof UnionExec) return fetch === null ? plan.children.map(() => demanded) : undefined;
  if (plan instanceof ProjectionExec) return throughProjection(plan, demanded);
  if (plan instanceof OutputRequirementExec) return [demanded];
  if (plan instanceof SortPreservingMergeExec) {
    const own = outputOrdering(plan.properties) ?? [];
    return orderingSatisfied(own, reorder(plan.properties, demanded)) ? [demanded] : undefined;
  }
  // Rows of a join are not those of its input: a limit stays above.
  return plan instanceof HashJoinExec && fetch === null ? throughJoin(plan, demanded) : undefined;
}

/** Below a projection that only picks columns, keys are its inputs. */
function throughProjection({ exprs }: ProjectionExec, demanded: Keys): Keys[] | undefined {
  if (!exprs.every(({ expr }) => expr.kind === 'column')) return undefined;
  if (!demanded.every(({ expr }) => expr.kind === 'column')) return undefined;
  return [
    demanded.map((key) => ({ ...key, expr: mapPhysicalColumns(key.expr, (column) => exprs[column.index]!.expr) })),
  ];
}

/** Keys that all come from the probe side can be made there. */
function throughJoin(join: HashJoinExec, demanded: Keys): (Keys | null)[] | undefined {
  if (join.maintainsInputOrder()[1] !== true) return undefined;
  const offset = joinOutputSides(join.joinType).left ? join.left.schema.length : 0;
  const position = (index: number): number => join.projection?.[index] ?? index;
  const limit = offset + join.right.schema.length;
  const fromRight = collectPhysicalColumns(demanded.map(({ expr }) => expr)).every(({ index }) => {
    const at = position(index);
    return at >= offset && at < limit;
  });
  if (!fromRight) return undefined;
  const keys = demanded.map((key) => {
    const overJoin = mapPhysicalColumns(key.expr, (column) => ({ ...column, index: position(column.index) }));
    return { ...key, expr: shiftColumns(overJoin, -offset) };
  });
  return [null, keys];
}
