import Table from 'cli-table3';
import { type MetricsDocument, type MetricsTable, operatorTable, taskTable } from '../explain/metrics-table.js';
import type { Paint } from './terminal.js';

/** The one JSON document on stderr. Of several queries the rows stand one after the other, each with its query's number from 1. */
export function metricsJson(queries: readonly MetricsDocument[]): string {
  const [only] = queries;
  if (only !== undefined && queries.length === 1) return `${JSON.stringify(only)}\n`;
  const numbered = (rowsOf: (query: MetricsDocument) => readonly object[]): object[] =>
    queries.flatMap((query, index) => rowsOf(query).map((row) => ({ query: index + 1, ...row })));
  const merged = {
    version: 1,
    stages: numbered(({ stages }) => stages),
    operators: numbered(({ operators }) => operators),
  };
  return `${JSON.stringify(merged)}\n`;
}

/** The task table; with `full` the operator table below it. */
export function metricsTable(metrics: MetricsDocument, level: 'summary' | 'full', paint: Paint): string {
  const tables = level === 'full' ? [taskTable(metrics), operatorTable(metrics)] : [taskTable(metrics)];
  return `\n${tables.map((table) => render(table, paint)).join('\n')}`;
}

function render({ columns, rows }: MetricsTable, paint: Paint): string {
  const table = new Table({
    head: columns.map(({ heading }) => paint.bold(heading)),
    colAligns: columns.map(({ align }) => align),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString()}\n`;
}
