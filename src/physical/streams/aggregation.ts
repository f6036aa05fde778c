import { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { columnFromScalar } from '../../columnar/from-values.js';
import { defaultLayout } from '../../columnar/layout.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { groupingIdType } from '../../logical/grouping-sets.js';
import { GroupTable } from '../../columnar/rows/group-table.js';
import type { ExpressionCompiler, ProjectionEvaluator } from '../../expr/evaluator.js';
import type { GroupsAccumulator } from '../../expr/function.js';
import { physicalColumn, type PhysicalExpr } from '../../expr/physical-expr.js';
import { aggregateArgTypes, aggregateStateFields, groupOutputFields, hasGroupingSets } from '../aggregate-expr.js';
import { dense, trueBits } from './dense-columns.js';
import type { AggregateSpec } from './aggregate-stream.js';

/** One aggregate call: its accumulator, where its state lies, and which of the evaluated columns it reads. */
interface Call {
  readonly accumulator: GroupsAccumulator;
  readonly stateOffset: number;
  readonly inputs: readonly number[];
  /** Index of the filter's column, or -1. */
  readonly filter: number;
  /** Another call keeps this one's state up to date. */
  readonly isShared: boolean;
}

/** The groups of one aggregate with the state of its calls. Raw rows or partial states go in, states or results come out. */
export class Aggregation {
  readonly table: GroupTable;
  readonly #spec: AggregateSpec;
  readonly #calls: readonly Call[];
  readonly #evaluator: ProjectionEvaluator;
  readonly #arena: Arena;
  readonly #keyCount: number;
  readonly #merges: boolean;
  readonly #emitsStates: boolean;

  constructor(spec: AggregateSpec, compiler: ExpressionCompiler, memory: MemoryConsumer) {
    this.#spec = spec;
    const { mode, groupBy, aggregates } = spec;
    this.#merges = mode === 'Final' || mode === 'FinalPartitioned' || mode === 'PartialReduce';
    this.#emitsStates = mode === 'Partial' || mode === 'PartialReduce';
    this.#keyCount = groupBy.exprs.length;
    const exprs: PhysicalExpr[] = groupBy.exprs.map(({ expr }) => expr);
    const keys = groupOutputFields(groupBy);
    /** Partial states stand behind the keys, call by call. */
    let stateColumn = keys.length;
    let stateBytes = 0;
    const calls: (Omit<Call, 'stateOffset'> & { readonly at: number })[] = [];
    /** Offsets of states by what they are made of. */
    const states = new Map<string, number>();
    for (const aggregate of aggregates) {
      const { func, args, distinct, ignoreNulls, filter } = aggregate;
      const ordered = aggregate.orderBy.length > 0;
      const accumulator = func.createAccumulator(aggregateArgTypes(aggregate), { distinct, ignoreNulls, ordered });
      const inputs: number[] = [];
      if (this.#merges) {
        for (const _ of aggregateStateFields(aggregate)) {
          inputs.push(exprs.push(physicalColumn(spec.input.schema, stateColumn)) - 1);
          stateColumn++;
        }
      } else {
        for (const arg of args) inputs.push(exprs.push(arg) - 1);
      }
      const filterColumn = filter === null || this.#merges ? -1 : exprs.push(filter) - 1;
      const source = filter === null && !this.#merges ? stateSource(accumulator, args) : undefined;
      const known = source === undefined ? undefined : states.get(source);
      calls.push({ accumulator, at: known ?? stateBytes, inputs, filter: filterColumn, isShared: known !== undefined });
      if (known !== undefined) continue;
      if (source !== undefined) states.set(source, stateBytes);
      stateBytes += accumulator.stateWidth;
    }
    this.#evaluator = compiler.projection(exprs);
    this.table = new GroupTable(keys, stateBytes, memory);
    this.#calls = calls.map(({ at, ...call }) => ({ ...call, stateOffset: this.table.stateOffset + at }));
    this.#arena = new Arena(memory);
    if (keys.length === 0) {
      const scratch = new Arena(memory);
      this.table.groups([], 1, scratch);
      scratch.free();
    }
  }

  /** Takes a batch in. */
  consume(batch: RecordBatch, scratch: Arena): void {
    const { numRows } = batch;
    if (numRows === 0) return;
    const columns = dense(this.#evaluator.evaluate(batch, scratch), batch, scratch);
    const keys = columns.slice(0, this.#keyCount);
    const filters = new Map<number, number>();
    const { groupBy } = this.#spec;
    if (!hasGroupingSets(groupBy)) {
      this.#accumulate(this.table.groups(keys, numRows, scratch), columns, filters, numRows, scratch);
      return;
    }
    const idType = groupingIdType(groupBy.exprs.length);
    for (const set of groupBy.groups) {
      // Bit i from the last key: set where the key is left out.
      const id = set.reduce((bits, left) => bits * 2n + (left ? 1n : 0n), 0n);
      const value = defaultLayout(idType) === 'u64' ? id : Number(id);
      const inSet = keys.map((column, key) =>
        set[key] === true ? Column.nulls(column.type, column.layout, numRows) : column,
      );
      inSet.push(columnFromScalar({ type: idType, value }, numRows, scratch));
      this.#accumulate(this.table.groups(inSet, numRows, scratch), columns, filters, numRows, scratch);
    }
  }

  #accumulate(
    groups: number,
    columns: readonly Column[],
    filters: Map<number, number>,
    numRows: number,
    scratch: Arena,
  ): void {
    for (const { accumulator, stateOffset, inputs, filter: filterColumn, isShared } of this.#calls) {
      if (isShared) continue;
      let filter = 0;
      if (filterColumn >= 0) {
        filter = filters.get(filterColumn) ?? trueBits(columns[filterColumn]!, scratch);
        filters.set(filterColumn, filter);
      }
      const args = inputs.map((index) => columns[index]!);
      const input = { args, numRows, groups, stateOffset, filter, arena: this.#arena, scratch };
      if (this.#merges) accumulator.merge(input);
      else accumulator.update(input);
    }
  }

  /** The output columns of `count` groups at these row addresses; strings of keys refer to the table's bytes. */
  columns(rows: number, count: number, arena: Arena): Column[] {
    const columns = this.table.layout.keys.map((_, index) => this.table.keyColumn(index, rows, count, arena));
    for (const { accumulator, stateOffset } of this.#calls) {
      if (this.#emitsStates) columns.push(...accumulator.state(rows, count, stateOffset, arena));
      else columns.push(accumulator.evaluate(rows, count, stateOffset, arena));
    }
    return columns;
  }

  free(): void {
    this.table.free();
    this.#arena.free();
  }
}

/** What a state is made of, where accumulators of several functions make the same of the same columns: `sum(x)` and `avg(x)`. */
function stateSource({ stateKey }: GroupsAccumulator, args: readonly PhysicalExpr[]): string | undefined {
  if (stateKey === undefined || !args.every((arg) => arg.kind === 'column')) return undefined;
  return `${stateKey}(${args.map((arg) => arg.index).join()})`;
}
