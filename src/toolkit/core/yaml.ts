import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** What reads and writes YAML, loaded by who has such a text: most calls find what they need read by the build. */
export const yaml = () => require('yaml') as typeof import('yaml');
