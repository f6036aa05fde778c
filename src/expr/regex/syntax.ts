/** Regular expressions in Rust's syntax, taken apart. Characters are code points. */
export type RegexNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: RegexNode;
      readonly min: number;
      /** Infinity: without limit. */
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly kind: 'group'; readonly part: RegexNode; readonly index: number };

export type Assertion = 'text start' | 'text end' | 'line start' | 'line end' | 'word border' | 'no word border';

/** Whether a code point belongs to a set. */
export type CharacterSet = (codePoint: number) => boolean;

export interface ParsedRegex {
  readonly root: RegexNode;
  /** Capturing groups, the whole match (0) included. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}
