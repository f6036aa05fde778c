import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { DistqError } from '../base/errors.js';
import type { QueryText } from '../session/query-file.js';
import { isPlanText } from '../planfile/plan-text/frame.js';
import type { SourceText } from './render-error.js';

/** A query as it was given: its text, how it is called in places, and how it is to be read. */
export type QuerySource = SourceText & QueryText;

const FORMS: Readonly<Record<string, QueryText['form']>> = {
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.plan': 'plan',
  '.txt': 'plan',
};

/**
 * The text to run: a file, `--sql`, or stdin for `-`. Nothing given, two of them, or a positional that is no file are `config`
 * errors at once, whatever stdin is. A file's name says how it is read; text from stdin that begins like a JSON object or a plan is one.
 */
export async function readQuery(query: string | undefined, sql: string | undefined): Promise<QuerySource> {
  if (query !== undefined && sql !== undefined) {
    throw new DistqError('config', 'both a query file and --sql are given', { hint: 'give one of them' });
  }
  const directory = process.cwd();
  if (sql !== undefined) return { name: '<sql>', text: sql, form: 'sql', directory };
  if (query === undefined) {
    throw new DistqError('config', 'no query is given', {
      hint: "name a .sql file, pass --sql '<text>', or - to read standard input",
    });
  }
  if (query === '-') {
    const text = await readStdin();
    return { name: '<stdin>', text, form: formOf(text), directory };
  }
  const found = await stat(query).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new DistqError('config', found === undefined ? `no such file: ${query}` : `${query} is not a file`, {
      hint: "to run SQL text directly use --sql '<text>'",
    });
  }
  const extension = extname(query).toLowerCase();
  const form = FORMS[extension] ?? 'sql';
  return { name: query, text: await readFile(query, 'utf8'), form, directory: dirname(resolve(query)) };
}

/** How text without a file's name is read: a JSON object and what EXPLAIN prints begin as no SQL does. */
function formOf(text: string): QueryText['form'] {
  if (/^\uFEFF?\s*\{/.test(text)) return 'json';
  return isPlanText(text) ? 'plan' : 'sql';
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
