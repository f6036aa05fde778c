/**
 * How network boundaries travel: their schema, everything they promise about their rows (the nodes above compute their own
 * properties from it when they are decoded), and their stage. A local stage's plan is the boundary's child; a remote one has workers.
 */
import { DistqError } from '../../base/errors.js';
import { stageId } from '../../base/ids.js';
import type { Schema } from '../../columnar/schema.js';
import type { EncodedNode, EncodedValue } from '../../expr/expr-codec.js';
import {
  choiceField,
  countField,
  countsField,
  encodePartitioning,
  isList,
  listField,
  nodeOf,
  onlyChild,
  partitioningField,
  valueField,
} from '../../physical/encoded-fields.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { PlanCodec } from '../../physical/plan-codec.js';
import type { PlanConstant, PlanProperties } from '../../physical/plan-properties.js';
import type { NetworkBoundary } from '../network-boundary.js';
import type { Stage } from '../stage.js';

export interface DecodedBoundary {
  readonly schema: Schema;
  readonly properties: PlanProperties;
  readonly stage: Stage;
}

export function encodeBoundary(boundary: NetworkBoundary, codec: PlanCodec): Omit<EncodedNode, 'kind'> {
  return {
    schema: codec.schema(boundary.schema),
    properties: encodeProperties(boundary.properties, codec),
    stage: encodeStage(boundary.inputStage),
  };
}

export function decodeBoundary(
  fields: EncodedNode,
  children: readonly ExecutionPlan[],
  codec: PlanCodec,
): DecodedBoundary {
  return {
    schema: codec.decodeSchema(valueField(fields, 'schema')),
    properties: decodeProperties(nodeOf(fields, valueField(fields, 'properties'), 'properties'), codec),
    stage: decodeStage(nodeOf(fields, valueField(fields, 'stage'), 'stage'), children),
  };
}

function encodeStage(stage: Stage): EncodedValue {
  const { state, id, tasks } = stage;
  if (state === 'local') return { state, id, tasks };
  return { state, id, tasks, partitionCount: stage.partitionCount, workers: stage.workers };
}

function decodeStage(fields: EncodedNode, children: readonly ExecutionPlan[]): Stage {
  const state = choiceField(fields, 'state', ['local', 'remote']);
  const id = stageId(countField(fields, 'id'));
  const tasks = countField(fields, 'tasks');
  if (tasks < 1) throw new DistqError('protocol', `an encoded ${fields.kind} reads a stage without tasks`);
  if (state === 'local') return { state, id, tasks, plan: onlyChild(fields, children) };
  const workers = countsField(fields, 'workers');
  if (workers.length !== tasks) {
    throw new DistqError('protocol', `an encoded ${fields.kind} names ${workers.length} workers for ${tasks} tasks`);
  }
  return { state, id, tasks, partitionCount: countField(fields, 'partitionCount'), workers };
}

function encodeProperties(properties: PlanProperties, codec: PlanCodec): EncodedValue {
  return {
    partitioning: encodePartitioning(properties.partitioning, codec),
    orderings: properties.orderings.map((keys) => codec.sortExprs(keys)),
    equivalences: properties.equivalences.map((members) => members.map((member) => codec.expr(member))),
    constants: properties.constants.map(({ expr, across, value }) => ({
      expr: codec.expr(expr),
      across,
      value: value === null ? null : codec.scalar(value),
    })),
  };
}

function decodeProperties(fields: EncodedNode, codec: PlanCodec): PlanProperties {
  return {
    partitioning: partitioningField(fields, 'partitioning', codec),
    orderings: listField(fields, 'orderings').map((keys) => codec.decodeSortExprs(keys)),
    equivalences: listField(fields, 'equivalences').map((members) => {
      if (!isList(members)) {
        throw new DistqError('protocol', `field equivalences of an encoded ${fields.kind} is no list of lists`);
      }
      return members.map((member) => codec.decodeExpr(member));
    }),
    constants: listField(fields, 'constants').map((encoded): PlanConstant => {
      const constant = nodeOf(fields, encoded, 'constants');
      const value = valueField(constant, 'value');
      return {
        expr: codec.decodeExpr(valueField(constant, 'expr')),
        across: choiceField(constant, 'across', ['uniform', 'per_partition']),
        value: value === null ? null : codec.decodeScalar(value),
      };
    }),
  };
}
