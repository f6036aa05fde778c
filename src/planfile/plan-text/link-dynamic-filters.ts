import type { SessionConfig } from '../../config/session-config.js';
import { conjunction, conjuncts } from '../../expr/physical-expr-transform.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import { DataSourceExec } from '../../physical/operators/data-source-exec.js';
import { FilterExec } from '../../physical/operators/filter-exec.js';
import { dynamicFilterPushdown } from '../../physical/rules/filter-pushdown.js';
import { transformUp, visitPlan } from '../../physical/tree.js';

const SWITCHES = [
  'optimizer.enable_join_dynamic_filter_pushdown',
  'optimizer.enable_topk_dynamic_filter_pushdown',
  'optimizer.enable_aggregate_dynamic_filter_pushdown',
] as const;

/**
 * A dynamic filter's text does not say which node makes it. The rule that places them does: it is run on the plan without them, under
 * every combination of its switches, until it puts them where the text has them. Where none does they stay without a maker, which
 * costs speed and no rows.
 */
export function linkDynamicFilters(plan: ExecutionPlan, config: SessionConfig): ExecutionPlan {
  const places = filterPlaces(plan);
  if (!places.includes('*')) return plan;
  const bare = transformUp(plan, withoutDynamicFilters);
  for (let off = 0; off < 1 << SWITCHES.length; off++) {
    const switched = SWITCHES.reduce(
      (known, name, bit) => known.with(name, String((off & (1 << bit)) === 0)),
      config.with('optimizer.enable_dynamic_filter_pushdown', 'true'),
    );
    const linked = dynamicFilterPushdown.optimize(bare, switched);
    if (filterPlaces(linked) === places) return linked;
  }
  return plan;
}

/** Per filter and scan, in the order of the plan, a star for each dynamic filter. */
function filterPlaces(plan: ExecutionPlan): string {
  const places: string[] = [];
  visitPlan(plan, (node) => {
    const predicate = predicateOf(node);
    if (predicate === undefined) return;
    places.push(
      (predicate === null ? [] : conjuncts(predicate))
        .map(({ kind }) => (kind === 'dynamic_filter' ? '*' : ''))
        .join(''),
    );
  });
  return places.join(' ');
}

function predicateOf(node: ExecutionPlan): PhysicalExpr | null | undefined {
  if (node instanceof FilterExec) return node.predicate;
  return node instanceof DataSourceExec ? (node.source.fileScan?.predicate ?? null) : undefined;
}

function withoutDynamicFilters(node: ExecutionPlan): ExecutionPlan {
  const predicate = predicateOf(node);
  if (predicate === undefined || predicate === null) return node;
  const parts = conjuncts(predicate);
  const kept = parts.filter(({ kind }) => kind !== 'dynamic_filter');
  if (kept.length === parts.length) return node;
  const rest = conjunction(kept) ?? null;
  if (node instanceof DataSourceExec && node.source.fileScan !== null) {
    return node.withFileScan({ ...node.source.fileScan, predicate: rest });
  }
  if (!(node instanceof FilterExec)) return node;
  const { input, projection, fetch, defaultSelectivity } = node;
  if (rest !== null) return new FilterExec(rest, input, { projection, fetch, defaultSelectivity });
  return projection === null && fetch === null ? input : node;
}
