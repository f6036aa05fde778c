import { DistqError, notImplemented } from '../../base/errors.js';
import type { Ident, OrderByItem } from './ast.js';
import { tokenSpan } from './lexer.js';
import { parseQuery, parseSortKeys, parseType } from './parse-query.js';
import type { ColumnDefinition, CreateExternalTableStatement, CreateViewStatement } from './statement.js';
import type { TokenCursor } from './token-cursor.js';

/** CREATE EXTERNAL TABLE and CREATE VIEW; everything else that can be created is refused by name. */
export function parseCreate(source: string, cursor: TokenCursor): CreateExternalTableStatement | CreateViewStatement {
  cursor.expect('CREATE');
  const orReplace = cursor.accept('OR', 'REPLACE');
  if (cursor.accept('VIEW')) return parseView(source, cursor, orReplace);
  const unbounded = cursor.accept('UNBOUNDED');
  if (cursor.accept('EXTERNAL')) {
    const token = cursor.peek();
    if (token !== undefined && (cursor.isWord('TEMP') || cursor.isWord('TEMPORARY'))) {
      throw notImplemented('CREATE EXTERNAL TEMPORARY TABLE', { span: tokenSpan(token) });
    }
    cursor.expect('TABLE');
    return parseExternalTable(source, cursor, orReplace, unbounded);
  }
  if (unbounded) throw cursor.unexpected('EXTERNAL');
  const token = cursor.peek();
  if (token?.kind !== 'word') throw cursor.unexpected('EXTERNAL TABLE or VIEW');
  throw notImplemented(`CREATE ${token.value}`, {
    span: tokenSpan(token),
    hint: 'CREATE EXTERNAL TABLE and CREATE VIEW are there',
  });
}

function parseView(source: string, cursor: TokenCursor, orReplace: boolean): CreateViewStatement {
  const exists = cursor.peek();
  if (exists !== undefined && cursor.accept('IF', 'NOT', 'EXISTS')) {
    throw notImplemented('CREATE VIEW IF NOT EXISTS', { span: tokenSpan(exists), hint: 'use CREATE OR REPLACE VIEW' });
  }
  const name = cursor.objectName('the name of the view');
  const columns: Ident[] = cursor.isSymbol('(') ? cursor.parenthesized(() => cursor.ident('a column name')) : [];
  cursor.expect('AS');
  if (cursor.done) throw cursor.unexpected('a query');
  return { kind: 'create_view', name, orReplace, columns, query: parseQuery(source, cursor.rest()) };
}

interface Clauses {
  fileType: string | undefined;
  locations: string[] | undefined;
  partitionedBy: Ident[] | undefined;
  options: [string, string][] | undefined;
  readonly orders: (readonly OrderByItem[])[];
}

function parseExternalTable(
  source: string,
  cursor: TokenCursor,
  orReplace: boolean,
  unbounded: boolean,
): CreateExternalTableStatement {
  const exists = cursor.peek();
  const ifNotExists = cursor.accept('IF', 'NOT', 'EXISTS');
  if (ifNotExists && orReplace && exists !== undefined) {
    throw new DistqError('parse', 'OR REPLACE and IF NOT EXISTS exclude each other', { span: tokenSpan(exists) });
  }
  const name = cursor.objectName('the name of the table');
  const columns = cursor.isSymbol('(') ? cursor.parenthesized(() => columnDefinition(source, cursor)) : [];
  const clauses: Clauses = {
    fileType: undefined,
    locations: undefined,
    partitionedBy: undefined,
    options: undefined,
    orders: [],
  };
  while (!cursor.done) parseClause(source, cursor, clauses);
  const { fileType, locations, partitionedBy = [], options = [], orders } = clauses;
  if (fileType === undefined) throw cursor.unexpected('STORED AS');
  if (locations === undefined || locations.length === 0) throw cursor.unexpected('LOCATION');
  return {
    kind: 'create_external_table',
    name,
    orReplace,
    ifNotExists,
    unbounded,
    columns,
    fileType,
    locations,
    partitionedBy,
    orders,
    options,
  };
}

function parseClause(source: string, cursor: TokenCursor, clauses: Clauses): void {
  const start = cursor.peek();
  const once = (given: unknown, clause: string): void => {
    if (given === undefined || start === undefined) return;
    throw new DistqError('parse', `${clause} is given twice`, { span: tokenSpan(start) });
  };
  if (cursor.accept('STORED', 'AS')) {
    once(clauses.fileType, 'STORED AS');
    clauses.fileType = cursor.ident('a file type').value.toUpperCase();
  } else if (cursor.accept('LOCATION')) {
    once(clauses.locations, 'LOCATION');
    const path = (): string => cursor.string('a path in single quotes');
    clauses.locations = cursor.isSymbol('(') ? cursor.parenthesized(path) : [path()];
  } else if (cursor.accept('PARTITIONED', 'BY')) {
    once(clauses.partitionedBy, 'PARTITIONED BY');
    clauses.partitionedBy = cursor.parenthesized(() => partitionColumn(cursor));
  } else if (cursor.accept('WITH', 'ORDER')) {
    clauses.orders.push(cursor.parenthesized(() => parseSortKeys(source, cursor.takeItem('a sort key'))).flat());
  } else if (cursor.accept('OPTIONS')) {
    once(clauses.options, 'OPTIONS');
    clauses.options = cursor.parenthesized(() => option(cursor));
  } else {
    throw cursor.unexpected('STORED AS, LOCATION, WITH ORDER, PARTITIONED BY, OPTIONS or the end of the statement');
  }
}

function columnDefinition(source: string, cursor: TokenCursor): ColumnDefinition {
  const name = cursor.ident('a column name');
  for (const word of ['PRIMARY', 'FOREIGN', 'UNIQUE', 'CONSTRAINT', 'CHECK']) {
    if (!name.quoted && name.value.toUpperCase() === word && name.span !== null && !isType(cursor)) {
      throw notImplemented(`a table constraint (${word})`, { span: name.span });
    }
  }
  const tokens = [...cursor.takeItem('a type')];
  let nullable = true;
  if (tokens.at(-1)?.value === 'NULL' && tokens.at(-1)?.kind === 'word') {
    tokens.pop();
    if (tokens.at(-1)?.value === 'NOT') {
      tokens.pop();
      nullable = false;
    }
  }
  const refused = tokens.find(
    ({ kind, value }) => kind === 'word' && ['PRIMARY', 'UNIQUE', 'DEFAULT', 'REFERENCES', 'CHECK'].includes(value),
  );
  if (refused !== undefined) throw notImplemented(`${refused.value} on a column`, { span: tokenSpan(refused) });
  if (tokens.length === 0) throw cursor.unexpected('a type');
  return { name, type: parseType(source, tokens), nullable };
}

/** A column may be called `check`: then a type follows, not a parenthesis or KEY. */
function isType(cursor: TokenCursor): boolean {
  return !cursor.isSymbol('(') && !cursor.isWord('KEY') && cursor.peek(1)?.kind !== 'word';
}

function partitionColumn(cursor: TokenCursor): Ident {
  const name = cursor.ident('a column name');
  const token = cursor.peek();
  if (token !== undefined && token.kind !== 'symbol') {
    throw notImplemented('a type in PARTITIONED BY', { span: tokenSpan(token) });
  }
  return name;
}

/** `key value`: a key is a dotted name or a string, a value a word, a string or a number. */
function option(cursor: TokenCursor): [string, string] {
  const token = cursor.peek();
  const key =
    token?.kind === 'string'
      ? cursor.string('the name of an option')
      : cursor
          .objectName('the name of an option')
          .map((part) => part.value)
          .join('.');
  const value = cursor.peek();
  if (value === undefined || value.kind === 'symbol') throw cursor.unexpected('the value of an option');
  cursor.next('the value of an option');
  return [key, value.kind === 'string' || value.kind === 'quoted' ? value.value : value.text];
}
