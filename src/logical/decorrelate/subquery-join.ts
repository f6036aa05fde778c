import { column, type ColumnExpr, type Expr } from '../../expr/expr.js';
import { schemaName } from '../../expr/expr-display.js';
import { columnKey, replaceColumns } from '../../expr/expr-transform.js';
import type { LogicalPlan } from '../plan.js';
import { planInputs } from '../traverse.js';

/** The expression behind a subquery's first output, looking through nodes that hand their columns on. */
export function headOutput(plan: LogicalPlan): Expr | undefined {
  switch (plan.kind) {
    case 'projection':
      return plan.exprs[0];
    case 'aggregate':
      return plan.groupBy[0] ?? plan.aggregates[0];
    case 'filter':
    case 'sort':
    case 'limit':
    case 'distinct':
    case 'subquery':
    case 'window': {
      const [input] = planInputs(plan);
      return input === undefined ? undefined : headOutput(input);
    }
    case 'subquery_alias': {
      const inner = headOutput(plan.input);
      return inner === undefined ? undefined : outputColumn(inner, plan.alias);
    }
    case 'join':
    case 'table_scan':
    case 'union':
    case 'distinct_on':
    case 'values':
    case 'empty_relation':
      return plan.schema.length === 0 ? undefined : plan.schema.columnAt(0);
  }
}

/** The column an output becomes under an alias of its plan. */
export function outputColumn(expr: Expr, alias: string): ColumnExpr {
  return column(expr.kind === 'column' || expr.kind === 'alias' ? expr.name : schemaName(expr), alias);
}

/** A join condition with the subquery's own columns seen through its alias. */
export function underAlias(condition: Expr, columns: readonly ColumnExpr[], alias: string): Expr {
  const keys = new Set(columns.map(columnKey));
  return replaceColumns(condition, (c) => (keys.has(columnKey(c)) ? column(c.name, alias) : undefined));
}
