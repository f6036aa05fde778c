import type { PhysicalExpr } from '../../../expr/physical-expr.js';

/** A constant whose type is not known yet: what stands around it tells. */
export interface UntypedLiteral {
  readonly kind: 'untyped';
  readonly text: string;
}

export type Reading = PhysicalExpr | UntypedLiteral;

/** One way to read the text from some position on. */
export interface Alternative {
  readonly reading: Reading;
  /** Where the text goes on. */
  readonly end: number;
}
