import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { DistqError } from '../base/errors.js';
import type { QueryText } from '../session/query-file.js';
import type { SourceText } from './render-error.js';

/** A query as it was given: its text, how it is called in places, and how it is to be read. */
export type QuerySource = SourceText & QueryText;

const FORMS: Readonly<Record<string, QueryText['form']>> = {
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
};

/**
 * The text to run: a file, `--sql`, or stdin for `-`. Nothing given, two of them, or a positional that is no file are `config`
 * errors at once, whatever stdin is. A file's name says how it is read; text from stdin that begins like a JSON object is one.
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
    return { name: '<stdin>', text, form: /^\uFEFF?\s*\{/.test(text) ? 'json' : 'sql', directory };
  }
  const found = await stat(query).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new DistqError('config', found === undefined ? `no such file: ${query}` : `${query} is not a file`, {
      hint: "to run SQL text directly use --sql '<text>'",
    });
  }
  const extension = extname(query).toLowerCase();
  if (extension === '.plan') {
    throw new DistqError('not_implemented', 'plans printed by EXPLAIN (.plan) are not supported', {
      file: query,
      hint: 'give the query as SQL',
    });
  }
  const form = FORMS[extension] ?? 'sql';
  return { name: query, text: await readFile(query, 'utf8'), form, directory: dirname(resolve(query)) };
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
