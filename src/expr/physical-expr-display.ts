import type { BinaryOperator } from './expr.js';
import { precedence } from './operators.js';
import { typeName } from '../columnar/data-type.js';
import type { PhysicalExpr, PhysicalSortExpr } from './physical-expr.js';
import { scalarText } from './scalar-text.js';

/** An expression as DataFusion prints it in physical plans: `l_shipdate@6 <= 1998-09-02 AND (a@0 = 1 OR b@1 = 2)`. */
export function displayPhysicalExpr(expr: PhysicalExpr): string {
  switch (expr.kind) {
    case 'column':
      return `${expr.name}@${expr.index}`;
    case 'literal':
      return scalarText(expr.value);
    case 'binary':
      return `${operand(expr.left, expr.op)} ${expr.op} ${operand(expr.right, expr.op)}`;
    case 'not':
      return `NOT ${displayPhysicalExpr(expr.expr)}`;
    case 'negative':
      return `(- ${displayPhysicalExpr(expr.expr)})`;
    case 'is_null':
      return `${displayPhysicalExpr(expr.expr)} IS ${expr.negated ? 'NOT ' : ''}NULL`;
    case 'like': {
      const word = `${expr.negated ? 'NOT ' : ''}${expr.caseInsensitive ? 'ILIKE' : 'LIKE'}`;
      return `${displayPhysicalExpr(expr.expr)} ${word} ${displayPhysicalExpr(expr.pattern)}`;
    }
    case 'case': {
      let text = 'CASE ';
      if (expr.operand !== null) text += `${displayPhysicalExpr(expr.operand)} `;
      for (const { when, then } of expr.branches) {
        text += `WHEN ${displayPhysicalExpr(when)} THEN ${displayPhysicalExpr(then)} `;
      }
      if (expr.otherwise !== null) text += `ELSE ${displayPhysicalExpr(expr.otherwise)} `;
      return `${text}END`;
    }
    case 'cast':
      return `${expr.safe ? 'TRY_CAST' : 'CAST'}(${displayPhysicalExpr(expr.expr)} AS ${typeName(expr.type)})`;
    case 'in_list': {
      // DataFusion prepares a hash set when every item is a constant, and says so.
      const set = expr.list.every((item) => item.kind === 'literal') ? ' (SET)' : '';
      const items = expr.list.map(displayPhysicalExpr).join(', ');
      return `${displayPhysicalExpr(expr.expr)} ${expr.negated ? 'NOT ' : ''}IN${set} ([${items}])`;
    }
    case 'scalar_function':
      return `${expr.func.name}(${expr.args.map(displayPhysicalExpr).join(', ')})`;
    case 'dynamic_filter':
      return 'DynamicFilter [ empty ]';
  }
}

/** One sort key: `a@0 ASC NULLS LAST`, `a@0 ASC`, `a@0 DESC`, `a@0 DESC NULLS LAST` (the default null order goes unsaid). */
function displaySortExpr({ expr, descending, nullsFirst }: PhysicalSortExpr): string {
  const direction = descending ? 'DESC' : 'ASC';
  // Arrow's default for both directions is NULLS FIRST, and only the other one is printed.
  return `${displayPhysicalExpr(expr)} ${direction}${nullsFirst ? '' : ' NULLS LAST'}`;
}

/** Sort keys joined by `, `, without brackets. */
export function displaySortExprs(exprs: readonly PhysicalSortExpr[]): string {
  return exprs.map(displaySortExpr).join(', ');
}

function operand(child: PhysicalExpr, parent: BinaryOperator): string {
  const text = displayPhysicalExpr(child);
  return child.kind === 'binary' && precedence(child.op) < precedence(parent) ? `(${text})` : text;
}
