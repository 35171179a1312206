import type { Variant } from './answering.js';
import {
  column,
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

const MULTI = 'samples/payroll/multihoja/Nomina_octubre_multihoja.xlsx';
const LONG = 'samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx';

const sheets = async (path: string): Promise<Grid[]> =>
  (await gridsOf(path)).filter(({ rows }) => rows.length > 0);

const MULTI_LABELS: Readonly<Record<string, string>> = {
  'Tipo Documento': 'document_type',
  'Cedula Empleado': 'document',
  'Primer Apellido': 'surname',
  'Segundo Apellido': 'second_surname',
  'Primer Nombre': 'first_name',
  'Otros Nombres': 'middle_name',
  'Fecha Ingreso': 'admission_date',
  'Fecha Retiro': 'retirement_date',
  'Direccion Lugar Trabajo': 'address',
  'Codigo Municipio': 'municipality_code',
  'Tipo Trabajador': 'worker_type',
  'Subtipo Trabajador': 'worker_subtype',
  'Tipo Contrato': 'contract',
  'Salario Integral': 'integral_salary',
  'Alto Riesgo Pension': 'high_risk_pension',
  Sueldo: 'base_salary',
  'Dias Trabajados': 'worked_days',
  'Valor Sueldo': 'salary',
  'Auxilio Transporte': 'transport',
  Salud: 'health',
  Pension: 'pension',
  'Fondo Solidaridad': 'solidarity',
  'Fondo Subsistencia': 'subsistence',
  'Forma de Pago': 'payment_method',
  Banco: 'bank',
  'Tipo Cuenta': 'account_type',
  'Numero Cuenta': 'account_number',
  'Fecha Pago': 'payment_date',
  'Fecha Hora Inicio': 'item_start',
  'Fecha Hora Fin': 'item_end',
  'Fecha Inicio': 'item_start',
  'Fecha Fin': 'item_end',
  Cantidad: 'quantity',
  Dias: 'quantity',
  Valor: 'value',
  'Tipo Licencia': 'item_type',
  'Tipo Incapacidad': 'item_type',
  'Bonificacion Salarial': 'salary_value',
  'Bonificacion No Salarial': 'non_salary_value',
  'Auxilio Salarial': 'salary_value',
  'Auxilio No Salarial': 'non_salary_value',
  'Viatico Salarial': 'salary_value',
  'Viatico No Salarial': 'non_salary_value',
  'Valor Salarial': 'salary_value',
  'Valor No Salarial': 'non_salary_value',
  Descripcion: 'description',
  Porcentaje: 'percentage',
  'Porcentaje Intereses': 'percentage',
  'Valor Intereses': 'interest',
  'Sancion Publica': 'public_value',
  'Sancion Privada': 'private_value',
  AFC: 'afc_value',
  'Pension Voluntaria': 'voluntary_pension_value',
};

const renamedIds = (
  ids: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).map(([label, id]) => [names[label] ?? label, id]));

const MULTI_NAMES: Readonly<Record<string, string>> = {
  'Cedula Empleado': 'C.C.',
  'Tipo Documento': 'TIPO DOC.',
  'Fecha Ingreso': 'FECHA DE VINCULACIÓN',
  'Codigo Municipio': 'DIVIPOLA',
  Sueldo: 'ASIGNACIÓN BÁSICA',
  'Valor Sueldo': 'BÁSICO DEVENGADO',
  'Dias Trabajados': 'DÍAS LAB.',
  'Auxilio Transporte': 'SUBSIDIO DE TRANSPORTE',
  'Forma de Pago': 'MEDIO DE PAGO',
  'Numero Cuenta': 'No. CUENTA',
  'Fecha Hora Inicio': 'DESDE',
  'Fecha Hora Fin': 'HASTA',
  'Fecha Inicio': 'DESDE',
  'Fecha Fin': 'HASTA',
  Cantidad: 'HORAS',
  Valor: 'VR. PAGADO',
  Descripcion: 'ENTIDAD',
};
const SHEET_NAMES: Readonly<Record<string, string>> = {
  Empleados: 'PERSONAL OCTUBRE',
  'Forma de pago': 'CUENTAS BANCARIAS',
  'HE Diurnas': 'H. EXTRAS DIURNAS',
  Incapacidades: 'INCAP.',
  Libranzas: 'DCTOS NOMINA',
  Vacaciones: 'VACACIONES OCT',
};

/** `TOTAL` under the document, sums under amounts. */
const totals = (grid: Grid): Value[] =>
  [...grid.labels].reverse().map((label): Value => {
    if (label === 'Cedula Empleado') return 'TOTAL';
    if (!/^(Valor|AFC|Salud|Pension|Sancion)/.test(label)) return null;
    const at = column(grid, label);
    return grid.rows.reduce((sum, row) => sum + (Number(row[at]) || 0), 0);
  });

const MULTI_VARIANTS: readonly Variant[] = [
  {
    name: 'other labels and sheet names, titles above',
    sample: 'multihoja',
    layout: 'payroll/multi-sheet',
    async files() {
      const grids = await sheets(MULTI);
      const pages = grids.map((grid) =>
        page({ ...rename(grid, MULTI_NAMES), name: SHEET_NAMES[grid.name] ?? grid.name }, [
          ['EMPRESA MODELO S.A.'],
          ['OCTUBRE 2026'],
          [],
        ]),
      );
      return [await workbook(pages)];
    },
    known: {
      labels: { ...renamedIds(MULTI_LABELS, MULTI_NAMES), Dias: 'quantity' },
      answers: {
        'sheet.DCTOS NOMINA': 'orders',
        'sheet.H. EXTRAS DIURNAS': 'hed',
        'sheet.INCAP.': 'disabilities',
        'sheet.VACACIONES OCT': 'vacation',
        'sheet.CUENTAS BANCARIAS': 'payment',
      },
    },
    asks: ['sheet.DCTOS NOMINA'],
  },
  {
    name: 'columns and sheets in reverse order, a row of totals below each',
    sample: 'multihoja',
    layout: 'payroll/multi-sheet',
    async files() {
      const grids = (await sheets(MULTI)).reverse();
      return [
        await workbook(grids.map((grid) => page(pick(grid, [...grid.labels].reverse()), [], [totals(grid)]))),
      ];
    },
    known: { labels: MULTI_LABELS },
  },
];

const LONG_LABELS: Readonly<Record<string, string>> = {
  CEDULA: 'document',
  NOMBRE: 'full_name',
  QUINCENA: 'ignore', // the mapping itself declines it
  DESDE: 'period_start',
  HASTA: 'period_end',
  'FECHA PAGO': 'payment_date',
  CONCEPTO: 'concept',
  CANTIDAD: 'quantity',
  VALOR: 'value',
  NAT: 'nature',
  'NOV DESDE': 'novelty_start',
  'NOV HASTA': 'novelty_end',
  'TIPO ID': 'document_type',
  'APELLIDO 1': 'surname',
  'APELLIDO 2': 'second_surname',
  'NOMBRE 1': 'first_name',
  'NOMBRE 2': 'middle_name',
  'FEC INGRESO': 'admission_date',
  'SUELDO MES': 'base_salary',
  'TIPO CONTRATO': 'contract',
  'COD DANE': 'municipality_code',
  CIUDAD: 'municipality',
  DIRECCION: 'address',
  BANCO: 'bank',
  'CLASE CTA': 'account_type',
  'NRO CTA': 'account_number',
  'FORMA PAGO': 'payment_method',
};

const UNKNOWN = {
  'class.DCTO. ALMACEN EL VECINO': 'ignore',
  'class.APROVECHAMIENTO FDO ROTATORIO': 'ignore',
} as const;

const records = async (): Promise<{ lines: Grid; people: Grid }> => {
  const [lines, people] = await sheets(LONG);
  const at = column(lines!, 'CONCEPTO');
  return {
    lines: { ...lines!, rows: lines!.rows.filter((row) => row[at] !== null && row[at] !== undefined) },
    people: people!,
  };
};

/** The amount in one of two columns, as the nature of the record says. */
function twoColumns(lines: Grid, earning: string, deduction: string): Grid {
  const [value, nature] = [column(lines, 'VALOR'), column(lines, 'NAT')];
  const side =
    (word: string) =>
    (row: number): Value =>
      lines.rows[row]![nature] === word ? (lines.rows[row]![value] ?? null) : null;
  const both = insert(
    insert(lines, lines.labels.length, earning, side('DEV')),
    lines.labels.length + 1,
    deduction,
    side('DED'),
  );
  return pick(
    both,
    both.labels.filter((label) => label !== 'VALOR' && label !== 'NAT'),
  );
}

const LONG_VARIANTS: readonly Variant[] = [
  {
    name: 'earnings and deductions in columns of their own',
    sample: 'conceptos',
    layout: 'payroll/long',
    async files() {
      const { lines, people } = await records();
      return [
        await workbook([
          page(twoColumns(lines, 'DEVENGADOS', 'DEDUCCIONES'), [['LISTADO'], []]),
          page(people),
        ]),
      ];
    },
    known: { labels: { ...LONG_LABELS, DEVENGADOS: 'earning', DEDUCCIONES: 'deduction' }, answers: UNKNOWN },
    asks: Object.keys(UNKNOWN),
  },
  {
    name: 'debit and credit, other labels, people in a file of their own',
    sample: 'conceptos',
    layout: 'payroll/long',
    async files() {
      const { lines, people } = await records();
      const names = {
        CEDULA: 'NUMERO DOCUMENTO',
        CONCEPTO: 'NOMBRE DEL CONCEPTO',
        CANTIDAD: 'CANT.',
        NOMBRE: 'TRABAJADOR',
      };
      return [
        await workbook([page(rename(twoColumns(lines, 'DEBITO', 'CREDITO'), names))]),
        await workbook([page(rename(people, { CEDULA: 'IDENTIFICACION' }))]),
      ];
    },
    known: {
      labels: {
        ...LONG_LABELS,
        DEBITO: 'earning',
        CREDITO: 'deduction',
        'NUMERO DOCUMENTO': 'document',
        'NOMBRE DEL CONCEPTO': 'concept',
        'CANT.': 'quantity',
        TRABAJADOR: 'full_name',
        IDENTIFICACION: 'document',
      },
      answers: UNKNOWN,
    },
  },
  {
    name: 'deductions written as negative amounts, without their nature',
    sample: 'conceptos',
    layout: 'payroll/long',
    async files() {
      const { lines, people } = await records();
      const [value, nature] = [column(lines, 'VALOR'), column(lines, 'NAT')];
      const signed = mapColumn(lines, 'VALOR', (_, row) => {
        const amount = lines.rows[row]![value] as number;
        return lines.rows[row]![nature] === 'DED' ? -amount : amount;
      });
      return [
        await workbook([
          page(
            pick(
              signed,
              signed.labels.filter((label) => label !== 'NAT'),
            ),
          ),
          page(people),
        ]),
      ];
    },
    known: { labels: LONG_LABELS, answers: { ...UNKNOWN, deduction_sign: 'negative' } },
    asks: ['deduction_sign'],
  },
  {
    name: 'two sheets, one a fortnight, concepts by the words of the office',
    sample: 'conceptos',
    layout: 'payroll/long',
    async files() {
      const { lines, people } = await records();
      const at = column(lines, 'QUINCENA');
      const words = mapColumn(lines, 'CONCEPTO', (value) =>
        value === 'SALARIO BASICO' ? 'PAGO QUINCENAL' : value,
      );
      const half = (which: number): Grid => ({
        ...words,
        name: `${which}A QUINCENA`,
        rows: words.rows.filter((row) => Number(row[at]) === which),
      });
      return [await workbook([page(half(1)), page(half(2)), page(people)])];
    },
    known: {
      labels: LONG_LABELS,
      answers: { ...UNKNOWN, 'lines.sheet': '*', 'class.PAGO QUINCENAL': 'salary' },
    },
    asks: ['class.PAGO QUINCENAL', 'lines.sheet'],
  },
];

const OFFICE_NAMES: Readonly<Record<string, string>> = {
  CEDULA: 'NIT',
  NOMBRE: 'EMPLEADO',
  CONCEPTO: 'RUBRO',
  CANTIDAD: 'HORAS/DIAS',
  VALOR: 'IMPORTE NETO',
  NAT: 'D/C',
  DESDE: 'F. INICIO',
  HASTA: 'F. FIN',
};

const OFFICE: readonly Variant[] = [
  {
    name: 'sheets of one concept for each fortnight, and a sheet that is not needed',
    sample: 'multihoja',
    layout: 'payroll/multi-sheet',
    async files() {
      const grids = (await sheets(MULTI)).flatMap((grid): Grid[] => {
        if (grid.name !== 'HE Diurnas') return [grid];
        const half = Math.ceil(grid.rows.length / 2);
        return [
          { ...grid, name: 'HED 1a quincena', rows: grid.rows.slice(0, half) },
          { ...grid, name: 'HED 2a quincena', rows: grid.rows.slice(half) },
        ];
      });
      const people = grids.find(({ name }) => name === 'Empleados')!;
      const extra = insert(pick(people, ['Cedula Empleado']), 1, 'Provision', (row) => 90_000 + row * 11);
      return [await workbook([...grids, { ...extra, name: 'Provisiones' }].map((grid) => page(grid)))];
    },
    known: {
      labels: MULTI_LABELS,
      answers: {
        'hed.sheet': '*',
        'sheet.Provisiones': 'ignore',
      },
    },
    asks: ['hed.sheet', 'sheet.Provisiones'],
  },
  {
    name: 'hardly a label that anybody else uses',
    sample: 'conceptos',
    layout: 'payroll/long',
    async files() {
      const { lines, people } = await records();
      return [await workbook([page(rename(lines, OFFICE_NAMES)), page(people)])];
    },
    known: { labels: { ...LONG_LABELS, ...renamedIds(LONG_LABELS, OFFICE_NAMES) }, answers: UNKNOWN },
    asks: ['lines.I'],
  },
];

export const LISTS: readonly Variant[] = [...MULTI_VARIANTS, ...LONG_VARIANTS, ...OFFICE];
