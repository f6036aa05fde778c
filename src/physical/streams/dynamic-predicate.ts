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
  #published: readonly (PhysicalExpr | null)[] | undefined;
  #evaluator: FilterEvaluator | null = null;

  constructor(predicate: PhysicalExpr, context: TaskContext) {
    this.#conjuncts = conjuncts(predicate);
    this.#context = context;
  }

  /** The evaluator for the next batch; null while nothing filters. */
  current(): FilterEvaluator | null {
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
}

/** A published predicate, whose column k stands for child k of the filter, over the schema where the filter is placed. */
function inPlace(predicate: PhysicalExpr, filter: PhysicalDynamicFilter): PhysicalExpr {
  return mapPhysicalColumns(predicate, (column) => filter.children[column.index] ?? column);
}
