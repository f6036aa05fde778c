import { failing, findingsText, parseFailOn } from '../../explain/lint/index.js';
import type { DataFrame } from '../../session/data-frame.js';
import { type ExplainFormat, holdsFindings } from '../../session/explain-text.js';
import { outputOf } from '../output.js';
import { runCommand } from '../run.js';
import type { SharedFlags } from '../run-options.js';

export interface ExplainFlags extends SharedFlags {
  readonly plan: 'logical' | 'physical' | 'distributed' | 'all';
  readonly format: ExplainFormat;
  readonly analyze?: true;
  readonly taskView: 'variants' | 'ranges';
  readonly collapse?: true;
  readonly annotate?: true;
  readonly lint?: true;
  readonly failOn: readonly string[];
  readonly diff?: string;
  readonly diffSet: readonly string[];
}

/** The exit code of a plan in which `--fail-on` found something. */
const FOUND_EXIT_CODE = 7;

export async function explain(query: string | undefined, flags: ExplainFlags): Promise<void> {
  if (flags.diff !== undefined || flags.diffSet.length > 0) {
    const { explainDiff } = await import('./explain-diff.js');
    await explainDiff(query, flags);
    return;
  }
  await runCommand(query, flags, async (run) => {
    const failOn = parseFailOn(flags.failOn);
    const output = await outputOf(flags, run.session.scope);
    try {
      for await (const frame of run.session.queriesOf(run.source)) {
        const findings = flags.lint === true || failOn.length > 0 ? frame.lint() : undefined;
        await output.write([Buffer.from(await planText(frame, flags, findings))]);
        const reason = frame.notDistributedReason;
        if (reason !== null && (flags.plan === 'distributed' || flags.plan === 'all'))
          run.warn(`note: the plan runs in one task: ${reason}`);
        if (frame.notRunnable !== null)
          run.warn(`note: the plan can be shown and not run: ${frame.notRunnable.message}`);
        if (findings !== undefined) {
          if (!holdsFindings(flags.format)) process.stderr.write(findingsText(findings));
          if (failing(findings, failOn).length > 0) process.exitCode = FOUND_EXIT_CODE;
        }
        if (output.closed) break;
      }
      await output.finish();
    } catch (error) {
      await output.abandon();
      throw error;
    }
  });
}

async function planText(
  frame: DataFrame,
  flags: ExplainFlags,
  findings: ReturnType<DataFrame['lint']> | undefined,
): Promise<string> {
  return frame.explain({
    plan: flags.plan,
    format: flags.format,
    analyze: flags.analyze === true,
    taskView: flags.taskView,
    collapse: flags.collapse === true,
    annotate: flags.annotate === true,
    findings,
  });
}
