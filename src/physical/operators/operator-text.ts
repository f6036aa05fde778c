import type { Schema } from '../../columnar/schema.js';
import { displayPhysicalExpr } from '../../expr/physical-expr-display.js';
import type { PhysicalExpr } from '../../expr/physical-expr.js';
import type { Partitioning } from '../plan-properties.js';

/** `name@index` per position, as embedded projections print. */
export function indexedNames(schema: Schema, indices: readonly number[]): string[] {
  return indices.map((index) => `${schema.field(index).name}@${index}`);
}

export function projectionText(columns: readonly string[]): string {
  return `, projection=[${columns.join(', ')}]`;
}

export function fetchText(fetch: number | null): string {
  return fetch === null ? '' : `, fetch=${fetch}`;
}

/** `expr as name`, or the name alone where both are the same text. */
export function namedExprText(expr: PhysicalExpr, name: string): string {
  const text = displayPhysicalExpr(expr);
  return text === name ? text : `${text} as ${name}`;
}

export function partitioningText(partitioning: Partitioning): string {
  switch (partitioning.kind) {
    case 'round_robin':
      return `RoundRobinBatch(${partitioning.count})`;
    case 'hash':
      return `Hash([${partitioning.exprs.map(displayPhysicalExpr).join(', ')}], ${partitioning.count})`;
    case 'unknown':
      return `UnknownPartitioning(${partitioning.count})`;
  }
}
