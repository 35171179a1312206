import { bundleOpenApi, bundleSchema } from '../codegen/bundle.js';
import { editorSchema } from '../codegen/editor-schema.js';
import type { SchemaFiles, SchemaJson } from '../codegen/schema-files.js';
import { stop } from '../toolkit/core/issue.js';
import { suggest } from '../toolkit/core/text.js';
import { OWN_SCHEMAS, openApi, schemaJson, schemaNames } from '../toolkit/schema/registry.js';
import { mappingWithTargets } from '../toolkit/schema/views.js';
import type { UseCase } from './context.js';
import { familiesOf } from './job.js';

export interface SchemaOptions {
  readonly bundle?: boolean;
  readonly draft07?: boolean;
}

/** `cargue schema list`: emits the schema names, those of the service first. */
export const schemaList: UseCase<SchemaOptions> = async ({ tell }) => {
  for (const name of [...schemaNames(), ...OWN_SCHEMAS]) {
    const { title = '', description: en = '', 'x-description-es': es = en } = schemaJson(name);
    tell({ event: 'schema', name, title, description: { es, en } });
  }
  return 'fine';
};

const schemaFiles = (names: readonly string[]): SchemaFiles =>
  new Map(names.map((name) => [name, schemaJson(name) as SchemaJson]));

/** `cargue schema openapi`: emits the operations of the service as one self-contained document. */
export const schemaOpenapi: UseCase<SchemaOptions> = async ({ tell }) => {
  tell({ event: 'value', value: bundleOpenApi(openApi(), schemaFiles(schemaNames())) });
  return 'fine';
};

/**
 * `cargue schema show NAME`: emits a schema as it is, with all it refers to (`bundle`), or for editors (`draft07`),
 * where mappings know the fields of their targets.
 */
export const schemaShow: UseCase<SchemaOptions> = async (context, [name = ''], { draft07, bundle }) => {
  const names: readonly string[] = [...schemaNames(), ...OWN_SCHEMAS];
  if (!names.includes(name))
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'schema list' },
      suggestions: suggest(name, names),
    });
  const schema =
    draft07 && name === 'mapping'
      ? mappingWithTargets(familiesOf(context).flatMap(({ documents }) => documents.schemas))
      : bundle && !OWN_SCHEMAS.includes(name)
        ? bundleSchema(name, schemaFiles(schemaNames()))
        : schemaJson(name);
  context.tell({ event: 'value', value: draft07 ? editorSchema({ ...schema }) : schema });
  return 'fine';
};
