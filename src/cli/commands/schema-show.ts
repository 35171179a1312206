import { editorSchema } from '../../codegen/editor-schema.js';
import { stop } from '../../issues/pipeline-error.js';
import { mappingWithTargets } from '../../schema/mapping-completion.js';
import { OWN_SCHEMAS, schemaJson, schemaNames } from '../../schema/registry.js';
import { suggest } from '../../values/similar.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue schema show NAME`: the file as it is, or as editors want it: mappings then know the fields of their targets. */
export const run: Run = async ({ terminal }, [name = ''], { draft07 }) => {
  const names: readonly string[] = [...schemaNames(), ...OWN_SCHEMAS];
  if (!names.includes(name))
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'schema list' },
      suggestions: suggest(name, names),
    });
  const schema = draft07 && name === 'mapping' ? mappingWithTargets() : schemaJson(name);
  terminal.out(JSON.stringify(draft07 ? editorSchema({ ...schema }) : schema, undefined, 2));
  return EXIT.fine;
};
