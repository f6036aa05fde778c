import { alias, column, type Expr, literal } from '../../expr/expr.js';
import { NULL } from '../../columnar/data-type.js';
import { scalar } from '../../columnar/scalar-value.js';
import { distinct, join, projection, union } from '../../logical/builder.js';
import type { LogicalPlan } from '../../logical/plan.js';
import type { SetOperation } from '../parser/ast.js';
import { errorAt, planError } from './binding.js';
import { normalizeFor } from './columns.js';
import { aliasUniquely } from './table-alias.js';

export function bindSetOperation(operation: SetOperation, left: LogicalPlan, right: LogicalPlan): LogicalPlan {
  const { op, all, byName, span } = operation;
  if (byName) {
    if (op !== 'UNION') throw errorAt('not_implemented', `${op} BY NAME is not supported`, span);
    const both = unionByName(left, right);
    return all ? both : distinct(both);
  }
  if (left.schema.length !== right.schema.length) {
    const widths = `${left.schema.length} and ${right.schema.length}`;
    throw planError(`the branches of ${op} have ${widths} columns`, operation.right.span ?? span);
  }
  switch (op) {
    case 'UNION':
      return all ? union([left, right]) : distinct(union([left, right]));
    case 'INTERSECT':
      return matching(left, right, 'LeftSemi', all);
    case 'EXCEPT':
      return matching(left, right, 'LeftAnti', all);
  }
}

/** INTERSECT and EXCEPT are joins on all columns in which nulls are equal. */
function matching(left: LogicalPlan, right: LogicalPlan, type: 'LeftSemi' | 'LeftAnti', all: boolean): LogicalPlan {
  const [a, b] = clash(left, right) ? [aliasUniquely('left', left), aliasUniquely('right', right)] : [left, right];
  const on = a.schema.fields.map(({ field }, index): readonly [Expr, Expr] => {
    const other = b.schema.at(index).field;
    const key = (name: string): Expr => ({ kind: 'column', relation: null, name });
    return [normalizeFor(key(field.name), a), normalizeFor(key(other.name), b)];
  });
  return join(all ? a : distinct(a), b, type, { on, nullEqualsNull: true });
}

/** Whether a column of one side could be taken for one of the other's. */
function clash(left: LogicalPlan, right: LogicalPlan): boolean {
  return left.schema.fields.some((a) =>
    right.schema.fields.some(
      (b) => a.field.name === b.field.name && (a.relation === null || b.relation === null || a.relation === b.relation),
    ),
  );
}

/** The union of all columns of both sides, by name; what a side lacks is null there. */
function unionByName(left: LogicalPlan, right: LogicalPlan): LogicalPlan {
  const names = [...new Set([...left.schema.fields, ...right.schema.fields].map(({ field }) => field.name))];
  const widened = [left, right].map((plan) =>
    projection(
      names.map((name) => {
        const isThere = plan.schema.fields.some(({ field }) => field.name === name);
        return isThere ? column(name) : alias(literal(scalar(NULL, null)), name);
      }),
      plan,
    ),
  );
  return union(widened);
}
