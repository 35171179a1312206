// The interface as others see it: clients made of our OpenAPI by public generators are compiled against our bodies, and call everything.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packed.mjs';
import { here, run, tool } from './tools.mjs';

const made = join(here, 'made');
rmSync(made, { recursive: true, force: true });
mkdirSync(made);
const api = join(made, 'openapi.json');
writeFileSync(api, run(join(root, 'dist', 'cli', 'main.js'), 'schema', 'openapi'));
run(tool('openapi-typescript', 'bin', 'cli.js'), api, '-o', join(made, 'openapi-typescript.ts'));
run(tool('@hey-api', 'openapi-ts', 'bin', 'run.js'), '-i', api, '-o', join(made, 'hey'));
run(tool('typescript', 'bin', 'tsc'), '-p', '.');
process.stdout.write(run(join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), 'main.ts'));
