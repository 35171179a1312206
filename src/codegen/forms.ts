import type { SchemaFiles, SchemaJson } from './schema-files.js';

/** Keywords that say a form to those who do not know the name of its format. */
const SAID: readonly string[] = ['pattern', 'maxLength'];

const isNode = (value: unknown): value is SchemaJson => typeof value === 'object' && value !== null;

/** Every node that has a format; the tolerant view's own are not of what is sent. */
function* formsIn(node: SchemaJson): Generator<SchemaJson> {
  if (typeof node['format'] === 'string') yield node;
  for (const [key, inner] of Object.entries(node))
    if (key !== 'x-tolerates' && isNode(inner)) yield* formsIn(inner);
}

/** TypeScript of the leaf forms: what the schemas say of each format beside its name. Throws when it is said nowhere, or otherwise elsewhere. */
export function formTable(files: SchemaFiles): string {
  const lines = new Map<string, string>();
  for (const [name, file] of files)
    for (const node of formsIn(file)) {
      const format = node['format'] as string;
      if (node['pattern'] === undefined) throw new Error(`${name}: ${format} has no pattern`);
      const said = SAID.filter((keyword) => keyword in node);
      const members = said.map((keyword) => `${keyword}: ${JSON.stringify(node[keyword])}`);
      const line = `  ${JSON.stringify(format)}: { ${members.join(', ')} },`;
      if ((lines.get(format) ?? line) !== line)
        throw new Error(`${name}: the form ${format} is another elsewhere`);
      lines.set(format, line);
    }
  return [
    '/** The leaf forms by the name of their format, as the schemas say them. */',
    'export const FORMS = {',
    ...[...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line),
    '} as const;',
    '',
  ].join('\n');
}
