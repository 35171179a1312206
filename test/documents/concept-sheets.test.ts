import { expect, test } from 'vitest';
import { page, type Value, workbook } from '../inspect/grid.js';
import { prepareFiles } from '../support/prepare-file.js';

const PARAMS = {
  ...{ prefix: 'NOM', month: '2026-10', issue_date: '2026-10-31', payment_date: '2026-10-30' },
  ...{ type_worker_id: 1, sub_type_worker_id: 1, document_type_id: 3, municipality_id: 1006 },
  ...{ type_contract_id: 2, payment_method_id: 10, address: 'Calle 1', worked_time: 'days' },
};
const DOCUMENT = '1032456701';
const WORKER: Readonly<Record<string, Value>> = {
  ...{ Documento: DOCUMENT, 'Primer apellido': 'Ramírez', 'Primer nombre': 'Carlos' },
  ...{ 'Fecha ingreso': '2020-03-02', 'Sueldo mensual': 2_100_000, 'Días trabajados': 30 },
  ...{ 'Salario devengado': 2_100_000, Salud: 84_000, Pensión: 84_000 },
};

/** Reads one worker with further sheets. */
async function read(...sheets: { name: string; labels: string[]; rows: Value[][] }[]) {
  const people = { name: 'Empleados', labels: Object.keys(WORKER), rows: [Object.values(WORKER)] };
  const { drafts, issues } = await prepareFiles({
    files: [await workbook([people, ...sheets].map((sheet) => page(sheet)))],
    mapping: 'mappings/payroll/multi-sheet.yaml',
    params: PARAMS,
  });
  return { body: drafts[0]?.body, issues };
}

test('records of a concept that has one leaf are added up, those of a list are items', async () => {
  const rows = [
    [DOCUMENT, 100_000],
    [DOCUMENT, 50_000],
  ];
  const { body } = await read(
    { name: 'Dotación', labels: ['Documento', 'Valor'], rows },
    { name: 'Anticipo pagado al trabajador', labels: ['Documento', 'Valor'], rows },
  );
  expect(body).toMatchObject({
    accrued: { endowment: '150000.00', advances: [{ advance: '100000.00' }, { advance: '50000.00' }] },
  });
});

test.each([
  ['Vacaciones disfrutada', 'vacation'],
  ['Libransa', 'order'],
])('an unknown word gets the class that is most like it: %s', async (word, like) => {
  const rows = [[DOCUMENT, word, 80_000]];
  const { issues } = await read({ name: 'Novedades', labels: ['Documento', 'Concepto', 'Valor'], rows });
  const [found] = issues.filter(({ code }) => code === 'class/unknown');
  expect(found?.suggestions?.[0]?.value).toBe(like);
});
