import { DistqError } from '../base/errors.js';
import { CancelScope } from '../base/cancel-scope.js';
import { SessionConfig } from '../config/session-config.js';
import { ParquetTable } from '../sources/parquet/parquet-table.js';
import { parseStatements } from '../sql/parser/parse-statements.js';
import { DataFrame } from './data-frame.js';
import { parseDataRoot } from './data-roots.js';
import { loadPlugins, type PluginReference } from './plugins/load-plugins.js';
import { type QueryText, runQueryFile } from './query-file.js';
import { createRegistries, type Registries } from './registries.js';
import { SessionCatalog } from './session-catalog.js';
import { runStatement } from './statements/index.js';
import { Runner } from './runner.js';

export interface SessionOptions {
  /** Directories of tables, or `name=path` for one table; relative to `cwd`. */
  readonly data?: readonly string[];
  /** Settings as text pairs, as in `SET`; later ones win. */
  readonly settings?: Iterable<readonly [string, string]>;
  /** For relative paths; default: the process's working directory. */
  readonly cwd?: string;
  /**
   * Plug-ins, in order: paths or file URLs of modules, which worker processes load too, or functions, which suffice for handlers of
   * planning and for sessions that stay in one process.
   */
  readonly plugins?: readonly PluginReference[];
}

/**
 * One user's tables and settings, and the processes that run their queries. `close()` ends the processes; a session that is not
 * closed keeps the event loop alive only while a query runs.
 */
export class SessionContext {
  readonly catalog: SessionCatalog;
  readonly registries: Registries;
  /** Whether tables were given with the session. */
  readonly hasData: boolean;
  /** Everything the session runs hangs below. */
  readonly scope: CancelScope = new CancelScope();
  readonly #runner: Runner;
  #config: SessionConfig;

  private constructor(config: SessionConfig, catalog: SessionCatalog, registries: Registries, hasData: boolean) {
    this.#config = config;
    this.catalog = catalog;
    this.hasData = hasData;
    this.registries = registries;
    this.#runner = new Runner(registries);
  }

  /** Loads plug-ins, lists the data roots (names only) and checks the settings: `config` and `data_source` errors come from here. */
  static async create(options: SessionOptions = {}): Promise<SessionContext> {
    const config = SessionConfig.fromEntries(options.settings ?? []);
    const cwd = options.cwd ?? process.cwd();
    const plugins = await loadPlugins(options.plugins ?? [], cwd);
    const roots = await Promise.all((options.data ?? []).map((text) => parseDataRoot(text, cwd)));
    const created: { session?: SessionContext } = {};
    const catalog = await SessionCatalog.create({
      roots,
      cwd,
      tableFunctions: plugins.tableFunctions,
      // The settings of the moment a table is first named hold for it, as long as its files stay what they are.
      open: (path, known) =>
        ParquetTable.open(path, created.session?.config ?? config, known instanceof ParquetTable ? known : undefined),
    });
    for (const [name, table] of plugins.tables) {
      if (catalog.has(name)) {
        throw new DistqError('config', `a plug-in and --data both have a table "${name}"`, {
          hint: 'give the data another name with --data name=path',
        });
      }
      catalog.registerTable(name, table);
    }
    created.session = new SessionContext(config, catalog, createRegistries(plugins), roots.length > 0);
    return created.session;
  }

  get config(): SessionConfig {
    return this.#config;
  }

  set config(config: SessionConfig) {
    this.#config = config;
  }

  get runner(): Runner {
    return this.#runner;
  }

  /** Registers a Parquet file, directory or pattern as a table; opens it at once. */
  async registerParquet(name: string, path: string): Promise<void> {
    await this.catalog.register(name, path);
  }

  /** Runs the statements in order and gives the frame of the last one, which must answer rows; a frame runs when it is asked for rows. */
  async sql(text: string): Promise<DataFrame> {
    let last: DataFrame | undefined;
    for await (const frame of this.queries(text)) last = frame;
    if (last === undefined) throw new DistqError('plan', 'the text holds no query', { hint: 'end it with a SELECT' });
    return last;
  }

  /**
   * The frames of the statements that answer rows, in order; definitions and settings between them take effect when they are reached,
   * so a frame should be used before the next one is asked for.
   */
  async *queries(text: string): AsyncGenerator<DataFrame, void, undefined> {
    for (const statement of parseStatements(text)) {
      this.scope.throwIfCancelled();
      const frame = await this.scope.wait(runStatement(statement, this));
      if (frame !== null) yield frame;
    }
  }

  /** The frames of a query file in any form: SQL, a query spec, a plan. */
  async *queriesOf(source: QueryText): AsyncGenerator<DataFrame, void, undefined> {
    yield* runQueryFile(source, this);
  }

  /** Stops what runs; the error is what its readers see. */
  cancel(reason: DistqError): void {
    this.scope.cancel(reason);
  }

  /** Kills the worker processes without asking: for a second interrupt. */
  kill(): void {
    this.#runner.kill();
  }

  async close(): Promise<void> {
    this.scope.cancel(new DistqError('cancelled', 'the session was closed'));
    await this.#runner.close();
  }
}
