import { scalar } from '../../columnar/scalar-value.js';
import { type BinaryExpr, binary, type Expr, type LikeExpr, literal } from '../../expr/expr.js';

/** Characters that mean themselves in a regular expression and in LIKE. */
const PLAIN = /^[^\\^$.|?*+()[\]{}%_]*$/u;

/** Simple patterns: `'abc'` is LIKE '%abc%', `'^abc'` LIKE 'abc%', `'^abc$'` an equality. */
export function simplifyRegex(expr: BinaryExpr): Expr | undefined {
  const { left, op, right } = expr;
  if (op !== '~' && op !== '~*' && op !== '!~' && op !== '!~*') return undefined;
  if (right.kind !== 'literal' || typeof right.value.value !== 'string') return undefined;
  const { type, value } = right.value;
  const negated = op.startsWith('!');
  const caseInsensitive = op.endsWith('*');
  const start = value.startsWith('^');
  const end = value.endsWith('$');
  const text = value.slice(start ? 1 : 0, value.length - (end ? 1 : 0));
  if (!PLAIN.test(text)) return undefined;
  if (start && end && !caseInsensitive) return binary(left, negated ? '!=' : '=', literal(scalar(type, text)));
  const pattern = literal(scalar(type, `${start ? '' : '%'}${text}${end ? '' : '%'}`));
  const like: LikeExpr = {
    kind: 'like',
    expr: left,
    negated,
    pattern,
    escape: null,
    caseInsensitive,
    similarTo: false,
  };
  return like;
}
