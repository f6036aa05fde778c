import { UINT64 } from '../../../columnar/data-type.js';
import type { WindowFrame, WindowFrameBound } from '../../../expr/expr.js';
import type { AggregateFunction, WindowFunction } from '../../../expr/function.js';
import type { PhysicalExpr, PhysicalSortExpr } from '../../../expr/physical-expr.js';
import { physicalCast } from '../../../expr/physical-planner.js';
import { typedLiteral } from '../expressions/typed-literal.js';
import type { Slice } from '../expressions/read.js';
import type { ReadContext } from '../read-context.js';
import type { LogicalColumns } from './logical-dialect.js';
import { CallReader, type ReadCall } from './read-call.js';

/** The parts of a window call over the columns of its input. */
export interface WindowCall {
  readonly func: WindowFunction | AggregateFunction;
  readonly args: readonly PhysicalExpr[];
  readonly distinct: boolean;
  readonly filter: PhysicalExpr | null;
  readonly ignoreNulls: boolean;
  readonly partitionBy: readonly PhysicalExpr[];
  readonly orderBy: readonly PhysicalSortExpr[];
  readonly frame: WindowFrame;
}

const FRAME = /^ (ROWS|RANGE|GROUPS) BETWEEN (.+?) AND (.+)$/;

/** `sum(a) PARTITION BY [b] ORDER BY [c ASC NULLS LAST] ROWS BETWEEN 1 PRECEDING AND CURRENT ROW` */
export function readWindowCall(
  slice: Slice,
  form: 'display' | 'name',
  columns: LogicalColumns,
  context: ReadContext,
): ReadCall<WindowCall> {
  const reader = new CallReader(slice, form, columns, context);
  const name = reader.functionName();
  const func = context.functions.window(name) ?? context.functions.aggregate(name);
  if (func === undefined) throw reader.error(`unknown window function ${name}`);
  const distinct = reader.take('DISTINCT ');
  // Aggregates separate their arguments by ", " in names too.
  const given = reader.exprs(')', form === 'name' && !('stateFields' in func) ? ',' : ', ');
  const types = form === 'name' && given.length > 0 ? func.coerce(given.map(({ type }) => type)) : [];
  const args = given.map((arg, i) => (types[i] === undefined ? arg : physicalCast(arg, types[i])));
  const ignoreNulls = reader.take(' IGNORE NULLS');
  if (!ignoreNulls) reader.take(' RESPECT NULLS');
  const filter = reader.take(' FILTER (WHERE ') ? reader.condition() : null;
  const partitionBy = reader.take(' PARTITION BY [') ? reader.exprs(']') : [];
  const orderBy = reader.take(' ORDER BY [') ? reader.sortKeys() : [];
  const parts = FRAME.exec(reader.rest);
  if (parts === null) throw reader.error('a window frame such as ROWS BETWEEN … AND … is expected here');
  const units = parts[1] === 'ROWS' ? 'ROWS' : parts[1] === 'RANGE' ? 'RANGE' : 'GROUPS';
  const offsetType = units === 'RANGE' ? (orderBy[0]?.expr.type ?? UINT64) : UINT64;
  const bound = (text: string): WindowFrameBound => {
    if (text === 'CURRENT ROW') return { direction: 'CURRENT ROW', offset: null };
    const words = /^(.+) (PRECEDING|FOLLOWING)$/.exec(text);
    if (words === null) throw reader.error(`"${text}" is no end of a window frame`);
    const direction = words[2] === 'PRECEDING' ? 'PRECEDING' : 'FOLLOWING';
    if (words[1] === 'UNBOUNDED') return { direction, offset: null };
    const shown = words[1] ?? '';
    const offset = typedLiteral(shown, offsetType) ?? typedLiteral(shown, { kind: 'Interval' });
    if (offset === undefined) throw reader.error(`"${shown}" is no distance of a window frame`);
    return { direction, offset };
  };
  const frame = { units, start: bound(parts[2] ?? ''), end: bound(parts[3] ?? '') } as const;
  return {
    call: { func, args, distinct, filter, ignoreNulls, partitionBy, orderBy, frame },
    end: slice.to,
    doubt: reader.doubt,
  };
}
