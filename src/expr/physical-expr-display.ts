import type { BinaryOperator } from './expr.js';
import { precedence } from './operators.js';
import { typeName } from '../columnar/data-type.js';
import type { PhysicalExpr, PhysicalSortExpr } from './physical-expr.js';
import { scalarText } from './scalar-text.js';

/** An expression as DataFusion prints it in physical plans: `l_shipdate@6 <= 1998-09-02 AND (a@0 = 1 OR b@1 = 2)`. */
export function displayPhysicalExpr(expr: PhysicalExpr): string {
  return render(expr, 'indexed');
}

/** The same as in SQL, as DataFusion's boxes show it: columns by name alone. */
export function displaySqlExpr(expr: PhysicalExpr): string {
  return render(expr, 'sql');
}

type Form = 'indexed' | 'sql';

function render(expr: PhysicalExpr, form: Form): string {
  const text = (inner: PhysicalExpr): string => render(inner, form);
  switch (expr.kind) {
    case 'column':
      return form === 'sql' ? expr.name : `${expr.name}@${expr.index}`;
    case 'literal':
      return scalarText(expr.value);
    case 'binary':
      return `${operand(expr.left, expr.op, form)} ${expr.op} ${operand(expr.right, expr.op, form)}`;
    case 'not':
      return `NOT ${text(expr.expr)}`;
    case 'negative':
      return `(- ${text(expr.expr)})`;
    case 'is_null':
      return `${text(expr.expr)} IS ${expr.negated ? 'NOT ' : ''}NULL`;
    case 'like': {
      const word = `${expr.negated ? 'NOT ' : ''}${expr.caseInsensitive ? 'ILIKE' : 'LIKE'}`;
      return `${text(expr.expr)} ${word} ${text(expr.pattern)}`;
    }
    case 'case': {
      let whole = 'CASE ';
      if (expr.operand !== null) whole += `${text(expr.operand)} `;
      for (const { when, then } of expr.branches) {
        whole += `WHEN ${text(when)} THEN ${text(then)} `;
      }
      if (expr.otherwise !== null) whole += `ELSE ${text(expr.otherwise)} `;
      return `${whole}END`;
    }
    case 'cast':
      return `${expr.safe ? 'TRY_CAST' : 'CAST'}(${text(expr.expr)} AS ${typeName(expr.type)})`;
    case 'in_list': {
      if (form === 'sql')
        return `${text(expr.expr)} ${expr.negated ? 'NOT ' : ''}IN (${expr.list.map(text).join(', ')})`;
      // DataFusion prepares a hash set when every item is a constant, and says so.
      const set = expr.list.every((item) => item.kind === 'literal') ? ' (SET)' : '';
      const items = expr.list.map(text).join(', ');
      return `${text(expr.expr)} ${expr.negated ? 'NOT ' : ''}IN${set} ([${items}])`;
    }
    case 'scalar_function':
      return `${expr.func.name}(${expr.args.map(text).join(', ')})`;
    case 'dynamic_filter':
      return 'DynamicFilter [ empty ]';
  }
}

/** One sort key: `a@0 ASC NULLS LAST`, `a@0 ASC`, `a@0 DESC`, `a@0 DESC NULLS LAST` (the default null order goes unsaid). */
function displaySortExpr({ expr, descending, nullsFirst }: PhysicalSortExpr, form: Form): string {
  const direction = descending ? 'DESC' : 'ASC';
  // Arrow's default for both directions is NULLS FIRST, and only the other one is printed.
  return `${render(expr, form)} ${direction}${nullsFirst ? '' : ' NULLS LAST'}`;
}

/** Sort keys joined by `, `, without brackets. */
export function displaySortExprs(exprs: readonly PhysicalSortExpr[]): string {
  return exprs.map((key) => displaySortExpr(key, 'indexed')).join(', ');
}

/** Sort keys with columns by name alone. */
export function displaySqlSortExprs(exprs: readonly PhysicalSortExpr[]): string {
  return exprs.map((key) => displaySortExpr(key, 'sql')).join(', ');
}

function operand(child: PhysicalExpr, parent: BinaryOperator, form: Form): string {
  const text = render(child, form);
  return child.kind === 'binary' && precedence(child.op) < precedence(parent) ? `(${text})` : text;
}
