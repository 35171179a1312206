import { stop } from '../../issues/pipeline-error.js';
import { isSchemaName, schemaJson, schemaNames } from '../../schema/registry.js';
import { suggest } from '../../values/similar.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue schema show NAME`: the file as it is. */
export const run: Run = async ({ terminal }, [name = '']) => {
  if (!isSchemaName(name))
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'schema list' },
      suggestions: suggest(name, schemaNames()),
    });
  terminal.out(JSON.stringify(schemaJson(name), undefined, 2));
  return EXIT.fine;
};
