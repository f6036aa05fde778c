import type { Span } from '../../base/errors.js';

/**
 * A JSON or YAML document with the place of every value. Numbers are kept as written, so that no digit of a 64-bit integer is lost
 * to a double.
 */
export type DocumentNode =
  | { readonly kind: 'null'; readonly span: Span }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly span: Span }
  | { readonly kind: 'number'; readonly text: string; readonly span: Span }
  | { readonly kind: 'string'; readonly value: string; readonly span: Span; readonly inner: InnerPlace | null }
  | { readonly kind: 'list'; readonly items: readonly DocumentNode[]; readonly span: Span }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, DocumentField>; readonly span: Span };

/**
 * Where the text of a string begins in the file, when it stands there as it is: then every place in the text is a place in the file.
 * `block`: each of its lines begins at that column (a YAML block), otherwise only the first does.
 */
export interface InnerPlace {
  readonly line: number;
  readonly column: number;
  readonly block: boolean;
}

export interface DocumentField {
  /** Of the name. */
  readonly span: Span;
  readonly value: DocumentNode;
}

/** The place in the file of a place in a string's text; the string itself where that cannot be told. */
export function placeInside(node: DocumentNode, inside: Span): Span {
  if (node.kind !== 'string' || node.inner === null) return node.span;
  const { line, column, block } = node.inner;
  const at = (innerLine: number, innerColumn: number): { line: number; column: number } => ({
    line: line + innerLine - 1,
    column: innerLine === 1 || block ? column + innerColumn - 1 : innerColumn,
  });
  const start = at(inside.line, inside.column);
  if (inside.endLine === undefined || inside.endColumn === undefined) return start;
  const end = at(inside.endLine, inside.endColumn);
  return { ...start, endLine: end.line, endColumn: end.column };
}

/** The value as text, when it is a string. */
export function textOf(node: DocumentNode | undefined): string | undefined {
  return node?.kind === 'string' ? node.value : undefined;
}

/** The value of a field of an object, or undefined. */
export function fieldOf(node: DocumentNode, name: string): DocumentNode | undefined {
  return node.kind === 'object' ? node.fields.get(name)?.value : undefined;
}

const KIND_NAMES: Readonly<Record<DocumentNode['kind'], string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'text',
  list: 'a list',
  object: 'an object',
};

/** For messages: what a value is. */
export function kindName(node: DocumentNode): string {
  return KIND_NAMES[node.kind];
}
