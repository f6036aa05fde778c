import type { Ident, ObjectName, OrderByItem, Query, SqlType } from './ast.js';
import type { Span } from '../../base/errors.js';

/** One statement of a SQL text. `text` is its source without the semicolon, `span` where it stands. */
export type Statement = (
  | QueryStatement
  | ExplainStatement
  | CreateExternalTableStatement
  | CreateViewStatement
  | DropStatement
  | SetStatement
  | ShowTablesStatement
  | ShowSettingsStatement
  | DescribeStatement
) & { readonly text: string; readonly span: Span };

export interface QueryStatement {
  readonly kind: 'query';
  readonly query: Query;
}

export interface ExplainStatement {
  readonly kind: 'explain';
  readonly analyze: boolean;
  readonly verbose: boolean;
  /** In lower case: `indent`, `tree`, `pgjson`, `graphviz`; null when not given. */
  readonly format: string | null;
  readonly query: Query;
}

export interface CreateExternalTableStatement {
  readonly kind: 'create_external_table';
  readonly name: ObjectName;
  readonly orReplace: boolean;
  readonly ifNotExists: boolean;
  readonly unbounded: boolean;
  /** Empty: the files say. */
  readonly columns: readonly ColumnDefinition[];
  /** In upper case. */
  readonly fileType: string;
  /** Files or folders, as written. */
  readonly locations: readonly string[];
  readonly partitionedBy: readonly Ident[];
  /** WITH ORDER clauses: orders the files are promised to have. */
  readonly orders: readonly (readonly OrderByItem[])[];
  readonly options: readonly (readonly [key: string, value: string])[];
}

export interface ColumnDefinition {
  readonly name: Ident;
  readonly type: SqlType;
  readonly nullable: boolean;
}

/** A view is kept as the statement's `text`; the binder reads that again wherever the view is named. */
export interface CreateViewStatement {
  readonly kind: 'create_view';
  readonly name: ObjectName;
  readonly orReplace: boolean;
  /** Names for the query's columns; empty: its own. */
  readonly columns: readonly Ident[];
  readonly query: Query;
}

export interface DropStatement {
  readonly kind: 'drop';
  readonly object: 'table' | 'view';
  readonly ifExists: boolean;
  readonly name: ObjectName;
}

export interface SetStatement {
  readonly kind: 'set';
  readonly name: string;
  /** Without quotes. */
  readonly value: string;
}

export interface ShowTablesStatement {
  readonly kind: 'show_tables';
}

export interface ShowSettingsStatement {
  readonly kind: 'show_settings';
  /** null: ALL. */
  readonly name: string | null;
  readonly verbose: boolean;
}

export interface DescribeStatement {
  readonly kind: 'describe';
  readonly target: { readonly table: ObjectName } | { readonly query: Query };
}
