import { DistqError, ERROR_KINDS, type ErrorKind, type Span, type TaskLocation } from '../../base/errors.js';
import type { EncodedValue } from '../../expr/expr-codec.js';
import { FieldReader } from './fields.js';

const KINDS = Object.keys(ERROR_KINDS) as ErrorKind[];

/**
 * An error as it crosses processes: everything a user is shown, the stack for an internal one, and of its causes only the text, since
 * what a cause is made of means nothing elsewhere. Never by structured clone, which drops subclasses and codes.
 */
export function encodeError(error: DistqError): EncodedValue {
  return {
    kind: error.kind,
    message: error.message,
    file: error.file ?? null,
    span: error.span === undefined ? null : encodeSpan(error.span),
    hint: error.hint ?? null,
    task: error.task === undefined ? null : { ...error.task },
    stack: error.stack ?? null,
    cause: causeText(error.cause),
  };
}

export function decodeError(value: EncodedValue): DistqError {
  const fields = new FieldReader(value, 'an error');
  const file = fields.optionalText('file');
  const span = decodeSpan(fields);
  const hint = fields.optionalText('hint');
  const task = decodeTask(fields);
  const cause = fields.optionalText('cause');
  const error = new DistqError(fields.choice('kind', KINDS), fields.text('message'), {
    ...(file === undefined ? {} : { file }),
    ...(span === undefined ? {} : { span }),
    ...(hint === undefined ? {} : { hint }),
    ...(task === undefined ? {} : { task }),
    ...(cause === undefined ? {} : { cause }),
  });
  const stack = fields.optionalText('stack');
  if (stack !== undefined) error.stack = stack;
  return error;
}

function encodeSpan(span: Span): EncodedValue {
  return { line: span.line, column: span.column, endLine: span.endLine ?? null, endColumn: span.endColumn ?? null };
}

function decodeSpan(fields: FieldReader): Span | undefined {
  const span = fields.optionalObject('span');
  if (span === undefined) return undefined;
  const endLine = span.optionalCount('endLine');
  const endColumn = span.optionalCount('endColumn');
  return {
    line: span.count('line'),
    column: span.count('column'),
    ...(endLine === undefined ? {} : { endLine }),
    ...(endColumn === undefined ? {} : { endColumn }),
  };
}

function decodeTask(fields: FieldReader): TaskLocation | undefined {
  const task = fields.optionalObject('task');
  if (task === undefined) return undefined;
  return { stage: task.count('stage'), task: task.count('task'), worker: task.text('worker') };
}

/** The chain of causes as one text, outermost first. */
function causeText(cause: unknown): string | null {
  const parts: string[] = [];
  let at: unknown = cause;
  while (at !== undefined && at !== null && parts.length < 10) {
    parts.push(at instanceof Error ? at.message : typeof at === 'string' ? at : JSON.stringify(at));
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.length === 0 ? null : parts.join(': ');
}
