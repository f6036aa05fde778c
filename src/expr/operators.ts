import type { ArithmeticOperator, BinaryOperator, ComparisonOperator } from './expr.js';

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
