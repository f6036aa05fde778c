import { DistqError } from '../../base/errors.js';
import { typesEqual } from '../../columnar/data-type.js';
import { displayPhysicalExpr, displaySortExprs } from '../../expr/physical-expr-display.js';
import { collectPhysicalColumns } from '../../expr/physical-expr-transform.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { Schema } from '../../columnar/schema.js';
import { distributionSatisfied, orderingSatisfied } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { FilterExec } from '../operators/filter-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { OutputRequirementExec } from '../operators/output-requirement-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { visitPlan } from '../tree.js';
import type { PhysicalRule } from './physical-rule.js';

/** Changes nothing: rejects plans that cannot run, which only a bug in a rule can make. Last of all. */
export const sanityCheckPlan: PhysicalRule = {
  name: 'SanityCheckPlan',
  optimize: (plan) => {
    visitPlan(plan, check);
    return plan;
  },
};

function check(plan: ExecutionPlan): void {
  const wrong = (why: string): DistqError => new DistqError('internal', `${plan.describe({ full: false })}: ${why}`);
  if (plan instanceof OutputRequirementExec) throw wrong('is left in the finished plan');
  if (plan instanceof HashJoinExec && plan.mode === 'Auto') throw wrong('has no mode');
  const distributions = plan.requiredInputDistribution();
  const orders = plan.requiredInputOrdering();
  for (const [i, child] of plan.children.entries()) {
    if (!distributionSatisfied(distributions[i]!, child.properties, { allowSubset: true })) {
      throw wrong(`input ${i} is not distributed as it needs`);
    }
    const order = orders[i] ?? null;
    if (order !== null && !orderingSatisfied(order, child.properties)) {
      throw wrong(`input ${i} is not in the order [${displaySortExprs(order)}]`);
    }
  }
  checkHashesAgree(plan, wrong);
  if (plan instanceof FilterExec) checkColumns([plan.predicate], plan.input.schema, wrong);
  if (plan instanceof ProjectionExec) {
    checkColumns(
      plan.exprs.map(({ expr }) => expr),
      plan.input.schema,
      wrong,
    );
  }
  if (plan instanceof HashJoinExec) {
    checkColumns(
      plan.on.map(([key]) => key),
      plan.left.schema,
      wrong,
    );
    checkColumns(
      plan.on.map(([, key]) => key),
      plan.right.schema,
      wrong,
    );
    for (const [l, r] of plan.on) {
      if (!typesEqual(l.type, r.type))
        throw wrong(`keys ${displayPhysicalExpr(l)} and ${displayPhysicalExpr(r)} differ in type`);
    }
  }
}

/** Sides that are hashed must be hashed into the same number of partitions. */
function checkHashesAgree(plan: ExecutionPlan, wrong: (why: string) => DistqError): void {
  const counts = plan
    .requiredInputDistribution()
    .flatMap((required, i) => (required.kind === 'hash' ? [plan.children[i]!.properties.partitioning.count] : []));
  if (new Set(counts).size > 1) throw wrong(`inputs are hashed into ${counts.join(' and ')} partitions`);
}

function checkColumns(exprs: readonly PhysicalExpr[], schema: Schema, wrong: (why: string) => DistqError): void {
  for (const column of collectPhysicalColumns(exprs)) {
    const field = schema.fields[column.index];
    if (field === undefined || !typesEqual(field.type, column.type)) {
      throw wrong(`${displayPhysicalExpr(column)} is no column of the input (${schema.toString()})`);
    }
  }
}
