import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { minifySync } from 'vite';
import { loadReadyMappings } from './app/job.js';
import { packageFile } from './toolkit/core/package-file.js';
import { keepOutlines } from './toolkit/inspect/ready.js';
import { readLayout } from './toolkit/mapping/layout.js';
import { keepShipped } from './toolkit/mapping/shipped.js';
import { readYaml } from './toolkit/mapping/yaml-source.js';
import { validatorWriter } from './toolkit/schema/ajv.js';
import { builtFile } from './toolkit/schema/built.js';
import { compileShape, OWN_SHAPES, shapeKey } from './toolkit/schema/registry.js';
import { compileWith, newAjv } from './toolkit/schema/validate.js';

/** Reads and checks the ready-made mappings and compiles the validators of their documents: a step of the build. */

for (const name of ['mappings.json', 'outlines.json', 'validators'])
  rmSync(packageFile('dist', name), { force: true, recursive: true });
const ready = await loadReadyMappings();
const { code, write } = validatorWriter();

function keep(name: string, view: string, ...validator: Parameters<typeof write>): void {
  const file = builtFile(name, view);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, minifySync(file.replace(/\.cjs$/, '.js'), write(...validator)).code);
}

for (const schema of new Set(
  ready.flatMap(({ mapping }) => mapping.targets.map((target) => target.schema)),
)) {
  const ajv = newAjv(code);
  keep(schema, 'draft', ajv, compileWith({ ajv, added: new Set() }, schema, 'draft'));
}
for (const shape of OWN_SHAPES) {
  const { ajv, validate } = compileShape(shape, code);
  keep(shapeKey(shape), 'own', ajv, validate);
}
keepShipped((text) => {
  const layout = readLayout('', text);
  return [
    [text, readYaml('', text).value],
    ...(layout.hasVocabulary ? [[layout.text, layout.value] as const] : []),
  ];
});
keepOutlines(ready);
