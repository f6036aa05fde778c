import { alias } from '../../expr/expr.js';
import { projection, subqueryAlias } from '../../logical/builder.js';
import type { LogicalPlan } from '../../logical/plan.js';

/** A SubqueryAlias; columns that would have the same name under it get `:1`, `:2`, … behind theirs. */
export function aliasUniquely(name: string, plan: LogicalPlan): LogicalPlan {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const exprs = plan.schema.columns().map((column) => {
    let unique = column.name;
    while (seen.has(unique)) {
      const count = (counts.get(column.name) ?? 0) + 1;
      counts.set(column.name, count);
      unique = `${column.name}:${count}`;
    }
    seen.add(unique);
    return unique === column.name ? column : alias(column, unique, column.relation);
  });
  const isRenamed = exprs.some((expr) => expr.kind === 'alias');
  return subqueryAlias(name, isRenamed ? projection(exprs, plan) : plan);
}
