/**
 * A LIKE pattern as its constant beginning, escapes resolved, and the rest from the first wildcard on (as written); a pattern without
 * wildcards has no rest.
 */
export function likePrefix(pattern: string, escape: string): { prefix: string; rest: string } {
  let prefix = '';
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    if (character === escape && i + 1 < characters.length) {
      i++;
      prefix += characters[i]!;
    } else if (character === '%' || character === '_') {
      return { prefix, rest: characters.slice(i).join('') };
    } else {
      prefix += character;
    }
  }
  return { prefix, rest: '' };
}

const LAST_CODE_POINT = 0x10ffff;

/**
 * The least string above every string that starts with `prefix`: its last character that can be raised is, the rest is cut off;
 * undefined when there is none.
 */
export function upperBoundOfPrefix(prefix: string): string | undefined {
  const codePoints = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (codePoints.length > 0) {
    const last = codePoints.pop() ?? 0;
    if (last >= LAST_CODE_POINT) continue;
    // The surrogates between are no characters.
    const raised = last + 1 >= 0xd800 && last + 1 < 0xe000 ? 0xe000 : last + 1;
    return String.fromCodePoint(...codePoints, raised);
  }
  return undefined;
}
