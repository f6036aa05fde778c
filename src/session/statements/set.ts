import type { SetStatement, Statement } from '../../sql/parser/statement.js';
import { DistqError } from '../../base/errors.js';
import type { SessionContext } from '../session-context.js';

/** SET name = value: holds for the statements that follow. */
export function setSetting(statement: SetStatement & Pick<Statement, 'span'>, session: SessionContext): void {
  try {
    session.config = session.config.with(statement.name, statement.value);
  } catch (error) {
    throw error instanceof DistqError ? error.with({ span: statement.span }) : error;
  }
}
