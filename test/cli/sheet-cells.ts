import exceljs from 'exceljs';

type Shown = string | number | null;

const shownOf = (value: exceljs.CellValue): Shown => {
  // A day, or a minute of it, as the report's formats show it.
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null ? null : typeof value === 'number' ? value : String(value);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  return 'text' in value ? String(value.text) : JSON.stringify(value);
};

/** What a workbook shows, by sheet: rows of cells, headings first. */
export async function sheetCells(file: string): Promise<Readonly<Record<string, readonly Shown[][]>>> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  return Object.fromEntries(
    book.worksheets.map((sheet) => {
      const rows: Shown[][] = [];
      sheet.eachRow((row) => {
        rows.push(Array.from({ length: sheet.columnCount }, (_, at) => shownOf(row.getCell(at + 1).value)));
      });
      return [sheet.name, rows];
    }),
  );
}
