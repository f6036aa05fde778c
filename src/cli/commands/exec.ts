import { DistqError } from '../../base/errors.js';
import { ByteWriter } from '../../columnar/text/byte-writer.js';
import type { RowWriter } from '../../columnar/text/row-writer.js';
import type { MetricsDocument } from '../../explain/metrics-table.js';
import type { DataFrame, StageProgress } from '../../session/data-frame.js';
import { FORMATS, type FormatName, isFormatName } from '../formats/index.js';
import { type Output, outputOf } from '../output.js';
import { metricsJson, metricsTable } from '../metrics-text.js';
import { type ProgressLines, progressLines } from '../progress.js';
import { type Run, runCommand } from '../run.js';
import type { SharedFlags } from '../run-options.js';

export interface ExecFlags extends SharedFlags {
  readonly format: string;
  readonly json?: true;
  readonly jsonNumbers: string;
  readonly maxRows: string;
  readonly metrics: 'none' | 'summary' | 'full';
  readonly metricsFormat: 'table' | 'json';
}

/** Rows handed over between looks at the output: small enough that a slow reader holds little in memory. */
const SLICE_ROWS = 1024;

export async function exec(query: string | undefined, flags: ExecFlags): Promise<void> {
  await runCommand(query, flags, async (run) => {
    const format = formatOf(flags);
    const maxRows = wholeNumber(flags.maxRows, '--max-rows');
    if (flags.jsonNumbers !== 'exact' && flags.jsonNumbers !== 'string') {
      throw new DistqError('config', `--json-numbers cannot be "${flags.jsonNumbers}"`, {
        hint: 'give exact or string',
      });
    }
    const jsonNumbers = flags.jsonNumbers;
    const output = await outputOf(flags, run.session.scope);
    try {
      const bytes = new ByteWriter();
      const writer = FORMATS[format](bytes, { maxRows, jsonNumbers, terminal: run.stdout });
      const documents: MetricsDocument[] = [];
      for await (const frame of run.session.queriesOf(run.source)) {
        await print(frame, { writer, bytes, output, progress: await progressLines(run.stderr, flags.quiet === true) });
        if (flags.quiet !== true) report(run, frame, { flags, documents });
        if (output.closed) break;
      }
      if (flags.quiet !== true && flags.metricsFormat === 'json' && flags.metrics !== 'none') {
        process.stderr.write(metricsJson(documents));
      }
      await output.finish();
    } catch (error) {
      await output.abandon();
      throw error;
    }
  });
}

interface Printing {
  readonly writer: RowWriter;
  readonly bytes: ByteWriter;
  readonly output: Output;
  readonly progress: ProgressLines;
}

/** Runs one query into the writer; returns early when the reader has gone. */
async function print(frame: DataFrame, { writer, bytes, output, progress }: Printing): Promise<void> {
  writer.begin(frame.schema);
  const onProgress = (stages: readonly StageProgress[]): void => {
    progress.show(stages);
  };
  try {
    for await (const batch of frame.batches({ onProgress })) {
      for (let from = 0; from < batch.numRows; from += SLICE_ROWS) {
        writer.rows(batch, from, Math.min(from + SLICE_ROWS, batch.numRows));
        if (bytes.readyBytes > 0) {
          progress.clear();
          // The query's end must not wait for a reader that does not read.
          await frame.orFailure(output.write(bytes.take(false)));
        }
        if (output.closed) return;
      }
    }
  } finally {
    progress.clear();
  }
  writer.end();
  await output.write(bytes.take(true));
}

/** Tables follow their query; documents are kept, since stderr holds one in all. */
function report(
  run: Run,
  frame: DataFrame,
  { flags, documents }: { flags: ExecFlags; documents: MetricsDocument[] },
): void {
  const isJson = flags.metricsFormat === 'json';
  if (frame.notDistributedReason !== null && !isJson)
    run.warn(`note: the plan runs in one task: ${frame.notDistributedReason}`);
  if (flags.metrics === 'none') return;
  const metrics = frame.metrics();
  if (metrics === null) return;
  if (isJson) documents.push(metrics);
  else process.stderr.write(metricsTable(metrics, flags.metrics, run.paint));
}

function formatOf(flags: ExecFlags): FormatName {
  if (flags.json === true) return 'json';
  if (!isFormatName(flags.format)) throw new DistqError('internal', `format ${flags.format}`);
  return flags.format;
}

function wholeNumber(text: string, flag: string): number {
  if (!/^\d+$/.test(text))
    throw new DistqError('config', `${flag} cannot be "${text}"`, { hint: 'give a whole number' });
  return Number(text);
}
