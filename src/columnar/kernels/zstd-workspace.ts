// Zstandard (RFC 8878) without dictionaries: where things lie in the workspace of 160 KiB that a call gets.

export const HUFFMAN: usize = 0; // 2^11 entries of (u8 symbol, u8 bits)
export const LITERAL_LENGTHS: usize = 4096; // FSE tables of u32 entries: symbol | bits << 8 | next state << 16
export const OFFSETS: usize = 6144;
export const MATCH_LENGTHS: usize = 7168;
export const WEIGHTS_TABLE: usize = 9216;
export const COUNTS: usize = 9472; // i16 per symbol
export const NEXT: usize = 9984; // u16 per symbol
export const WEIGHTS: usize = 10496; // u8 per symbol
export const VARIABLES: usize = 10752;
export const LITERALS: usize = 11264;

/** u32 variables of a frame. An accuracy of 0xff marks a table that was not read yet. */
export const HUFFMAN_BITS: usize = VARIABLES;
export const LL_ACCURACY: usize = VARIABLES + 4;
export const OF_ACCURACY: usize = VARIABLES + 8;
export const ML_ACCURACY: usize = VARIABLES + 12;
export const REPEAT_1: usize = VARIABLES + 16;
export const REPEAT_2: usize = VARIABLES + 20;
export const REPEAT_3: usize = VARIABLES + 24;
/** What readers of headers hand back besides their result. */
export const RESULT: usize = VARIABLES + 32;
export const NONE: u32 = 0xff;

export const BLOCK_MAX: u32 = 131072;
