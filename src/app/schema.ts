import { bundleOpenApi, bundleSchema } from '../codegen/bundle.js';
import { editorSchema } from '../codegen/editor-schema.js';
import { plainSchema } from '../codegen/plain-schema.js';
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
  readonly plain?: boolean;
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
export const schemaOpenapi: UseCase<SchemaOptions> = async ({ tell }, _, { plain }) => {
  const document = bundleOpenApi(openApi(), schemaFiles(schemaNames()));
  tell({ event: 'value', value: plain ? plainSchema(document) : document });
  return 'fine';
};

/**
 * `cargue schema show NAME`: emits a schema as it is, with all it refers to (`bundle`), for editors (`draft07`, where
 * mappings know the fields of their targets), or for any validator (`plain`: both, in standard keywords alone).
 */
export const schemaShow: UseCase<SchemaOptions> = async (context, [name = ''], options) => {
  const { plain = false, draft07 = plain, bundle = plain } = options;
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
  const shown = plain ? plainSchema({ ...schema }) : { ...schema };
  context.tell({ event: 'value', value: draft07 ? editorSchema(shown) : shown });
  return 'fine';
};
