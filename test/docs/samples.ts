import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { zipOf } from '../support/zip-writer.js';
import { type Place, ROOT } from './terminal.js';

const SAMPLES = join(ROOT, 'samples');

/** Lines of the samples that have planted errors, counted with the header from 1. */
export const CONSULTATIONS = {
  file: 'rips/consultas/Consultas octubre.csv',
  wrong: [12, 29, 43, 60, 75, 92, 113],
} as const;
export const EVENTS = {
  file: 'events/eventos-facturas-recibidas.csv',
  wrong: [13, 18, 19, 22, 28],
} as const;

/** Company that received the invoices of the samples. */
export const BUYER = '900555321';

/** Returns the records of a CSV of the samples without the wrong ones, as they stand in the file. */
export function rightRecords({ file, wrong }: { file: string; wrong: readonly number[] }): readonly string[] {
  const records: string[] = [];
  for (const line of readFileSync(join(SAMPLES, file), 'latin1').split('\n')) {
    const isOpen = (records.at(-1)?.split('"').length ?? 1) % 2 === 0;
    if (isOpen) records.push(`${records.pop()}\n${line}`);
    else records.push(line);
  }
  return records.filter((_, at) => !wrong.includes(at + 1));
}

/** Writes the sample payroll with another account number for the first worker. */
export async function correctPayroll({ folder }: Place, name: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(SAMPLES, 'payroll/nomina-octubre-2026.xlsx'));
  const sheet = book.worksheets[0]!;
  const header = sheet.getRow(1).values as readonly unknown[];
  sheet.getCell(2, header.indexOf('Número de cuenta')).value = '00998877665';
  await book.xlsx.writeFile(join(folder, name));
}

async function writeBook(
  { folder }: Place,
  name: string,
  sheet: string,
  rows: readonly (readonly string[])[],
) {
  const book = new ExcelJS.Workbook();
  book.addWorksheet(sheet).addRows(rows as string[][]);
  await book.xlsx.writeFile(join(folder, name));
}

/** Writes a table of procedures as the ministry publishes it. */
export const writeCups = (place: Place, name: string): Promise<void> =>
  writeBook(place, name, 'CUPSRips', [
    ['Tabla', 'Codigo', 'Nombre', 'Habilitado', 'Extra_I:UsoCodigoCUP', 'Extra_VI:Sexo'],
    ...['890201', '890202', '890203', '890206', '890207', '890208', '890211'].map((code) => [
      ...['CUPSRips', code, 'CONSULTA', 'SI', 'AC', 'Z'],
    ]),
    ['CUPSRips', '997310', 'PROCEDIMIENTO', 'SI', 'AP', 'Z'],
    ['CUPSRips', '601T01', 'OTRO SERVICIO', 'SI', 'AT', 'Z'],
  ]);

/** Writes the list of events as a workbook. */
export const writeInvoices = (place: Place, name: string): Promise<void> => {
  const text = Buffer.from(rightRecords(EVENTS).join('\n'), 'latin1').toString('utf8');
  const rows: string[][] = parse(text, { bom: true });
  return writeBook(place, name, 'Eventos', rows);
};

/** Writes a zip with the invoices of the samples, except the one that is no AttachedDocument. */
export function writeMails({ folder }: Place, name: string): void {
  const invoices = join(SAMPLES, 'events/adjuntos');
  const files = readdirSync(invoices).filter((file) => !file.endsWith('4.xml'));
  const entries = files.map((file) => ({ name: file, data: readFileSync(join(invoices, file)) }));
  writeFileSync(join(folder, name), zipOf(entries));
}

export const writeText = ({ folder }: Place, name: string, text: string): void =>
  writeFileSync(join(folder, name), text);
