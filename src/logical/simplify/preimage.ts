import { daysFromCivil } from '../../columnar/calendar.js';
import { type DataType, isDecimal, isInteger, isFloating } from '../../columnar/data-type.js';
import { type ScalarValue, scalar, scalarToBigInt } from '../../columnar/scalar-value.js';
import {
  type BinaryExpr,
  binary,
  type BinaryOperator,
  type Expr,
  type InListExpr,
  literal,
  type ScalarFunctionExpr,
} from '../../expr/expr.js';
import { swappedComparison } from '../../expr/operators.js';
import type { SimplifyInfo } from './simplify-info.js';

/** Values `low <= x < high` are exactly those for which `f(x)` gives one constant. */
interface Preimage {
  readonly input: Expr;
  readonly low: ScalarValue;
  readonly high: ScalarValue;
}

/**
 * `date_part('YEAR', d) = 1995` → `d >= 1995-01-01 AND d < 1996-01-01`, and `floor(x) = 3` → `x >= 3 AND x < 4`: a step function
 * compared with a constant is a range of its argument, which scans can prune by.
 */
export function preimageComparison(expr: BinaryExpr, info: SimplifyInfo): Expr | undefined {
  if (expr.left.kind === 'scalar_function' && expr.right.kind === 'literal') {
    return range(expr.left, expr.op, expr.right.value, info);
  }
  const op = swappedComparison(expr.op);
  if (op !== undefined && expr.right.kind === 'scalar_function' && expr.left.kind === 'literal') {
    return range(expr.right, op, expr.left.value, info);
  }
  return undefined;
}

/** The same for IN lists: one range per item. */
export function preimageInList(expr: InListExpr, info: SimplifyInfo): Expr | undefined {
  const call = expr.expr;
  if (call.kind !== 'scalar_function') return undefined;
  const ranges: Expr[] = [];
  for (const item of expr.list) {
    const one = item.kind === 'literal' ? range(call, expr.negated ? '!=' : '=', item.value, info) : undefined;
    if (one === undefined) return undefined;
    ranges.push(one);
  }
  const [first, ...rest] = ranges;
  return first === undefined
    ? undefined
    : rest.reduce((joined, one) => binary(joined, expr.negated ? 'AND' : 'OR', one), first);
}

function range(call: ScalarFunctionExpr, op: BinaryOperator, value: ScalarValue, info: SimplifyInfo): Expr | undefined {
  const found = preimage(call, value, info);
  if (found === undefined) return undefined;
  const { input } = found;
  const low = literal(found.low);
  const high = literal(found.high);
  switch (op) {
    case '=':
      return binary(binary(input, '>=', low), 'AND', binary(input, '<', high));
    case '!=':
      return binary(binary(input, '<', low), 'OR', binary(input, '>=', high));
    case '<':
      return binary(input, '<', low);
    case '<=':
      return binary(input, '<', high);
    case '>':
      return binary(input, '>=', high);
    case '>=':
      return binary(input, '>=', low);
    case 'IS NOT DISTINCT FROM': {
      const known: Expr = { kind: 'is', expr: input, test: 'NULL', negated: true };
      return binary(binary(known, 'AND', binary(input, '>=', low)), 'AND', binary(input, '<', high));
    }
    case 'IS DISTINCT FROM': {
      const unknown: Expr = { kind: 'is', expr: input, test: 'NULL', negated: false };
      return binary(binary(binary(input, '<', low), 'OR', binary(input, '>=', high)), 'OR', unknown);
    }
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case 'AND':
    case 'OR':
    case '~':
    case '~*':
    case '!~':
    case '!~*':
    case '&':
    case '|':
    case 'BIT_XOR':
    case '<<':
    case '>>':
    case '||':
      return undefined;
  }
}

function preimage(call: ScalarFunctionExpr, value: ScalarValue, info: SimplifyInfo): Preimage | undefined {
  if (value.value === null) return undefined;
  if (call.func.name === 'date_part') return yearPreimage(call, value, info);
  return call.func.name === 'floor' ? floorPreimage(call, value, info) : undefined;
}

function yearPreimage(call: ScalarFunctionExpr, value: ScalarValue, info: SimplifyInfo): Preimage | undefined {
  const [part, input] = call.args;
  if (part?.kind !== 'literal' || input === undefined || !isInteger(value.type)) return undefined;
  if (typeof part.value.value !== 'string' || part.value.value.toLowerCase() !== 'year') return undefined;
  const type = info.type(input);
  const year = Number(scalarToBigInt(value));
  const low = startOfYear(year, type);
  const high = startOfYear(year + 1, type);
  return low === undefined || high === undefined ? undefined : { input, low, high };
}

const PER_DAY = { s: 86_400n, ms: 86_400_000n, us: 86_400_000_000n, ns: 86_400_000_000_000n } as const;
const INT64_LIMIT = 2n ** 63n;
/** Years that every date type can hold; others keep the function. */
const YEARS = { first: -200_000, last: 200_000 } as const;

function startOfYear(year: number, type: DataType): ScalarValue | undefined {
  if (year < YEARS.first || year > YEARS.last) return undefined;
  const days = daysFromCivil(year, 1, 1);
  if (type.kind === 'Date32') return scalar(type, days);
  if (type.kind === 'Date64') return scalar(type, BigInt(days) * PER_DAY.ms);
  // With a time zone the year does not begin at one instant.
  if (type.kind !== 'Timestamp' || type.timezone !== null) return undefined;
  const instant = BigInt(days) * PER_DAY[type.unit];
  return instant >= INT64_LIMIT || instant < -INT64_LIMIT ? undefined : scalar(type, instant);
}

function floorPreimage(call: ScalarFunctionExpr, value: ScalarValue, info: SimplifyInfo): Preimage | undefined {
  const [input] = call.args;
  if (input === undefined) return undefined;
  const type = info.type(input);
  if (isFloating(type) && isFloating(value.type) && typeof value.value === 'number') {
    const low = value.value;
    // No float floors to a fraction, and far out steps are wider than 1.
    if (!Number.isSafeInteger(low) || (type.kind === 'Float32' && Math.abs(low) >= 2 ** 24)) return undefined;
    return { input, low: scalar(type, low), high: scalar(type, low + 1) };
  }
  if (!isDecimal(type) || !isDecimal(value.type) || typeof value.value !== 'bigint') return undefined;
  const unit = 10n ** BigInt(value.type.scale);
  if (value.value % unit !== 0n) return undefined;
  const step = 10n ** BigInt(type.scale);
  const low = (value.value / unit) * step;
  const most = 10n ** BigInt(type.precision);
  if (low <= -most || low + step >= most) return undefined;
  return { input, low: scalar(type, low), high: scalar(type, low + step) };
}
