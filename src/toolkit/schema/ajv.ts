import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';

const require = createRequire(import.meta.url);

/** Ajv and its formats, loaded by who compiles a schema: most calls find what they need compiled by the build. */
export const loadAjv = () => (require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020;

export const loadFormats = () => (require('ajv-formats') as typeof import('ajv-formats')).default;

interface Writer {
  /** Options of an Ajv whose validators can be written. */
  readonly code: object;
  /** A module that exports a function of `require`, which returns the validator. */
  write(ajv: Ajv2020, validator: ValidateFunction): string;
}

/** What writes validators down as code. */
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
