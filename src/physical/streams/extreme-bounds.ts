import type { Arena } from '../../columnar/arena.js';
import { type BoundValue, boundValueAtAddress, compareInOrder, type RowBound } from '../../columnar/rows/row-bound.js';
import { RowStore } from '../../columnar/rows/row-store.js';
import { isNullAt, valueAddress } from '../../columnar/value-at.js';
import type { TaskContext } from '../task-context.js';
import type { AggregateSpec } from './aggregate-stream.js';
import type { Aggregation } from './aggregation.js';

/** The extremes that min/max aggregates without keys have reached, for the scans below: a row is of use if it passes one of them. */
export class ExtremeBounds {
  readonly #id: number;
  readonly #orders: readonly Pick<RowBound['keys'][number], 'descending' | 'nullsFirst'>[];
  readonly #aggregation: Aggregation;
  readonly #context: TaskContext;
  #last: readonly BoundValue[] | null = null;

  constructor(id: number, { aggregates }: AggregateSpec, aggregation: Aggregation, context: TaskContext) {
    this.#id = id;
    this.#aggregation = aggregation;
    this.#context = context;
    this.#orders = aggregates.map(({ func }) => ({ descending: func.name === 'max', nullsFirst: false }));
  }

  /** Tells of extremes that have moved; not before every aggregate has one. */
  publish(scratch: Arena): void {
    const { table } = this.#aggregation;
    const [chunk] = table.chunks();
    if (chunk === undefined) return;
    const rows = RowStore.addresses(chunk, table.layout.width, 0, 1, scratch);
    const values: BoundValue[] = [];
    for (const column of this.#aggregation.columns(rows, 1, scratch)) {
      if (isNullAt(column, 0)) return;
      values.push(boundValueAtAddress(column.type, column.layout, valueAddress(column, 0)));
    }
    const last = this.#last;
    if (
      last !== null &&
      this.#orders.every((order, child) => compareInOrder(order, values[child]!, last[child]!) === 0)
    ) {
      return;
    }
    this.#last = values;
    const bounds = this.#orders.map((order, child) => ({
      keys: [{ ...order, child, value: values[child]! }],
      inclusive: false,
    }));
    this.#context.publishRowBounds(this.#id, bounds);
  }
}
