import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';

const require = createRequire(import.meta.url);

/** Loads Ajv on first use: most commands only need validators that the build has compiled. */
export const loadAjv = () => (require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020;

export const loadFormats = () => (require('ajv-formats') as typeof import('ajv-formats')).default;

interface Writer {
  /** Options of an Ajv whose validators can be written. */
  readonly code: object;
  /** Returns the source of a module: a function of `require` that returns the validator. */
  write(ajv: Ajv2020, validator: ValidateFunction): string;
}

export function validatorWriter(): Writer {
  const { _ } = require('ajv') as typeof import('ajv');
  const { default: standalone } = require('ajv/dist/standalone') as {
    default(ajv: Ajv2020, validator: ValidateFunction): string;
  };
  return {
    code: { source: true, formats: _`require("formats")` },
    write: (ajv, validator) =>
      `module.exports = (require) => {\nconst module = {};\n${standalone(ajv, validator)}\nreturn module.exports;\n};\n`,
  };
}
