import type { ColumnExpr, Expr, WindowFunctionExpr } from '../../expr/expr.js';
import { displayColumn, schemaName } from '../../expr/expr-display.js';
import { distinctExprs, exprKey, exprsEqual } from '../../expr/expr-equality.js';
import { columnsOf, replaceColumns } from '../../expr/expr-transform.js';
import {
  conjunction,
  hasSubquery,
  isLiteralBoolean,
  isVolatile,
  splitConjunction,
  unalias,
} from '../../expr/expr-utils.js';
import { filter } from '../builder.js';
import type { DFSchema } from '../df-schema.js';
import { groupingSetOf, setsOf } from '../grouping-sets.js';
import { qualifiedName } from '../name-preserver.js';
import type { OptimizerRule } from '../optimizer-rule.js';
import type {
  AggregateNode,
  FilterNode,
  LogicalPlan,
  ProjectionNode,
  TableScanNode,
  UnionNode,
  WindowNode,
} from '../plan.js';
import { cheapFirst, simplifyPredicates } from '../simplify/predicates.js';
import { withInputs } from '../transform.js';
import { pushDownJoinFilters } from './push-down-join-filters.js';

/** Moves filters towards the scans, and offers what arrives there to the table. */
export const pushDownFilter: OptimizerRule = {
  name: 'push_down_filter',
  order: 'top_down',
  apply(plan) {
    if (plan.kind === 'join') return pushDownJoinFilters(plan, []);
    return plan.kind === 'filter' ? pushFilter(plan) : plan;
  },
};

function pushFilter(plan: FilterNode): LogicalPlan {
  const node = tidy(plan);
  if (node.kind !== 'filter') return node;
  const { input, predicate } = node;
  switch (input.kind) {
    case 'filter': {
      const merged = conjunction(distinctExprs([...splitConjunction(input.predicate), ...splitConjunction(predicate)]));
      return merged === undefined ? input : pushFilter(filter(merged, input.input));
    }
    case 'distinct':
      return below(input, predicate);
    case 'sort':
      // Rows that a LIMIT has cut off must not come back.
      return input.fetch === null ? below(input, predicate) : node;
    case 'subquery_alias':
      return below(input, renamed(predicate, input.schema, input.input.schema));
    case 'projection':
      return throughProjection(node, input);
    case 'union':
      return intoBranches(predicate, input);
    case 'aggregate':
      return throughAggregate(node, input);
    case 'window':
      return throughWindow(node, input);
    case 'join':
      return pushDownJoinFilters(input, splitConjunction(predicate));
    case 'table_scan':
      return intoScan(predicate, input);
    case 'limit':
    case 'subquery':
    case 'distinct_on':
    case 'values':
    case 'empty_relation':
      return node;
  }
}

/** The filter without implied conjuncts and with cheap ones first; its input when nothing is left. */
function tidy(node: FilterNode): LogicalPlan {
  const conjuncts = splitConjunction(node.predicate);
  const simplified = simplifyPredicates(conjuncts);
  const ordered = cheapFirst(simplified);
  if (ordered === undefined && simplified.length === conjuncts.length) return node;
  const predicate = conjunction(ordered ?? simplified);
  if (predicate === undefined) return node.input;
  return exprKey(predicate) === exprKey(node.predicate) ? node : filter(predicate, node.input);
}

function below(node: LogicalPlan, predicate: Expr): LogicalPlan {
  const [input] = 'input' in node ? [node.input] : [];
  return input === undefined ? node : withInputs(node, [filter(predicate, input)]);
}

/** A predicate over one schema, over another with the same columns in the same order under other names. */
function renamed(predicate: Expr, from: DFSchema, to: DFSchema): Expr {
  return replaceColumns(predicate, (c) => {
    const index = from.indexOf(c);
    return index < 0 ? undefined : to.columnAt(index);
  });
}

function throughProjection(node: FilterNode, input: ProjectionNode): LogicalPlan {
  const isUnstable = (c: ColumnExpr): boolean => {
    const expr = input.exprs[input.schema.indexOf(c)];
    return expr !== undefined && isVolatile(expr);
  };
  const conjuncts = splitConjunction(node.predicate);
  const pushed = conjunction(conjuncts.filter((expr) => !columnsOf(expr).some(isUnstable)));
  if (pushed === undefined) return node;
  const kept = conjunction(conjuncts.filter((expr) => columnsOf(expr).some(isUnstable)));
  const inner = replaceColumns(pushed, (c) => {
    const expr = input.exprs[input.schema.indexOf(c)];
    return expr === undefined ? undefined : unalias(expr);
  });
  const result = below(input, inner);
  return kept === undefined ? result : filter(kept, result);
}

function intoBranches(predicate: Expr, node: UnionNode): LogicalPlan {
  return withInputs(
    node,
    node.inputs.map((input) => filter(renamed(predicate, node.schema, input.schema), input)),
  );
}

/** Conjuncts over keys that stand in every grouping set hold for all rows of a group alike. */
function throughAggregate(above: FilterNode, node: AggregateNode): LogicalPlan {
  const set = groupingSetOf(node.groupBy);
  const sets = set === undefined ? [node.groupBy] : setsOf(set);
  const [first = [], ...others] = sets;
  const otherKeys = others.map((keys) => new Set(keys.map(exprKey)));
  const keys = first.filter((key) => otherKeys.every((keysOfSet) => keysOfSet.has(exprKey(key))));
  const byName = new Map(keys.map((key) => [displayColumn(qualifiedName(key)), key]));
  const onKeys = (expr: Expr): boolean => {
    const columns = columnsOf(expr);
    return columns.every((c) => byName.has(displayColumn(c))) && !isVolatile(expr);
  };
  const conjuncts = splitConjunction(above.predicate);
  // Over no rows an aggregate without keys gives one: a condition without columns stays above it, unless it always holds.
  const always = sets.some((keysOfSet) => keysOfSet.length === 0);
  const pushable = conjuncts.filter(always ? (expr) => isLiteralBoolean(expr, true) : onKeys);
  const pushed = conjunction(pushable);
  const kept = conjunction(conjuncts.filter((expr) => !pushable.includes(expr)));
  if (pushed === undefined) return above;
  const inner = replaceColumns(pushed, (c) => {
    const key = byName.get(displayColumn(c));
    return key === undefined ? undefined : unalias(key);
  });
  const result = below(node, inner);
  return kept === undefined ? result : filter(kept, result);
}

/** Conjuncts over columns by which every window is partitioned drop whole partitions. */
function throughWindow(node: FilterNode, input: WindowNode): LogicalPlan {
  const partitions = input.windows.map((expr) => {
    const call = unalias(expr);
    return new Set(call.kind === 'window_function' ? partitionColumns(call) : []);
  });
  const conjuncts = splitConjunction(node.predicate);
  const pushable = conjuncts.filter((expr) => {
    const columns = columnsOf(expr);
    return columns.every((c) => partitions.every((names) => names.has(displayColumn(c)))) && !isVolatile(expr);
  });
  const pushed = conjunction(pushable);
  if (pushed === undefined) return node;
  const kept = conjunction(conjuncts.filter((expr) => !pushable.includes(expr)));
  const result = below(input, pushed);
  return kept === undefined ? result : filter(kept, result);
}

function partitionColumns(call: WindowFunctionExpr): string[] {
  return call.partitionBy.map(schemaName);
}

/** Everything goes to the table, which prunes by it, and stays above it, since the table does not promise to apply it. */
function intoScan(predicate: Expr, scan: TableScanNode): LogicalPlan {
  const conjuncts = splitConjunction(predicate);
  const stable = conjuncts.filter((expr) => !isVolatile(expr));
  const filters = distinctExprs([...scan.filters, ...stable.filter((expr) => !hasSubquery(expr))]);
  const kept = conjunction([...stable, ...conjuncts.filter(isVolatile)]);
  const same =
    filters.length === scan.filters.length && filters.every((expr, index) => sameExpr(expr, scan.filters[index]));
  const next: TableScanNode = same ? scan : { ...scan, filters };
  return kept === undefined ? next : filter(kept, next);
}

function sameExpr(a: Expr, b: Expr | undefined): boolean {
  return b !== undefined && exprsEqual(a, b);
}
