import { fillBlanks } from '../toolkit/core/blanks.js';
import type { Codes, Text } from './messages.js';
import { GENERATED, type ShownCode, table } from './pages.js';

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

/** Returns every sentence of the program, in order: texts, codes, rules. */
export const sentences = (
  texts: ReadonlyMap<string, unknown>,
  codes: Codes,
  rules: readonly ShownCode[],
): Sentence[] => [
  ...[...texts].flatMap(([file, tables]) => textsIn(`texts/${file}`, [], tables)),
  ...Object.entries(codes).flatMap(([code, entry]) => textsIn(`codes/${code.split('/')[0]}`, [code], entry)),
  ...rules.flatMap(({ code, title, message, fix }) =>
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

const cell = (text: string): string =>
  readings(text)
    .map((reading) => reading.trim().replaceAll('|', '\\|').replaceAll('\n', ' '))
    .join(' <br> ');

/** Writes the page of all sentences in both languages. */
export function sentencePage(all: readonly Sentence[]): string {
  const parts = new Map<string, Sentence[]>();
  for (const sentence of all) parts.set(sentence.of, [...(parts.get(sentence.of) ?? []), sentence]);
  const blocks = [...parts].map(([of, rows]) =>
    [
      `## ${of}`,
      table(
        ['', 'español', 'English'],
        rows.map(({ key, es, en }) => [key, cell(es), cell(en)]),
      ),
    ].join('\n\n'),
  );
  return `${[
    GENERATED,
    '# Lo que dice el programa / What the program says',
    'Toda frase que alguien lee, en los dos idiomas, para leerla de corrido. `‹…›` se llena en cada caso; lo que cuenta se muestra con uno y con dos. Se cambia en `src/toolkit/messages` y en `schemas/rules`.',
    'Every sentence that somebody reads, in both languages, to be read through. `‹…›` is filled in case by case; what counts is shown by one and by two. It is changed in `src/toolkit/messages` and `schemas/rules`.',
    ...blocks,
  ].join('\n\n')}\n`;
}
