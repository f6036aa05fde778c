import { invariant } from '../base/errors.js';
import type { Column } from './column.js';
import type { Schema } from './schema.js';

/**
 * Rows of one schema. Valid until the stream that gave it is pulled again or closed (engine rule 1.1).
 *
 * `numRows` counts the *selected* rows and is the only count anybody reports. `selection` is 0 when all `capacity` physical rows
 * are selected (then numRows = capacity), else the address of `numRows` ascending, unique u32 row indexes into the columns.
 * A batch without columns still has rows.
 */
export class RecordBatch {
  readonly schema: Schema;
  readonly columns: readonly Column[];
  readonly numRows: number;
  /** Physical rows: the length of every column. */
  readonly capacity: number;
  readonly selection: number;

  constructor(
    schema: Schema,
    columns: readonly Column[],
    numRows: number,
    { capacity = numRows, selection = 0 }: { capacity?: number; selection?: number } = {},
  ) {
    invariant(columns.length === schema.length, 'a batch has one column per field');
    invariant(selection !== 0 || capacity === numRows, 'an unselected batch has as many rows as capacity');
    this.schema = schema;
    this.columns = columns;
    this.numRows = numRows;
    this.capacity = capacity;
    this.selection = selection;
  }

  column(index: number): Column {
    const found = this.columns[index];
    invariant(found !== undefined, `column ${index} of a batch of ${this.columns.length}`);
    return found;
  }

  /** A view with the given columns, in that order. */
  project(indices: readonly number[], schema: Schema = this.schema.project(indices)): RecordBatch {
    return this.withColumns(
      schema,
      indices.map((index) => this.column(index)),
    );
  }

  /** The same rows with other columns (of the same physical length). */
  withColumns(schema: Schema, columns: readonly Column[]): RecordBatch {
    return new RecordBatch(schema, columns, this.numRows, { capacity: this.capacity, selection: this.selection });
  }

  /** The same columns with another selection of physical rows. */
  withSelection(selection: number, numRows: number): RecordBatch {
    return new RecordBatch(this.schema, this.columns, numRows, { capacity: this.capacity, selection });
  }
}
