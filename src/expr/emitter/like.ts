import { codePointsOf } from '../../columnar/utf8.js';
import { ANY_CHARACTER, type LikePattern, parseLikePattern } from '../interpreter/like-matcher.js';
import type { PhysicalLike } from '../physical-expr.js';
import type { EmitContext } from './emit-context.js';
import { kindOfType, type Value } from './value.js';

export function supportsLike(expr: PhysicalLike): boolean {
  return (
    !expr.caseInsensitive &&
    codePointsOf(expr.escape).length <= 1 &&
    kindOfType(expr.expr.type) === 'string' &&
    expr.pattern.kind === 'literal' &&
    typeof expr.pattern.value.value === 'string'
  );
}

/** A call of the LIKE kernel with the pattern as a program. */
export function emitLike(context: EmitContext, expr: PhysicalLike): Value {
  const { code } = context;
  const constant = expr.pattern.kind === 'literal' ? expr.pattern.value.value : null;
  const pattern = parseLikePattern(typeof constant === 'string' ? constant : '', expr.escape);
  const program = context.slot({ kind: 'bytes', bytes: likeProgram(pattern) });
  const text = context.emit(expr.expr);
  const result = context.result('i32', text);
  const matches = context.import('kernels', 'likeMatches', { parameters: ['i32', 'i32', 'i32'], result: 'i32' });
  context.whereValid(text.nul, () => {
    code.get(text.local).get(text.length).get(program).call(matches);
    if (expr.negated) code.op('i32.eqz');
    code.set(result.local);
  });
  return result;
}

/** The pattern as the kernel reads it (`columnar/kernels/strings.ts`). */
function likeProgram({ segments, openStart, openEnd }: LikePattern): Uint8Array {
  const sizes = segments.map((segment) => 8 + Math.ceil(segment.length / 4) * 4);
  const program = Buffer.alloc(8 + sizes.reduce((sum, size) => sum + size, 0));
  program.writeUInt32LE(segments.length, 0);
  program.writeUInt32LE((openStart ? 1 : 0) | (openEnd ? 2 : 0), 4);
  let at = 8;
  for (const [index, segment] of segments.entries()) {
    program.writeUInt32LE(segment.length, at);
    program.writeUInt32LE(segment.includes(ANY_CHARACTER) ? 0 : 1, at + 4);
    program.set(segment, at + 8);
    at += sizes[index]!;
  }
  return program;
}
