import { INT32, INT64 } from '../../columnar/data-type.js';
import { codePointsOf } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { stringArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Edit distance: insertions, deletions and replacements of characters. */
export const levenshtein: ScalarFunction = stringFunction({
  name: 'levenshtein',
  arity: [2, 2],
  rules: [stringArgument],
  takes: 'two strings',
  returnType: ([type]) => (type?.kind === 'LargeUtf8' ? INT64 : INT32),
  doc: {
    summary: 'Least number of edits that turn one string into the other.',
    example: { sql: "SELECT levenshtein('kitten', 'sitting')", result: '3' },
  },
  each(row, [a, b], out) {
    out.setInteger(row, BigInt(editDistance(codePointsOf(a!.text(row)), codePointsOf(b!.text(row)))));
  },
});

function editDistance(a: readonly string[], b: readonly string[]): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
