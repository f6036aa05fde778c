import { DistqError } from '../base/errors.js';
import type { EncodedNode, EncodedValue } from '../expr/expr-codec.js';
import type { PlanCodec } from './plan-codec.js';
import type { Partitioning } from './plan-properties.js';

/*
 * Reading the fields of encoded nodes. Whatever does not fit is a `protocol` error that names node and field: it comes from another
 * process or from a file.
 */

function wrong(node: EncodedNode, field: string, expected: string): DistqError {
  return new DistqError('protocol', `field ${field} of an encoded ${node.kind} is no ${expected}`);
}

export function valueField(node: EncodedNode, field: string): EncodedValue {
  const value = node[field];
  if (value === undefined) throw new DistqError('protocol', `an encoded ${node.kind} has no field ${field}`);
  return value;
}

/** A count, position or limit: an integer from 0. */
export function countField(node: EncodedNode, field: string): number {
  const value = valueField(node, field);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrong(node, field, 'count');
  return value;
}

export function nullableCountField(node: EncodedNode, field: string): number | null {
  return valueField(node, field) === null ? null : countField(node, field);
}

export function booleanField(node: EncodedNode, field: string): boolean {
  const value = valueField(node, field);
  if (typeof value !== 'boolean') throw wrong(node, field, 'truth value');
  return value;
}

export function textField(node: EncodedNode, field: string): string {
  const value = valueField(node, field);
  if (typeof value !== 'string') throw wrong(node, field, 'text');
  return value;
}

export function choiceField<T extends string>(node: EncodedNode, field: string, choices: readonly T[]): T {
  const value = textField(node, field);
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw wrong(node, field, `value among ${choices.join(', ')}`);
  return found;
}

export function listField(node: EncodedNode, field: string): readonly EncodedValue[] {
  const value = valueField(node, field);
  if (!isList(value)) throw wrong(node, field, 'list');
  return value;
}

export function countsField(node: EncodedNode, field: string): number[] {
  return listField(node, field).map((value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw wrong(node, field, 'list of counts');
    return value;
  });
}

export function nullableCountsField(node: EncodedNode, field: string): number[] | null {
  return valueField(node, field) === null ? null : countsField(node, field);
}

/** A nested value with named fields, as a node of the same kind. */
export function nodeOf(node: EncodedNode, value: EncodedValue, what: string): EncodedNode {
  if (value === null || typeof value !== 'object' || isList(value) || value instanceof Uint8Array) {
    throw wrong(node, what, 'object');
  }
  return { ...value, kind: node.kind };
}

export function isList(value: EncodedValue): value is readonly EncodedValue[] {
  return Array.isArray(value);
}

export function encodePartitioning(partitioning: Partitioning, codec: PlanCodec): EncodedValue {
  const { kind: scheme, count } = partitioning;
  if (partitioning.kind !== 'hash') return { scheme, count };
  return { scheme, count, exprs: partitioning.exprs.map((expr) => codec.expr(expr)) };
}

export function partitioningField(node: EncodedNode, field: string, codec: PlanCodec): Partitioning {
  const inner = nodeOf(node, valueField(node, field), field);
  const kind = choiceField(inner, 'scheme', ['round_robin', 'hash', 'unknown']);
  const count = countField(inner, 'count');
  if (kind !== 'hash') return { kind, count };
  return { kind, count, exprs: listField(inner, 'exprs').map((expr) => codec.decodeExpr(expr)) };
}

/** The child of a node that has exactly one. */
export function onlyChild<T>(node: EncodedNode, children: readonly T[]): T {
  const [child] = children;
  if (child === undefined || children.length !== 1) {
    throw new DistqError('protocol', `an encoded ${node.kind} has ${children.length} children instead of 1`);
  }
  return child;
}

export function twoChildren<T>(node: EncodedNode, children: readonly T[]): readonly [T, T] {
  const [left, right] = children;
  if (left === undefined || right === undefined || children.length !== 2) {
    throw new DistqError('protocol', `an encoded ${node.kind} has ${children.length} children instead of 2`);
  }
  return [left, right];
}
