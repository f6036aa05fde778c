import type { Statement } from '../../sql/parser/statement.js';
import { DataFrame } from '../data-frame.js';
import type { SessionContext } from '../session-context.js';
import { createExternalTable } from './create-external-table.js';
import { createView } from './create-view.js';
import { describe } from './describe.js';
import { drop } from './drop.js';
import { explainStatement } from './explain.js';
import { planQuery, rowsQuery } from '../plan-query.js';
import { setSetting } from './set.js';
import { showSettings, showTables } from './show.js';

/** Carries one statement out. Definitions and SET give null, everything else a frame. */
export async function runStatement(statement: Statement, session: SessionContext): Promise<DataFrame | null> {
  switch (statement.kind) {
    case 'query':
      return new DataFrame({ ...(await planQuery(statement.query, session)), sql: statement.text }, session);
    case 'explain':
      return new DataFrame(rowsQuery(await explainStatement(statement, session)), session);
    case 'describe':
      return new DataFrame(rowsQuery(await describe(statement, session)), session);
    case 'show_tables':
      return new DataFrame(rowsQuery(showTables(session)), session);
    case 'show_settings':
      return new DataFrame(rowsQuery(showSettings(statement, session)), session);
    case 'set':
      setSetting(statement, session);
      return null;
    case 'create_external_table':
      await createExternalTable(statement, session);
      return null;
    case 'create_view':
      await createView(statement, session);
      return null;
    case 'drop':
      drop(statement, session);
      return null;
  }
}
