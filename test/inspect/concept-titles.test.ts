import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { withOpened } from '../../src/toolkit/documents/opened.js';
import type { HeadedSheet } from '../../src/toolkit/inspect/assign.js';
import { fitMapping } from '../../src/toolkit/inspect/fit.js';
import { answeredLabels } from '../../src/toolkit/inspect/label-questions.js';
import {
  Answering,
  defaultAnswer,
  likelyAnswers,
  NO_ANSWERS,
  type Question,
} from '../../src/toolkit/inspect/question.js';
import { placeSheets } from '../../src/toolkit/inspect/sheet-questions.js';
import { Survey } from '../../src/toolkit/inspect/survey.js';
import { wordQuestion } from '../../src/toolkit/inspect/word-questions.js';
import { READY } from './answering.js';
import { gridsOf, insert, page, pick, workbook } from './grid.js';

const readyMapping = (name: string) => READY.find((one) => one.name === name)!;
const wide = readyMapping('payroll/wide');
const long = readyMapping('payroll/long');
const multi = readyMapping('payroll/multi-sheet');

const [sample] = await gridsOf('samples/payroll/nomina-octubre-2026.xlsx');
const people = pick(sample!, sample!.labels.slice(0, sample!.labels.indexOf('Días trabajados') + 1));
const LABEL = 'Otra columna';
const SHEET = 'Otra hoja';
const amounts = insert(people, people.labels.length, LABEL, (row) => 90000 + row * 31);
const events = {
  name: SHEET,
  labels: ['Número documento', 'Valor'],
  rows: sample!.rows.slice(0, 4).map((row, at) => [row[1]!, 90000 + at]),
};

const sheetsOf = async (...grids: Parameters<typeof page>[0][]): Promise<readonly HeadedSheet[]> =>
  withOpened([await workbook(grids.map((grid) => page(grid)))], async (opened) => {
    const { sheets } = await new Survey(READY).under(opened, 'es', () => undefined);
    return sheets;
  });
const oneSheet = await sheetsOf(amounts);
const twoSheets = await sheetsOf({ ...people, name: 'Empleados' }, events);

const answering = (): Answering => new Answering({ ...NO_ANSWERS, given: new Map() });

/** `health`: taken without a question or by Enter; `health?`: asked, and offered first; `?`: asked, nothing is offered; `-`: left aside. */
function outcome(question: Question | undefined): string {
  if (question === undefined) return '-';
  const answer = defaultAnswer(question);
  if (answer !== undefined) return answer === 'ignore' ? '-' : answer;
  const [first] = likelyAnswers(question);
  const isOffered = first !== undefined && first.value !== 'ignore' && (first.score ?? 0) > 0;
  return isOffered ? `${first.value}?` : '?';
}

function columnOutcome(label: string): string {
  const sheets = oneSheet.map(({ sheet, header }) => ({
    sheet,
    header: header && { ...header, labels: header.labels.map((one) => (one === LABEL ? label : one)) },
  }));
  const fit = fitMapping(wide.name, wide.mapping, sheets);
  const { labels, open } = answeredLabels(fit.labels, fit, 'es', answering());
  const own = labels.find((one) => one.column === people.labels.length)!;
  return own.means ?? outcome(open.find(({ id }) => id === own.id));
}

const longFit = fitMapping(long.name, long.mapping, oneSheet);
const sorter = [...long.mapping.tables.values()].find(({ id }) => id === 'lines')!.columns.get('class')!;

function wordOutcome(word: string): string {
  const known = sorter.sorts!.classOf(word);
  if (known !== undefined) return known;
  const unknown = { kind: 'class' as const, sorters: [sorter], word, count: 1, place: {} };
  return outcome(wordQuestion(unknown, longFit, 'es'));
}

function sheetOutcome(label: string): string {
  const name = label.replace(/[/*?:[\]\\]/g, ' ').slice(0, 31);
  const sheets = twoSheets.map(({ sheet, header }) => ({
    header,
    sheet:
      sheet.name === SHEET
        ? { ...sheet, name, title: name, source: { ...sheet.source, sheet: name } }
        : sheet,
  }));
  const placed = placeSheets(fitMapping(multi.name, multi.mapping, sheets), answering(), 'es');
  const [own] = placed.fit.tables.filter(({ sheet }) => sheet.name === name);
  if (own !== undefined) return own.table.id;
  return outcome(placed.open.find(({ id }) => id === `sheet.${name}`));
}

/** Labels, with what each is taken for as the title of a column, as a word of a list and as the name of a sheet. */
const PROBE = [
  ['Bono NS', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['BONIF. NO PREST.', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bonif. no sal.', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bonificación no constitutiva de salario', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bonificación sin carácter salarial', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bonificación sin incidencia salarial', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bono no constitutivo', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bono no constitutivo de salario', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bonificación que no constituye salario', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bonif. mera liberalidad', 'non_salary_bonus', 'non_salary_bonus', 'non_salary_bonus'],
  ['Bono que constituye salario', 'salary_bonus', 'salary_bonus', 'salary_bonus'],
  ['Bonificación salarial', 'salary_bonus', 'salary_bonus', 'salary_bonus'],
  ['Bonificación constitutiva', 'salary_bonus', 'salary_bonus', 'salary_bonus?'],
  ['Bono', 'salary_bonus?', 'non_salary_bonus?', 'bonuses'],
  ['Bonificación', 'salary_bonus?', 'non_salary_bonus?', 'bonuses'],
  ['Bono navideño', 'salary_bonus?', '?', 'bonuses?'],
  ['Bono de productividad', 'salary_bonus?', '?', 'bonuses?'],
  ['Bonif. extralegal', 'salary_bonus?', '?', 'bonuses?'],
  ['Bono Sodexo', 'salary_bonus?', '?', 'bonuses?'],
  ['Bono Big Pass', 'salary_bonus?', '?', 'bonuses?'],
  ['Vales Sodexo', '?', '?', '?'],
  ['Vale de alimentación', '?', '?', '?'],
  ['Tarjeta Sodexo', '?', '?', '?'],
  ['Bono alimentación', 'salary_bonus?', '?', 'bonuses?'],
  ['Auxilio NS', 'non_salary_aid', 'non_salary_aid', 'non_salary_aid'],
  ['Aux. NS', 'non_salary_aid', 'non_salary_aid', 'non_salary_aid'],
  ['Aux. no prest.', 'non_salary_aid', 'non_salary_aid', 'non_salary_aid'],
  ['Auxilio sin incidencia salarial', 'non_salary_aid', 'non_salary_aid', 'non_salary_aid'],
  ['Auxilio educativo sin carácter salarial', 'non_salary_aid?', 'non_salary_aid', 'non_salary_aid?'],
  ['Aux. alimentación NS', 'non_salary_aid?', 'non_salary_aid?', 'non_salary_aid?'],
  ['Auxilio de transporte no salarial', 'non_salary_aid?', 'non_salary_aid', '?'],
  ['Aux. transp. no const.', 'non_salary_aid?', 'non_salary_aid', '?'],
  ['Auxilio', 'salary_aid?', 'non_salary_aid?', 'aid'],
  ['Auxilio funerario', 'salary_aid?', '?', 'aid?'],
  ['Auxilio óptico', 'salary_aid?', '?', 'aid?'],
  ['Auxilio educativo', 'salary_aid?', '?', 'aid?'],
  ['Auxilio de vivienda', 'non_salary_aid', 'non_salary_aid', 'non_salary_aid'],
  ['Auxilio salarial', 'salary_aid', 'salary_aid', 'salary_aid'],
  ['Rodamiento', 'non_salary_aid', 'non_salary_aid', 'non_salary_aid'],
  ['Rodamiento salarial', 'base_salary?', '?', 'other_salary_concept?'],
  ['Rodamiento NS', 'non_salary_aid?', 'non_salary_aid?', 'non_salary_bonus?'],
  ['Viáticos NS', 'non_salary_viatics', 'non_salary_viatics?', 'non_salary_bonus?'],
  ['Viáticos sin carácter salarial', 'non_salary_viatics', 'non_salary_viatics', 'non_salary_viatics'],
  ['Viáticos no const.', 'non_salary_viatics', 'non_salary_viatics', 'non_salary_viatics'],
  ['Viáticos salariales', 'salary_viatics', 'salary_viatics', 'salary_viatics'],
  ['Viáticos', 'salary_viatics?', 'salary_viatics?', 'viatics'],
  ['Otros ingresos NS', 'other_non_salary_concept', 'other_non_salary_concept?', '?'],
  ['Otros pagos no constitutivos', '?', '?', 'other_non_salary_concept?'],
  [
    'Otros ingresos no salariales',
    'other_non_salary_concept',
    'other_non_salary_concept',
    'other_non_salary_concept',
  ],
  ['Comisiones no salariales', '?', '?', 'non_salary_viatics?'],
  ['Comisión sin incidencia salarial', '?', '?', 'non_salary_bonus?'],
  ['Comisiones NS', '?', '?', 'non_salary_bonus?'],
  ['Prima no salarial', '?', '?', 'non_salary_bonus?'],
  ['Prima NS', '?', '?', 'non_salary_bonus?'],
  ['Prima de servicios no prestacional', '?', '?', 'service_bonuses?'],
  ['Salario no constitutivo', 'non_salary_bonus?', 'non_salary_bonus?', 'non_salary_bonus?'],
  ['Licencia sin remuneración', '?', 'unpaid_leave', '?'],
  ['Licencia sin sueldo', '?', 'unpaid_leave', '?'],
  ['Permiso sin sueldo', '?', 'unpaid_leave', '?'],
  ['Retención no practicada', '?', '?', '?'],
  ['Vacaciones no disfrutadas', '?', '?', '?'],
  ['Horas extras no pagadas', '?', '?', '?'],
  ['Incapacidad no pagada', '?', '?', '?'],
  ['Recargo no pagado', '?', '?', '?'],
  ['Neto no pagado', '?', '?', '?'],
  ['Total no salarial', '?', '?', 'non_salary_bonus?'],
  ['Bonificación no retiro', 'salary_bonus?', '?', '?'],
  ['Embargo judicial', 'other_deduction?', 'other_deduction?', 'other_deductions'],
  ['Embargo civil', 'other_deduction?', 'other_deduction?', 'other_deductions'],
  ['Embargo ejecutivo', 'other_deduction?', 'other_deduction?', 'other_deductions'],
  ['Embargo de alimentos', 'other_deduction?', 'other_deduction?', 'other_deductions'],
  ['Embargo alimentario', 'other_deduction?', 'other_deduction?', 'other_deductions'],
  ['Embargo juzgado', 'other_deduction?', 'other_deduction?', 'other_deductions'],
  ['Embargo cooperativa', 'cooperative?', 'cooperative?', '?'],
  ['Embargo fiscal', 'tax_lien', 'tax_lien', 'tax_lien'],
  ['Pensión alimentos', 'pension?', 'pension?', '?'],
  ['Pensión alimentaria', 'pension?', 'pension?', '?'],
  ['Pensión alimenticia', 'pension?', 'pension?', '?'],
  ['Cuota alimentaria', 'order_value?', 'order?', 'orders?'],
  ['Pensión voluntaria', 'voluntary_pension', 'voluntary_pension', 'voluntary_pension'],
  ['Pensión de vejez', 'pension?', 'pension?', '?'],
  ['Pensión escolar', 'pension?', 'other_than_payroll?', 'voluntary_pension?'],
  ['Pensión de jubilación', 'pension?', 'pension?', '?'],
  ['Mesada pensional', '?', '?', '?'],
  ['Pensión 4%', 'pension', 'pension', 'pension'],
  ['Pensión 12%', '-', 'other_than_payroll', 'savings?'],
  ['Pensión 16%', 'pension?', 'other_than_payroll?', 'voluntary_pension?'],
  ['Comisiones', 'commission', 'commission', 'commissions'],
  ['Comisiones bancarias', 'commission?', 'commission?', 'commissions?'],
  ['Comisión bancaria', 'commission?', 'commission?', 'commissions?'],
  ['Comisión por ventas', 'commission?', 'commission', 'commissions?'],
  ['Comisión fiduciaria', 'commission?', 'commission?', 'commissions?'],
  ['Comisión de estudios', 'commission?', 'commission?', 'commissions?'],
  ['Fondo de solidaridad', 'solidarity', 'solidarity', 'solidarity'],
  ['Fondo de solidaridad empleador', 'solidarity?', 'solidarity?', '?'],
  ['Solidaridad empresa', 'solidarity?', 'solidarity?', '?'],
  ['FSP empresa', 'solidarity?', 'solidarity?', '?'],
  ['Fondo de solidaridad funeraria', 'solidarity?', 'solidarity?', '?'],
  ['Salud empleador', '-', 'other_than_payroll', '?'],
  ['Salud patronal', '-', 'other_than_payroll', '?'],
  ['Salud a cargo del empleador', '?', 'other_than_payroll?', '?'],
  ['Aporte patronal salud', 'health?', 'health?', '?'],
  ['EPS empresa', 'health?', 'other_than_payroll', '?'],
  ['Salud 8.5%', '-', 'other_than_payroll', '?'],
  ['Salud 12.5%', 'health?', 'other_than_payroll?', '?'],
  ['Pensión empresa', '-', 'other_than_payroll', '?'],
  ['Pensión patrono', '-', 'other_than_payroll', '?'],
  ['Pensión empleador', '-', 'other_than_payroll', '?'],
  ['Aporte empresa pensión', 'pension?', 'other_than_payroll', '?'],
  ['AFP empleador', 'pension?', 'other_than_payroll', '?'],
  ['ARL empresa', '-', 'other_than_payroll?', 'work_disabilities?'],
  ['Caja de compensación', '-', 'other_than_payroll', '?'],
  ['Aporte SENA', '-', 'other_than_payroll', '?'],
  ['Sindicato empresa', 'union_value?', 'union?', 'unions?'],
  ['Cooperativa empresa', 'cooperative?', 'cooperative?', '?'],
  ['AFC empresa', 'afc?', 'afc?', 'savings'],
  ['Medicina prepagada empresa', 'supplementary_plan?', 'supplementary_plan?', '?'],
  ['Plan complementario empleador', 'supplementary_plan?', 'supplementary_plan?', '?'],
  ['Dotación empresa', 'endowment?', 'endowment?', '?'],
  ['Dotación descontada', 'endowment?', 'endowment?', '?'],
  ['Salud', 'health', 'health', 'health'],
  ['EPS', 'health', 'health', 'health'],
  ['Salud adicional', 'health?', 'health?', '?'],
  ['Salud UPC', 'health?', 'health?', '?'],
  ['Salud IBC', 'health?', 'health?', '?'],
  ['IBC pensión', 'pension?', 'pension?', '?'],
  ['Base retención', 'withholding?', 'salary?', 'withholdings?'],
  ['Reintegro salud', 'health?', 'health?', 'refund?'],
  ['Devolución retención', 'withholding?', 'withholding?', 'withholdings?'],
  ['Retención ICA', 'withholding?', 'withholding?', 'withholdings?'],
  ['Retención en la fuente IVA', 'withholding?', 'withholding?', 'withholdings?'],
  ['Retención judicial', 'withholding?', 'withholding?', 'withholdings?'],
  ['RETEFU', 'withholding', 'withholding', 'withholdings'],
  ['COMISI', 'commission', 'commission?', 'commissions'],
  ['Retefuente', 'withholding', 'withholding', 'withholdings'],
  ['Transporte', 'transport', 'transport', 'transport'],
  ['Transporte de personal', 'transport?', 'transport?', '?'],
  ['Auxilio de transporte extralegal', 'transport?', 'transport?', 'aid?'],
  ['Subsidio de transporte empresa', 'transport?', 'transport?', '?'],
  ['Subsidio familiar', '?', '?', '?'],
  ['Provisión vacaciones', '-', 'other_than_payroll', '?'],
  ['Provisión prima', '-', 'other_than_payroll', 'service_bonuses?'],
  ['Saldo vacaciones', 'vacation_value?', 'vacation?', '?'],
  ['Cesantías consignadas', 'severance?', 'severance?', 'severances?'],
  ['Cesantías acumuladas', 'severance?', 'severance?', 'severances?'],
  ['Retiro cesantías', 'severance?', 'severance?', 'severances?'],
  ['Anticipo cesantías', 'severance?', 'deduction_advance?', 'severances?'],
  ['Anticipo viáticos', 'advance?', 'deduction_advance?', 'advances?'],
  ['Anticipo prima', 'service_bonus?', 'service_bonus?', 'service_bonuses?'],
  ['Anticipo de nómina', 'advance', 'deduction_advance', 'advances?'],
  ['Prima', 'service_bonus', 'service_bonus', 'service_bonuses'],
  ['Prima serv.', 'service_bonus', 'service_bonus', 'service_bonuses'],
  ['Prima semestral', 'service_bonus', 'service_bonus?', 'service_bonuses?'],
  ['Prima extralegal', 'service_bonus?', 'service_bonus?', 'service_bonuses?'],
  ['Prima de antigüedad', 'service_bonus?', 'service_bonus?', 'service_bonuses?'],
  ['Prima técnica', 'service_bonus?', 'service_bonus?', 'service_bonuses?'],
  ['Prima de navidad', 'service_bonus?', 'service_bonus?', 'service_bonuses?'],
  ['Prima vacacional', 'service_bonus?', 'service_bonus?', 'service_bonuses?'],
  ['Prima de vacaciones', 'vacation_value?', 'vacation?', 'vacation?'],
  ['Seguro de vida', '?', '?', '?'],
  ['Póliza exequial', '?', '?', '?'],
  ['Préstamo', 'order_value', 'order', 'orders'],
  ['Préstamo a favor', 'order_value?', 'order?', 'orders?'],
  ['Préstamo otorgado', 'order_value?', 'order?', 'orders?'],
  ['Desembolso préstamo', 'order_value?', 'order?', 'orders?'],
  ['Préstamo vivienda', 'order_value?', 'order', 'orders?'],
  ['Crédito fiscal', 'order_value?', 'order?', 'orders?'],
  ['Fondo de empleados', 'cooperative?', 'cooperative?', 'other_deductions'],
  ['Aporte fondo de empleados', 'cooperative?', 'cooperative?', 'other_deductions'],
  ['Cooperativa', 'cooperative', 'cooperative', 'cooperative'],
  ['Cuota sindical', 'union_value', 'union', 'unions'],
  ['Indemnización seguro', 'compensation?', 'compensation?', '?'],
  ['Indemnización', 'compensation', 'compensation', 'compensation'],
  ['Educación continuada', 'education?', 'education?', '?'],
  ['Intereses de mora', 'severance_interest?', '?', '?'],
  ['Intereses préstamo', 'order_value?', 'order?', 'orders?'],
  ['Intereses cesantías', 'severance_interest', 'severance_interest', 'severances?'],
  ['Retefuente salarios', 'withholding?', 'withholding', 'withholdings?'],
  ['Comis. vtas', 'commission?', 'commission?', 'commissions?'],
  ['Dcto. salud empl.', 'health?', 'health?', 'other_deductions?'],
  ['Vlr. Salud', 'health', 'health', 'health'],
  ['Aportes salud trabajador', 'health', 'health', 'health'],
  ['Apoyo sostenimiento empresa', 'sustenance?', 'sustenance?', '?'],
  ['Teletrabajo empresa', 'telecommuting?', 'telecommuting?', '?'],
  ['Sueldo retroactivo', 'other_salary_concept', 'other_salary_concept', 'other_salary_concept'],
  ['Sueldo vacaciones', 'vacation_value?', 'vacation?', 'vacation?'],
  ['Salario en especie', 'salary?', 'salary?', 'other_salary_concept?'],
] as const;

test.each(PROBE)('%s', (label, column, word, sheet) => {
  expect([columnOutcome(label), wordOutcome(label), sheetOutcome(label)]).toEqual([column, word, sheet]);
});

/** Concepts that a column, a class or a table stands for. */
function conceptsOf(id: string): readonly string[] {
  const { concepts } = parse(readFileSync('mappings/vocabularies/payroll.yaml', 'utf8')) as {
    concepts: Readonly<Record<string, { column?: string }>>;
  };
  const { tables } = parse(readFileSync('mappings/payroll/multi-sheet.yaml', 'utf8')) as {
    tables: Readonly<Record<string, { of?: string | readonly string[] | object; also?: readonly string[] }>>;
  };
  const { of, also = [] } = tables[id] ?? {};
  if (of !== undefined)
    return [...(typeof of === 'string' ? [of] : Array.isArray(of) ? of : Object.keys(of)), ...also];
  return Object.entries(concepts).flatMap(([name, { column = name }]) =>
    name === id || column === id || (id.startsWith(`${column}_`) && !(id in concepts)) ? [name] : [],
  );
}

test('what is decided without a question is the same concept as column, word and sheet', () => {
  const decided = PROBE.map(([label, ...outcomes]) => ({
    label,
    sets: outcomes.filter((one) => !/[?-]$/.test(one) && one !== 'other_than_payroll').map(conceptsOf),
  }));
  const apart = decided.filter(({ sets }) =>
    sets.some((some) => !sets.every((others) => some.some((one) => others.includes(one)))),
  );
  expect(apart.map(({ label }) => label)).toEqual([]);
  expect(decided.filter(({ sets }) => sets.length > 1).length).toBeGreaterThan(40);
});

/** Labels of which the first offers differ by form, all of them asked where it matters, with why. */
const OFFERED_APART: Readonly<Record<string, readonly string[]>> = {
  'says nothing of salary: a column offers the taxed one, a list the usual one, a sheet holds both': [
    'Bono',
    'Bonificación',
    'Auxilio',
  ],
  'a column may be what was agreed for the month, which no list or sheet of amounts is': [
    'Rodamiento salarial',
    'Salario en especie',
  ],
  'no pay of a worker: a list leaves it out, a column or sheet of amounts asks': [
    'Pensión escolar',
    'Pensión 16%',
    'Base retención',
  ],
  'two concepts in one label: a list goes by its first word, a column by the whole label, a sheet by another':
    ['Reintegro salud', 'Auxilio de transporte extralegal', 'Anticipo cesantías', 'Dcto. salud empl.'],
  'columns and lists go by the concept, a sheet by what is no salary; both are no salary': [
    'Rodamiento NS',
    'Viáticos NS',
  ],
  'a fund of employees is a cooperative or another deduction: its sheet is one of other deductions': [
    'Fondo de empleados',
    'Aporte fondo de empleados',
  ],
};

test('first offers differ by form only where there is a reason', () => {
  const apart = PROBE.filter(([, ...outcomes]) => {
    const sets = outcomes
      .filter((one) => !/^(\?|-|other_than_payroll\??)$/.test(one))
      .map((one) => conceptsOf(one.replace('?', '')));
    return sets.some((some) => !sets.every((others) => some.some((one) => others.includes(one))));
  });
  expect(apart.map(([label]) => label).sort()).toEqual(Object.values(OFFERED_APART).flat().sort());
});

test('a negation is never offered first as its opposite', () => {
  const negated = PROBE.filter(([label]) => /(^| )(no|ns|non|sin)( |$|\.)/i.test(label));
  const opposite = negated.filter(([, ...outcomes]) =>
    outcomes.some((one) => /^(salary_\w+|other_salary_concept|commission|service_bonus)\??$/.test(one)),
  );
  expect(opposite.map(([label]) => label)).toEqual(['Bonificación no retiro']); // it says nothing of salary
  expect(negated.length).toBeGreaterThan(30);
});
