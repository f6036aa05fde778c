import type { ArithmeticOperator, BinaryOperator, ComparisonOperator, LogicalOperator } from './expr.js';

/** How tightly an operator binds; DataFusion's numbers. A child binary expression of lower precedence is parenthesised. */
export function precedence(op: BinaryOperator): number {
  switch (op) {
    case 'OR':
      return 5;
    case 'AND':
      return 10;
    case '=':
    case '!=':
    case '<=':
    case '>=':
      return 15;
    case '<':
    case '>':
      return 20;
    case 'IS DISTINCT FROM':
    case 'IS NOT DISTINCT FROM':
    case '~':
    case '~*':
    case '!~':
    case '!~*':
    case '&':
    case '|':
    case 'BIT_XOR':
    case '<<':
    case '>>':
    case '||':
      return 30;
    case '+':
    case '-':
      return 40;
    case '*':
    case '/':
    case '%':
      return 45;
  }
}

export function isComparison(op: BinaryOperator): op is ComparisonOperator {
  switch (op) {
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'IS DISTINCT FROM':
    case 'IS NOT DISTINCT FROM':
      return true;
    case 'AND':
    case 'OR':
    case '~':
    case '~*':
    case '!~':
    case '!~*':
    case '&':
    case '|':
    case 'BIT_XOR':
    case '<<':
    case '>>':
    case '||':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return false;
  }
}

export function isArithmetic(op: BinaryOperator): op is ArithmeticOperator {
  return op === '+' || op === '-' || op === '*' || op === '/' || op === '%';
}

const SWAPPED: Partial<Record<BinaryOperator, ComparisonOperator>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The comparison that holds with the sides exchanged; undefined for other operators (IS DISTINCT FROM is never turned). */
export function swappedComparison(op: BinaryOperator): ComparisonOperator | undefined {
  return SWAPPED[op];
}

const NEGATED: Partial<Record<BinaryOperator, ComparisonOperator>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  'IS DISTINCT FROM': 'IS NOT DISTINCT FROM',
  'IS NOT DISTINCT FROM': 'IS DISTINCT FROM',
};

/** The comparison that is true where `op` is false, and null where it is null; undefined for other operators. */
export function negatedComparison(op: BinaryOperator): ComparisonOperator | undefined {
  return NEGATED[op];
}

export function isLogicalOperator(op: BinaryOperator): op is LogicalOperator {
  return op === 'AND' || op === 'OR';
}
