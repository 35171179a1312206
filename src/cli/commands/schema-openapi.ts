import { bundleOpenApi } from '../../codegen/openapi-bundle.js';
import type { SchemaFiles, SchemaJson } from '../../codegen/schema-files.js';
import { openApi, schemaJson, schemaNames } from '../../schema/registry.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue schema openapi`: every operation of the service, as one document that stands by itself. */
export const run: Run = async ({ terminal }) => {
  const files: SchemaFiles = new Map(schemaNames().map((name) => [name, schemaJson(name) as SchemaJson]));
  terminal.out(JSON.stringify(bundleOpenApi(openApi(), files), undefined, 2));
  return EXIT.fine;
};
