import { type DataType } from '../../columnar/data-type.js';
import type { FunctionDoc, LimitEffect, WindowFunction } from '../../expr/function.js';
import { requireArity } from './signature.js';

const NONE: LimitEffect = { kind: 'none' };
const UNKNOWN: LimitEffect = { kind: 'unknown' };

export interface RankTraits {
  readonly returns: DataType;
  /** False where a row's value depends on the size of its partition. */
  readonly bounded: boolean;
  readonly ascending: boolean;
}

/** A function without arguments that numbers or ranks the rows of a partition. */
export function rankFunction(name: string, doc: FunctionDoc, traits: RankTraits): WindowFunction {
  const { returns, bounded, ascending } = traits;
  return {
    name,
    aliases: [],
    doc,
    coerce(argTypes) {
      requireArity(name, argTypes, 0);
      return [];
    },
    returnType: () => returns,
    nullable: false,
    bounded,
    usesFrame: false,
    reversible: false,
    ascending,
    limitEffect: () => (bounded ? NONE : UNKNOWN),
  };
}
