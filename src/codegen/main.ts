import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

for (const [path, text] of await generate(root)) {
  const file = join(root, path);
  // Unchanged files keep their time, by which the build knows what is fresh.
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
