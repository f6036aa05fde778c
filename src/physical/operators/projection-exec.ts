import type { Statistics } from '../../catalog/statistics.js';
import type { RecordBatch } from '../../columnar/record-batch.js';
import { Schema } from '../../columnar/schema.js';
import { type PhysicalExpr, physicalColumn } from '../../expr/physical-expr.js';
import { listField, nodeOf, onlyChild, textField, valueField } from '../encoded-fields.js';
import { type ProjectedExpr, projectProperties } from '../equivalence.js';
import type { CardinalityEffect, ExecutionPlan, OperatorCodec } from '../execution-plan.js';
import { OperatorBase } from '../operator-base.js';
import type { PlanProperties } from '../plan-properties.js';
import { projectionStatistics } from '../../catalog/projection-statistics.js';
import { type ProjectionSpec, projectionStream } from '../streams/projection-stream.js';
import type { TaskContext } from '../task-context.js';
import { namedExprText } from './operator-text.js';

/** Computes one output column per expression. */
export class ProjectionExec extends OperatorBase implements ProjectionSpec {
  readonly name = 'ProjectionExec';
  readonly exprs: readonly ProjectedExpr[];
  readonly input: ExecutionPlan;
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly children: readonly ExecutionPlan[];

  constructor(exprs: readonly ProjectedExpr[], input: ExecutionPlan) {
    super();
    this.exprs = exprs;
    this.input = input;
    this.children = [input];
    this.schema = new Schema(exprs.map(({ expr, name }) => ({ name, type: expr.type, nullable: expr.nullable })));
    this.properties = projectProperties(input.properties, exprs);
  }

  /** The projection that picks input columns by position, keeping their names. */
  static ofColumns(input: ExecutionPlan, indices: readonly number[]): ProjectionExec {
    return new ProjectionExec(
      indices.map((index) => {
        const expr = physicalColumn(input.schema, index);
        return { expr, name: expr.name };
      }),
      input,
    );
  }

  withNewChildren([input]: readonly ExecutionPlan[]): ExecutionPlan {
    return new ProjectionExec(this.exprs, input!);
  }

  override maintainsInputOrder(): readonly boolean[] {
    return [true];
  }

  /** Picking columns is too cheap to spread rows for. */
  override benefitsFromInputPartitioning(): readonly boolean[] {
    return [!this.exprs.every(({ expr }) => isTrivial(expr))];
  }

  override cardinalityEffect(): CardinalityEffect {
    return 'equal';
  }

  protected computeStatistics(): Statistics {
    return projectionStatistics(this.input.statistics(), this.exprs);
  }

  describe(): string {
    return `ProjectionExec: expr=[${this.exprs.map(({ expr, name }) => namedExprText(expr, name)).join(', ')}]`;
  }

  execute(partition: number, context: TaskContext): AsyncIterable<RecordBatch> {
    return projectionStream(this, partition, context);
  }
}

/** Columns and constants: expressions that cost nothing to evaluate. */
function isTrivial(expr: PhysicalExpr): boolean {
  return expr.kind === 'column' || expr.kind === 'literal';
}

export const projectionExecCodec: OperatorCodec<ProjectionExec> = {
  kind: 'ProjectionExec',
  is: (plan) => plan instanceof ProjectionExec,
  encode: (plan, codec) => ({ exprs: plan.exprs.map(({ expr, name }) => ({ expr: codec.expr(expr), name })) }),
  decode: (fields, children, codec) =>
    new ProjectionExec(
      listField(fields, 'exprs').map((value) => {
        const entry = nodeOf(fields, value, 'exprs');
        return { expr: codec.decodeExpr(valueField(entry, 'expr')), name: textField(entry, 'name') };
      }),
      onlyChild(fields, children),
    ),
};
