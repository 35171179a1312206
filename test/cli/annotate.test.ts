import { statSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { run as check } from '../../src/cli/commands/check.js';
import { run as send } from '../../src/cli/commands/send.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { cellsOf } from '../report/annotate-reading.js';
import { editedSample, workbookOf } from '../support/edit-workbook.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';

const STATE = 'Estado (cargue)';

const codes = ({ events }: Fake): unknown[] =>
  events().flatMap(({ event, code }) => (event === 'issue' ? [code] : []));

/** The state column of a copy, by row. */
async function statesOf(path: string): Promise<Map<number, string>> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(path);
  const sheet = book.worksheets[0]!;
  const states = new Map<number, string>();
  let column = 0;
  sheet.getRow(1).eachCell((cell, at) => {
    if (cell.value === STATE) column = at;
  });
  sheet.eachRow((row, number) => {
    if (number > 1) states.set(number, String(row.getCell(column).value ?? ''));
  });
  return states;
}

test('check --annotate says what became of each row, and can be checked again', async () => {
  const input = await editedSample({ O17: '1.75O.905', C5: null, A28: 'TOTAL' });
  const copy = join(freshFolder(), 'copia.xlsx');
  const first = fake();
  expect(await check(first.context, [input], { ...WIDE, json: true, annotate: copy })).toBe(1);
  const states = await statesOf(copy);
  expect(states.get(17)).toBe('Con errores');
  expect(states.get(5)).toBe('Con errores');
  expect(states.get(2)).toBe('Correcto');
  expect(states.get(28)).toMatch(/^Omitido/);
  if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600);

  const again = fake();
  expect(await check(again.context, [copy], { ...WIDE, json: true })).toBe(1);
  expect(codes(again)).toEqual(codes(first));
  const [before] = Object.values(await cellsOf(input));
  const [after] = Object.values(await cellsOf(copy));
  expect(after).toMatchObject(before!);
});

test('a CSV gets a copy in Excel, its leading zeros kept', async () => {
  const { writeFileSync } = await import('node:fs');
  const folder = freshFolder();
  const input = join(folder, 'nomina.csv');
  writeFileSync(
    input,
    'Número documento;Primer apellido;Días trabajados;Código municipio\n0012;Ruiz;treinta;05001\n',
  );
  const copy = join(folder, 'copia.xlsx');
  expect(await check(fake().context, [input], { ...WIDE, json: true, annotate: copy })).toBe(1);
  const [cells] = Object.values(await cellsOf(copy));
  expect(cells).toMatchObject({ A2: 'text 0012', D2: 'text 05001' });
  expect((await statesOf(copy)).get(2)).toBe('Con errores');
});

test('send --annotate brings every CUNE home to its row', async () => {
  await using sandbox = await disposable();
  const copy = join(freshFolder(), 'copia.xlsx');
  const call = fake({ url: sandbox.url, token: sandbox.token, workspace: freshFolder() });
  const options = {
    ...WIDE,
    json: true,
    yes: true,
    testSet: 'set-1',
    report: join(freshFolder(), 'r.xlsx'),
    annotate: copy,
  };
  expect(await send(call.context, [SAMPLE], options)).toBe(0);
  const states = [...(await statesOf(copy)).values()];
  expect(states).toHaveLength(25);
  for (const state of states) expect(state).toMatch(/^Aceptado [0-9a-f]{96}$/);
});

test('one copy, one file; and never over the input', async () => {
  const input = await workbookOf([['Número documento']]);
  const calls = [
    check(fake().context, [input, SAMPLE], { ...WIDE, annotate: 'x.xlsx' }),
    check(fake().context, [input], { ...WIDE, annotate: input }),
  ];
  const codes = await Promise.all(
    calls.map((call) =>
      call.then(
        () => '',
        (error: { issues: { code: string }[] }) => error.issues[0]?.code,
      ),
    ),
  );
  expect(codes).toEqual(['run/annotate-one-file', 'run/output-is-input']);
});

async function disposable() {
  const sandbox = await startSandbox();
  return { url: sandbox.url, token: sandbox.token, [Symbol.asyncDispose]: () => sandbox.close() };
}
