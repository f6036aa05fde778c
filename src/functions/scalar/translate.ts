import { codePointsOf } from '../../columnar/utf8.js';
import type { ScalarFunction } from '../../expr/function.js';
import { firstArgumentType, textArgument } from '../support/signature.js';
import { stringFunction } from '../support/string-function.js';

/** Maps characters one by one; those without a counterpart are dropped. Of repeated ones the first counts. */
export const translate: ScalarFunction = stringFunction({
  name: 'translate',
  arity: [3, 3],
  rules: [textArgument],
  takes: 'a string, characters and their replacements',
  returnType: firstArgumentType,
  doc: {
    summary: 'Replaces characters by those in the same place of another list.',
    example: { sql: "SELECT translate('12345', '143', 'ax')", result: 'a2x5' },
  },
  each(row, [text, from, to], out) {
    const targets = codePointsOf(to!.text(row));
    const map = new Map<string, string>();
    for (const [i, character] of codePointsOf(from!.text(row)).entries()) {
      if (!map.has(character)) map.set(character, targets[i] ?? '');
    }
    out.setText(
      row,
      codePointsOf(text!.text(row))
        .map((character) => map.get(character) ?? character)
        .join(''),
    );
  },
});
