import type { Slice } from '../expressions/read.js';
import type { PlanLine } from '../plan-line.js';
import { closingBracket, lastTopLevel, splitList } from './split-list.js';

/** One call of a logical node. */
export interface CallText {
  /** The call without its alias. */
  readonly call: Slice;
  /** The alias, or null where the call itself names its field. */
  readonly alias: string | null;
}

/** The calls in the list behind `marker` of a node's line; one list, or none where the line is another node's. */
export function callsOf(line: PlanLine, node: string, marker: string): CallText[][] {
  const { text } = line;
  const start = text.startsWith(node) ? text.indexOf(marker) : -1;
  if (start < 0) return [];
  const from = start + marker.length;
  const to = closingBracket(text, from, ']]');
  if (to < 0) return [];
  return [splitList(text, from, to).map((part) => callText(line, part.from, part.to))];
}

/** `call AS name`; of nested aliases the outer one counts. */
export function callText(line: PlanLine, from: number, to: number): CallText {
  const { text } = line;
  const first = firstAlias(text, from, to);
  const last = lastTopLevel(text, ' AS ', { from, to });
  return {
    call: { line, from, to: first < 0 ? to : first },
    alias: last < 0 ? null : text.slice(last + 4, to),
  };
}

function firstAlias(text: string, from: number, to: number): number {
  let end = to;
  let found = -1;
  for (;;) {
    const at = lastTopLevel(text, ' AS ', { from, to: end });
    if (at < 0) return found;
    found = at;
    end = at;
  }
}
