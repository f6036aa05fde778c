import { type DataType, UTF8, UTF8_VIEW } from '../../columnar/data-type.js';
import type { SessionConfig } from '../../config/session-config.js';
import type { Ident, ObjectName } from '../parser/ast.js';

/** The settings that decide what SQL text means. */
export interface BinderOptions {
  /** Unquoted names become lower case. */
  readonly normalizeIdents: boolean;
  readonly floatAsDecimal: boolean;
  /** The type of CHAR, VARCHAR, TEXT and STRING. */
  readonly stringType: DataType;
  readonly nullOrdering: string;
  readonly dropSubquerySorts: boolean;
}

export function binderOptions(config: SessionConfig): BinderOptions {
  return {
    normalizeIdents: config.get('sql_parser.enable_ident_normalization'),
    floatAsDecimal: config.get('sql_parser.parse_float_as_decimal'),
    stringType: config.get('sql_parser.map_string_types_to_utf8view') ? UTF8_VIEW : UTF8,
    nullOrdering: config.get('sql_parser.default_null_ordering'),
    dropSubquerySorts: config.get('sql_parser.enable_subquery_sort_elimination'),
  };
}

export function normalizeIdent(ident: Ident, options: BinderOptions): string {
  return ident.quoted || !options.normalizeIdents ? ident.value : asciiLowerCase(ident.value);
}

/** `catalog.schema.table`, parts joined by dots. */
export function normalizeName(name: ObjectName, options: BinderOptions): string {
  return name.map((part) => normalizeIdent(part, options)).join('.');
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether nulls come first where ORDER BY does not say. */
export function defaultNullsFirst(ascending: boolean, options: BinderOptions): boolean {
  switch (options.nullOrdering) {
    case 'nulls_min':
      return ascending;
    case 'nulls_first':
      return true;
    case 'nulls_last':
      return false;
    default:
      return !ascending;
  }
}
