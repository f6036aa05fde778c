import { readFileSync } from 'node:fs';
import { dispose, initSync, parse_sql, parse_sql_to_json_string } from '#vendor/sqlparser';
import { assetUrl } from '../../base/assets.js';
import { DistqError } from '../../base/errors.js';
import type { Token } from './lexer.js';

/**
 * The WASM build of sqlparser. Compiled at first use and kept; an instance that trapped is thrown away, because every later parse on
 * it would fail, and the next parse makes a new one (about 2 ms).
 */
let compiled: WebAssembly.Module | undefined;

function ensureInstance(): void {
  compiled ??= new WebAssembly.Module(readFileSync(assetUrl('sqlparser.wasm')));
  initSync({ module: compiled });
}

/**
 * Trees are handed over by recursion on a stack of 1 MiB, enough for about 700 nested operators (a chain `a AND b AND …` nests to the
 * left). As JSON text they pass up to about 1,400 to 2,600, at 100 ms per 500.
 */
const MAX_DIRECT_OPERATORS = 400;

const OPERATORS = new Set(['AND', 'OR', 'IS', 'BETWEEN', '+', '-', '*', '/', '%', '||', '::', '[', '^', '&', '|']);

/** The parser's tree of one query. Errors are `parse` errors without a place; `failure` has the parser's own words. */
export function parseRaw(text: string, tokens: readonly Token[]): RawParse {
  const operators = tokens.reduce((count, { kind, value }) => {
    return count + ((kind === 'word' || kind === 'symbol') && OPERATORS.has(value) ? 1 : 0);
  }, 0);
  const ways = operators > MAX_DIRECT_OPERATORS ? [parseAsJson, parseDirectly] : [parseDirectly, parseAsJson];
  for (const parse of ways) {
    ensureInstance();
    try {
      return { tree: parse(text), failure: null };
    } catch (error) {
      const failure = parserMessage(error);
      if (failure !== undefined) return { tree: undefined, failure };
      dispose();
    }
  }
  throw new DistqError('parse', `the query is too complex: it chains or nests ${operators} operators`, {
    hint: 'split it, or use IN (…) in place of long chains of OR',
  });
}

export interface RawParse {
  readonly tree: unknown;
  readonly failure: string | null;
}

function parseDirectly(text: string): unknown {
  return parse_sql('generic', text);
}

function parseAsJson(text: string): unknown {
  const json = parse_sql_to_json_string('generic', text);
  // The text of a long chain takes hundreds of MB in the instance's memory, which never shrinks.
  dispose();
  return JSON.parse(json);
}

/** The parser throws plain objects with a message; an `Error` is a trap, or a text longer than a string can be. */
function parserMessage(error: unknown): string | undefined {
  if (error instanceof Error || typeof error !== 'object' || error === null) return undefined;
  return 'message' in error && typeof error.message === 'string' ? error.message : undefined;
}
