import type { ScalarValue } from '../../../columnar/scalar-value.js';
import { scalarText } from '../../../expr/scalar-text.js';
import { typesEqual } from '../../../columnar/data-type.js';

/** The constants that the logical plan names with their types, by the text that the physical plan prints for them. */
export class KnownConstants {
  readonly #byText = new Map<string, ScalarValue[]>();

  constructor(constants: Iterable<ScalarValue>) {
    for (const constant of constants) {
      const text = scalarText(constant);
      const known = this.#byText.get(text);
      if (known === undefined) this.#byText.set(text, [constant]);
      else if (!known.some(({ type }) => typesEqual(type, constant.type))) known.push(constant);
    }
  }

  /** Whether there is nothing to go by. */
  get isEmpty(): boolean {
    return this.#byText.size === 0;
  }

  of(text: string): readonly ScalarValue[] {
    return this.#byText.get(text) ?? [];
  }

  /** Texts of constants that stand at the position, longest first. */
  at(text: string, position: number): string[] {
    return [...this.#byText.keys()]
      .filter((constant) => text.startsWith(constant, position))
      .sort((a, b) => b.length - a.length);
  }
}
