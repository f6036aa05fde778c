import { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { compact } from '../../columnar/flatten.js';
import { heap } from '../../columnar/heap.js';
import { kernels } from '../../columnar/kernels.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { physicalRow } from '../../columnar/value-at.js';
import type { FilterEvaluator } from '../../expr/evaluator.js';
import type { JoinType } from '../../expr/join-type.js';
import type { JoinFilter } from '../operators/join-filter.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { coalesceBatches } from './coalesce-batches.js';
import { CollectedLeft, type LeftBatch, rowAsConstants } from './collected-left.js';
import {
  emptyWithoutLeft,
  type JoinBehaviour,
  joinBehaviour,
  type JoinOutputColumn,
  joinOutputColumns,
  markBesidePairs,
  markColumn,
  paddingColumn,
  selectPositions,
} from './join-output.js';

/** What the stream of a NestedLoopJoinExec needs of its node. */
export interface NestedLoopJoinSpec extends ExecutionPlan {
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly joinType: JoinType;
  readonly filter: JoinFilter | null;
  /** Positions of `joinSchema` to put out, in that order; null = all. */
  readonly projection: readonly number[] | null;
  readonly joinSchema: Schema;
}

/** Joins one right partition with the task's collected left side by testing every pair. */
export function nestedLoopJoinStream(
  spec: NestedLoopJoinSpec,
  partition: number,
  context: TaskContext,
): AsyncIterable<RecordBatch> {
  return coalesceBatches(spec, joinPartition(spec, partition, context), context);
}

async function* joinPartition(
  spec: NestedLoopJoinSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const partitions = spec.right.properties.partitioning.count;
  const left = context.shared(spec, 'left', () => new CollectedLeft(spec, spec.left, partitions, context));
  const memory = context.memory(spec);
  const right = context.execute(spec.right, partition);
  const joiner = new LoopJoiner(spec, left, context, memory);
  try {
    await left.collected(context);
    if (left.numRows === 0 && emptyWithoutLeft(joiner.behaviour)) return;
    for await (const batch of right) if (batch.numRows > 0) yield* joiner.join(batch);
    if (left.joined()) yield* joiner.leftRows();
  } finally {
    await right.return();
    joiner.free();
    left.close();
    memory.release();
  }
}

/** Columns of a pair of sides, of which one is a constant row. */
interface Sides {
  /** The batch whose rows are tested, and its physical capacity. */
  readonly rows: RecordBatch;
  readonly left: readonly Column[];
  readonly right: readonly Column[];
}

class LoopJoiner {
  readonly behaviour: JoinBehaviour;
  readonly #spec: NestedLoopJoinSpec;
  readonly #left: CollectedLeft;
  readonly #context: TaskContext;
  readonly #outputs: readonly JoinOutputColumn[];
  readonly #filter: FilterEvaluator | undefined;
  /** Reset per right batch. */
  readonly #scratch: Arena;
  /** Reset per piece. */
  readonly #output: Arena;

  constructor(spec: NestedLoopJoinSpec, left: CollectedLeft, context: TaskContext, memory: MemoryConsumer) {
    this.#spec = spec;
    this.#left = left;
    this.#context = context;
    this.behaviour = joinBehaviour(spec.joinType);
    this.#outputs = joinOutputColumns(spec);
    this.#filter = spec.filter === null ? undefined : context.compiler.filter(spec.filter.expr);
    this.#scratch = new Arena(memory);
    this.#output = new Arena(memory);
  }

  async *join(batch: RecordBatch): AsyncGenerator<RecordBatch, void, undefined> {
    const { behaviour } = this;
    this.#scratch.reset();
    this.#output.reset();
    /** One byte per physical row of the batch. */
    const flags = this.#scratch.allocZeroed(batch.capacity);
    for (const kept of this.#left.batches) {
      const byLeft = kept.batch.numRows <= batch.numRows;
      const steps = byLeft ? kept.batch.numRows : batch.numRows;
      for (let step = 0; step < steps; step++) {
        const sides = byLeft ? leftRowSides(kept, step, batch) : rightRowSides(kept, batch, step);
        const passing = this.#passing(sides);
        if (passing.numRows > 0) {
          this.#note(passing, byLeft, kept, step, batch, flags);
          if (behaviour.pairs) yield this.#pairs(passing, sides);
          this.#output.reset();
        }
        const turn = this.#context.pace();
        if (turn !== undefined) await turn;
      }
    }
    if (behaviour.padsRight) yield* this.#rightRows(batch, flags, 'unmatched');
    if (behaviour.rightRows !== null) yield* this.#rightRows(batch, flags, behaviour.rightRows);
  }

  /** The tested rows that pair with the constant row. */
  #passing({ rows, left, right }: Sides): RecordBatch {
    if (this.#filter === undefined) return rows;
    const filter = this.#spec.filter!;
    const candidates = rows.withColumns(
      filter.schema,
      filter.columns.map(({ side, index }) => (side === 'left' ? left : right)[index]!),
    );
    return this.#filter.filter(candidates, this.#output);
  }

  /** Remembers who found a partner. */
  #note(passing: RecordBatch, byLeft: boolean, kept: LeftBatch, step: number, batch: RecordBatch, flags: number): void {
    const { tracksLeft, padsRight, rightRows } = this.behaviour;
    const tracksRight = padsRight || rightRows !== null;
    if (byLeft) {
      if (tracksLeft) heap.u8[kept.visited + step] = 1;
      if (tracksRight) flagSelected(passing, flags);
    } else {
      if (tracksLeft) flagSelected(passing, kept.visited);
      if (tracksRight) heap.u8[flags + physicalRow(batch, step)] = 1;
    }
  }

  #pairs(passing: RecordBatch, { left, right }: Sides): RecordBatch {
    return passing.withColumns(
      this.#spec.schema,
      this.#outputs.map((output) => {
        switch (output.side) {
          case 'left':
            return left[output.index]!;
          case 'right':
            return right[output.index]!;
          case 'mark':
            return markBesidePairs();
        }
      }),
    );
  }

  *#rightRows(
    batch: RecordBatch,
    flags: number,
    wanted: 'matched' | 'unmatched' | 'marked',
  ): Generator<RecordBatch, void, undefined> {
    this.#output.reset();
    const dense = this.#output.alloc(batch.numRows);
    if (batch.selection === 0) heap.u8.copyWithin(dense, flags, flags + batch.numRows);
    else kernels.gather8(flags, batch.selection, batch.numRows, dense);
    let chosen = batch;
    if (wanted === 'marked') {
      chosen = compact(batch, this.#output);
    } else {
      const positions = this.#output.alloc(batch.numRows * 4);
      const count = kernels.selectFlags(dense, batch.numRows, wanted === 'matched' ? 1 : 0, positions);
      if (count === 0) return;
      chosen = selectPositions(batch, positions, count, this.#output);
    }
    const columns = this.#outputs.map((output) => {
      switch (output.side) {
        case 'left':
          return paddingColumn(this.#spec.left.schema, output.index, chosen.capacity);
        case 'right':
          return chosen.column(output.index);
        case 'mark':
          return markColumn(dense, batch.numRows);
      }
    });
    yield chosen.withColumns(this.#spec.schema, columns);
  }

  /** Left rows that are given out when all partitions have joined. */
  *leftRows(): Generator<RecordBatch, void, undefined> {
    const wanted = this.behaviour.leftRows;
    if (wanted === null) return;
    for (const { batch, visited } of this.#left.batches) {
      this.#output.reset();
      let chosen = batch;
      if (wanted !== 'marked') {
        const positions = this.#output.alloc(batch.numRows * 4);
        const count = kernels.selectFlags(visited, batch.numRows, wanted === 'matched' ? 1 : 0, positions);
        if (count === 0) continue;
        chosen = selectPositions(batch, positions, count, this.#output);
      }
      const columns = this.#outputs.map((output) => {
        switch (output.side) {
          case 'left':
            return chosen.column(output.index);
          case 'right':
            return paddingColumn(this.#spec.right.schema, output.index, chosen.capacity);
          case 'mark':
            return markColumn(visited, batch.numRows);
        }
      });
      yield chosen.withColumns(this.#spec.schema, columns);
    }
  }

  free(): void {
    this.#scratch.free();
    this.#output.free();
  }
}

function leftRowSides(kept: LeftBatch, row: number, batch: RecordBatch): Sides {
  return { rows: batch, left: rowAsConstants(kept.batch, row, batch.capacity), right: batch.columns };
}

function rightRowSides(kept: LeftBatch, batch: RecordBatch, row: number): Sides {
  return { rows: kept.batch, left: kept.batch.columns, right: rowAsConstants(batch, row, kept.batch.capacity) };
}

/** Sets the flag of each selected physical row. */
function flagSelected(batch: RecordBatch, flags: number): void {
  if (batch.selection === 0) heap.u8.fill(1, flags, flags + batch.numRows);
  else kernels.flagPositions(batch.selection, batch.numRows, flags);
}
