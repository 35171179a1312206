import { readdirSync } from 'node:fs';
import { locate } from '../../src/toolkit/documents/locate.js';
import type { LabelFit } from '../../src/toolkit/inspect/labels.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import { IGNORE } from '../../src/toolkit/tables/header.js';
import { withInputs } from '../support/opened-files.js';
import { type Knowledge, meaningOf } from './answering.js';
import { consultations, dispensed, stays } from './fresh-lists.js';
import { column, csv, type Grid, gridsOf, insert, page, pick, rename, type Value, workbook } from './grid.js';
import { LISTS } from './list-variants.js';
import { CLINIC_VENDORS, VENDORS } from './vendors.js';
import { IDS, WIDE } from './wide-variants.js';

/** Files that nobody told the program about, and what each column of them is. */
export interface Case {
  readonly kind: string;
  readonly name: string;
  readonly layout: string;
  readonly files: () => Promise<readonly string[]>;
  /** Column id, or `ignore`; undefined where the ready-made mapping has no place for it and another question finds one. */
  readonly truth: () => Promise<(fit: LabelFit) => string | undefined>;
}

const PAYROLL = 'samples/payroll/nomina-octubre-2026.xlsx';
const LABELS = Object.keys(IDS);

/** Of a mapping that reads a sample rightly the columns that are another's in the ready-made one. */
const SAME: Readonly<Record<string, string | undefined>> = {
  hed_quantity: 'hed_hours',
  hed_payment: 'hed_value',
  hrn_quantity: 'hrn_hours',
  hrn_payment: 'hrn_value',
  bonus: 'non_salary_bonus',
  loan: 'order_value',
  id_usuario: undefined,
};

async function truthOf(
  files: readonly string[],
  path: string,
): Promise<(fit: LabelFit) => string | undefined> {
  const mapping = await loadMapping(path);
  const params = resolveParams(mapping.params, {}).value ?? { values: {}, defaults: {}, tables: {} };
  const meant = new Map<string, string>();
  await withInputs(files, async (inputs) => {
    const { tables } = await locate(mapping, inputs, params);
    for (const { source, header } of tables) {
      const put = (id: string, column: number): unknown =>
        meant.set([source.file, source.sheet, column].join('\n'), id);
      for (const [id, columns] of header.several) for (const column of columns) put(id, column);
      for (const { columns } of [...header.repeats.values()].flat())
        for (const [id, column] of columns) put(id, column);
    }
  });
  return ({ sheet: { source }, column }) => {
    const id = meant.get([source.file, source.sheet, column].join('\n')) ?? 'ignore';
    return id in SAME ? SAME[id] : id;
  };
}

const sample = (folder: string, layout: string, path = `samples/${folder}/mapeo.yaml`): Case => {
  const files = readdirSync(`samples/${folder}`)
    .filter((file) => /\.(xlsx|csv|txt|zip)$/.test(file))
    .map((file) => `samples/${folder}/${file}`);
  return {
    kind: 'samples',
    name: folder,
    layout,
    files: async () => files,
    truth: () => truthOf(files, path),
  };
};

const NOMEXP = 'mappings/payroll/nomexp.yaml';

/** An export that has a mapping of its own, as if it had none. */
export const UNKNOWN_EXPORT = sample('payroll/abreviada', 'payroll/wide', NOMEXP);

const SAMPLES: readonly Case[] = [
  sample('payroll/desordenada', 'payroll/wide'),
  sample('payroll/quincenas', 'payroll/wide'),
  sample('payroll/abreviada', 'payroll/nomexp', NOMEXP),
  sample('payroll/ingles', 'payroll/multi-sheet'),
  sample('payroll/multihoja', 'payroll/multi-sheet', 'mappings/payroll/multi-sheet.yaml'),
  sample('payroll/conceptos', 'payroll/long', 'mappings/payroll/long.yaml'),
  sample('rips/consultas', 'rips/consultas', 'mappings/rips/consultas.yaml'),
  sample('rips/consultorio', 'rips/agenda'),
  sample('rips/grupos', 'rips/excel-por-nodo', 'mappings/rips/excel-por-nodo.yaml'),
  sample('rips/libro', 'rips/excel-por-nodo', 'mappings/rips/excel-por-nodo.yaml'),
  sample('rips/nodos', 'rips/libro-por-nodo'),
  sample('rips/interfaz', 'rips/interfaz', 'mappings/rips/interfaz.yaml'),
  sample('rips/lista', 'rips/lista', 'mappings/rips/lista.yaml'),
  sample('events/lista-y-zip', 'events/list-with-files', 'mappings/events/list-with-files.yaml'),
];

const byLabel = (labels: Knowledge['labels']) => async () => (fit: LabelFit) => meaningOf({ labels }, fit);

const KNOWN: readonly Case[] = [...WIDE, ...LISTS].map(({ name, layout, files, known }) => ({
  kind: 'layouts of test/inspect',
  name,
  layout,
  files,
  truth: byLabel(known.labels),
}));

/** Always the same numbers. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seeded(seed);
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

const STOP = /^(de|del|la|el|en|a|y|por|para)$/i;
const wordsOf = (label: string): string[] =>
  label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP.test(word));

/** As desktop programs of the nineties named their fields: six capitals. */
export function six(label: string): string {
  const words = wordsOf(label);
  const [acronym, rest] = words;
  if (/^(HED|HEN|RN|HEDDF)$/.test(acronym!)) return rest === 'VALOR' ? `V${acronym}` : acronym!;
  if (words.length === 1) return acronym!.slice(0, 6);
  if (words[1] === 'NO') return `${acronym!.slice(0, 3)}N${words[2]!.slice(0, 2)}`;
  return `${acronym!.slice(0, 3)}${rest!.slice(0, 3)}`;
}

/** Without vowels but those that begin a word. */
export const skeleton = (label: string): string =>
  wordsOf(label)
    .map((word) => (word.length <= 4 ? word : word[0] + word.slice(1).replace(/[AEIOU]/g, '')))
    .join(' ');

/** Words of people in the field, for what the sample calls otherwise. */
const OFFICE: readonly Readonly<Record<string, string>>[] = [
  {
    'Tipo documento': 'Clase de identificación',
    'Número documento': 'Nro de identidad',
    'Primer apellido': 'Apellido primero',
    'Segundo apellido': 'Apellido segundo',
    'Primer nombre': 'Nombre primero',
    'Otros nombres': 'Nombre segundo',
    'Dirección de trabajo': 'Dirección sede',
    'Código municipio': 'Cód. DIVIPOLA mpio. labor',
    Municipio: 'Ciudad donde labora',
    'Tipo trabajador': 'Tipo de cotizante PILA',
    'Subtipo trabajador': 'Subtipo cotizante PILA',
    'Tipo contrato': 'Modalidad de contrato',
    'Alto riesgo pensión': 'Actividad de alto riesgo',
    'Salario integral': '¿Salario integral?',
    'Sueldo mensual': 'Sueldo básico contrato',
    'Fecha ingreso': 'Fecha inicio contrato',
    'Medio de pago': 'Modo de pago',
    Banco: 'Entidad financiera',
    'Tipo de cuenta': 'Modalidad de la cuenta',
    'Número de cuenta': 'Cuenta para abono',
    'Días trabajados': 'Días a pagar',
    'Salario devengado': 'Sueldo del mes devengado',
    'Auxilio de transporte': 'Auxilio legal transporte',
    'HED horas': 'Cantidad horas extra diurnas',
    'HED valor': 'Pago horas extra diurnas',
    'HEN horas': 'Cantidad horas extra nocturnas',
    'HEN valor': 'Pago horas extra nocturnas',
    'RN horas': 'Cantidad horas recargo nocturno',
    'RN valor': 'Pago recargo nocturno',
    'HEDDF horas': 'Cantidad H.E. diurnas dominicales y festivas',
    'HEDDF valor': 'Pago H.E. diurnas dominicales y festivas',
    'Vacaciones desde': 'Salida a vacaciones',
    'Vacaciones hasta': 'Regreso de vacaciones',
    'Vacaciones días': 'Días disfrutados vacaciones',
    'Vacaciones valor': 'Pago vacaciones',
    'Incapacidad desde': 'Fecha inicial incapacidad',
    'Incapacidad hasta': 'Fecha final incapacidad',
    'Incapacidad días': 'Nro días incapacidad',
    'Incapacidad tipo': 'Clase de incapacidad',
    'Incapacidad valor': 'Pago incapacidad',
    Comisiones: 'Comisiones por ventas',
    'Bonificación salarial': 'Bono salarial',
    'Bonificación no salarial': 'Bono no salarial ocasional',
    'Total devengado': 'Suma devengados',
    Salud: 'Aporte EPS trabajador',
    Pensión: 'Aporte AFP trabajador',
    'Fondo de solidaridad': 'Aporte solidaridad pensional',
    'Fondo de subsistencia': 'Aporte subsistencia',
    'Retención en la fuente': 'Rete fuente salarios',
    'Libranza entidad': 'Banco de la libranza',
    'Libranza valor': 'Cuota libranza',
    Cooperativa: 'Ahorro cooperativa',
    'Total deducciones': 'Suma deducciones',
    'Neto a pagar': 'Valor neto consignado',
  },
  {
    'Tipo documento': 'Tip. Ident.',
    'Número documento': 'Cédula de ciudadanía',
    'Primer apellido': 'Ap. 1',
    'Segundo apellido': 'Ap. 2',
    'Primer nombre': 'Nom. 1',
    'Otros nombres': 'Nom. 2',
    'Dirección de trabajo': 'Dir. oficina',
    'Código municipio': 'Cod. ciudad laboral',
    Municipio: 'Ciudad laboral',
    'Tipo trabajador': 'Tip. cotiz.',
    'Subtipo trabajador': 'Subtip. cotiz.',
    'Tipo contrato': 'Contr. laboral',
    'Alto riesgo pensión': 'Pens. riesgo alto',
    'Salario integral': 'Tiene integral',
    'Sueldo mensual': 'Asign. mensual',
    'Fecha ingreso': 'Ingresó el',
    'Medio de pago': 'Med. pago',
    Banco: 'Bco. consignación',
    'Tipo de cuenta': 'Cta. tipo',
    'Número de cuenta': 'Nro. cta. banco',
    'Días trabajados': 'Nro. días laborados',
    'Salario devengado': 'Dev. sueldo',
    'Auxilio de transporte': 'Aux. legal tte.',
    'HED horas': 'HED #',
    'HED valor': 'HED pesos',
    'HEN horas': 'HEN #',
    'HEN valor': 'HEN pesos',
    'RN horas': 'RN #',
    'RN valor': 'RN pesos',
    'HEDDF horas': 'HEDDF #',
    'HEDDF valor': 'HEDDF pesos',
    'Vacaciones desde': 'Vac. inicial',
    'Vacaciones hasta': 'Vac. final',
    'Vacaciones días': 'Vac. #',
    'Vacaciones valor': 'Vac. pesos',
    'Incapacidad desde': 'Incap. inicial',
    'Incapacidad hasta': 'Incap. final',
    'Incapacidad días': 'Incap. #',
    'Incapacidad tipo': 'Incap. clase',
    'Incapacidad valor': 'Incap. pesos',
    Comisiones: 'Comis. mes',
    'Bonificación salarial': 'Bonif. (salarial)',
    'Bonificación no salarial': 'Bonif. (no sal.)',
    'Total devengado': 'Tot. ingresos mes',
    Salud: 'Dcto. EPS',
    Pensión: 'Dcto. AFP',
    'Fondo de solidaridad': 'Dcto. FSP',
    'Fondo de subsistencia': 'Dcto. subsist.',
    'Retención en la fuente': 'Dcto. retefte',
    'Libranza entidad': 'Libr. con',
    'Libranza valor': 'Libr. cuota',
    Cooperativa: 'Dcto. coop.',
    'Total deducciones': 'Tot. egresos mes',
    'Neto a pagar': 'Pago neto',
  },
];

const ENGLISH: readonly Readonly<Record<string, string>>[] = [
  {
    'Tipo documento': 'Identification Type',
    'Número documento': 'Identification No.',
    'Primer apellido': 'Last Name 1',
    'Segundo apellido': 'Last Name 2',
    'Primer nombre': 'Given Name',
    'Otros nombres': 'Other Names',
    'Dirección de trabajo': 'Workplace Address',
    'Código municipio': 'City Code',
    Municipio: 'City',
    'Tipo trabajador': 'Employee Type',
    'Subtipo trabajador': 'Employee Subtype',
    'Tipo contrato': 'Type of Contract',
    'Alto riesgo pensión': 'High Risk (Y/N)',
    'Salario integral': 'Integral (Y/N)',
    'Sueldo mensual': 'Basic Salary',
    'Fecha ingreso': 'Date Hired',
    'Medio de pago': 'Pay Method',
    Banco: 'Bank',
    'Tipo de cuenta': 'Type of Account',
    'Número de cuenta': 'Account No.',
    'Días trabajados': 'Days Paid',
    'Salario devengado': 'Regular Pay',
    'Auxilio de transporte': 'Transport Aid',
    'HED horas': 'Day Overtime Hours',
    'HED valor': 'Day Overtime Pay',
    'HEN horas': 'Night Overtime Hours',
    'HEN valor': 'Night Overtime Pay',
    'RN horas': 'Night Surcharge Hours',
    'RN valor': 'Night Surcharge Pay',
    'HEDDF horas': 'Sunday Day Overtime Hours',
    'HEDDF valor': 'Sunday Day Overtime Pay',
    'Vacaciones desde': 'Vacation From',
    'Vacaciones hasta': 'Vacation To',
    'Vacaciones días': 'Vacation Days',
    'Vacaciones valor': 'Vacation Pay',
    'Incapacidad desde': 'Sick Leave From',
    'Incapacidad hasta': 'Sick Leave To',
    'Incapacidad días': 'Sick Leave Days',
    'Incapacidad tipo': 'Sick Leave Type',
    'Incapacidad valor': 'Sick Leave Pay',
    Comisiones: 'Commission',
    'Bonificación salarial': 'Bonus (salary)',
    'Bonificación no salarial': 'Bonus (non salary)',
    'Total devengado': 'Gross Pay',
    Salud: 'Health Insurance',
    Pensión: 'Pension',
    'Fondo de solidaridad': 'Solidarity',
    'Fondo de subsistencia': 'Subsistence',
    'Retención en la fuente': 'Income Tax',
    'Libranza entidad': 'Lender',
    'Libranza valor': 'Loan Payment',
    Cooperativa: 'Co-op',
    'Total deducciones': 'Deductions Total',
    'Neto a pagar': 'Net Pay',
  },
  {
    'Tipo documento': 'Document Kind',
    'Número documento': 'National ID Number',
    'Primer apellido': 'Family Name',
    'Segundo apellido': 'Second Family Name',
    'Primer nombre': 'First Given Name',
    'Otros nombres': 'Middle Names',
    'Dirección de trabajo': 'Office Address',
    'Código municipio': 'Municipality DANE Code',
    Municipio: 'Work City',
    'Tipo trabajador': 'Type of Worker',
    'Subtipo trabajador': 'Subtype of Worker',
    'Tipo contrato': 'Contract Kind',
    'Alto riesgo pensión': 'High-Risk Pension?',
    'Salario integral': 'Integral Salary?',
    'Sueldo mensual': 'Monthly Base Pay',
    'Fecha ingreso': 'Start Date',
    'Medio de pago': 'Payment',
    Banco: 'Bank of Employee',
    'Tipo de cuenta': 'Account Kind',
    'Número de cuenta': 'Bank Account',
    'Días trabajados': 'Worked Days in Month',
    'Salario devengado': 'Salary Earned',
    'Auxilio de transporte': 'Transportation Subsidy',
    'HED horas': 'HED Hrs',
    'HED valor': 'HED Amount',
    'HEN horas': 'HEN Hrs',
    'HEN valor': 'HEN Amount',
    'RN horas': 'RN Hrs',
    'RN valor': 'RN Amount',
    'HEDDF horas': 'HEDDF Hrs',
    'HEDDF valor': 'HEDDF Amount',
    'Vacaciones desde': 'Vacation Start',
    'Vacaciones hasta': 'Vacation End',
    'Vacaciones días': 'Days of Vacation',
    'Vacaciones valor': 'Vacation Amount',
    'Incapacidad desde': 'Disability Start',
    'Incapacidad hasta': 'Disability End',
    'Incapacidad días': 'Disability Days',
    'Incapacidad tipo': 'Kind of Disability',
    'Incapacidad valor': 'Disability Amount',
    Comisiones: 'Sales Commissions',
    'Bonificación salarial': 'Salary Bonuses',
    'Bonificación no salarial': 'Non-salary Bonuses',
    'Total devengado': 'Total Accrued',
    Salud: 'Health Deduction',
    Pensión: 'Pension Deduction',
    'Fondo de solidaridad': 'Solidarity Fund Deduction',
    'Fondo de subsistencia': 'Subsistence Fund',
    'Retención en la fuente': 'Withholding Tax',
    'Libranza entidad': 'Loan Entity',
    'Libranza valor': 'Loan Amount',
    Cooperativa: 'Cooperative Contribution',
    'Total deducciones': 'Total Deducted',
    'Neto a pagar': 'Net Amount',
  },
];

const grid = async (): Promise<Grid> => (await gridsOf(PAYROLL))[0]!;

const renamed = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(LABELS.map((label) => [names[label] ?? label, IDS[label]!]));

export const wide = (
  kind: string,
  name: string,
  names: Readonly<Record<string, string>>,
  change = (one: Grid) => one,
): Case => ({
  kind,
  name,
  layout: 'payroll/wide',
  files: async () => [await workbook([page(change(rename(await grid(), names)))])],
  truth: byLabel(renamed(names)),
});

/** Labels that say nothing, or another thing than their cells. */
const PATIENT = [
  'tipoDocumentoUsuario',
  'numDocumentoUsuario',
  'nombreCompleto',
  'fechaNacimiento',
  'codSexo',
  'tipoUsuario',
  'municipio',
  'codZonaTerritorialResidencia',
  'correo',
];

/** A list of services with the titles of nobody else, and what its columns are, in order. */
const fresh = (name: string, list: Grid, ids: readonly string[]): Case => ({
  kind: 'fresh lists of services',
  name,
  layout: 'rips/lista-de-un-tipo',
  files: async () => [await workbook([page(list)])],
  truth: byLabel(Object.fromEntries([...PATIENT, ...ids].map((id, at) => [list.labels[at]!, id]))),
});

export const FRESH: readonly Case[] = [
  fresh('consultations', consultations, [
    ...['fechaAtencion', 'horaAtencion', 'codCUPS', 'codDiagnosticoPrincipal', 'codDiagnosticoRelacionado1'],
    ...['tipoDiagnosticoPrincipal', 'vrServicio', 'numDocumentoIdentificacion'],
  ]),
  fresh('stays', stays, [
    ...['numIngreso', 'fechaIngreso', 'horaIngreso', 'fechaEgreso', 'horaEgreso', 'viaIngresoServicioSalud'],
    ...['codDiagnosticoPrincipal', 'codDiagnosticoPrincipalE', 'condicionDestinoUsuarioEgreso'],
  ]),
  fresh('dispensations', dispensed, [
    ...[IGNORE, 'fechaDispensAdmon', 'codDiagnosticoPrincipal', 'cum', 'nomTecnologiaSalud', 'cantidad'],
    ...['diasTratamiento', 'vrUnitario', 'vrServicio', 'numDocumentoIdentificacion'],
  ]),
];

export const MISLEADING: readonly Case[] = [
  wide('misleading labels', 'one salary for two', { 'Sueldo mensual': 'SUELDO', 'Salario devengado': 'XYZ' }),
  wide('misleading labels', 'two salaries', {
    'Sueldo mensual': 'Salario',
    'Salario devengado': 'Sueldo básico',
  }),
  wide('misleading labels', 'two for one thing', { Pensión: 'EPS' }),
  wide('misleading labels', 'a choice without a name', { 'Tipo de cuenta': 'MARCA' }),
  wide('misleading labels', 'words called as documents', {}, (whole) =>
    insert(whole, 0, 'ID', (row) => ['Planta', 'Temporal', 'Obra'][row % 3]!),
  ),
  wide('misleading labels', 'ordinals called as documents', { 'ID interno': 'ID interno' }, (whole) =>
    insert(whole, 0, 'ID interno', (row) => row + 1),
  ),
  {
    ...wide('misleading labels', 'full names called as first names', {}, (whole) => {
      const parts = ['Primer apellido', 'Segundo apellido', 'Primer nombre', 'Otros nombres'];
      const others = pick(
        whole,
        whole.labels.filter((label) => !parts.includes(label)),
      );
      return insert(
        others,
        2,
        'Nombres',
        (row) => ['Ana María Pérez', 'Luis Ruiz Mora', 'Eva Díaz Gil'][row % 3]!,
      );
    }),
    truth: byLabel({ ...IDS, Nombres: 'full_name' }),
  },
  {
    ...wide('misleading labels', 'kind and number in one cell', {}, (whole) => {
      const rest = whole.labels.filter((label) => label !== 'Tipo documento' && label !== 'Número documento');
      const number = column(whole, 'Número documento');
      const both = (row: number): string => `CC ${String(whole.rows[row]![number])}`;
      return insert(pick(whole, rest), 0, 'TIPO Y NUMERO', both);
    }),
    truth: byLabel({ ...IDS, 'TIPO Y NUMERO': 'document' }),
  },
  {
    kind: 'misleading labels',
    name: 'the address of an invoice',
    layout: 'events/list',
    async files() {
      const [list] = await gridsOf(EVENTS);
      const at = column(list!, 'CUFE');
      const link = (row: number): string => `https://example.org/qr?key=${String(list!.rows[row]![at])}`;
      return [csv(insert(pick(list!, ['Factura', 'Evento']), 2, 'Enlace', link))];
    },
    truth: byLabel({ Enlace: 'cufe', Factura: 'invoice', Evento: 'event' }),
  },
  {
    kind: 'misleading labels',
    name: 'the buyer called as who received',
    layout: 'events/list',
    async files() {
      const [list] = await gridsOf(EVENTS);
      return [
        csv(insert(pick(list!, ['CUFE', 'Factura', 'Evento']), 3, 'Nombre receptor', () => 'Andina S.A.S.')),
      ];
    },
    truth: byLabel({ CUFE: 'cufe', Factura: 'invoice', Evento: 'event', 'Nombre receptor': IGNORE }),
  },
  {
    kind: 'misleading labels',
    name: 'dates of an event called as who received',
    layout: 'events/columns',
    async files() {
      const [list] = await gridsOf(EVENTS);
      const date = (row: number): string => `0${1 + (row % 9)}/11/2026`;
      const whole = insert(pick(list!, ['CUFE', 'Factura']), 2, 'ACUSE 030', date);
      return [csv(insert(whole, 3, 'RECIBO 032', date))];
    },
    truth: byLabel({
      CUFE: 'cufe',
      Factura: 'invoice',
      'ACUSE 030': 'acknowledged',
      'RECIBO 032': 'received',
    }),
  },
  {
    kind: 'misleading labels',
    name: 'codes of procedures called as those of consultations',
    layout: 'rips/consultas',
    async files() {
      const [list] = await gridsOf(CONSULTAS);
      return [csv(insert(list!, 2, 'Código CUPS', (row) => ['902210', '903841', '895100'][row % 3]!))];
    },
    truth: async () => byLabel({ ...CLINIC_IDS, 'Código CUPS': IGNORE })(),
  },
  {
    kind: 'misleading labels',
    name: 'codes of concepts called as codes of places',
    layout: 'payroll/long',
    async files() {
      const [list] = await gridsOf('samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx');
      const concepts = list!.rows.map((row) => row[column(list!, 'CONCEPTO')]);
      const known = [...new Set(concepts)];
      return [csv(insert(list!, 3, 'Código', (row) => String(501 + known.indexOf(concepts[row]))))];
    },
    truth:
      async () =>
      ({ label }) =>
        label === 'Código' ? IGNORE : undefined,
  },
  {
    kind: 'misleading labels',
    name: 'concepts under a title that says nothing',
    layout: 'payroll/long',
    async files() {
      const [list] = await gridsOf('samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx');
      const labels = list!.labels.map((label) => (label === 'CONCEPTO' ? 'Texto largo' : label));
      return [csv({ ...list!, labels })];
    },
    truth:
      async () =>
      ({ label }) =>
        label === 'Texto largo' ? 'concept' : undefined,
  },
];

const named = (change: (label: string) => string): Record<string, string> =>
  Object.fromEntries(LABELS.map((label) => [label, change(label)]));

/** Columns that an office keeps beside the payroll. */
const beside = (whole: Grid): Grid => {
  const extra = insert(whole, 4, 'Jefe inmediato', (row) => ['L. Gómez', 'R. Díaz', 'M. Peña'][row % 3]!);
  return insert(extra, 20, 'Turno', (row) => ['Mañana', 'Noche'][row % 2]!);
};

const BANDS: readonly (readonly [string, string, string])[] = [
  ['DATOS DEL EMPLEADO', 'Tipo documento', 'Fecha ingreso'],
  ['FORMA DE PAGO', 'Medio de pago', 'Número de cuenta'],
  ['DEVENGADOS', 'Días trabajados', 'Total devengado'],
  ['DEDUCCIONES', 'Salud', 'Total deducciones'],
];

/** A row of merged bands over the labels; the last columns stand under none. */
const banded = (change: (label: string) => string): Case => ({
  kind: 'bands of groups',
  name: `over ${change('Neto a pagar')}`,
  layout: 'payroll/wide',
  async files() {
    const whole = await grid();
    const groups: Value[] = whole.labels.map(() => null);
    const letter = (at: number): string =>
      (at >= 26 ? String.fromCharCode(64 + Math.floor(at / 26)) : '') + String.fromCharCode(65 + (at % 26));
    const merged = BANDS.flatMap(([band, from, to]) => {
      const [first, last] = [whole.labels.indexOf(from), whole.labels.indexOf(to)];
      groups[first] = band;
      return [`${letter(first)}3:${letter(last)}3`];
    });
    const labels = whole.labels.map(change);
    return [
      await workbook([
        { name: 'Nómina', rows: [['EMPRESA S.A.S.'], [], groups, labels, ...whole.rows], merged },
      ]),
    ];
  },
  truth: byLabel(renamed(named(change))),
});

const AMOUNTS = LABELS.slice(LABELS.indexOf('Días trabajados'));

const GENERATED: readonly Case[] = [
  ...OFFICE.map((names, at) => wide('words of offices', `list ${at + 1}`, names, beside)),
  ...ENGLISH.map((names, at) => wide('English', `list ${at + 1}`, names)),
  ...VENDORS.map((names, at) => wide('words of other vendors', `list ${at + 1}`, names, beside)),
  wide('six capitals', 'of the sample', named(six)),
  ...OFFICE.slice(0, 1).map((names) =>
    wide(
      'six capitals',
      'of other words',
      Object.fromEntries(
        Object.entries(names).map(([label, name]) => [
          label,
          /^(HED|HEN|RN|HEDDF)/.test(label) ? six(label) : six(name),
        ]),
      ),
    ),
  ),
  wide('without vowels', 'of the sample', named(skeleton)),
  wide(
    'capitals',
    'of the sample',
    named((label) => label.toUpperCase()),
  ),
  wide(
    'capitals',
    'without blanks',
    named((label) => wordsOf(label).join('_')),
  ),
  ...[1, 2, 3].map((seed) =>
    wide('other order', `order ${seed}`, OFFICE[seed % 2]!, (one) => pick(one, shuffled(one.labels, seed))),
  ),
  banded((label) => label),
  banded((label) => OFFICE[1]![label]!),
  {
    kind: 'two rows',
    name: 'English below, amounts under their names',
    layout: 'payroll/wide',
    async files() {
      const whole = await grid();
      const groups: Value[] = whole.labels.map((label) => {
        const at = AMOUNTS.indexOf(label);
        const [first, second] = label.split(' ');
        return at >= 0 && second !== undefined && /^(HED|HEN|RN|HEDDF|Vacaciones|Incapacidad)$/.test(first!)
          ? first!
          : null;
      });
      const shown = groups.map((group, at) => (group !== null && groups[at - 1] === group ? null : group));
      const labels = whole.labels.map((label, at) =>
        groups[at] === null
          ? label
          : { horas: 'Cant.', valor: 'Vr.', desde: 'Inicio', hasta: 'Fin', días: 'Días', tipo: 'Clase' }[
              label.split(' ')[1]!
            ]!,
      );
      const bare = shown.map((group, at) =>
        group === null && groups[at] === null && at > 0 && groups[at - 1] !== null ? 'OTROS PAGOS' : group,
      );
      return [await workbook([{ name: 'Oct', rows: [['X'], bare, labels, ...whole.rows] }])];
    },
    truth: async () => {
      const labels = LABELS;
      return (fit: LabelFit) => IDS[labels[fit.column]!];
    },
  },
];

const CONSULTAS = 'samples/rips/consultas/Consultas octubre.csv';
const CLINIC_IDS: Readonly<Record<string, string>> = {
  'Tipo Doc': 'tipoDocumentoUsuario',
  Documento: 'numDocumentoUsuario',
  'Primer Nombre': 'primerNombre',
  'Segundo Nombre': 'segundoNombre',
  'Primer Apellido': 'primerApellido',
  'Segundo Apellido': 'segundoApellido',
  'Fecha Nac': 'fechaNacimiento',
  Sexo: 'codSexo',
  Régimen: 'tipoUsuario',
  'Cód. Municipio': 'codMunicipioResidencia',
  Zona: 'codZonaTerritorialResidencia',
  Correo: 'correo',
  'Fecha Consulta': 'fechaAtencion',
  Hora: 'horaAtencion',
  CUPS: 'codConsulta',
  Dx: 'codDiagnosticoPrincipal',
  'Dx Relac.': 'codDiagnosticoRelacionado1',
  'Tipo Dx': 'tipoDiagnosticoPrincipal',
  Finalidad: 'finalidadTecnologiaSalud',
  Causa: 'causaMotivoAtencion',
  Valor: 'vrServicio',
  Cuota: 'valorPagoModerador',
  Concepto: 'conceptoRecaudo',
  'Doc. Profesional': 'numDocumentoIdentificacion',
};

/** What is paid, where its title says the concept. */
const PAYMENTS: Readonly<Record<string, string>> = {
  'Valor copago': 'copago',
  'Cuota Mod.': 'cuotaModeradora',
};

const CLINIC: readonly (readonly [kind: string, names: Readonly<Record<string, string>>])[] = [
  [
    'words of clinics',
    {
      'Tipo Doc': 'Tipo de identidad',
      Documento: 'Nro. identificación paciente',
      'Primer Nombre': 'Nombre uno',
      'Segundo Nombre': 'Nombre dos',
      'Primer Apellido': 'Apellido uno',
      'Segundo Apellido': 'Apellido dos',
      'Fecha Nac': 'Nació el',
      Sexo: 'Género biológico',
      Régimen: 'Tipo de afiliado',
      'Cód. Municipio': 'Mpio. residencia (DANE)',
      Zona: 'Área de residencia',
      Correo: 'Correo del paciente',
      'Fecha Consulta': 'Día de la consulta',
      Hora: 'Hora de ingreso',
      CUPS: 'Código CUPS consulta',
      Dx: 'Diagnóstico CIE10',
      'Dx Relac.': 'Diagnóstico secundario',
      'Tipo Dx': 'Clase de diagnóstico',
      Finalidad: 'Finalidad de atención',
      Causa: 'Causa de la atención',
      Valor: 'Valor consulta',
      Cuota: 'Valor copago',
      Concepto: 'Concepto del recaudo',
      'Doc. Profesional': 'Cédula del médico',
    },
  ],
  [
    'field codes',
    {
      'Tipo Doc': 'U01_tipoDocumentoIdentificacion',
      Documento: 'U02_numDocumentoIdentificacion',
      'Primer Nombre': 'P01_primerNombre',
      'Segundo Nombre': 'P02_segundoNombre',
      'Primer Apellido': 'P03_primerApellido',
      'Segundo Apellido': 'P04_segundoApellido',
      'Fecha Nac': 'U04_fechaNacimiento',
      Sexo: 'U05_codSexo',
      Régimen: 'U03_tipoUsuario',
      'Cód. Municipio': 'U07_codMunicipioResidencia',
      Zona: 'U08_codZonaTerritorialResidencia',
      Correo: 'P05_correo',
      'Fecha Consulta': 'C02_fechaInicioAtencion',
      Hora: 'C02_horaInicioAtencion',
      CUPS: 'C04_codConsulta',
      Dx: 'C10_codDiagnosticoPrincipal',
      'Dx Relac.': 'C11_codDiagnosticoRelacionado1',
      'Tipo Dx': 'C14_tipoDiagnosticoPrincipal',
      Finalidad: 'C08_finalidadTecnologiaSalud',
      Causa: 'C09_causaMotivoAtencion',
      Valor: 'C17_vrServicio',
      Cuota: 'C19_valorPagoModerador',
      Concepto: 'C18_conceptoRecaudo',
      'Doc. Profesional': 'C16_numDocumentoProfesional',
    },
  ],
  [
    'six capitals',
    {
      'Tipo Doc': 'TIPIDE',
      Documento: 'NUMIDE',
      'Primer Nombre': 'NOMBR1',
      'Segundo Nombre': 'NOMBR2',
      'Primer Apellido': 'APELL1',
      'Segundo Apellido': 'APELL2',
      'Fecha Nac': 'FECNAC',
      Sexo: 'SEXO',
      Régimen: 'TIPUSU',
      'Cód. Municipio': 'CODMUN',
      Zona: 'ZONRES',
      Correo: 'CORREO',
      'Fecha Consulta': 'FECCON',
      Hora: 'HORCON',
      CUPS: 'CODCON',
      Dx: 'DIAPRI',
      'Dx Relac.': 'DIARE1',
      'Tipo Dx': 'TIPDIA',
      Finalidad: 'FINCON',
      Causa: 'CAUEXT',
      Valor: 'VALCON',
      Cuota: 'VALCUO',
      Concepto: 'CONREC',
      'Doc. Profesional': 'DOCPRO',
    },
  ],
];

/** Kinds of affiliation and answers as clinics abbreviate them. */
const clinicWords = (value: Value): Value =>
  ({ Cotizante: 'C', Beneficiario: 'B', Subsidiado: 'S', Particular: 'P' })[String(value)] ?? value;

/** A clinic's list with other words over it, in another order, or with the words of its cells abbreviated. */
export const clinic = (
  kind: string,
  names: Readonly<Record<string, string>>,
  { coded = false, ordered = true } = {},
): Case => ({
  kind: coded ? 'words of one letter' : kind,
  name: `clinic, ${kind}`,
  layout: 'rips/consultas',
  async files() {
    const [whole] = await gridsOf(CONSULTAS);
    const rows = coded
      ? whole!.rows.map((row) =>
          row.map((value, column) => (whole!.labels[column] === 'Régimen' ? clinicWords(value) : value)),
        )
      : whole!.rows;
    const one = rename({ ...whole!, rows }, names);
    return [csv(ordered ? one : pick(one, shuffled(one.labels, 5)), 'consultas.csv')];
  },
  truth: byLabel(
    Object.fromEntries(
      Object.entries(CLINIC_IDS).map(([label, id]) => {
        const name = names[label] ?? label;
        return [name, PAYMENTS[name] ?? id];
      }),
    ),
  ),
});

/** A clinic's list with one more column of what its parts of names make. */
export async function clinicNames(label: string, text: (parts: readonly string[]) => string): Promise<Grid> {
  const [whole] = await gridsOf(CONSULTAS);
  const { labels, rows } = whole!;
  const parts = ['Primer Nombre', 'Segundo Nombre', 'Primer Apellido', 'Segundo Apellido'];
  return insert(whole!, 2, label, (row) =>
    text(parts.map((part) => String(rows[row]![labels.indexOf(part)] ?? 'María'))),
  );
}

/** Names beside surnames, under a word that also stands for whole names. */
const NAMES_APART: Case = {
  kind: 'words of clinics',
  name: 'clinic, NOMBRE beside APELLIDOS',
  layout: 'rips/consultas',
  async files() {
    const names = await clinicNames('NOMBRE', ([first, second]) => `${first} ${second}`);
    const surnames = await clinicNames('APELLIDOS', ([, , ...both]) => both.join(' '));
    const grid = insert(names, 3, 'APELLIDOS', (row) => surnames.rows[row]![2] ?? null);
    const kept = grid.labels.filter((label) => !/^(Primer|Segundo) /.test(label));
    return [csv(pick(grid, kept), 'consultas.csv')];
  },
  truth: byLabel({ ...CLINIC_IDS, NOMBRE: 'nombres', APELLIDOS: 'apellidos' }),
};

const CLINICS: readonly Case[] = [
  ...CLINIC.flatMap(([kind, names], at) => [
    clinic(kind, names),
    clinic(kind, names, { coded: true, ordered: at === 1 }),
  ]),
  NAMES_APART,
  clinic('words of clinics', { 'Tipo Dx': 'Tipo' }),
];

const EVENTS = 'samples/events/eventos-facturas-recibidas.csv';
const EVENT_IDS: Readonly<Record<string, string>> = {
  CUFE: 'cufe',
  Factura: 'invoice',
  Evento: 'event',
  Motivo: 'reason',
  'Cédula recibe': 'receiver_document',
  'Nombres recibe': 'receiver_names',
  'Apellidos recibe': 'receiver_surnames',
  Área: 'receiver_area',
  Cargo: 'receiver_position',
  Fecha: 'ignore',
};
const EVENT_NAMES: readonly Readonly<Record<string, string>>[] = [
  {
    CUFE: 'Código único factura electrónica',
    Factura: 'Consecutivo factura',
    Evento: 'Qué se registra',
    Motivo: 'Causal del reclamo',
    'Cédula recibe': 'C.C. de quien recibió',
    'Nombres recibe': 'Nombres de quien recibió',
    'Apellidos recibe': 'Apellidos de quien recibió',
    Área: 'Área que recibió',
    Cargo: 'Cargo de quien recibió',
    Fecha: 'Fecha de recepción',
  },
  {
    CUFE: 'UUID / CUFE',
    Factura: 'Invoice No.',
    Evento: 'Event to register',
    Motivo: 'Reason for claim',
    'Cédula recibe': 'Receiver ID number',
    'Nombres recibe': 'Receiver given names',
    'Apellidos recibe': 'Receiver family names',
    Área: 'Receiver department',
    Cargo: 'Receiver job',
    Fecha: 'Received on',
  },
  Object.fromEntries(Object.keys(EVENT_IDS).map((label) => [label, six(label)])),
];

const EVENT_LISTS: readonly Case[] = EVENT_NAMES.map((names, at) => ({
  kind: 'lists of events',
  name: `list ${at + 1}`,
  layout: 'events/list',
  async files() {
    const [whole] = await gridsOf(EVENTS);
    return [csv(rename(whole!, names), 'eventos.csv')];
  },
  truth: byLabel(
    Object.fromEntries(Object.entries(EVENT_IDS).map(([label, id]) => [names[label] ?? label, id])),
  ),
}));

export const CASES: readonly Case[] = [
  ...MISLEADING.slice(2),
  ...SAMPLES,
  ...KNOWN,
  ...GENERATED,
  ...CLINICS,
  ...CLINIC_VENDORS.map((names) => clinic('words of other vendors', names)),
  ...EVENT_LISTS,
];
