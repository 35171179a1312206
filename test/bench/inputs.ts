import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import ExcelJS from 'exceljs';

/** Column titles and how a record fills them; amounts agree with each other, so that a check finds nothing. */
interface Column {
  readonly title: string;
  readonly cell: (worker: Worker) => string | number | Date | null;
}

interface Worker {
  readonly index: number;
  readonly salary: number;
  readonly overtime: number | null;
  readonly bonus: number | null;
  readonly loan: number | null;
  readonly transport: number | null;
  readonly health: number;
}

const SURNAMES = ['Núñez', 'Sánchez', 'González', 'Bohórquez', 'Torres', 'Ortiz', 'Ruiz'];

const cents = (amount: number): number => Math.round(amount * 100) / 100;

function worker(index: number): Worker {
  const salary = 1_750_905 + ((index * 37) % 3_000_000);
  // Six hours of day overtime in a month of 210.
  const overtime = index % 3 === 0 ? cents(((salary * 6) / 210) * 1.25) : null;
  const base = salary + (overtime ?? 0);
  return {
    index,
    salary,
    overtime,
    transport: base <= 2 * 1_750_905 ? 249_095 : null,
    bonus: index % 5 === 0 ? 213_000 : null,
    loan: index % 4 === 0 ? 276_000 : null,
    health: Math.round(base * 0.04),
  };
}

const accrued = ({ salary, overtime, transport, bonus }: Worker): number =>
  salary + (transport ?? 0) + (overtime ?? 0) + (bonus ?? 0);
const deducted = ({ health, loan }: Worker): number => 2 * health + (loan ?? 0);

const CORE: readonly Column[] = [
  { title: 'Tipo documento', cell: () => 'CC' },
  { title: 'Número documento', cell: ({ index }) => 9_000_100_000 + index },
  { title: 'Primer apellido', cell: ({ index }) => SURNAMES[index % 7]! },
  { title: 'Primer nombre', cell: () => 'Fabián' },
  { title: 'Dirección de trabajo', cell: ({ index }) => `Avenida ${index % 170} # 43-57` },
  { title: 'Código municipio', cell: () => '08001' },
  { title: 'Tipo trabajador', cell: () => '01' },
  { title: 'Subtipo trabajador', cell: () => '00' },
  { title: 'Tipo contrato', cell: () => 'Término indefinido' },
  { title: 'Sueldo mensual', cell: ({ salary }) => salary },
  { title: 'Fecha ingreso', cell: ({ index }) => new Date(Date.UTC(2020, index % 12, 1 + (index % 28))) },
  { title: 'Medio de pago', cell: () => '10' },
  { title: 'Días trabajados', cell: () => 30 },
  { title: 'Salario devengado', cell: ({ salary }) => salary },
  { title: 'Auxilio de transporte', cell: ({ transport }) => transport },
  { title: 'HED horas', cell: ({ overtime }) => overtime && 6 },
  { title: 'HED valor', cell: ({ overtime }) => overtime },
  { title: 'Salud', cell: ({ health }) => health },
  { title: 'Pensión', cell: ({ health }) => health },
  { title: 'Bonificación no salarial', cell: ({ bonus }) => bonus },
];

const REST: readonly Column[] = [
  { title: 'Segundo apellido', cell: ({ index }) => SURNAMES[(index + 3) % 7]! },
  { title: 'Otros nombres', cell: ({ index }) => (index % 2 ? 'Lucía' : null) },
  { title: 'Municipio', cell: () => 'Barranquilla' },
  { title: 'Alto riesgo pensión', cell: () => 'NO' },
  { title: 'Salario integral', cell: () => 'NO' },
  { title: 'Banco', cell: () => null },
  { title: 'Tipo de cuenta', cell: () => null },
  { title: 'Número de cuenta', cell: () => null },
  { title: 'HEN horas', cell: () => null },
  { title: 'HEN valor', cell: () => null },
  { title: 'Comisiones', cell: () => null },
  { title: 'Bonificación salarial', cell: () => null },
  { title: 'Fondo de solidaridad', cell: () => null },
  { title: 'Retención en la fuente', cell: () => null },
  { title: 'Libranza entidad', cell: ({ loan }) => loan && 'Banco Litoral' },
  { title: 'Libranza valor', cell: ({ loan }) => loan },
  { title: 'Cooperativa', cell: () => 0 },
  { title: 'Total devengado', cell: (person) => cents(accrued(person)) },
  { title: 'Total deducciones', cell: (person) => cents(deducted(person)) },
  { title: 'Neto a pagar', cell: (person) => cents(accrued(person) - deducted(person)) },
];

/** A payroll workbook of 40 columns, made once. */
/** `wrong`: in every so many-th record the salary is a text with letters for digits. */
export async function makeWorkbook(path: string, records: number, wrong = 0): Promise<void> {
  if (existsSync(path)) return;
  const columns = [...CORE, ...REST];
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({
    filename: path,
    useSharedStrings: true,
    useStyles: true,
  });
  const sheet = book.addWorksheet('Nomina');
  sheet.addRow(columns.map(({ title }) => title)).commit();
  const dated = columns.findIndex(({ title }) => title === 'Fecha ingreso') + 1;
  const earned = columns.findIndex(({ title }) => title === 'Salario devengado') + 1;
  for (let index = 0; index < records; index++) {
    const person = worker(index);
    const row = sheet.addRow(columns.map(({ cell }) => cell(person)));
    row.getCell(dated).numFmt = 'dd/mm/yyyy';
    if (wrong > 0 && index % wrong === 0) row.getCell(earned).value = '1.75O.9O5';
    row.commit();
  }
  await book.commit();
}

const csvText = (value: string | number | Date | null): string =>
  value === null
    ? ''
    : value instanceof Date
      ? value.toISOString().slice(0, 10)
      : typeof value === 'number' && value % 1
        ? value.toFixed(2)
        : String(value);

/** A payroll CSV of 20 columns, made once. */
export async function makeCsv(path: string, records: number): Promise<void> {
  if (existsSync(path)) return;
  const out = createWriteStream(path);
  out.write(`${CORE.map(({ title }) => title).join(',')}\n`);
  let block = '';
  for (let index = 0; index < records; index++) {
    const person = worker(index);
    block += `${CORE.map(({ cell }) => csvText(cell(person))).join(',')}\n`;
    if (block.length < 1 << 16) continue;
    if (!out.write(block)) await once(out, 'drain');
    block = '';
  }
  out.end(block);
  await once(out, 'finish');
}
