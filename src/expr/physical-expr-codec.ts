import { DistqError, unreachable } from '../base/errors.js';
import { type DataType, type Field, isPlainKind, isPlainType } from '../columnar/data-type.js';
import type { ScalarValue } from '../columnar/scalar-value.js';
import { Schema } from '../columnar/schema.js';
import { flag, list, malformed, number, object, text, unit } from './encoded-value.js';
import type { EncodedValue, ExprCodec } from './expr-codec.js';
import type { BinaryOperator } from './expr.js';
import type { FunctionRegistry, ScalarFunction } from './function.js';
import type { PhysicalExpr, PhysicalSortExpr } from './physical-expr.js';

/**
 * The codec of types, constants, schemas and expressions. Constants are kept bit for bit; functions travel by canonical name. What
 * does not decode is a `protocol` error that names the place.
 */
export class ExprCodecImpl implements ExprCodec {
  readonly #functions: FunctionRegistry;

  constructor(functions: FunctionRegistry) {
    this.#functions = functions;
  }

  expr(expr: PhysicalExpr): EncodedValue {
    const typed = { kind: expr.kind, type: this.type(expr.type), nullable: expr.nullable };
    switch (expr.kind) {
      case 'column':
        return { ...typed, name: expr.name, index: expr.index };
      case 'literal':
        return { kind: expr.kind, value: this.scalar(expr.value), nullable: expr.nullable };
      case 'binary':
        return { ...typed, left: this.expr(expr.left), op: expr.op, right: this.expr(expr.right) };
      case 'not':
      case 'negative':
        return { ...typed, expr: this.expr(expr.expr) };
      case 'is_null':
        return { ...typed, expr: this.expr(expr.expr), negated: expr.negated };
      case 'like':
        return {
          ...typed,
          expr: this.expr(expr.expr),
          pattern: this.expr(expr.pattern),
          negated: expr.negated,
          caseInsensitive: expr.caseInsensitive,
          escape: expr.escape,
        };
      case 'case':
        return {
          ...typed,
          operand: expr.operand === null ? null : this.expr(expr.operand),
          branches: expr.branches.map(({ when, then }) => [this.expr(when), this.expr(then)]),
          otherwise: expr.otherwise === null ? null : this.expr(expr.otherwise),
        };
      case 'cast':
        return { ...typed, expr: this.expr(expr.expr), safe: expr.safe };
      case 'in_list':
        return {
          ...typed,
          expr: this.expr(expr.expr),
          list: expr.list.map((item) => this.expr(item)),
          negated: expr.negated,
        };
      case 'scalar_function':
        return { ...typed, func: expr.func.name, args: expr.args.map((arg) => this.expr(arg)) };
      case 'dynamic_filter':
        return { ...typed, id: expr.id, children: expr.children.map((child) => this.expr(child)) };
    }
  }

  decodeExpr(encoded: EncodedValue): PhysicalExpr {
    const node = object(encoded, 'expression');
    const kind = text(node['kind'], 'expression.kind');
    const nullable = flag(node['nullable'], 'expression.nullable');
    if (kind === 'literal') {
      const value = this.decodeScalar(node['value'] ?? null);
      return { kind, value, type: value.type, nullable };
    }
    const typed = { type: this.decodeType(node['type'] ?? null), nullable };
    const child = (name: string): PhysicalExpr => this.decodeExpr(node[name] ?? null);
    const optional = (name: string): PhysicalExpr | null => ((node[name] ?? null) === null ? null : child(name));
    const children = (name: string): PhysicalExpr[] => list(node[name], name).map((item) => this.decodeExpr(item));
    switch (kind) {
      case 'column':
        return {
          kind,
          name: text(node['name'], 'column.name'),
          index: number(node['index'], 'column.index'),
          ...typed,
        };
      case 'binary':
        return { kind, left: child('left'), op: operator(node['op']), right: child('right'), ...typed };
      case 'not':
      case 'negative':
        return { kind, expr: child('expr'), ...typed };
      case 'is_null':
        return { kind, expr: child('expr'), negated: flag(node['negated'], 'is_null.negated'), ...typed };
      case 'like':
        return {
          kind,
          expr: child('expr'),
          pattern: child('pattern'),
          negated: flag(node['negated'], 'like.negated'),
          caseInsensitive: flag(node['caseInsensitive'], 'like.caseInsensitive'),
          escape: text(node['escape'], 'like.escape'),
          ...typed,
        };
      case 'case': {
        const branches = list(node['branches'], 'case.branches').map((branch) => {
          const [when, then] = list(branch, 'case branch');
          return { when: this.decodeExpr(when ?? null), then: this.decodeExpr(then ?? null) };
        });
        return { kind, operand: optional('operand'), branches, otherwise: optional('otherwise'), ...typed };
      }
      case 'cast':
        return { kind, expr: child('expr'), safe: flag(node['safe'], 'cast.safe'), ...typed };
      case 'in_list':
        return {
          kind,
          expr: child('expr'),
          list: children('list'),
          negated: flag(node['negated'], 'in_list.negated'),
          ...typed,
        };
      case 'scalar_function':
        return { kind, func: this.#function(text(node['func'], 'function name')), args: children('args'), ...typed };
      case 'dynamic_filter':
        return { kind, id: number(node['id'], 'dynamic_filter.id'), children: children('children'), ...typed };
      default:
        throw malformed(`expression kind "${kind}"`);
    }
  }

  sortExprs(exprs: readonly PhysicalSortExpr[]): EncodedValue {
    return exprs.map(({ expr, descending, nullsFirst }) => ({ expr: this.expr(expr), descending, nullsFirst }));
  }

  decodeSortExprs(encoded: EncodedValue): PhysicalSortExpr[] {
    return list(encoded, 'sort keys').map((item) => {
      const node = object(item, 'sort key');
      return {
        expr: this.decodeExpr(node['expr'] ?? null),
        descending: flag(node['descending'], 'sort key'),
        nullsFirst: flag(node['nullsFirst'], 'sort key'),
      };
    });
  }

  schema(schema: Schema): EncodedValue {
    return schema.fields.map((field) => this.#field(field));
  }

  decodeSchema(encoded: EncodedValue): Schema {
    return new Schema(list(encoded, 'schema').map((item) => this.#decodeField(item)));
  }

  type(type: DataType): EncodedValue {
    if (isPlainType(type)) return type.kind;
    switch (type.kind) {
      case 'Decimal128':
        return { kind: type.kind, precision: type.precision, scale: type.scale };
      case 'FixedSizeBinary':
        return { kind: type.kind, size: type.size };
      case 'Time32':
      case 'Time64':
      case 'Duration':
        return { kind: type.kind, unit: type.unit };
      case 'Timestamp':
        return { kind: type.kind, unit: type.unit, timezone: type.timezone };
      case 'List':
        return { kind: type.kind, element: this.#field(type.element) };
      case 'Struct':
        return { kind: type.kind, fields: type.fields.map((f) => this.#field(f)) };
      case 'Map':
        return { kind: type.kind, key: this.#field(type.key), value: this.#field(type.value) };
    }
  }

  decodeType(encoded: EncodedValue): DataType {
    if (typeof encoded === 'string') {
      if (!isPlainKind(encoded)) throw malformed(`type "${encoded}"`);
      return { kind: encoded };
    }
    const node = object(encoded, 'type');
    const kind = text(node['kind'], 'type.kind');
    switch (kind) {
      case 'Decimal128':
        return { kind, precision: number(node['precision'], kind), scale: number(node['scale'], kind) };
      case 'FixedSizeBinary':
        return { kind, size: number(node['size'], kind) };
      case 'Time32':
      case 'Time64':
      case 'Duration':
        return { kind, unit: unit(node['unit']) };
      case 'Timestamp': {
        const timezone = node['timezone'] ?? null;
        return { kind, unit: unit(node['unit']), timezone: timezone === null ? null : text(timezone, 'timezone') };
      }
      case 'List':
        return { kind, element: this.#decodeField(node['element'] ?? null) };
      case 'Struct':
        return { kind, fields: list(node['fields'], kind).map((item) => this.#decodeField(item)) };
      case 'Map':
        return { kind, key: this.#decodeField(node['key'] ?? null), value: this.#decodeField(node['value'] ?? null) };
      default:
        throw malformed(`type "${kind}"`);
    }
  }

  scalar({ type, value }: ScalarValue): EncodedValue {
    const encoded: EncodedValue =
      typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
        ? { months: value.months, days: value.days, nanos: value.nanos }
        : value;
    return { type: this.type(type), value: encoded };
  }

  decodeScalar(encoded: EncodedValue): ScalarValue {
    const node = object(encoded, 'constant');
    const type = this.decodeType(node['type'] ?? null);
    const value = node['value'] ?? null;
    if (value === null) return { type, value };
    switch (type.kind) {
      case 'Boolean':
        return { type, value: flag(value, type.kind) };
      case 'Int8':
      case 'Int16':
      case 'Int32':
      case 'UInt8':
      case 'UInt16':
      case 'UInt32':
      case 'Float32':
      case 'Float64':
      case 'Date32':
      case 'Time32':
        return { type, value: number(value, type.kind) };
      case 'Int64':
      case 'UInt64':
      case 'Date64':
      case 'Time64':
      case 'Timestamp':
      case 'Duration':
      case 'Decimal128':
        if (typeof value !== 'bigint') throw malformed(`${type.kind} constant`);
        return { type, value };
      case 'Utf8':
      case 'LargeUtf8':
      case 'Utf8View':
        return { type, value: text(value, type.kind) };
      case 'Binary':
      case 'LargeBinary':
      case 'BinaryView':
      case 'FixedSizeBinary':
        if (!(value instanceof Uint8Array)) throw malformed(`${type.kind} constant`);
        return { type, value };
      case 'Interval': {
        const parts = object(value, type.kind);
        const nanos = parts['nanos'];
        if (typeof nanos !== 'bigint') throw malformed('Interval constant');
        return {
          type,
          value: { months: number(parts['months'], 'months'), days: number(parts['days'], 'days'), nanos },
        };
      }
      case 'Null':
      case 'List':
      case 'Struct':
      case 'Map':
        throw malformed(`${type.kind} constant with a value`);
    }
    return unreachable(type, 'type');
  }

  #function(name: string): ScalarFunction {
    const found = this.#functions.scalar(name);
    if (found === undefined) {
      throw new DistqError('protocol', `the plan calls the function ${name}, which this build does not have`);
    }
    return found;
  }

  #field({ name, type, nullable }: Field): EncodedValue {
    return [name, this.type(type), nullable];
  }

  #decodeField(encoded: EncodedValue): Field {
    const [name, type, nullable] = list(encoded, 'field');
    return {
      name: text(name, 'field name'),
      type: this.decodeType(type ?? null),
      nullable: flag(nullable, 'field nullability'),
    };
  }
}

const OPERATORS: ReadonlySet<string> = new Set<BinaryOperator>([
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'IS DISTINCT FROM',
  'IS NOT DISTINCT FROM',
  '+',
  '-',
  '*',
  '/',
  '%',
  'AND',
  'OR',
  '&',
  '|',
  'BIT_XOR',
  '<<',
  '>>',
  '~',
  '~*',
  '!~',
  '!~*',
  '||',
]);

function operator(value: EncodedValue | undefined): BinaryOperator {
  const op = text(value, 'operator');
  if (!isOperator(op)) throw malformed(`operator "${op}"`);
  return op;
}

function isOperator(op: string): op is BinaryOperator {
  return OPERATORS.has(op);
}
