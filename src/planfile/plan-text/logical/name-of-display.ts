import { closingParenthesis } from '../expressions/expr-reader.js';
import { lastTopLevel, splitList } from './split-list.js';
import { typedConstantsAt } from './typed-constant.js';

/**
 * The name of the field that an expression of a logical plan makes, by its text: casts and parentheses fall away, arguments stand without
 * blanks, and what was computed once for several places is called as it was before. Conditions of FILTER and sort keys keep theirs.
 */
export function nameOfDisplay(text: string): string {
  let name = '';
  let position = 0;
  const inside = (open: number): { readonly text: string; readonly end: number } => {
    const close = closing(text, open + 1);
    return { text: text.slice(open + 1, close), end: close + 1 };
  };
  while (position < text.length) {
    const [constant] = typedConstantsAt(text, position);
    const isWord = position > 0 && /[\w$]/.test(text.charAt(position - 1));
    if (constant !== undefined && !isWord) {
      name += text.slice(position, constant.end);
      position = constant.end;
      continue;
    }
    const common = isWord ? null : /^__common_expr_\d+ AS /.exec(text.slice(position, position + 40));
    if (common !== null) {
      position += common[0].length;
      continue;
    }
    // A function called by another name: `character_length(t.a) AS length(t.a)`.
    const call = isWord ? null : /^[a-z_]\w*\(/.exec(text.slice(position, position + 80));
    const after = call === null ? text.length : closing(text, position + call[0].length) + 1;
    if (text.startsWith(' AS ', after)) {
      position = after + 4;
      continue;
    }
    const cast = isWord ? null : /^(?:TRY_)?CAST\(/.exec(text.slice(position, position + 9));
    if (cast !== null) {
      const part = inside(position + cast[0].length - 1);
      const as = lastTopLevel(part.text, ' AS ', { from: 0, to: part.text.length });
      name += nameOfDisplay(as < 0 ? part.text : part.text.slice(0, as));
      position = part.end;
    } else if (/^ (?:FILTER \(WHERE |ORDER BY \[)/.test(text.slice(position, position + 15))) {
      return name + text.slice(position);
    } else if (text.startsWith(' IN ([', position)) {
      const part = inside(position + 4);
      name += ` IN ${nameOfDisplay(part.text.slice(1, -1))}`;
      position = part.end;
    } else if (text[position] === '(') {
      const part = inside(position);
      const items = splitList(part.text, 0, part.text.length);
      const inner = items.map(({ from, to }) => nameOfDisplay(part.text.slice(from, to))).join(',');
      name += isWord || part.text.startsWith('- ') ? `(${inner})` : inner;
      position = part.end;
    } else {
      name += text.charAt(position++);
    }
  }
  return name;
}

/** As `closingParenthesis`, past quoted constants. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const [constant] = /[A-Z]/.test(text.charAt(i)) ? typedConstantsAt(text, i) : [];
    if (constant !== undefined) i = constant.end - 1;
    else if (text[i] === '(') depth++;
    else if (text[i] === ')' && depth-- === 0) return i;
  }
  return closingParenthesis(text, from);
}
