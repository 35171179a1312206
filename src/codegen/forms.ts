import type { SchemaFiles, SchemaJson } from './schema-files.js';

/** Keywords that describe a format to tools that do not know its name. */
const FORM_KEYWORDS: readonly string[] = ['pattern', 'maxLength'];

const isNode = (value: unknown): value is SchemaJson => typeof value === 'object' && value !== null;

/** Yields every node with a format, except those of the tolerant view. */
function* formsIn(node: SchemaJson): Generator<SchemaJson> {
  if (typeof node['format'] === 'string') yield node;
  for (const [key, inner] of Object.entries(node))
    if (key !== 'x-tolerates' && isNode(inner)) yield* formsIn(inner);
}

/**
 * Writes the TypeScript of the leaf forms: keywords by format. Throws if a format has none, or differs between schemas.
 */
export function formTable(files: SchemaFiles): string {
  const lines = new Map<string, string>();
  for (const [name, file] of files)
    for (const node of formsIn(file)) {
      const format = node['format'] as string;
      if (node['pattern'] === undefined) throw new Error(`${name}: ${format} has no pattern`);
      const keywords = FORM_KEYWORDS.filter((keyword) => keyword in node);
      const members = keywords.map((keyword) => `${keyword}: ${JSON.stringify(node[keyword])}`);
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
