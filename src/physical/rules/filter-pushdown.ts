import type { FileScanConfig } from '../../catalog/file-scan.js';
import type { SessionConfig } from '../../config/session-config.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import { conjunction, conjuncts, mapPhysicalColumns, visitPhysical } from '../../expr/physical-expr-transform.js';
import type { PhysicalDynamicFilter, PhysicalExpr } from '../../expr/physical-expr.js';
import type { JoinType } from '../../expr/join-type.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { AggregateExec } from '../operators/aggregate-exec.js';
import { DataSourceExec } from '../operators/data-source-exec.js';
import { FilterExec } from '../operators/filter-exec.js';
import { HashJoinExec } from '../operators/hash-join-exec.js';
import { ProjectionExec } from '../operators/projection-exec.js';
import { SortExec } from '../operators/sort-exec.js';
import { withChildren } from '../tree.js';
import { routesOf } from './filter-routes.js';
import type { PhysicalRule } from './physical-rule.js';

/**
 * Offers the conjuncts of every FilterExec to the nodes below. File scans take them for pruning, which does not make the FilterExec
 * superfluous; filters of nodes far apart meet in the lower one.
 */
export const filterPushdown: PhysicalRule = {
  name: 'FilterPushdown',
  optimize: (plan, config) => new Pushdown('static', config).push(plan, []).plan,
};

/**
 * Gives joins, TopK sorts and min/max aggregates a dynamic filter each, and leads it to the scans: rows that cannot matter any more
 * need not be read. Last, so that no rule moves nodes between a filter's maker and its place.
 */
export const dynamicFilterPushdown: PhysicalRule = {
  name: 'FilterPushdown(Post)',
  optimize: (plan, config) =>
    config.get('optimizer.enable_dynamic_filter_pushdown') ? new Pushdown('dynamic', config).push(plan, []).plan : plan,
};

interface Pushed {
  readonly plan: ExecutionPlan;
  /** Per filter: the subtree evaluates it for every row, the asker need not. */
  readonly handled: readonly boolean[];
  /** Per filter: something in the subtree uses it, if only for pruning. */
  readonly used: readonly boolean[];
}

class Pushdown {
  readonly #phase: 'static' | 'dynamic';
  readonly #config: SessionConfig;
  #nextId = 0;

  constructor(phase: 'static' | 'dynamic', config: SessionConfig) {
    this.#phase = phase;
    this.#config = config;
  }

  push(plan: ExecutionPlan, filters: readonly PhysicalExpr[]): Pushed {
    if (plan instanceof DataSourceExec) return this.#intoScan(plan, filters);
    const own = this.#phase === 'dynamic' ? this.#makeDynamic(plan) : null;
    const routes = filters.map((filter) => routesOf(plan, filter));
    const results = plan.children.map((child, c) => {
      const offered: PhysicalExpr[] = [];
      const places = routes.map((route) => {
        const filter = route[c] ?? null;
        return filter === null ? -1 : offered.push(filter) - 1;
      });
      const selfStart = offered.length;
      if (this.#phase === 'static' && plan instanceof FilterExec) offered.push(...conjuncts(plan.predicate));
      if (own !== null && c === own.child) offered.push(own.filter);
      return { places, selfStart, pushed: this.push(child, offered) };
    });
    const moved = withChildren(
      plan,
      results.map(({ pushed }) => pushed.plan),
    );
    const handled = filters.map((_, f) => combineChildren(plan, results, f, 'handled'));
    const used = filters.map((_, f) => combineChildren(plan, results, f, 'used'));
    if (this.#phase === 'static' && plan instanceof FilterExec && moved instanceof FilterExec) {
      const [{ selfStart, pushed }] = results as [(typeof results)[number]];
      return this.#refilter(moved, filters, handled, pushed.handled.slice(selfStart));
    }
    if (this.#phase === 'dynamic' && moved instanceof SortExec && moved.fetch === null) {
      return filterBelowSort(moved, filters, handled, used);
    }
    if (own !== null) {
      const result = results[own.child]!;
      // Without a reader the filter would be made for nothing.
      if (result.pushed.used[result.selfStart] === true) return { plan: own.attach(moved), handled, used };
    }
    return { plan: moved, handled, used };
  }

  /** The filter with what came from above and was refused below; gone when the subtree took everything. */
  #refilter(
    node: FilterExec,
    filters: readonly PhysicalExpr[],
    handled: readonly boolean[],
    selfHandled: readonly boolean[],
  ): Pushed {
    const own = conjuncts(node.predicate);
    const absorbed = filters.filter((_, f) => handled[f] !== true);
    const rest = own.filter((_, i) => selfHandled[i] !== true);
    const answer = { handled: filters.map(() => true), used: filters.map(() => true) };
    if (absorbed.length === 0 && rest.length === own.length) return { plan: node, ...answer };
    const predicate = conjunction([...absorbed, ...rest]);
    if (predicate === undefined) {
      const { input, projection } = node;
      return { plan: projection === null ? input : ProjectionExec.ofColumns(input, projection), ...answer };
    }
    const { projection, fetch, defaultSelectivity } = node;
    return { plan: new FilterExec(predicate, node.input, { projection, fetch, defaultSelectivity }), ...answer };
  }

  #intoScan(scan: DataSourceExec, filters: readonly PhysicalExpr[]): Pushed {
    const refused = filters.map(() => false);
    const config = scan.source.fileScan;
    if (config === null || config.fileType !== 'parquet') return { plan: scan, handled: refused, used: refused };
    const accepted = filters.map((filter) => (isVolatile(filter) ? null : overTable(filter, config)));
    const taken = accepted.filter((filter) => filter !== null);
    const predicate = conjunction(config.predicate === null ? taken : [config.predicate, ...taken]);
    if (taken.length === 0 || predicate === undefined) return { plan: scan, handled: refused, used: refused };
    const plan = scan.withFileScan({ ...config, predicate });
    return { plan, handled: refused, used: accepted.map((filter) => filter !== null) };
  }

  #makeDynamic(plan: ExecutionPlan): DynamicMaker | null {
    const make = (
      setting:
        | 'optimizer.enable_join_dynamic_filter_pushdown'
        | 'optimizer.enable_topk_dynamic_filter_pushdown'
        | 'optimizer.enable_aggregate_dynamic_filter_pushdown',
      child: number,
      children: readonly PhysicalExpr[],
      attach: (plan: ExecutionPlan, id: number) => ExecutionPlan,
    ): DynamicMaker | null => {
      if (!this.#config.get(setting)) return null;
      const id = this.#nextId++;
      const filter: PhysicalDynamicFilter = { kind: 'dynamic_filter', id, children, type: BOOLEAN, nullable: false };
      return { child, filter, attach: (node) => attach(node, id) };
    };
    if (plan instanceof HashJoinExec && probeMayBeFiltered(plan)) {
      const keys = plan.on.map(([, key]) => key);
      return make('optimizer.enable_join_dynamic_filter_pushdown', 1, keys, (node, dynamicFilter) =>
        node instanceof HashJoinExec ? node.with({ dynamicFilter }) : node,
      );
    }
    if (plan instanceof SortExec && plan.fetch !== null) {
      const keys = plan.exprs.map(({ expr }) => expr);
      return make('optimizer.enable_topk_dynamic_filter_pushdown', 0, keys, (node, dynamicFilter) =>
        node instanceof SortExec ? node.withDynamicFilter(dynamicFilter, node.input) : node,
      );
    }
    if (plan instanceof AggregateExec && isMinMax(plan)) {
      const columns = plan.aggregates.map(({ args }) => args[0]!);
      return make('optimizer.enable_aggregate_dynamic_filter_pushdown', 0, columns, (node, dynamicFilter) =>
        node instanceof AggregateExec ? node.with({ dynamicFilter }) : node,
      );
    }
    return null;
  }
}

/** A filter that a node makes for one of its children. */
interface DynamicMaker {
  readonly child: number;
  readonly filter: PhysicalDynamicFilter;
  attach(plan: ExecutionPlan): ExecutionPlan;
}

interface ChildResult {
  readonly places: readonly number[];
  readonly pushed: Pushed;
}

/** A join needs one side to take the filter, any other node all children. */
function combineChildren(
  plan: ExecutionPlan,
  results: readonly ChildResult[],
  filter: number,
  what: 'handled' | 'used',
): boolean {
  const answers = results.map(({ places, pushed }) => {
    const place = places[filter]!;
    return place >= 0 && pushed[what][place] === true;
  });
  if (answers.length === 0) return false;
  return what === 'used' || plan instanceof HashJoinExec ? answers.includes(true) : !answers.includes(false);
}

/** A full sort is worth a check below it for filters that its input does not take. */
function filterBelowSort(
  sort: SortExec,
  filters: readonly PhysicalExpr[],
  handled: readonly boolean[],
  used: readonly boolean[],
): Pushed {
  const open = filters.flatMap((filter, f) => {
    const route = handled[f] === true ? null : (routesOf(sort, filter)[0] ?? null);
    return route === null ? [] : [route];
  });
  const predicate = conjunction(open);
  if (predicate === undefined) return { plan: sort, handled, used };
  const input = new FilterExec(predicate, sort.input);
  const taken = filters.map(() => true);
  return { plan: sort.withNewChildren([input]), handled: taken, used: taken };
}

/** Join types whose probe rows without a match do not show in the result. */
const FILTERS_PROBE: Readonly<Record<JoinType, boolean>> = {
  Inner: true,
  Left: true,
  LeftSemi: true,
  RightSemi: true,
  LeftAnti: true,
  LeftMark: true,
  Right: false,
  Full: false,
  RightAnti: false,
  RightMark: false,
};

function probeMayBeFiltered({ joinType, nullAware, on }: HashJoinExec): boolean {
  if (!FILTERS_PROBE[joinType]) return false;
  // NOT IN must see the probe side's nulls.
  return !nullAware || !on.some(([key]) => key.nullable);
}

function isMinMax({ mode, groupBy, aggregates }: AggregateExec): boolean {
  return (
    mode === 'Partial' &&
    groupBy.exprs.length === 0 &&
    aggregates.length > 0 &&
    aggregates.every(
      ({ func, args, filter }) =>
        (func.name === 'min' || func.name === 'max') &&
        filter === null &&
        args.length === 1 &&
        args[0]!.kind === 'column',
    )
  );
}

/** A filter over a scan's output as one over the table's columns. */
function overTable(filter: PhysicalExpr, { projection }: FileScanConfig): PhysicalExpr {
  return mapPhysicalColumns(filter, (column) => projection[column.index]!.expr);
}

function isVolatile(filter: PhysicalExpr): boolean {
  let found = false;
  visitPhysical(filter, (node) => {
    if (node.kind === 'scalar_function' && node.func.volatility === 'volatile') found = true;
  });
  return found;
}
