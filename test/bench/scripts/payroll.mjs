// What a programmer at a company would write to turn the payroll sheet into checked documents, without this toolkit:
// one library for the sheet, ajv with the schema of the toolkit, and the rest by hand.
// It has no rules, no trace of cells, no accounting, and adds amounts as floats.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'csv-parse/sync';
import { records } from './rows.mjs';

const [library, file, { schema, params, catalogues, folder, print }] = [
  ...process.argv.slice(2, 4),
  JSON.parse(process.argv[4]),
];
const param = JSON.parse(readFileSync(params, 'utf8'));
const municipality = new Map(
  parse(readFileSync(`${catalogues}/municipalities.csv`), { columns: true }).map(({ id, code }) => [
    code,
    Number(id),
  ]),
);
const ajv = addFormats(new Ajv({ allErrors: true, strict: false }));
const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));

const DOCUMENTS = { CC: 3, CE: 5, TI: 2, PA: 7 };
const CONTRACTS = { 'Término fijo': 1, 'Término indefinido': 2, 'Obra o labor': 3, Aprendizaje: 4 };

const text = (value) =>
  value === null || value === undefined || value === '' ? undefined : String(value).trim();
const number = (value) => (text(value) === undefined ? undefined : Number(value));
const money = (value) => {
  const amount = number(value);
  return amount === undefined || amount === 0
    ? undefined
    : Number.isNaN(amount)
      ? text(value)
      : amount.toFixed(2);
};
const date = (value) => (value instanceof Date ? value.toISOString() : String(value)).slice(0, 10);
const yes = (value) => text(value) === 'SI';
let documents = 0;
const faults = [];

/** Leaves out what is blank. */
const filled = (object) => {
  for (const key in object) if (object[key] === undefined) delete object[key];
  return object;
};

function documentOf(row) {
  const sum = (...titles) => titles.reduce((total, title) => total + (number(row[title]) ?? 0), 0).toFixed(2);
  const overtime = money(row['HED valor']) && {
    start_time: param.overtime_start_time,
    end_time: param.overtime_end_time,
    quantity: text(row['HED horas']),
    percentage: 1,
    payment: money(row['HED valor']),
  };
  const bonus = money(row['Bonificación no salarial']);
  const loan = money(row['Libranza valor']);
  return {
    type_document_id: param.type_document_id,
    prefix: param.prefix,
    payroll_period_id: param.payroll_period_id,
    period: {
      admision_date: date(row['Fecha ingreso']),
      settlement_start_date: param.settlement_start_date,
      settlement_end_date: param.settlement_end_date,
      worked_time: Number(row['Días trabajados']).toFixed(2),
      issue_date: param.issue_date,
    },
    worker: filled({
      type_worker_id: Number(row['Tipo trabajador']),
      sub_type_worker_id: Number(row['Subtipo trabajador']) + 1,
      payroll_type_document_identification_id: DOCUMENTS[row['Tipo documento']],
      municipality_id: municipality.get(row['Código municipio']),
      type_contract_id: CONTRACTS[row['Tipo contrato']],
      high_risk_pension: yes(row['Alto riesgo pensión']),
      integral_salarary: yes(row['Salario integral']),
      identification_number: Number(row['Número documento']),
      surname: text(row['Primer apellido']),
      second_surname: text(row['Segundo apellido']),
      first_name: text(row['Primer nombre']),
      middle_name: text(row['Otros nombres']),
      address: text(row['Dirección de trabajo']),
      salary: money(row['Sueldo mensual']),
    }),
    payment: filled({ payment_method_id: Number(row['Medio de pago']), bank_name: text(row.Banco) }),
    payment_dates: [{ payment_date: param.payment_date }],
    accrued: filled({
      worked_days: number(row['Días trabajados']),
      salary: money(row['Salario devengado']),
      transportation_allowance: money(row['Auxilio de transporte']),
      HEDs: overtime && [overtime],
      bonuses: bonus && [{ non_salary_bonus: bonus }],
      accrued_total: sum(
        'Salario devengado',
        'Auxilio de transporte',
        'HED valor',
        'Bonificación no salarial',
      ),
    }),
    deductions: filled({
      eps_type_law_deductions_id: param.eps_type_law_deductions_id,
      eps_deduction: money(row.Salud),
      pension_type_law_deductions_id: param.pension_type_law_deductions_id,
      pension_deduction: money(row['Pensión']),
      orders: loan && [{ description: text(row['Libranza entidad']), deduction: loan }],
      deductions_total: sum('Salud', 'Pensión', 'Libranza valor'),
    }),
    consecutive: param.first_consecutive + documents,
  };
}

let rows = 0;
for await (const row of records(library, file, folder)) {
  rows += 1;
  const body = documentOf(row);
  if (validate(body)) {
    documents += 1;
    if (print) console.log(JSON.stringify(body));
  } else faults.push({ row: rows + 1, errors: validate.errors });
}
if (!print) console.log(JSON.stringify({ documents, wrong: faults.length }));
