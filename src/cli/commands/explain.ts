import { fileOutput, stdoutOutput } from '../output.js';
import { runCommand } from '../run.js';
import type { SharedFlags } from '../run-options.js';

export interface ExplainFlags extends SharedFlags {
  readonly plan: 'logical' | 'physical' | 'distributed' | 'all';
  readonly format: 'tree' | 'indent' | 'json';
  readonly analyze?: true;
  readonly taskView: 'variants' | 'ranges';
  readonly collapse?: true;
  readonly annotate?: true;
}

export async function explain(query: string | undefined, flags: ExplainFlags): Promise<void> {
  await runCommand(query, flags, async (run) => {
    const output = flags.output === undefined ? stdoutOutput() : await fileOutput(flags.output, flags.force === true);
    try {
      for await (const frame of run.session.queries(run.source.text)) {
        const text = await frame.explain({
          plan: flags.plan,
          format: flags.format,
          analyze: flags.analyze === true,
          taskView: flags.taskView,
          collapse: flags.collapse === true,
          annotate: flags.annotate === true,
        });
        await output.write([Buffer.from(text)]);
        const reason = frame.notDistributedReason;
        if (reason !== null && (flags.plan === 'distributed' || flags.plan === 'all'))
          run.warn(`note: the plan runs in one task: ${reason}`);
        if (output.closed) break;
      }
      await output.finish();
    } catch (error) {
      await output.abandon();
      throw error;
    }
  });
}
