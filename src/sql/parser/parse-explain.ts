import { notImplemented } from '../../base/errors.js';
import { tokenSpan } from './lexer.js';
import { parseQuery } from './parse-query.js';
import type { ExplainStatement } from './statement.js';
import type { TokenCursor } from './token-cursor.js';

interface Options {
  analyze: boolean;
  verbose: boolean;
  format: string | null;
}

/** `EXPLAIN [ANALYZE] [VERBOSE] [FORMAT f] query`, or `EXPLAIN (ANALYZE, FORMAT f) query`. */
export function parseExplain(source: string, cursor: TokenCursor): ExplainStatement {
  cursor.expect('EXPLAIN');
  const options: Options = { analyze: false, verbose: false, format: null };
  if (cursor.isSymbol('(') && !startsQuery(cursor, 1)) {
    cursor.parenthesized(() => {
      listedOption(cursor, options);
    });
  } else {
    options.analyze = cursor.accept('ANALYZE');
    options.verbose = cursor.accept('VERBOSE');
    if (cursor.accept('FORMAT')) options.format = formatName(cursor);
  }
  if (!startsQuery(cursor, 0)) {
    const token = cursor.peek();
    if (token?.kind === 'word') throw notImplemented(`EXPLAIN ${token.value}`, { span: tokenSpan(token) });
    throw cursor.unexpected('a query');
  }
  return { kind: 'explain', ...options, query: parseQuery(source, cursor.rest()) };
}

function startsQuery(cursor: TokenCursor, ahead: number): boolean {
  return cursor.isSymbol('(', ahead) || ['SELECT', 'WITH', 'VALUES', 'FROM'].some((word) => cursor.isWord(word, ahead));
}

function listedOption(cursor: TokenCursor, options: Options): void {
  if (cursor.accept('FORMAT')) {
    options.format = formatName(cursor);
    return;
  }
  const name = cursor.accept('ANALYZE') ? 'analyze' : cursor.accept('VERBOSE') ? 'verbose' : undefined;
  if (name === undefined) throw cursor.unexpected('ANALYZE, VERBOSE or FORMAT');
  const isOff = cursor.accept('FALSE') || cursor.accept('OFF');
  options[name] = !isOff;
  if (!isOff && !cursor.accept('TRUE')) cursor.accept('ON');
}

function formatName(cursor: TokenCursor): string {
  const token = cursor.next('the name of a format');
  return token.value.toLowerCase();
}
