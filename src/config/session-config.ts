import { DistqError } from '../base/errors.js';
import { didYouMean } from '../base/nearest-names.js';
import { SETTINGS, type SettingName, type SettingSpec, type SettingValue } from './settings.js';

type Value = boolean | number | string;

/** The settings of a session: defaults and what was set over them. Immutable; `with` makes a changed copy. */
export class SessionConfig {
  readonly #values: ReadonlyMap<SettingName, Value>;

  private constructor(values: ReadonlyMap<SettingName, Value>) {
    this.#values = values;
  }

  static readonly defaults: SessionConfig = new SessionConfig(new Map());

  get<N extends SettingName>(name: N): SettingValue<N> {
    // The map only ever holds what `parse` made for that very row.
    return (this.#values.get(name) ?? SETTINGS[name].default) as SettingValue<N>;
  }

  /** True when the setting was given and not left at its default. */
  isSet(name: SettingName): boolean {
    return this.#values.has(name);
  }

  /** A copy with one setting parsed from text (SET, `--set`). A `datafusion.` prefix is accepted. `config` error when it does not fit. */
  with(name: string, text: string): SessionConfig {
    const key = settingName(name);
    return new SessionConfig(new Map(this.#values).set(key, parse(key, text.trim())));
  }

  /** What was set, as text pairs: how a configuration travels to workers. */
  entries(): [SettingName, string][] {
    return [...this.#values].map(([name, value]) => [name, String(value)]);
  }

  static fromEntries(entries: Iterable<readonly [string, string]>): SessionConfig {
    let config = SessionConfig.defaults;
    for (const [name, text] of entries) config = config.with(name, text);
    return config;
  }
}

/** The canonical name; unknown ones are a `config` error with the nearest names. */
export function settingName(name: string): SettingName {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/^datafusion\./, '');
  if (Object.hasOwn(SETTINGS, key)) return key as SettingName;
  const hint = didYouMean(key, Object.keys(SETTINGS));
  throw new DistqError('config', `unknown setting "${name}"`, hint === undefined ? {} : { hint });
}

function parse(name: SettingName, text: string): Value {
  const spec: SettingSpec = SETTINGS[name];
  const wrong = (expected: string): DistqError =>
    new DistqError('config', `setting ${name} cannot be "${text}"`, { hint: `give ${expected}` });
  switch (spec.type) {
    case 'bool': {
      const lower = text.toLowerCase();
      if (lower === 'true' || lower === 'on' || lower === '1') return true;
      if (lower === 'false' || lower === 'off' || lower === '0') return false;
      throw wrong('true or false');
    }
    case 'int':
    case 'float': {
      const value = Number(text.replaceAll('_', ''));
      const limits = `${spec.type === 'int' ? 'an integer' : 'a number'} ${
        spec.max === undefined ? `of at least ${spec.min}` : `from ${spec.min} to ${spec.max}`
      }`;
      if (text === '' || !Number.isFinite(value)) throw wrong(limits);
      if (spec.type === 'int' && !Number.isSafeInteger(value)) throw wrong(limits);
      if (value < spec.min || (spec.max !== undefined && value > spec.max)) throw wrong(limits);
      return value;
    }
    case 'choice':
      if (!spec.choices.includes(text.toLowerCase())) throw wrong(`one of ${spec.choices.join(', ')}`);
      return text.toLowerCase();
    case 'string':
      return text;
  }
}
