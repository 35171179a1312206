// Rows of a sheet or a CSV as arrays of values, read by a library: `node SCRIPT LIBRARY FILE …`.
import { createReadStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Returns `require` for the libraries that only the measurement needs, in the folder that they were installed in. */
const requireIn = (folder) => createRequire(join(folder, 'package.json'));

const LIBRARIES = {
  async *exceljs(file) {
    const { default: ExcelJS } = await import('exceljs');
    const options = { sharedStrings: 'cache', hyperlinks: 'ignore', styles: 'cache', worksheets: 'emit' };
    for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, options))
      for await (const row of sheet) yield row.values.slice(1);
  },
  async *'read-excel-file'(file, folder) {
    const { readSheet } = requireIn(folder)('read-excel-file/node');
    yield* await readSheet(file);
  },
  async *hucre(file, folder) {
    const { readXlsx } = await import(pathToFileURL(requireIn(folder).resolve('hucre/xlsx')).href);
    yield* (await readXlsx(readFileSync(file))).sheets[0].rows;
  },
  async *sheetjs(file, folder) {
    const XLSX = requireIn(folder)('xlsx');
    const book = XLSX.read(readFileSync(file), { dense: true, cellDates: true, UTC: true });
    yield* XLSX.utils.sheet_to_json(book.Sheets[book.SheetNames[0]], { header: 1, raw: true, UTC: true });
  },
  async *'csv-parse'(file) {
    const { parse } = await import('csv-parse');
    yield* createReadStream(file).pipe(parse({ delimiter: ',' }));
  },
  async *papaparse(file, folder) {
    const Papa = requireIn(folder)('papaparse');
    // As text: a letter of two bytes may stand in two pieces of the file.
    yield* createReadStream(file, 'utf8').pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',' }));
  },
};

/** Reads records as objects by the titles of the first row. */
export async function* records(library, file, folder) {
  let titles;
  for await (const row of LIBRARIES[library](file, folder)) {
    if (titles === undefined) titles = row;
    else yield Object.fromEntries(titles.map((title, at) => [title, row[at]]));
  }
}
