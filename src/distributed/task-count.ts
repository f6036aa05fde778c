/**
 * The annotation a node carries while the plan is cut into stages: a wish for a number of tasks, or a hard limit.
 * Source: distributed planner reference, 4.7 and 4.8.2.
 */
export interface TaskCount {
  readonly kind: 'desired' | 'maximum';
  readonly n: number;
  /** Who says so, for messages; the built-in handlers leave it out. */
  readonly origin?: string;
}

export function desired(n: number): TaskCount {
  return { kind: 'desired', n };
}

export function maximum(n: number): TaskCount {
  return { kind: 'maximum', n };
}

/**
 * What a node gets from two of its inputs: the wider wish; a limit replaces every wish, also a smaller one (`D2, M6` is `M6`: so it
 * is upstream, and plans depend on it); the tighter limit.
 */
export function mergeTaskCounts(a: TaskCount, b: TaskCount): TaskCount {
  if (a.kind === b.kind) return { kind: a.kind, n: a.kind === 'desired' ? Math.max(a.n, b.n) : Math.min(a.n, b.n) };
  return a.kind === 'maximum' ? a : b;
}

/** The same kind, at most `max` and at least one task. */
export function limitTaskCount(count: TaskCount, max: number): TaskCount {
  return { kind: count.kind, n: Math.max(1, Math.min(count.n, max)) };
}
