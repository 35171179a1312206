import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActView, Change, EditsView, TableRows, UploadView } from '../../src/web/api.js';
import { freshFolder } from '../cli/run-cli.js';
import { PARAMS, sampleCsv } from '../cli/sample.js';
import { childProgram } from '../support/child-program.js';
import { zipOf } from '../support/zip-writer.js';
import { ended, type Visit, visit } from './visit.js';

const SERVER = new URL('./metered-server.ts', import.meta.url);

/** Longest time in which the server may answer nobody, where all cores are busy; alone it is below 200 ms. */
const MAX_STALL_MS = 1000;

/** The sample's month of 25 people, again and again. */
async function longMonth(rows: number): Promise<Buffer> {
  const file = await sampleCsv((grid) => {
    const [header = [], ...people] = grid.splice(0);
    grid.push(header);
    for (let row = 0; row < rows; row += 1) grid.push(people[row % people.length]!);
  });
  return readFileSync(file);
}

/** A table of words that mean nothing, as many columns as rows are few. */
const wideTable = (columns: number, rows: number): string[][] =>
  Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns }, (_, at) =>
      row === 0 ? `Concepto ${at} valor pagado` : String(row * at + 1000),
    ),
  );

const wideCsv = (columns: number, rows: number): Buffer =>
  Buffer.from(
    wideTable(columns, rows)
      .map((row) => row.join(','))
      .join('\n'),
  );

/** A small file that unpacks to a sheet of many filled cells, all of them texts of its own. */
const hostileWorkbook = (columns: number, rows: number): Buffer =>
  zipOf([
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Hoja1" sheetId="1" r:id="s"/></sheets></workbook>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${wideTable(
        columns,
        rows,
      )
        .map((row) => `<row>${row.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`)
        .join('')}</sheetData></worksheet>`,
    },
  ]);

let server: ChildProcess;
let ask: Visit;

beforeAll(async () => {
  server = fork(await childProgram(SERVER), [freshFolder()], { execArgv: [] });
  const [{ link }] = (await once(server, 'message')) as [{ link: string }];
  ask = await visit(link);
});

afterAll(() => {
  server.disconnect();
});

async function longestStall(): Promise<number> {
  const said = once(server, 'message') as Promise<[{ stallMs: number }]>;
  server.send({});
  return (await said)[0].stallMs;
}

/** Asks for something cheap all the while, as the other screens do. */
async function whileAsked<T>(id: string, work: Promise<T>): Promise<{ answers: number; longestMs: number }> {
  let isOver = false;
  void work
    .catch(() => undefined)
    .then(() => {
      isOver = true;
    });
  let [answers, longestMs] = [0, 0];
  while (!isOver) {
    const start = performance.now();
    await ask('GET', `/uploads/${id}`);
    longestMs = Math.max(longestMs, performance.now() - start);
    answers += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await work;
  return { answers, longestMs };
}

const act = (id: string, name: string) => async () =>
  ended(ask, await ask<ActView>('POST', `/uploads/${id}/acts/${name}`, {}));

/** What people do with a file, in the order of the screens. */
async function steps(id: string, name: string, isRead: boolean): Promise<[string, () => Promise<unknown>][]> {
  const edit: Change = { file: name, sheet: null, row: 2, column: 'V', text: '1750900' };
  return [
    ['inspect', act(id, 'inspect')],
    ['tables', () => ask('GET', `/uploads/${id}/tables`)],
    ['rows', () => ask<TableRows>('GET', `/uploads/${id}/rows?name=${name}`)],
    ['check', act(id, 'check')],
    ...(isRead
      ? ([
          ['edit', () => ask<EditsView>('PUT', `/uploads/${id}/edits`, [edit])],
          ['send', act(id, 'send')],
        ] as [string, () => Promise<unknown>][])
      : []),
  ];
}

describe('a server that reads a file answers all others meanwhile', () => {
  test.each([
    ['a month of many rows', 'mes.csv', () => longMonth(100_000), true],
    ['a table of many columns', 'ancho.csv', async () => wideCsv(2000, 20), false],
    ['a hostile workbook', 'libro.xlsx', async () => hostileWorkbook(2000, 500), false],
  ] as const)(
    '%s',
    async (_, name, content, isRead) => {
      const { id } = await ask<UploadView>('POST', '/uploads', {});
      await ask('PUT', `/uploads/${id}/files?name=${name}`, await content());
      if (isRead) await ask('PUT', `/uploads/${id}/params`, JSON.parse(readFileSync(PARAMS, 'utf8')));
      const stalls: Record<string, number> = {};
      for (const [step, work] of await steps(id, name, isRead)) {
        await longestStall();
        const start = performance.now();
        const { answers, longestMs } = await whileAsked(id, work());
        stalls[step] = await longestStall();
        const figures = [performance.now() - start, stalls[step], longestMs].map(Math.round);
        console.log(
          `${name} ${step}: ${figures[0]} ms, stall ${figures[1]} ms, slowest of ${answers} answers ${figures[2]} ms`,
        );
      }
      const long = Object.entries(stalls).filter(([, stallMs]) => stallMs > MAX_STALL_MS);
      expect(long).toEqual([]);
      await ask('DELETE', `/uploads/${id}`);
    },
    600_000,
  );
});
