import { parse } from 'yaml';
import { FUNCTIONS } from '../formula/functions.js';
import type { LanguageExample } from './language-example.js';
import { exampleText } from './language-example-text.js';
import {
  definitionOrder,
  definitionsOf,
  formOf,
  hasKeys,
  keysOf,
  type LanguageKey,
} from './language-keys.js';
import { anchor, code, GENERATED, inCell, table } from './markdown.js';
import type { SchemaJson } from './schema-files.js';
import { SchemaUse } from './schema-use.js';

/** An example, and the keys of the language that it uses. */
interface Shown {
  readonly example: LanguageExample;
  readonly used: ReadonlySet<string>;
}

/** Examples that a key names. */
const SOME = 2;

const link = ({ example }: Shown): string => `[${inCell(example.title)}](#${anchor(example.title)})`;

function keyTable(keys: readonly LanguageKey[], section: string, shown: readonly Shown[]): string {
  const ofOwn = [...shown].sort(
    (a, b) => Number(b.example.in === section) - Number(a.example.in === section),
  );
  return table(
    ['key', 'form', 'meaning', 'shown in'],
    keys.map(({ key, required, form, about, at }) => [
      `${code(key)}${required ? ' (required)' : ''}`,
      form,
      inCell(about),
      ofOwn
        .filter(({ used }) => used.has(at))
        .slice(0, SOME)
        .map(link)
        .join(', '),
    ]),
  );
}

function section(name: string, node: SchemaJson, schema: SchemaJson, shown: readonly Shown[]): string[] {
  const keys = keysOf(node, definitionsOf(schema), name === WHOLE ? '' : `/$defs/${name}`);
  const about = String(node['description'] ?? '');
  return [
    `## ${name}`,
    ...(about === '' ? [] : [about]),
    ...(node['properties'] !== undefined ? [] : [`Form: ${formOf(node)}.`]),
    ...(hasKeys(node) ? [keyTable(keys, name, shown)] : []),
    ...(name === 'formula' ? FORMULAS : []),
    ...shown.filter(({ example }) => example.in === name).map(({ example }) => exampleText(example)),
  ];
}

/** The section of the file as a whole. */
const WHOLE = 'mapping';

const FORMULAS = [
  'Operators, the loosest first: `or`, `and`, `not`, comparisons (`=` `<>` `<` `<=` `>` `>=`, `in (…)`, `not in (…)`, `is blank`, `is not blank`), `+` `-`, `*`, unary `-`. Texts stand in single or double quotes.',
  table(
    ['function', 'gives', ''],
    Object.entries(FUNCTIONS).map(([name, { inputs, many, gives, about }]) => [
      code(`${name}(${inputs.join(', ')}${many ? ', …' : ''})`),
      gives === 'same' ? 'the same' : gives,
      inCell(about),
    ]),
  ),
];

/**
 * The page of the mapping language: every key of its schema, every construct with an example. Throws when two
 * examples have one title, or one belongs to no part of the schema.
 */
export function languagePage(schema: SchemaJson, examples: readonly LanguageExample[]): string {
  const definitions = definitionsOf(schema);
  const names = [WHOLE, ...definitionOrder(schema)];
  for (const { id, in: part, title } of examples) {
    if (!names.includes(part)) throw new Error(`${id}: the schema of mappings has no ${part}`);
    if (examples.some((other) => other.id !== id && anchor(other.title) === anchor(title)))
      throw new Error(`${id}: another example has its title`);
  }
  const shown = examples.map((example): Shown => {
    const use = new SchemaUse(schema);
    use.note(parse(example.mapping));
    return { example, used: use.used };
  });
  const contents = names.map((name) => {
    const own = shown.filter(({ example }) => example.in === name).map(link);
    return `- [${name}](#${anchor(name)})${own.length > 0 ? `: ${own.join(', ')}` : ''}`;
  });
  const sections = names.flatMap((name) =>
    section(name, name === WHOLE ? schema : definitions[name]!, schema, shown),
  );
  return `${[GENERATED, ...INTRODUCTION, contents.join('\n'), ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = [
  '# The mapping language',
  '> **En español.** Un mapeo dice dónde está cada dato en los archivos de un cliente (`tables`, `columns`) y qué significa (`document`), en un archivo YAML sin código. Qué campos son obligatorios, y en qué forma, lo dicen solo los esquemas del destino. Todo se revisa antes de leer el primer registro (`cargue mapping lint`); los totales nunca se mapean: se derivan, y los que trae el archivo se comparan (`stated`). Cada ejemplo de esta página se ejecuta en las pruebas: el mapeo, lo que lee y lo que da. Los errores se explican con `cargue explain CÓDIGO`.',
  'A mapping is a YAML file that says where things are and what they mean; which fields a document must have, and in what form, only the schema of its target says. This page has every key of [the schema of mappings](../schemas/mapping.schema.json) with what it means, and for every construct an example: a mapping, what it reads, and what comes out. The examples are files in `schemas/mapping.examples/`, and a test runs each of them. To stay small, most of them make one part of a document; in a whole payroll document totals are derived and may not be mapped.',
  'Editors complete these keys, and the fields of the target: `cargue schema show mapping --draft-07`.',
];
