import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { packageFile } from '../core/package-file.js';

/** Validators that most calls need, compiled when the program was built: of what ready-made mappings make, and of our own files. */

const require = createRequire(import.meta.url);

export const builtFile = (name: string, view: string): string =>
  packageFile('dist', 'validators', view, `${name}.cjs`);

/** A file holds a function of what it needs: the formats, and Ajv's own helpers. */
type Built = (need: (id: string) => unknown) => ValidateFunction;

/** Undefined for what is compiled when it is asked for. */
export function builtValidator(
  name: string,
  view: string,
  formats: Readonly<Record<string, unknown>>,
): ValidateFunction | undefined {
  const file = builtFile(name, view);
  if (!existsSync(file)) return undefined;
  return (require(file) as Built)((id) => (id === 'formats' ? formats : require(id)));
}
