import { DistqError } from '../base/errors.js';
import { didYouMean } from '../base/nearest-names.js';
import { type Field, field } from '../columnar/data-type.js';
import { Schema } from '../columnar/schema.js';
import type { ColumnExpr } from '../expr/expr.js';

/** A field of a logical schema: a column keeps the qualifier of the table or alias it comes from. */
export interface QualifiedField {
  readonly relation: string | null;
  readonly field: Field;
}

/** The output of a logical node: qualified fields in order. Immutable. */
export class DFSchema {
  readonly fields: readonly QualifiedField[];

  constructor(fields: readonly QualifiedField[]) {
    this.fields = fields;
  }

  static fromSchema(schema: Schema, relation: string | null): DFSchema {
    return new DFSchema(schema.fields.map((f) => ({ relation, field: f })));
  }

  get length(): number {
    return this.fields.length;
  }

  at(index: number): QualifiedField {
    const found = this.fields[index];
    if (found === undefined) throw new DistqError('internal', `field ${index} of a schema of ${this.fields.length}`);
    return found;
  }

  /** Column expression naming field `index`. */
  columnAt(index: number): ColumnExpr {
    const { relation, field: f } = this.at(index);
    return { kind: 'column', relation, name: f.name };
  }

  columns(): ColumnExpr[] {
    return this.fields.map((_, index) => this.columnAt(index));
  }

  /** Indices of the fields a column may mean. A qualified column also matches by the last part of a field's qualifier. */
  matches(column: Pick<ColumnExpr, 'relation' | 'name'>): number[] {
    const found: number[] = [];
    for (let i = 0; i < this.fields.length; i++) {
      const candidate = this.fields[i]!;
      if (candidate.field.name !== column.name) continue;
      if (column.relation === null || candidate.relation === column.relation) found.push(i);
      else if (candidate.relation !== null && candidate.relation.endsWith(`.${column.relation}`)) found.push(i);
    }
    return found;
  }

  /** Index of the one field a column means, or -1 when there is none; ambiguity is a `plan` error. */
  indexOf(column: ColumnExpr): number {
    const found = this.matches(column);
    if (found.length <= 1) return found[0] ?? -1;
    if (column.relation === null) {
      // An unqualified field wins over qualified ones, as in DataFusion.
      const unqualified = found.filter((i) => this.fields[i]!.relation === null);
      if (unqualified.length === 1) return unqualified[0]!;
    }
    const places = found.map((i) => `${this.fields[i]!.relation ?? '?'}.${column.name}`).join(', ');
    throw new DistqError('plan', `column "${column.name}" is ambiguous: it may be ${places}`, {
      hint: 'write the table name in front of it',
      ...(column.span === undefined ? {} : { span: column.span }),
    });
  }

  has(column: ColumnExpr): boolean {
    return this.matches(column).length > 0;
  }

  /** Index of the field a column means; unknown names are a `plan` error that suggests near ones. */
  require(column: ColumnExpr): number {
    const index = this.indexOf(column);
    if (index >= 0) return index;
    const shown = column.relation === null ? column.name : `${column.relation}.${column.name}`;
    const hint = didYouMean(
      column.name,
      this.fields.filter((f) => column.relation === null || f.relation === column.relation).map((f) => f.field.name),
    );
    throw new DistqError('plan', `unknown column "${shown}"`, {
      ...(hint === undefined ? {} : { hint }),
      ...(column.span === undefined ? {} : { span: column.span }),
    });
  }

  fieldOf(column: ColumnExpr): Field {
    return this.at(this.require(column)).field;
  }

  concat(other: DFSchema): DFSchema {
    return new DFSchema([...this.fields, ...other.fields]);
  }

  /** The same fields under one qualifier (SubqueryAlias). */
  withRelation(relation: string): DFSchema {
    return new DFSchema(this.fields.map((f) => ({ relation, field: f.field })));
  }

  withNullable(): DFSchema {
    return new DFSchema(
      this.fields.map((f) => ({ relation: f.relation, field: field(f.field.name, f.field.type, true) })),
    );
  }

  /** Without qualifiers. */
  toSchema(): Schema {
    return new Schema(this.fields.map((f) => f.field));
  }
}

export const EMPTY_DF_SCHEMA: DFSchema = new DFSchema([]);
