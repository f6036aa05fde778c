import { notImplemented } from '../../base/errors.js';
import { Arena } from '../../columnar/arena.js';
import type { Column } from '../../columnar/column.js';
import { compact } from '../../columnar/flatten.js';
import { kernels } from '../../columnar/kernels.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import { validKeys } from '../../columnar/rows/join-table.js';
import type { Schema } from '../../columnar/schema.js';
import type { FilterEvaluator } from '../../expr/evaluator.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { JoinType } from '../../expr/join-type.js';
import type { PartitionMode } from '../operators/hash-join-exec.js';
import type { JoinFilter } from '../operators/join-filter.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { coalesceBatches } from './coalesce-batches.js';
import { dense } from './dense-columns.js';
import { HashJoinBuild, waitForBuild } from './hash-join-build.js';
import {
  emptyWithoutLeft,
  filterBatch,
  type JoinBehaviour,
  joinBehaviour,
  type JoinOutputColumn,
  joinOutputColumns,
  markBesidePairs,
  markColumn,
  paddingColumn,
  physicalPositions,
  selectPositions,
  takeRight,
} from './join-output.js';
import { limitRows } from './limit-rows.js';

/** What the stream of a HashJoinExec needs of its node. */
export interface HashJoinSpec extends ExecutionPlan {
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly on: readonly (readonly [PhysicalExpr, PhysicalExpr])[];
  readonly joinType: JoinType;
  readonly mode: PartitionMode;
  readonly filter: JoinFilter | null;
  /** Positions of `joinSchema` to put out, in that order; null = all. */
  readonly projection: readonly number[] | null;
  readonly joinSchema: Schema;
  readonly nullEqualsNull: boolean;
  readonly nullAware: boolean;
  readonly fetch: number | null;
  readonly dynamicFilter: number | null;
}

/**
 * Joins one right partition against the table of the left side: the task's collected one, or that of the same left partition. Right
 * order is kept where the join type keeps it.
 */
export function hashJoinStream(
  spec: HashJoinSpec,
  partition: number,
  context: TaskContext,
): AsyncIterable<RecordBatch> {
  const joined = coalesceBatches(spec, joinPartition(spec, partition, context), context);
  return spec.fetch === null ? joined : limitRows(spec, joined, context, { skip: 0, fetch: spec.fetch });
}

async function* joinPartition(
  spec: HashJoinSpec,
  partition: number,
  context: TaskContext,
): AsyncGenerator<RecordBatch, void, undefined> {
  const shared = spec.mode === 'CollectLeft';
  const build = shared
    ? context.shared(spec, 'build', () => {
        const made = new HashJoinBuild(spec, context, spec.right.properties.partitioning.count);
        context.atEnd(() => {
          made.free();
        });
        return made;
      })
    : new HashJoinBuild(spec, context, 1);
  const memory = context.memory(spec);
  const probe = context.execute(spec.right, partition);
  const joiner = new PartitionJoiner(spec, build, context, memory);
  try {
    if (shared) await waitForBuild(build, context);
    else await build.collect(partition, context);
    if (build.table.numRows === 0 && emptyWithoutLeft(joiner.behaviour)) return;
    const metrics = context.metrics(spec);
    for await (const batch of probe) {
      metrics.add('input_batches', 1);
      metrics.add('input_rows', batch.numRows);
      if (batch.numRows > 0) yield* joiner.probe(batch);
    }
    if (build.probed()) yield* joiner.leftRows();
  } finally {
    await probe.return();
    joiner.free();
    build.close();
    memory.release();
  }
}

/** One partition's part of a hash join: what happens to a probe batch, and the left rows at the end. */
class PartitionJoiner {
  readonly behaviour: JoinBehaviour;
  readonly #spec: HashJoinSpec;
  readonly #build: HashJoinBuild;
  readonly #context: TaskContext;
  readonly #outputs: readonly JoinOutputColumn[];
  readonly #filter: FilterEvaluator | undefined;
  readonly #batchSize: number;
  /** Reset per probe batch. */
  readonly #scratch: Arena;
  /** Reset per piece of output. */
  readonly #output: Arena;
  readonly #keys: ReturnType<TaskContext['compiler']['projection']>;

  constructor(
    spec: HashJoinSpec,
    build: HashJoinBuild,
    context: TaskContext,
    memory: ReturnType<TaskContext['memory']>,
  ) {
    if (spec.nullAware && (spec.on.length !== 1 || spec.filter !== null || spec.joinType !== 'LeftAnti')) {
      throw notImplemented('a null-aware join other than a LeftAnti on one key without filter');
    }
    this.#spec = spec;
    this.#build = build;
    this.#context = context;
    this.behaviour = joinBehaviour(spec.joinType);
    this.#outputs = joinOutputColumns(spec);
    this.#filter = spec.filter === null ? undefined : context.compiler.filter(spec.filter.expr);
    this.#keys = context.compiler.projection(spec.on.map(([, right]) => right));
    this.#batchSize = context.config.get('execution.batch_size');
    this.#scratch = new Arena(memory);
    this.#output = new Arena(memory);
  }

  async *probe(batch: RecordBatch): AsyncGenerator<RecordBatch, void, undefined> {
    const { table } = this.#build;
    const { behaviour } = this;
    this.#scratch.reset();
    this.#output.reset();
    const { numRows } = batch;
    const keys = dense(this.#keys.evaluate(batch, this.#scratch), batch, this.#scratch);
    if (this.#spec.nullAware) this.#noteNulls(keys, numRows);
    const { heads, matches } = table.probe(keys, numRows, this.#scratch);
    if (this.#filter !== undefined) {
      yield* this.#probeFiltered(batch, heads, this.#filter);
      return;
    }
    if (behaviour.tracksLeft && matches > 0) table.visitChains(heads, numRows);
    if (behaviour.pairs && (matches > 0 || behaviour.padsRight)) {
      for (const pairs of table.pairs(heads, numRows, this.#batchSize, this.#scratch, behaviour.padsRight)) {
        yield this.#pairsBatch(batch, pairs.positions, pairs.rows, pairs.count, behaviour.padsRight);
        this.#output.reset();
      }
    }
    if (behaviour.rightRows !== null) {
      const flags = this.#scratch.alloc(numRows);
      kernels.headFlags(heads, numRows, flags);
      yield* this.#rightRows(batch, flags, behaviour.rightRows);
    }
  }

  async *#probeFiltered(
    batch: RecordBatch,
    heads: number,
    evaluator: FilterEvaluator,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    const { table } = this.#build;
    const { behaviour } = this;
    const { numRows } = batch;
    const flags = this.#scratch.allocZeroed(numRows);
    /** Right rows before this position are done with. */
    let done = 0;
    for (const pairs of table.pairs(heads, numRows, this.#batchSize, this.#scratch)) {
      const { positions, rows, count } = this.#passing(batch, pairs.positions, pairs.rows, pairs.count, evaluator);
      if (behaviour.tracksLeft) table.visit(rows, count);
      if (behaviour.padsRight || behaviour.rightRows !== null) kernels.flagPositions(positions, count, flags);
      if (behaviour.padsRight) {
        yield* this.#paddedPiece(batch, { positions, rows, count }, flags, done, pairs.nextPosition);
        done = pairs.nextPosition;
      } else if (behaviour.pairs && count > 0) {
        yield this.#pairsBatch(batch, positions, rows, count, false);
      }
      this.#output.reset();
      // A filter that lets little through yields nothing for long.
      const turn = this.#context.pace();
      if (turn !== undefined) await turn;
    }
    if (behaviour.padsRight && done < numRows) {
      yield* this.#paddedPiece(batch, { positions: 0, rows: 0, count: 0 }, flags, done, numRows);
    }
    if (behaviour.rightRows !== null) yield* this.#rightRows(batch, flags, behaviour.rightRows);
  }

  /** The pairs for which the filter is true. */
  #passing(
    batch: RecordBatch,
    positions: number,
    rows: number,
    count: number,
    evaluator: FilterEvaluator,
  ): { positions: number; rows: number; count: number } {
    const arena = this.#output;
    const physical = physicalPositions(batch, positions, count, arena);
    const candidates = filterBatch(this.#spec.filter!, count, (side, index) =>
      side === 'right'
        ? takeRight(index, batch, physical, count, arena)
        : this.#build.table.payloadColumn(this.#build.payloadIndex(index), rows, count, arena, false),
    );
    const passing = evaluator.filter(candidates, arena);
    if (passing.selection === 0) return { positions, rows, count: passing.numRows };
    const kept = { positions: arena.alloc(passing.numRows * 4), rows: arena.alloc(passing.numRows * 4) };
    kernels.gather32(positions, passing.selection, passing.numRows, kept.positions);
    kernels.gather32(rows, passing.selection, passing.numRows, kept.rows);
    return { ...kept, count: passing.numRows };
  }

  /** Pairs, and right rows of [from, to) without any, in the order of right rows. */
  *#paddedPiece(
    batch: RecordBatch,
    pairs: { positions: number; rows: number; count: number },
    flags: number,
    from: number,
    to: number,
  ): Generator<RecordBatch, void, undefined> {
    const positions = this.#output.alloc((pairs.count + to - from) * 4);
    const rows = this.#output.alloc((pairs.count + to - from) * 4);
    const count = kernels.fillUnmatched(pairs.positions, pairs.rows, pairs.count, flags, from, to, positions, rows);
    for (let start = 0; start < count; start += this.#batchSize) {
      const size = Math.min(this.#batchSize, count - start);
      yield this.#pairsBatch(batch, positions + start * 4, rows + start * 4, size, true);
    }
  }

  /** Output rows for pairs of a right position and a left row; left row 0 gives nulls when `mayPad`. */
  #pairsBatch(batch: RecordBatch, positions: number, rows: number, count: number, mayPad: boolean): RecordBatch {
    const arena = this.#output;
    const physical = physicalPositions(batch, positions, count, arena);
    const columns = this.#outputs.map((output) => {
      switch (output.side) {
        case 'left':
          return this.#build.table.payloadColumn(this.#build.payloadIndex(output.index), rows, count, arena, mayPad);
        case 'right':
          return takeRight(output.index, batch, physical, count, arena);
        case 'mark':
          return markBesidePairs();
      }
    });
    return new RecordBatch(this.#spec.schema, columns, count);
  }

  /** Right rows by whether they are flagged, as views where no mark is added. */
  *#rightRows(
    batch: RecordBatch,
    flags: number,
    wanted: 'matched' | 'unmatched' | 'marked',
  ): Generator<RecordBatch, void, undefined> {
    const arena = this.#output;
    let chosen = batch;
    if (wanted === 'marked') {
      chosen = compact(batch, arena);
    } else {
      const positions = arena.alloc(batch.numRows * 4);
      const count = kernels.selectFlags(flags, batch.numRows, wanted === 'matched' ? 1 : 0, positions);
      if (count === 0) return;
      chosen = selectPositions(batch, positions, count, arena);
    }
    const columns = this.#outputs.map((output) =>
      output.side === 'right' ? chosen.column(output.index) : markColumn(flags, batch.numRows),
    );
    yield chosen.withColumns(this.#spec.schema, columns);
  }

  #noteNulls(keys: readonly Column[], numRows: number): void {
    this.#build.sawProbeRows = true;
    const valid = validKeys(keys, numRows, this.#scratch);
    if (valid !== 0 && kernels.countSetBits(valid, numRows) < numRows) this.#build.sawProbeNull = true;
  }

  /** Left rows that are given out when all partitions have probed. */
  *leftRows(): Generator<RecordBatch, void, undefined> {
    const { table } = this.#build;
    const kind = this.behaviour.leftRows;
    if (kind === null) return;
    if (this.#spec.nullAware) {
      // NOT IN: a null on the right makes every answer unknown; a null on the left is unknown unless the right has no rows.
      if (this.#build.sawProbeNull) return;
      this.#scratch.reset();
      if (this.#build.sawProbeRows) table.visitKeyless(this.#scratch);
    }
    const arena = this.#output;
    this.#scratch.reset();
    const pieces =
      kind === 'marked'
        ? table.allRows(this.#batchSize, this.#scratch)
        : table.visitedRows(kind === 'matched', this.#batchSize, this.#scratch);
    for (const { rows, count } of pieces) {
      arena.reset();
      const columns = this.#outputs.map((output) => {
        switch (output.side) {
          case 'left':
            return table.payloadColumn(this.#build.payloadIndex(output.index), rows, count, arena, false);
          case 'right':
            return paddingColumn(this.#spec.right.schema, output.index, count);
          case 'mark':
            return markColumn(table.visitedFlags(rows, count, arena), count);
        }
      });
      yield new RecordBatch(this.#spec.schema, columns, count);
      this.#scratch.reset();
    }
  }

  free(): void {
    this.#scratch.free();
    this.#output.free();
  }
}
