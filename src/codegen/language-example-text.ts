import { stringify } from 'yaml';
import { type LanguageExample, sheetRows } from './language-example.js';
import { code, fenced, inCell, table } from './markdown.js';

/** A, B, …; sheets of examples are narrow. */
const letter = (index: number): string => String.fromCharCode(65 + index);

function sheetTable(text: string): string {
  const rows = sheetRows(text);
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, index) => index);
  return table(
    ['', ...columns.map(letter)],
    rows.map(({ number, hidden, cells }) => [
      `**${number}**${hidden ? ' hidden' : ''}`,
      ...columns.map((index) => inCell(cells[index] ?? '')),
    ]),
  );
}

const inputText = ([name, content]: readonly [
  string,
  string | Readonly<Record<string, string>>,
]): string[] =>
  typeof content === 'string'
    ? [`${code(name)}`, fenced('text', content)]
    : Object.entries(content).flatMap(([sheet, text]) => [
        `${code(name)}, sheet ${code(sheet)}`,
        sheetTable(text),
      ]);

const found = (title: string, rows: readonly (readonly [string, string])[] = []): string[] =>
  rows.length === 0
    ? []
    : [
        table(
          [title, 'code'],
          rows.map(([place, what]) => [inCell(place), code(what)]),
        ),
      ];

const documentsText = (title: string, documents: readonly unknown[] = []): string[] =>
  documents.length === 0
    ? []
    : [title, fenced('json', documents.map((document) => JSON.stringify(document)).join('\n'))];

/** An example in Markdown: the mapping, what it reads, and what comes out. */
export function exampleText(example: LanguageExample): string {
  const { title, about, mapping, beside = {}, params, input = {}, skipped = [] } = example;
  return [
    `### ${title}`,
    ...(about === undefined ? [] : [about.trim()]),
    fenced('yaml', mapping),
    ...Object.entries(beside).flatMap(([name, text]) => [`${code(name)}:`, fenced('yaml', text)]),
    ...(params === undefined ? [] : ['Parameters of the run:', fenced('yaml', stringify(params))]),
    ...Object.entries(input).flatMap(inputText),
    ...documentsText('gives', example.documents),
    ...documentsText('gives, among other keys,', example.documents_in_part),
    ...found('issue at', example.issues),
    ...found('lint at line:column', example.lint),
    ...(skipped.length === 0 ? [] : [`Left out and listed: ${skipped.map(code).join(', ')}.`]),
  ].join('\n\n');
}
