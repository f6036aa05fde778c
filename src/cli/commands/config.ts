import { SETTINGS, type SettingSpec } from '../../config/settings.js';

/** Prints every public setting: name, default, what it does. */
export function config(): void {
  const rows = Object.entries<SettingSpec>(SETTINGS).filter(([, spec]) => spec.hidden !== true);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, spec]) => `${name.padEnd(width)}  ${String(spec.default).padEnd(10)}  ${spec.doc}`);
  process.stdout.write(`${'setting'.padEnd(width)}  default     meaning\n${lines.join('\n')}\n`);
}
