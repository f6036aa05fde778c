import type { Arena } from './arena.js';
import { Column } from './column.js';
import type { DataType } from './data-type.js';
import { flattenColumn, widenDecimal } from './flatten.js';
import { defaultLayout } from './layout.js';

/**
 * Columns of one type in one layout: of decimals that came narrow and wide all become wide; untyped nulls get the layout of the rest.
 */
export function alignLayouts(columns: readonly Column[], type: DataType, arena: Arena): Column[] {
  const typed = columns.filter((column) => column.layout !== 'null');
  const wide = typed.some((column) => column.layout === 'i128');
  const layout = wide ? 'i128' : (typed[0]?.layout ?? defaultLayout(type));
  return columns.map((column) => {
    if (column.layout === layout) return column;
    if (column.isAllNull || column.layout === 'null') return Column.nulls(type, layout, column.length);
    return widenDecimal(flattenColumn(column, arena), arena);
  });
}
