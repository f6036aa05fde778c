import { Job } from '../../base/job.js';
import type { MetricsRecorder } from '../../base/metrics.js';
import { Arena } from '../../columnar/arena.js';
import { BOOLEAN, type DataType } from '../../columnar/data-type.js';
import { defaultLayout } from '../../columnar/layout.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { KeySet } from '../../columnar/rows/key-set.js';
import { JoinTable } from '../../columnar/rows/join-table.js';
import { scalar } from '../../columnar/scalar-value.js';
import { valueAtAddress } from '../../columnar/value-at.js';
import type { ProjectionEvaluator } from '../../expr/evaluator.js';
import { type PhysicalExpr, physicalLiteral } from '../../expr/physical-expr.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { TaskContext } from '../task-context.js';
import { dense } from './dense-columns.js';
import type { HashJoinSpec } from './hash-join-stream.js';
import { joinOutputColumns } from './join-output.js';

/**
 * The left side of a hash join as a table. Collected once per task and shared by the probe partitions (CollectLeft), or built per
 * partition; whoever ends last frees it and gives out what left rows are to be given out.
 */
export class HashJoinBuild {
  readonly table: JoinTable;
  /** Left columns in the payload, ascending. */
  readonly leftColumns: readonly number[];
  /** NOT IN: whether any probe row came, and whether one had a null key. */
  sawProbeRows = false;
  sawProbeNull = false;
  readonly #spec: HashJoinSpec;
  readonly #evaluator: ProjectionEvaluator;
  readonly #memory: MemoryConsumer;
  readonly #metrics: MetricsRecorder;
  #job: Job<void> | undefined;
  #openPartitions: number;
  #probing: number;
  #freed = false;
  #running = false;

  constructor(spec: HashJoinSpec, context: TaskContext, partitions: number) {
    this.#spec = spec;
    this.#openPartitions = partitions;
    this.#probing = partitions;
    this.#memory = context.memory(spec, 'build');
    this.#metrics = context.metrics(spec);
    this.#evaluator = context.compiler.projection(spec.on.map(([left]) => left));
    const needed = new Set<number>();
    for (const output of joinOutputColumns(spec)) if (output.side === 'left') needed.add(output.index);
    for (const { side, index } of spec.filter?.columns ?? []) if (side === 'left') needed.add(index);
    this.leftColumns = [...needed].sort((a, b) => a - b);
    const keys = spec.on.map(([left, right]) => ({
      type: left.type,
      nullable: left.nullable || (spec.nullEqualsNull && right.nullable),
    }));
    this.table = new JoinTable(
      keys,
      this.leftColumns.map((index) => spec.left.schema.field(index)),
      this.leftColumns.map((index) => aliasOf(spec, index)),
      { nullEqualsNull: spec.nullEqualsNull, consumer: this.#memory },
    );
  }

  /** Payload position of a left column. */
  payloadIndex(leftColumn: number): number {
    return this.leftColumns.indexOf(leftColumn);
  }

  /** Reads the left partition and closes the table. */
  async collect(partition: number, context: TaskContext): Promise<void> {
    const scratch = new Arena(this.#memory);
    let computeMs = 0;
    try {
      for await (const batch of context.execute(this.#spec.left, partition)) {
        const startMs = performance.now();
        scratch.reset();
        const keys = dense(this.#evaluator.evaluate(batch, scratch), batch, scratch);
        const payload = dense(
          this.leftColumns.map((index) => batch.column(index)),
          batch,
          scratch,
        );
        this.table.append(keys, payload, batch.numRows);
        this.#metrics.add('build_input_batches', 1);
        this.#metrics.add('build_input_rows', batch.numRows);
        computeMs += performance.now() - startMs;
      }
      const startMs = performance.now();
      for (const _ of this.table.finish()) {
        const turn = context.pace();
        if (turn !== undefined) await turn;
      }
      this.#publishBounds(context, scratch);
      await this.#publishKeys(partition, context, scratch);
      computeMs += performance.now() - startMs;
    } finally {
      scratch.free();
      this.#metrics.add('build_time', Math.round(computeMs * 1e6), 'time');
      this.#metrics.add('build_mem_used', this.table.heldBytes, 'bytes');
    }
  }

  /** Waits for the collected left side, which the first who asks starts, as a job of the task. */
  collected(context: TaskContext): Promise<void> {
    this.#job ??= this.#start(context);
    return this.#job.result(context.scope);
  }

  #start(context: TaskContext): Job<void> {
    return Job.start(async () => {
      this.#running = true;
      try {
        await this.collect(0, context.withScope(context.taskScope));
      } finally {
        this.#running = false;
        if (this.#freed) this.#release();
      }
    }, context.taskScope);
  }

  /** The predicate `least ≤ key ≤ largest` per key, for scans below the probe side. */
  #publishBounds(context: TaskContext, scratch: Arena): void {
    const { dynamicFilter, on } = this.#spec;
    if (dynamicFilter === null || this.#openPartitions !== this.#spec.right.properties.partitioning.count) return;
    const bounds: PhysicalExpr[] = [];
    for (const [index, [left]] of on.entries()) {
      const layout = defaultLayout(left.type);
      const found = this.table.keyExtremes(index, scratch);
      // NaN is above all numbers for keys, but not for comparisons of every scan.
      if (found === undefined || layout === 'f32' || layout === 'f64' || layout === 'interval') continue;
      const { offset } = this.table.layout.keys[index]!;
      const column: PhysicalExpr = { kind: 'column', name: `key${index}`, index, type: left.type, nullable: true };
      const bound = (op: '>=' | '<=', row: number): PhysicalExpr => ({
        kind: 'binary',
        left: column,
        op,
        right: physicalLiteral(scalar(left.type, valueAtAddress(left.type, layout, row + offset))),
        type: BOOLEAN,
        nullable: true,
      });
      bounds.push(bound('>=', found.least), bound('<=', found.largest));
    }
    if (bounds.length === 0) return;
    const conjunction = bounds.reduce((all, one) => ({
      kind: 'binary',
      left: all,
      op: 'AND',
      right: one,
      type: BOOLEAN,
      nullable: true,
    }));
    context.setDynamicFilter(dynamicFilter, conjunction);
  }

  /** The distinct integer keys, for scans below the probe side, in whatever task they run. */
  async #publishKeys(partition: number, context: TaskContext, scratch: Arena): Promise<void> {
    const { dynamicFilter, on, nullEqualsNull, mode, left, right } = this.#spec;
    if (dynamicFilter === null || nullEqualsNull) return;
    const { taskIndex, taskCount } = context.task;
    const partitions = mode === 'CollectLeft' ? 1 : right.properties.partitioning.count;
    const place =
      mode === 'CollectLeft' && isBroadcast(left)
        ? { part: 0, parts: 1 }
        : { part: taskIndex * partitions + (partitions === 1 ? 0 : partition), parts: taskCount * partitions };
    if (!context.keyFilters.wants(dynamicFilter, place.part)) return;
    await context.keyFilters.publish({ id: dynamicFilter, ...place }, async (arena) => {
      const sets: (KeySet | null)[] = [];
      for (const [index, [{ type }]] of on.entries()) {
        if (!KEY_SET_TYPES.has(type.kind)) {
          sets.push(null);
          continue;
        }
        const steps = this.table.keySet(index, arena, scratch);
        let step = steps.next();
        for (; step.done !== true; step = steps.next()) {
          const turn = context.pace();
          if (turn !== undefined) await turn;
        }
        sets.push(step.value);
      }
      return sets;
    });
  }

  /** One partition has probed all its rows; true for the last, which gives out left rows. */
  probed(): boolean {
    this.#probing--;
    return this.#probing === 0;
  }

  /** One partition's stream is over, however it ended. */
  close(): void {
    this.#openPartitions--;
    if (this.#openPartitions === 0) this.free();
  }

  /** Frees the table; a job that is still on its way out does it at its end. */
  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    if (!this.#running) this.#release();
  }

  #release(): void {
    this.table.free();
    this.#memory.release();
  }
}

/** Types whose keys make a set. */
const KEY_SET_TYPES: ReadonlySet<DataType['kind']> = new Set<DataType['kind']>(['Int32', 'Int64', 'Date32']);

/** Operators that give the same rows for the same rows, in whatever order they come. */
const ROW_WISE: ReadonlySet<string> = new Set(['CoalescePartitionsExec', 'FilterExec', 'ProjectionExec']);

/** Whether every task of the stage gets the same rows on this side, so that one task's keys are those of all. */
function isBroadcast(side: ExecutionPlan): boolean {
  if (side.name === 'NetworkBroadcastExec') return true;
  const [child] = side.children;
  return child !== undefined && side.fetch === null && ROW_WISE.has(side.name) && isBroadcast(child);
}

/** The key that a left column is bit for bit, or -1: a float key is stored in key form. */
function aliasOf(spec: HashJoinSpec, leftColumn: number): number {
  return spec.on.findIndex(([left]) => {
    const layout = defaultLayout(left.type);
    return left.kind === 'column' && left.index === leftColumn && layout !== 'f32' && layout !== 'f64';
  });
}

/** Waits for the build side, telling the task that this is no computing time of the join. */
export async function waitForBuild(build: HashJoinBuild, context: TaskContext): Promise<void> {
  await context.waiting(build.collected(context));
}
