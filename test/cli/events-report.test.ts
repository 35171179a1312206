import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/core/package-file.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sheetCells } from './sheet-cells.js';
import { events, report } from './use-cases.js';

const BUYER = '900555321'; // of the sample files
const CUFE = createHash('sha384').update('FV1').digest('hex');
const HEADINGS = [
  'Factura',
  'CUFE',
  'Evento',
  'Nombre del evento',
  'Estado',
  'Mensaje',
  'CUDE',
  'Consecutivo',
];

let box: Sandbox;
beforeAll(async () => {
  box = await startSandbox({ companies: [{ nit: BUYER }] });
  box.controls.setClock(NOW);
});
afterAll(() => box.close());

/** Sends, and returns the sheet Documentos of the report, made again from the journal. */
async function documentsOf(file: string, more: object) {
  const folder = freshFolder();
  const here = () => fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') }).context;
  const [first, again] = [join(folder, 'first.xlsx'), join(folder, 'again.xlsx')];
  await events(here(), [file], { yes: true, json: true, partial: true, report: first, ...more });
  await report(here(), [], { output: again });
  const [made, remade] = [await sheetCells(first), await sheetCells(again)];
  expect(remade).toEqual(made);
  const [head, ...rows] = made['Documentos']!;
  expect(head!.slice(0, HEADINGS.length)).toEqual(HEADINGS);
  return rows;
}

const listed = (cufe: string, code: string) =>
  box.controls.events(cufe).find((event) => event.code === code)!;

test('events of a list: invoice and CUFE, code and name, CUDE, consecutive', async () => {
  const file = join(freshFolder(), 'eventos.csv');
  const header = 'CUFE;Factura;Evento;Motivo;Cédula recibe;Nombres recibe;Apellidos recibe;Área;Cargo';
  const row = (event: string) => `${CUFE};FV1;${event};;1020;Ana;Ruiz;Compras;Jefe`;
  writeFileSync(file, [header, row('030'), row('033')].join('\n'));
  const [receipt, acceptance, ...more] = await documentsOf(file, { mapping: 'events/list' });
  expect(more).toEqual([]);
  expect(receipt!.slice(0, 7)).toEqual([
    'FV1',
    CUFE,
    '030',
    'Acuse de recibo de la factura',
    'Aceptado',
    null,
    listed(CUFE, '030').cude,
  ]);
  expect(receipt![7]).toBe(listed(CUFE, '030').number);
  // Held back, since 032 is missing: it was never made.
  expect(acceptance!.slice(0, 5)).toEqual(['FV1 033', null, null, null, 'Con errores']);
});

test('an invoice that comes as a file is called by its number', async () => {
  const file = packageFile('samples', 'events', 'adjuntos', 'ad08300990020002600000002.xml');
  const person = {
    identification_number: '1020',
    first_name: 'Ana',
    last_name: 'Ruiz',
    organization_department: 'Compras',
    job_title: 'Jefe',
  };
  const param = Object.entries({ ...person, event_id: '1' }).map(
    ([name, value]) => `${name === 'event_id' ? '' : 'issuer_party_'}${name}=${value}`,
  );
  const [row] = await documentsOf(file, { mapping: 'events/attached', param });
  expect(row![0]).toBe('FE2301');
  expect(row![1]).toMatch(/^[0-9a-f]{96}$/);
  expect(row!.slice(2, 5)).toEqual(['030', 'Acuse de recibo de la factura', 'Aceptado']);
  expect(row![6]).toBe(listed(String(row![1]), '030').cude);
});
