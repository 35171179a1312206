import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { annotateCopy } from '../../src/report/annotate/annotate-copy.js';
import type { TextRows } from '../../src/report/annotate/sheet-plan.js';
import { placesOf, writeTextWorkbook } from '../../src/report/annotate/text-workbook.js';
import { columnLetter } from '../../src/toolkit/core/text.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { cellsOf, faultsOf, loaded, looksOf, notesOf } from './annotate-reading.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cargue-annotate-'));
});
afterAll(() => rm(folder, { recursive: true }));

const CSV = `Documento;Nombre;Valor
0079;"Peña; ""La Ñ""";1.500.000,00
1020;=1+1;
;;
+57;"dos
líneas";_x0041_
`;

async function annotated() {
  const input = join(folder, 'usuarios.csv');
  await writeFile(input, CSV);
  const output = join(folder, 'copia.xlsx');
  const file = await openInput(input);
  try {
    await annotateCopy({
      input,
      output,
      rows: file.tables[0]!.batches(),
      marks: [
        { row: 3, column: 'C', level: 'error', text: 'falta el valor' },
        { row: 2, column: 'A', level: 'warning', text: 'corto' },
      ],
      states: [
        { row: 2, state: 'good', text: 'Bien' },
        { row: 3, state: 'held-back', text: 'Con errores' },
      ],
      headerRows: [{ row: 1 }],
      language: 'es',
    });
    return { input, output, file };
  } finally {
    await file.close();
  }
}

describe('a table in text', () => {
  test('becomes a workbook of the same cells at the same addresses, all of them text', async () => {
    const { input, output } = await annotated();
    const file = await openInput(input);
    const before: Record<string, string> = {};
    for await (const batch of file.tables[0]!.batches())
      for (const { number, texts } of batch)
        for (const [column, text] of texts.entries())
          if (text !== undefined) before[`${columnLetter(column)}${number}`] = `text ${text}`;
    await file.close();
    expect(before['A2']).toBe('text 0079');
    expect(await cellsOf(output)).toEqual({
      usuarios: { ...before, D1: 'text Estado (cargue)', D2: 'text Bien', D3: 'text Con errores' },
    });
  });

  test('with fills, notes, a frozen header, widths and text formats', async () => {
    const { output } = await annotated();
    expect(await notesOf(output)).toEqual({ A2: 'cargue:\ncorto', C3: 'cargue:\nfalta el valor' });
    expect(await looksOf(output, 'C3')).toMatchObject({ fill: { argb: 'FFFAC8C4' } });
    expect(await looksOf(output, 'A2')).toMatchObject({ fill: { argb: 'FFFFE4A1' }, numFmt: '@' });
    const sheet = (await loaded(output)).worksheets[0]!;
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
    expect(sheet.getColumn(2).width).toBeGreaterThan(sheet.getColumn(1).width!);
    expect(sheet.getCell('B3').formula).toBeUndefined();
    expect(await faultsOf(output)).toEqual([]);
  });

  test('leaves nothing else behind, and is for its owner alone', async () => {
    const { output } = await annotated();
    expect((await readdir(folder)).sort()).toEqual(['copia.xlsx', 'usuarios.csv']);
    expect((await stat(output)).mode & 0o777).toBe(0o600);
  });
});

async function* rowsOf(...batches: (readonly [number, ...string[]])[][]): TextRows {
  for (const batch of batches) yield batch.map(([number, ...texts]) => ({ number, texts }));
}

describe('sheets of a text workbook', () => {
  test('a table longer than a sheet goes on in the next', async () => {
    const path = join(folder, 'long.xlsx');
    const places = placesOf('long.csv', 2);
    const names = await writeTextWorkbook(path, {
      file: 'long.csv',
      rows: rowsOf(
        [
          [1, 'h'],
          [2, 'a'],
        ],
        [[3, 'b']],
        [[6, 'c']],
      ),
      places,
      header: 1,
    });
    expect(names).toEqual(['long', 'long 2', 'long 3']);
    expect(await cellsOf(path)).toEqual({
      long: { A1: 'text h', A2: 'text a' },
      'long 2': { A1: 'text b' },
      'long 3': { A2: 'text c' },
    });
    await rm(path);
  });

  test.each([
    ['usuarios.csv', 'usuarios'],
    ["'a/b[1]:*?.csv", 'a b 1'],
    ['un nombre muy largo que no cabe en una hoja.txt', 'un nombre muy largo que no'],
    ['.csv', 'Datos'],
  ])('%s is called %s', (file, name) => {
    expect(placesOf(file).sheetOf(1)).toBe(name);
  });
});
