import { DistqError, notImplemented, type Span } from '../../base/errors.js';
import { nearestNames } from '../../base/nearest-names.js';
import { type Token, lex, tokenSpan } from './lexer.js';
import { parseCreate } from './parse-create.js';
import { parseExplain } from './parse-explain.js';
import { parseQuery } from './parse-query.js';
import { parseSettings } from './parse-settings.js';
import type { DescribeStatement, DropStatement, Statement } from './statement.js';
import { TokenCursor } from './token-cursor.js';

/**
 * Parses SQL text with any number of statements. All places are places in `text` (a byte order mark does not count). Errors:
 * `parse` for what is no SQL, `not_implemented` for statements and constructs that distq does not have; both with a span.
 */
export function parseStatements(text: string): Statement[] {
  const source = text.replace(/^\uFEFF/, '');
  return split(lex(source)).map((tokens) => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (first === undefined || last === undefined) throw new DistqError('internal', 'a statement without tokens');
    const span: Span = { ...tokenSpan(first), endLine: last.endLine, endColumn: last.endColumn };
    return { ...parseStatement(source, tokens, first), text: source.slice(first.start, last.end), span };
  });
}

/** The tokens between semicolons; empty statements are left out. */
function split(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'symbol' && token.value === ';') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

type Parsed = Statement extends infer S ? (S extends Statement ? Omit<S, 'text' | 'span'> : never) : never;

const QUERY_WORDS = ['SELECT', 'WITH', 'VALUES', 'FROM'] as const;

/** Statements that exist in SQL and not here, by their first word. */
const REFUSED_WORDS = [
  ...['ALTER', 'ANALYZE', 'ATTACH', 'BEGIN', 'CALL', 'COMMENT', 'COMMIT', 'COPY', 'DEALLOCATE', 'DECLARE', 'DELETE'],
  ...['DETACH', 'EXECUTE', 'GRANT', 'INSERT', 'KILL', 'LOAD', 'LOCK', 'MERGE', 'OPTIMIZE', 'PIVOT', 'PRAGMA'],
  ...['PREPARE', 'RELEASE', 'REPLACE', 'RESET', 'REVOKE', 'ROLLBACK', 'SAVEPOINT', 'START', 'TABLE', 'TRUNCATE'],
  ...['UNLOAD', 'UPDATE', 'USE', 'VACUUM'],
] as const;

const OWN_WORDS = ['CREATE', 'DROP', 'SET', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN'] as const;

function parseStatement(source: string, tokens: readonly Token[], first: Token): Parsed {
  const word = first.kind === 'word' ? first.value : first.text;
  const cursor = new TokenCursor(tokens);
  switch (word) {
    case 'CREATE':
      return parseCreate(source, cursor);
    case 'DROP':
      return parseDrop(cursor);
    case 'SET':
    case 'SHOW':
      return parseSettings(cursor);
    case 'DESCRIBE':
    case 'DESC':
      return parseDescribe(source, cursor);
    case 'EXPLAIN':
      return parseExplain(source, cursor);
    default:
      break;
  }
  if (word === '(' || QUERY_WORDS.some((known) => known === word)) {
    return { kind: 'query', query: parseQuery(source, tokens) };
  }
  if (REFUSED_WORDS.some((known) => known === word)) throw notImplemented(word, { span: tokenSpan(first) });
  const error = cursor.unexpected('a statement');
  const [near] = first.kind === 'word' ? nearestNames(word, [...QUERY_WORDS, ...OWN_WORDS], 1) : [];
  throw near === undefined ? error : error.with({ hint: `did you mean ${near}?` });
}

function parseDrop(cursor: TokenCursor): DropStatement {
  cursor.expect('DROP');
  const object = cursor.accept('TABLE') ? 'table' : cursor.accept('VIEW') ? 'view' : undefined;
  if (object === undefined) {
    const token = cursor.next('TABLE or VIEW');
    throw notImplemented(`DROP ${token.value}`, { span: tokenSpan(token) });
  }
  const ifExists = cursor.accept('IF', 'EXISTS');
  const name = cursor.objectName(`the name of a ${object}`);
  cursor.expectEnd();
  return { kind: 'drop', object, ifExists, name };
}

function parseDescribe(source: string, cursor: TokenCursor): DescribeStatement {
  cursor.next('DESCRIBE');
  cursor.accept('TABLE');
  if (cursor.isSymbol('(') || QUERY_WORDS.some((word) => cursor.isWord(word))) {
    return { kind: 'describe', target: { query: parseQuery(source, cursor.rest()) } };
  }
  const token = cursor.peek();
  if (token?.kind === 'string') {
    cursor.next('a path');
    cursor.expectEnd();
    return {
      kind: 'describe',
      target: { table: [{ value: token.value, quoted: true, span: tokenSpan(token) }] },
    };
  }
  const table = cursor.objectName('the name of a table');
  cursor.expectEnd();
  return { kind: 'describe', target: { table } };
}
