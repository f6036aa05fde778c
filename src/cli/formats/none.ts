import type { RowWriter } from '../../columnar/text/row-writer.js';

/** Runs the query and prints nothing: for timing, and for `--metrics` alone. */
export class NoneWriter implements RowWriter {
  begin(): void {
    // Nothing to print.
  }

  rows(): void {
    // Nothing to print.
  }

  end(): void {
    // Nothing to print.
  }
}
