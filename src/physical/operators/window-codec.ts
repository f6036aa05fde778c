import { DistqError } from '../../base/errors.js';
import type { EncodedNode, EncodedValue } from '../../expr/expr-codec.js';
import type { WindowFrameBound } from '../../expr/expr.js';
import { booleanField, choiceField, listField, nodeOf, textField, valueField } from '../encoded-fields.js';
import type { PlanCodec } from '../plan-codec.js';
import { isAggregateWindow, type PhysicalWindowExpr } from '../window-expr.js';
import type { Windows } from './window-keys.js';

const DIRECTIONS = ['PRECEDING', 'CURRENT ROW', 'FOLLOWING'] as const;
const UNITS = ['ROWS', 'RANGE', 'GROUPS'] as const;

export function encodeWindows(windows: Windows, codec: PlanCodec): EncodedValue {
  return windows.map((window) => encodeWindow(window, codec));
}

export function decodeWindows(node: EncodedNode, name: string, codec: PlanCodec): Windows {
  const [first, ...rest] = listField(node, name).map((value) => decodeWindow(node, value, codec));
  if (first === undefined) throw new DistqError('protocol', `an encoded ${node.kind} has no window`);
  return [first, ...rest];
}

function encodeWindow(window: PhysicalWindowExpr, codec: PlanCodec): EncodedValue {
  const { func, args, partitionBy, orderBy, frame, distinct, filter, ignoreNulls, reversed, name, type, nullable } =
    window;
  const bound = ({ direction, offset }: WindowFrameBound): EncodedValue => ({
    direction,
    offset: offset === null ? null : codec.scalar(offset),
  });
  return {
    func: func.name,
    aggregate: isAggregateWindow(func),
    args: args.map((arg) => codec.expr(arg)),
    partitionBy: partitionBy.map((key) => codec.expr(key)),
    orderBy: codec.sortExprs(orderBy),
    units: frame.units,
    start: bound(frame.start),
    end: bound(frame.end),
    distinct,
    filter: filter === null ? null : codec.expr(filter),
    ignoreNulls,
    reversed,
    name,
    type: codec.type(type),
    nullable,
  };
}

function decodeWindow(node: EncodedNode, value: EncodedValue, codec: PlanCodec): PhysicalWindowExpr {
  const fields = nodeOf(node, value, 'windows');
  const bound = (name: string): WindowFrameBound => {
    const entry = nodeOf(node, valueField(fields, name), name);
    const offset = valueField(entry, 'offset');
    return {
      direction: choiceField(entry, 'direction', DIRECTIONS),
      offset: offset === null ? null : codec.decodeScalar(offset),
    };
  };
  const func = textField(fields, 'func');
  const filter = valueField(fields, 'filter');
  return {
    func: booleanField(fields, 'aggregate') ? codec.decodeAggregateFunction(func) : codec.decodeWindowFunction(func),
    args: listField(fields, 'args').map((arg) => codec.decodeExpr(arg)),
    partitionBy: listField(fields, 'partitionBy').map((key) => codec.decodeExpr(key)),
    orderBy: codec.decodeSortExprs(valueField(fields, 'orderBy')),
    frame: { units: choiceField(fields, 'units', UNITS), start: bound('start'), end: bound('end') },
    distinct: booleanField(fields, 'distinct'),
    filter: filter === null ? null : codec.decodeExpr(filter),
    ignoreNulls: booleanField(fields, 'ignoreNulls'),
    reversed: booleanField(fields, 'reversed'),
    name: textField(fields, 'name'),
    type: codec.decodeType(valueField(fields, 'type')),
    nullable: booleanField(fields, 'nullable'),
  };
}
