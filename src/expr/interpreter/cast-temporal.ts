import { type DataType, isInteger, isTemporal, type TimeUnit } from '../../columnar/data-type.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import { floorDivide, nanosPer, unitsPerDay, unitsPerSecond } from '../temporal.js';
import type { Converter } from './cast.js';

/** Casts among dates, times, timestamps, durations and integers. */
export function temporalCast(from: DataType, to: DataType): Converter | undefined {
  if (isInteger(from) && to.kind === 'Interval') return daysAsInterval;
  if (isPoint(from) && isInteger(to)) return whole((value) => value, to);
  if (isInteger(from) && isPoint(to)) return whole((value) => value, to);
  if (from.kind === 'Date32') return fromDays(to);
  if (from.kind === 'Date64') {
    if (to.kind === 'Date32') return whole((millis) => floorDivide(millis, unitsPerDay('ms')), to);
    return to.kind === 'Timestamp' ? whole(rescale('ms', to.unit), to) : undefined;
  }
  if (from.kind === 'Timestamp') return fromTimestamp(from.unit, to);
  if (isTime(from) && isTime(to)) return whole(rescale(from.unit, to.unit), to);
  return from.kind === 'Duration' && to.kind === 'Duration' ? whole(rescale(from.unit, to.unit), to) : undefined;
}

function fromDays(to: DataType): Converter | undefined {
  if (to.kind === 'Date64') return whole((days) => days * unitsPerDay('ms'), to);
  if (to.kind !== 'Timestamp') return undefined;
  const perDay = unitsPerDay(to.unit);
  return whole((days) => days * perDay, to);
}

function fromTimestamp(unit: TimeUnit, to: DataType): Converter | undefined {
  const perDay = unitsPerDay(unit);
  if (to.kind === 'Date32') return whole((value) => floorDivide(value, perDay), to);
  if (to.kind === 'Date64') return whole(rescale(unit, 'ms'), to);
  if (to.kind === 'Timestamp') return whole(rescale(unit, to.unit), to);
  if (!isTime(to)) return undefined;
  const [stepFrom, stepTo] = [nanosPer(unit), nanosPer(to.unit)];
  return whole((value) => ((value - floorDivide(value, perDay) * perDay) * stepFrom) / stepTo, to);
}

function isTime(type: DataType): type is Extract<DataType, { kind: 'Time32' | 'Time64' }> {
  return type.kind === 'Time32' || type.kind === 'Time64';
}

/** Types that are one integer. */
function isPoint(type: DataType): boolean {
  return isTemporal(type) && type.kind !== 'Interval';
}

/** Between units; what is finer than the target is cut off towards zero. */
function rescale(fromUnit: TimeUnit, toUnit: TimeUnit): (value: bigint) => bigint {
  const [from, to] = [unitsPerSecond(fromUnit), unitsPerSecond(toUnit)];
  if (to >= from) {
    const factor = to / from;
    return (value) => value * factor;
  }
  const divisor = from / to;
  return (value) => value / divisor;
}

const INT32: DataType = { kind: 'Int32' };
const INT64: DataType = { kind: 'Int64' };

function whole(convert: (value: bigint) => bigint, to: DataType): Converter {
  const stored = to.kind === 'Date32' || to.kind === 'Time32' ? INT32 : isInteger(to) ? to : INT64;
  return (reader, row, out) => {
    const value = convert(reader.integer(row));
    if (!fitsInteger(stored, value)) return false;
    out.setInteger(row, value);
    return true;
  };
}

/** An integer beside a date is a number of days. */
const daysAsInterval: Converter = (reader, row, out) => {
  const days = reader.integer(row);
  if (!fitsInteger(INT32, days)) return false;
  out.setInterval(row, { months: 0, days: Number(days), nanos: 0n });
  return true;
};
