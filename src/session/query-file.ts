import { resolve } from 'node:path';
import { DistqError } from '../base/errors.js';
import { settingName } from '../config/session-config.js';
import type { DocumentNode } from '../planfile/document/document-node.js';
import { fieldOf, textOf } from '../planfile/document/document-node.js';
import { readJson } from '../planfile/document/json-reader.js';
import { placed } from '../planfile/document/fields.js';
import { QUERY_SPEC_KIND, type QuerySpec, readQuerySpec, withSetting } from '../planfile/query-spec/query-spec.js';
import { PLAN_KIND } from '../planfile/plan-document/stored-plan.js';
import { bindTree, treeQueries } from '../planfile/query-spec/relational-tree.js';
import { StatisticsTable } from '../sources/statistics/statistics-table.js';
import { FragmentBinder } from '../sql/binder/bind-query.js';
import { DataFrame } from './data-frame.js';
import { runPlanDocument } from './plan-document.js';
import { planTextFrame } from './plan-text.js';
import { planBound } from './plan-query.js';
import type { SessionContext } from './session-context.js';

/** The text of a query and how it is to be read. */
export interface QueryText {
  readonly text: string;
  readonly form: 'sql' | 'json' | 'yaml' | 'plan';
  /** Whether a stored plan is planned anew. */
  readonly replan?: boolean;
  /** What paths in a document are relative to. */
  readonly directory: string;
}

/** The frames of a query file; SQL may answer several times. */
export async function* runQueryFile(
  { text, form, directory, replan = false }: QueryText,
  session: SessionContext,
): AsyncGenerator<DataFrame, void, undefined> {
  if (form === 'sql') {
    if (replan) throw noReplan();
    yield* session.queries(text);
    return;
  }
  if (form === 'plan') {
    if (replan) throw noReplan();
    yield await planTextFrame(text, directory, session);
    return;
  }
  yield* runDocument(form === 'json' ? readJson(text) : await readYamlLazily(text), { directory, replan }, session);
}

function noReplan(): DistqError {
  return new DistqError('config', '--replan is for plans that explain --format json wrote', { hint: 'leave it out' });
}

/** The YAML package is loaded for those who use it. */
async function readYamlLazily(text: string): Promise<DocumentNode> {
  const { readYaml } = await import('../planfile/document/yaml-reader.js');
  return readYaml(text);
}

async function* runDocument(
  document: DocumentNode,
  { directory, replan }: Required<Pick<QueryText, 'directory' | 'replan'>>,
  session: SessionContext,
): AsyncGenerator<DataFrame, void, undefined> {
  const kind = textOf(fieldOf(document, 'kind'));
  if (kind === PLAN_KIND) {
    yield* runPlanDocument(document, replan, session);
    return;
  }
  if (replan) throw noReplan();
  if (kind !== QUERY_SPEC_KIND) {
    const field = fieldOf(document, 'kind');
    throw new DistqError(
      'parse',
      kind === undefined ? 'the document does not say what it is' : `"${kind}" is no kind of document that distq reads`,
      { span: (field ?? document).span, hint: `give the field "kind": "${QUERY_SPEC_KIND}"` },
    );
  }
  yield* runSpec(readQuerySpec(document), directory, session);
}

async function* runSpec(
  { settings, tables, query }: QuerySpec,
  directory: string,
  session: SessionContext,
): AsyncGenerator<DataFrame, void, undefined> {
  // What was given on the command line wins over the file.
  const given = session.config;
  for (const setting of settings) {
    const changed = withSetting(session.config, setting);
    if (!given.isSet(settingName(setting.name))) session.config = changed;
  }
  const { catalog, config, registries } = session;
  for (const table of tables) {
    if (catalog.has(table.name)) continue;
    if (table.kind === 'path') catalog.define(table.name, resolve(directory, table.path));
    else catalog.registerTable(table.name, new StatisticsTable(table.read(config), config));
  }
  if (query.kind === 'plan') {
    const context = { catalog, functions: registries.functions, config };
    const binder = await FragmentBinder.open(treeQueries(query.tree), context);
    yield new DataFrame(planBound(bindTree(query.tree, binder), session), session);
    return;
  }
  const frames = session.queries(query.sql);
  for (;;) {
    const next = await frames.next().catch((error: unknown) => {
      throw placed(query.place, error);
    });
    if (next.done === true) return;
    yield next.value;
  }
}
