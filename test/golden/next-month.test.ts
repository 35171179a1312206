import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import type { Inspection } from '../../src/toolkit/inspect/inspect.js';
import { answersIn, mappingText } from '../../src/toolkit/inspect/mapping-text.js';
import { proposeFor } from '../support/opened-files.js';
import { CLERKS } from './clerks.js';
import { caseOf, converse } from './conversation.js';

/** What was answered once is remembered: the files of the next month have other amounts, a person more and one less. */

const READY = await loadReadyMappings();
const DELIVERIES = Object.values(CLERKS).filter(({ folder }) => folder.startsWith('test/golden/deliveries/'));
const FROM = 1_000;
const TO = 50_000_000;
const NEW_LABEL = 'Bono de cumplimiento';

/** Returns the label under which the ids of the documents' rows are: those of the sheet with most of them told apart. */
function idsOf({ labels, fit }: Inspection): Inspection['labels'][number] {
  const keys = new Set(fit!.mapping.key);
  const [first] = labels
    .filter(
      ({ reason, means, table }) =>
        reason === 'key' ||
        [...table.columns.values()].some(
          ({ id, feeders }) => keys.has(id) && feeders.some((column) => column.id === means),
        ),
    )
    .sort((a, b) => b.content.distinct.length - a.content.distinct.length);
  return first!;
}

const plainValue = ({ value, result }: ExcelJS.Cell): ExcelJS.CellValue =>
  typeof value === 'object' && value !== null && ('formula' in value || 'sharedFormula' in value)
    ? (result ?? null)
    : value;

const plain = (text: string): string => text.replace(/[.\s]/g, '');

/** The form of an id with other digits at its end. */
const withEnd = (id: ExcelJS.CellValue, end: string): ExcelJS.CellValue =>
  typeof id === 'number' ? Number(String(id).slice(0, -2) + end) : String(id).replace(/\d{2}(?=\D*$)/, end);

/** Writes the file of the next month: other amounts, a person more, one less, and a new column where it is asked for. */
async function nextMonth(file: string, found: Inspection, hasNewColumn: boolean): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const { content, header, sheet: home } = idsOf(found);
  const [, leaver, joiner] = content.distinct.map(plain);
  const taken = new Set(content.distinct.map(plain));
  const free = Array.from({ length: 90 }, (_, at) => String(at + 10)).find(
    (end) => !taken.has(String(withEnd(joiner!, end))),
  )!;
  for (const sheet of book.worksheets) {
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        const value = plainValue(cell);
        const isAmount = typeof value === 'number' && value >= FROM && value < TO;
        cell.value = isAmount && !/[dmy]/i.test(cell.numFmt ?? '') ? Math.round(value * 1.04) : value;
      }),
    );
    for (let number = sheet.rowCount; number > 0; number--) {
      const row = sheet.getRow(number);
      const cellOf = (id: string | undefined): ExcelJS.Cell | undefined => {
        let cell: ExcelJS.Cell | undefined;
        row.eachCell((one) => {
          if (plain(one.text) === id) cell = one;
        });
        return cell;
      };
      const column = cellOf(joiner)?.col;
      if (cellOf(leaver) !== undefined) sheet.spliceRows(number, 1);
      if (column === undefined) continue;
      sheet.duplicateRow(number, 1, true);
      const id = sheet.getCell(number + 1, Number(column));
      id.value = withEnd(id.value, free);
    }
    if (!hasNewColumn || sheet.name !== home.name) continue;
    const width = header.labels.length + 1;
    sheet.getCell(header.row.number, width).value = NEW_LABEL;
    for (const { row } of content.filled) sheet.getCell(row, width).value = 250_000 + row;
  }
  const path = join(mkdtempSync(join(tmpdir(), 'cargue-next-')), basename(file));
  await book.xlsx.writeFile(path);
  return path;
}

describe.each(DELIVERIES)('$folder', async (clerk) => {
  const { files, inRun } = caseOf(clerk);
  const { found } = await converse(clerk, files, inRun);
  const text = mappingText(found, { language: 'es', files, mapping: 'recordado.yaml' });
  const inspect = async (hasNewColumn: boolean): Promise<Inspection> =>
    proposeFor([await nextMonth(files[0]!, found, hasNewColumn)], {
      ready: READY,
      answers: { ...answersIn(text, new Map()), ofOthers: true },
      language: 'es',
      name: 'siguiente',
      params: inRun,
    });

  test('asks nothing in the next month', async () => {
    const next = await inspect(false);
    expect(next.questions.map(({ id, title }) => [id, title])).toEqual([]);
    expect(next.trial!.documents.planned).toBeGreaterThan(0);
  });

  test('asks about a new column, and about nothing else', async () => {
    const next = await inspect(true);
    const asked = next.questions.flatMap(({ aliases = [], samples }) => [...aliases, ...samples.map(({ text: said }) => said)]);
    expect(next.questions.length).toBeGreaterThan(0);
    expect(next.questions.every(({ aliases = [] }) => aliases.includes(NEW_LABEL)), asked.join(' ')).toBe(true);
  });
});
