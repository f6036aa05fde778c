import type { DataType } from '../../../columnar/data-type.js';
import type { Schema } from '../../../columnar/schema.js';
import type { ScalarFunction } from '../../../expr/function.js';
import { physicalColumn, physicalLiteral } from '../../../expr/physical-expr.js';
import type { Dialect } from '../expressions/dialect.js';
import type { Alternative } from '../expressions/reading.js';
import { closingBracket } from './split-list.js';
import { typedConstantsAt } from './typed-constant.js';

const QUALIFIER = /^(?:[A-Za-z_][\w$]*|"[^"]*")\./;

/** The columns of a physical input, which have no qualifiers: a logical column is the one of its name. */
export interface LogicalColumns {
  readonly schema: Schema;
  /** What columns computed once for several places are called where they are used. */
  readonly commonNames: ReadonlyMap<string, string>;
}

/**
 * Expressions of logical plans over the columns of a physical input: `lineitem.l_tax`, `Int64(1)`. The `name` form, in which fields are
 * called, has no casts and no blanks between arguments.
 */
export class LogicalDialect implements Dialect {
  readonly argumentSeparator: ', ' | ',';
  readonly coerces: boolean;
  readonly #text: string;
  readonly #columns: LogicalColumns;
  /** Names that were read and that several columns have. */
  readonly ambiguous: Set<string> = new Set<string>();

  constructor(text: string, form: 'display' | 'name', columns: LogicalColumns) {
    this.#text = text;
    this.#columns = columns;
    this.coerces = form === 'name';
    this.argumentSeparator = form === 'name' ? ',' : ', ';
  }

  columnAt(position: number): Alternative | undefined {
    let best: Alternative | undefined;
    let start = position;
    for (let parts = 0; parts < 4; parts++) {
      const found = this.#fieldAt(start);
      if (found !== undefined && (best === undefined || found.end > best.end)) best = found;
      const next = QUALIFIER.exec(this.#text.slice(start, start + 200))?.[0];
      if (next === undefined) break;
      start += next.length;
    }
    return best;
  }

  #fieldAt(start: number): Alternative | undefined {
    const { schema, commonNames } = this.#columns;
    let name: string | undefined;
    for (const field of schema.fields) {
      if (!this.#text.startsWith(field.name, start) || field.name === '') continue;
      if (/[\w$]/.test(this.#text.charAt(start + field.name.length))) continue;
      if (name === undefined || field.name.length > name.length) name = field.name;
    }
    if (name === undefined) return undefined;
    const fitting = schema.fields.flatMap((field, index) => (field.name === name ? [index] : []));
    if (fitting.length > 1) this.ambiguous.add(name);
    const [index = 0] = fitting;
    const end = start + name.length;
    // `__common_expr_1 AS t.a + t.b`: the name it had before.
    const alias = ` AS ${commonNames.get(name) ?? '\n'}`;
    return {
      reading: physicalColumn(schema, index),
      end: this.#text.startsWith(alias, end) ? end + alias.length : end,
    };
  }

  literalsAt(position: number, _wanted: DataType | null): Alternative[] {
    if (this.#text.startsWith('NULL', position)) {
      return [{ reading: physicalLiteral({ type: { kind: 'Null' }, value: null }), end: position + 4 }];
    }
    return typedConstantsAt(this.#text, position).map(({ value, end }) => ({ reading: physicalLiteral(value), end }));
  }

  pastAlias({ aliases }: ScalarFunction, position: number): number {
    const alias = /^ AS (\w+)\(/.exec(this.#text.slice(position, position + 80));
    if (alias === null || !aliases.includes(alias[1] ?? '')) return position;
    const end = closingBracket(this.#text, position + alias[0].length, ')');
    return end < 0 ? position : end + 1;
  }

  mistakeAt(): undefined {
    return undefined;
  }
}
