import type { ObjectName } from '../../sql/parser/ast.js';

/** A table's name as the catalog knows it: unquoted parts in lower case, joined by dots. */
export function nameText(name: ObjectName): string {
  return name.map((part) => (part.quoted ? part.value : part.value.toLowerCase())).join('.');
}
