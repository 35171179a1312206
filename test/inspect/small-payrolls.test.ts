import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultAnswer, NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { proposeFor } from '../support/opened-files.js';

/** Labels of small payrolls, each decided by one thing: words, amounts, order, group, neighbours. */

const ready = [{ name: 'payroll/wide', mapping: await loadMapping('mappings/payroll/wide.yaml') }];
const folder = mkdtempSync(join(tmpdir(), 'cargue-small-'));

type Cells = readonly (string | number)[];

const PEOPLE: Readonly<Record<string, Cells>> = {
  'Número documento': [52111222, 79333444, 1010555666, 80222333],
  'Primer nombre': ['Ana', 'Luis', 'Eva', 'Juan'],
  'Primer apellido': ['Ruiz', 'Paz', 'Gil', 'Mora'],
};
const DAYS = [30, 15, 10, 30];
const MONTHLY = [1_500_000, 2_400_000, 3_000_000, 4_000_000];
/** The share of the days of each month. */
const PAID = [1_500_000, 1_200_000, 1_000_000, 4_000_000];
const OTHER = [100_000, 200_000, 2_500_000, 3_500_000];
const DATES = ['2020-01-15', '2019-03-01', '2021-07-20', '2018-11-05'];

const JOBS = ['Operario', 'Auxiliar', 'Operario', 'Jefe'];

/** Writes labels, with their groups above them, over their cells. */
function fileOf(columns: Readonly<Record<string, Cells>>): string {
  const labels = Object.keys(columns).map((text) => text.split(' / '));
  const groups = labels.map((parts) => (parts.length > 1 ? parts[0] : ''));
  const rows = MONTHLY.map((_, at) => Object.values(columns).map((cells) => cells[at]));
  const lines = [...(groups.some(Boolean) ? [groups] : []), labels.map((parts) => parts.at(-1)), ...rows];
  const file = join(mkdtempSync(join(folder, 'file-')), 'nomina.csv');
  writeFileSync(file, lines.map((line) => line.join(';')).join('\n'));
  return file;
}

/** Finds, for each label after the people, what it means or may mean, with the default in brackets, and why. */
async function decisionsIn(columns: Readonly<Record<string, Cells>>): Promise<Record<string, string>> {
  const { labels, open } = await proposeFor([fileOf({ ...PEOPLE, ...columns })], {
    ready,
    answers: NO_ANSWERS,
    language: 'es',
    name: 'prueba',
  });
  const isPerson = (label = ''): boolean => label in PEOPLE;
  return Object.fromEntries(
    labels
      .filter(({ label }) => !isPerson(label))
      .map(({ id, label, state, reason, means }) => {
        const question = open.find((item) => item.id === id);
        const likely = question?.answers.slice(0, question.likely).map(({ value }) => value) ?? [];
        const usual = question && defaultAnswer(question);
        const shown = likely.map((value) => (value === usual ? `[${value}]` : value));
        return [label ?? '', `${state} by ${reason}: ${means ?? shown.join(' ')}`.trim()];
      }),
  );
}

test.each<[what: string, columns: Record<string, Cells>, decisions: Record<string, string>]>([
  [
    'the share of the days tells the pay from the salary, before or after the days',
    { Salario: MONTHLY, 'Días trabajados': DAYS, Sueldo: PAID },
    {
      Salario: 'open by likely: [base_salary] ignore salary other_salary_concept salary_bonus',
      'Días trabajados': 'decided by words: worked_days',
      Sueldo: 'open by likely: [salary] ignore base_salary other_salary_concept salary_bonus',
    },
  ],
  [
    'the share comes first',
    { Salario: PAID, Sueldo: MONTHLY, 'Días trabajados': DAYS },
    {
      Salario: 'open by likely: [salary] ignore base_salary other_salary_concept salary_bonus',
      Sueldo: 'open by likely: [base_salary] ignore salary other_salary_concept salary_bonus',
      'Días trabajados': 'decided by words: worked_days',
    },
  ],
  [
    'neither is the share of the other: no default',
    { Salario: OTHER, Sueldo: MONTHLY, 'Días trabajados': DAYS },
    {
      Salario: 'open by contested: base_salary salary ignore other_salary_concept salary_bonus',
      Sueldo: 'open by contested: base_salary salary ignore other_salary_concept salary_bonus',
      'Días trabajados': 'decided by words: worked_days',
    },
  ],
  [
    'a date by a word of several fields; documents under a word that says nothing; amounts are never ignored',
    {
      Fecha: DATES,
      Qwz: [52111223, 79333445, 1010555667, 80222334],
      Xyz: [0, 3, 0, 2],
      'Días trabajados': DAYS,
      Cargo: JOBS,
      Sueldo: MONTHLY,
    },
    {
      Fecha: 'open by rival: payment_date ignore admission_date retirement_date payroll_start',
      Qwz: 'open by amounts: employer_nit ignore document',
      Xyz: 'open by amounts: ignore',
      'Días trabajados': 'decided by words: worked_days',
      Cargo: 'decided by words: position',
      Sueldo: 'open by needed: [base_salary] salary ignore other_salary_concept salary_bonus',
    },
  ],
  [
    'names of a fund are no amounts of health',
    { EPS: ['Sura', 'Nueva EPS', 'Sura', 'Sanitas'], Salud: ['Sura', 300, 'Sura', 'x'], Cargo: JOBS },
    {
      EPS: 'ignored by text: [ignore] health',
      Salud: 'open by content: health ignore',
      Cargo: 'decided by words: position',
    },
  ],
  [
    'a group says whose the hours and dates are',
    {
      'HED / Horas': [2, 0, 4, 8],
      'HED / Valor': [25_000, 0, 50_000, 100_000],
      'VACACIONES / Desde': ['2026-10-01', '', '2026-10-05', '2026-10-10'],
      'VACACIONES / Hasta': ['2026-10-02', '', '2026-10-06', '2026-10-12'],
      'VACACIONES / Cod': ['D01', 'D02', 'D01', 'D03'],
      'VACACIONES / Obs': ['x', '', 'x', ''],
    },
    {
      Horas: 'decided by words: hed_hours',
      Valor: 'decided by words: hed_value',
      Desde: 'open by needed: [vacation_start] ignore payroll_end admission_date retirement_date',
      Hasta: 'open by needed: [vacation_end] ignore payroll_start admission_date retirement_date',
      Cod: 'open by likely: [worker_code] ignore',
      Obs: 'ignored by declined:',
    },
  ],
  [
    'a group of what is only provided for, or of nothing known',
    {
      'PROVISIONES / Basico': MONTHLY,
      'PROVISIONES / Devengado': OTHER,
      'OTROS / Fondo': ['uno', 'dos', 'tres', 'uno'],
      'OTROS / Horas': [2, 0, 4, 8],
      Cargo: JOBS,
      'Días trabajados': DAYS,
    },
    {
      Basico: 'open by section: salary ignore base_salary',
      Devengado: 'open by likely: [stated_accrued] ignore paid_advance other_non_salary_concept salary',
      Fondo: 'ignored by text: [ignore] other_concept_name',
      Horas: 'open by amounts: hed_hours ignore hen_hours hrn_hours heddf_hours',
      Cargo: 'decided by words: position',
      'Días trabajados': 'decided by words: worked_days',
    },
  ],
  [
    'a group of the other side of the payroll makes an amount doubtful, its own does not',
    {
      'DEVENGADOS / Comisiones': OTHER,
      'DEDUCCIONES / Auxilio de transporte': PAID,
      'DEDUCCIONES / Libranzas': OTHER,
      'GENERAL / Cargo': JOBS,
      'GENERAL / Días trabajados': DAYS,
    },
    {
      Comisiones: 'decided by words: commission',
      'Auxilio de transporte': 'open by section: transport ignore salary_aid',
      Libranzas: 'decided by words: order_value',
      Cargo: 'decided by words: position',
      'Días trabajados': 'decided by words: worked_days',
    },
  ],
  [
    'names of fields as programs run them together',
    {
      BASICO: MONTHLY,
      DIASTR: DAYS,
      HORDEV: PAID,
      CODEMP: ['001', '002', '003', '004'],
      NOMCAR: ['Jefe', 'Op', 'Op', 'Aux'],
    },
    {
      BASICO: 'open by needed: [salary] ignore base_salary',
      DIASTR: 'decided by words: worked_days',
      HORDEV: 'open by amounts: ignore',
      CODEMP: 'open by likely: [worker_code] ignore',
      NOMCAR: 'open by likely: [position] ignore',
    },
  ],
  [
    'totals of the columns before them, and a salary that a label nearly names',
    {
      'Sueldo básico': MONTHLY,
      'Días trabajados': DAYS,
      Comisiones: [50_000, 0, 0, 90_000],
      Suma: [1_550_000, 2_400_000, 3_000_000, 4_090_000],
      'Salud y pensión': [120_000, 192_000, 240_000, 320_000],
      'A pagar': [1_430_000, 2_208_000, 2_760_000, 3_770_000],
    },
    {
      'Sueldo básico': 'open by needed: [base_salary] ignore salary',
      'Días trabajados': 'decided by words: worked_days',
      Comisiones: 'decided by words: commission',
      Suma: 'open by rival: [stated_accrued] stated_deductions ignore stated_net',
      'Salud y pensión': 'open by amounts: health pension other_deduction ignore',
      'A pagar': 'decided by words: stated_net',
    },
  ],
])('%s', async (_, columns, decisions) => {
  expect(await decisionsIn(columns)).toEqual(decisions);
});
