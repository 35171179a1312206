import { expect, test } from 'vitest';
import {
  defaultAnswer,
  likelyAnswers,
  type Question,
  takenLast,
} from '../../src/toolkit/inspect/question.js';
import { IGNORE } from '../../src/toolkit/tables/header.js';
import { look } from './answering.js';
import { gridsOf, insert, page, pick, rename, type Value, workbook } from './grid.js';

const [sample] = await gridsOf('samples/payroll/nomina-octubre-2026.xlsx');
const bare = pick(
  sample!,
  sample!.labels.filter(
    (label) => !/^(HE|RN)|cooperativa|otras deducciones|bonific|auxilio (no )?salarial|prima/i.test(label),
  ),
);

/** The likely answers for one more column of the sample; `aside` where it is left out without a question. */
async function likelyFor(label: string, value: (row: number) => Value): Promise<readonly string[] | string> {
  const { open, labels } = await look([await workbook([page(insert(bare, 12, label, value))])]);
  const question = open.find(({ aliases }) => aliases?.includes(label));
  const fit = labels.find((one) => one.label === label);
  return question === undefined
    ? (fit?.means ?? 'aside')
    : likelyAnswers(question).flatMap(({ value: one }) => (one === IGNORE ? [] : [one]));
}

test.each<[string, (row: number) => Value, readonly string[] | string]>([
  ['Fondo de empleados', (row) => 20000 + row, ['cooperative', 'other_deduction']],
  ['Horas extra', (row) => 61000 + row * 7, ['hed_value', 'hen_value']],
  ['ARL', (row) => 9100 + row, 'aside'],
  ['Caja de compensación', (row) => 70100 + row, 'aside'],
  ['Salud empresa', (row) => 110100 + row, 'aside'],
])('%s', async (label, value, expected) => {
  const found = await likelyFor(label, value);
  expect(typeof found === 'string' ? found : found.slice(0, expected.length)).toEqual(expected);
});

test.each([
  'Fecha fin contrato',
  'Fecha fin de contrato',
  'Fin contrato',
  'Vencimiento contrato',
  'Fecha terminación de contrato',
  'End date of contract',
])('the day on which a contract expires is asked about without a default: %s', async (label) => {
  const expires = (row: number): Value => (row % 4 === 0 ? '2027-01-19' : null);
  const { open } = await look([await workbook([page(insert(bare, 12, label, expires))])]);
  const question = open.find(({ aliases }) => aliases?.includes(label));
  expect(question?.batch).toBeUndefined();
  expect(question && (defaultAnswer(question) ?? 'none')).toBe('none');
});

const DAYS = 'Días trabajados';

test.each<[string, Record<string, string>, (paid: number, row: number) => number, boolean]>([
  [
    'some are paid for less than the month',
    { Salario: 'base_salary', Sueldo: 'salary' },
    (paid) => paid,
    true,
  ],
  // Another month will tell; this one cannot.
  ['all are paid for the month', { Salario: 'base_salary', Sueldo: 'salary' }, () => 0, false],
  [
    'the amounts are of neither',
    { Salario: '', Sueldo: '' },
    (paid, row) => paid + 90000 + row * 7000,
    false,
  ],
])('which of two salaries is paid for the days, where %s', async (_, meant, amount, isShown) => {
  const { labels, rows } = sample!;
  const at = (label: string): number => labels.indexOf(label);
  const changed = rows.map((row, index) =>
    row.map((value, column): Value => {
      if (column === at('Salario devengado'))
        return amount(Number(value), index) || row[at('Sueldo mensual')]!;
      return column === at(DAYS) && amount(1, 0) === 0 ? 30 : value;
    }),
  );
  const names = { 'Sueldo mensual': 'Salario', 'Salario devengado': 'Sueldo' };
  const { open } = await look([await workbook([page(rename({ ...sample!, rows: changed }, names))])]);
  for (const [label, id] of Object.entries(meant)) {
    const question = open.find(({ aliases }) => aliases?.includes(label))!;
    const [first] = question.answers;
    expect([label, (first!.score ?? 0) >= 0.7]).toEqual([label, isShown]);
    if (isShown) expect([label, first!.value]).toEqual([label, id]);
  }
});

/** The sample with its two salaries under other titles, all paid for the whole month. */
const wholeMonth = (agreed: string, paid: string): Promise<string> => {
  const { labels, rows } = sample!;
  const [from, to] = ['Sueldo mensual', 'Salario devengado'].map((label) => labels.indexOf(label));
  const full = rows.map((row) => labels.map((_, at) => row[at === to ? from! : at] ?? null));
  return workbook([
    page(rename({ ...sample!, rows: full }, { 'Sueldo mensual': agreed, 'Salario devengado': paid })),
  ]);
};

test('two salaries that are equal in every record are asked, and the answer for one settles the other', async () => {
  const file = await wholeMonth('BÁSICO', 'SUELDO');
  const { open, labels } = await look([file]);
  const asked = open.filter(({ aliases = [] }) => aliases.includes('BÁSICO') || aliases.includes('SUELDO'));
  expect(asked.map((one) => [defaultAnswer(one), likelyAnswers(one).map(({ value }) => value)])).toEqual([
    [undefined, expect.arrayContaining(['base_salary', 'salary'])],
    [undefined, expect.arrayContaining(['base_salary', 'salary'])],
  ]);
  const { id } = labels.find(({ label }) => label === 'BÁSICO')!;
  const answered = await look([file], new Map([[id, 'base_salary']]));
  expect(answered.labels.find(({ label }) => label === 'SUELDO')).toMatchObject({ means: 'salary' });
});

test.each([
  ['Sueldo mensual', 'Salario devengado'],
  ['Salario', 'Salario devengado'],
])('%s and %s say which they are, equal or not', async (agreed, paid) => {
  const { labels } = await look([await wholeMonth(agreed, paid)]);
  const meant = [agreed, paid].map((label) => labels.find((one) => one.label === label)!.means);
  expect(meant).toEqual(['base_salary', 'salary']);
});

test('a letter of a list is asked about with the concepts that it stands beside', async () => {
  const labels = ['Cédula', 'Nombre completo', 'Concepto', 'Naturaleza', 'Cantidad', 'Valor'];
  const rows = ['79000001', '79000002', '79000003'].flatMap((document) => [
    [document, 'RIOS VEGA LUIS', 'SUELDO', 'P', 30, 2000000],
    [document, 'RIOS VEGA LUIS', 'SALUD', 'D', null, 80000],
    [document, 'RIOS VEGA LUIS', 'PENSION', 'D', null, 80000],
  ]);
  const file = await workbook([page({ name: 'Mov', labels, rows })]);
  const { open } = await look([file], new Map([['lines.D', 'nature']]));
  const shown = open
    .filter(({ id }) => id.startsWith('class.'))
    .map(({ id, samples }) => [id, ...samples.map(({ text }) => text)]);
  expect(shown).toEqual([
    ['class.P', 'SUELDO'],
    ['class.D', 'SALUD', 'PENSION'],
  ]);
});

// Whether it is salary is not said; another bonus than that of the law.
test.each(['Bono', 'Auxilio', 'Prima extralegal'])('%s has no default', async (label) => {
  const { open } = await look([await workbook([page(insert(bare, 12, label, (row) => 90000 + row * 31))])]);
  const question = open.find(({ aliases }) => aliases?.includes(label))!;
  expect([question.likely > 1, defaultAnswer(question), question.batch]).toEqual([
    true,
    undefined,
    undefined,
  ]);
});

test.each(['CESANTIAS 8.33%', 'Prima 8,33%', 'VACACIONES 4.17%', 'Intereses 1%', 'ARL 0.522%', 'Caja 4%'])(
  '%s is left aside as the provision or cost that its rate says',
  async (label) => {
    const found = await look([await workbook([page(insert(bare, 12, label, (row) => 90000 + row * 31))])]);
    expect(found.labels.find((one) => one.label === label)).toMatchObject({
      state: 'ignored',
      reason: 'declined',
    });
  },
);

test('two columns that seem the same are no defaults: one Enter after another would add them up', async () => {
  const labels = ['Número documento', 'Inicio', 'Fin', 'Días disfrutados', 'Días pendientes', 'Valor'];
  const rows = sample!.rows
    .slice(0, 4)
    .map((row, at) => [row[1]!, '2026-10-05', '2026-10-09', 5, 10 + at, 300000 + at]);
  const file = await workbook([page(bare), page({ name: 'Vacaciones', labels, rows })]);
  const { open } = await look([file]);
  const shown = open.filter(({ aliases }) => aliases?.some((label) => label.startsWith('Días ')));
  expect(shown.map((question) => [question.answers[0]!.value, defaultAnswer(question)])).toEqual([
    ['quantity', undefined],
    ['quantity', undefined],
  ]);
  // What one of them is said to be is not offered first for the other.
  const [one, other] = shown as [Question, Question];
  const after = await look([file], new Map([[one.id, 'quantity']]));
  const left = after.open.find(({ id }) => id === other.id)!;
  expect(left.answers.find(({ value }) => value === 'quantity')).toHaveProperty('takenBy');
  // Also what nobody would think of first says that it is taken.
  const rest = left.answers.slice(left.likely).find(({ value }) => value === 'document');
  expect(rest).toMatchObject({ takenBy: 'Número documento', reason: expect.stringContaining('solo una') });
  expect([takenLast(left).answers[0]!.value === 'quantity', defaultAnswer(left), left.batch]).toEqual([
    false,
    undefined,
    undefined,
  ]);
});

const onDay = (row: number): Date => new Date(Date.UTC(2026, 9, 5 + (row % 20)));

// Titles of several dates begin so.
test.each(['Fecha', 'Fecha inicio'])('%s has no default', async (label) => {
  const { open } = await look([await workbook([page(insert(bare, 12, label, onDay))])]);
  const question = open.find(({ aliases }) => aliases?.includes(label))!;
  expect([question.likely > 1, defaultAnswer(question)]).toEqual([true, undefined]);
});

test('a date whose title says which it is has its answer', async () => {
  const { labels } = await look([await workbook([page(insert(bare, 12, 'Fec. de pago', onDay))])]);
  expect(labels.find(({ label }) => label === 'Fec. de pago')).toMatchObject({ means: 'payment_date' });
});
