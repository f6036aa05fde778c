import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { DistqError } from '../base/errors.js';
import type { SourceText } from './render-error.js';

/**
 * The text to run: a file, `--sql`, or stdin for `-`. Nothing given, two of them, or a positional that is no file are `config`
 * errors at once, whatever stdin is.
 */
export async function readQuery(query: string | undefined, sql: string | undefined): Promise<SourceText> {
  if (query !== undefined && sql !== undefined) {
    throw new DistqError('config', 'both a query file and --sql are given', { hint: 'give one of them' });
  }
  if (sql !== undefined) return { name: '<sql>', text: sql };
  if (query === undefined) {
    throw new DistqError('config', 'no query is given', {
      hint: "name a .sql file, pass --sql '<text>', or - to read standard input",
    });
  }
  if (query === '-') return { name: '<stdin>', text: await readStdin() };
  const found = await stat(query).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new DistqError('config', found === undefined ? `no such file: ${query}` : `${query} is not a file`, {
      hint: "to run SQL text directly use --sql '<text>'",
    });
  }
  const extension = extname(query).toLowerCase();
  if (extension === '.json' || extension === '.yaml' || extension === '.yml' || extension === '.plan') {
    throw new DistqError('not_implemented', `query specs and plan files (${extension}) are not supported`, {
      file: query,
      hint: 'give the query as SQL',
    });
  }
  return { name: query, text: await readFile(query, 'utf8') };
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
