import type { Join, JoinConstraint, Place, SqlExpr, TableAlias, TableFactor, TableWithJoins } from '../ast.js';
import { decodeArgument } from './function.js';
import { decodeIdent, decodeObjectName, namePlace } from './ident.js';
import {
  absent,
  flag,
  hull,
  list,
  optional,
  type Reader,
  record,
  refuse,
  unknownVariant,
  unsupported,
  variant,
} from './reader.js';

export function decodeTableWithJoins(reader: Reader, raw: unknown): TableWithJoins {
  const node = record(raw, 'a table');
  return {
    relation: decodeFactor(reader, node['relation']),
    joins: list(node['joins'], 'joins').map((join) => decodeJoin(reader, join)),
  };
}

export function factorPlace(factor: TableFactor): Place {
  return hull(factor.span, factor.alias?.name.span ?? null);
}

export function decodeTableAlias(reader: Reader, raw: unknown): TableAlias {
  const node = record(raw, 'an alias');
  const name = decodeIdent(reader, node['name']);
  refuse(node, { at: 'AT behind an alias' }, name.span);
  const columns = list(node['columns'], 'column aliases').map((column) => {
    const { name: ident, data_type: type } = record(column, 'a column alias');
    if (!absent(type)) throw unsupported('a type behind a column alias', reader.place(record(ident, 'alias')['span']));
    return decodeIdent(reader, ident);
  });
  return { name, columns };
}

const REFUSED_TABLE_PARTS = {
  with_hints: 'a table hint (WITH)',
  version: 'a table version',
  with_ordinality: 'WITH ORDINALITY',
  partitions: 'PARTITION behind a table',
  json_path: 'a JSON path behind a table',
  sample: 'TABLESAMPLE',
  index_hints: 'an index hint',
} as const;

function decodeFactor(reader: Reader, raw: unknown): TableFactor {
  const { tag, body } = variant(raw, 'a table');
  const node = record(body, 'a table');
  const alias = optional(node['alias'], (value) => decodeTableAlias(reader, value));
  const aliasPlace = alias?.name.span ?? null;
  switch (tag) {
    case 'Table': {
      const name = decodeObjectName(reader, node['name']);
      const span = namePlace(name);
      refuse(node, REFUSED_TABLE_PARTS, span);
      if (!absent(node['args'])) {
        return { kind: 'table_function', name, args: decodeArguments(reader, node['args'], span), alias, span };
      }
      return { kind: 'table', name, alias, span };
    }
    case 'Derived': {
      const query = reader.query(node['subquery']);
      refuse(node, { sample: 'TABLESAMPLE' }, query.span);
      return { kind: 'derived', lateral: flag(node['lateral'], 'LATERAL'), query, alias, span: query.span };
    }
    case 'NestedJoin': {
      const table = decodeTableWithJoins(reader, node['table_with_joins']);
      return { kind: 'nested_join', table, alias, span: factorPlace(table.relation) };
    }
    case 'Function': {
      const name = decodeObjectName(reader, node['name']);
      throw unsupported(`the table function ${name.map((part) => part.value).join('.')}`, namePlace(name));
    }
    case 'UNNEST':
      throw unsupported('UNNEST', aliasPlace);
    case 'TableFunction':
      throw unsupported('TABLE(…)', aliasPlace);
    case 'Pivot':
    case 'Unpivot':
      throw unsupported(tag.toUpperCase(), aliasPlace);
    case 'MatchRecognize':
      throw unsupported('MATCH_RECOGNIZE', aliasPlace);
    case 'JsonTable':
    case 'OpenJsonTable':
    case 'XmlTable':
    case 'SemanticView':
      throw unsupported(tag, aliasPlace);
    default:
      throw unknownVariant(tag, 'table');
  }
}

function decodeArguments(reader: Reader, raw: unknown, place: Place): SqlExpr[] {
  const node = record(raw, 'the arguments of a table function');
  refuse(node, { settings: 'SETTINGS of a table function' }, place);
  return list(node['args'], 'arguments').map((argument) => {
    const decoded = decodeArgument(reader, argument, place);
    if (decoded.kind !== 'expr') throw unsupported('* as the argument of a table function', place);
    return decoded.expr;
  });
}

const JOIN_TYPES: Readonly<Record<string, Join['type']>> = {
  Join: 'Inner',
  Inner: 'Inner',
  Left: 'Left',
  LeftOuter: 'Left',
  Right: 'Right',
  RightOuter: 'Right',
  FullOuter: 'Full',
  LeftSemi: 'LeftSemi',
  RightSemi: 'RightSemi',
  LeftAnti: 'LeftAnti',
  RightAnti: 'RightAnti',
  CrossJoin: 'Cross',
};

const REFUSED_JOINS: Readonly<Record<string, string>> = {
  Semi: 'SEMI JOIN without LEFT or RIGHT',
  Anti: 'ANTI JOIN without LEFT or RIGHT',
  CrossApply: 'CROSS APPLY',
  OuterApply: 'OUTER APPLY',
  AsOf: 'ASOF JOIN',
  StraightJoin: 'STRAIGHT_JOIN',
  ArrayJoin: 'ARRAY JOIN',
  LeftArrayJoin: 'ARRAY JOIN',
  InnerArrayJoin: 'ARRAY JOIN',
};

function decodeJoin(reader: Reader, raw: unknown): Join {
  const node = record(raw, 'a join');
  const relation = decodeFactor(reader, node['relation']);
  const place = factorPlace(relation);
  refuse(node, { global: 'GLOBAL JOIN' }, place);
  const { tag, body } = variant(node['join_operator'], 'a join');
  const type = JOIN_TYPES[tag];
  if (type === undefined) {
    const construct = REFUSED_JOINS[tag];
    if (construct === undefined) throw unknownVariant(tag, 'join');
    throw unsupported(construct, place);
  }
  const constraint = decodeConstraint(reader, body);
  if (type === 'Cross' && constraint.kind !== 'none') throw unsupported('CROSS JOIN with a condition', place);
  return { relation, type, constraint };
}

function decodeConstraint(reader: Reader, raw: unknown): JoinConstraint {
  const { tag, body } = variant(raw, 'a join condition');
  switch (tag) {
    case 'On':
      return { kind: 'on', expr: reader.expr(body) };
    case 'Using':
      return { kind: 'using', columns: list(body, 'USING').map((name) => decodeObjectName(reader, name)) };
    case 'Natural':
      return { kind: 'natural' };
    case 'None':
      return { kind: 'none' };
    default:
      throw unknownVariant(tag, 'join condition');
  }
}
