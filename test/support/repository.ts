import { fileURLToPath } from 'node:url';

/** The repository's root, without a trailing slash; compiled tests lie three folders below it (dist/test/support). */
export const repositoryRoot: string = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** The TPC-H tables at scale 0.01, see fixtures/README.md. */
export const fixturesTpch: string = `${repositoryRoot}/fixtures/tpch`;

/** Under CI what a test needs must be there: its absence fails the test instead of skipping it. */
export const isCi: boolean = process.env.CI === 'true' || process.env.CI === '1';
