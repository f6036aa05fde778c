import { BOOLEAN, type Field, field } from '../../columnar/data-type.js';
import { Schema } from '../../columnar/schema.js';
import type { JoinType } from '../../expr/join-type.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import { shiftColumns } from '../../expr/physical-expr-transform.js';
import { addEquality, projectProperties, shiftPartitioning, shiftProperties } from '../equivalence.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { type Partitioning, type PlanConstant, type PlanProperties, unknownPartitioning } from '../plan-properties.js';
import { physicalColumn } from '../../expr/physical-expr.js';

export const JOIN_TYPES: readonly JoinType[] = [
  'Inner',
  'Left',
  'Right',
  'Full',
  'LeftSemi',
  'RightSemi',
  'LeftAnti',
  'RightAnti',
  'LeftMark',
  'RightMark',
];

/** Which inputs' columns a join puts out, before any embedded projection; mark joins add `mark` at the end. */
export function joinOutputSides(joinType: JoinType): { left: boolean; right: boolean; mark: boolean } {
  switch (joinType) {
    case 'Inner':
    case 'Left':
    case 'Right':
    case 'Full':
      return { left: true, right: true, mark: false };
    case 'LeftSemi':
    case 'LeftAnti':
      return { left: true, right: false, mark: false };
    case 'RightSemi':
    case 'RightAnti':
      return { left: false, right: true, mark: false };
    case 'LeftMark':
      return { left: true, right: false, mark: true };
    case 'RightMark':
      return { left: false, right: true, mark: true };
  }
}

/** The join's whole output: sides that may be padded with nulls are nullable. */
export function joinSchema(left: Schema, right: Schema, joinType: JoinType): Schema {
  const sides = joinOutputSides(joinType);
  const fields: Field[] = [];
  if (sides.left) fields.push(...side(left, joinType === 'Right' || joinType === 'Full'));
  if (sides.right) fields.push(...side(right, joinType === 'Left' || joinType === 'Full'));
  if (sides.mark) fields.push(field('mark', BOOLEAN, false));
  return new Schema(fields);
}

function side(schema: Schema, padded: boolean): readonly Field[] {
  return padded ? schema.fields.map((f) => (f.nullable ? f : { ...f, nullable: true })) : schema.fields;
}

/** Whether the probe side's (right) row order survives in the output. */
export function keepsProbeOrder(joinType: JoinType): boolean {
  switch (joinType) {
    case 'Inner':
    case 'Right':
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return true;
    case 'Left':
    case 'Full':
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
      return false;
  }
}

/** The same join with its sides exchanged. */
export function swapJoinType(joinType: JoinType): JoinType {
  switch (joinType) {
    case 'Inner':
    case 'Full':
      return joinType;
    case 'Left':
      return 'Right';
    case 'Right':
      return 'Left';
    case 'LeftSemi':
      return 'RightSemi';
    case 'RightSemi':
      return 'LeftSemi';
    case 'LeftAnti':
      return 'RightAnti';
    case 'RightAnti':
      return 'LeftAnti';
    case 'LeftMark':
      return 'RightMark';
    case 'RightMark':
      return 'LeftMark';
  }
}

/** Partitions of a join whose left side is collected into one: those of the right, whose hash survives if its rows decide the output. */
export function collectedJoinPartitioning(left: ExecutionPlan, right: ExecutionPlan, joinType: JoinType): Partitioning {
  const { partitioning } = right.properties;
  switch (joinType) {
    case 'Inner':
    case 'Right':
      return shiftPartitioning(partitioning, left.schema.length);
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return partitioning;
    case 'Left':
    case 'Full':
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
      return unknownPartitioning(partitioning.count);
  }
}

/** Partitions of a join of which both sides are hash partitioned by their keys. */
export function partitionedJoinPartitioning(
  left: ExecutionPlan,
  right: ExecutionPlan,
  joinType: JoinType,
): Partitioning {
  switch (joinType) {
    case 'Left':
    case 'LeftSemi':
    case 'LeftAnti':
    case 'LeftMark':
      return left.properties.partitioning;
    case 'RightSemi':
    case 'RightAnti':
    case 'RightMark':
      return right.properties.partitioning;
    case 'Inner':
    case 'Right':
      return shiftPartitioning(right.properties.partitioning, left.schema.length);
    case 'Full':
      return unknownPartitioning(right.properties.partitioning.count);
  }
}

export interface JoinShape {
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly joinType: JoinType;
  readonly on: readonly (readonly [PhysicalExpr, PhysicalExpr])[];
  readonly partitioning: Partitioning;
  /** Whether the right side's order passes through. */
  readonly keepsOrder: boolean;
  readonly projection: readonly number[] | null;
  /** The join's whole output schema. */
  readonly schema: Schema;
}

/** What is known of a join's output. Knowledge about a side that may be padded with nulls is dropped where nulls break it. */
export function joinProperties(shape: JoinShape): PlanProperties {
  const { left, right, joinType, on, partitioning, keepsOrder } = shape;
  const sides = joinOutputSides(joinType);
  const offset = sides.left ? left.schema.length : 0;
  const shifted = shiftProperties(right.properties, offset);
  const equivalences = [
    ...(sides.left ? left.properties.equivalences : []),
    ...(sides.right ? shifted.equivalences : []),
  ];
  const constants: PlanConstant[] = [];
  if (sides.left && joinType !== 'Right' && joinType !== 'Full') constants.push(...left.properties.constants);
  if (sides.right && joinType !== 'Left' && joinType !== 'Full') {
    // Like DataFusion, a join of both sides forgets what is constant in each partition of its right side only.
    constants.push(...shifted.constants.filter(({ across }) => !sides.left || across === 'uniform'));
  }
  let classes: PlanProperties['equivalences'] = equivalences;
  if (joinType === 'Inner') {
    for (const [a, b] of on) classes = addEquality(classes, a, shiftColumns(b, offset));
  }
  let orderings: PlanProperties['orderings'] = [];
  if (keepsOrder) {
    orderings = shifted.orderings;
    // Within rows of one probe row, matches come in build order.
    if (joinType === 'Inner' && left.properties.orderings.length > 0) {
      orderings = orderings.flatMap((probe) => left.properties.orderings.map((build) => [...probe, ...build]));
    }
  }
  const properties: PlanProperties = { partitioning, orderings, equivalences: classes, constants };
  if (shape.projection === null) return properties;
  return projectProperties(
    properties,
    shape.projection.map((index) => {
      const expr = physicalColumn(shape.schema, index);
      return { expr, name: expr.name };
    }),
  );
}
