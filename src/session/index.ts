export { SessionContext, type SessionOptions } from './session-context.js';
export { DataFrame, type ExplainOptions } from './data-frame.js';
export { DistqError, type ErrorKind } from '../base/errors.js';
export type { Finding, Severity } from '../explain/lint/finding.js';
