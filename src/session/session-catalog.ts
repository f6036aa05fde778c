import { basename, dirname, resolve } from 'node:path';
import type { Catalog, TableFunction, TableProvider } from '../catalog/data-source.js';
import { DistqError } from '../base/errors.js';
import { type DataRoot, listTables, type TableLocation } from './data-roots.js';

/**
 * Opens the files behind a path as a table; `sources/` knows how. `known` is what an earlier call gave for the path: given back when
 * no file has changed since.
 */
export type TableOpener = (path: string, known: TableProvider | undefined) => Promise<TableProvider>;

type Entry =
  | { readonly kind: 'location'; readonly location: TableLocation }
  | { readonly kind: 'table'; readonly provider: TableProvider; readonly isView: boolean };

/** What SHOW TABLES lists. */
export interface TableListing {
  readonly name: string;
  readonly type: 'BASE TABLE' | 'VIEW';
}

/**
 * The tables of a session: what `--data` roots hold (listed once, opened when a statement names them), what statements registered,
 * and views. Names keep their case; `catalog.schema.` prefixes of the default catalog are accepted.
 */
export class SessionCatalog implements Catalog {
  readonly #open: TableOpener;
  readonly #cwd: string;
  readonly tableFunctions: ReadonlyMap<string, TableFunction>;
  readonly #entries = new Map<string, Entry>();
  /** By path, as they were when a statement last named them. */
  readonly #opened = new Map<string, TableProvider>();

  private constructor(open: TableOpener, cwd: string, tableFunctions: ReadonlyMap<string, TableFunction>) {
    this.#open = open;
    this.tableFunctions = tableFunctions;
    this.#cwd = cwd;
  }

  static async create({
    roots,
    open,
    cwd,
    tableFunctions = new Map(),
  }: {
    readonly roots: readonly DataRoot[];
    readonly open: TableOpener;
    readonly cwd: string;
    readonly tableFunctions?: ReadonlyMap<string, TableFunction>;
  }): Promise<SessionCatalog> {
    const catalog = new SessionCatalog(open, cwd, tableFunctions);
    for (const root of roots) {
      for (const location of await listTables(root)) {
        const existing = catalog.#entries.get(location.name);
        if (existing?.kind === 'location' && existing.location.path !== location.path) {
          throw new DistqError(
            'config',
            `two --data roots hold a table "${location.name}": ${existing.location.path} and ${location.path}`,
            { hint: 'give one of them another name with --data name=path' },
          );
        }
        catalog.#entries.set(location.name, { kind: 'location', location });
      }
    }
    return catalog;
  }

  async table(name: string): Promise<TableProvider | undefined> {
    const key = localName(name);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.kind === 'table') return entry.provider;
    return await this.#openFresh(entry.location.path);
  }

  async tableFromPath(path: string): Promise<TableProvider> {
    return await this.#openFresh(resolve(this.#cwd, path));
  }

  tableNames(): string[] {
    return [...this.#entries.keys()];
  }

  /** For SHOW TABLES, by name. */
  listings(): TableListing[] {
    return [...this.#entries]
      .map(
        ([name, entry]): TableListing => ({
          name,
          type: entry.kind === 'table' && entry.isView ? 'VIEW' : 'BASE TABLE',
        }),
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  has(name: string): boolean {
    return this.#entries.has(localName(name));
  }

  /**
   * Stored tables that may hold a file: those whose location is the file, its folder or a pattern; with `byName`, those called as its
   * folder is.
   */
  tablesBeside(path: string, byName: boolean): string[] {
    const folder = basename(dirname(path));
    return [...this.#entries].flatMap(([name, entry]) => {
      if (entry.kind !== 'location') return [];
      const { path: location } = entry.location;
      if (byName) return name === folder ? [name] : [];
      return location === path || location === dirname(path) || /[*?[{]/.test(location) ? [name] : [];
    });
  }

  isView(name: string): boolean {
    const entry = this.#entries.get(localName(name));
    return entry?.kind === 'table' && entry.isView;
  }

  /** Registers files under a name and opens them at once, so that a bad path fails where it is named. */
  async register(name: string, path: string): Promise<void> {
    const location = { name: localName(name), path: resolve(this.#cwd, path) };
    await this.#openFresh(location.path);
    this.#entries.set(location.name, { kind: 'location', location });
  }

  /** Names files without opening them: that happens when a statement names the table. */
  define(name: string, path: string): void {
    this.#entries.set(localName(name), { kind: 'location', location: { name: localName(name), path } });
  }

  /** A view, or a table that is not stored. */
  registerTable(name: string, provider: TableProvider): void {
    this.#entries.set(localName(name), { kind: 'table', provider, isView: provider.viewSql !== null });
  }

  remove(name: string): void {
    this.#entries.delete(localName(name));
  }

  /** The table as its files are now; footers are read again only where something changed. */
  async #openFresh(path: string): Promise<TableProvider> {
    const provider = await this.#open(path, this.#opened.get(path));
    this.#opened.set(path, provider);
    return provider;
  }
}

/** `datafusion.public.t` and `public.t` are `t`; any other qualified name is taken as it is. */
function localName(name: string): string {
  return name.replace(/^(?:datafusion\.)?public\./, '');
}
