import { notImplemented, unreachable } from '../../base/errors.js';
import { evaluatePhysicalConstant } from '../../expr/constant-evaluator.js';
import { physicalColumn } from '../../expr/physical-expr.js';
import type { Schema } from '../../columnar/schema.js';
import { toPhysicalExpr, toPhysicalSortExpr } from '../../expr/physical-planner.js';
import type { DFSchema, QualifiedField } from '../../logical/df-schema.js';
import type { LogicalPlan, ProjectionNode, TableScanNode, ValuesNode } from '../../logical/plan.js';
import { MemorySource } from '../../sources/memory/memory-source.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { isLeafTable } from '../leaf/leaf-table.js';
import { DataSourceExec } from '../operators/data-source-exec.js';
import { EmptyExec } from '../operators/empty-exec.js';
import { FilterExec } from '../operators/filter-exec.js';
import { GlobalLimitExec } from '../operators/global-limit-exec.js';
import { LocalLimitExec } from '../operators/local-limit-exec.js';
import { PlaceholderRowExec } from '../operators/placeholder-row-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { UnionExec } from '../operators/union-exec.js';
import { planAggregate } from './aggregate-planner.js';
import { planJoin } from './join-planner.js';
import type { PlanOptions } from './plan-options.js';
import { planWindow } from './window-planner.js';

/**
 * The initial physical plan of an optimised logical plan, node by node: correct in columns and types, but not yet runnable: the rules
 * spread and order the data. Positions of logical and physical columns agree everywhere.
 */
export function planPhysical(logical: LogicalPlan, options: PlanOptions): ExecutionPlan {
  const plan = (node: LogicalPlan): ExecutionPlan => planPhysical(node, options);
  const { config } = options;
  switch (logical.kind) {
    case 'table_scan':
      return planScan(logical, options);
    case 'projection':
      return planProjection(logical, plan(logical.input));
    case 'filter':
      return new FilterExec(toPhysicalExpr(logical.predicate, logical.input.schema), plan(logical.input), {
        defaultSelectivity: config.get('optimizer.default_filter_selectivity'),
      });
    case 'aggregate':
      return planAggregate(logical, plan(logical.input), config);
    case 'sort':
      return new SortExec(
        logical.keys.map((key) => toPhysicalSortExpr(key, logical.input.schema)),
        plan(logical.input),
        { fetch: logical.fetch },
      );
    case 'limit': {
      const input = plan(logical.input);
      const { skip, fetch } = logical;
      const several = input.properties.partitioning.count > 1 && fetch !== null;
      return new GlobalLimitExec(several ? new LocalLimitExec(input, fetch + skip) : input, skip, fetch);
    }
    case 'join':
      return planJoin(logical, plan(logical.left), plan(logical.right), config);
    case 'union':
      return new UnionExec(logical.inputs.map((input) => alignNullability(plan(input), logical.schema)));
    case 'subquery_alias':
      return plan(logical.input);
    case 'empty_relation':
      return logical.producesOneRow
        ? new PlaceholderRowExec(logical.schema.toSchema())
        : new EmptyExec(logical.schema.toSchema());
    case 'values':
      return planValues(logical);
    case 'window':
      return planWindow(logical, plan(logical.input), config);
    case 'subquery':
      throw notImplemented('a LATERAL subquery that cannot be turned into a join');
    case 'distinct':
    case 'distinct_on':
      throw notImplemented('planning a DISTINCT that was not rewritten to an aggregate');
  }
  return unreachable(logical, 'logical plan node');
}

function planScan(
  { source, projection, fetch, filters, schema }: TableScanNode,
  { config }: PlanOptions,
): ExecutionPlan {
  const request = {
    projection: projection ?? source.schema.fields.map((_, index) => index),
    limit: fetch,
    isFiltered: filters.length > 0,
    targetPartitions: config.get('execution.target_partitions'),
  };
  if (isLeafTable(source)) return narrowed(source.scanLeaf(request), request.projection, schema.toSchema());
  const scan = source.scan(request);
  if (scan.fileScan !== null && scan.fileScan.fileGroups.length === 0) return new EmptyExec(schema.toSchema());
  return new DataSourceExec(scan);
}

/** A leaf that gives all columns of its table, cut down to those that are wanted. */
function narrowed(leaf: ExecutionPlan, columns: readonly number[], wanted: Schema): ExecutionPlan {
  if (leaf.schema.equals(wanted)) return leaf;
  return new ProjectionExec(
    columns.map((index) => ({ expr: physicalColumn(leaf.schema, index), name: leaf.schema.field(index).name })),
    leaf,
  );
}

function planProjection({ exprs, input: logicalInput, schema }: ProjectionNode, input: ExecutionPlan): ExecutionPlan {
  return new ProjectionExec(
    exprs.map((logicalExpr, i) => {
      const expr = toPhysicalExpr(logicalExpr, logicalInput.schema);
      // A plain column is called as the input calls it: logical names may be qualified or renamed apart.
      if (logicalExpr.kind === 'column' && expr.kind === 'column') {
        return { expr, name: input.schema.field(expr.index).name };
      }
      return { expr, name: schema.at(i).field.name };
    }),
    input,
  );
}

/** A branch of a union with casts over the columns that are never null here but may be in another branch: all agree on their schema. */
function alignNullability(input: ExecutionPlan, { fields }: DFSchema): ExecutionPlan {
  const differs = ({ field }: QualifiedField, i: number): boolean => field.nullable && !input.schema.field(i).nullable;
  if (!fields.some(differs)) return input;
  return new ProjectionExec(
    fields.map((wanted, i) => {
      const expr = physicalColumn(input.schema, i);
      const { type } = expr;
      const isSame = !differs(wanted, i);
      return { expr: isSame ? expr : { kind: 'cast', expr, type, safe: false, nullable: true }, name: expr.name };
    }),
    input,
  );
}

function planValues({ rows, schema }: ValuesNode): ExecutionPlan {
  const constants = rows.map((row) =>
    row.map((value) => evaluatePhysicalConstant(toPhysicalExpr(value, schema)).value),
  );
  return new DataSourceExec(MemorySource.fromRows(schema.toSchema(), constants));
}
