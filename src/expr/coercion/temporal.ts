import { type DataType, type TimeUnit, isTemporal, timestamp } from '../../columnar/data-type.js';

/** Units from coarse to fine. */
const FINENESS: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 1, us: 2, ns: 3 };

function finerUnit(a: TimeUnit, b: TimeUnit): TimeUnit {
  return FINENESS[a] >= FINENESS[b] ? a : b;
}

/**
 * The type at which two temporal values meet, or undefined. `strictZones`: timestamps of different zones do not meet (arithmetic);
 * otherwise they compare as instants and a zone wins over none.
 */
export function temporalCoercion(a: DataType, b: DataType, strictZones: boolean): DataType | undefined {
  if (!isTemporal(a) || !isTemporal(b)) return undefined;
  if (a.kind === 'Timestamp' && b.kind === 'Timestamp') {
    if (strictZones && a.timezone !== b.timezone && a.timezone !== null && b.timezone !== null) return undefined;
    return timestamp(finerUnit(a.unit, b.unit), a.timezone ?? b.timezone);
  }
  if (a.kind === 'Timestamp') return isDate(b) ? timestamp('ns', a.timezone) : undefined;
  if (b.kind === 'Timestamp') return temporalCoercion(b, a, strictZones);
  if (isDate(a) && isDate(b)) return a.kind === b.kind ? a : { kind: 'Date64' };
  if (isTime(a) && isTime(b)) return a.kind !== b.kind ? undefined : finerUnit(a.unit, b.unit) === a.unit ? a : b;
  if (a.kind === 'Duration' && b.kind === 'Duration') return { kind: 'Duration', unit: finerUnit(a.unit, b.unit) };
  // Intervals and durations meet at intervals.
  if ((a.kind === 'Interval' || a.kind === 'Duration') && (b.kind === 'Interval' || b.kind === 'Duration')) {
    return { kind: 'Interval' };
  }
  return undefined;
}

export function isDate(type: DataType): type is Extract<DataType, { kind: 'Date32' | 'Date64' }> {
  return type.kind === 'Date32' || type.kind === 'Date64';
}

export function isTime(type: DataType): type is Extract<DataType, { kind: 'Time32' | 'Time64' }> {
  return type.kind === 'Time32' || type.kind === 'Time64';
}
