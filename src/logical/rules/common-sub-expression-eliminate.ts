import { alias, column, type Expr } from '../../expr/expr.js';
import { exprsEqual } from '../../expr/expr-equality.js';
import { invariant } from '../../base/errors.js';
import { aggregate, filter, projection, sort, window } from '../builder.js';
import { type CommonExpr, extractCommon } from '../cse/extract-common.js';
import type { DFSchema } from '../df-schema.js';
import { qualifiedName, restoreName } from '../name-preserver.js';
import type { OptimizerContext, OptimizerRule } from '../optimizer-rule.js';
import type { AggregateNode, LogicalPlan, ProjectionNode, WindowNode } from '../plan.js';
import { mapSubqueries, withInputs } from '../transform.js';
import { planInputs } from '../traverse.js';

/**
 * Computes repeated sub-expressions once, in a projection `__common_expr_N, …all input columns` below the node that uses them; the
 * node's output columns stay as they were. Goes on into the new input.
 * Source: datafusion/optimizer/src/common_subexpr_eliminate.rs.
 */
export const commonSubExpressionEliminate: OptimizerRule = {
  name: 'common_sub_expression_eliminate',
  order: 'own',
  apply(plan, context) {
    return eliminate(plan, context);
  },
};

function eliminate(plan: LogicalPlan, context: OptimizerContext): LogicalPlan {
  const rewritten = eliminateIn(
    mapSubqueries(plan, (subquery) => eliminate(subquery, context)),
    context,
  );
  return rewritten === plan ? plan : withSchemaOf(plan.schema, rewritten);
}

function eliminateIn(plan: LogicalPlan, context: OptimizerContext): LogicalPlan {
  switch (plan.kind) {
    case 'projection': {
      const { lists, input } = extractFrom([plan.exprs], plan.input, context);
      return lists === undefined ? sameOver(plan, input) : projection(lists[0]!, input);
    }
    case 'filter': {
      const { lists, input } = extractFrom([[plan.predicate]], plan.input, context);
      return lists === undefined ? sameOver(plan, input) : filter(lists[0]![0]!, input);
    }
    case 'sort': {
      const keys = plan.keys.map((key) => key.expr);
      const { lists, input } = extractFrom([keys], plan.input, context);
      if (lists === undefined) return sameOver(plan, input);
      const rewritten = plan.keys.map((key, index) => ({ ...key, expr: lists[0]![index]! }));
      return sort(rewritten, input, plan.fetch);
    }
    case 'window':
      return eliminateInWindows(plan, context);
    case 'aggregate':
      return eliminateInAggregate(plan, context);
    case 'join':
    case 'table_scan':
    case 'subquery_alias':
    case 'subquery':
    case 'limit':
    case 'union':
    case 'distinct':
    case 'distinct_on':
    case 'values':
    case 'empty_relation':
      return withInputs(
        plan,
        planInputs(plan).map((input) => eliminate(input, context)),
      );
  }
}

function nextName(context: OptimizerContext): string {
  return `__common_expr_${context.nextId()}`;
}

interface Extracted {
  /** The rewritten lists; undefined when nothing was common. */
  readonly lists: readonly (readonly Expr[])[] | undefined;
  /** The input, gone through itself, with the common expressions added. */
  readonly input: LogicalPlan;
}

function extractFrom(lists: readonly (readonly Expr[])[], input: LogicalPlan, context: OptimizerContext): Extracted {
  const found = extractCommon(lists, { aggregates: false, nextName: () => nextName(context) });
  if (found === undefined) return { lists: undefined, input: eliminate(input, context) };
  return { lists: found.rewritten, input: eliminate(withCommonExprs(input, found.common), context) };
}

function sameOver(plan: LogicalPlan, input: LogicalPlan): LogicalPlan {
  return withInputs(plan, [input]);
}

/** The common expressions first, then all columns of the input. */
function withCommonExprs(input: LogicalPlan, common: readonly CommonExpr[]): ProjectionNode {
  const names = new Set(common.map(({ name }) => name));
  return projection(
    [
      ...common.map(({ expr, name }) => alias(expr, name)),
      ...input.schema.columns().filter(({ name }) => !names.has(name)),
    ],
    input,
  );
}

/** A projection back to the columns a node had, where extraction added some. */
function withSchemaOf(schema: DFSchema, plan: LogicalPlan): LogicalPlan {
  const same =
    schema.length === plan.schema.length &&
    schema.fields.every(({ relation, field }, index) => {
      const now = plan.schema.at(index);
      return now.relation === relation && now.field.name === field.name;
    });
  return same ? plan : projection(schema.columns(), plan);
}

/** Windows directly above one another share what they extract. */
function eliminateInWindows(plan: WindowNode, context: OptimizerContext): LogicalPlan {
  const chain: WindowNode[] = [];
  let below: LogicalPlan = plan;
  while (below.kind === 'window') {
    chain.push(below);
    below = below.input;
  }
  const { lists, input } = extractFrom(
    chain.map((node) => node.windows),
    below,
    context,
  );
  let rebuilt = input;
  for (let i = chain.length - 1; i >= 0; i--) {
    const node = chain[i]!;
    const windows =
      lists === undefined ? node.windows : lists[i]!.map((expr, w) => restoreName(node.windows[w]!, expr));
    rebuilt = lists === undefined && rebuilt === node.input ? node : window(windows, rebuilt);
  }
  return rebuilt;
}

function eliminateInAggregate(plan: AggregateNode, context: OptimizerContext): LogicalPlan {
  const { lists, input } = extractFrom([plan.groupBy, plan.aggregates], plan.input, context);
  const groupBy = lists?.[0] ?? plan.groupBy;
  const aggregates = lists?.[1] ?? plan.aggregates;
  const repeated = extractCommon([aggregates], { aggregates: true, nextName: () => nextName(context) });
  if (repeated === undefined) {
    if (lists === undefined) return sameOver(plan, input);
    const named = aggregates.map((expr, index) => restoreName(plan.aggregates[index]!, expr));
    return aggregate(groupBy, named, input);
  }
  const computed: Expr[] = repeated.common.map(({ expr, name }) => alias(expr, name));
  const outputs: Expr[] = [];
  for (const [index, rewritten] of repeated.rewritten[0]!.entries()) {
    const before = aggregates[index];
    const original = plan.aggregates[index];
    invariant(before !== undefined && original !== undefined, 'one rewritten aggregate per aggregate');
    if (!exprsEqual(rewritten, before)) {
      outputs.push(restoreName(original, rewritten));
    } else if (rewritten.kind === 'alias') {
      computed.push(rewritten);
      outputs.push(column(rewritten.name));
    } else {
      const name = nextName(context);
      const { relation, name: oldName } = qualifiedName(original);
      computed.push(alias(rewritten, name));
      outputs.push(alias(column(name), oldName, relation));
    }
  }
  const grouped = aggregate(groupBy, computed, input);
  const groupColumns = grouped.schema.columns().slice(0, grouped.schema.length - computed.length);
  return projection([...groupColumns, ...outputs], grouped);
}
