import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import exceljs from 'exceljs';
import { beforeEach, describe, expect, test } from 'vitest';
import { type RipsReport, sheetsOf } from '../../src/families/rips/report.js';
import { type Placing, putInPlace } from '../../src/report/put-in-place.js';
import type { RunReport } from '../../src/report/rows.js';
import { LIMITS, writeReport, writeWorkbook } from '../../src/report/workbook.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { patient, ripsReport, service } from '../families/rips/report-sample.js';
import { document, issue, report } from './sample-report.js';

const now = new Date('2026-11-21T12:00:00Z');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cargue-report-'));
});

async function readBack(file: string): Promise<exceljs.Workbook> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  return book;
}

const withSheets = (rips: RipsReport): Pick<RunReport, 'sheets'> => ({
  sheets: (saying) => sheetsOf(rips, saying),
});

const written = async (more = {}): Promise<exceljs.Workbook> => {
  const file = join(folder, 'report.xlsx');
  await writeReport(report(more), { file, language: 'es', now });
  return readBack(file);
};

describe('workbook', () => {
  test('holds what the rows say', async () => {
    const book = await written();
    const sheet = book.getWorksheet('Documentos')!;
    expect(sheet.getRow(2).getCell(1).value).toBe('9000100000');
    expect(sheet.getRow(2).getCell(4).value).toBe('Aceptado');
    expect(sheet.getRow(3).getCell(4).value).toBe('Con errores');
    expect(book.getWorksheet('Omitidos')!.getRow(2).getCell(2).value).toBe('TOTAL');
  });

  test('has filters, a frozen header, landscape pages one sheet wide', async () => {
    for (const [at, sheet] of (await written(withSheets(ripsReport()))).worksheets.entries()) {
      // The first one is no list.
      expect(Boolean(sheet.autoFilter)).toBe(at > 0);
      expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
      expect(sheet.pageSetup).toMatchObject({ orientation: 'landscape', fitToPage: true, fitToWidth: 1 });
    }
  });

  test('document numbers are text, and states have the colour of their meaning', async () => {
    const sheet = (await written()).getWorksheet('Documentos')!;
    expect(sheet.getRow(2).getCell(1).numFmt).toBe('@');
    const fills = [2, 3].map(
      (row) => (sheet.getRow(row).getCell(4).fill as exceljs.FillPattern).fgColor?.argb,
    );
    expect(new Set(fills).size).toBe(2);
  });

  test('links lead to the cell of the input', async () => {
    const place = (await written()).getWorksheet('Errores')!.getCell('A2');
    expect(place.hyperlink).toMatch(/nómina%20octubre\.xlsx#'Nómina%20''A'''!F17$/);
  });

  test('amounts are numbers, whole pesos with thousands marks', async () => {
    const book = await written(withSheets(ripsReport()));
    const amounts = [
      book.getWorksheet('Servicios')!.getCell('G2'),
      book.getWorksheet('Totales')!.getCell('E3'),
    ];
    expect(amounts.map(({ value, numFmt }) => [value, numFmt])).toEqual([
      [38000, '#,##0'],
      [114000, '#,##0'],
    ]);
  });

  test('an amount or a date among texts is one, too', async () => {
    const file = join(folder, 'mixed.xlsx');
    const columns = [{ heading: 'x', width: 10, kind: 'long' }] as const;
    const rows = [
      [{ value: '6699081.50', as: 'amount' }],
      [{ value: '2026-10-31', as: 'date' }],
      ['x'],
    ] as const;
    await writeWorkbook(file, [{ name: 'Lista', columns, rows }], { now });
    const cells = (await readBack(file)).worksheets[0]!;
    expect(['A2', 'A3', 'A4'].map((at) => cells.getCell(at).value)).toEqual([
      6699081.5,
      new Date('2026-10-31T00:00:00Z'),
      'x',
    ]);
    expect(cells.getCell('A2').numFmt).toContain('#,##0');
  });

  test('what was found wraps, however long it is', async () => {
    const book = await written({
      issues: () => [issue({ value: 'e4e7ba64c0028bef8fca45bea9e34388'.repeat(3) })],
    });
    const cell = book.getWorksheet('Errores')!.getCell('C2');
    expect(cell.alignment.wrapText).toBe(true);
    expect(book.getWorksheet('Errores')!.getRow(2).height).toBeGreaterThan(60);
  });

  test('what a parameter holds is said as people write it', async () => {
    const book = await written({
      issues: () => [issue({ value: '2026-11-09', place: { param: 'issue_date' } })],
    });
    expect(book.getWorksheet('Errores')!.getCell('C2').value).toBe('09/11/2026');
  });

  test.each(['=1+1', '+57 300', '-1', '@SUM(A1)', '=HYPERLINK("http://x","y")', '\t=1'])(
    '%j stays a text',
    async (value) => {
      const name = value;
      const rips = ripsReport({
        patients: () => [patient({ name })],
        services: () => [service({ code: value })],
      });
      const book = await written({
        documents: () => [document({ name })],
        issues: () => [issue({ value })],
        ...withSheets(rips),
      });
      for (const cell of [
        book.getWorksheet('Documentos')!.getCell('B2'),
        book.getWorksheet('Pacientes')!.getCell('B2'),
        book.getWorksheet('Servicios')!.getCell('E2'),
        book.getWorksheet('Errores')!.getCell('C2'),
      ]) {
        expect(cell.type).toBe(exceljs.ValueType.String);
        expect(cell.formula).toBeUndefined();
        expect(cell.value).toBe(value);
      }
    },
  );

  test('characters that XML cannot carry, and texts longer than a cell, do no harm', async () => {
    const book = await written({
      issues: () => [issue({ value: `a\u0000\u000b<&>"${'x'.repeat(40_000)}` })],
    });
    expect(String(book.getWorksheet('Errores')!.getCell('C2').value)).toMatch(/^a {2}<&>"x+$/);
  });

  test('a list longer than a sheet goes on in the next; links stop where Excel stops', async () => {
    const file = join(folder, 'long.xlsx');
    const columns = [{ heading: 'x', width: 10, kind: 'code' }] as const;
    const rows = Array.from({ length: 7 }, (_, index) => [{ text: `${index}`, link: 'a.xlsx' }]);
    await writeWorkbook(file, [{ name: 'Lista', columns, rows }], {
      now,
      limits: { ...LIMITS, rows: 4, links: 2 },
    });
    const book = await readBack(file);
    expect(book.worksheets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
      ['Lista', 4],
      ['Lista 2', 4],
      ['Lista 3', 2],
    ]);
    expect(book.worksheets[0]!.getCell('A3').hyperlink).toBe('a.xlsx');
    expect(book.worksheets[0]!.getCell('A4').hyperlink).toBeUndefined();
  });

  test('a text keeps its lines and blanks, and a heading without one leaves its cell blank', async () => {
    const file = join(folder, 'texts.xlsx');
    const columns = (['long', 'code'] as const).map((kind) => ({ heading: kind, width: 10, kind }));
    const heading = (value: string) => ({ value, as: 'heading' }) as const;
    const rows = [
      ['one\ntwo\n\nthree', '  =1+1 '],
      [heading('Title'), heading('')],
    ];
    await writeWorkbook(file, [{ name: 'a', columns, rows }], { now });
    const sheet = (await readBack(file)).getWorksheet('a')!;
    expect(sheet.getCell('A2').text).toBe('one\ntwo\n\nthree');
    expect(sheet.getCell('B2').value).toBe('  =1+1 ');
    expect([sheet.getCell('A3').text, sheet.getCell('B3').value]).toEqual(['Title', null]);
    expect(sheet.getCell('B3').fill).toEqual(sheet.getCell('A3').fill);
  });

  test.skipIf(process.platform === 'win32')('rows wait for a disk that does not take them', async () => {
    const file = join(folder, 'pipe');
    execFileSync('mkfifo', [file]);
    const reader = spawn('sh', ['-c', 'exec 3< "$0"; read go; cat <&3 > /dev/null', file]);
    let made = 0;
    async function* rows() {
      for (; made < 100_000; made++) yield [randomBytes(100).toString('hex')];
    }
    const columns = [{ heading: 'x', width: 10, kind: 'code' }] as const;
    const done = writeWorkbook(file, [{ name: 'a', columns, rows: rows() }], { now });
    for (let before = -1; before < made || made === 0; await sleep(200)) before = made;
    expect(made).toBeLessThan(50_000);
    reader.stdin.end('go\n');
    await done;
    expect(made).toBe(100_000);
  });

  test.skipIf(process.platform !== 'linux')('a full disk is an error, not a crash', async () => {
    const columns = [{ heading: 'x', width: 10, kind: 'code' }] as const;
    const rows = Array.from({ length: 5000 }, (_, index) => [`${index * 7919}`.repeat(9)]);
    await expect(writeWorkbook('/dev/full', [{ name: 'a', columns, rows }], { now })).rejects.toThrow(
      'ENOSPC',
    );
  });
});

const failing = (code: string, names: readonly string[]): Placing => ({
  async rename(from, to) {
    if (names.some((name) => to.endsWith(name)))
      throw Object.assign(new Error(code), { code, syscall: 'rename' });
    const { rename } = await import('node:fs/promises');
    await rename(from, to);
  },
});

describe('the file', () => {
  test.each(['EBUSY', 'EPERM', 'EACCES'])(
    'open elsewhere (%s): a second name, and it says so',
    async (code) => {
      const file = join(folder, 'report.xlsx');
      const placing = failing(code, ['report.xlsx']);
      const result = await writeReport(report(), { file, language: 'es', now, placing });
      expect(result.file).toBe(join(folder, 'report (2).xlsx'));
      expect(result.issues.map((found) => found.code)).toEqual(['report/second-name']);
      expect((await readBack(result.file)).worksheets).toHaveLength(5);
    },
  );

  test('a second name that is taken is not overwritten', async () => {
    await writeFile(join(folder, 'report (2).xlsx'), 'mine');
    const placing = failing('EBUSY', ['report.xlsx']);
    const { file } = await writeReport(report(), {
      file: join(folder, 'report.xlsx'),
      language: 'es',
      now,
      placing,
    });
    expect(file).toBe(join(folder, 'report (3).xlsx'));
  });

  test('only its owner can read it, and nothing is left beside it', async () => {
    await written();
    expect((await stat(join(folder, 'report.xlsx'))).mode & 0o777).toBe(
      process.platform === 'win32' ? 0o666 : 0o600,
    );
    expect(await readdir(folder)).toEqual(['report.xlsx']);
  });

  test.each([
    ['a folder that is not there', 'none/report.xlsx'],
    ['a folder in its place', 'taken'],
    ['a device in its place', '../../dev/null'],
  ])('%s: not writable', async (_, name) => {
    await mkdir(join(folder, 'taken'));
    const writing = writeReport(report(), { file: join(folder, name), language: 'es', now });
    const error = await writing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PipelineError);
    expect((error as PipelineError).key).toBe('output');
    expect((error as PipelineError).issues.map(({ code }) => code)).toEqual(['report/not-writable']);
    expect(await readdir(folder)).toEqual(['taken']);
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('a folder that refuses', async () => {
    await chmod(folder, 0o500);
    await expect(putInPlace(join(folder, 'r.xlsx'), async () => undefined)).rejects.toThrow(
      'report/not-writable',
    );
  });

  test('a failure while writing leaves neither file nor remains', async () => {
    const file = join(folder, 'r.xlsx');
    await expect(
      putInPlace(file, async () => {
        throw new TypeError('defect');
      }),
    ).rejects.toThrow(TypeError);
    expect(await readdir(folder)).toEqual([]);
  });
});
