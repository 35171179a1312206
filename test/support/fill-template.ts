import type { Workbook, Worksheet } from 'exceljs';
import exceljs from 'exceljs';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { type Month, OVERTIME } from './payroll-month.js';

type Content = string | number | Date | undefined;
/** A row of a sheet by header text. */
type Cells = Readonly<Record<string, Content>>;

const numberOf = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));
/** Excel's dates have no zone, exceljs writes them as UTC. */
const dateOf = (value: unknown): Date | undefined => {
  if (value === undefined) return undefined;
  const text = String(value);
  return new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);
};
const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
const items = (value: unknown): readonly JsonObject[] => (value as readonly JsonObject[] | undefined) ?? [];

const OVERTIME_SHEETS = [
  'HE Diurnas',
  'HE Nocturnas',
  'Recargo Nocturno',
  'HE Diurnas DF',
  'Recargo Diurno DF',
  'HE Nocturnas DF',
  'Recargo Noct DF',
];
const DISABILITIES = ['', 'Común', 'Profesional', 'Laboral'];
const LEAVES = { maternity_leave: 'Maternidad', paid_leave: 'Remunerada', non_paid_leave: 'No remunerada' };

const dated = ({ start_date, end_date, quantity, payment }: JsonObject): Cells => ({
  Inicio: dateOf(start_date),
  Fin: dateOf(end_date),
  Días: numberOf(quantity),
  Valor: numberOf(payment),
});

function employee({ document, words }: Month): Cells {
  const [worker, period, payment, accrued, deductions] = [
    'worker',
    'period',
    'payment',
    'accrued',
    'deductions',
  ].map((key) => document[key] as JsonObject) as [JsonObject, JsonObject, JsonObject, JsonObject, JsonObject];
  return {
    'Tipo documento': words['document_type'],
    'Número de documento': textOf(worker['identification_number']),
    'Primer apellido': textOf(worker['surname']),
    'Segundo apellido': textOf(worker['second_surname']),
    'Primer nombre': textOf(worker['first_name']),
    'Otros nombres': textOf(worker['middle_name']),
    Correo: textOf(worker['email']),
    'Código trabajador': textOf(document['worker_code']),
    'Dirección de trabajo': textOf(worker['address']),
    Municipio: words['municipality'],
    Departamento: words['department'],
    'Tipo trabajador': words['worker_type'],
    'Subtipo trabajador': words['worker_subtype'],
    'Tipo contrato': words['contract'],
    'Alto riesgo pensión': worker['high_risk_pension'] ? 'Sí' : undefined,
    'Salario integral': worker['integral_salarary'] ? 'Sí' : 'No',
    'Sueldo mensual': numberOf(worker['salary']),
    'Fecha ingreso': dateOf(period['admision_date']),
    'Fecha retiro': dateOf(period['retirement_date']),
    'Medio de pago': words['payment_method'],
    Banco: textOf(payment['bank_name']),
    'Tipo de cuenta': textOf(payment['account_type']),
    'Número de cuenta': textOf(payment['account_number']),
    'Fecha de pago': dateOf(items(document['payment_dates'])[0]!['payment_date']),
    'Días trabajados': numberOf(accrued['worked_days']),
    'Salario devengado': numberOf(accrued['salary']),
    'Auxilio de transporte': numberOf(accrued['transportation_allowance']),
    Salud: numberOf(deductions['eps_deduction']),
    Pensión: numberOf(deductions['pension_deduction']),
    'Fondo de solidaridad': numberOf(deductions['fondosp_deduction_SP']),
    'Fondo de subsistencia': numberOf(deductions['fondosp_deduction_sub']),
    Cooperativa: numberOf(deductions['cooperative']),
    'Apoyo de sostenimiento': numberOf(accrued['sustenance_support']),
    Teletrabajo: numberOf(accrued['telecommuting']),
    Dotación: numberOf(accrued['endowment']),
    'Medicina prepagada': numberOf(deductions['supplementary_plan']),
    Educación: numberOf(deductions['education']),
    'Embargo fiscal': numberOf(deductions['tax_liens']),
    Deuda: numberOf(deductions['debt']),
  };
}

/** Sheet → rows of one document, as a person would fill them. */
function rowsOf(month: Month): Readonly<Record<string, readonly Cells[]>> {
  const accrued = month.document['accrued'] as JsonObject;
  const deductions = month.document['deductions'] as JsonObject;
  const rows = (value: unknown, row: (item: JsonObject) => Cells): Cells[] => items(value).map(row);
  /** Both amounts in one row, when there is either. */
  const pair = (cells: Cells): Cells[] =>
    Object.values(cells).some((cell) => cell !== undefined) ? [cells] : [];
  const amounts = (first: string, second: string, keys: readonly [string, string]) => (item: JsonObject) => ({
    [first]: numberOf(item[keys[0]]),
    [second]: numberOf(item[keys[1]]),
  });
  return {
    Empleados: [employee(month)],
    ...Object.fromEntries(
      OVERTIME.map((key, index) => [
        OVERTIME_SHEETS[index],
        rows(accrued[key], ({ start_time, end_time, quantity, payment }) => ({
          Inicio: dateOf(start_time),
          Fin: dateOf(end_time),
          Horas: numberOf(quantity),
          Valor: numberOf(payment),
        })),
      ]),
    ),
    Vacaciones: rows(accrued['common_vacation'], dated),
    'Vacaciones compensadas': rows(accrued['paid_vacation'], ({ quantity, payment }) => ({
      Días: numberOf(quantity),
      Valor: numberOf(payment),
    })),
    Incapacidades: rows(accrued['work_disabilities'], (item) => ({
      ...dated(item),
      'Tipo de incapacidad': DISABILITIES[Number(item['type'])],
    })),
    Licencias: Object.entries(LEAVES).flatMap(([key, word]) =>
      rows(accrued[key], (item) => ({ ...dated(item), Tipo: word })),
    ),
    Bonificaciones: rows(
      accrued['bonuses'],
      amounts('Bonificación salarial', 'Bonificación no salarial', ['salary_bonus', 'non_salary_bonus']),
    ),
    Auxilios: rows(
      accrued['aid'],
      amounts('Auxilio salarial', 'Auxilio no salarial', ['salary_assistance', 'non_salary_assistance']),
    ),
    'Otros conceptos': rows(accrued['other_concepts'], (item) => ({
      Concepto: textOf(item['description_concept']),
      ...amounts('Valor salarial', 'Valor no salarial', ['salary_concept', 'non_salary_concept'])(item),
    })),
    Comisiones: rows(accrued['commissions'], ({ commission }) => ({ Valor: numberOf(commission) })),
    Primas: rows(accrued['service_bonus'], ({ quantity, payment, paymentNS }) => ({
      Días: numberOf(quantity),
      Valor: numberOf(payment),
      'Valor no salarial': numberOf(paymentNS),
    })),
    Cesantías: rows(accrued['severance'], ({ payment, percentage, interest_payment }) => ({
      Valor: numberOf(payment),
      Porcentaje: numberOf(percentage),
      'Valor intereses': numberOf(interest_payment),
    })),
    Viáticos: pair(
      amounts('Valor salarial', 'Valor no salarial', ['salary_viatics', 'non_salary_viatics'])(accrued),
    ),
    Libranzas: rows(deductions['orders'], ({ description, deduction }) => ({
      Descripción: textOf(description),
      Valor: numberOf(deduction),
    })),
    Sindicato: rows(deductions['labor_union'], ({ percentage, deduction }) => ({
      Porcentaje: numberOf(percentage),
      Valor: numberOf(deduction),
    })),
    'Retención fuente': pair({ Valor: numberOf(deductions['withholding_at_source']) }),
    'Otras deducciones': rows(deductions['other_deductions'], ({ other_deduction }) => ({
      Valor: numberOf(other_deduction),
    })),
    Anticipos: rows(deductions['advances'], ({ advance }) => ({ Valor: numberOf(advance) })),
    Sanciones: rows(
      deductions['sanctions'],
      amounts('Sanción pública', 'Sanción privada', ['public_sanction', 'private_sanction']),
    ),
    'AFC y pensión vol': pair(amounts('AFC', 'Pensión voluntaria', ['afc', 'voluntary_pension'])(deductions)),
  };
}

/** Columns of a sheet of the template by header text. */
export function headersOf(sheet: Worksheet): ReadonlyMap<string, number> {
  const headers = new Map<string, number>();
  sheet.getRow(1).eachCell((cell, column) => {
    headers.set(String(cell.value).replace(/ \*$/, ''), column);
  });
  return headers;
}

function fillRow(sheet: Worksheet, number: number, cells: Cells): void {
  const headers = headersOf(sheet);
  for (const [title, content] of Object.entries(cells)) {
    const column = headers.get(title);
    if (column === undefined) throw new Error(`${sheet.name} has no column ${title}`);
    if (content !== undefined) sheet.getRow(number).getCell(column).value = content;
  }
}

export async function openBook(file: string): Promise<Workbook> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  return book;
}

/** Writes documents into a template of payroll, the rows of the workers mixed; returns how many each sheet got. */
export async function fillTemplate(
  template: string,
  months: readonly Month[],
  file: string,
): Promise<ReadonlyMap<string, number>> {
  const book = await openBook(template);
  const filled = new Map<string, number>();
  const waiting = months.map((month) =>
    Object.entries(rowsOf(month)).flatMap(([name, rows]) => {
      const worker = (month.document['worker'] as JsonObject)['identification_number'];
      return rows.map((cells) => ({ name, cells: { ...cells, 'Número de documento': String(worker) } }));
    }),
  );
  for (let round = 0; waiting.some((rows) => round < rows.length); round++)
    for (const rows of waiting) {
      const row = rows[round];
      if (row === undefined) continue;
      const sheet = book.getWorksheet(row.name);
      if (sheet === undefined) throw new Error(`no sheet ${row.name}`);
      const number = (filled.get(row.name) ?? 0) + 1;
      filled.set(row.name, number);
      fillRow(sheet, number + 1, row.cells);
    }
  await book.xlsx.writeFile(file);
  return filled;
}
