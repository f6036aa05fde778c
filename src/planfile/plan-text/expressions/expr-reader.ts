import { didYouMean } from '../../../base/nearest-names.js';
import { BOOLEAN, type DataType, isString, typeName, typesEqual } from '../../../columnar/data-type.js';
import type { BinaryOperator } from '../../../expr/expr.js';
import type { FunctionRegistry } from '../../../expr/function.js';
import { isArithmetic, isComparison, isLogicalOperator, precedence } from '../../../expr/operators.js';
import { parseTypeName } from '../../../expr/parse-type.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../../../expr/physical-expr.js';
import { physicalBinary, physicalInList, physicalNot } from '../../../expr/physical-planner.js';
import { type PlanLine, lineError } from '../plan-line.js';
import { Combiner, Misfit } from './combine.js';
import type { Dialect } from './dialect.js';
import type { KnownConstants } from './known-constants.js';
import type { Alternative, Reading } from './reading.js';

const OPERATORS: readonly BinaryOperator[] = [
  'IS NOT DISTINCT FROM',
  'IS DISTINCT FROM',
  'BIT_XOR',
  'AND',
  'OR',
  '!~*',
  '!~',
  '~*',
  '~',
  '!=',
  '<=',
  '>=',
  '<<',
  '>>',
  '||',
  '=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '|',
];

/** How tightly IS NULL, LIKE and IN hold what stands before them: below arithmetic, above comparisons. */
const TEST_PRECEDENCE = 25;
const NOT_PRECEDENCE = 11;

/** A plan line that people write has a handful of readings; more are not counted. */
const MOST_ALTERNATIVES = 200;

export interface ExprContext {
  readonly functions: FunctionRegistry;
  readonly constants: KnownConstants;
}

/**
 * Reads expressions as plans print them. Columns are looked up in the schema, so names may hold anything; constants are untyped and end
 * where the text can go on, so a text may have several readings: all are found, the likeliest first.
 */
export class ExprReader {
  readonly text: string;
  readonly #line: PlanLine;
  readonly #dialect: Dialect;
  readonly #context: ExprContext;
  readonly #combiner: Combiner;
  readonly #known = new Map<string, readonly Alternative[]>();
  /** The failure furthest into the text: the likeliest to be the mistake. */
  #failure: { readonly at: number; readonly message: string; readonly hint: string } | undefined;

  /** Reads the line's text up to `limit`. */
  constructor(line: PlanLine, limit: number, dialect: Dialect, context: ExprContext) {
    this.text = line.text.slice(0, limit);
    this.#line = line;
    this.#dialect = dialect;
    this.#context = context;
    this.#combiner = new Combiner(context.constants, dialect.coerces);
  }

  /** The different expressions of the wanted type that the text from `start` to the limit may mean. At least one, or a `parse` error. */
  readWhole(start: number, wanted: DataType | null): PhysicalExpr[] {
    const found: PhysicalExpr[] = [];
    for (const { reading, end } of this.alternatives(start, 0, wanted)) {
      if (end < this.text.length) this.note(end, 'the expression should end here, or go on with an operator');
      else {
        const expr = this.settle(reading, wanted, start);
        if (expr !== undefined) found.push(expr);
      }
    }
    if (found.length === 0) throw this.error(start);
    return found;
  }

  /** The error for what could not be read. */
  error(start: number): Error {
    const failure = this.#failure;
    if (failure !== undefined) return lineError(this.#line, failure.at, failure.message, failure.hint);
    return lineError(this.#line, start, 'no expression can be read here', AS_PRINTED);
  }

  note(at: number, message: string, hint: string = AS_PRINTED): void {
    if (this.#failure === undefined || at > this.#failure.at) this.#failure = { at, message, hint };
  }

  settle(reading: Reading, wanted: DataType | null, at: number): PhysicalExpr | undefined {
    return this.#fit(this.#combiner.settle(reading, wanted), at);
  }

  #fit(result: PhysicalExpr | Misfit, at: number): PhysicalExpr | undefined {
    if (!(result instanceof Misfit)) return result;
    this.note(at, result.reason, 'make the types agree, as DataFusion prints them');
    return undefined;
  }

  /** All ways to read an expression at the position whose operators bind at least that tightly. */
  alternatives(position: number, minimum: number, wanted: DataType | null): readonly Alternative[] {
    const key = `${position} ${minimum} ${wanted === null ? '' : typeName(wanted)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // An expression that begins with itself would not end.
    this.#known.set(key, []);
    const found: Alternative[] = [];
    for (const start of this.#primaries(position, wanted)) {
      if (found.length < MOST_ALTERNATIVES) this.#extend(start, position, minimum, found);
    }
    this.#known.set(key, found);
    return found;
  }

  /** Adds what the operators behind a reading make of it; the reading alone only where they lead nowhere. */
  #extend(left: Alternative, start: number, minimum: number, found: Alternative[]): void {
    const before = found.length;
    for (const next of [...this.#infix(left, minimum), ...this.#tests(left, start, minimum)]) {
      if (found.length < MOST_ALTERNATIVES) this.#extend(next, start, minimum, found);
    }
    if (found.length === before) found.push(left);
  }

  #infix(left: Alternative, minimum: number): Alternative[] {
    const { text } = this;
    const op = OPERATORS.find((candidate) => text.startsWith(` ${candidate} `, left.end));
    if (op === undefined || precedence(op) < minimum) return [];
    const position = left.end + op.length + 2;
    const results: Alternative[] = [];
    for (const right of this.alternatives(position, precedence(op) + 1, wantedBeside(op, left.reading))) {
      const reading = this.#fit(this.#combiner.binary(left.reading, op, right.reading), position);
      if (reading !== undefined) results.push({ reading, end: right.end });
    }
    return results;
  }

  /** IS NULL and its kin, LIKE, IN, BETWEEN. */
  #tests(left: Alternative, start: number, minimum: number): Alternative[] {
    if (minimum > TEST_PRECEDENCE) return [];
    const { text } = this;
    const { end } = left;
    const is = /^ IS (NOT )?(NULL|TRUE|FALSE|UNKNOWN)/.exec(text.slice(end, end + 16));
    if (is !== null) {
      const expr = this.settle(left.reading, null, start);
      if (expr === undefined) return [];
      const negated = is[1] !== undefined;
      return [{ reading: isTest(expr, is[2] ?? 'NULL', negated), end: end + is[0].length }];
    }
    const like = /^ (NOT )?(I?LIKE) /.exec(text.slice(end, end + 12));
    if (like !== null) {
      const insensitive = like[2] === 'ILIKE';
      return this.#like(left, start, end + like[0].length, like[1] !== undefined, insensitive);
    }
    const within = /^ (NOT )?IN (?:\(SET\) )?\(\[/.exec(text.slice(end, end + 18));
    if (within !== null) return this.#inList(left, start, end + within[0].length, within[1] !== undefined);
    const between = /^ (NOT )?BETWEEN /.exec(text.slice(end, end + 14));
    if (between !== null) return this.#between(left, start, end + between[0].length, between[1] !== undefined);
    return [];
  }

  #like(left: Alternative, start: number, at: number, negated: boolean, insensitive: boolean): Alternative[] {
    const type = left.reading.kind === 'untyped' ? null : left.reading.type;
    return this.alternatives(at, TEST_PRECEDENCE + 1, type).flatMap(({ reading, end }) => {
      const value = this.settle(left.reading, reading.kind === 'untyped' ? null : reading.type, start);
      const pattern = this.settle(reading, type, at);
      if (value === undefined || pattern === undefined) return [];
      if (!isString(value.type) || !isString(pattern.type)) {
        this.note(at, `LIKE does not take ${typeName(value.type)} and ${typeName(pattern.type)}`);
        return [];
      }
      const expr: PhysicalExpr = {
        kind: 'like',
        expr: value,
        pattern,
        negated,
        caseInsensitive: insensitive,
        escape: '\\',
        type: BOOLEAN,
        nullable: value.nullable || pattern.nullable,
      };
      return [{ reading: expr, end }];
    });
  }

  #inList(left: Alternative, start: number, at: number, negated: boolean): Alternative[] {
    const value = this.settle(left.reading, null, start);
    if (value === undefined) return [];
    const results: Alternative[] = [];
    const items = (position: number, list: readonly PhysicalExpr[]): void => {
      for (const { reading, end } of this.alternatives(position, 0, value.type)) {
        if (results.length >= MOST_ALTERNATIVES) return;
        const item = this.settle(reading, value.type, position);
        if (item === undefined) continue;
        if (this.text.startsWith('])', end)) {
          results.push({ reading: physicalInList(value, [...list, item], negated), end: end + 2 });
        } else if (this.text.startsWith(', ', end)) items(end + 2, [...list, item]);
        else this.note(end, 'the list should go on with ", " or end with "])"');
      }
    };
    items(at, []);
    return results;
  }

  #between(left: Alternative, start: number, at: number, negated: boolean): Alternative[] {
    const type = left.reading.kind === 'untyped' ? null : left.reading.type;
    const results: Alternative[] = [];
    for (const low of this.alternatives(at, TEST_PRECEDENCE + 1, type)) {
      if (!this.text.startsWith(' AND ', low.end)) continue;
      for (const high of this.alternatives(low.end + 5, TEST_PRECEDENCE + 1, type)) {
        const above = this.#fit(this.#combiner.binary(left.reading, '>=', low.reading), start);
        const below = this.#fit(this.#combiner.binary(left.reading, '<=', high.reading), start);
        if (above === undefined || below === undefined) continue;
        const both = physicalBinary(above, 'AND', below);
        results.push({ reading: negated ? physicalNot(both) : both, end: high.end });
      }
    }
    return results;
  }

  /** What an expression can begin with: a column or another form; a constant where it is none of them. */
  #primaries(position: number, wanted: DataType | null): Alternative[] {
    const column = this.#dialect.columnAt(position);
    if (column !== undefined) return [column];
    const forms = this.#forms(position, wanted);
    if (forms.length > 0) return forms;
    const mistake = this.#dialect.mistakeAt(position);
    if (mistake !== undefined) {
      this.note(position, mistake.message, mistake.hint);
      return [];
    }
    const literals = this.#dialect.literalsAt(position, wanted);
    if (literals.length === 0) this.#noteUnknown(position, wanted);
    return literals;
  }

  #noteUnknown(position: number, wanted: DataType | null): void {
    const name = /^([A-Za-z_]\w*)\(/.exec(this.text.slice(position))?.[1];
    const { functions } = this.#context;
    if (name !== undefined && functions.scalar(name) === undefined) {
      this.note(position, `unknown function ${name}`, didYouMean(name, functions.names()) ?? 'give the query as SQL');
    } else {
      const what = wanted === null ? 'an expression' : `a value of the type ${typeName(wanted)}`;
      this.note(position, `${what} is expected here`);
    }
  }

  #forms(position: number, wanted: DataType | null): Alternative[] {
    const { text } = this;
    if (text.startsWith('NOT ', position)) {
      return this.alternatives(position + 4, NOT_PRECEDENCE, BOOLEAN).flatMap(({ reading, end }) => {
        const expr = this.settle(reading, BOOLEAN, position + 4);
        return expr?.type.kind === 'Boolean' ? [{ reading: physicalNot(expr), end }] : [];
      });
    }
    if (text.startsWith('(- ', position)) {
      return this.#closed(position + 3, wanted, (expr) => ({
        kind: 'negative',
        expr,
        type: expr.type,
        nullable: expr.nullable,
      }));
    }
    if (text.startsWith('(', position)) return this.#closed(position + 1, wanted, (expr) => expr);
    if (text.startsWith('CASE ', position)) return this.#case(position + 5, wanted);
    const cast = /^(TRY_)?CAST\(/.exec(text.slice(position, position + 9));
    if (cast !== null) return this.#cast(position + cast[0].length, cast[1] !== undefined);
    const call = /^([A-Za-z_]\w*)\(/.exec(text.slice(position, position + 80));
    if (call !== null) return this.#call(position, call[1] ?? '');
    return [];
  }

  #closed(position: number, wanted: DataType | null, wrap: (expr: PhysicalExpr) => PhysicalExpr): Alternative[] {
    return this.alternatives(position, 0, wanted).flatMap(({ reading, end }) => {
      if (!this.text.startsWith(')', end)) {
        this.note(end, 'a closing parenthesis is missing here');
        return [];
      }
      const expr = this.settle(reading, wanted, position);
      return expr === undefined ? [] : [{ reading: wrap(expr), end: end + 1 }];
    });
  }

  #case(position: number, wanted: DataType | null): Alternative[] {
    const { text } = this;
    if (text.startsWith('WHEN ', position)) return this.#branches(position, null, [], [], wanted);
    return this.alternatives(position, 0, null).flatMap(({ reading, end }) => {
      const operand = this.settle(reading, null, position);
      if (operand === undefined || !text.startsWith(' WHEN ', end)) return [];
      return this.#branches(end + 1, operand, [], [], wanted);
    });
  }

  /** From `WHEN ` on. */
  #branches(
    position: number,
    operand: PhysicalExpr | null,
    whens: readonly PhysicalExpr[],
    thens: readonly Reading[],
    wanted: DataType | null,
  ): Alternative[] {
    const { text } = this;
    const typed = thens.find((then): then is PhysicalExpr => then.kind !== 'untyped');
    const result = wanted ?? typed?.type ?? null;
    const done: Alternative[] = [];
    const finish = (results: readonly Reading[], end: number, all: readonly PhysicalExpr[]): void => {
      const reading = this.#fit(this.#combiner.caseOf(operand, all, results, wanted), position);
      if (reading !== undefined) done.push({ reading, end });
    };
    const condition = operand === null ? BOOLEAN : operand.type;
    for (const when of this.alternatives(position + 5, 0, condition)) {
      const test = this.settle(when.reading, condition, position + 5);
      if (test === undefined) continue;
      if (!text.startsWith(' THEN ', when.end)) {
        this.note(when.end, 'THEN is expected here');
        continue;
      }
      for (const then of this.alternatives(when.end + 6, 0, result)) {
        const allWhens = [...whens, test];
        const allThens = [...thens, then.reading];
        if (text.startsWith(' END', then.end)) finish(allThens, then.end + 4, allWhens);
        else if (text.startsWith(' WHEN ', then.end)) {
          done.push(...this.#branches(then.end + 1, operand, allWhens, allThens, wanted));
        } else if (text.startsWith(' ELSE ', then.end)) {
          for (const otherwise of this.alternatives(then.end + 6, 0, result)) {
            if (text.startsWith(' END', otherwise.end)) {
              finish([...allThens, otherwise.reading], otherwise.end + 4, allWhens);
            } else this.note(otherwise.end, 'END is expected here');
          }
        } else this.note(then.end, 'WHEN, ELSE or END is expected here');
      }
    }
    return done;
  }

  #cast(position: number, safe: boolean): Alternative[] {
    return this.alternatives(position, 0, null).flatMap(({ reading, end }) => {
      if (!this.text.startsWith(' AS ', end)) {
        this.note(end, 'AS and a type are expected here');
        return [];
      }
      const close = closingParenthesis(this.text, end + 4);
      const name = this.text.slice(end + 4, close);
      const type = parseTypeName(name);
      if (type === undefined) {
        this.note(
          end + 4,
          `unknown type ${name}`,
          'give it as DataFusion prints it, for example Int64 or Decimal128(15, 2)',
        );
        return [];
      }
      const expr = this.settle(reading, null, position);
      if (expr === undefined) return [];
      // A cast to the type that is there is how a column becomes nullable.
      const nullable = safe || expr.nullable || typesEqual(expr.type, type);
      return [{ reading: { kind: 'cast', expr, type, safe, nullable }, end: close + 1 }];
    });
  }

  #call(position: number, name: string): Alternative[] {
    const func = this.#context.functions.scalar(name);
    if (func === undefined || func.name !== name) return [];
    const { text } = this;
    const separator = this.#dialect.argumentSeparator;
    const results: Alternative[] = [];
    const finish = (readings: readonly Reading[], end: number): void => {
      const reading = this.#fit(this.#combiner.call(func, readings), position);
      if (reading !== undefined) results.push({ reading, end: this.#dialect.pastAlias(func, end) });
    };
    const argument = (at: number, readings: readonly Reading[]): void => {
      for (const { reading, end } of this.alternatives(at, 0, null)) {
        if (results.length >= MOST_ALTERNATIVES) return;
        if (text.startsWith(')', end)) finish([...readings, reading], end + 1);
        else if (text.startsWith(separator, end)) argument(end + separator.length, [...readings, reading]);
        else this.note(end, `another argument of ${name} or a closing parenthesis is expected here`);
      }
    };
    const first = position + name.length + 1;
    if (text.startsWith(')', first)) finish([], first + 1);
    else argument(first, []);
    return results;
  }

  /** All ways to read a sort key at the position. */
  sortKeys(position: number): { readonly key: PhysicalSortExpr; readonly end: number }[] {
    return this.alternatives(position, 0, null).flatMap(({ reading, end }) => {
      const direction = /^ (ASC|DESC)( NULLS (?:FIRST|LAST))?/.exec(this.text.slice(end, end + 20));
      if (direction === null) {
        this.note(end, 'ASC or DESC is expected here');
        return [];
      }
      const expr = this.settle(reading, null, position);
      if (expr === undefined) return [];
      const key = { expr, descending: direction[1] === 'DESC', nullsFirst: direction[2] !== ' NULLS LAST' };
      return [{ key, end: end + direction[0].length }];
    });
  }
}

const AS_PRINTED = 'give the line as DataFusion prints it';

/** The type that the right operand must have, where the left one tells. */
function wantedBeside(op: BinaryOperator, left: Reading): DataType | null {
  if (isLogicalOperator(op)) return BOOLEAN;
  if (left.kind === 'untyped' || isArithmetic(op)) return null;
  return isComparison(op) || isString(left.type) ? left.type : null;
}

function isTest(expr: PhysicalExpr, test: string, negated: boolean): PhysicalExpr {
  if (test === 'NULL') return { kind: 'is_null', expr, negated, type: BOOLEAN, nullable: false };
  const value = test === 'UNKNOWN' ? null : test === 'TRUE';
  const truth: PhysicalExpr = {
    kind: 'literal',
    value: { type: BOOLEAN, value },
    type: BOOLEAN,
    nullable: value === null,
  };
  return physicalBinary(expr, negated ? 'IS DISTINCT FROM' : 'IS NOT DISTINCT FROM', truth);
}

/** The offset of the parenthesis that closes one opened before `from`; the text's end where there is none. */
export function closingParenthesis(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if (char === '(') depth++;
    else if (char === ')' && depth-- === 0) return i;
  }
  return text.length;
}
