import type { DataType } from '../../../columnar/data-type.js';
import type { ScalarFunction } from '../../../expr/function.js';
import type { Alternative } from './reading.js';

/** What physical and logical plans write otherwise: columns, constants, and what stands between arguments. */
export interface Dialect {
  readonly argumentSeparator: ', ' | ',';
  /** Names leave casts out: operands are cast to what their operator takes. */
  readonly coerces: boolean;
  /** The column that stands at the position; the longest where several fit. */
  columnAt(position: number): Alternative | undefined;
  /** The constants that may stand at the position, most likely first; `wanted` is the type the place asks for, where it is known. */
  literalsAt(position: number, wanted: DataType | null): Alternative[];
  /** Where the text goes on behind a call, past the alias that repeats it under the name it was called by. */
  pastAlias(func: ScalarFunction, position: number): number;
  /** What is wrong with the text at the position, when it looks like something it is not. */
  mistakeAt(position: number): { readonly message: string; readonly hint: string } | undefined;
}
