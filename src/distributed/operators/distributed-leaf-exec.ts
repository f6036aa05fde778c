import { DistqError, invariant } from '../../base/errors.js';
import type { FileGroup } from '../../catalog/file-scan.js';
import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import { isList, listField, valueField } from '../../physical/encoded-fields.js';
import type { DescribeOptions, ExecutionPlan, OperatorCodec } from '../../physical/execution-plan.js';
import { OperatorBase } from '../../physical/operator-base.js';
import { DataSourceExec } from '../../physical/operators/data-source-exec.js';
import type { PlanProperties } from '../../physical/plan-properties.js';
import type { TaskContext } from '../../physical/task-context.js';
import { decodeFileGroups, encodeFileGroups } from '../../sources/files/file-scan-codec.js';

/**
 * A leaf with one variant per task of its stage, decided while planning: each variant reads its share and nothing else. Dispatch puts
 * the variant in the leaf's place before a task's plan is sent (`specialise`), so that a worker never receives a DistributedLeafExec
 * and never selects by task index.
 *
 * Shape:  the variants' partitions, which may be another number than the original's.
 */
export class DistributedLeafExec extends OperatorBase {
  readonly name = 'DistributedLeafExec';
  /** The leaf as it was planned for one node: what statistics and the one-line text come from. */
  readonly original: ExecutionPlan;
  readonly variants: readonly ExecutionPlan[];
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[] = [];
  /** The file groups of each variant, where variants differ from the original in nothing else; otherwise null. */
  readonly variantGroups: readonly (readonly FileGroup[])[] | null;

  /** The leaf with one variant per list of file groups. `plan` error for a leaf that reads no files, and as the constructor's. */
  static overFiles(original: ExecutionPlan, groups: readonly (readonly FileGroup[])[]): DistributedLeafExec {
    const scan = original instanceof DataSourceExec ? original.source.fileScan : null;
    if (!(original instanceof DataSourceExec) || scan === null) {
      throw new DistqError('plan', `${original.name} reads no files that tasks could share`);
    }
    const variants = groups.map((fileGroups) => original.withFileScan({ ...scan, fileGroups }));
    return new DistributedLeafExec(original, variants, groups);
  }

  /** `plan` error unless there is a variant, and all are leaves of one schema and one partition count. */
  constructor(
    original: ExecutionPlan,
    variants: readonly ExecutionPlan[],
    variantGroups: DistributedLeafExec['variantGroups'] = null,
  ) {
    super();
    const [first] = variants;
    if (first === undefined) throw new DistqError('plan', `${original.name} was spread over no task`);
    const count = first.properties.partitioning.count;
    for (const [task, variant] of variants.entries()) {
      if (variant.children.length > 0) {
        throw new DistqError('plan', `the variant of ${original.name} for task ${task} is no leaf: ${variant.name}`);
      }
      if (variant.properties.partitioning.count !== count) {
        const own = variant.properties.partitioning.count;
        throw new DistqError('plan', `${original.name} has ${count} partitions in task 0 and ${own} in task ${task}`);
      }
      if (!variant.schema.equals(first.schema)) {
        throw new DistqError(
          'plan',
          `${original.name} gives (${String(first.schema)}) in task 0 and (${String(variant.schema)}) in task ${task}`,
        );
      }
    }
    this.original = original;
    this.variants = variants;
    this.variantGroups = variantGroups;
    this.schema = first.schema;
    this.properties = first.properties;
  }

  variant(task: number): ExecutionPlan {
    const variant = this.variants[task];
    invariant(
      variant !== undefined,
      `${this.original.name} has ${this.variants.length} variants and none for task ${task}`,
    );
    return variant;
  }

  withNewChildren(children: readonly ExecutionPlan[]): ExecutionPlan {
    invariant(children.length === 0, 'a DistributedLeafExec has no children');
    return this;
  }

  protected computeStatistics(): Statistics {
    return this.original.statistics();
  }

  describe(options: DescribeOptions): string {
    return `DistributedLeafExec: ${this.original.describe(options)}`;
  }

  /** Only where one task runs the whole leaf; anywhere else dispatch forgot to put the variant in. */
  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    const { taskIndex, taskCount } = context.task;
    const [only] = this.variants;
    invariant(
      taskCount === 1 && this.variants.length === 1 && only !== undefined,
      `a DistributedLeafExec of ${this.variants.length} variants was sent to task ${taskIndex} of ${taskCount}`,
    );
    return only.execute(partition, context);
  }
}

/** For plans that are stored. Plans that go to a worker hold no such node. */
export const distributedLeafCodec: OperatorCodec<DistributedLeafExec> = {
  kind: 'DistributedLeafExec',
  is: (plan) => plan instanceof DistributedLeafExec,
  encode: ({ original, variants, variantGroups }, codec) => ({
    original: codec.plan(original),
    ...(variantGroups === null
      ? { variants: variants.map((variant) => codec.plan(variant)) }
      : { variantGroups: variantGroups.map(encodeFileGroups) }),
  }),
  decode: (fields, _children, codec) => {
    const original = codec.decodePlan(valueField(fields, 'original'));
    const groups = fields['variantGroups'];
    if (groups !== undefined && isList(groups)) {
      return DistributedLeafExec.overFiles(original, groups.map(decodeFileGroups));
    }
    return new DistributedLeafExec(
      original,
      listField(fields, 'variants').map((variant) => codec.decodePlan(variant)),
    );
  },
};
