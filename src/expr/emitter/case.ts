import type { PhysicalCase, PhysicalExpr } from '../physical-expr.js';
import { pushEquality, supportsComparison } from './comparison.js';
import type { EmitContext } from './emit-context.js';
import { pushNull, pushPredicate } from './logic.js';
import { kindOfType, type Value, type ValueKind } from './value.js';

export function supportsCase(expr: PhysicalCase): boolean {
  if (kindOfType(expr.type) === undefined) return false;
  const results = [...expr.branches.map((branch) => branch.then), ...(expr.otherwise === null ? [] : [expr.otherwise])];
  if (!results.every((result) => kindOfType(result.type) === kindOfType(expr.type))) return false;
  const { operand } = expr;
  return operand === null || expr.branches.every(({ when }) => supportsComparison(operand, when));
}

/** Branches nest as if-else, so that nothing runs that its row does not reach. */
export function emitCase(context: EmitContext, expr: PhysicalCase): Value {
  const kind = kindOfType(expr.type)!;
  const operand = expr.operand === null ? null : { expr: expr.operand, value: context.emit(expr.operand) };
  const target = new Target(context, kind);
  const rest = (index: number): void => {
    const branch = expr.branches[index];
    if (branch === undefined) {
      if (expr.otherwise === null) target.setNull();
      else target.set(context.emit(expr.otherwise));
      return;
    }
    pushCondition(context, operand, branch.when);
    context.code.if(
      () => {
        context.scoped(() => {
          target.set(context.emit(branch.then));
        });
      },
      () => {
        context.scoped(() => {
          rest(index + 1);
        });
      },
    );
  };
  rest(0);
  return target.value;
}

function pushCondition(
  context: EmitContext,
  operand: { readonly expr: PhysicalExpr; readonly value: Value } | null,
  when: PhysicalExpr,
): void {
  if (operand === null) {
    pushPredicate(context, when);
    return;
  }
  const { code } = context;
  const value = context.emit(when);
  const nul = context.anyNull([operand.value, value]);
  const matched = code.local('i32');
  code.i32(0).set(matched);
  context.whereValid(nul, () => {
    pushEquality(context, operand.expr, when, operand.value, value);
    code.set(matched);
  });
  code.get(matched);
}

/** COALESCE: the first that is not null; later arguments run only while the earlier ones are. */
export function emitCoalesce(context: EmitContext, args: readonly PhysicalExpr[], kind: ValueKind): Value {
  const target = new Target(context, kind);
  const from = (index: number): void => {
    const value = context.emit(args[index]!);
    target.set(value);
    if (value.nul === null || index + 1 >= args.length) return;
    context.code.get(value.nul);
    context.code.if(() => {
      context.scoped(() => {
        from(index + 1);
      });
    });
  };
  from(0);
  return target.value;
}

/** A value that several arms assign. */
class Target {
  readonly value: Value;
  readonly #context: EmitContext;
  readonly #nul: number;

  constructor(context: EmitContext, kind: ValueKind) {
    this.#context = context;
    const { code } = context;
    this.#nul = code.local('i32');
    this.value =
      kind === 'string'
        ? { kind, local: code.local('i32'), length: code.local('i32'), nul: this.#nul }
        : { kind, local: code.local(kind), length: -1, nul: this.#nul };
  }

  set(from: Value): void {
    const { code } = this.#context;
    code.get(from.local).set(this.value.local);
    if (from.kind === 'string') code.get(from.length).set(this.value.length);
    pushNull(this.#context, from);
    code.set(this.#nul);
  }

  setNull(): void {
    this.#context.code.i32(1).set(this.#nul);
  }
}
