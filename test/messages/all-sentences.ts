import type { Codes } from '../../src/codegen/messages.js';
import type { SchemaJson } from '../../src/codegen/schema-files.js';
import { fillBlanks } from '../../src/toolkit/core/blanks.js';

interface Text {
  readonly es: string;
  readonly en: string;
}

/** Text that users read, with its place. */
export interface Sentence extends Text {
  /** `texts/cli`, `codes/send`, `rules/…`. */
  readonly of: string;
  readonly key: string;
}

const isText = (value: unknown): value is Text =>
  typeof (value as Partial<Text> | undefined)?.es === 'string' &&
  typeof (value as Partial<Text> | undefined)?.en === 'string';

/** Finds texts at any depth, each with its path of keys. */
function textsIn(of: string, key: readonly string[], value: unknown): Sentence[] {
  if (isText(value)) return [{ of, key: key.join(' '), es: value.es, en: value.en }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(of, [...key, name], inner));
}

const rulesOf = (file: SchemaJson) =>
  file['rules'] as unknown as readonly (Record<'title' | 'message' | 'fix', Text> & {
    readonly code: string;
  })[];

/** Returns every sentence of the program, in order: texts, codes, rules. */
export const sentences = (
  texts: ReadonlyMap<string, unknown>,
  codes: Codes,
  rules: readonly SchemaJson[],
): Sentence[] => [
  ...[...texts].flatMap(([file, tables]) => textsIn(`texts/${file}`, [], tables)),
  ...Object.entries(codes).flatMap(([code, entry]) => textsIn(`codes/${code.split('/')[0]}`, [code], entry)),
  ...rules
    .flatMap(rulesOf)
    .flatMap(({ code, title, message, fix }) =>
      textsIn(`rules/${code.split('/')[0]}`, [code], { title, message, fix }),
    ),
];

/** Returns the names of the placeholders that have plural forms. */
export const countsIn = (text: string): string[] =>
  [...text.matchAll(/\{(\w+), plural,/g)].map(([, name = '']) => name);

/** Fills the placeholders of a text with samples: once, or in singular and plural if it counts. */
export function readings(text: string): readonly string[] {
  const counts = new Set(countsIn(text));
  const filled = (count: string): string =>
    fillBlanks(text, (name) => (counts.has(name) ? count : `‹${name}›`));
  return counts.size === 0 ? [filled('')] : [filled('1'), filled('2')];
}
