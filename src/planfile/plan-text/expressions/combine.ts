import { DistqError } from '../../../base/errors.js';
import {
  BOOLEAN,
  type DataType,
  INTERVAL,
  isDecimal,
  isString,
  isTemporal,
  typeName,
  typesEqual,
} from '../../../columnar/data-type.js';
import type { ScalarValue } from '../../../columnar/scalar-value.js';
import { binarySignature } from '../../../expr/coercion/binary-operator.js';
import type { BinaryOperator } from '../../../expr/expr.js';
import type { ScalarFunction } from '../../../expr/function.js';
import { isArithmetic, isComparison, isLogicalOperator } from '../../../expr/operators.js';
import { type PhysicalExpr, physicalLiteral } from '../../../expr/physical-expr.js';
import { physicalBinary, physicalCall, physicalCase, physicalCast } from '../../../expr/physical-planner.js';
import type { KnownConstants } from './known-constants.js';
import type { Reading } from './reading.js';
import { decimalByShape, typedLiteral, typesByShape } from './typed-literal.js';

/** A reading that does not fit: why, for the message when no other does. */
export class Misfit {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Puts readings together into typed expressions; what does not fit together is a Misfit. */
export class Combiner {
  readonly #constants: KnownConstants;
  /** Whether operands are cast to what their operator takes: names of fields leave casts out. */
  readonly #coerces: boolean;

  constructor(constants: KnownConstants, coerces: boolean) {
    this.#constants = constants;
    this.#coerces = coerces;
  }

  /** The reading as an expression, of the wanted type where it is a constant; without one, what the logical plan or the text tells. */
  settle(reading: Reading, wanted: DataType | null): PhysicalExpr | Misfit {
    if (reading.kind !== 'untyped') return reading;
    const { text } = reading;
    const known = this.#constants.of(text);
    if (wanted === null) {
      const constant = known[0] ?? this.#byShape(text);
      return physicalLiteral(constant);
    }
    const same = known.find(({ type }) => typesEqual(type, wanted));
    const constant = same ?? typedLiteral(text, wanted) ?? (isDecimal(wanted) ? exactDecimal(text) : undefined);
    if (constant === undefined) return new Misfit(`"${text}" is no ${typeName(wanted)}`);
    return physicalLiteral(constant);
  }

  #byShape(text: string): ScalarValue {
    for (const type of typesByShape(text)) {
      const constant = typedLiteral(text, type);
      if (constant !== undefined) return constant;
    }
    throw new DistqError('internal', 'every text is a string');
  }

  binary(left: Reading, op: BinaryOperator, right: Reading): PhysicalExpr | Misfit {
    const [a, b] = this.#settlePair(left, op, right);
    if (a instanceof Misfit) return a;
    if (b instanceof Misfit) return b;
    if (this.#coerces) return coercedBinary(a, op, b);
    return fits(a.type, op, b.type)
      ? physicalBinary(a, op, b)
      : new Misfit(`${op} does not take ${typeName(a.type)} and ${typeName(b.type)}`);
  }

  #settlePair(
    left: Reading,
    op: BinaryOperator,
    right: Reading,
  ): readonly [PhysicalExpr | Misfit, PhysicalExpr | Misfit] {
    if (isLogicalOperator(op)) return [this.settle(left, BOOLEAN), this.settle(right, BOOLEAN)];
    if (left.kind === 'untyped') {
      if (right.kind === 'untyped') return [this.settle(left, null), this.settle(right, null)];
      return [this.#settleBeside(left, op, right.type), right];
    }
    return [left, right.kind === 'untyped' ? this.#settleBeside(right, op, left.type) : right];
  }

  /** A constant beside an operand: of its type, but for decimals and points in time in arithmetic. */
  #settleBeside(reading: Reading, op: BinaryOperator, other: DataType): PhysicalExpr | Misfit {
    if (reading.kind !== 'untyped' || this.#coerces) return this.settle(reading, this.#coerces ? null : other);
    if (!isArithmetic(op)) return this.settle(reading, other);
    const known = this.#constants.of(reading.text).find(({ type }) => fits(other, op, type));
    if (known !== undefined) return physicalLiteral(known);
    if (isDecimal(other)) return this.settle(reading, decimalByShape(reading.text) ?? other);
    if (isTemporal(other) && reading.text.startsWith('Interval')) return this.settle(reading, INTERVAL);
    return this.settle(reading, other);
  }

  /** `results` are the THEN parts and the ELSE part, if any, last. */
  caseOf(
    operand: PhysicalExpr | null,
    whens: readonly PhysicalExpr[],
    results: readonly Reading[],
    wanted: DataType | null,
  ): PhysicalExpr | Misfit {
    const typed = results.find((result) => result.kind !== 'untyped' && result.type.kind !== 'Null');
    const byText = results.find((result) => result.kind === 'untyped' && result.text !== 'NULL');
    let type = typed === undefined || typed.kind === 'untyped' ? wanted : typed.type;
    if (type === null && byText !== undefined) {
      const first = this.settle(byText, null);
      if (!(first instanceof Misfit)) type = first.type;
    }
    const settled: PhysicalExpr[] = [];
    for (const result of results) {
      const expr = this.settle(result, type);
      if (expr instanceof Misfit) return expr;
      settled.push(type !== null && this.#coerces ? physicalCast(expr, type) : expr);
    }
    const branches: { readonly when: PhysicalExpr; readonly then: PhysicalExpr }[] = [];
    for (const [i, when] of whens.entries()) {
      const then = settled[i];
      if (then === undefined) return new Misfit('a WHEN has no THEN');
      branches.push({ when, then });
    }
    return physicalCase(operand, branches, settled[whens.length] ?? null);
  }

  /** A call; constants get the types under which the function takes the arguments as they stand. */
  call(func: ScalarFunction, readings: readonly Reading[]): PhysicalExpr | Misfit {
    const types = readings.map((reading) =>
      reading.kind === 'untyped' ? this.#argumentTypes(reading.text, readings) : [reading.type],
    );
    let misfit: Misfit | undefined;
    for (const chosen of combinations(types)) {
      const target = coercedTypes(func, chosen);
      if (target instanceof Misfit) misfit ??= target;
      else if (this.#coerces || target.every((type, i) => typesEqual(type, chosen[i] ?? type))) {
        const args = this.#settleAll(readings, target);
        return args instanceof Misfit ? args : physicalCall(func, args);
      }
    }
    // A function that takes other types than it is given: only the constants can be at fault.
    for (const chosen of combinations(types)) {
      const target = coercedTypes(func, chosen);
      const args = target instanceof Misfit ? target : this.#settleAll(readings, target);
      if (!(args instanceof Misfit)) return physicalCall(func, args);
    }
    return misfit ?? new Misfit(`${func.name} does not take these arguments`);
  }

  #argumentTypes(text: string, readings: readonly Reading[]): DataType[] {
    const known = this.#constants.of(text).map(({ type }) => type);
    const beside = readings.flatMap((reading) =>
      reading.kind === 'untyped' || typedLiteral(text, reading.type) === undefined ? [] : [reading.type],
    );
    return [...known, ...beside, ...typesByShape(text)];
  }

  #settleAll(readings: readonly Reading[], types: readonly DataType[]): PhysicalExpr[] | Misfit {
    const args: PhysicalExpr[] = [];
    for (const [i, reading] of readings.entries()) {
      const type = types[i] ?? null;
      const arg = this.settle(reading, type);
      if (arg instanceof Misfit) return arg;
      args.push(this.#coerces && type !== null ? physicalCast(arg, type) : arg);
    }
    return args;
  }
}

function exactDecimal(text: string): ScalarValue | undefined {
  const type = decimalByShape(text);
  return type === undefined ? undefined : typedLiteral(text, type);
}

const MOST_COMBINATIONS = 200;

/** Choices of one type for each argument, the first ones first. */
function* combinations(types: readonly (readonly DataType[])[]): Generator<DataType[], void, undefined> {
  let left = MOST_COMBINATIONS;
  function* from(position: number): Generator<DataType[], void, undefined> {
    const choices = types[position];
    if (choices === undefined) {
      yield [];
      return;
    }
    for (const type of choices) {
      for (const rest of from(position + 1)) {
        if (left-- <= 0) return;
        yield [type, ...rest];
      }
    }
  }
  yield* from(0);
}

function coercedTypes(func: ScalarFunction, types: readonly DataType[]): DataType[] | Misfit {
  try {
    return func.coerce(types);
  } catch (error) {
    if (error instanceof DistqError) return new Misfit(error.message);
    throw error;
  }
}

function coercedBinary(left: PhysicalExpr, op: BinaryOperator, right: PhysicalExpr): PhysicalExpr | Misfit {
  try {
    const signature = binarySignature(left.type, op, right.type);
    return physicalBinary(physicalCast(left, signature.left), op, physicalCast(right, signature.right));
  } catch (error) {
    if (error instanceof DistqError) return new Misfit(error.message);
    throw error;
  }
}

/** Whether the operator takes operands of these types as they are. */
function fits(left: DataType, op: BinaryOperator, right: DataType): boolean {
  if (left.kind === 'Null' || right.kind === 'Null') return true;
  if (isLogicalOperator(op)) return left.kind === 'Boolean' && right.kind === 'Boolean';
  if (isComparison(op)) return left.kind === right.kind || (isString(left) && isString(right));
  if (isArithmetic(op)) {
    if (isDecimal(left) && isDecimal(right)) return true;
    if (isTemporal(left) || isTemporal(right)) return binaryFits(left, op, right);
    return typesEqual(left, right);
  }
  return left.kind === right.kind || (isString(left) && isString(right));
}

function binaryFits(left: DataType, op: BinaryOperator, right: DataType): boolean {
  try {
    binarySignature(left, op, right);
    return true;
  } catch {
    return false;
  }
}
