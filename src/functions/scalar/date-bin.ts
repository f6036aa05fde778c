import { DistqError, notImplemented } from '../../base/errors.js';
import { addMonths, civilFromDays } from '../../columnar/calendar.js';
import { type DataType, INTERVAL, isString, timestamp } from '../../columnar/data-type.js';
import type { Interval } from '../../columnar/scalar-value.js';
import type { ScalarFunction } from '../../expr/function.js';
import { floorDivide, isUtc, NANOS_PER_DAY, nanosPer } from '../../expr/temporal.js';
import { requireArity, wrongArguments } from '../support/signature.js';
import { strictRows } from '../support/strict-rows.js';

/** The start of the interval-sized bin, counted from an origin (1970-01-01 unless given), that a timestamp lies in. */
export const dateBin: ScalarFunction = {
  name: 'date_bin',
  aliases: [],
  volatility: 'immutable',
  strict: true,
  doc: {
    summary: 'The start of the bin, of the given width, that a timestamp lies in.',
    example: {
      sql: "SELECT date_bin(INTERVAL '15 minutes', TIMESTAMP '2020-05-06T07:08:09')",
      result: '2020-05-06T07:00:00',
    },
  },
  coerce(argTypes) {
    requireArity('date_bin', argTypes, 2, 3);
    return argTypes.map((type, i) => {
      if (i === 0) return widthType(type, argTypes);
      if (type.kind === 'Timestamp') return i === 1 ? type : timestamp('ns', type.timezone);
      if (type.kind === 'Date32' || type.kind === 'Null' || isString(type)) return timestamp('ns');
      throw refused(argTypes);
    });
  },
  returnType: ([, type]) => type ?? timestamp('ns'),
  evaluate(input) {
    const type = input.returnType;
    const unit = type.kind === 'Timestamp' ? type.unit : 'ns';
    if (type.kind === 'Timestamp' && type.timezone !== null && !isUtc(type.timezone)) {
      throw notImplemented(`date_bin in the time zone ${type.timezone}`);
    }
    const step = nanosPer(unit);
    return strictRows(input, (row, [width, value, origin], out) => {
      const from = origin === undefined ? 0n : origin.i64(row);
      const start = binStart(width!.interval(row), value!.i64(row) * step, from);
      out.setI64(row, floorDivide(start, step));
    });
  },
};

function refused(argTypes: readonly DataType[]): DistqError {
  return wrongArguments('date_bin', argTypes, 'an interval, a timestamp and optionally an origin');
}

function widthType(type: DataType, argTypes: readonly DataType[]): DataType {
  if (type.kind === 'Interval' || type.kind === 'Null' || isString(type)) return INTERVAL;
  throw refused(argTypes);
}

/** In nanoseconds. Months are counted in the calendar, anything else by its length. */
function binStart({ months, days, nanos }: Interval, value: bigint, origin: bigint): bigint {
  const width = BigInt(days) * NANOS_PER_DAY + nanos;
  if (months === 0) {
    if (width <= 0n) throw new DistqError('execution', 'the bins of date_bin must be longer than nothing');
    return floorDivide(value - origin, width) * width + origin;
  }
  if (width !== 0n || months < 0)
    throw new DistqError('execution', 'date_bin takes months, or days and time, not both');
  const originDay = floorDivide(origin, NANOS_PER_DAY);
  const timeOfDay = origin - originDay * NANOS_PER_DAY;
  const at = (bins: number): bigint => BigInt(addMonths(Number(originDay), bins * months)) * NANOS_PER_DAY + timeOfDay;
  const [from, to] = [civilFromDays(Number(originDay)), civilFromDays(Number(floorDivide(value, NANOS_PER_DAY)))];
  let bins = Math.floor(((to.year - from.year) * 12 + to.month - from.month) / months);
  if (at(bins) > value) bins--;
  return at(bins);
}
