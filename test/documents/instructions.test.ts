import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { workbookOf } from '../support/edit-workbook.js';
import { prepareFiles, SAMPLE } from '../support/prepare-file.js';

const rows: ExcelJS.CellValue[][] = [];
const book = new ExcelJS.Workbook();
await book.xlsx.readFile(SAMPLE);
book.worksheets[0]!.eachRow((row) => {
  const cells = Array.from({ length: 54 }, (_, at) => row.getCell(at + 1));
  rows.push(cells.map(({ result, value }) => result ?? value));
});

const WORDS = ['texto obligatorio', 'número sin puntos', 'valor en pesos', 'fecha completa', 'solo enteros'];
const INSTRUCTIONS = rows[0]!.map((_, at) => WORDS[at % WORDS.length]!);

test.each<[where: string, at: number, count: number, others: readonly string[]]>([
  ['below the header are a record that is wrong', 1, 25, []],
  [
    'after records are another header, whose records are held back',
    3,
    2,
    ['row/other-header', 'row/below-other-header'],
  ],
])('words in columns of amounts %s', async (_, at, count, others) => {
  const file = await workbookOf([...rows.slice(0, at), INSTRUCTIONS, ...rows.slice(at)], 'Nómina');
  const { drafts, issues } = await prepareFiles({ files: [file] });
  expect(drafts).toHaveLength(count);
  const errors = issues.filter(({ level }) => level === 'error');
  const below = errors.filter(({ code }) => code.endsWith('other-header'));
  expect([...new Set(below.map(({ code }) => code))]).toEqual(others);
  const places = errors.filter((issue) => !below.includes(issue)).map(({ place }) => place.row);
  expect([...new Set(places)]).toEqual(others.length === 0 ? [at + 1] : []);
});
