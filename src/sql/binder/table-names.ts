import type {
  FunctionCall,
  Ident,
  ObjectName,
  OrderByItem,
  Query,
  Select,
  SetExpr,
  SqlExpr,
  TableFactor,
  TableWithJoins,
  WindowSpec,
} from '../parser/ast.js';
import { type BinderOptions, normalizeIdent, normalizeName } from './options.js';

/** The tables a query reads, by normalised name; names of its own common table expressions are none. */
export function tableNames(query: Query, options: BinderOptions): ReadonlyMap<string, ObjectName> {
  const collector = new Collector(options);
  collector.query(query, new Set());
  return collector.found;
}

/** Whether the query reads a table of that name. */
export function namesTable(query: Query, name: string, options: BinderOptions): boolean {
  return tableNames(query, options).has(name);
}

/** `ctes`: the names that stand for common table expressions where the visited node stands. */
class Collector {
  readonly found: Map<string, ObjectName> = new Map();
  readonly #options: BinderOptions;

  constructor(options: BinderOptions) {
    this.#options = options;
  }

  query(query: Query, outer: ReadonlySet<string>): void {
    const ctes = new Set(outer);
    for (const { alias, query: inner } of query.ctes) {
      this.query(inner, new Set(ctes));
      ctes.add(normalizeIdent(alias.name, this.#options));
    }
    this.#setExpr(query.body, ctes);
    this.#sortKeys(query.orderBy, ctes);
    this.#exprs([query.limit, query.offset], ctes);
  }

  #setExpr(body: SetExpr, ctes: ReadonlySet<string>): void {
    let node = body;
    while (node.kind === 'set_operation') {
      this.#setExpr(node.right, ctes);
      node = node.left;
    }
    switch (node.kind) {
      case 'select':
        this.#select(node, ctes);
        break;
      case 'query':
        this.query(node.query, ctes);
        break;
      case 'values':
        this.#exprs(node.rows.flat(), ctes);
        break;
    }
  }

  #select(select: Select, ctes: ReadonlySet<string>): void {
    for (const table of select.from) this.#table(table, ctes);
    for (const item of select.projection) {
      if (item.kind === 'expr') this.#expr(item.expr, ctes);
      else
        this.#exprs(
          item.options.replace.map(({ expr }) => expr),
          ctes,
        );
    }
    if (typeof select.distinct === 'object') this.#exprs(select.distinct.on, ctes);
    if (select.groupBy !== 'all') this.#exprs(select.groupBy, ctes);
    this.#exprs([select.where, select.having, select.qualify], ctes);
    for (const { spec } of select.windows) this.#window(spec, ctes);
  }

  #table({ relation, joins }: TableWithJoins, ctes: ReadonlySet<string>): void {
    this.#factor(relation, ctes);
    for (const join of joins) {
      this.#factor(join.relation, ctes);
      if (join.constraint.kind === 'on') this.#expr(join.constraint.expr, ctes);
    }
  }

  #factor(factor: TableFactor, ctes: ReadonlySet<string>): void {
    switch (factor.kind) {
      case 'table': {
        const name = normalizeName(factor.name, this.#options);
        if (!ctes.has(name) && !this.found.has(name)) this.found.set(name, factor.name);
        break;
      }
      case 'table_function':
        this.#exprs(factor.args, ctes);
        break;
      case 'derived':
        this.query(factor.query, ctes);
        break;
      case 'nested_join':
        this.#table(factor.table, ctes);
        break;
    }
  }

  #exprs(exprs: readonly (SqlExpr | null)[], ctes: ReadonlySet<string>): void {
    for (const expr of exprs) if (expr !== null) this.#expr(expr, ctes);
  }

  #sortKeys(keys: readonly OrderByItem[], ctes: ReadonlySet<string>): void {
    for (const { expr } of keys) this.#expr(expr, ctes);
  }

  #window(over: WindowSpec | Ident | null, ctes: ReadonlySet<string>): void {
    if (over === null || !('partitionBy' in over)) return;
    this.#exprs(over.partitionBy, ctes);
    this.#sortKeys(over.orderBy, ctes);
  }

  #call(call: FunctionCall, ctes: ReadonlySet<string>): void {
    for (const arg of call.args) if (arg.kind === 'expr') this.#expr(arg.expr, ctes);
    this.#sortKeys(call.orderBy, ctes);
    this.#sortKeys(call.withinGroup, ctes);
    this.#exprs([call.filter], ctes);
    this.#window(call.over, ctes);
  }

  #expr(expr: SqlExpr, ctes: ReadonlySet<string>): void {
    switch (expr.kind) {
      case 'identifier':
      case 'literal':
      case 'typed_string':
        break;
      case 'binary': {
        let node: SqlExpr = expr;
        while (node.kind === 'binary') {
          this.#expr(node.right, ctes);
          node = node.left;
        }
        this.#expr(node, ctes);
        break;
      }
      case 'unary':
      case 'is':
      case 'cast':
      case 'extract':
      case 'nested':
        this.#expr(expr.expr, ctes);
        break;
      case 'interval':
        this.#expr(expr.value, ctes);
        break;
      case 'in_list':
        this.#exprs([expr.expr, ...expr.list], ctes);
        break;
      case 'between':
        this.#exprs([expr.expr, expr.low, expr.high], ctes);
        break;
      case 'like':
        this.#exprs([expr.expr, expr.pattern], ctes);
        break;
      case 'case':
        this.#exprs([expr.operand, expr.otherwise], ctes);
        for (const { when, then } of expr.branches) this.#exprs([when, then], ctes);
        break;
      case 'function':
        this.#call(expr, ctes);
        break;
      case 'exists':
      case 'subquery':
        this.query(expr.query, ctes);
        break;
      case 'in_subquery':
        this.#expr(expr.expr, ctes);
        this.query(expr.query, ctes);
        break;
      case 'quantified':
        this.#expr(expr.left, ctes);
        this.query(expr.query, ctes);
        break;
      case 'grouping_sets':
        this.#exprs(expr.sets.flat(), ctes);
        break;
      case 'tuple':
        this.#exprs(expr.items, ctes);
        break;
    }
  }
}
