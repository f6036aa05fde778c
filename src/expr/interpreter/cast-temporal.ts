import { type DataType, isInteger } from '../../columnar/data-type.js';
import { fitsInteger } from '../../columnar/integer-range.js';
import { floorDivide, nanosPer, unitsPerDay, unitsPerSecond } from '../temporal.js';
import type { Converter } from './cast.js';

/** Casts among dates, times, timestamps, durations and integers. */
export function temporalCast(from: DataType, to: DataType): Converter | undefined {
  if (isInteger(from) && to.kind === 'Interval') return daysAsInterval;
  if (isPoint(from) && isInteger(to)) return whole((value) => value, to);
  if (isInteger(from) && isPoint(to)) return whole((value) => value, to);
  switch (from.kind) {
    case 'Date32':
      if (to.kind === 'Date64') return whole((days) => days * unitsPerDay('ms'), to);
      if (to.kind === 'Timestamp') {
        const perDay = unitsPerDay(to.unit);
        return whole((days) => days * perDay, to);
      }
      return undefined;
    case 'Date64':
      if (to.kind === 'Date32') return whole((millis) => floorDivide(millis, unitsPerDay('ms')), to);
      if (to.kind === 'Timestamp') {
        const scale = rescale(unitsPerSecond('ms'), unitsPerSecond(to.unit));
        return whole(scale, to);
      }
      return undefined;
    case 'Timestamp': {
      const perDay = unitsPerDay(from.unit);
      if (to.kind === 'Date32') return whole((value) => floorDivide(value, perDay), to);
      if (to.kind === 'Date64') {
        const scale = rescale(unitsPerSecond(from.unit), unitsPerSecond('ms'));
        return whole(scale, to);
      }
      if (to.kind === 'Timestamp') return whole(rescale(unitsPerSecond(from.unit), unitsPerSecond(to.unit)), to);
      if (to.kind === 'Time32' || to.kind === 'Time64') {
        const [stepFrom, stepTo] = [nanosPer(from.unit), nanosPer(to.unit)];
        return whole((value) => ((value - floorDivide(value, perDay) * perDay) * stepFrom) / stepTo, to);
      }
      return undefined;
    }
    case 'Time32':
    case 'Time64':
      if (to.kind === 'Time32' || to.kind === 'Time64') {
        return whole(rescale(unitsPerSecond(from.unit), unitsPerSecond(to.unit)), to);
      }
      return undefined;
    case 'Duration':
      if (to.kind === 'Duration') return whole(rescale(unitsPerSecond(from.unit), unitsPerSecond(to.unit)), to);
      return undefined;
    default:
      return undefined;
  }
}

function isPoint(type: DataType): boolean {
  switch (type.kind) {
    case 'Date32':
    case 'Date64':
    case 'Time32':
    case 'Time64':
    case 'Timestamp':
    case 'Duration':
      return true;
    default:
      return false;
  }
}

/** Between units; what is finer than the target is cut off towards zero. */
function rescale(from: bigint, to: bigint): (value: bigint) => bigint {
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
