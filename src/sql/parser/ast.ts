import type { Span } from '../../base/errors.js';

/**
 * The syntax tree of a query: what the binder reads. It is narrower than the parser's own tree (`decode/` translates, and refuses by
 * name what has no place here), carries places in the user's text, and keeps names as written: folding to lower case is the binder's.
 */

/** Where a node stands; null where the parser keeps no place and no part of the node has one. */
export type Place = Span | null;

export interface Ident {
  readonly value: string;
  /** In double quotes, backticks or (aliases, paths) single quotes: case is kept. */
  readonly quoted: boolean;
  readonly span: Place;
}

/** A dotted name, at least one part. */
export type ObjectName = readonly Ident[];

export interface Query {
  /** In order; a later one may use an earlier one. */
  readonly ctes: readonly Cte[];
  readonly recursive: boolean;
  readonly body: SetExpr;
  readonly orderBy: readonly OrderByItem[];
  /** LIMIT, or FETCH FIRST n ROWS ONLY. */
  readonly limit: SqlExpr | null;
  readonly offset: SqlExpr | null;
  readonly span: Place;
}

export interface Cte {
  readonly alias: TableAlias;
  readonly query: Query;
}

export type SetExpr = Select | NestedQuery | SetOperation | Values;

export interface NestedQuery {
  readonly kind: 'query';
  readonly query: Query;
  readonly span: Place;
}

export interface SetOperation {
  readonly kind: 'set_operation';
  readonly op: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly all: boolean;
  /** BY NAME */
  readonly byName: boolean;
  readonly left: SetExpr;
  readonly right: SetExpr;
  readonly span: Place;
}

export interface Values {
  readonly kind: 'values';
  readonly rows: readonly (readonly SqlExpr[])[];
  readonly span: Place;
}

export interface Select {
  readonly kind: 'select';
  readonly distinct: 'all' | 'distinct' | { readonly on: readonly SqlExpr[] };
  readonly projection: readonly SelectItem[];
  readonly from: readonly TableWithJoins[];
  readonly where: SqlExpr | null;
  /** 'all' is GROUP BY ALL. */
  readonly groupBy: 'all' | readonly SqlExpr[];
  readonly having: SqlExpr | null;
  readonly windows: readonly NamedWindow[];
  readonly qualify: SqlExpr | null;
  readonly span: Place;
}

export type SelectItem =
  | { readonly kind: 'expr'; readonly expr: SqlExpr; readonly alias: Ident | null }
  | {
      readonly kind: 'wildcard';
      /** `t.*` */
      readonly qualifier: ObjectName | null;
      readonly options: WildcardOptions;
      readonly span: Place;
    };

export interface WildcardOptions {
  readonly exclude: readonly Ident[];
  readonly replace: readonly { readonly expr: SqlExpr; readonly name: Ident }[];
  readonly rename: readonly { readonly name: Ident; readonly alias: Ident }[];
  /** `* ILIKE 'pattern'` */
  readonly ilike: string | null;
}

export interface NamedWindow {
  readonly name: Ident;
  readonly spec: WindowSpec;
}

export interface TableWithJoins {
  readonly relation: TableFactor;
  readonly joins: readonly Join[];
}

export type TableFactor =
  | { readonly kind: 'table'; readonly name: ObjectName; readonly alias: TableAlias | null; readonly span: Place }
  | {
      readonly kind: 'table_function';
      readonly name: ObjectName;
      readonly args: readonly SqlExpr[];
      readonly alias: TableAlias | null;
      readonly span: Place;
    }
  | {
      readonly kind: 'derived';
      readonly lateral: boolean;
      readonly query: Query;
      readonly alias: TableAlias | null;
      readonly span: Place;
    }
  | {
      readonly kind: 'nested_join';
      readonly table: TableWithJoins;
      readonly alias: TableAlias | null;
      readonly span: Place;
    };

export interface TableAlias {
  readonly name: Ident;
  readonly columns: readonly Ident[];
}

export type SqlJoinType = 'Inner' | 'Left' | 'Right' | 'Full' | 'LeftSemi' | 'RightSemi' | 'LeftAnti' | 'RightAnti';

export interface Join {
  readonly relation: TableFactor;
  readonly type: SqlJoinType | 'Cross';
  readonly constraint: JoinConstraint;
}

export type JoinConstraint =
  | { readonly kind: 'on'; readonly expr: SqlExpr }
  | { readonly kind: 'using'; readonly columns: readonly ObjectName[] }
  | { readonly kind: 'natural' }
  | { readonly kind: 'none' };

export interface OrderByItem {
  readonly expr: SqlExpr;
  /** null: not said. */
  readonly ascending: boolean | null;
  readonly nullsFirst: boolean | null;
}

/** Binary operators by their SQL text. */
export type SqlBinaryOperator =
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | 'AND'
  | 'OR'
  | '||'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '~'
  | '~*'
  | '!~'
  | '!~*'
  | 'IS DISTINCT FROM'
  | 'IS NOT DISTINCT FROM';

export type SqlExpr =
  | IdentifierExpr
  | LiteralSqlExpr
  | UnarySqlExpr
  | BinarySqlExpr
  | IsSqlExpr
  | InListSqlExpr
  | InSubquerySqlExpr
  | BetweenSqlExpr
  | LikeSqlExpr
  | QuantifiedSqlExpr
  | CaseSqlExpr
  | CastSqlExpr
  | TypedStringExpr
  | IntervalSqlExpr
  | ExtractExpr
  | NestedExpr
  | FunctionCall
  | ExistsSqlExpr
  | SubquerySqlExpr
  | GroupingSetsSqlExpr
  | TupleExpr;

/** A column name of one or more parts. */
export interface IdentifierExpr {
  readonly kind: 'identifier';
  readonly parts: ObjectName;
  readonly span: Place;
}

export type LiteralValue =
  /** The digits as written (`1_000`, `1e5`, `.5`). */
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'string'; readonly text: string }
  /** X'…': the hexadecimal digits. */
  | { readonly type: 'hex'; readonly digits: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null' };

export interface LiteralSqlExpr {
  readonly kind: 'literal';
  readonly value: LiteralValue;
  readonly span: Place;
}

export interface UnarySqlExpr {
  readonly kind: 'unary';
  readonly op: 'NOT' | '-' | '+';
  readonly expr: SqlExpr;
  readonly span: Place;
}

export interface BinarySqlExpr {
  readonly kind: 'binary';
  readonly left: SqlExpr;
  readonly op: SqlBinaryOperator;
  readonly right: SqlExpr;
  readonly span: Place;
}

export interface IsSqlExpr {
  readonly kind: 'is';
  readonly expr: SqlExpr;
  readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
  readonly negated: boolean;
  readonly span: Place;
}

export interface InListSqlExpr {
  readonly kind: 'in_list';
  readonly expr: SqlExpr;
  readonly list: readonly SqlExpr[];
  readonly negated: boolean;
  readonly span: Place;
}

export interface InSubquerySqlExpr {
  readonly kind: 'in_subquery';
  readonly expr: SqlExpr;
  readonly query: Query;
  readonly negated: boolean;
  readonly span: Place;
}

export interface BetweenSqlExpr {
  readonly kind: 'between';
  readonly expr: SqlExpr;
  readonly low: SqlExpr;
  readonly high: SqlExpr;
  readonly negated: boolean;
  readonly span: Place;
}

export interface LikeSqlExpr {
  readonly kind: 'like';
  readonly form: 'LIKE' | 'ILIKE' | 'SIMILAR TO';
  readonly expr: SqlExpr;
  readonly pattern: SqlExpr;
  readonly escape: string | null;
  readonly negated: boolean;
  readonly span: Place;
}

/** `left op ANY|ALL (query)` */
export interface QuantifiedSqlExpr {
  readonly kind: 'quantified';
  readonly left: SqlExpr;
  readonly op: SqlBinaryOperator;
  readonly quantifier: 'ANY' | 'ALL';
  readonly query: Query;
  readonly span: Place;
}

export interface CaseSqlExpr {
  readonly kind: 'case';
  readonly operand: SqlExpr | null;
  readonly branches: readonly { readonly when: SqlExpr; readonly then: SqlExpr }[];
  readonly otherwise: SqlExpr | null;
  readonly span: Place;
}

export interface CastSqlExpr {
  readonly kind: 'cast';
  readonly expr: SqlExpr;
  readonly type: SqlType;
  /** TRY_CAST: failures become null. */
  readonly safe: boolean;
  readonly span: Place;
}

/** `DATE '1998-09-02'` */
export interface TypedStringExpr {
  readonly kind: 'typed_string';
  readonly type: SqlType;
  readonly text: string;
  readonly span: Place;
}

/** `INTERVAL '1' YEAR`, `INTERVAL '90 days'`, `INTERVAL a + b DAY` */
export interface IntervalSqlExpr {
  readonly kind: 'interval';
  readonly value: SqlExpr;
  /** The unit behind the value in upper case (`YEAR`, `DAYS`), null when there is none. */
  readonly unit: string | null;
  readonly span: Place;
}

/** `EXTRACT(field FROM expr)`; the field in upper case, but as written where SQL has no such field. */
export interface ExtractExpr {
  readonly kind: 'extract';
  readonly field: string;
  readonly expr: SqlExpr;
  readonly span: Place;
}

/** An expression in parentheses. */
export interface NestedExpr {
  readonly kind: 'nested';
  readonly expr: SqlExpr;
  readonly span: Place;
}

/**
 * A call, also of the functions with a syntax of their own: SUBSTRING(a FROM b FOR c) arrives as `substr(a, b, c)`, POSITION(a IN b)
 * as `strpos(b, a)`, TRIM as `btrim`, `ltrim` or `rtrim`, OVERLAY as `overlay`, CEIL and FLOOR under their names.
 */
export interface FunctionCall {
  readonly kind: 'function';
  readonly name: ObjectName;
  /** False for `current_date` and the like; a name that is no such function is a column then. */
  readonly parenthesized: boolean;
  readonly args: readonly FunctionArg[];
  readonly distinct: boolean;
  /** ORDER BY inside the parentheses. */
  readonly orderBy: readonly OrderByItem[];
  readonly withinGroup: readonly OrderByItem[];
  readonly filter: SqlExpr | null;
  readonly ignoreNulls: boolean | null;
  readonly over: WindowSpec | Ident | null;
  readonly span: Place;
}

export type FunctionArg =
  | { readonly kind: 'expr'; readonly expr: SqlExpr }
  /** `*` or `t.*` */
  | { readonly kind: 'wildcard'; readonly qualifier: ObjectName | null };

export interface WindowSpec {
  readonly kind: 'window_spec';
  /** The window it builds on, `(w ORDER BY …)`. */
  readonly base: Ident | null;
  readonly partitionBy: readonly SqlExpr[];
  readonly orderBy: readonly OrderByItem[];
  readonly frame: SqlWindowFrame | null;
}

export interface SqlWindowFrame {
  readonly units: 'ROWS' | 'RANGE' | 'GROUPS';
  readonly start: SqlFrameBound;
  /** null: CURRENT ROW is meant. */
  readonly end: SqlFrameBound | null;
}

export type SqlFrameBound =
  | { readonly direction: 'CURRENT ROW' }
  /** null: UNBOUNDED. */
  | { readonly direction: 'PRECEDING' | 'FOLLOWING'; readonly offset: SqlExpr | null };

export interface ExistsSqlExpr {
  readonly kind: 'exists';
  readonly query: Query;
  readonly negated: boolean;
  readonly span: Place;
}

export interface SubquerySqlExpr {
  readonly kind: 'subquery';
  readonly query: Query;
  readonly span: Place;
}

/** Legal in GROUP BY only. Each set is a list of keys; ROLLUP and CUBE keys may themselves be lists. */
export interface GroupingSetsSqlExpr {
  readonly kind: 'grouping_sets';
  readonly form: 'ROLLUP' | 'CUBE' | 'GROUPING SETS';
  readonly sets: readonly (readonly SqlExpr[])[];
  readonly span: Place;
}

/** `(a, b)` */
export interface TupleExpr {
  readonly kind: 'tuple';
  readonly items: readonly SqlExpr[];
  readonly span: Place;
}

/** A type as SQL names it; the binder picks the column type (strings may become views, timestamps get a unit). */
export type SqlType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly bits: 8 | 16 | 32 | 64; readonly unsigned: boolean }
  | { readonly kind: 'float'; readonly bits: 32 | 64 }
  | { readonly kind: 'decimal'; readonly precision: number | null; readonly scale: number | null }
  | { readonly kind: 'string' }
  | { readonly kind: 'binary' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'timestamp'; readonly precision: number | null; readonly withTimeZone: boolean }
  | { readonly kind: 'interval' };
