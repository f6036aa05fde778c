import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { field } from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import type { EncodedNode, EncodedValue } from '../../expr/expr-codec.js';
import type { PhysicalSortExpr } from '../../expr/physical-expr.js';
import {
  type PhysicalAggregateExpr,
  type PhysicalGroupBy,
  aggregateStateFields,
  groupOutputFields,
  hasGroupingSets,
} from '../aggregate-expr.js';
import { type AggregateMode, emitsStates, isFirstStage } from '../aggregate-mode.js';
import {
  booleanField,
  choiceField,
  countField,
  isList,
  listField,
  nodeOf,
  nullableCountField,
  onlyChild,
  textField,
  valueField,
} from '../encoded-fields.js';
import {
  addConstant,
  orderedPositions,
  orderingSatisfied,
  plainProperties,
  type ProjectedExpr,
  projectProperties,
  withPartitioning,
} from '../equivalence.js';
import {
  type CardinalityEffect,
  type Distribution,
  type ExecutionPlan,
  type OperatorCodec,
  SINGLE_PARTITION,
  UNSPECIFIED,
} from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanCodec } from '../plan-codec.js';
import type { PlanProperties } from '../plan-properties.js';
import { aggregateStatistics } from '../statistics/aggregate-statistics.js';
import { type AggregateSpec, aggregateStream } from '../streams/aggregate-stream.js';
import type { TaskContext } from '../task-context.js';
import { namedExprText } from './operator-text.js';

const AGGREGATE_MODES: readonly AggregateMode[] = [
  'Partial',
  'PartialReduce',
  'Final',
  'FinalPartitioned',
  'Single',
  'SinglePartitioned',
];

/** How far the input's order helps: by all keys, by those at the given positions of the key list, or not at all. */
export type OrderingMode =
  | { readonly kind: 'Linear' }
  | { readonly kind: 'Sorted' }
  | { readonly kind: 'PartiallySorted'; readonly positions: readonly number[] };

/** At most `count` groups are wanted: any (`descending` null), or those with the first keys or min/max in that direction. */
export interface AggregateLimit {
  readonly count: number;
  readonly descending: boolean | null;
}

export interface AggregateOptions {
  readonly limit?: AggregateLimit | null;
  /** Id of the dynamic filter that min/max without keys make for the input, over the aggregates' columns in order. */
  readonly dynamicFilter?: number | null;
}

/** Groups rows by keys and aggregates them. Output: keys, `__grouping_id` with grouping sets, then results or states. */
export class AggregateExec extends OperatorBase implements AggregateSpec {
  readonly name = 'AggregateExec';
  readonly mode: AggregateMode;
  readonly groupBy: PhysicalGroupBy;
  readonly aggregates: readonly PhysicalAggregateExpr[];
  readonly input: ExecutionPlan;
  readonly limit: AggregateLimit | null;
  readonly dynamicFilter: number | null;
  readonly orderingMode: OrderingMode;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];
  readonly #requiredOrdering: readonly PhysicalSortExpr[] | null;

  constructor(
    mode: AggregateMode,
    groupBy: PhysicalGroupBy,
    aggregates: readonly PhysicalAggregateExpr[],
    input: ExecutionPlan,
    options: AggregateOptions = {},
  ) {
    super();
    this.mode = mode;
    this.groupBy = groupBy;
    this.aggregates = aggregates;
    this.input = input;
    this.limit = options.limit ?? null;
    this.dynamicFilter = options.dynamicFilter ?? null;
    this.children = [input];
    const results = emitsStates(mode)
      ? aggregates.flatMap(aggregateStateFields)
      : aggregates.map(({ name, type, nullable }) => field(name, type, nullable));
    this.schema = new Schema([...groupOutputFields(groupBy), ...results]);

    const keys = groupBy.exprs.map(({ expr }) => expr);
    const ordered = orderedPositions(keys, input.properties);
    const required = [...ordered.keys, ...orderOfAggregates(mode, aggregates, ordered.keys, input.properties)];
    this.#requiredOrdering = required.length === 0 ? null : required;
    const positions = ordered.positions.filter((index) => groupBy.groups.every((group) => !group[index]));
    if (positions.length === keys.length && positions.length > 0 && groupBy.groups.length === 1) {
      this.orderingMode = { kind: 'Sorted' };
    } else {
      this.orderingMode = positions.length > 0 ? { kind: 'PartiallySorted', positions } : { kind: 'Linear' };
    }
    this.properties = this.#computeProperties();
  }

  #computeProperties(): PlanProperties {
    const { partitioning } = this.input.properties;
    if (hasGroupingSets(this.groupBy)) {
      return plainProperties(
        partitioning.kind === 'hash' ? { kind: 'unknown', count: partitioning.count } : partitioning,
      );
    }
    const projected = projectProperties(this.input.properties, this.groupBy.exprs);
    let properties = isFirstStage(this.mode) ? projected : withPartitioning(projected, partitioning);
    if (this.groupBy.exprs.length === 0) {
      // One row per partition.
      for (const [index, { name, type, nullable }] of this.schema.fields.entries()) {
        const expr = { kind: 'column', name, index, type, nullable } as const;
        properties = addConstant(properties, { expr, across: 'per_partition', value: null });
      }
    }
    return properties;
  }

  get options(): Required<AggregateOptions> {
    return { limit: this.limit, dynamicFilter: this.dynamicFilter };
  }

  /** The same aggregate with some options changed. */
  with(options: AggregateOptions): AggregateExec {
    return new AggregateExec(this.mode, this.groupBy, this.aggregates, this.input, { ...this.options, ...options });
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new AggregateExec(this.mode, this.groupBy, this.aggregates, input!, this.options);
  }

  override requiredInputDistribution(): readonly Distribution[] {
    switch (this.mode) {
      case 'Partial':
      case 'PartialReduce':
        return [UNSPECIFIED];
      case 'Final':
      case 'Single':
        return [SINGLE_PARTITION];
      case 'FinalPartitioned':
      case 'SinglePartitioned':
        return [{ kind: 'hash', exprs: this.groupBy.exprs.map(({ expr }) => expr) }];
    }
  }

  override requiredInputOrdering(): readonly (readonly PhysicalSortExpr[] | null)[] {
    return [this.#requiredOrdering];
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [this.orderingMode.kind !== 'Linear'];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'lower_equal';
  }

  protected computeStatistics(): Statistics {
    return aggregateStatistics(this, this.input.statistics());
  }

  describe(): string {
    const { exprs, nullExprs, groups } = this.groupBy;
    const term = ({ expr, name }: ProjectedExpr): string => namedExprText(expr, name);
    const keys = hasGroupingSets(this.groupBy)
      ? groups.map((group) => `(${group.map((out, i) => term(out ? nullExprs[i]! : exprs[i]!)).join(', ')})`)
      : exprs.map(term);
    const calls = this.aggregates.map(({ name, text }) => (text === name ? name : `${text} as ${name}`));
    let line = `AggregateExec: mode=${this.mode}, gby=[${keys.join(', ')}], aggr=[${calls.join(', ')}]`;
    if (this.limit !== null) line += `, lim=[${this.limit.count}]`;
    switch (this.orderingMode.kind) {
      case 'Linear':
        return line;
      case 'Sorted':
        return `${line}, ordering_mode=Sorted`;
      case 'PartiallySorted':
        return `${line}, ordering_mode=PartiallySorted([${this.orderingMode.positions.join(', ')}])`;
    }
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return aggregateStream(this, partition, context);
  }
}

/** The order that order-sensitive aggregates of a first stage need after the keys: that of the first one that asks for one. */
function orderOfAggregates(
  mode: AggregateMode,
  aggregates: readonly PhysicalAggregateExpr[],
  keys: readonly PhysicalSortExpr[],
  input: PlanProperties,
): readonly PhysicalSortExpr[] {
  if (!isFirstStage(mode)) return [];
  let longest: readonly PhysicalSortExpr[] = [];
  for (const { func, orderBy } of aggregates) {
    if (!func.orderSensitive || orderBy.length === 0) continue;
    if (orderingSatisfied([...keys, ...orderBy], input)) continue;
    if (orderBy.length > longest.length) longest = orderBy;
  }
  return longest;
}

function encodeNamed(exprs: readonly ProjectedExpr[], codec: PlanCodec): EncodedValue {
  return exprs.map(({ expr, name }) => ({ expr: codec.expr(expr), name }));
}

function decodeNamed(node: EncodedNode, name: string, codec: PlanCodec): ProjectedExpr[] {
  return listField(node, name).map((value) => {
    const entry = nodeOf(node, value, name);
    return { expr: codec.decodeExpr(valueField(entry, 'expr')), name: textField(entry, 'name') };
  });
}

function encodeAggregate(aggregate: PhysicalAggregateExpr, codec: PlanCodec): EncodedValue {
  return {
    func: aggregate.func.name,
    args: aggregate.args.map((arg) => codec.expr(arg)),
    distinct: aggregate.distinct,
    filter: aggregate.filter === null ? null : codec.expr(aggregate.filter),
    orderBy: codec.sortExprs(aggregate.orderBy),
    ignoreNulls: aggregate.ignoreNulls,
    name: aggregate.name,
    text: aggregate.text,
    type: codec.type(aggregate.type),
    nullable: aggregate.nullable,
  };
}

function decodeAggregate(node: EncodedNode, value: EncodedValue, codec: PlanCodec): PhysicalAggregateExpr {
  const fields = nodeOf(node, value, 'aggregates');
  const filter = valueField(fields, 'filter');
  return {
    func: codec.decodeAggregateFunction(textField(fields, 'func')),
    args: listField(fields, 'args').map((arg) => codec.decodeExpr(arg)),
    distinct: booleanField(fields, 'distinct'),
    filter: filter === null ? null : codec.decodeExpr(filter),
    orderBy: codec.decodeSortExprs(valueField(fields, 'orderBy')),
    ignoreNulls: booleanField(fields, 'ignoreNulls'),
    name: textField(fields, 'name'),
    text: textField(fields, 'text'),
    type: codec.decodeType(valueField(fields, 'type')),
    nullable: booleanField(fields, 'nullable'),
  };
}

function decodeLimit(node: EncodedNode): AggregateLimit | null {
  const value = valueField(node, 'limit');
  if (value === null) return null;
  const fields = nodeOf(node, value, 'limit');
  const descending = valueField(fields, 'descending') === null ? null : booleanField(fields, 'descending');
  return { count: countField(fields, 'count'), descending };
}

export const aggregateExecCodec: OperatorCodec<AggregateExec> = {
  kind: 'AggregateExec',
  is: (plan) => plan instanceof AggregateExec,
  encode: (plan, codec) => ({
    mode: plan.mode,
    exprs: encodeNamed(plan.groupBy.exprs, codec),
    nullExprs: encodeNamed(plan.groupBy.nullExprs, codec),
    groups: plan.groupBy.groups,
    aggregates: plan.aggregates.map((aggregate) => encodeAggregate(aggregate, codec)),
    limit: plan.limit === null ? null : { count: plan.limit.count, descending: plan.limit.descending },
    dynamicFilter: plan.dynamicFilter,
  }),
  decode: (fields, children, codec) =>
    new AggregateExec(
      choiceField(fields, 'mode', AGGREGATE_MODES),
      {
        exprs: decodeNamed(fields, 'exprs', codec),
        nullExprs: decodeNamed(fields, 'nullExprs', codec),
        groups: listField(fields, 'groups').map((group) => (isList(group) ? group.map((out) => out === true) : [])),
      },
      listField(fields, 'aggregates').map((value) => decodeAggregate(fields, value, codec)),
      onlyChild(fields, children),
      { limit: decodeLimit(fields), dynamicFilter: nullableCountField(fields, 'dynamicFilter') },
    ),
};
