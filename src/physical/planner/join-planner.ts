import type { SessionConfig } from '../../config/session-config.js';
import { displayExpr, schemaName } from '../../expr/expr-display.js';
import type { Expr } from '../../expr/expr.js';
import { columnIndices, mapPhysicalColumns } from '../../expr/physical-expr-transform.js';
import { type PhysicalExpr, physicalColumn } from '../../expr/physical-expr.js';
import { toPhysicalExpr } from '../../expr/physical-planner.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { JoinNode } from '../../logical/plan.js';
import type { ProjectedExpr } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { CrossJoinExec } from '../operators/cross-join-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { type JoinColumn, type JoinFilter, joinFilterSchema } from '../operators/join-filter.js';
import { joinOutputSides } from '../operators/join-schema.js';
import { NestedLoopJoinExec } from '../operators/nested-loop-join-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';

/**
 * Without keys a cross or nested loop join; with keys a hash join whose mode is left to join selection. Keys that are no plain columns
 * are computed in projections below, which a projection above hides again.
 */
export function planJoin(
  node: JoinNode,
  left: ExecutionPlan,
  right: ExecutionPlan,
  config: SessionConfig,
): ExecutionPlan {
  if (node.on.length === 0) {
    if (node.filter === null && node.joinType === 'Inner') return new CrossJoinExec(left, right);
    return new NestedLoopJoinExec(left, right, node.joinType, planJoinFilter(node, left, right));
  }
  const leftKeys = computeKeys(
    node.on.map(([key]) => key),
    node.left.schema,
    left,
  );
  const rightKeys = computeKeys(
    node.on.map(([, key]) => key),
    node.right.schema,
    right,
  );
  const on = leftKeys.keys.map((key, i) => [key, rightKeys.keys[i]!] as const);
  const spread = config.get('execution.target_partitions') > 1 && config.get('optimizer.repartition_joins');
  const join = new HashJoinExec(
    leftKeys.plan,
    rightKeys.plan,
    on,
    node.joinType,
    spread && !node.nullAware ? 'Auto' : 'CollectLeft',
    {
      filter: node.filter === null ? null : planJoinFilter(node, left, right),
      nullEqualsNull: node.nullEqualsNull,
      nullAware: node.nullAware,
    },
  );
  if (leftKeys.plan === left && rightKeys.plan === right) return join;
  return ProjectionExec.ofColumns(join, outputWithoutKeys(node, left, right, join));
}

/** Positions, in a join over widened inputs, of what the join over the plain inputs puts out. */
function outputWithoutKeys(
  { joinType }: JoinNode,
  left: ExecutionPlan,
  right: ExecutionPlan,
  join: HashJoinExec,
): number[] {
  const sides = joinOutputSides(joinType);
  const positions: number[] = [];
  if (sides.left) positions.push(...left.schema.fields.keys());
  const offset = sides.left ? join.left.schema.length : 0;
  if (sides.right) for (const index of right.schema.fields.keys()) positions.push(offset + index);
  if (sides.mark) positions.push(join.schema.length - 1);
  return positions;
}

interface ComputedKeys {
  readonly plan: ExecutionPlan;
  readonly keys: readonly PhysicalExpr[];
}

/** The keys as columns: of the input, or of a projection that appends what has to be computed. */
function computeKeys(keys: readonly Expr[], schema: DFSchema, input: ExecutionPlan): ComputedKeys {
  const physical = keys.map((key) => toPhysicalExpr(key, schema));
  if (keys.every((key) => key.kind === 'column')) return { plan: input, keys: physical };
  const exprs: ProjectedExpr[] = input.schema.fields.map(({ name }, index) => ({
    expr: physicalColumn(input.schema, index),
    name,
  }));
  const positions = keys.map((key, i) => {
    const expr = physical[i]!;
    if (expr.kind === 'column') return expr.index;
    // A cast is invisible in a schema name: the name would be taken by the column itself.
    exprs.push({ expr, name: key.kind === 'cast' ? displayExpr(key) : schemaName(key) });
    return exprs.length - 1;
  });
  const plan = new ProjectionExec(exprs, input);
  return { plan, keys: positions.map((index) => physicalColumn(plan.schema, index)) };
}

/** The filter over the columns it needs: the left side's in ascending position, then the right side's. */
function planJoinFilter(node: JoinNode, left: ExecutionPlan, right: ExecutionPlan): JoinFilter | null {
  if (node.filter === null) return null;
  const both = node.left.schema.concat(node.right.schema);
  const expr = toPhysicalExpr(node.filter, both);
  const leftCount = node.left.schema.length;
  const used = columnIndices([expr]);
  const columns = used.map(
    (index): JoinColumn => (index < leftCount ? { side: 'left', index } : { side: 'right', index: index - leftCount }),
  );
  return {
    expr: mapPhysicalColumns(expr, (column) => ({ ...column, index: used.indexOf(column.index) })),
    columns,
    schema: joinFilterSchema(columns, left.schema, right.schema),
  };
}
