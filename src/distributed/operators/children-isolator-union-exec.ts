import { DistqError, invariant } from '../../base/errors.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { EncodedNode, EncodedValue } from '../../expr/expr-codec.js';
import { countField, isList, listField, valueField } from '../../physical/encoded-fields.js';
import { unionProperties } from '../../physical/equivalence.js';
import type { ExecutionPlan, OperatorCodec } from '../../physical/execution-plan.js';
import { OperatorBase } from '../../physical/operator-base.js';
import { UnionExec } from '../../physical/operators/union-exec.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import { type PlanProperties, unknownPartitioning } from '../../physical/plan-properties.js';
import type { DistributedTaskContext, TaskContext } from '../../physical/task-context.js';
import {
  allocateUnionChildren,
  formatUnionTaskMap,
  type UnionChildWeight,
  type UnionShare,
  type UnionTaskMap,
} from '../union-allocation.js';

/**
 * A UNION ALL whose children are spread over the tasks of its stage: each task runs only some children, and a child sees its share of
 * the tasks as its own task index and count. Plans show it as DistributedUnionExec.
 *
 * Shape:  as many partitions as the busiest task has; a task's partitions count through its children in the order of its map, the
 *         ones it lacks are empty streams.
 */
export class ChildrenIsolatorUnionExec extends OperatorBase {
  readonly name = 'ChildrenIsolatorUnionExec';
  readonly schema: Schema;
  readonly children: readonly ExecutionPlan[];
  /** Kept so that the same map comes out when children are replaced. */
  readonly weights: readonly UnionChildWeight[];
  readonly taskCount: number;
  readonly taskMap: UnionTaskMap;
  readonly properties: PlanProperties;

  constructor(
    schema: Schema,
    children: readonly ExecutionPlan[],
    { weights, taskCount }: { readonly weights: readonly UnionChildWeight[]; readonly taskCount: number },
  ) {
    super();
    invariant(children.length === weights.length, 'a distributed union has one weight per child');
    this.schema = schema;
    this.children = children;
    this.weights = weights;
    this.taskCount = taskCount;
    this.taskMap = allocateUnionChildren(weights, taskCount);
    const partitions = this.taskMap.map((shares) =>
      shares.reduce((sum, { child }) => sum + this.child(child).properties.partitioning.count, 0),
    );
    this.properties = unionProperties(
      children.map((child) => child.properties),
      unknownPartitioning(Math.max(...partitions)),
    );
  }

  /** The union run by one task that has all children, as a plain union would. */
  static inOneTask(union: UnionExec): ChildrenIsolatorUnionExec {
    const weights = union.children.map(() => ({ weight: 1, maxTasks: null }));
    return new ChildrenIsolatorUnionExec(union.schema, union.children, { weights, taskCount: 1 });
  }

  /** The same children dealt over other tasks. */
  withTasks(
    children: readonly ExecutionPlan[],
    dealing: { readonly weights: readonly UnionChildWeight[]; readonly taskCount: number },
  ): ChildrenIsolatorUnionExec {
    return new ChildrenIsolatorUnionExec(this.schema, children, dealing);
  }

  child(index: number): ExecutionPlan {
    const child = this.children[index];
    invariant(child !== undefined, `a distributed union of ${this.children.length} has no child ${index}`);
    return child;
  }

  /** What a task runs, in the order of its partitions. */
  shares({ taskIndex, taskCount }: DistributedTaskContext): readonly UnionShare[] {
    const shares = this.taskMap[taskIndex];
    invariant(
      taskCount === this.taskCount && shares !== undefined,
      `a distributed union over ${this.taskCount} tasks in task ${taskIndex} of ${taskCount}`,
    );
    return shares;
  }

  withNewChildren(children: readonly ExecutionPlan[]): ExecutionPlan {
    return new ChildrenIsolatorUnionExec(this.schema, children, this);
  }

  override maintainsInputOrder(): readonly boolean[] {
    return this.children.map(() => true);
  }

  override benefitsFromInputPartitioning(): readonly boolean[] {
    return this.children.map(() => false);
  }

  protected computeStatistics(): Statistics {
    return new UnionExec(this.children).statistics();
  }

  describe(): string {
    return `DistributedUnionExec: ${formatUnionTaskMap(this.taskMap)}`;
  }

  async *execute(partition: number, context: TaskContext): AsyncGenerator<RecordBatch> {
    let before = 0;
    for (const share of this.shares(context.task)) {
      const child = this.child(share.child);
      const count = child.properties.partitioning.count;
      if (partition >= before + count) {
        before += count;
        continue;
      }
      const stream = context.withTask(share.context).execute(child, partition - before);
      // Batches go on under the union's own column names.
      for await (const batch of stream) yield batch.withColumns(this.schema, batch.columns);
      return;
    }
  }
}

export const childrenIsolatorUnionCodec: OperatorCodec<ChildrenIsolatorUnionExec> = {
  kind: 'ChildrenIsolatorUnionExec',
  is: (plan) => plan instanceof ChildrenIsolatorUnionExec,
  encode: (plan, codec) => ({
    schema: codec.schema(plan.schema),
    weights: plan.weights.map(({ weight, maxTasks }) => [weight, maxTasks]),
    taskCount: plan.taskCount,
  }),
  decode(fields: EncodedNode, children: readonly ExecutionPlan[], codec: PlanCodec): ChildrenIsolatorUnionExec {
    const weights = listField(fields, 'weights').map((value) => weightOf(value));
    if (weights.length !== children.length) {
      throw new DistqError(
        'protocol',
        `an encoded ${fields.kind} has ${weights.length} weights for ${children.length} children`,
      );
    }
    return new ChildrenIsolatorUnionExec(codec.decodeSchema(valueField(fields, 'schema')), children, {
      weights,
      taskCount: countField(fields, 'taskCount'),
    });
  },
};

function weightOf(value: EncodedValue): UnionChildWeight {
  if (isList(value)) {
    const [weight, maxTasks] = value;
    if (typeof weight === 'number' && (typeof maxTasks === 'number' || maxTasks === null)) return { weight, maxTasks };
  }
  throw new DistqError('protocol', 'field weights of an encoded ChildrenIsolatorUnionExec is no list of pairs');
}
