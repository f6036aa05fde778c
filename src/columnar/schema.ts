import { DistqError } from '../base/errors.js';
import { didYouMean } from '../base/nearest-names.js';
import { type Field, fieldPlanText, fieldsEqual, typeName } from './data-type.js';

/** The columns of a batch or of a physical plan node, in order. Names are opaque and may repeat. Immutable. */
export class Schema {
  readonly fields: readonly Field[];

  constructor(fields: readonly Field[]) {
    this.fields = fields;
  }

  get length(): number {
    return this.fields.length;
  }

  field(index: number): Field {
    const found = this.fields[index];
    if (found === undefined) throw new DistqError('internal', `column ${index} of a schema of ${this.fields.length}`);
    return found;
  }

  /** Index of the first field of that name, or -1. */
  indexOf(name: string): number {
    return this.fields.findIndex((f) => f.name === name);
  }

  /** Index of the first field of that name; unknown names are a `schema` error that suggests near ones. */
  require(name: string): number {
    const index = this.indexOf(name);
    if (index < 0) {
      const hint = didYouMean(
        name,
        this.fields.map((f) => f.name),
      );
      throw new DistqError('schema', `unknown column "${name}"`, hint === undefined ? {} : { hint });
    }
    return index;
  }

  project(indices: readonly number[]): Schema {
    return new Schema(indices.map((index) => this.field(index)));
  }

  concat(other: Schema): Schema {
    return new Schema([...this.fields, ...other.fields]);
  }

  equals(other: Schema): boolean {
    if (this === other) return true;
    return this.fields.length === other.fields.length && this.fields.every((f, i) => fieldsEqual(f, other.field(i)));
  }

  /** `[name:Type;N, …]` as DataFusion prints schemas in plans; `;N` marks what may be null. */
  toPlanText(): string {
    return `[${this.fields.map(fieldPlanText).join(', ')}]`;
  }

  /** `name: Type[, nullable]` per column, for messages. */
  toString(): string {
    return this.fields.map((f) => `${f.name}: ${typeName(f.type)}${f.nullable ? '' : ' not null'}`).join(', ');
  }
}

export const EMPTY_SCHEMA: Schema = new Schema([]);
