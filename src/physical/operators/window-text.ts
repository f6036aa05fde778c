import { type DataType, INTERVAL, isTemporal, type TimeUnit, typeName, UINT64 } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { displayFrame, displayLiteral } from '../../expr/expr-display.js';
import type { WindowFrame, WindowFrameBound } from '../../expr/expr.js';
import { isUnbounded, type PhysicalWindowExpr } from '../window-expr.js';

/*
 * How DataFusion prints windows. It shows two debug forms: that of a Field for bounded windows, and for the others that of a Result with
 * a Field and of a WindowFrame.
 */

/** `NAME: Field { "NAME": nullable Int64 }, frame: RANGE BETWEEN …` */
export function boundedWindowText({ name, type, nullable, frame }: PhysicalWindowExpr): string {
  return `${name}: Field { ${quoted(name)}: ${nullable ? 'nullable ' : ''}${typeName(type)} }, frame: ${displayFrame(frame)}`;
}

/** `NAME: Ok(Field { name: "NAME", data_type: Int64, nullable: true }), frame: WindowFrame { … }` */
export function windowText(expr: PhysicalWindowExpr): string {
  const { name, type, nullable } = expr;
  const field = `Field { name: ${quoted(name)}, data_type: ${debugType(type)}${nullable ? ', nullable: true' : ''} }`;
  return `${name}: Ok(${field}), frame: ${debugFrame(expr)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function debugFrame({ frame, orderBy }: PhysicalWindowExpr): string {
  const unit = { ROWS: 'Rows', RANGE: 'Range', GROUPS: 'Groups' }[frame.units];
  const offsetType = offsetTypeOf(frame, orderBy[0]?.expr.type);
  const bound = (at: WindowFrameBound): string => debugBound(at, offsetType);
  return `WindowFrame { units: ${unit}, start_bound: ${bound(frame.start)}, end_bound: ${bound(frame.end)}, is_causal: ${String(isCausal(frame))} }`;
}

/** The type of the frame's offsets, which DataFusion shows even where there is none. */
function offsetTypeOf(frame: WindowFrame, key: DataType | undefined): DataType {
  if (frame.units !== 'RANGE' || key === undefined) return UINT64;
  return isTemporal(key) ? INTERVAL : key;
}

function debugBound(bound: WindowFrameBound, offsetType: DataType): string {
  switch (bound.direction) {
    case 'CURRENT ROW':
      return 'CurrentRow';
    case 'PRECEDING':
      return `Preceding(${debugOffset(bound, offsetType)})`;
    case 'FOLLOWING':
      return `Following(${debugOffset(bound, offsetType)})`;
  }
}

function debugOffset({ offset }: WindowFrameBound, offsetType: DataType): string {
  if (offset !== null && offset.value !== null) return displayLiteral(offset);
  // The debug form of an interval is quoted, NULL or not.
  if (offsetType.kind === 'Interval') return 'IntervalMonthDayNano("NULL")';
  return displayLiteral(scalar(offsetType, null));
}

/** Whether the frame never reaches past the current row. */
function isCausal({ units, end }: WindowFrame): boolean {
  const isZero = end.offset !== null && (end.offset.value === 0n || end.offset.value === 0);
  if (units === 'ROWS') return end.direction !== 'FOLLOWING' || (!isUnbounded(end) && isZero);
  return end.direction === 'PRECEDING' && !isZero;
}

const UNITS: Readonly<Record<TimeUnit, string>> = {
  s: 'Second',
  ms: 'Millisecond',
  us: 'Microsecond',
  ns: 'Nanosecond',
};

/** Arrow's debug form of a type, which spells units out. */
function debugType(type: DataType): string {
  if (!('unit' in type)) return typeName(type);
  const unit = UNITS[type.unit];
  if (type.kind !== 'Timestamp') return `${type.kind}(${unit})`;
  return `Timestamp(${unit}, ${type.timezone === null ? 'None' : `Some("${type.timezone}")`})`;
}
