import type { Layout } from '../layout.js';

/** Numbers of value kinds that the hash and sort kernels take; `kernels/hash.ts` has the same list. */
export function keyKind(layout: Layout): number {
  switch (layout) {
    case 'i8':
      return 0;
    case 'i16':
      return 1;
    case 'i32':
      return 2;
    case 'i64':
      return 3;
    case 'u8':
    case 'bool':
      return 4;
    case 'u16':
      return 5;
    case 'u32':
      return 6;
    case 'u64':
      return 7;
    case 'f32':
      return 8;
    case 'f64':
      return 9;
    case 'i128':
      return 10;
    case 'view':
      return 11;
    case 'interval':
      return 12;
    case 'null':
      return 13;
  }
}
