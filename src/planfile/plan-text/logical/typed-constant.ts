import { type DataType, decimal, isString, timestamp, type TimeUnit } from '../../../columnar/data-type.js';
import { type ScalarValue, scalar } from '../../../columnar/scalar-value.js';
import { parseTypeName } from '../../../expr/parse-type.js';
import { typedLiteral } from '../expressions/typed-literal.js';

const UNITS: Readonly<Record<string, TimeUnit>> = {
  Second: 's',
  Millisecond: 'ms',
  Microsecond: 'us',
  Nanosecond: 'ns',
};

export interface TypedConstant {
  readonly value: ScalarValue;
  readonly end: number;
}

/**
 * The constants with their types that may stand at the position of a logical plan: `Int64(1)`, `Utf8("x")`, `Decimal128(0.05,15,2)`. A string
 * may hold what ends one, hence several, shortest first.
 */
export function typedConstantsAt(text: string, position: number): TypedConstant[] {
  const head = /^([A-Z][A-Za-z0-9]*)\(/.exec(text.slice(position, position + 40));
  if (head === null) return [];
  const name = head[1] ?? '';
  const from = position + head[0].length;
  if (text.startsWith('"', from)) return quoted(name, text, from + 1);
  const close = text.indexOf(')', from);
  if (close < 0) return [];
  const value = bare(name, text.slice(from, close));
  if (value !== undefined) return [{ value, end: close + 1 }];
  // Names of zones hold parentheses of their own: TimestampSecond(0, Some("UTC")).
  const zone = /^(-?\d+|NULL), Some\("([^"]*)"\)\)/.exec(text.slice(from));
  const unit = UNITS[name.replace(/^Timestamp/, '')];
  if (zone === null || unit === undefined || !name.startsWith('Timestamp')) return [];
  const constant = typedLiteral(zone[1] ?? '', timestamp(unit, zone[2] ?? null));
  return constant === undefined ? [] : [{ value: constant, end: from + zone[0].length }];
}

const MOST_ENDS = 8;

function quoted(name: string, text: string, from: number): TypedConstant[] {
  const type = name === 'IntervalMonthDayNano' ? ({ kind: 'Interval' } as const) : typeOf(name);
  if (type === undefined) return [];
  const found: TypedConstant[] = [];
  for (let end = text.indexOf('")', from); end >= 0; end = text.indexOf('")', end + 1)) {
    const inside = text.slice(from, end);
    const value = isString(type) ? scalar(type, inside) : typedLiteral(inside, type);
    if (value !== undefined) found.push({ value, end: end + 2 });
    if (!isString(type) || found.length >= MOST_ENDS) break;
  }
  return found;
}

function bare(name: string, inside: string): ScalarValue | undefined {
  const decimals = /^(NULL|-?[\d.]+),(\d+),(-?\d+)$/.exec(inside);
  if (name === 'Decimal128') {
    return decimals === null
      ? undefined
      : typedLiteral(decimals[1] ?? '', decimal(Number(decimals[2]), Number(decimals[3])));
  }
  const unit = UNITS[name.replace(/^Timestamp/, '')];
  if (name.startsWith('Timestamp') && unit !== undefined) {
    const zoneless = /^(-?\d+|NULL), None$/.exec(inside);
    return zoneless === null ? undefined : typedLiteral(zoneless[1] ?? '', timestamp(unit, null));
  }
  const type = name === 'IntervalMonthDayNano' ? ({ kind: 'Interval' } as const) : typeOf(name);
  if (type === undefined) return undefined;
  return inside === 'NULL' ? scalar(type, null) : typedLiteral(inside, type);
}

function typeOf(name: string): DataType | undefined {
  const timed = /^(Time32|Time64|Duration)(Second|Millisecond|Microsecond|Nanosecond)$/.exec(name);
  return parseTypeName(timed === null ? name : `${timed[1] ?? ''}(${UNITS[timed[2] ?? ''] ?? ''})`);
}
