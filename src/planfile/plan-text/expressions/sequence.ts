/** One way to read an item at some position. */
export interface Item<T> {
  readonly value: T;
  readonly end: number;
}

const MOST_SEQUENCES = 50;

/**
 * All ways to read `item, item, …` from `from` to exactly `limit`, the likeliest first; an empty text is an empty list. `onStop` is told
 * where neither a separator nor the limit follows an item.
 */
export function sequences<T>(
  text: string,
  from: number,
  limit: number,
  item: (position: number) => readonly Item<T>[],
  onStop: (position: number) => void,
  separator: ', ' | ',' = ', ',
): T[][] {
  if (from === limit) return [[]];
  const tails = new Map<number, T[][]>();
  const rest = (position: number): T[][] => {
    const known = tails.get(position);
    if (known !== undefined) return known;
    const found: T[][] = [];
    for (const { value, end } of item(position)) {
      if (end === limit) found.push([value]);
      else if (text.startsWith(separator, end))
        for (const tail of rest(end + separator.length)) found.push([value, ...tail]);
      else onStop(end);
      if (found.length >= MOST_SEQUENCES) break;
    }
    tails.set(position, found);
    return found;
  };
  return rest(from);
}
