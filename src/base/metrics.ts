/** How a metric is printed and added up. Times are in nanoseconds, `gauge` keeps the maximum over partitions, the rest add. */
export type MetricUnit = 'count' | 'bytes' | 'time' | 'gauge';

export interface MetricValue {
  readonly name: string;
  readonly unit: MetricUnit;
  readonly value: number;
}

/** The metrics of one operator in one task, over all its partitions. Plain numbers; no timers. */
export class MetricsRecorder {
  readonly #values = new Map<string, { unit: MetricUnit; value: number }>();
  #touched = false;

  /** True once anything was recorded or the operator's stream was started. */
  get touched(): boolean {
    return this.#touched;
  }

  touch(): void {
    this.#touched = true;
  }

  add(name: string, value: number, unit: MetricUnit = 'count'): void {
    this.#touched = true;
    const entry = this.#values.get(name);
    if (entry === undefined) this.#values.set(name, { unit, value });
    else if (unit === 'gauge') entry.value = Math.max(entry.value, value);
    else entry.value += value;
  }

  value(name: string): number {
    return this.#values.get(name)?.value ?? 0;
  }

  snapshot(): MetricValue[] {
    return [...this.#values].map(([name, { unit, value }]) => ({ name, unit, value }));
  }
}

/** How a task or a stream inside it ended. */
export type TaskState = 'running' | 'finished' | 'cancelled' | 'failed';
