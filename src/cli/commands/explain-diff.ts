import { DistqError } from '../../base/errors.js';
import { SessionContext } from '../../session/session-context.js';
import { outputOf } from '../output.js';
import { readQuery } from '../query-source.js';
import { runCommand } from '../run.js';
import { settingsOf } from '../run-options.js';
import type { ExplainFlags } from './explain.js';

/**
 * `explain --diff <query>` and `--diff-set key=value`: the plans of two texts, or of one text under other settings, node by node;
 * several queries in order. The second side has a session of its own, with the same tables.
 */
export async function explainDiff(query: string | undefined, flags: ExplainFlags): Promise<void> {
  await runCommand(query, flags, async (run) => {
    const { plan } = flags;
    if (plan !== 'physical' && plan !== 'distributed') {
      throw new DistqError('config', `--diff does not compare --plan ${plan}`, {
        hint: 'use --plan physical or --plan distributed',
      });
    }
    if (flags.format !== 'tree' || flags.analyze === true) {
      throw new DistqError('config', '--diff prints its own format and runs nothing', {
        hint: 'leave --format and --analyze out',
      });
    }
    const source = flags.diff === undefined ? run.source : await readQuery(flags.diff, undefined);
    const settings = settingsOf({ ...flags, set: [...flags.set, ...flags.diffSet] });
    const other = await SessionContext.create({ data: flags.data, settings, plugins: flags.plugin });
    const output = await outputOf(flags, run.session.scope);
    try {
      const others = other.queries(source.text);
      let query = 0;
      for await (const frame of run.session.queries(run.source.text)) {
        query++;
        const { value: partner } = await others.next();
        if (partner === undefined) {
          throw new DistqError('config', `${source.name} has no query ${query} to compare with`, {
            hint: 'give both sides the same number of queries',
          });
        }
        await output.write([Buffer.from(frame.diff(partner, plan))]);
        if (output.closed) break;
      }
      await output.finish();
    } catch (error) {
      await output.abandon();
      throw error;
    } finally {
      await other.close();
    }
  });
}
