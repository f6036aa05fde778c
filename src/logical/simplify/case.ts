import { scalar } from '../../columnar/scalar-value.js';
import { binary, type CaseExpr, type Expr, literal } from '../../expr/expr.js';
import { FALSE, isLiteralBoolean, NULL_BOOLEAN, TRUE } from '../../expr/expr-utils.js';
import { negate } from './boolean.js';
import type { SimplifyInfo } from './simplify-info.js';

type Branch = CaseExpr['branches'][number];

export function simplifyCase(expr: CaseExpr, info: SimplifyInfo): Expr | undefined {
  if (expr.operand !== null) return undefined;
  return dropDecided(expr, info) ?? asBooleanAlgebra(expr, info);
}

/** Branches that never run go; the first that always runs becomes ELSE. */
function dropDecided(expr: CaseExpr, info: SimplifyInfo): Expr | undefined {
  const kept: Branch[] = [];
  let otherwise = expr.otherwise;
  let changed = false;
  for (const branch of expr.branches) {
    if (isLiteralBoolean(branch.when, false)) {
      changed = true;
    } else if (isLiteralBoolean(branch.when, true)) {
      otherwise = branch.then;
      changed = true;
      break;
    } else {
      kept.push(branch);
    }
  }
  if (!changed) return undefined;
  if (kept.length > 0) return { ...expr, branches: kept, otherwise };
  return otherwise ?? literal(scalar(info.type(expr), null));
}

/** With few branches a CASE over truth values is AND, OR and NOT, which filters can use. */
function asBooleanAlgebra(expr: CaseExpr, info: SimplifyInfo): Expr | undefined {
  const { branches, otherwise } = expr;
  const [first] = branches;
  if (first === undefined || !info.isBoolean(first.then)) return undefined;
  const thens = branches.map((branch) => branch.then);
  const constant = thens.every((then) => then.kind === 'literal' && typeof then.value.value === 'boolean');
  const few = branches.length < 3 || (constant && thens.filter((then) => isLiteralBoolean(then, true)).length < 3);
  if (!few) return undefined;
  let earlier: Expr = FALSE;
  let result: Expr = FALSE;
  for (const branch of branches) {
    const when = isExactlyTrue(branch.when, info);
    const runs = and(when, not(earlier));
    result = or(result, and(runs, branch.then));
    earlier = or(earlier, when);
  }
  return or(result, and(not(earlier), otherwise ?? NULL_BOOLEAN));
}

/** A condition that is null does not choose its branch. */
function isExactlyTrue(when: Expr, info: SimplifyInfo): Expr {
  return info.nullable(when) ? binary(when, 'IS NOT DISTINCT FROM', TRUE) : when;
}

/** Joined as simplified as constants allow: the pieces are built here, so nobody has looked at them yet. */
function and(left: Expr, right: Expr): Expr {
  if (isLiteralBoolean(left, true)) return right;
  if (isLiteralBoolean(right, true)) return left;
  return isLiteralBoolean(left, false) || isLiteralBoolean(right, false) ? FALSE : binary(left, 'AND', right);
}

function or(left: Expr, right: Expr): Expr {
  if (isLiteralBoolean(left, false)) return right;
  if (isLiteralBoolean(right, false)) return left;
  return isLiteralBoolean(left, true) || isLiteralBoolean(right, true) ? TRUE : binary(left, 'OR', right);
}

function not(expr: Expr): Expr {
  if (isLiteralBoolean(expr, false)) return TRUE;
  return isLiteralBoolean(expr, true) ? FALSE : (negate(expr) ?? { kind: 'not', expr });
}
