import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { packageFile } from '../core/package-file.js';

const require = createRequire(import.meta.url);

export const builtFile = (name: string, view: string): string =>
  packageFile('dist', 'validators', view, `${name}.cjs`);

/** A compiled file: a function of `require` for the formats and Ajv's helpers. */
type Built = (need: (id: string) => unknown) => ValidateFunction;

/** Loads a validator that the build has compiled; undefined if there is none. */
export function builtValidator(
  name: string,
  view: string,
  formats: Readonly<Record<string, unknown>>,
): ValidateFunction | undefined {
  const file = builtFile(name, view);
  if (!existsSync(file)) return undefined;
  return (require(file) as Built)((id) => (id === 'formats' ? formats : require(id)));
}
