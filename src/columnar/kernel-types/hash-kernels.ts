/** Hashing of key columns (`kernels/hash.ts`). `kind` is a `keyKind`, `hashes` u64 per row, low 32 bits for buckets, high for tables. */
export interface HashKernels {
  /** Takes one dense key column into the row hashes; `first` (1 or 0) starts them. */
  hashColumn(
    kind: number,
    values: number,
    codes: number,
    validity: number,
    count: number,
    hashes: number,
    first: number,
  ): void;
  /** The key words of flat values, for `hashWords`. */
  keyWords(kind: number, values: number, count: number, words: number): void;
  /** As `hashColumn` for codes whose values' words are known. */
  hashWords(words: number, codes: number, validity: number, count: number, hashes: number, first: number): void;
  /** Hashes of rows without keys. */
  hashNothing(count: number, hashes: number): void;
  /** Row numbers by bucket (low 32 bits modulo `buckets`), ascending within one; the end of each bucket to `ends`. */
  bucketRows(hashes: number, count: number, buckets: number, indices: number, ends: number): void;
}
