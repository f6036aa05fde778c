import { asDistqError, DistqError } from '../../base/errors.js';
import { inexact, type Statistics, unknownStatistics } from '../../catalog/statistics.js';
import { typeName } from '../../columnar/data-type.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { Schema } from '../../columnar/schema.js';
import { plainProperties } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import { type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import type { TaskContext } from '../task-context.js';
import { type LeafContext, LeafTask } from './leaf-context.js';
import { takesPlainValues } from './plain-value.js';
import { type PlainRow, RecordBatchBuilder } from './record-batch-builder.js';
import { WorkUnitFeed } from './work-unit-feed.js';

const MAX_PARTITIONS = 1024;

export interface LeafOptions {
  /** The node's name, as plans print it and as its codec is called: `PagesExec`. */
  readonly name: string;
  readonly schema: Schema;
  /** Of one task; default 1. */
  readonly partitions?: number;
  /** Estimates, never taken for exact. */
  readonly statistics?: { readonly rows?: number; readonly bytes?: number };
  /** Makes `context.units()` available to `rows`. */
  readonly feed?: WorkUnitFeed;
}

/**
 * A leaf of one's own: a subclass says what it is (`text`) and gives its rows (`rows`). Like every node it is immutable and made anew
 * from its encoded fields in each process; what a run needs is made inside `rows`.
 *
 * Errors: `plan` from the constructor for options that make no sense. What `rows` throws ends the query: a DistqError as it is,
 * anything else as `execution`.
 */
export abstract class LeafExec extends OperatorBase {
  readonly name: string;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[] = [];
  readonly feed: WorkUnitFeed | null;
  readonly #statistics: NonNullable<LeafOptions['statistics']>;

  constructor({ name, schema, partitions = 1, statistics = {}, feed }: LeafOptions) {
    super();
    checkOptions(name, schema, partitions);
    if (feed !== undefined && !(feed instanceof WorkUnitFeed)) {
      throw new DistqError('plan', `the feed of ${name} is none`, { hint: 'make it with workUnitFeed({ units })' });
    }
    this.name = name;
    this.schema = schema;
    this.properties = plainProperties(unknownPartitioning(partitions));
    this.feed = feed ?? null;
    this.#statistics = statistics;
  }

  /** Who wrote the leaf, for messages. */
  get origin(): string {
    return 'a custom leaf';
  }

  /** What follows the name in plans, on one line; empty for nothing. */
  abstract text(): string;

  /** The rows of one partition: each list becomes one batch (cut at `execution.batch_size`), each single object one of one row. */
  abstract rows(
    partition: number,
    context: LeafContext,
  ): AsyncIterable<PlainRow | readonly PlainRow[]> | Iterable<PlainRow | readonly PlainRow[]>;

  withNewChildren(): ExecutionPlan {
    return this;
  }

  describe(): string {
    const text = this.text();
    if (typeof text !== 'string') {
      throw new DistqError('plan', `${this.origin}: text() of ${this.name} gives no text`, {
        hint: 'return a string',
      });
    }
    const line = text.replace(/\s+/g, ' ').trim();
    return line === '' ? this.name : `${this.name}: ${line}`;
  }

  protected computeStatistics(): Statistics {
    const { rows, bytes } = this.#statistics;
    return {
      ...unknownStatistics(this.schema.length),
      ...(rows === undefined ? {} : { numRows: inexact(rows) }),
      ...(bytes === undefined ? {} : { totalByteSize: inexact(bytes) }),
    };
  }

  async *execute(partition: number, context: TaskContext): AsyncGenerator<RecordBatch, void, undefined> {
    const task = new LeafTask(this, partition, context);
    const memory = context.memory(this);
    const builder = new RecordBatchBuilder(this.schema, {
      owner: `${this.name} of ${this.origin}`,
      memory,
      maxRows: context.config.get('execution.batch_size'),
    });
    let iterator: AsyncIterator<unknown> | Iterator<unknown> | undefined;
    let isOver = false;
    try {
      iterator = iteratorOf(this, this.rows(partition, task));
      for (;;) {
        // The plug-in's own waits know nothing of cancels: this one does (engine rule 4.1).
        const outcome = await context.scope.wait(outcomeOf(iterator));
        if ('error' in outcome) {
          isOver = true;
          throw fault(this, outcome.error);
        }
        const { result } = outcome;
        if (result.done === true) {
          isOver = true;
          return;
        }
        for (const row of rowsOf(this, result.value)) {
          if (builder.isFull) yield builder.take();
          builder.append(row);
        }
        if (builder.numRows > 0) yield builder.take();
        const turn = context.pace();
        if (turn !== undefined) await turn;
      }
    } catch (error) {
      throw fault(this, error);
    } finally {
      task.close();
      // It may hang in a wait of its own; the end of the query gives it a moment and no more.
      if (!isOver && iterator?.return !== undefined) context.taskScope.drain(closed(iterator));
      builder.free();
      memory.release();
    }
  }
}

function checkOptions(name: string, schema: Schema, partitions: number): void {
  if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)) {
    throw new DistqError('plan', `a leaf cannot be called ${JSON.stringify(name)}`, {
      hint: 'give a name of letters, digits and underscores, such as "PagesExec"',
    });
  }
  if (!(schema instanceof Schema)) {
    throw new DistqError('plan', `the schema of ${name} is none`, { hint: 'give new Schema([field(name, type), …])' });
  }
  const strange = schema.fields.find(({ type }) => !takesPlainValues(type));
  if (strange !== undefined) {
    throw new DistqError('plan', `${name} cannot give "${strange.name}" of type ${typeName(strange.type)}`, {
      hint: 'nested types and intervals are not supported in custom leaves',
    });
  }
  if (!(Number.isSafeInteger(partitions) && partitions >= 1 && partitions <= MAX_PARTITIONS)) {
    throw new DistqError('plan', `${name} cannot have ${partitions} partitions`, {
      hint: `give an integer from 1 to ${MAX_PARTITIONS}`,
    });
  }
}

function iteratorOf(leaf: LeafExec, rows: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (typeof rows === 'object' && rows !== null) {
    if (Symbol.asyncIterator in rows) return (rows as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    if (Symbol.iterator in rows) return (rows as Iterable<unknown>)[Symbol.iterator]();
  }
  throw new DistqError('execution', `${leaf.origin}: rows() of ${leaf.name} gives nothing to iterate over`, {
    hint: 'make it a generator: async *rows(partition, context) { yield [row, …]; }',
  });
}

function rowsOf(leaf: LeafExec, item: unknown): readonly PlainRow[] {
  if (Array.isArray(item) && item.every((row) => typeof row === 'object' && row !== null)) return item as PlainRow[];
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return [item as PlainRow];
  throw new DistqError('execution', `${leaf.origin}: rows() of ${leaf.name} gives something that is no list of rows`, {
    hint: 'yield lists of rows, each an object by column name or a list of values',
  });
}

type Outcome = { readonly result: IteratorResult<unknown> } | { readonly error: unknown };

/** The next item; a failure as a value, so that whoever waits for it can tell it from a cancel. */
async function outcomeOf(iterator: AsyncIterator<unknown> | Iterator<unknown>): Promise<Outcome> {
  try {
    return { result: await iterator.next() };
  } catch (error) {
    return { error };
  }
}

function fault(leaf: LeafExec, error: unknown): DistqError {
  if (error instanceof DistqError) return error;
  const { message } = asDistqError(error);
  return new DistqError('execution', `${leaf.origin}: ${leaf.name} failed: ${message}`, { cause: error });
}

async function closed(iterator: AsyncIterator<unknown> | Iterator<unknown>): Promise<void> {
  await iterator.return?.();
}
