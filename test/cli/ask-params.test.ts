import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { movedOn } from '../../src/app/ask-params.js';
import { loadReadyMappings } from '../../src/app/job.js';
import { lastValues } from '../../src/app/last-params.js';
import { PARAM_TYPES } from '../../src/generated/texts-issue.js';
import { addMonths } from '../../src/toolkit/core/plain-date.js';
import { type CompiledParam, choicesOf, columnsOf } from '../../src/toolkit/mapping/params.js';
import { type FakeOptions, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, PARAMS, SAMPLE, sampleCsv } from './sample.js';
import { check, mappingList, mappingShow } from './use-cases.js';

test.each([
  ['2026-10', 1, '2026-11'],
  ['2026-12', 1, '2027-01'],
  ['2026-10-31', 1, '2026-11-30'],
  ['2026-11-30', 1, '2026-12-31'],
  ['2026-01-30', 1, '2026-02-28'],
  ['2026-10-15', -2, '2026-08-15'],
  ['2026-10-31T23:59:59', 1, '2026-11-30T23:59:59'],
])('%s, %i months later', (text, months, expected) => expect(addMonths(text, months)).toBe(expected));

test('what goes on with the month is of dates; texts and numbers stay', () => {
  const params = new Map(
    Object.entries({ month: 'month', issue_date: 'date', payment_dates: 'table', prefix: 'text' }).map(
      ([name, type]) => [name, { spec: { type } as CompiledParam['spec'] }],
    ),
  );
  const before = { month: '2026-10', issue_date: '2026-10-31', payment_dates: '2026-10-15,2026-10-31' };
  expect(movedOn(params, { ...before, prefix: '2026-10' }, 1)).toEqual({
    month: '2026-11',
    issue_date: '2026-11-30',
    payment_dates: '2026-11-15,2026-11-30',
    prefix: '2026-10',
  });
});

const ask = async (lines: readonly string[], more: FakeOptions = {}, param: readonly string[] = []) => {
  const workspace = more.workspace ?? freshFolder();
  const call = fake({ workspace, lines, ...more });
  const code = await check(call.context, [SAMPLE], { param }).catch((error: unknown) => error);
  return { ...call, code, said: (await lastValues({ workspace }, {})).params };
};

/** In the order of the mapping: prefix, month, issue, payment, begin and end of overtime. */
const OCTOBER = ['NOM', 'octubre 2026', '31/10/2026', '30 de octubre de 2026', '', ''];

test('what is missing is asked for in words, offered again within the month, and as of the next one later', async () => {
  const workspace = freshFolder();
  const first = await ask(OCTOBER, { workspace });
  expect(first.code).toBe(0);
  expect(first.asked).toHaveLength(OCTOBER.length);
  expect(first.said).toEqual({
    prefix: 'NOM',
    month: '2026-10',
    issue_date: '2026-10-31',
    payment_date: '2026-10-30',
    overtime_start_time: '2026-10-01T00:00:00',
    overtime_end_time: '2026-10-31T23:59:59',
  });
  const again = await ask(['', '', '31/10/2026', '', '', ''], {
    workspace,
    now: () => new Date('2026-11-30T15:00:00Z'),
  });
  expect(again.said).toEqual(first.said);
  const now = () => new Date('2026-12-01T15:00:00Z');
  const second = await ask(['', '', '30/11/2026', '', '', ''], { workspace, now });
  expect(second.said).toEqual({
    prefix: 'NOM',
    month: '2026-11',
    issue_date: '2026-11-30',
    payment_date: '2026-11-30', // the thirtieth of October was not its last day
    overtime_start_time: '2026-11-01T00:00:00',
    overtime_end_time: '2026-11-30T23:59:59',
  });
});

test('what cannot be read is asked for again', async () => {
  const { asked, said, shown } = await ask(['NOM', 'trece', '2026-10', '31/31/2026', ...OCTOBER.slice(2)]);
  expect(asked).toHaveLength(OCTOBER.length + 2);
  expect(said).toMatchObject({ month: '2026-10', issue_date: '2026-10-31' });
  const told = shown.said().filter((line) => line.includes('«'));
  expect(told[0]).toBe('No se entiende «trece»: se espera un mes, como 2026-11 o noviembre de 2026.');
  expect(told.join()).not.toContain('-p ');
});

test('what is needed and left blank is asked for again', async () => {
  const { asked, code } = await ask(['', 'NOM', ...OCTOBER.slice(1)]);
  expect([code, asked[0], asked.length]).toEqual([0, asked[1], OCTOBER.length + 1]);
});

test('what stays open, and what a program asks, is an issue', async () => {
  const { code, asked } = await ask([]);
  expect(code).toMatchObject({ issues: [{ code: 'param/missing', params: { name: 'prefix' } }] });
  expect(asked.filter((question) => question === asked[0])).toHaveLength(3);
  const call = fake({ lines: OCTOBER });
  await expect(check(call.context, [SAMPLE], { json: true })).rejects.toMatchObject({ key: 'usage' });
  expect(call.asked).toEqual([]);
});

test('a file of last month is taken as of this one, but for what -p says', async () => {
  const workspace = freshFolder();
  const { context } = fake({ workspace });
  const params = join(freshFolder(), 'octubre.json');
  writeFileSync(params, readFileSync(PARAMS));
  await check(context, [SAMPLE], { params, month: 'noviembre 2026', param: ['payment_date=2026-11-27'] });
  expect((await lastValues({ workspace }, {})).params).toMatchObject({
    month: '2026-11',
    issue_date: '2026-11-30',
    payment_date: '2026-11-27',
    settlement_end_date: '2026-11-30',
    prefix: 'NOM',
  });
  await expect(check(context, [SAMPLE], { params, month: '2026-13' })).rejects.toMatchObject({
    issues: [{ code: 'param/wrong', params: { name: 'month' } }],
  });
});

test.each([
  ['payroll_period_id=Mensual', 5],
  ['payroll_period_id=4', '4'],
  ['municipality_id=11001', 149],
  ['municipality_id=medellín', 1],
  ['type_contract_id=indefinido', 2],
])('a value of a code list is given by its number, code or name: %s', async (said, id) => {
  const workspace = freshFolder();
  const call = fake({ workspace });
  await check(call.context, [SAMPLE], { params: PARAMS, param: [said] });
  expect((await lastValues({ workspace }, {})).params).toMatchObject({ [said.split('=')[0]!]: id });
});

test.each([
  ['document_type_id=12', 1],
  ['type_worker_id=12', 1],
  ['type_worker_id=1', 0],
  ['payment_method_id=10', 0],
])('a number that is one value, and the code of another, is told of: %s', async (said, told) => {
  const call = fake();
  await check(call.context, [SAMPLE], { params: PARAMS, param: [said] });
  expect(call.shown.said().filter((line) => line.includes('por su código es'))).toHaveLength(told);
});

test.each([['payroll_period_id=Anual'], ['municipality_id=San']])(
  'what a code list has not, or several times, is none of it: %s',
  async (said) => {
    const name = said.split('=')[0]!;
    await expect(check(fake().context, [SAMPLE], { params: PARAMS, param: [said] })).rejects.toMatchObject({
      issues: [{ code: 'param/not-in-list', params: { name }, value: said.split('=')[1] }],
    });
  },
);

test.each([
  ['octubre', '2026-10'],
  ['Noviembre', '2026-11'],
  ['dic.', '2025-12'],
  ['mayo', '2026-05'],
])('%s without a year is the latest one, which is said', async (word, month) => {
  const other = OCTOBER.with(1, word);
  const named = (shown: { said(): readonly string[] }): readonly string[] =>
    shown.said().filter((line) => line.startsWith('Mes: '));
  const year = month.slice(0, 4);
  const asked = await ask(other);
  expect(asked.said).toMatchObject({ month });
  expect(named(asked.shown)).toEqual([expect.stringContaining(year)]);
  const given = await ask(other.toSpliced(1, 1), {}, [`month=${word}`]);
  expect(given.said).toMatchObject({ month });
  const workspace = freshFolder();
  const { context, shown } = fake({ workspace });
  await check(context, [SAMPLE], { params: PARAMS, month: word });
  expect((await lastValues({ workspace }, {})).params).toMatchObject({ month });
  expect(named(shown)).toEqual([expect.stringContaining(year)]);
});

test('what is of a code list is answered by name or code, moments as people write them, several dates with commas', async () => {
  const file = await sampleCsv((grid) => {
    const [at, contract] = ['Tipo trabajador', 'Tipo contrato'].map((label) => columnOf(grid, label));
    for (const cells of grid.slice(1)) cells[contract!] = 'Término fijo'; // no apprentice among them
    for (const cells of grid) cells.splice(at!, 1);
  });
  const workspace = freshFolder();
  const lines = [
    ...OCTOBER.slice(0, 3),
    '15/10/2026, 30/10/2026',
    'dependient',
    'dependiente',
    '01/10/2026 8:00',
    '31/10/2026 23:59:59',
  ];
  const { context, shown } = fake({ workspace, lines });
  expect(await check(context, [file], {})).toBe(0);
  expect((await lastValues({ workspace }, {})).params).toMatchObject({
    payment_dates: '2026-10-15,2026-10-30',
    type_worker_id: 1,
    overtime_start_time: '2026-10-01T08:00:00',
    overtime_end_time: '2026-10-31T23:59:59',
  });
  expect(shown.said().join('\n')).toContain('¿Quiso decir Dependiente (01)');
});

test('defaults are said when they change', async () => {
  const workspace = freshFolder();
  const shows = async (param: readonly string[] = []) => {
    const { context, shown } = fake({ workspace });
    await check(context, [SAMPLE], { params: PARAMS, param });
    return shown.said().some((line) => line.includes('primero los apellidos'));
  };
  expect(await shows()).toBe(true);
  expect(await shows()).toBe(false);
  expect(await shows(['disability_type=2'])).toBe(true);
});

test('formats are said when they change, or where hardly a cell shows them', async () => {
  const workspace = freshFolder();
  /** So many amounts of the file show decimals, with that mark; the others are whole. */
  const shows = async (mark: string, cells: number) => {
    const { context, shown } = fake({ workspace });
    let left = cells;
    const file = await sampleCsv((grid) => {
      for (const row of grid)
        row.forEach((text, at) => {
          if (/^\d+\.\d+$/.test(text)) row[at] = left-- > 0 ? text.replace('.', mark) : text.split('.')[0]!;
        });
    });
    await check(context, [file], { params: PARAMS, mapping: 'payroll/wide' });
    return shown
      .said()
      .filter((line) => line.startsWith('Formatos leídos'))
      .join();
  };
  expect(await shows(',', 9)).toContain('decimales con coma');
  expect(await shows(',', 9)).toBe('');
  expect(await shows(',', 1)).toContain('decimales con coma');
  expect(await shows('.', 9)).toContain('decimales con punto');
});

test('mapping list and show tell of the ready-made ones, and of every parameter', async () => {
  const list = fake();
  await mappingList(list.context, [], {});
  expect(list.shown.out().some((line) => line.startsWith('payroll/wide\t'))).toBe(true);
  const show = fake();
  await mappingShow(show.context, ['payroll/wide'], {});
  const said = show.shown.said().join('\n');
  for (const name of ['month', 'issue_date', 'solidarity_fund']) expect(said).toContain(`-p ${name}=`);
  await expect(mappingShow(fake().context, ['payroll/wyde'], {})).rejects.toMatchObject({
    issues: [{ code: 'mapping/not-remembered', suggestions: [{ value: 'payroll/wide' }] }],
  });
});

test('every parameter of a ready-made mapping has a title in both languages, and its type, its choices and its columns are said in words', async () => {
  const params = (await loadReadyMappings()).flatMap(({ mapping }) => [...mapping.params.values()]);
  expect(params.length).toBeGreaterThan(100);
  for (const { name, spec } of params) {
    expect([name, spec.about?.es, spec.about?.en]).toEqual([name, expect.any(String), expect.any(String)]);
    for (const { value, title } of [...choicesOf(spec), ...(columnsOf(spec) ?? [])])
      expect([name, value, title.es === value]).toEqual([name, value, false]);
  }
  const types = params.flatMap(({ spec }) => (spec.choices || spec.columns ? [] : spec.type));
  expect(Object.keys(PARAM_TYPES)).toEqual(expect.arrayContaining(types));
});
