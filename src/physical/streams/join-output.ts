import { DistqError } from '../../base/errors.js';
import type { Arena } from '../../columnar/arena.js';
import { Column } from '../../columnar/column.js';
import { BOOLEAN } from '../../columnar/data-type.js';
import { takeColumn } from '../../columnar/flatten.js';
import { kernels } from '../../columnar/kernels.js';
import { defaultLayout } from '../../columnar/layout.js';
import { RecordBatch } from '../../columnar/record-batch.js';
import type { Schema } from '../../columnar/schema.js';
import type { JoinType } from '../../expr/join-type.js';
import type { ExecutionPlan } from '../execution-plan.js';
import type { JoinFilter } from '../operators/join-filter.js';
import { joinOutputSides } from '../operators/join-schema.js';

export interface JoinColumns {
  readonly left: ExecutionPlan;
  readonly right: ExecutionPlan;
  readonly schema: Schema;
  readonly joinType: JoinType;
  readonly filter: JoinFilter | null;
  readonly projection: readonly number[] | null;
}

/** One output column of a join: a column of a side, or the mark. */
export type JoinOutputColumn = { readonly side: 'left' | 'right'; readonly index: number } | { readonly side: 'mark' };

/** Where a join's output columns come from, in order. */
export function joinOutputColumns({ left, right, joinType, projection }: JoinColumns): JoinOutputColumn[] {
  const sides = joinOutputSides(joinType);
  const all: JoinOutputColumn[] = [
    ...(sides.left ? left.schema.fields.map((_, index) => ({ side: 'left' as const, index })) : []),
    ...(sides.right ? right.schema.fields.map((_, index) => ({ side: 'right' as const, index })) : []),
    ...(sides.mark ? [{ side: 'mark' as const }] : []),
  ];
  return projection === null ? all : projection.map((index) => all[index]!);
}

/** What a join does with rows, told apart once. */
export interface JoinBehaviour {
  /** Gives out matching pairs. */
  readonly pairs: boolean;
  /** Must know at the end which left rows found a partner. */
  readonly tracksLeft: boolean;
  /** Right rows without partner are given out with nulls beside them. */
  readonly padsRight: boolean;
  /** Gives out right rows by whether they have a partner: wanted, unwanted, or all with a mark. */
  readonly rightRows: 'matched' | 'unmatched' | 'marked' | null;
  /** The same for left rows, at the end; `padded` = the unmatched with nulls beside them. */
  readonly leftRows: 'matched' | 'unmatched' | 'marked' | 'padded' | null;
}

const NOTHING: JoinBehaviour = { pairs: false, tracksLeft: false, padsRight: false, rightRows: null, leftRows: null };

const BEHAVIOURS: Readonly<Record<JoinType, JoinBehaviour>> = {
  Inner: { ...NOTHING, pairs: true },
  Left: { ...NOTHING, pairs: true, tracksLeft: true, leftRows: 'padded' },
  Right: { ...NOTHING, pairs: true, padsRight: true },
  Full: { ...NOTHING, pairs: true, tracksLeft: true, padsRight: true, leftRows: 'padded' },
  LeftSemi: { ...NOTHING, tracksLeft: true, leftRows: 'matched' },
  LeftAnti: { ...NOTHING, tracksLeft: true, leftRows: 'unmatched' },
  LeftMark: { ...NOTHING, tracksLeft: true, leftRows: 'marked' },
  RightSemi: { ...NOTHING, rightRows: 'matched' },
  RightAnti: { ...NOTHING, rightRows: 'unmatched' },
  RightMark: { ...NOTHING, rightRows: 'marked' },
};

export function joinBehaviour(joinType: JoinType): JoinBehaviour {
  return BEHAVIOURS[joinType];
}

/** True when nothing can come out while the left side has no rows. */
export function emptyWithoutLeft({ padsRight, rightRows }: JoinBehaviour): boolean {
  return !padsRight && (rightRows === null || rightRows === 'matched');
}

/** A batch of right rows picked by their positions among the selected rows (u32). */
export function takeRight(index: number, batch: RecordBatch, physical: number, count: number, arena: Arena): Column {
  return takeColumn(batch.column(index), physical, count, arena);
}

/** Positions among selected rows as physical row numbers. */
export function physicalPositions(batch: RecordBatch, positions: number, count: number, arena: Arena): number {
  if (batch.selection === 0) return positions;
  const physical = arena.alloc(count * 4);
  kernels.gather32(batch.selection, positions, count, physical);
  return physical;
}

/** Those of a batch's selected rows that stand at `positions`, as a view. */
export function selectPositions(batch: RecordBatch, positions: number, count: number, arena: Arena): RecordBatch {
  if (count === batch.numRows) return batch;
  return batch.withSelection(physicalPositions(batch, positions, count, arena), count);
}

/** A column of nulls in place of a side that has no row. */
export function paddingColumn(schema: Schema, index: number, count: number): Column {
  const { type } = schema.field(index);
  return Column.nulls(type, defaultLayout(type), count);
}

/** The mark column over bytes that are 0 or 1. */
export function markColumn(flags: number, count: number): Column {
  return Column.flat(BOOLEAN, 'bool', count, flags);
}

/** No join type has both. */
export function markBesidePairs(): never {
  throw new DistqError('internal', 'a join does not give out pairs and a mark');
}

/** The filter's intermediate batch from functions that give a side's column. */
export function filterBatch(
  filter: JoinFilter,
  numRows: number,
  column: (side: 'left' | 'right', index: number) => Column,
): RecordBatch {
  return new RecordBatch(
    filter.schema,
    filter.columns.map(({ side, index }) => column(side, index)),
    numRows,
  );
}
