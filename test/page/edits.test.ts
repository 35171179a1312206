import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Change, EditsView, PageEvent, TableRows, TaskUpdate, UploadView } from '../../src/page/api.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import type { Row } from '../../src/toolkit/tables/table.js';
import { sampleCsv } from '../cli/sample.js';
import { FILE, SHEET, servedVisitor } from './demo-month.js';

const { ask, demo } = servedVisitor();

/** An act of an upload from its start to its end. */
async function task(upload: string, name: string, options: object = {}): Promise<readonly PageEvent[]> {
  const { id } = await ask<{ id: string }>('POST', `/uploads/${upload}/tasks/${name}`, { options });
  const text = await ask.text(`/task/${id}/events`);
  const turns = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as TaskUpdate);
  expect(turns.at(-1)!.task.failure).toEqual([]);
  return turns.flatMap(({ events }) => events);
}

const cell = (column: string, row: number, text: string): Change => ({
  file: FILE,
  sheet: SHEET,
  row,
  column,
  text,
});
const mend = (id: string, ...changes: readonly Change[]) =>
  ask<EditsView>('PUT', `/uploads/${id}/edits`, changes);
const errors = (events: readonly PageEvent[]) =>
  events
    .filter(({ event, level }) => event === 'issue' && level === 'error')
    .map(({ code, cell }) => [code, cell]);
const summary = (events: readonly PageEvent[]) => events.find(({ event }) => event === 'summary');

describe('what a person mends on the page', () => {
  test('is checked at once, and by the whole check, and can be taken back', async () => {
    const id = await demo();
    expect(errors(await task(id, 'check'))).toEqual([]);
    const { log, checked } = await mend(id, cell('V', 2, 'dos millones'));
    expect(log).toMatchObject([
      { changes: [{ row: 2, column: 'V', text: 'dos millones', before: '1750905', isFileText: false }] },
    ]);
    expect(checked?.rows).toEqual([{ file: FILE, sheet: SHEET, row: 2 }]);
    const wrong = [['cell/not-a-number', 'V2']];
    expect(checked!.issues.map(({ code, cell }) => [code, cell])).toEqual(wrong);
    expect(errors(await task(id, 'check'))).toEqual(wrong);
    const taken = await ask<EditsView>('DELETE', `/uploads/${id}/edits`);
    expect([taken.log, taken.checked?.issues]).toEqual([[], []]);
    expect(errors(await task(id, 'check'))).toEqual([]);
  });

  test('how a cell is read is answered at its issue, for all files, and can be taken back', async () => {
    const id = await demo();
    await mend(id, cell('E', 3, 'Nan'));
    const [error] = (await task(id, 'check')).filter(({ level }) => level === 'error');
    expect(error).toMatchObject({ code: 'cell/null-word-or-name', cell: 'E3', cure: 'answer' });
    const [[word, name]] = error!['readings'] as [[string, string]];
    const answered = await ask<UploadView>('PUT', `/uploads/${id}/answers`, { [word]: name });
    expect(answered.answers).toEqual({ 'read.Nan': 'name' });
    expect(errors(await task(id, 'check'))).toEqual([]);
    // It says nothing of the columns, even under the name of one of their questions.
    await ask('PUT', `/uploads/${id}/answers`, { 'read.time': '24h' });
    await task(id, 'inspect');
    expect(errors(await task(id, 'check'))).toEqual([]);
    await ask('PUT', `/uploads/${id}/answers`, { [word]: '' });
    expect(errors(await task(id, 'check'))).toEqual([['cell/null-word-or-name', 'E3']]);
  });

  test('stands in the rows that the page shows; the same text again is no change', async () => {
    const id = await demo();
    await mend(id, cell('E', 3, 'Ana'), cell('BZ', 3, 'aparte'));
    await mend(id, { file: FILE, sheet: SHEET, row: 4, leftOut: true });
    expect((await mend(id, cell('E', 3, 'Ana'))).log).toHaveLength(2);
    const { rows } = await ask<TableRows>(
      'GET',
      `/uploads/${id}/rows?name=${FILE}&sheet=${SHEET}&from=2&count=2`,
    );
    expect(rows[0]).toMatchObject({ number: 3, edited: [4, 77] });
    expect([rows[0]!.texts[4], rows[0]!.texts[77]]).toEqual(['Ana', 'aparte']);
    expect(rows[1]).toMatchObject({ number: 4, leftOut: true });
    await mend(id, cell('E', 3, 'Natalia'));
    const again = await ask<TableRows>('GET', `/uploads/${id}/rows?name=${FILE}&sheet=${SHEET}&numbers=3`);
    expect(again.rows[0]!.edited).toEqual([77]);
  });

  test.each([
    [FILE, SHEET, undefined],
    ['nomina.csv', null, sampleCsv],
  ] as const)('stands in the annotated copy of %s', async (file, sheet, made) => {
    const id = await demo();
    if (made !== undefined) {
      await ask('DELETE', `/uploads/${id}/files?name=${FILE}`);
      await ask('PUT', `/uploads/${id}/files?name=${file}`, readFileSync(await made(() => undefined)));
      await task(id, 'inspect');
    }
    const at = { file, sheet };
    await mend(
      id,
      { ...at, row: 3, column: 'E', text: 'Ana' },
      { ...at, row: 2, column: 'V', text: 'dos millones' },
      { ...at, row: 4, leftOut: true },
    );
    await task(id, 'check');
    const copy = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'copia.xlsx');
    writeFileSync(copy, await ask.bytes(`/uploads/${id}/outputs/revisado.xlsx`));
    const input = await openInput(copy);
    const rows: Row[] = [];
    for await (const batch of input.tables[0]!.batches()) rows.push(...batch);
    await input.close();
    expect([rows[1]!.texts[21], rows[2]!.texts[4]]).toEqual(['dos millones', 'Ana']);
    // A row that is no record keeps what it says, and what became of it stands beside it.
    expect(rows[3]!.texts[4]).toBeTruthy();
    expect(rows[3]!.texts.at(-1)).toMatch(/^Omitid/);
    expect(rows[1]!.texts.at(-1)).toBe('Con errores');
  });

  test('is what is sent', async () => {
    const id = await demo();
    await mend(id, { file: FILE, sheet: SHEET, row: 2, leftOut: true }, cell('E', 3, 'Ana'));
    const events = await task(id, 'send', { dryRun: true });
    expect(summary(events)).toMatchObject({
      records: { read: 25, used: 24, skipped: 1 },
      documents: { planned: 24, made: 24 },
    });
  });

  test('a document that is left out goes with all its rows, checked before or not', async () => {
    const folder = join('samples', 'payroll', 'conceptos');
    const file = 'acumulado_conceptos_oct2026.xlsx';
    const { id } = await ask<UploadView>('POST', '/uploads', {});
    await ask('PUT', `/uploads/${id}/files?name=${file}`, readFileSync(join(folder, file)));
    await ask('PUT', `/uploads/${id}/params`, JSON.parse(readFileSync(join(folder, 'params.json'), 'utf8')));
    const notAsked = ['DCTO. ALMACEN EL VECINO', 'APROVECHAMIENTO FDO ROTATORIO'];
    await ask(
      'PUT',
      `/uploads/${id}/answers`,
      Object.fromEntries(notAsked.map((concept) => [`class.${concept}`, 'ignore'])),
    );
    await task(id, 'inspect');
    const leftOut = async () => {
      const { log } = await ask<EditsView>('PUT', `/uploads/${id}/edits/left-out`, {
        file,
        sheet: 'LIQUIDACION',
        row: 20,
      });
      await ask('DELETE', `/uploads/${id}/edits`);
      return log.flatMap(({ changes }) => changes.map(({ row }) => row));
    };
    const unchecked = await leftOut();
    expect(unchecked.length).toBeGreaterThan(1);
    await task(id, 'check');
    expect(await leftOut()).toEqual(unchecked);
  });

  test('who follows what went with a file is told that it is gone', async () => {
    expect(await ask.text('/task/of-a-file-that-was-replaced/events')).toMatch(/^event: gone$/m);
  });

  test('is of the first sheet where none is named', async () => {
    const id = await demo();
    const { log } = await mend(id, { ...cell('E', 3, 'Ana'), sheet: null });
    expect(log).toMatchObject([{ changes: [{ sheet: SHEET, before: 'Natalia' }] }]);
    const { sheet, rows } = await ask<TableRows>('GET', `/uploads/${id}/rows?name=${FILE}&numbers=3`);
    expect([sheet, rows[0]!.texts[4]]).toEqual([SHEET, 'Ana']);
  });

  test('goes with the file that it was made in', async () => {
    const id = await demo();
    await mend(id, cell('E', 3, 'Ana'));
    await ask('DELETE', `/uploads/${id}/files?name=${FILE}`);
    expect((await ask<EditsView>('GET', `/uploads/${id}/edits`)).log).toEqual([]);
  });

  describe('is refused', () => {
    let id: string;
    beforeAll(async () => {
      id = await demo();
    });

    test.each<[string, unknown]>([
      ['nothing', []],
      ['no place', [{ text: 'x' }]],
      ['no column', [{ ...cell('A', 2, 'x'), column: '../A' }]],
      ['row zero', [cell('A', 0, 'x')]],
    ])('where it is %s', async (_, body) => {
      await expect(ask('PUT', `/uploads/${id}/edits`, body)).rejects.toThrow('400');
    });
  });
});
