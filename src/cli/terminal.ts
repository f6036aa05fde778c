import type { WriteStream } from 'node:tty';

/** What a stream shows: colour, and how many columns wide it is. */
export interface Terminal {
  readonly isTerminal: boolean;
  readonly colour: boolean;
  readonly columns: number;
}

/**
 * Judges one stream. Order: `--no-color`, then FORCE_COLOR, NO_COLOR, TERM=dumb, then whether it is a terminal.
 * Width: the terminal's, else COLUMNS, else 80.
 */
export function terminalOf(stream: NodeJS.WriteStream, noColour: boolean): Terminal {
  // @types/node says isTTY is always a boolean; on a pipe it is undefined.
  const isTerminal = (stream as Partial<WriteStream>).isTTY === true;
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: term, COLUMNS: columns } = process.env;
  let colour: boolean;
  if (noColour) colour = false;
  else if (force !== undefined && force !== '') colour = force !== '0' && force !== 'false';
  else if (none !== undefined && none !== '') colour = false;
  else colour = isTerminal && term !== 'dumb';
  const width = isTerminal && stream.columns > 0 ? stream.columns : Number(columns ?? '');
  return { isTerminal, colour, columns: Number.isInteger(width) && width > 0 ? width : 80 };
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  cyan(text: string): string;
}

/** Colours for a stream, or none. The library is loaded only where colours are shown. */
export async function paintFor(terminal: Terminal): Promise<Paint> {
  if (!terminal.colour) {
    const same = (text: string): string => text;
    return { bold: same, dim: same, red: same, cyan: same };
  }
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    cyan: (text) => chalk.cyan(text),
  };
}
