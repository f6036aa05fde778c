import { DistqError } from '../../base/errors.js';
import type { OrderByItem, Query, SelectItem, SqlType } from './ast.js';
import { decodeExpr } from './decode/expr.js';
import { decodeQuery } from './decode/query.js';
import { list, Reader, variant } from './decode/reader.js';
import { type Token, tokenSpan } from './lexer.js';
import { parseRaw } from './sql-parser.js';
import { endSpan, unexpectedToken } from './token-cursor.js';

/** Parses a query given by its tokens in `source`. Places in the tree and in errors are places in `source`. */
export function parseQuery(source: string, tokens: readonly Token[]): Query {
  return parseWrapped(source, tokens, '', '');
}

/** Parses a type name, by way of a query around it. */
export function parseType(source: string, tokens: readonly Token[]): SqlType {
  const query = parseWrapped(source, tokens, 'SELECT CAST(NULL AS ', ')');
  const [item] = query.body.kind === 'select' ? query.body.projection : [];
  if (item?.kind !== 'expr' || item.expr.kind !== 'cast' || item.alias !== null) {
    throw unexpectedToken('a type', tokens[0], tokens.at(-1));
  }
  return item.expr.type;
}

/** Parses a list of sort keys. */
export function parseSortKeys(source: string, tokens: readonly Token[]): readonly OrderByItem[] {
  const { orderBy, limit, offset } = parseWrapped(source, tokens, 'SELECT 1 ORDER BY ', '');
  if (limit !== null || offset !== null) throw clauseBehind('sort keys', tokens);
  return orderBy;
}

/** Parses a select list: expressions, with names or without, and wildcards. */
export function parseSelectItems(source: string, tokens: readonly Token[]): readonly SelectItem[] {
  const { body, ctes, orderBy, limit, offset } = parseWrapped(source, tokens, 'SELECT ', '');
  const isPlain =
    body.kind === 'select' &&
    body.distinct === 'all' &&
    body.from.length === 0 &&
    body.where === null &&
    body.groupBy.length === 0 &&
    body.having === null &&
    body.windows.length === 0 &&
    body.qualify === null;
  if (!isPlain || ctes.length > 0 || orderBy.length > 0 || limit !== null || offset !== null) {
    throw clauseBehind('expressions', tokens);
  }
  return body.projection;
}

function clauseBehind(what: string, tokens: readonly Token[]): DistqError {
  const [first] = tokens;
  return new DistqError('parse', `expected ${what} and nothing else, found a clause behind them`, {
    hint: 'take the clause out',
    ...(first === undefined ? {} : { span: tokenSpan(first) }),
  });
}

function parseWrapped(source: string, tokens: readonly Token[], before: string, after: string): Query {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) throw unexpectedToken('a query', undefined, undefined);
  const origin = { line: first.line, column: first.column - before.length };
  try {
    const { tree, failure } = parseRaw(before + source.slice(first.start, last.end) + after, tokens);
    if (failure !== null) throw parseError(failure, tokens, origin);
    const [statement] = list(tree, 'statements');
    const { tag, body } = variant(statement, 'a statement');
    if (tag !== 'Query') throw unexpectedToken('a query', first, last);
    return decodeQuery(new Reader(origin, { expr: decodeExpr, query: decodeQuery }), body);
  } catch (error) {
    // What is refused where the parser keeps no place at all still has the statement's.
    if (error instanceof DistqError && error.span === undefined) throw error.with({ span: tokenSpan(first) });
    throw error;
  }
}

/** The parser's `Expected: X, found: Y at Line: L, Column: C` in our words and with the place of the token. */
function parseError(
  message: string,
  tokens: readonly Token[],
  origin: { readonly line: number; readonly column: number },
): DistqError {
  const [, text = message, line, column] = /^(.*?)(?: at Line: (\d+), Column: (\d+))?$/s.exec(
    message.replace(/^sql parser error: /, ''),
  ) ?? [message];
  const place =
    line === undefined || column === undefined
      ? undefined
      : {
          line: Number(line) + origin.line - 1,
          column: Number(column) + (line === '1' ? origin.column - 1 : 0),
        };
  const last = tokens.at(-1);
  const found = place === undefined ? undefined : tokenAt(tokens, place.line, place.column);

  const expected = /^Expected: (.*), found: /s.exec(text)?.[1];
  if (expected !== undefined) return unexpectedToken(expected, found, last);
  if (text.startsWith('recursion limit exceeded')) {
    return new DistqError('parse', 'the query is nested too deeply', {
      hint: 'at most about 50 levels of parentheses and subqueries are read',
      ...(tokens[0] === undefined ? {} : { span: tokenSpan(tokens[0]) }),
    });
  }
  if (text.startsWith('No infix parser') && found !== undefined) {
    return new DistqError('parse', `unexpected "${found.text}"`, { span: tokenSpan(found) });
  }
  const span = found === undefined ? (place ?? endSpan(last)) : tokenSpan(found);
  return new DistqError('parse', text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, ''), { span });
}

/** The token that covers a place; the parser's word boundaries are not always the lexer's. */
function tokenAt(tokens: readonly Token[], line: number, column: number): Token | undefined {
  return tokens.find(
    (token) =>
      (token.line < line || (token.line === line && token.column <= column)) &&
      (line < token.endLine || (line === token.endLine && column < token.endColumn)),
  );
}
