import { DistqError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest-names.js';
import type { DropStatement, Statement } from '../../sql/parser/statement.js';
import type { SessionContext } from '../session-context.js';
import { nameText } from './names.js';

/** DROP VIEW and DROP TABLE forget a name; files stay. */
export function drop(statement: DropStatement & Pick<Statement, 'span'>, session: SessionContext): void {
  const name = nameText(statement.name);
  const { span } = statement;
  if (!session.catalog.has(name)) {
    if (statement.ifExists) return;
    const hint = didYouMean(name, session.catalog.tableNames());
    throw new DistqError('plan', `unknown ${statement.object} "${name}"`, {
      span,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  const isView = session.catalog.isView(name);
  if (isView !== (statement.object === 'view')) {
    throw new DistqError('plan', `"${name}" is a ${isView ? 'view' : 'table'}`, {
      span,
      hint: `write DROP ${isView ? 'VIEW' : 'TABLE'}`,
    });
  }
  session.catalog.remove(name);
}
