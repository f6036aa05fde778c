import { BOOLEAN, type DataType, isString } from '../../../columnar/data-type.js';
import type { Schema } from '../../../columnar/schema.js';
import type { ScalarFunction } from '../../../expr/function.js';
import { type PhysicalExpr, physicalColumn } from '../../../expr/physical-expr.js';
import type { Dialect } from './dialect.js';
import type { KnownConstants } from './known-constants.js';
import type { Alternative } from './reading.js';

/** What can follow a constant. */
const FOLLOWERS: readonly string[] = [
  ')',
  ']',
  ', ',
  ...['AND', 'OR', 'THEN', 'WHEN', 'ELSE', 'AS', 'as', 'IS', 'LIKE', 'ILIKE', 'NOT', 'IN'].map((word) => ` ${word} `),
  ' END',
  ' ASC',
  ' DESC',
  ...['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '||', '&', '|', '<<', '>>'].map((op) => ` ${op} `),
  ...['~', '~*', '!~', '!~*', 'BIT_XOR'].map((op) => ` ${op} `),
];

/** Ends of one constant that are looked at. */
const MOST_ENDS = 40;

/** Constants that show what they are. */
const SHAPE =
  /^(?:-?\d{4,}-\d\d-\d\d|-?\d+(?:\.\d+)?|NULL|true|false|NaN|-?inf|IntervalMonthDayNano \{ months: -?\d+, days: -?\d+, nanoseconds: -?\d+ \})/;

const COLUMN = /^([A-Za-z_][\w$]*)@(\d+)/;

/** Expressions as physical plans print them: `name@3`, constants without types or quotes, `DynamicFilter [ empty ]`. */
export class PhysicalDialect implements Dialect {
  readonly argumentSeparator = ', ';
  readonly coerces = false;
  readonly #text: string;
  readonly #schema: Schema;
  readonly #constants: KnownConstants;
  readonly #columns: readonly string[];

  constructor(text: string, schema: Schema, constants: KnownConstants) {
    this.#text = text;
    this.#schema = schema;
    this.#constants = constants;
    this.#columns = schema.fields.map(({ name }, index) => `${name}@${index}`);
  }

  columnAt(position: number): Alternative | undefined {
    const found = this.#longestColumn(position);
    if (found === undefined) return this.#dynamicFilterAt(position);
    return { reading: physicalColumn(this.#schema, found.index), end: found.end };
  }

  #longestColumn(position: number): { readonly index: number; readonly end: number } | undefined {
    let best: { readonly index: number; readonly end: number } | undefined;
    for (const [index, text] of this.#columns.entries()) {
      const end = position + text.length;
      if (!this.#text.startsWith(text, position) || /\d/.test(this.#text.charAt(end))) continue;
      if (best === undefined || end > best.end) best = { index, end };
    }
    return best;
  }

  /** Its place; what it holds after a run does not count. Which node makes it is found when the whole plan is there. */
  #dynamicFilterAt(position: number): Alternative | undefined {
    const start = 'DynamicFilter [ ';
    if (!this.#text.startsWith(start, position)) return undefined;
    const end = this.#text.indexOf(' ]', position + start.length);
    if (end < 0) return undefined;
    return { reading: UNLINKED_FILTER, end: end + 2 };
  }

  literalsAt(position: number, wanted: DataType | null): Alternative[] {
    const known = this.#constants.at(this.#text, position).filter((text) => this.#follows(position + text.length));
    const shape = SHAPE.exec(this.#text.slice(position, position + 200))?.[0];
    const isShaped = shape !== undefined && this.#follows(position + shape.length);
    const ofString = wanted !== null && isString(wanted);
    if (ofString && known.length === 0) return this.#strings(position);
    const texts = new Set(known);
    if (isShaped) texts.add(shape);
    if (texts.size > 0) return [...texts].map((text) => untyped(text, position));
    return wanted === null || (wanted.kind === BOOLEAN.kind && !this.#constants.isEmpty) ? this.#strings(position) : [];
  }

  /** Every text that a string at the position may be, shortest first; none reaches past a column, which is no part of a string. */
  #strings(position: number): Alternative[] {
    const found: Alternative[] = [];
    for (let end = position; end <= this.#text.length && found.length < MOST_ENDS; end++) {
      if (end > position && found.length > 0 && this.#longestColumn(end) !== undefined) break;
      if (this.#follows(end)) found.push(untyped(this.#text.slice(position, end), position));
    }
    return found;
  }

  #follows(end: number): boolean {
    return end === this.#text.length || FOLLOWERS.some((follower) => this.#text.startsWith(follower, end));
  }

  pastAlias(_func: ScalarFunction, position: number): number {
    return position;
  }

  mistakeAt(position: number): { message: string; hint: string } | undefined {
    const text = this.#text.slice(position, position + 200);
    if (text.startsWith('scalar_subquery(')) {
      return {
        message: 'a scalar subquery stands here that the text does not tell',
        hint: 'print the plan with datafusion.optimizer.enable_physical_uncorrelated_scalar_subquery = false',
      };
    }
    const column = COLUMN.exec(text);
    if (column === null || !this.#follows(position + column[0].length)) return undefined;
    const [whole, name = ''] = column;
    if (this.#constants.of(whole).length > 0) return undefined;
    const index = Number(column[2]);
    const count = this.#schema.length;
    const columns = this.#schema.fields.map((field, i) => `${field.name}@${i}`);
    const hint =
      count <= 12 ? `the input has ${columns.join(', ')}` : `the input's column ${name} is looked up by its position`;
    if (index >= count) {
      const what = count === 1 ? '1 column' : `${count} columns`;
      return { message: `there is no ${whole}: the input has ${what}`, hint };
    }
    return { message: `column ${index} of the input is ${this.#schema.field(index).name}, not ${name}`, hint };
  }
}

/** Stands for a dynamic filter whose maker is not known; ids of plans count from 0. */
const UNLINKED_FILTER: PhysicalExpr = {
  kind: 'dynamic_filter',
  id: Number.MAX_SAFE_INTEGER,
  children: [],
  type: BOOLEAN,
  nullable: false,
};

function untyped(text: string, position: number): Alternative {
  return { reading: { kind: 'untyped', text }, end: position + text.length };
}
