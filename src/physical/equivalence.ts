import { type ScalarValue, scalarValuesIdentical } from '../columnar/scalar-value.js';
import { typesEqual } from '../columnar/data-type.js';
import {
  conjuncts,
  physicalChildren,
  physicalExprKey,
  physicalExprsEqual,
  shiftColumns,
  transformPhysical,
  withPhysicalChildren,
} from '../expr/physical-expr-transform.js';
import type { PhysicalColumn, PhysicalExpr, PhysicalSortExpr } from '../expr/physical-expr.js';
import type { Distribution } from './execution-plan.js';
import type { Partitioning, PlanConstant, PlanProperties } from './plan-properties.js';

/*
 * The algebra of plan properties: what is known to be equal, constant and ordered, and how that knowledge passes through operators.
 * Source: EquivalenceProperties in apache/datafusion, physical-expr/src/equivalence.
 */

type Classes = readonly (readonly PhysicalExpr[])[];

/** Properties of a node about which only the partitioning is known. */
export function plainProperties(partitioning: Partitioning): PlanProperties {
  return { partitioning, orderings: [], equivalences: [], constants: [] };
}

const representatives = new WeakMap<Classes, ReadonlyMap<string, PhysicalExpr>>();

function representativesOf(classes: Classes): ReadonlyMap<string, PhysicalExpr> {
  let map = representatives.get(classes);
  if (map === undefined) {
    const made = new Map<string, PhysicalExpr>();
    for (const members of classes) for (const member of members) made.set(physicalExprKey(member), members[0]!);
    representatives.set(classes, made);
    map = made;
  }
  return map;
}

/** The expression with every part replaced by the first member of its class. */
export function normalizeExpr(expr: PhysicalExpr, classes: Classes): PhysicalExpr {
  if (classes.length === 0) return expr;
  const map = representativesOf(classes);
  return transformPhysical(expr, (node) => map.get(physicalExprKey(node)) ?? node);
}

/** The constant an expression is known to be, or null. Expressions over constants only are constants. */
export function constantOf(expr: PhysicalExpr, properties: PlanProperties): PlanConstant | null {
  if (expr.kind === 'literal') return { expr, across: 'uniform', value: expr.value };
  const normal = normalizeExpr(expr, properties.equivalences);
  for (const constant of properties.constants) {
    if (physicalExprsEqual(normalizeExpr(constant.expr, properties.equivalences), normal)) return { ...constant, expr };
  }
  if (expr.kind === 'dynamic_filter' || (expr.kind === 'scalar_function' && expr.func.volatility === 'volatile')) {
    return null;
  }
  const children = physicalChildren(expr);
  if (children.length === 0) return null;
  let across: PlanConstant['across'] = 'uniform';
  for (const child of children) {
    const known = constantOf(child, properties);
    if (known === null) return null;
    if (known.across === 'per_partition') across = 'per_partition';
  }
  return { expr, across, value: null };
}

/**
 * The sort keys over class representatives, without repetitions and without what is constant over all partitions (a key that is constant
 * per partition only still tells partitions apart when they are merged).
 */
function normalizeSortExprs(keys: readonly PhysicalSortExpr[], properties: PlanProperties): PhysicalSortExpr[] {
  const result: PhysicalSortExpr[] = [];
  const seen = new Set<string>();
  for (const key of keys) {
    if (constantOf(key.expr, properties)?.across === 'uniform') continue;
    const expr = normalizeExpr(key.expr, properties.equivalences);
    const id = physicalExprKey(expr);
    if (seen.has(id)) continue;
    seen.add(id);
    result.push(expr === key.expr ? key : { ...key, expr });
  }
  return result;
}

/** All known orders as one list of keys, or null when there is none: DataFusion's `output_ordering`. */
export function outputOrdering(properties: PlanProperties): readonly PhysicalSortExpr[] | null {
  if (properties.orderings.length === 0) return null;
  const keys = normalizeSortExprs(properties.orderings.flat(), properties);
  return keys.length === 0 ? null : keys;
}

/** How many of the (normalised) keys, from the first, the rows already follow. */
function commonSortPrefixLength(normal: readonly PhysicalSortExpr[], properties: PlanProperties): number {
  const settled = new Set<string>();
  const orderings = properties.orderings.map((keys) => normalizeSortExprs(keys, properties));
  for (const [position, key] of normal.entries()) {
    const id = physicalExprKey(key.expr);
    if (constantOf(key.expr, properties) !== null) {
      settled.add(id);
      continue;
    }
    const leads = orderings.some((keys) => {
      const lead = keys.find((candidate) => !settled.has(physicalExprKey(candidate.expr)));
      return lead !== undefined && followsKey(key, lead);
    });
    if (!leads) return position;
    settled.add(id);
  }
  return normal.length;
}

/** Whether rows ordered by `lead` are ordered by `key` too. */
function followsKey(key: PhysicalSortExpr, lead: PhysicalSortExpr): boolean {
  if (physicalExprsEqual(key.expr, lead.expr)) return sameDirection(key, lead);
  return isMonotonicOver(key.expr, lead.expr) && sameDirection(key, lead);
}

function sameDirection(a: PhysicalSortExpr, b: PhysicalSortExpr): boolean {
  return a.descending === b.descending && (a.nullsFirst === b.nullsFirst || !a.expr.nullable);
}

/** True for order-preserving wrappings of `inner`: casts to a type that orders the same way. */
function isMonotonicOver(expr: PhysicalExpr, inner: PhysicalExpr): boolean {
  if (physicalExprsEqual(expr, inner)) return true;
  if (expr.kind !== 'cast' || expr.safe) return false;
  const from = expr.expr.type.kind;
  const to = expr.type.kind;
  const ordersAlike =
    from === to ||
    (INTEGER_WIDTHS[from] !== undefined &&
      INTEGER_WIDTHS[to] !== undefined &&
      INTEGER_WIDTHS[from] <= INTEGER_WIDTHS[to]) ||
    (from === 'Date32' && to === 'Timestamp');
  return ordersAlike && isMonotonicOver(expr.expr, inner);
}

const INTEGER_WIDTHS: Partial<Record<string, number>> = { Int8: 1, Int16: 2, Int32: 4, Int64: 8 };

export function orderingSatisfied(required: readonly PhysicalSortExpr[], properties: PlanProperties): boolean {
  const normal = normalizeSortExprs(required, properties);
  return commonSortPrefixLength(normal, properties) === normal.length;
}

/** The part of `required` that the rows already follow (normalised), and whether that is all of it. */
export function commonSortPrefix(
  required: readonly PhysicalSortExpr[],
  properties: PlanProperties,
): { prefix: PhysicalSortExpr[]; satisfied: boolean } {
  const normal = normalizeSortExprs(required, properties);
  const length = commonSortPrefixLength(normal, properties);
  return { prefix: normal.slice(0, length), satisfied: length === normal.length };
}

/** Whether `given` is at least as strict as `required`: the latter is a prefix of the former once both are normalised. */
export function sortRequirementsCompatible(
  given: readonly PhysicalSortExpr[],
  required: readonly PhysicalSortExpr[],
  properties: PlanProperties,
): boolean {
  const left = normalizeSortExprs(given, properties);
  const right = normalizeSortExprs(required, properties);
  if (right.length > left.length) return false;
  return right.every((key, i) => physicalExprsEqual(key.expr, left[i]!.expr) && sameDirection(key, left[i]!));
}

export function clearOrderings(properties: PlanProperties): PlanProperties {
  return { ...properties, orderings: [] };
}

/** What stays known when several partitions flow into one. */
export function clearPartitionConstants(properties: PlanProperties): PlanProperties {
  if (properties.constants.every((constant) => constant.across === 'uniform')) return properties;
  return { ...properties, constants: properties.constants.filter((constant) => constant.across === 'uniform') };
}

export function withPartitioning(properties: PlanProperties, partitioning: Partitioning): PlanProperties {
  return { ...properties, partitioning };
}

/** The properties after sorting: an order that was there already keeps what is known, another one replaces it. */
export function reorder(properties: PlanProperties, keys: readonly PhysicalSortExpr[]): PlanProperties {
  return orderingSatisfied(keys, properties) ? properties : { ...properties, orderings: [keys] };
}

export function addOrdering(properties: PlanProperties, keys: readonly PhysicalSortExpr[]): PlanProperties {
  return orderingSatisfied(keys, properties)
    ? properties
    : { ...properties, orderings: [...properties.orderings, keys] };
}

/** Adds that two expressions are equal in every row. */
export function addEquality(classes: Classes, a: PhysicalExpr, b: PhysicalExpr): Classes {
  if (physicalExprsEqual(a, b)) return classes;
  const holds = (members: readonly PhysicalExpr[], expr: PhysicalExpr): boolean =>
    members.some((member) => physicalExprsEqual(member, expr));
  const first = classes.findIndex((members) => holds(members, a));
  const second = classes.findIndex((members) => holds(members, b));
  if (first < 0 && second < 0) return [...classes, [a, b]];
  if (first === second) return classes;
  if (first >= 0 && second >= 0) {
    const [low, high] = first < second ? [first, second] : [second, first];
    const merged = [...classes[low]!, ...classes[high]!];
    return classes.map((members, i) => (i === low ? merged : members)).filter((_, i) => i !== high);
  }
  const [at, added] = first >= 0 ? [first, b] : [second, a];
  return classes.map((members, i) => (i === at ? [...members, added] : members));
}

/** Adds a constant unless it is known as one. */
export function addConstant(properties: PlanProperties, constant: PlanConstant): PlanProperties {
  if (constantOf(constant.expr, properties) !== null) return properties;
  return { ...properties, constants: [...properties.constants, constant] };
}

/** What a predicate that every row passes tells: equal columns and pinned columns of its AND-ed parts. */
export function applyPredicate(properties: PlanProperties, predicate: PhysicalExpr): PlanProperties {
  let result = properties;
  for (const part of conjuncts(predicate)) {
    if (part.kind !== 'binary' || part.op !== '=') continue;
    const left = constantOf(part.left, result);
    const right = constantOf(part.right, result);
    if (left !== null && right === null) result = addConstant(result, { ...left, expr: part.right });
    else if (right !== null && left === null) result = addConstant(result, { ...right, expr: part.left });
    else if (left === null && right === null) {
      result = { ...result, equivalences: addEquality(result.equivalences, part.left, part.right) };
    }
  }
  return result;
}

/** One output column of a projection: what it computes over the input. */
export interface ProjectedExpr {
  readonly expr: PhysicalExpr;
  readonly name: string;
}

/** Knowledge about a projection's input restated over its output. */
export function projectProperties(properties: PlanProperties, exprs: readonly ProjectedExpr[]): PlanProperties {
  const projector = new Projector(properties, exprs);
  let classes: Classes = [];
  for (const members of properties.equivalences) {
    const mapped = members.flatMap((member) => projector.targets(member));
    for (const other of mapped.slice(1)) classes = addEquality(classes, mapped[0]!, other);
  }
  for (const targets of projector.allTargets()) {
    for (const other of targets.slice(1)) classes = addEquality(classes, targets[0]!, other);
  }
  let result: PlanProperties = {
    partitioning: projectPartitioning(properties.partitioning, projector),
    orderings: [],
    equivalences: classes,
    constants: [],
  };
  for (const constant of properties.constants) {
    const expr = projector.project(constant.expr);
    if (expr !== undefined) result = addConstant(result, { ...constant, expr });
  }
  for (const [index, { expr, name }] of exprs.entries()) {
    const known = constantOf(expr, properties);
    if (known === null) continue;
    const column: PhysicalColumn = { kind: 'column', name, index, type: expr.type, nullable: expr.nullable };
    result = addConstant(result, { ...known, expr: column });
  }
  const orderings: (readonly PhysicalSortExpr[])[] = [];
  for (const ordering of properties.orderings) {
    const keys: PhysicalSortExpr[] = [];
    for (const key of normalizeSortExprs(ordering, properties)) {
      const expr = projector.project(key.expr) ?? projector.monotonic(key.expr);
      if (expr === undefined) break;
      keys.push({ ...key, expr });
    }
    if (keys.length > 0) orderings.push(keys);
  }
  return { ...result, orderings };
}

/** Restates expressions over a projection's output. */
class Projector {
  readonly #properties: PlanProperties;
  readonly #exprs: readonly ProjectedExpr[];
  readonly #targets = new Map<string, PhysicalColumn[]>();

  constructor(properties: PlanProperties, exprs: readonly ProjectedExpr[]) {
    this.#properties = properties;
    this.#exprs = exprs;
    for (const [index, { expr, name }] of exprs.entries()) {
      const key = physicalExprKey(expr);
      const column: PhysicalColumn = { kind: 'column', name, index, type: expr.type, nullable: expr.nullable };
      const known = this.#targets.get(key);
      if (known === undefined) this.#targets.set(key, [column]);
      else known.push(column);
    }
  }

  targets(expr: PhysicalExpr): readonly PhysicalExpr[] {
    const direct = this.#targets.get(physicalExprKey(expr));
    if (direct !== undefined) return direct;
    const rebuilt = this.#rebuild(expr);
    return rebuilt === undefined ? [] : [rebuilt];
  }

  allTargets(): Iterable<readonly PhysicalColumn[]> {
    return this.#targets.values();
  }

  /** The expression over the output, through any member of its class; undefined when it cannot be said there. */
  project(expr: PhysicalExpr): PhysicalExpr | undefined {
    const direct = this.targets(expr)[0];
    if (direct !== undefined) return direct;
    for (const members of this.#properties.equivalences) {
      if (!members.some((member) => physicalExprsEqual(member, expr))) continue;
      for (const member of members) {
        const other = this.targets(member)[0];
        if (other !== undefined) return other;
      }
    }
    return undefined;
  }

  /** An output column that is an order-preserving wrapping of the expression. */
  monotonic(expr: PhysicalExpr): PhysicalExpr | undefined {
    const index = this.#exprs.findIndex((projected) => isMonotonicOver(projected.expr, expr));
    if (index < 0) return undefined;
    const { expr: source, name } = this.#exprs[index]!;
    return { kind: 'column', name, index, type: source.type, nullable: source.nullable };
  }

  #rebuild(expr: PhysicalExpr): PhysicalExpr | undefined {
    if (expr.kind === 'literal') return expr;
    const children = physicalChildren(expr);
    if (children.length === 0) return undefined;
    const mapped: PhysicalExpr[] = [];
    for (const child of children) {
      const target = this.targets(child)[0];
      if (target === undefined) return undefined;
      mapped.push(target);
    }
    return withPhysicalChildren(expr, mapped);
  }
}

/** Rows stay hash partitioned when a key is no longer put out; nobody can tell by what, so such a partitioning satisfies nothing. */
function projectPartitioning(partitioning: Partitioning, projector: Projector): Partitioning {
  if (partitioning.kind !== 'hash') return partitioning;
  const exprs: PhysicalExpr[] = [];
  for (const expr of partitioning.exprs) {
    const mapped = projector.project(expr);
    if (mapped === undefined) return { kind: 'hash', exprs: [], count: partitioning.count };
    exprs.push(mapped);
  }
  return { ...partitioning, exprs };
}

/** The same knowledge about columns that stand `offset` positions further right. */
export function shiftProperties(properties: PlanProperties, offset: number): PlanProperties {
  if (offset === 0) return properties;
  return {
    partitioning: shiftPartitioning(properties.partitioning, offset),
    orderings: properties.orderings.map((keys) =>
      keys.map((key) => ({ ...key, expr: shiftColumns(key.expr, offset) })),
    ),
    equivalences: properties.equivalences.map((members) => members.map((member) => shiftColumns(member, offset))),
    constants: properties.constants.map((constant) => ({ ...constant, expr: shiftColumns(constant.expr, offset) })),
  };
}

export function shiftPartitioning(partitioning: Partitioning, offset: number): Partitioning {
  if (partitioning.kind !== 'hash') return partitioning;
  return { ...partitioning, exprs: partitioning.exprs.map((expr) => shiftColumns(expr, offset)) };
}

/** What holds in every branch of a union, `partitioning` apart. */
export function unionProperties(inputs: readonly PlanProperties[], partitioning: Partitioning): PlanProperties {
  const [first, ...rest] = inputs;
  if (first === undefined) return plainProperties(partitioning);
  let orderings = first.orderings.map((keys) => normalizeSortExprs(keys, first));
  let classes = first.equivalences;
  let constants: readonly PlanConstant[] = everyConstant(first);
  for (const other of rest) {
    orderings = orderings
      .map((keys) => keys.slice(0, commonSortPrefixLength(keys, other)))
      .filter((keys) => keys.length > 0);
    classes = classes
      .map((members) =>
        members.filter((member) =>
          physicalExprsEqual(normalizeExpr(member, other.equivalences), normalizeExpr(members[0]!, other.equivalences)),
        ),
      )
      .filter((members) => members.length > 1);
    constants = constants.flatMap((constant) => {
      const known = constantOf(constant.expr, other);
      if (known === null) return [];
      if (constant.value !== null && known.value !== null && sameValue(constant.value, known.value)) return [constant];
      return [{ expr: constant.expr, across: 'per_partition' as const, value: null }];
    });
  }
  return { partitioning, orderings, equivalences: classes, constants };
}

/** The constants one by one: of a class of equals usually one member stands for all, but its class may not outlive the union. */
function everyConstant({ constants, equivalences }: PlanProperties): PlanConstant[] {
  return constants.flatMap((constant) => {
    const members = equivalences.find((all) => all.some((member) => physicalExprsEqual(member, constant.expr)));
    return (members ?? [constant.expr]).map((expr) => ({ ...constant, expr }));
  });
}

function sameValue(a: ScalarValue, b: ScalarValue): boolean {
  return typesEqual(a.type, b.type) && scalarValuesIdentical(a.value, b.value);
}

/** Whether the rows are spread as required. One partition satisfies everything. */
export function distributionSatisfied(
  required: Distribution,
  properties: PlanProperties,
  options: { readonly allowSubset?: boolean } = {},
): boolean {
  const { partitioning, equivalences } = properties;
  switch (required.kind) {
    case 'unspecified':
      return true;
    case 'single':
      return partitioning.count === 1;
    case 'hash': {
      if (partitioning.count === 1) return true;
      if (partitioning.kind !== 'hash' || partitioning.exprs.length === 0) return false;
      const have = partitioning.exprs.map((expr) => normalizeExpr(expr, equivalences));
      const want = required.exprs.map((expr) => normalizeExpr(expr, equivalences));
      if (have.length === want.length && have.every((expr, i) => physicalExprsEqual(expr, want[i]!))) return true;
      return (
        options.allowSubset === true && have.every((expr) => want.some((wanted) => physicalExprsEqual(expr, wanted)))
      );
    }
  }
}

/** Positions, in `exprs`, of those that lead an order the rows have (DataFusion's `find_longest_permutation`), in that order. */
export function orderedPositions(
  exprs: readonly PhysicalExpr[],
  properties: PlanProperties,
): { positions: number[]; keys: PhysicalSortExpr[] } {
  const positions: number[] = [];
  const keys: PhysicalSortExpr[] = [];
  const orderings = properties.orderings.map((ordering) => normalizeSortExprs(ordering, properties));
  const normal = exprs.map((expr) => normalizeExpr(expr, properties.equivalences));
  // Within equal values of what was found so far, those are constants.
  let known = properties;
  for (;;) {
    const before = known;
    const leads = orderings.flatMap((ordering) => {
      const lead = ordering.find((key) => constantOf(key.expr, before) === null);
      return lead === undefined ? [] : [lead];
    });
    const found: PhysicalSortExpr[] = [];
    for (const [index, expr] of exprs.entries()) {
      if (positions.includes(index)) continue;
      const lead = leads.find((key) => followsKey({ ...key, expr: normal[index]! }, key));
      if (constantOf(expr, before) !== null) found.push({ expr, descending: false, nullsFirst: true });
      else if (lead !== undefined) found.push({ ...lead, expr });
      else continue;
      positions.push(index);
    }
    if (found.length === 0) break;
    keys.push(...found);
    for (const { expr } of found) known = addConstant(known, { expr, across: 'per_partition', value: null });
  }
  return { positions, keys };
}
