import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads the YAML package on first use: most commands only need what the build has parsed. */
export const yaml = () => require('yaml') as typeof import('yaml');
