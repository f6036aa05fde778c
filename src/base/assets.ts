/** The binary files that the build puts into `dist/assets`. */
export type AssetName = 'kernels.wasm' | 'sqlparser.wasm';

/**
 * Where an asset lies. This module stands two folders below `dist` both as compiled module (`dist/src/base/`) and inside the
 * bundle (`dist/bundle/js/`), so one relative path serves both. It is the only module that builds such paths. Hand the URL
 * itself to `readFileSync`: `.pathname` is percent-encoded and breaks in folders with spaces.
 */
export function assetUrl(name: AssetName): URL {
  return new URL(`../../assets/${name}`, import.meta.url);
}

/** Where the package's own package.json lies, by the same rule; `--version` reads it. */
export function packageJsonUrl(): URL {
  return new URL('../../../package.json', import.meta.url);
}
