import { notImplemented } from '../../base/errors.js';
import { tokenSpan } from './lexer.js';
import type { SetStatement, ShowSettingsStatement, ShowTablesStatement } from './statement.js';
import type { TokenCursor } from './token-cursor.js';

/** `SET name = value`, `SHOW TABLES`, `SHOW ALL [VERBOSE]`, `SHOW name [VERBOSE]`. */
export function parseSettings(cursor: TokenCursor): SetStatement | ShowTablesStatement | ShowSettingsStatement {
  if (cursor.accept('SET')) return parseSet(cursor);
  cursor.expect('SHOW');
  if (cursor.accept('TABLES')) {
    cursor.expectEnd();
    return { kind: 'show_tables' };
  }
  for (const object of ['COLUMNS', 'FUNCTIONS', 'CREATE', 'DATABASES', 'SCHEMAS', 'VIEWS']) {
    const token = cursor.peek();
    if (token !== undefined && cursor.isWord(object)) {
      throw notImplemented(`SHOW ${object}`, {
        span: tokenSpan(token),
        ...(object === 'COLUMNS' ? { hint: 'DESCRIBE shows the columns of a table' } : {}),
      });
    }
  }
  const isAll = cursor.isWord('ALL') && !cursor.isSymbol('.', 1);
  if (isAll) cursor.accept('ALL');
  const name = isAll ? null : settingName(cursor);
  const verbose = cursor.accept('VERBOSE');
  cursor.expectEnd();
  return { kind: 'show_settings', name, verbose };
}

function parseSet(cursor: TokenCursor): SetStatement {
  const name = settingName(cursor);
  if (!cursor.acceptSymbol('=') && !cursor.accept('TO')) throw cursor.unexpected('"=" or TO');
  const sign = cursor.acceptSymbol('-') ? '-' : cursor.acceptSymbol('+') ? '+' : '';
  const token = cursor.peek();
  if (token === undefined || token.kind === 'symbol') throw cursor.unexpected('a value');
  cursor.next('a value');
  cursor.expectEnd();
  const isQuoted = token.kind === 'string' || token.kind === 'quoted';
  return { kind: 'set', name, value: sign + (isQuoted ? token.value : token.text) };
}

/** A dotted name; any word may be a part of it. */
function settingName(cursor: TokenCursor): string {
  if (cursor.accept('TIME', 'ZONE')) return 'execution.time_zone';
  return cursor
    .objectName('the name of a setting')
    .map((part) => (part.quoted ? part.value : part.value.toLowerCase()))
    .join('.');
}
