import { UINT64, UTF8 } from '../../columnar/data-type.js';
import { scalar, type ScalarValue } from '../../columnar/scalar-value.js';
import { literal, type SortExpr, type WindowFrame, type WindowFrameBound } from '../../expr/expr.js';
import type { Ident, NamedWindow, Place, SqlExpr, SqlFrameBound, SqlWindowFrame, WindowSpec } from '../parser/ast.js';
import { planError } from './binding.js';

/** The windows of a WINDOW clause; each may build on those before it. */
export function resolveWindows(
  named: readonly NamedWindow[],
  nameOf: (ident: Ident) => string,
): ReadonlyMap<string, WindowSpec> {
  const windows = new Map<string, WindowSpec>();
  for (const { name, spec } of named) {
    if (windows.has(nameOf(name))) throw planError(`the window "${nameOf(name)}" is defined twice`, name.span);
    windows.set(nameOf(name), resolveWindow(spec, windows, nameOf));
  }
  return windows;
}

/** The window that OVER means, with the named window it builds on worked in. */
export function resolveWindow(
  over: WindowSpec | Ident,
  windows: ReadonlyMap<string, WindowSpec>,
  nameOf: (ident: Ident) => string,
): WindowSpec {
  const named = (ident: Ident): WindowSpec => {
    const found = windows.get(nameOf(ident));
    if (found !== undefined) return found;
    throw planError(`the window "${nameOf(ident)}" is not defined`, ident.span, 'define it with WINDOW … AS (…)');
  };
  if (!('partitionBy' in over)) return named(over);
  return over.base === null ? over : inherit(over, named(over.base));
}

function inherit(spec: WindowSpec, base: WindowSpec): WindowSpec {
  if (spec.partitionBy.length > 0) {
    throw planError('a window that builds on another one has no PARTITION BY of its own', spec.base?.span);
  }
  if (spec.orderBy.length > 0 && base.orderBy.length > 0) {
    throw planError('the window it builds on has an ORDER BY already', spec.base?.span);
  }
  return {
    kind: 'window_spec',
    base: null,
    partitionBy: base.partitionBy,
    orderBy: spec.orderBy.length > 0 ? spec.orderBy : base.orderBy,
    frame: spec.frame ?? base.frame,
  };
}

const UNBOUNDED_PRECEDING: WindowFrameBound = { direction: 'PRECEDING', offset: null };
const UNBOUNDED_FOLLOWING: WindowFrameBound = { direction: 'FOLLOWING', offset: null };
const CURRENT_ROW: WindowFrameBound = { direction: 'CURRENT ROW', offset: null };

/** The frame, given or by default, and the sort keys it needs. `strict`: no two rows have the same keys. */
export function bindFrame(
  frame: SqlWindowFrame | null,
  orderBy: readonly SortExpr[],
  strict: boolean,
  place: Place,
): { readonly frame: WindowFrame; readonly orderBy: readonly SortExpr[] } {
  if (frame === null) {
    return orderBy.length > 0
      ? { frame: { units: strict ? 'ROWS' : 'RANGE', start: UNBOUNDED_PRECEDING, end: CURRENT_ROW }, orderBy }
      : { frame: { units: 'ROWS', start: UNBOUNDED_PRECEDING, end: UNBOUNDED_FOLLOWING }, orderBy };
  }
  const { units } = frame;
  const start = bindBound(frame.start, units, place);
  const end = frame.end === null ? CURRENT_ROW : bindBound(frame.end, units, place);
  if (start.direction === 'FOLLOWING' && start.offset === null) {
    throw planError('a window frame cannot start at UNBOUNDED FOLLOWING', place);
  }
  if (end.direction === 'PRECEDING' && end.offset === null) {
    throw planError('a window frame cannot end at UNBOUNDED PRECEDING', place);
  }
  const hasOffsets = start.offset !== null || end.offset !== null;
  if (units === 'GROUPS' && orderBy.length === 0) throw planError('GROUPS needs ORDER BY', place);
  if (units === 'RANGE' && hasOffsets && orderBy.length !== 1) {
    throw planError('RANGE with offsets needs exactly one ORDER BY key', place);
  }
  // Without ORDER BY all rows are peers: as if sorted by a constant.
  const constant: SortExpr = { expr: literal(scalar(UINT64, 1n)), descending: false, nullsFirst: false };
  return { frame: { units, start, end }, orderBy: units === 'RANGE' && orderBy.length === 0 ? [constant] : orderBy };
}

function bindBound(bound: SqlFrameBound, units: WindowFrame['units'], place: Place): WindowFrameBound {
  if (bound.direction === 'CURRENT ROW') return CURRENT_ROW;
  return { direction: bound.direction, offset: bound.offset === null ? null : offset(bound.offset, units, place) };
}

/** Rows and groups are counted; RANGE offsets get the type of the sort key later, until then they are text. */
function offset(expr: SqlExpr, units: WindowFrame['units'], place: Place): ScalarValue {
  const literalOf = (e: SqlExpr): string | undefined =>
    e.kind === 'literal' && (e.value.type === 'number' || e.value.type === 'string') ? e.value.text : undefined;
  if (units !== 'RANGE') {
    const text = literalOf(expr);
    if (text === undefined || !/^[0-9]+$/.test(text)) {
      throw planError(`an offset of ${units} is a whole number from 0`, expr.span ?? place);
    }
    return scalar(UINT64, BigInt(text));
  }
  const text =
    expr.kind === 'interval'
      ? [literalOf(expr.value), expr.unit].filter((part) => part !== null && part !== undefined).join(' ')
      : literalOf(expr);
  if (text === undefined || text === '') {
    throw planError('an offset of RANGE is a number or an interval', expr.span ?? place);
  }
  return scalar(UTF8, text);
}
