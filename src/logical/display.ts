import { unreachable } from '../base/errors.js';
import type { Expr } from '../expr/expr.js';
import { displayExpr, displaySort } from '../expr/expr-display.js';
import { subqueryOf } from '../expr/expr-utils.js';
import { visitExpr } from '../expr/expr-transform.js';
import type { JoinNode, LogicalPlan, TableScanNode } from './plan.js';
import { logicalSubquery } from './subquery.js';
import { planExprs, planInputs } from './traverse.js';

const SHOWN_VALUES_ROWS = 5;

/** A plan as DataFusion's EXPLAIN prints it: one line a node, children two spaces in. */
export function displayPlan(plan: LogicalPlan): string {
  const lines: string[] = [];
  append(plan, 0, lines);
  return lines.join('\n');
}

function append(plan: LogicalPlan, depth: number, lines: string[]): void {
  lines.push('  '.repeat(depth) + displayNode(plan));
  // Plans inside expressions come before the inputs.
  for (const expr of planExprs(plan)) {
    visitExpr(expr, (e) => {
      const inner = subqueryOf(e);
      if (inner === undefined) return;
      lines.push(`${'  '.repeat(depth + 1)}Subquery:`);
      append(logicalSubquery(inner).plan, depth + 2, lines);
    });
  }
  for (const input of planInputs(plan)) append(input, depth + 1, lines);
}

/** The line of one node. */
export function displayNode(plan: LogicalPlan): string {
  switch (plan.kind) {
    case 'projection':
      return `Projection: ${list(plan.exprs)}`.trimEnd();
    case 'filter':
      return `Filter: ${displayExpr(plan.predicate)}`;
    case 'aggregate':
      return `Aggregate: groupBy=[[${list(plan.groupBy)}]], aggr=[[${list(plan.aggregates)}]]`;
    case 'window':
      return `WindowAggr: windowExpr=[[${list(plan.windows)}]]`;
    case 'sort': {
      const fetch = plan.fetch === null ? '' : `, fetch=${plan.fetch}`;
      return `Sort: ${plan.keys.map(displaySort).join(', ')}${fetch}`;
    }
    case 'join':
      return joinLine(plan);
    case 'table_scan':
      return tableScanLine(plan);
    case 'subquery_alias':
      return `SubqueryAlias: ${plan.alias}`;
    case 'subquery':
      return 'Subquery:';
    case 'limit':
      return `Limit: skip=${plan.skip}, fetch=${plan.fetch ?? 'None'}`;
    case 'union':
      return 'Union';
    case 'distinct':
      return 'Distinct:';
    case 'distinct_on':
      return `DistinctOn: on_expr=[[${list(plan.on)}]], select_expr=[[${list(plan.select)}]], sort_expr=[[${plan.sort
        .map(displaySort)
        .join(', ')}]]`;
    case 'values': {
      const rows = plan.rows.slice(0, SHOWN_VALUES_ROWS).map((row) => `(${list(row)})`);
      return `Values: ${rows.join(', ')}${plan.rows.length > SHOWN_VALUES_ROWS ? '...' : ''}`;
    }
    case 'empty_relation':
      return `EmptyRelation: rows=${plan.producesOneRow ? 1 : 0}`;
  }
  return unreachable(plan, 'logical node');
}

function joinLine(node: JoinNode): string {
  const keys = node.on.map(([left, right]) => `${displayExpr(left)} = ${displayExpr(right)}`).join(', ');
  const condition = node.filter === null ? '' : ` Filter: ${displayExpr(node.filter)}`;
  const nullAware = node.nullAware ? ' null_aware' : '';
  if (keys === '' && condition === '')
    return `${node.joinType === 'Inner' ? 'Cross' : node.joinType} Join:${nullAware}`;
  return `${node.joinType} Join: ${node.constraint === 'USING' ? 'Using ' : ''}${keys}${condition}${nullAware}`;
}

function tableScanLine(node: TableScanNode): string {
  let line = `TableScan: ${node.tableName}`;
  if (node.projection !== null) line += ` projection=[${node.schema.fields.map((f) => f.field.name).join(', ')}]`;
  // A source only prunes by its filters, so each of them is a partial one.
  if (node.filters.length > 0) {
    line += `, partial_filters=[${list(node.filters)}]`;
  }
  if (node.fetch !== null) line += `, fetch=${node.fetch}`;
  return line;
}

function list(exprs: readonly Expr[]): string {
  return exprs.map(displayExpr).join(', ');
}
