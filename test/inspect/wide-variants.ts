import type { Variant } from './answering.js';
import {
  column,
  csv,
  type Grid,
  gridsOf,
  insert,
  mapColumn,
  page,
  pick,
  rename,
  type Value,
  workbook,
} from './grid.js';

const SAMPLE = 'samples/payroll/nomina-octubre-2026.xlsx';
const grid = async (): Promise<Grid> => (await gridsOf(SAMPLE))[0]!;

/** What the labels of the sample mean. */
export const IDS: Readonly<Record<string, string>> = {
  'Tipo documento': 'document_type',
  'Número documento': 'document',
  'Primer apellido': 'surname',
  'Segundo apellido': 'second_surname',
  'Primer nombre': 'first_name',
  'Otros nombres': 'middle_name',
  'Dirección de trabajo': 'address',
  'Código municipio': 'municipality_code',
  Municipio: 'municipality',
  'Tipo trabajador': 'worker_type',
  'Subtipo trabajador': 'worker_subtype',
  'Tipo contrato': 'contract',
  'Alto riesgo pensión': 'high_risk_pension',
  'Salario integral': 'integral_salary',
  'Sueldo mensual': 'base_salary',
  'Fecha ingreso': 'admission_date',
  'Medio de pago': 'payment_method',
  Banco: 'bank',
  'Tipo de cuenta': 'account_type',
  'Número de cuenta': 'account_number',
  'Días trabajados': 'worked_days',
  'Salario devengado': 'salary',
  'Auxilio de transporte': 'transport',
  'HED horas': 'hed_hours',
  'HED valor': 'hed_value',
  'HEN horas': 'hen_hours',
  'HEN valor': 'hen_value',
  'RN horas': 'hrn_hours',
  'RN valor': 'hrn_value',
  'HEDDF horas': 'heddf_hours',
  'HEDDF valor': 'heddf_value',
  'Vacaciones desde': 'vacation_start',
  'Vacaciones hasta': 'vacation_end',
  'Vacaciones días': 'vacation_days',
  'Vacaciones valor': 'vacation_value',
  'Incapacidad desde': 'disability_start',
  'Incapacidad hasta': 'disability_end',
  'Incapacidad días': 'disability_days',
  'Incapacidad tipo': 'disability_type',
  'Incapacidad valor': 'disability_value',
  Comisiones: 'commission',
  'Bonificación salarial': 'salary_bonus',
  'Bonificación no salarial': 'non_salary_bonus',
  'Total devengado': 'stated_accrued',
  Salud: 'health',
  Pensión: 'pension',
  'Fondo de solidaridad': 'solidarity',
  'Fondo de subsistencia': 'subsistence',
  'Retención en la fuente': 'withholding',
  'Libranza entidad': 'order_entity',
  'Libranza valor': 'order_value',
  Cooperativa: 'cooperative',
  'Total deducciones': 'stated_deductions',
  'Neto a pagar': 'stated_net',
};
const LABELS = Object.keys(IDS);

/** Meanings by the labels that a variant uses. */
const knownAs = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(LABELS.map((label) => [names[label] ?? label, IDS[label]!]));

const ABBREVIATED: Readonly<Record<string, string>> = {
  'Tipo documento': 'T. DOC',
  'Número documento': 'NRO. DOCTO',
  'Primer apellido': '1ER APELL.',
  'Segundo apellido': '2DO APELL.',
  'Primer nombre': '1ER NOMB.',
  'Otros nombres': '2DO NOMB.',
  'Dirección de trabajo': 'DIREC. TRAB.',
  'Código municipio': 'COD. MPIO',
  Municipio: 'MPIO',
  'Tipo trabajador': 'TIPO TRAB.',
  'Subtipo trabajador': 'SUBTIPO TRAB.',
  'Tipo contrato': 'TIPO CONTR.',
  'Alto riesgo pensión': 'ALTO RIESGO PENS.',
  'Salario integral': 'SAL. INTEG.',
  'Sueldo mensual': 'SDO. BASICO MENS.',
  'Fecha ingreso': 'FEC. INGRESO',
  'Medio de pago': 'FORMA PGO',
  Banco: 'BCO.',
  'Tipo de cuenta': 'TIPO CTA',
  'Número de cuenta': 'CTA. No.',
  'Días trabajados': 'DIAS TRAB',
  'Salario devengado': 'SUELDO DEV.',
  'Auxilio de transporte': 'AUX. TTE.',
  'HED horas': 'HED CANT',
  'HED valor': 'VR. HED',
  'HEN horas': 'HEN CANT',
  'HEN valor': 'VR. HEN',
  'RN horas': 'CANT. RN',
  'RN valor': 'VR. RN',
  'HEDDF horas': 'HEDDF CANT',
  'HEDDF valor': 'VR. HEDDF',
  'Vacaciones desde': 'VAC. DESDE',
  'Vacaciones hasta': 'VAC. HASTA',
  'Vacaciones días': 'VAC. DIAS',
  'Vacaciones valor': 'VR. VACAC.',
  'Incapacidad desde': 'INCAP. DESDE',
  'Incapacidad hasta': 'INCAP. HASTA',
  'Incapacidad días': 'INCAP. DIAS',
  'Incapacidad tipo': 'TIPO INCAP.',
  'Incapacidad valor': 'VR. INCAP.',
  Comisiones: 'COMIS.',
  'Bonificación salarial': 'BONIF. SALARIAL',
  'Bonificación no salarial': 'BONIF. NO SALARIAL',
  'Total devengado': 'TOT. DEV.',
  Salud: 'DCTO. SALUD',
  Pensión: 'DCTO. PENSION',
  'Fondo de solidaridad': 'FDO. SOLID.',
  'Fondo de subsistencia': 'FDO. SUBSIST.',
  'Retención en la fuente': 'RETE FTE',
  'Libranza entidad': 'ENTIDAD LIBRANZA',
  'Libranza valor': 'VR. LIBRANZA',
  Cooperativa: 'COOP.',
  'Total deducciones': 'TOT. DEDUC.',
  'Neto a pagar': 'NETO',
};

const isNumber = (value: Value): value is number => typeof value === 'number';
const half = (value: Value, which: 1 | 2): Value => {
  if (!isNumber(value)) return value;
  const cents = Math.round(value * 100);
  const first = Math.floor(cents / 2);
  return (which === 1 ? first : cents - first) / 100;
};
const halfDays = (value: Value, which: 1 | 2): Value =>
  isNumber(value) ? (which === 1 ? Math.min(15, value) : value - Math.min(15, value)) : value;

/** Amounts that fortnights divide. */
const DIVIDED = [
  'Días trabajados',
  'Salario devengado',
  'Auxilio de transporte',
  'Salud',
  'Pensión',
] as const;
const SHORT: Readonly<Record<(typeof DIVIDED)[number], string>> = {
  'Días trabajados': 'DIAS',
  'Salario devengado': 'SUELDO DEVENGADO',
  'Auxilio de transporte': 'AUX TRANSPORTE',
  Salud: 'SALUD',
  Pensión: 'PENSION',
};
const TOTALS = ['Total devengado', 'Total deducciones', 'Neto a pagar'];

const part = (label: string, value: Value, which: 1 | 2): Value =>
  label === 'Días trabajados' ? halfDays(value, which) : half(value, which);

/** One fortnight of the sample: divided amounts in both, everything that happens once in the first. */
function fortnight(whole: Grid, which: 1 | 2): Grid {
  const from = LABELS.indexOf('Días trabajados');
  return {
    ...whole,
    rows: whole.rows.map((row) =>
      whole.labels.map((label, at): Value => {
        const value = row[at] ?? null;
        if ((DIVIDED as readonly string[]).includes(label)) return part(label, value, which);
        return which === 1 || LABELS.indexOf(label) < from ? value : null;
      }),
    ),
  };
}

const DEDUCTIONS = [
  'Salud',
  'Pensión',
  'Fondo de solidaridad',
  'Fondo de subsistencia',
  'Retención en la fuente',
  'Libranza valor',
  'Cooperativa',
];

const withoutTotals = (whole: Grid): Grid =>
  pick(
    whole,
    whole.labels.filter((label) => !TOTALS.includes(label)),
  );

/** The divided amounts side by side, under labels made of the short one and a mark. */
function sideBySide(whole: Grid, label: (name: string, which: 1 | 2) => string): Grid {
  const rest = pick(
    whole,
    whole.labels.filter((one) => !TOTALS.includes(one) && !(DIVIDED as readonly string[]).includes(one)),
  );
  let wide = rest;
  for (const which of [1, 2] as const)
    for (const name of DIVIDED)
      wide = insert(wide, wide.labels.length, label(SHORT[name], which), (row) =>
        part(name, whole.rows[row]![column(whole, name)] ?? null, which),
      );
  return wide;
}

const sideIds = (label: (name: string, which: 1 | 2) => string): Record<string, string> =>
  Object.fromEntries(
    ([1, 2] as const).flatMap((which) => DIVIDED.map((name) => [label(SHORT[name], which), IDS[name]!])),
  );

const rich = (value: Value): Value =>
  typeof value === 'string' && value.length > 2
    ? { richText: [{ text: value.slice(0, 2), font: { bold: true } }, { text: value.slice(2) }] }
    : value;

const TITLES: readonly (readonly Value[])[] = [
  ['INDUSTRIAS LA CEIBA S.A.S.'],
  ['NIT 900.123.456-7'],
  ['NÓMINA DE OCTUBRE DE 2026', null, null, 'Elaboró: Contabilidad'],
  [],
];

function totalRow(whole: Grid): Value[] {
  return whole.labels.map((_, at) => {
    if (at === 0) return 'TOTAL';
    const numbers = whole.rows.map((row) => row[at]).filter((value) => isNumber(value ?? null)) as number[];
    return at > whole.labels.indexOf('CTA. No.') && numbers.length > 0
      ? Math.round(numbers.reduce((a, b) => a + b, 0) * 100) / 100
      : null;
  });
}

/** Two rows of labels: what comes in pairs or fours stands under its common name. */
function twoRows(whole: Grid): { rows: Value[][]; keys: Record<string, string> } {
  const groups: Value[] = [];
  const labels: Value[] = [];
  const keys: Record<string, string> = {};
  let last = '';
  for (const label of whole.labels) {
    const found = /^(HED|HEN|RN|HEDDF|Vacaciones|Incapacidad) (.*)$/.exec(label);
    if (found === null) {
      groups.push(label.toUpperCase());
      labels.push(null);
      keys[label.toUpperCase()] = IDS[label]!;
      last = '';
      continue;
    }
    const [, group, name] = found;
    groups.push(group === last ? null : group!.toUpperCase());
    labels.push(name!.toUpperCase());
    keys[`${group!.toUpperCase()} / ${name!.toUpperCase()}`] = IDS[label]!;
    last = group!;
  }
  return { rows: [groups, labels], keys };
}

const MONTHS = ['ENE', 'FEB', 'MAR', 'ABR', 'MAY', 'JUN', 'JUL', 'AGO', 'SEP', 'OCT', 'NOV', 'DIC'];
const named = (value: Value): Value =>
  value instanceof Date || (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))
    ? (() => {
        const [year, month, day] = (value instanceof Date ? value.toISOString() : value)
          .slice(0, 10)
          .split('-');
        return `${day}-${MONTHS[Number(month) - 1]}-${year}`;
      })()
    : value;

const DATES = LABELS.filter((label) => /Fecha|desde|hasta/.test(label));
const asDate = (value: Value): Value =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00:00Z`) : value;
const dated = (whole: Grid, change: (value: Value) => Value): Grid =>
  DATES.reduce((grid, label) => mapColumn(grid, label, change), whole);

const Q = (name: string, which: 1 | 2): string => `${name} Q${which}`;

const VARIANTS: readonly Omit<Variant, 'sample'>[] = [
  {
    name: 'capitals and abbreviations in another order, titles above, a TOTAL row below',
    layout: 'payroll/wide',
    async files() {
      const whole = await grid();
      const turned = pick(
        whole,
        [...LABELS.slice(0, 15).reverse(), ...LABELS.slice(15)].filter((label) =>
          whole.labels.includes(label),
        ),
      );
      const shown = rename(turned, ABBREVIATED);
      const first = insert(
        insert(shown, 0, 'CARGO', () => 'OPERARIO'),
        0,
        'No.',
        (row) => row + 1,
      );
      return [await workbook([page(first, TITLES, [totalRow(first)])])];
    },
    known: { labels: { ...knownAs(ABBREVIATED), CARGO: 'position' } },
  },
  {
    name: 'labels over two rows, the upper ones merged downwards',
    layout: 'payroll/wide',
    async files() {
      const whole = await grid();
      const { rows } = twoRows(whole);
      return [await workbook([{ name: 'OCTUBRE', rows: [['EMPRESA'], [], ...rows, ...whole.rows] }])];
    },
    known: { labels: twoRows({ name: '', labels: LABELS, rows: [] }).keys },
  },
  {
    name: 'a CSV with semicolons, decimal commas and the day first',
    layout: 'payroll/wide',
    async files() {
      return [csv(dated(await grid(), asDate))];
    },
    known: { labels: IDS },
  },
  {
    name: 'dates that count from 1904',
    layout: 'payroll/wide',
    async files() {
      return [await workbook([page(dated(await grid(), asDate))], { date1904: true })];
    },
    known: { labels: IDS },
  },
  {
    name: 'rich text in labels and cells',
    layout: 'payroll/wide',
    async files() {
      const whole = await grid();
      const rows = whole.rows.map((row) => row.map(rich));
      return [await workbook([{ name: 'Hoja1', rows: [whole.labels.map(rich), ...rows] }])];
    },
    known: { labels: IDS },
  },
  {
    name: 'months by their Spanish names, and an amount that only the office knows',
    layout: 'payroll/wide',
    async files() {
      const whole = insert(dated(await grid(), named), 22, 'CUOTA FONDO INTERNO', (row) => 150_000 + row);
      return [await workbook([page(whole)])];
    },
    known: { labels: IDS },
    asks: ['workers.W'],
  },
  {
    name: 'two fortnights side by side, told by the label',
    layout: 'payroll/wide',
    async files() {
      return [await workbook([page(sideBySide(await grid(), Q))])];
    },
    known: { labels: { ...IDS, ...sideIds(Q) } },
    asksNothing: true,
  },
  {
    name: 'two fortnights side by side, under a row of groups',
    layout: 'payroll/wide',
    async files() {
      const wide = sideBySide(await grid(), (name, which) => `${which}${name}`);
      const from = wide.labels.length - 2 * DIVIDED.length;
      const groups: Value[] = wide.labels.map(() => null);
      groups[0] = 'DATOS';
      groups[from] = 'PRIMERA QUINCENA';
      groups[from + DIVIDED.length] = 'SEGUNDA QUINCENA';
      const labels = wide.labels.map((label, at) => (at < from ? label : label.slice(1)));
      return [await workbook([{ name: 'Nomina', rows: [['EMPRESA X'], groups, labels, ...wide.rows] }])];
    },
    known: {
      labels: {
        ...IDS,
        ...sideIds((name, which) => `${which === 1 ? 'PRIMERA' : 'SEGUNDA'} QUINCENA / ${name}`),
      },
    },
    asksNothing: true,
  },
  {
    name: 'two fortnights side by side, in a sheet apart from the people',
    layout: 'payroll/split',
    async files() {
      const wide = sideBySide(await grid(), Q);
      const from = LABELS.indexOf('Días trabajados');
      const people = LABELS.slice(0, from);
      const pay = ['Número documento', ...wide.labels.filter((label) => !people.includes(label))];
      return [
        await workbook([
          { ...page(pick(wide, people)), name: 'Personal' },
          { ...page(pick(wide, pay)), name: 'Liquidación' },
        ]),
      ];
    },
    known: { labels: { ...IDS, ...sideIds(Q) } },
  },
  {
    name: 'deductions with a minus sign',
    layout: 'payroll/wide',
    async files() {
      const whole = withoutTotals(await grid());
      const minus = DEDUCTIONS.reduce(
        (one, label) => mapColumn(one, label, (value) => (typeof value === 'number' ? -value : value)),
        whole,
      );
      return [await workbook([page(minus)])];
    },
    known: { labels: IDS, answers: { deduction_sign: 'negative' } },
    asks: ['deduction_sign'],
  },
  {
    name: 'two records of each worker, one a fortnight',
    layout: 'payroll/wide',
    async files() {
      const whole = withoutTotals(await grid());
      const [first, second] = [fortnight(whole, 1), fortnight(whole, 2)];
      const rows = whole.rows.flatMap((_, at) => [first.rows[at]!, second.rows[at]!]);
      return [await workbook([page({ ...whole, rows })])];
    },
    known: { labels: IDS, answers: { one_per: 'document' } },
    asks: ['one_per'],
  },
  {
    name: 'two sheets, one a fortnight',
    layout: 'payroll/wide',
    async files() {
      const whole = withoutTotals(await grid());
      return [
        await workbook([
          { ...page(fortnight(whole, 1)), name: 'QUINCENA 1' },
          { ...page(fortnight(whole, 2)), name: 'QUINCENA 2' },
        ]),
      ];
    },
    known: { labels: IDS, answers: { 'workers.sheet': '*', one_per: 'document' } },
    asks: ['workers.sheet', 'one_per'],
  },
  {
    name: 'words of its own for code lists, and groups that tell two equal labels apart',
    layout: 'payroll/wide',
    async files() {
      let whole = mapColumn(
        await grid(),
        'Medio de pago',
        (value) => ({ '47': 'TRANSF. BANCO', '10': 'EN CAJA' })[String(value)] ?? value,
      );
      whole = mapColumn(whole, 'Tipo contrato', (value) =>
        String(value).includes('indefinido') ? 'INDEFIN.' : value,
      );
      return [await workbook([page(whole)])];
    },
    known: {
      labels: IDS,
      answers: {
        'value.payment_methods.TRANSF. BANCO': '47',
        'value.payment_methods.EN CAJA': '10',
        'value.type_contracts.INDEFIN.': '2',
      },
    },
    asks: ['value.payment_methods.EN CAJA'],
  },
  {
    name: 'amounts without the monthly salary told apart: SUELDO and BASICO the wrong way round',
    layout: 'payroll/wide',
    async files() {
      return [
        await workbook([
          page(rename(await grid(), { 'Sueldo mensual': 'BASICO', 'Salario devengado': 'SUELDO' })),
        ]),
      ];
    },
    known: { labels: { ...IDS, BASICO: 'base_salary', SUELDO: 'salary' } },
    asks: ['workers.O', 'workers.V'],
  },
  {
    name: 'hours and values whose labels do not say which, insurers beside deductions',
    layout: 'payroll/wide',
    async files() {
      let whole = rename(await grid(), { 'HED valor': 'HORAS EXTRAS DIURNAS', 'HED horas': 'CANT HED' });
      whole = insert(whole, 44, 'EPS', (row) => (row % 2 ? 'COMPENSAR' : 'SURA'));
      return [await workbook([page(insert(whole, 44, 'AFP', () => 'PORVENIR'))])];
    },
    known: { labels: { ...IDS, 'HORAS EXTRAS DIURNAS': 'hed_value', 'CANT HED': 'hed_hours' } },
    asks: ['workers.Y', 'workers.AS', 'workers.AT'],
  },
  {
    name: 'a row of totals that says so where names stand',
    layout: 'payroll/wide',
    async files() {
      const whole = await grid();
      const total = whole.labels.map((label, at): Value => {
        if (label === 'Primer apellido') return 'TOTAL GENERAL';
        if (at < whole.labels.indexOf('Salario devengado')) return null;
        const numbers = whole.rows.map((row) => row[at] ?? null).filter(isNumber);
        return numbers.length === 0 ? null : Math.round(numbers.reduce((a, b) => a + b, 0) * 100) / 100;
      });
      return [await workbook([page(whole, [], [[], total])])];
    },
    known: { labels: IDS },
  },
];

export const WIDE: readonly Variant[] = VARIANTS.map((variant) => ({ ...variant, sample: 'simple' }));
