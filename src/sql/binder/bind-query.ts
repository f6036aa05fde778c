import { DistqError } from '../../base/errors.js';
import type { Catalog, TableProvider } from '../../catalog/data-source.js';
import type { ScalarValue } from '../../columnar/scalar-value.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { Expr } from '../../expr/expr.js';
import type { FunctionRegistry } from '../../expr/function.js';
import type { DFSchema } from '../../logical/df-schema.js';
import type { LogicalPlan } from '../../logical/plan.js';
import { typeCoercion } from '../../logical/rules/type-coercion.js';
import type { ObjectName, Query, SqlExpr } from '../parser/ast.js';
import { parseStatements } from '../parser/parse-statements.js';
import { type Binding, type BoundTable, EMPTY_SCOPE, planError, type Scope } from './binding.js';
import { bindExpr } from './expr.js';
import { type BinderOptions, binderOptions } from './options.js';
import { bindQuery as bindPlan } from './query.js';
import { tableNames } from './table-names.js';

/** What a session gives the binder. */
export interface BinderContext {
  readonly catalog: Catalog;
  readonly functions: FunctionRegistry;
  readonly config: SessionConfig;
}

/**
 * The unoptimized logical plan of a query, as DataFusion's SqlToRel makes it. Opens the tables that the query names (and no others)
 * first. Errors: `plan` for names and shapes that do not fit, `not_implemented` for constructs distq does not have, both with the
 * place in the query's text; whatever opening a table throws, with the place of its name.
 */
export async function bindQuery(query: Query, context: BinderContext): Promise<LogicalPlan> {
  const options = binderOptions(context.config);
  const tables = new Map<string, BoundTable>();
  await openTables(query, context.catalog, options, tables, []);
  return new SqlBinding(context, options, tables).query(query, EMPTY_SCOPE);
}

/** Binds queries that may read plans as well as tables: what the nodes of a relational tree are made with. */
export class FragmentBinder {
  readonly #binding: SqlBinding;

  private constructor(binding: SqlBinding) {
    this.#binding = binding;
  }

  /** Opens the tables that the queries name; names of plans given to `bind` later are left alone. */
  static async open(queries: readonly Query[], context: BinderContext): Promise<FragmentBinder> {
    const options = binderOptions(context.config);
    const tables = new Map<string, BoundTable>();
    for (const query of queries) await openTables(query, context.catalog, options, tables, []);
    return new FragmentBinder(new SqlBinding(context, options, tables));
  }

  /** The plan of a query over tables and `inputs`, whose columns keep their qualifiers. */
  bind(query: Query, inputs: ReadonlyMap<string, LogicalPlan>): LogicalPlan {
    return this.#binding.query(query, { ...EMPTY_SCOPE, ctes: inputs });
  }
}

/** Opens the tables of a query and, for views, those of the view's query. `views`: the views whose text led here. */
async function openTables(
  query: Query,
  catalog: Catalog,
  options: BinderOptions,
  tables: Map<string, BoundTable>,
  views: readonly string[],
): Promise<void> {
  for (const [name, written] of tableNames(query, options)) {
    if (views.includes(name)) {
      throw planError(`the view "${name}" refers to itself`, written[0]?.span ?? null, 'drop it, or define it anew');
    }
    if (tables.has(name)) continue;
    const provider = await openTable(catalog, name, written);
    // What is not there may still be a common table expression of an enclosing query; naming it is checked when it is bound.
    if (provider === undefined) continue;
    const view = provider.viewSql === null ? null : viewDefinition(name, provider.viewSql);
    tables.set(name, { provider, view });
    if (view !== null) await openTables(view.query, catalog, options, tables, [...views, name]);
  }
}

async function openTable(catalog: Catalog, name: string, written: ObjectName): Promise<TableProvider | undefined> {
  try {
    const known = await catalog.table(name);
    if (known !== undefined || !isPath(written)) return known;
    return await catalog.tableFromPath(name);
  } catch (error) {
    const place = written[0]?.span ?? null;
    if (error instanceof DistqError && error.span === undefined && place !== null) throw error.with({ span: place });
    throw error;
  }
}

/** A quoted name that looks like a path is one, unless a table is called so. */
function isPath(name: ObjectName): boolean {
  const [only] = name;
  return only !== undefined && name.length === 1 && only.quoted && /[/\\.*?]/.test(only.value);
}

/** A view's SQL is the statement that made it, or just its query. */
function viewDefinition(name: string, sql: string): NonNullable<BoundTable['view']> {
  const [statement] = inView(name, () => parseStatements(sql));
  if (statement?.kind === 'create_view') return { query: statement.query, columns: statement.columns };
  if (statement?.kind === 'query') return { query: statement.query, columns: [] };
  throw new DistqError('internal', `the text of the view "${name}" is no query`);
}

/** Places in a view's text mean nothing in the query's, so errors name the view instead. */
function inView<T>(name: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof DistqError)) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new DistqError(error.kind, `in the view "${name}": ${error.message}`, { ...hint, cause: error });
  }
}

class SqlBinding implements Binding {
  readonly options: BinderOptions;
  readonly functions: FunctionRegistry;
  readonly #catalog: Catalog;
  readonly #tables: ReadonlyMap<string, BoundTable>;

  constructor(context: BinderContext, options: BinderOptions, tables: ReadonlyMap<string, BoundTable>) {
    this.options = options;
    this.functions = context.functions;
    this.#catalog = context.catalog;
    this.#tables = tables;
  }

  table(name: string): BoundTable | undefined {
    return this.#tables.get(name);
  }

  tableFunction(name: string, args: readonly ScalarValue[]): TableProvider | undefined {
    return this.#catalog.tableFunctions?.get(name)?.(args);
  }

  tableFunctionNames(): readonly string[] {
    return [...(this.#catalog.tableFunctions?.keys() ?? [])];
  }

  tableNames(): readonly string[] {
    return this.#catalog.tableNames();
  }

  query(query: Query, scope: Scope): LogicalPlan {
    return bindPlan(this, query, scope);
  }

  viewQuery(name: string, query: Query): LogicalPlan {
    // As in DataFusion, whose views are coerced when they are made; it shows in the plan before any rule only.
    return inView(name, () => typeCoercion.analyze(bindPlan(this, query, EMPTY_SCOPE)));
  }

  expr(expr: SqlExpr, schema: DFSchema, scope: Scope): Expr {
    return bindExpr(this, expr, schema, scope);
  }
}
