import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Change, EditsView, TableRows, TaskUpdate, TaskView, UploadView } from '../../src/page/api.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { freshFolder } from '../cli/run-cli.js';
import { columnOf, PARAMS, sampleCsv } from '../cli/sample.js';
import { childProgram } from '../support/child-program.js';
import { zipOf } from '../support/zip-writer.js';
import { ended, type Visit, visit } from './visit.js';

const SERVER = new URL('./metered-server.ts', import.meta.url);

const MONTH_ROWS = 100_000;

const SENT_ROWS = 8_000;

/** Longest time in which the server may answer nobody, where all cores are busy; alone it is below 200 ms. */
const MAX_STALL_MS = 1000;

const FAULTY = 4;

/** The sample's month of 25 people with ever new numbers; in each row of a multiple of `faulty` an amount cannot be read. */
async function longMonth(rows: number, faulty = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const file = await sampleCsv((grid) => {
    const [header = [], ...people] = grid.splice(0);
    grid.push(header);
    const [number, salary] = [columnOf(grid, 'Número documento'), columnOf(grid, 'Sueldo mensual')];
    for (let row = 0; row < rows; row += 1) {
      const person = [...people[row % people.length]!];
      person[number] = String(1_000_000_000 + row);
      if ((row + 1) % faulty === 0) person[salary] = '1.5OO.000';
      grid.push(person);
    }
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
let sandbox: Sandbox;
let ask: Visit;

beforeAll(async () => {
  sandbox = await startSandbox();
  const given = [freshFolder(), sandbox.url, sandbox.token];
  server = fork(await childProgram(SERVER), given, {
    execArgv: [],
  });
  const [{ link }] = (await once(server, 'message')) as [{ link: string }];
  ask = await visit(link);
});

afterAll(async () => {
  server.disconnect();
  await sandbox.close();
});

async function longestStall(): Promise<number> {
  const said = once(server, 'message') as Promise<[{ stallMs: number }]>;
  server.send({});
  return (await said)[0].stallMs;
}

/** Asks for something cheap all the while, as the other screens do. */
async function whileAsked<T>(id: string, work: Promise<T>) {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  void work.then(end, end);
  let [answers, longestMs] = [0, 0];
  while (!isOver) {
    const start = performance.now();
    await ask('GET', `/uploads/${id}`);
    longestMs = Math.max(longestMs, performance.now() - start);
    answers += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { result: await work, answers, longestMs };
}

/** Runs an act to its end; returns the codes of what stopped it, or its outcome. */
const task =
  (id: string, name: string, options: object = {}) =>
  async (): Promise<readonly string[]> => {
    const text = await ended(ask, await ask<TaskView>('POST', `/uploads/${id}/tasks/${name}`, { options }));
    const turns = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as TaskUpdate);
    const { outcome, failure } = turns.at(-1)!.task;
    return failure.length > 0 ? failure.map(({ code }) => code) : [outcome ?? ''];
  };

type Step = readonly [name: string, work: () => Promise<unknown>, comesTo?: readonly string[]];

/** What people do with a file, in the order of the screens. */
const looks = (id: string, name: string): readonly Step[] => [
  ['tables', () => ask('GET', `/uploads/${id}/tables`)],
  ['rows', () => ask<TableRows>('GET', `/uploads/${id}/rows?name=${name}`)],
];

const readMonth = (id: string, name: string): readonly Step[] => {
  const edit: Change = { file: name, sheet: null, row: 3, column: 'O', text: '1750900' };
  return [
    ['inspect', task(id, 'inspect'), ['fine']],
    ...looks(id, name),
    ['check', task(id, 'check'), ['data-errors']],
    ['edit', () => ask<EditsView>('PUT', `/uploads/${id}/edits`, [edit])],
  ];
};

/** Laying out takes a number for each document; nobody takes the last yes back. */
const sendMonth = (id: string, name: string): readonly Step[] => [
  ['inspect', task(id, 'inspect'), ['fine']],
  ...looks(id, name),
  ['dry run', task(id, 'send', { dryRun: true }), ['fine']],
  ['send', task(id, 'send'), ['fine']],
  ['dry run beside what was sent', task(id, 'send', { dryRun: true }), ['fine']],
];

/** Whatever it is, it is no month. */
const inspectStrange =
  (code: string) =>
  (id: string, name: string): readonly Step[] => [
    ['inspect', task(id, 'inspect'), [code]],
    ...looks(id, name),
  ];

describe('a server that reads a file answers all others meanwhile', () => {
  test.each([
    ['a month of many rows', 'mes.csv', () => longMonth(MONTH_ROWS, FAULTY), readMonth],
    ['a month that is sent', 'envio.csv', () => longMonth(SENT_ROWS), sendMonth],
    [
      'a table of many columns',
      'ancho.csv',
      async () => wideCsv(400, 100),
      inspectStrange('inspect/nothing-found'),
    ],
    [
      'a hostile workbook',
      'libro.xlsx',
      async () => hostileWorkbook(1000, 500),
      inspectStrange('inspect/too-many-columns'),
    ],
  ] as const)(
    '%s',
    async (_, name, content, steps) => {
      const { id } = await ask<UploadView>('POST', '/uploads', {});
      await ask('PUT', `/uploads/${id}/files?name=${name}`, await content());
      await ask('PUT', `/uploads/${id}/params`, JSON.parse(readFileSync(PARAMS, 'utf8')));
      const stalls: (readonly [step: string, ms: number])[] = [];
      for (const [step, work, comesTo] of steps(id, name)) {
        await longestStall();
        const start = performance.now();
        const { result, answers, longestMs } = await whileAsked(id, work());
        const stallMs = await longestStall();
        stalls.push([step, stallMs]);
        const [took, stall, slowest] = [performance.now() - start, stallMs, longestMs].map(Math.round);
        console.log(
          `${name} ${step}: ${took} ms; stall ${stall} ms; slowest of ${answers} answers ${slowest} ms`,
        );
        if (comesTo !== undefined) expect([step, result]).toEqual([step, comesTo]);
      }
      expect(stalls.filter(([, ms]) => ms > MAX_STALL_MS)).toEqual([]);
      await ask('DELETE', `/uploads/${id}`);
    },
    600_000,
  );
});
