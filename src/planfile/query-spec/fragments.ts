import type { OrderByItem, SelectItem, SqlExpr } from '../../sql/parser/ast.js';
import { lex, type Token } from '../../sql/parser/lexer.js';
import { parseSelectItems, parseSortKeys } from '../../sql/parser/parse-query.js';
import { placeInside } from '../document/document-node.js';
import { documentError, inFile, inPlace, type Place, text } from '../document/fields.js';

/** Reads the SQL in the values of a document. Places in the trees are places in the file. */

export function expression(place: Place): SqlExpr {
  const [item, ...more] = selectItems(place);
  if (item?.kind !== 'expr' || item.alias !== null || more.length > 0) {
    throw documentError(place, 'expected one expression without a name');
  }
  return item.expr;
}

/** An expression, `expression AS name`, or a wildcard. */
export function selectItem(place: Place): SelectItem {
  const [item, ...more] = selectItems(place);
  if (item === undefined || more.length > 0) {
    throw documentError(place, 'expected one expression', 'write each expression as an item of its own');
  }
  return item;
}

export function sortKey(place: Place): OrderByItem {
  const [key, ...more] = parsed(place, parseSortKeys);
  if (key === undefined || more.length > 0) {
    throw documentError(place, 'expected one sort key', 'write each key as an item of its own, such as "o_total desc"');
  }
  return key;
}

/** A cell of VALUES: a number, truth value or null as the document has it, or SQL in a string. */
export function cell(place: Place): SqlExpr {
  const { node } = place;
  switch (node.kind) {
    case 'null':
      return { kind: 'literal', value: { type: 'null' }, span: node.span };
    case 'boolean':
      return { kind: 'literal', value: { type: 'boolean', value: node.value }, span: node.span };
    case 'number':
      return number(node.text, node.span);
    case 'string':
      return expression(place);
    case 'list':
    case 'object':
      throw documentError(place, 'expected a number, true, false, null or an SQL expression in quotes');
  }
}

function number(written: string, span: SqlExpr['span']): SqlExpr {
  const isNegative = written.startsWith('-');
  const literal: SqlExpr = {
    kind: 'literal',
    value: { type: 'number', text: isNegative ? written.slice(1) : written },
    span,
  };
  return isNegative ? { kind: 'unary', op: '-', expr: literal, span } : literal;
}

function selectItems(place: Place): readonly SelectItem[] {
  return parsed(place, parseSelectItems);
}

/** Parses a string with its tokens moved to where they stand in the file, so that what is bound later has its place too. */
function parsed<T>(place: Place, parse: (source: string, tokens: readonly Token[]) => T): T {
  const source = text(place);
  const tokens = inPlace(place, () => lex(source));
  if (tokens.length === 0) throw documentError(place, 'expected SQL, found an empty string');
  if (tokens.some(({ kind, value }) => kind === 'symbol' && value === ';')) {
    throw documentError(place, 'expected an expression, found a statement', 'take the semicolon out');
  }
  const { node } = place;
  const moved = tokens.map((token): Token => {
    const { line, column, endLine, endColumn } = placeInside(node, token);
    return { ...token, line, column, endLine: endLine ?? line, endColumn: endColumn ?? column };
  });
  try {
    return parse(source, moved);
  } catch (error) {
    throw inFile(place, error);
  }
}
