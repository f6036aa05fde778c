import type { SessionConfig } from '../../config/session-config.js';
import type { StatisticsTableSpec } from '../../sources/statistics/statistics-table.js';
import type { DocumentNode } from '../document/document-node.js';
import {
  checkObject,
  count,
  documentError,
  entries,
  inPlace,
  optionalField,
  type Place,
  requiredField,
  text,
} from '../document/fields.js';
import { readTree, type TreeNode } from './relational-tree.js';
import { readStatisticsTable } from './statistics-spec.js';

export const QUERY_SPEC_KIND = 'distq.query';

/** A query with all that it needs, as a document. */
export interface QuerySpec {
  readonly settings: readonly SpecSetting[];
  readonly tables: readonly SpecTable[];
  readonly query:
    | { readonly kind: 'sql'; readonly place: Place; readonly sql: string }
    | { readonly kind: 'plan'; readonly tree: TreeNode };
}

export interface SpecSetting {
  readonly name: string;
  readonly value: string;
  /** Where the value stands, for errors about it. */
  readonly place: Place;
}

export type SpecTable =
  | { readonly name: string; readonly kind: 'path'; readonly path: string }
  | {
      readonly name: string;
      readonly kind: 'statistics';
      /** Reads the description: names of types depend on settings. */
      readonly read: (config: SessionConfig) => StatisticsTableSpec;
    };

/** Reads a `distq.query` document. What does not fit is a `parse` error with the path and the place of the value. */
export function readQuerySpec(node: DocumentNode): QuerySpec {
  const root: Place = { node, path: '' };
  checkObject(root, ['$schema', 'kind', 'version', 'tables', 'settings', 'workers', 'sql', 'plan']);
  const kind = requiredField(root, 'kind', `"kind": "${QUERY_SPEC_KIND}"`);
  if (text(kind) !== QUERY_SPEC_KIND) {
    throw documentError(kind, `"${text(kind)}" is no kind of query`, `give "${QUERY_SPEC_KIND}"`);
  }
  const version = optionalField(root, 'version');
  if (version !== undefined && count(version) !== 1) {
    throw documentError(version, 'this version of a query spec is not known', 'the version is 1');
  }
  return { settings: settings(root), tables: tables(root), query: query(root) };
}

function query(root: Place): QuerySpec['query'] {
  const sql = optionalField(root, 'sql');
  const plan = optionalField(root, 'plan');
  if (sql !== undefined && plan !== undefined) {
    throw documentError(plan, 'the document has "sql" and "plan"', 'keep one of them');
  }
  if (sql !== undefined) return { kind: 'sql', place: sql, sql: text(sql) };
  if (plan !== undefined) return { kind: 'plan', tree: readTree(plan) };
  throw documentError(root, 'the document has no query', 'give "sql" or "plan"');
}

function settings(root: Place): SpecSetting[] {
  const found: SpecSetting[] = [];
  const workers = optionalField(root, 'workers');
  if (workers !== undefined) {
    found.push({ name: 'distq.workers', value: String(count(workers, 1)), place: workers });
  }
  const written = optionalField(root, 'settings');
  for (const [name, place] of written === undefined ? [] : entries(written)) {
    found.push({ name, value: settingText(place), place });
  }
  return found;
}

function settingText(place: Place): string {
  const { node } = place;
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.text;
  if (node.kind === 'boolean') return String(node.value);
  throw documentError(place, 'expected a number, true, false or text');
}

function tables(root: Place): SpecTable[] {
  const written = optionalField(root, 'tables');
  if (written === undefined) return [];
  return entries(written).map(([name, place]): SpecTable => {
    checkObject(place, ['path', 'statistics']);
    const path = optionalField(place, 'path');
    const statistics = optionalField(place, 'statistics');
    if ((path === undefined) === (statistics === undefined)) {
      throw documentError(place, 'a table has either "path" or "statistics"', '"path": "./data/orders"');
    }
    if (path !== undefined) return { name, kind: 'path', path: text(path) };
    const described = statistics ?? place;
    return { name, kind: 'statistics', read: (config) => readStatisticsTable(name, described, config) };
  });
}

/** Puts a setting of a document over a configuration; a `config` error gets the place. */
export function withSetting(config: SessionConfig, { name, value, place }: SpecSetting): SessionConfig {
  return inPlace(place, () => config.with(name, value));
}
