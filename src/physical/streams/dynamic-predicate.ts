import { Arena } from '../../columnar/arena.js';
import type { MemoryConsumer } from '../../columnar/memory-pool.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { RowBoundFilter } from '../../columnar/rows/row-bound-filter.js';
import type { FilterEvaluator } from '../../expr/evaluator.js';
import type { PhysicalDynamicFilter, PhysicalExpr } from '../../expr/physical-expr.js';
import { conjunction, conjuncts, mapPhysicalColumns } from '../../expr/physical-expr-transform.js';
import type { TaskContext } from '../task-context.js';

/**
 * A predicate that may contain dynamic filters: each is replaced by what its producer has published so far, and left out while that
 * is nothing. Compiled anew only when a producer has published something new.
 */
export class DynamicPredicate {
  readonly #conjuncts: readonly PhysicalExpr[];
  readonly #context: TaskContext;
  readonly #bounded: readonly Bounded[];
  #published: readonly (PhysicalExpr | null)[] | undefined;
  #evaluator: FilterEvaluator | null = null;

  constructor(predicate: PhysicalExpr, context: TaskContext, memory: MemoryConsumer) {
    this.#conjuncts = conjuncts(predicate);
    this.#context = context;
    this.#bounded = this.#conjuncts.flatMap((conjunct) =>
      conjunct.kind === 'dynamic_filter' ? [bounded(conjunct, memory)] : [],
    );
  }

  /** The rows for which the predicate is true by now, as a view of the batch with a selection in the arena. */
  filter(batch: RecordBatch, arena: Arena): RecordBatch {
    let passing = this.#current()?.filter(batch, arena) ?? batch;
    for (const { id, children, filter } of this.#bounded) {
      filter.use(this.#context.rowBounds(id));
      const columns = children.map((index) => (index < 0 ? null : batch.column(index)));
      const rows = { selection: passing.selection, count: passing.numRows };
      const kept = filter.keep(columns, rows, arena);
      if (kept !== rows) passing = batch.withSelection(kept.selection, kept.count);
    }
    return passing;
  }

  /** The evaluator for the next batch; null while nothing filters. */
  #current(): FilterEvaluator | null {
    const published = this.#conjuncts.map((conjunct) =>
      conjunct.kind === 'dynamic_filter' ? this.#context.dynamicFilter(conjunct.id) : null,
    );
    const before = this.#published;
    if (before !== undefined && published.every((predicate, index) => predicate === before[index])) {
      return this.#evaluator;
    }
    this.#published = published;
    const present = this.#conjuncts.flatMap((conjunct, index) => {
      if (conjunct.kind !== 'dynamic_filter') return [conjunct];
      const predicate = published[index] ?? null;
      return predicate === null ? [] : [inPlace(predicate, conjunct)];
    });
    const predicate = conjunction(present);
    this.#evaluator = predicate === undefined ? null : this.#context.compiler.filter(predicate);
    return this.#evaluator;
  }

  /** Frees what it holds. */
  free(): void {
    for (const { arena } of this.#bounded) arena.free();
  }
}

/** A dynamic filter that bounds rows: the input column of each child, -1 where a child is none. */
interface Bounded {
  readonly id: number;
  readonly children: readonly number[];
  readonly filter: RowBoundFilter;
  readonly arena: Arena;
}

function bounded({ id, children }: PhysicalDynamicFilter, memory: MemoryConsumer): Bounded {
  const arena = new Arena(memory);
  const types = children.map((child) => (child.kind === 'column' ? child.type : null));
  return {
    id,
    children: children.map((child) => (child.kind === 'column' ? child.index : -1)),
    filter: new RowBoundFilter(types, arena),
    arena,
  };
}

/** A published predicate, whose column k stands for child k of the filter, over the schema where the filter is placed. */
function inPlace(predicate: PhysicalExpr, filter: PhysicalDynamicFilter): PhysicalExpr {
  return mapPhysicalColumns(predicate, (column) => filter.children[column.index] ?? column);
}
