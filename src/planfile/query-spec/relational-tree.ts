import type { LogicalPlan } from '../../logical/plan.js';
import type { FragmentBinder } from '../../sql/binder/bind-query.js';
import type {
  Ident,
  JoinConstraint,
  OrderByItem,
  Query,
  Select,
  SelectItem,
  SetExpr,
  SqlExpr,
  SqlJoinType,
  TableFactor,
} from '../../sql/parser/ast.js';
import {
  checkObject,
  choice,
  count,
  documentError,
  flag,
  inFile,
  items,
  optionalField,
  type Place,
  requiredField,
  text,
} from '../document/fields.js';
import { cell, expression, selectItem, sortKey } from './fragments.js';

/**
 * A relational tree: each node is a small query over the plans of the nodes below it, so that names, types, wildcards, aggregates,
 * windows and subqueries mean what they mean in SQL.
 */
export interface TreeNode {
  readonly place: Place;
  /** Reads its inputs as tables `0`, `1`, … */
  readonly query: Query;
  readonly inputs: readonly TreeNode[];
}

/** Trees nested deeper than this are refused before the call stack is at risk. */
const MAX_DEPTH = 400;

const KINDS = ['scan', 'filter', 'project', 'aggregate', 'join', 'sort', 'limit', 'union', 'values'] as const;

type Kind = (typeof KINDS)[number];

const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  scan: ['table', 'columns', 'filter'],
  filter: ['input', 'predicate'],
  project: ['input', 'expressions', 'distinct'],
  aggregate: ['input', 'groupBy', 'aggregates', 'having'],
  join: ['left', 'right', 'type', 'on', 'using'],
  sort: ['input', 'keys', 'fetch'],
  limit: ['input', 'count', 'skip'],
  union: ['inputs', 'distinct'],
  values: ['rows', 'columns'],
};

const JOIN_TYPES: Readonly<Record<string, SqlJoinType | 'Cross'>> = {
  inner: 'Inner',
  left: 'Left',
  right: 'Right',
  full: 'Full',
  cross: 'Cross',
  left_semi: 'LeftSemi',
  right_semi: 'RightSemi',
  left_anti: 'LeftAnti',
  right_anti: 'RightAnti',
};

/** Reads and parses a tree; nothing is looked up yet. */
export function readTree(place: Place, depth = 0): TreeNode {
  if (depth > MAX_DEPTH) throw documentError(place, `the tree is deeper than ${MAX_DEPTH} nodes`);
  if (place.node.kind !== 'object') {
    throw documentError(place, 'expected a node of the tree', `for example { "kind": "scan", "table": "orders" }`);
  }
  const kind = choice(requiredField(place, 'kind', `"kind": "scan"`), KINDS);
  checkObject(place, ['kind', 'as', ...FIELDS[kind]]);
  const node = READERS[kind](place, depth + 1);
  const alias = optionalField(place, 'as');
  if (alias === undefined) return node;
  const named = select([ALL], [relation(0, { value: text(alias), quoted: true, span: alias.node.span })]);
  return { place, query: query(named), inputs: [node] };
}

/** All queries of a tree: whoever binds it opens the tables they name first. */
export function treeQueries({ query: own, inputs }: TreeNode): Query[] {
  return [own, ...inputs.flatMap(treeQueries)];
}

/** The unoptimised logical plan of a tree. */
export function bindTree(node: TreeNode, binder: FragmentBinder): LogicalPlan {
  const inputs = node.inputs.map((input) => bindTree(input, binder));
  const named = new Map(inputs.map((plan, index) => [String(index), plan]));
  try {
    return binder.bind(node.query, named);
  } catch (error) {
    throw inFile(node.place, error);
  }
}

type NodeReader = (place: Place, depth: number) => TreeNode;

const READERS: Readonly<Record<Kind, NodeReader>> = {
  scan(place) {
    const table = requiredField(place, 'table', '"table": "orders"');
    const name: Ident = { value: text(table), quoted: true, span: table.node.span };
    const columns = optionalField(place, 'columns');
    const filter = optionalField(place, 'filter');
    const from: TableFactor = { kind: 'table', name: [name], alias: null, span: table.node.span };
    const projection = columns === undefined ? [ALL] : nonEmpty(columns).map(selectItem);
    const where = filter === undefined ? null : expression(filter);
    return { place, query: query(select(projection, [from], { where })), inputs: [] };
  },
  filter(place, depth) {
    const where = expression(requiredField(place, 'predicate', '"predicate": "o_totalprice > 100"'));
    return { place, query: query(select([ALL], [relation(0)], { where })), inputs: [input(place, depth)] };
  },
  project(place, depth) {
    const written = requiredField(place, 'expressions', '"expressions": ["a", "b + 1 as c"]');
    const distinct = optionalField(place, 'distinct');
    const body = select(nonEmpty(written).map(selectItem), [relation(0)], {
      distinct: distinct !== undefined && flag(distinct) ? 'distinct' : 'all',
    });
    return { place, query: query(body), inputs: [input(place, depth)] };
  },
  aggregate(place, depth) {
    const keys = optionalField(place, 'groupBy');
    const groupItems = keys === undefined ? [] : items(keys).map((key) => ({ key, item: selectItem(key) }));
    const written = optionalField(place, 'aggregates');
    const aggregates = written === undefined ? [] : items(written).map(selectItem);
    if (groupItems.length + aggregates.length === 0) {
      throw documentError(place, 'an aggregate needs "groupBy" or "aggregates"', '"aggregates": ["count(*) as n"]');
    }
    const groupBy = groupItems.map(({ key, item }): SqlExpr => {
      if (item.kind === 'expr') return item.expr;
      throw documentError(key, 'a group key cannot be *');
    });
    const having = optionalField(place, 'having');
    const body = select([...groupItems.map(({ item }) => item), ...aggregates], [relation(0)], {
      groupBy,
      having: having === undefined ? null : expression(having),
    });
    return { place, query: query(body), inputs: [input(place, depth)] };
  },
  join(place, depth) {
    const written = optionalField(place, 'type');
    const name = written === undefined ? 'inner' : choice(written, Object.keys(JOIN_TYPES));
    const type = JOIN_TYPES[name] ?? 'Inner';
    const constraint = joinConstraint(place, type);
    const sides = ['left', 'right'].map((side) =>
      readTree(requiredField(place, side, `"${side}": { "kind": "scan", "table": "orders" }`), depth),
    );
    const from = [{ relation: relation(0), joins: [{ relation: relation(1), type, constraint }] }];
    return { place, query: query({ ...select([ALL], []), from }), inputs: sides };
  },
  sort(place, depth) {
    const orderBy = nonEmpty(requiredField(place, 'keys', '"keys": ["o_totalprice desc"]')).map(sortKey);
    const limit = rowCount(optionalField(place, 'fetch'));
    return { place, query: { ...query(select([ALL], [relation(0)])), orderBy, limit }, inputs: [input(place, depth)] };
  },
  limit(place, depth) {
    const limit = rowCount(optionalField(place, 'count'));
    const offset = rowCount(optionalField(place, 'skip'));
    if (limit === null && offset === null) throw documentError(place, 'a limit needs "count" or "skip"', '"count": 10');
    return {
      place,
      query: { ...query(select([ALL], [relation(0)])), limit, offset },
      inputs: [input(place, depth)],
    };
  },
  union(place, depth) {
    const branches = items(requiredField(place, 'inputs', '"inputs": [ … ]'));
    if (branches.length < 2)
      throw documentError(place, 'a union needs at least two inputs', 'list its branches in "inputs"');
    const distinct = optionalField(place, 'distinct');
    const all = distinct === undefined || !flag(distinct);
    const body = branches
      .map((_, index): SetExpr => select([ALL], [relation(index)]))
      .reduce((left, right): SetExpr => {
        return { kind: 'set_operation', op: 'UNION', all, byName: false, left, right, span: null };
      });
    return { place, query: query(body), inputs: branches.map((branch) => readTree(branch, depth)) };
  },
  values(place) {
    const rows = nonEmpty(requiredField(place, 'rows', '"rows": [[1, "\'a\'"]]')).map((row) => nonEmpty(row).map(cell));
    const values = query({ kind: 'values', rows, span: place.node.span });
    const names = optionalField(place, 'columns');
    if (names === undefined) return { place, query: values, inputs: [] };
    const columns = nonEmpty(names).map((name): Ident => ({ value: text(name), quoted: true, span: name.node.span }));
    const alias = { name: { value: 'values', quoted: true, span: names.node.span }, columns };
    const from: TableFactor = { kind: 'derived', lateral: false, query: values, alias, span: place.node.span };
    return { place, query: query(select([ALL], [from])), inputs: [] };
  },
};

function joinConstraint(place: Place, type: SqlJoinType | 'Cross'): JoinConstraint {
  const on = optionalField(place, 'on');
  const using = optionalField(place, 'using');
  if (on !== undefined && using !== undefined) {
    throw documentError(place, 'a join has "on" or "using", not both', 'take one of them out');
  }
  if (type === 'Cross') {
    const extra = on ?? using;
    if (extra !== undefined) throw documentError(extra, 'a cross join has no condition', 'make it an inner join');
    return { kind: 'none' };
  }
  if (on !== undefined) return { kind: 'on', expr: expression(on) };
  if (using === undefined) {
    throw documentError(place, 'a join needs "on" or "using"', 'for example "on": "o_custkey = c_custkey"');
  }
  const columns = nonEmpty(using).map((name): Ident[] => [{ value: text(name), quoted: true, span: name.node.span }]);
  return { kind: 'using', columns };
}

function input(place: Place, depth: number): TreeNode {
  return readTree(requiredField(place, 'input', '"input": { "kind": "scan", "table": "orders" }'), depth);
}

function nonEmpty(place: Place): Place[] {
  const found = items(place);
  if (found.length === 0) throw documentError(place, 'expected at least one item');
  return found;
}

function rowCount(place: Place | undefined): SqlExpr | null {
  if (place === undefined) return null;
  return { kind: 'literal', value: { type: 'number', text: String(count(place)) }, span: place.node.span };
}

const ALL: SelectItem = {
  kind: 'wildcard',
  qualifier: null,
  options: { exclude: [], replace: [], rename: [], ilike: null },
  span: null,
};

function relation(index: number, alias: Ident | null = null): TableFactor {
  const name: Ident = { value: String(index), quoted: true, span: null };
  return { kind: 'table', name: [name], alias: alias === null ? null : { name: alias, columns: [] }, span: null };
}

type Clauses = Partial<Pick<Select, 'where' | 'groupBy' | 'having' | 'distinct'>>;

function select(projection: readonly SelectItem[], from: readonly TableFactor[], clauses: Clauses = {}): Select {
  return {
    kind: 'select',
    distinct: 'all',
    projection,
    from: from.map((table) => ({ relation: table, joins: [] })),
    where: null,
    groupBy: [],
    having: null,
    windows: [],
    qualify: null,
    span: null,
    ...clauses,
  };
}

function query(body: SetExpr): Query {
  const orderBy: readonly OrderByItem[] = [];
  return { ctes: [], recursive: false, body, orderBy, limit: null, offset: null, span: null };
}
