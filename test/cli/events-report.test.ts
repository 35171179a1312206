import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sheetCells } from './sheet-cells.js';
import { events, report } from './use-cases.js';

const BUYER = '900555321'; // of the sample files
const CUFE = createHash('sha384').update('FV1').digest('hex');
const HEADINGS = [
  'Factura',
  'Vendedor',
  'NIT',
  'Total ($)',
  'Evento',
  'Nombre del evento',
  'Registrado',
  'Plazo hasta',
  'Estado',
  'Mensaje',
  'CUDE',
  'CUFE',
  'Consecutivo',
];

let box: Sandbox;
beforeAll(async () => {
  box = await startSandbox({ companies: [{ nit: BUYER }] });
  box.controls.setClock(NOW);
});
afterAll(() => box.close());

type Row = Readonly<Record<string, string | number | null>>;

/** Sends, and returns the sheet Documentos of the report, made again from the journal; by heading. */
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
  return rows.map((row): Row => Object.fromEntries(row.map((value, at) => [head![at], value])));
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
  expect(receipt).toMatchObject({
    Factura: 'FV1',
    CUFE,
    Evento: '030',
    'Nombre del evento': 'Acuse de recibo de la factura',
    Registrado: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    'Plazo hasta': null,
    Estado: 'Aceptado',
    Mensaje: null,
    CUDE: listed(CUFE, '030').cude,
    Consecutivo: listed(CUFE, '030').number,
  });
  // What the answer shows of the invoice.
  for (const name of ['Vendedor', 'NIT', 'Total ($)']) expect(receipt![name]).not.toBeNull();
  // Held back, since 032 is missing: it was never made.
  expect(acceptance).toMatchObject({ Factura: 'FV1 033', CUFE: null, Evento: null, Estado: 'Con errores' });
});

test('of an invoice of which the service told nothing, the list or the file beside it tells seller and total', async () => {
  const folder = freshFolder();
  const header = 'Factura;Evento;Vendedor;Total;Cédula recibe;Nombres recibe;Apellidos recibe;Área;Cargo';
  const person = '1020;Ana;Ruiz;Compras;Jefe';
  const file = join(folder, 'eventos.csv');
  writeFileSync(file, [header, `FE2301;030;;;${person}`, `CM7302;030;Mi proveedor;5;${person}`].join('\n'));
  const zip = packageFile('samples', 'events', 'adjuntos.zip');
  const lost = box.controls.addFault({ kind: 'reset-before', match: {}, times: 1000 });
  const call = fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
  const output = join(folder, 'reporte.xlsx');
  await events(call.context, [file, zip], {
    mapping: 'events/list',
    yes: true,
    json: true,
    partial: true,
    report: output,
  });
  box.controls.remove('faults', lost.id);
  const [head, ...rows] = (await sheetCells(output))['Documentos']!;
  const shown = ['Factura', 'Vendedor', 'NIT', 'Total ($)', 'Estado'].map((name) => head!.indexOf(name));
  expect(rows.map((row) => shown.map((at) => row[at]))).toEqual([
    ['FE2301', 'Ferretería La Estrella Ltda.', '830099002', 357358.19, 'Sin confirmar'],
    ['CM7302', 'Mi proveedor', expect.stringMatching(/^\d+$/), 5, 'Sin confirmar'],
  ]);
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
  expect(row).toMatchObject({
    Factura: 'FE2301',
    CUFE: expect.stringMatching(/^[0-9a-f]{96}$/) as string,
    Evento: '030',
    'Nombre del evento': 'Acuse de recibo de la factura',
    Estado: 'Aceptado',
  });
  for (const name of ['Vendedor', 'NIT', 'Total ($)']) expect(row![name]).not.toBeNull();
  expect(row!['CUDE']).toBe(listed(String(row!['CUFE']), '030').cude);
});
