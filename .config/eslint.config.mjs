import { fileURLToPath } from 'node:url';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Rooms that index dense arrays in loops, where `x[i]!` states what the loop's bounds prove. */
const indexingRooms = [
  ...['src/columnar/**', 'src/expr/**', 'src/functions/**', 'src/catalog/**', 'src/logical/**', 'src/sources/**'],
  ...['src/sql/**', 'src/physical/**', 'src/distributed/**'],
];

export default defineConfig(
  {
    basePath: root,
    ignores: ['dist/**', 'data/**', 'build/**', 'src/columnar/kernels/**', '**/*.d.ts', '**/*.mjs', 'bin/**'],
  },
  {
    basePath: root,
    files: ['src/**/*.ts', 'test/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // It flags every synchronous async generator, which is what simple operators and mocks are.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    basePath: root,
    files: ['src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'argv',
          message: 'Only cli/ reads the command line; take options as arguments.',
        },
        { object: 'process', property: 'stdout', message: 'Only cli/ writes to stdout; take a sink as an argument.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MetaProperty',
          message:
            'Asset paths are built in base/assets.ts only (and the worker URL in session/): the bundle moves modules.',
        },
      ],
    },
  },
  { basePath: root, files: ['src/cli/**'], rules: { 'no-restricted-properties': 'off', 'no-console': 'off' } },
  { basePath: root, files: ['src/base/assets.ts', 'src/session/**'], rules: { 'no-restricted-syntax': 'off' } },
  { basePath: root, files: indexingRooms, rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  {
    basePath: root,
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
            },
          ],
        },
      ],
    },
  },
);
