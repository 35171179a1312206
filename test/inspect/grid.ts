import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { openInput } from '../../src/toolkit/tables/open.js';

/** A cell as a test writes it. */
export type Value = string | number | boolean | Date | null | ExcelJS.CellRichTextValue;

/** A sheet: its header labels, and records by them. */
export interface Grid {
  readonly name: string;
  readonly labels: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Dates that are shown with their time, be it midnight. */
const moments = new WeakSet<Date>();

function dateOf(text: string): Date {
  const isMoment = text.includes('T');
  const date = new Date(`${isMoment ? text : `${text}T00:00:00`}Z`);
  if (isMoment) moments.add(date);
  return date;
}

/** The sheets of a workbook whose header is its first row; those without records are left out. */
export async function gridsOf(path: string): Promise<Grid[]> {
  const input = await openInput(path);
  try {
    const grids: Grid[] = [];
    for (const source of input.tables) {
      const rows: Value[][] = [];
      for await (const batch of source.batches())
        for (const { texts, kinds } of batch)
          rows.push(
            Array.from(texts, (text, column): Value => {
              if (text === undefined) return null;
              const kind = kinds?.[column] ?? 'text';
              if (kind === 'number') return Number(text);
              return kind === 'date' && text.includes('-') ? dateOf(text) : text;
            }),
          );
      const [header, ...records] = rows;
      grids.push({ name: source.sheet ?? source.file, labels: (header ?? []).map(String), rows: records });
    }
    return grids;
  } finally {
    await input.close();
  }
}

export const column = ({ labels }: Grid, label: string): number => {
  const at = labels.indexOf(label);
  if (at < 0) throw new Error(`no label ${label}`);
  return at;
};

/** The grid with some columns only, in that order. */
export const pick = (grid: Grid, labels: readonly string[]): Grid => ({
  ...grid,
  labels,
  rows: grid.rows.map((row) => labels.map((label) => row[column(grid, label)] ?? null)),
});

/** The grid with other labels; those not named keep theirs. */
export const rename = (grid: Grid, names: Readonly<Record<string, string>>): Grid => ({
  ...grid,
  labels: grid.labels.map((label) => names[label] ?? label),
});

export const mapColumn = (grid: Grid, label: string, change: (value: Value, row: number) => Value): Grid => {
  const at = column(grid, label);
  return {
    ...grid,
    rows: grid.rows.map((row, index) =>
      Array.from(grid.labels, (_, here) =>
        here === at ? change(row[here] ?? null, index) : (row[here] ?? null),
      ),
    ),
  };
};

/** A column more, before the one that stands there. */
export const insert = (grid: Grid, at: number, label: string, value: (row: number) => Value): Grid => ({
  ...grid,
  labels: [...grid.labels.slice(0, at), label, ...grid.labels.slice(at)],
  rows: grid.rows.map((row, index) => {
    const full = Array.from(grid.labels, (_, here) => row[here] ?? null);
    return [...full.slice(0, at), value(index), ...full.slice(at)];
  }),
});

/** A sheet as it is written: its rows from the top, and what is merged. */
export interface Page {
  readonly name: string;
  readonly rows: readonly (readonly Value[])[];
  readonly merged?: readonly string[];
}

export const page = (
  { name, labels, rows }: Grid,
  above: readonly (readonly Value[])[] = [],
  below: readonly (readonly Value[])[] = [],
): Page => ({
  name,
  rows: [...above, [...labels], ...rows, ...below],
});

const freshFile = (name: string): string => join(mkdtempSync(join(tmpdir(), 'cargue-inspect-')), name);

export async function workbook(pages: readonly Page[], { date1904 = false } = {}): Promise<string> {
  const book = new ExcelJS.Workbook();
  book.properties.date1904 = date1904;
  for (const { name, rows, merged = [] } of pages) {
    const sheet = book.addWorksheet(name);
    for (const row of rows) sheet.addRow(row as ExcelJS.CellValue[]);
    for (const [at, row] of rows.entries())
      for (const [column, cell] of row.entries())
        if (cell instanceof Date && moments.has(cell))
          sheet.getCell(at + 1, column + 1).numFmt = 'dd/mm/yyyy hh:mm';
    for (const range of merged) sheet.mergeCells(range);
  }
  const path = freshFile('libro.xlsx');
  await book.xlsx.writeFile(path);
  return path;
}

const quoted = (text: string): string => (/[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** As a Colombian Excel exports it: semicolons, decimal commas, day first. */
export function csv({ labels, rows }: Grid, name = 'exporte.csv'): string {
  const text = (value: Value | undefined): string => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'number')
      return value > 1e9 ? String(value) : value.toLocaleString('de-DE', { maximumFractionDigits: 2 });
    if (value instanceof Date) {
      const [year, month, day] = value.toISOString().slice(0, 10).split('-');
      return `${day}/${month}/${year}`;
    }
    return String(value);
  };
  const lines = [labels, ...rows.map((row) => labels.map((_, at) => text(row[at])))];
  const path = freshFile(name);
  writeFileSync(path, lines.map((line) => line.map(quoted).join(';')).join('\r\n'));
  return path;
}
