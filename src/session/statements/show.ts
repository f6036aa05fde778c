import { SETTINGS, type SettingSpec } from '../../config/settings.js';
import { settingName } from '../../config/session-config.js';
import type { ExecutionPlan } from '../../physical/execution-plan.js';
import type { ShowSettingsStatement } from '../../sql/parser/statement.js';
import { textRows } from '../rows-frame.js';
import type { SessionContext } from '../session-context.js';

/** SHOW TABLES, with the columns that DataFusion's information schema has. */
export function showTables(session: SessionContext): ExecutionPlan {
  const columns = ['table_catalog', 'table_schema', 'table_name', 'table_type'].map((name) => ({ name }));
  const rows = session.catalog.listings().map(({ name, type }) => ['datafusion', 'public', name, type]);
  return textRows(columns, rows);
}

/** SHOW ALL lists the public settings; SHOW name shows any. */
export function showSettings(statement: ShowSettingsStatement, session: SessionContext): ExecutionPlan {
  const columns = [{ name: 'name' }, { name: 'value' }, ...(statement.verbose ? [{ name: 'description' }] : [])];
  const wanted = statement.name === null ? null : settingName(statement.name);
  const rows = Object.entries<SettingSpec>(SETTINGS)
    .filter(([name, spec]) => (wanted === null ? spec.hidden !== true : name === wanted))
    .map(([name, spec]) => {
      const value = String(session.config.get(settingName(name)));
      return statement.verbose ? [name, value, spec.doc] : [name, value];
    });
  return textRows(columns, rows);
}
