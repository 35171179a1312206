import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { likelyAddress } from '../../src/app/recognise.js';
import type { Options } from '../../src/cli/options.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { type Issue, PipelineError } from '../../src/toolkit/core/issue.js';
import { fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sampleCsv, WIDE } from './sample.js';
import { approve, send, status } from './use-cases.js';

/** One harmless question before the first document tells that something else is at the address. */

const CARE_HEADER =
  'type_document_identification_id,document_number,name,last_name,email,birth_date,rips_user_type_id,rips_gender_id,municipality_id,rips_zone_id,country_code,user_id,date,time,service_type_id,fechaInicioAtencion,codConsulta,modalidadGrupoServicioTecSal,grupoServicios,codServicio,finalidadTecnologiaSalud,causaMotivoAtencion,codDiagnosticoPrincipal,tipoDiagnosticoPrincipal,vrServicio,conceptoRecaudo,valorPagoModerador,consecutivo';
const CARE_ROW =
  '3,52000101,Luisa,Rojas,luisa@correo.example,1985-07-14,1,3,149,2,170,7,2026-10-01,08:30,1,2026-10-01T08:30:00,890201,01,01,328,16,38,I10X,02,60000,5,0,1';
const CARE_PARAMS = {
  note_number_prefix: 'RS-',
  note_number_width: 4,
  numDocumentoIdObligado: '900123456',
  users: [
    {
      user_id: 7,
      tipoDocumentoIdentificacion: 'CC',
      numDocumentoIdentificacion: '9900000007',
      codPrestador: '110010990101',
    },
  ],
};

const INVOICES = 3;

/** The files of a family, as many documents as are worth sending, and how they are read. */
const FAMILIES: Readonly<Record<string, (folder: string) => Promise<readonly [file: string, Options]>>> = {
  payroll: async () => [await sampleCsv((grid) => void grid.splice(21)), WIDE],
  rips: async (folder) => {
    const [file, params] = [join(folder, 'care.csv'), join(folder, 'params.json')];
    writeFileSync(file, [CARE_HEADER, CARE_ROW].join('\n'));
    writeFileSync(params, JSON.stringify(CARE_PARAMS));
    return [file, { mapping: 'rips/interfaz', params }];
  },
  events: async (folder) => {
    const file = join(folder, 'eventos.csv');
    const rows = Array.from({ length: INVOICES }, (_, at) => at + 1).map(
      (one) => `${String(one).repeat(96)};F${one};030;;1020;Ana;Ruiz;Compras;Jefe`,
    );
    const header = 'CUFE;Factura;Evento;Motivo;Cédula recibe;Nombres recibe;Apellidos recibe;Área;Cargo';
    writeFileSync(file, [header, ...rows].join('\n'));
    return [file, { mapping: 'events/list' }];
  },
};

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly text: string;
  readonly location?: string;
}

/** Something else that listens: it answers everything alike. */
async function other({ status, type = 'application/json', text, location }: Reply) {
  const requests: string[] = [];
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    response.writeHead(status, { 'content-type': type, ...(location && { location }) });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const REPLIES: readonly [name: string, reply: Reply][] = [
  ['a page that is not found', { status: 404, type: 'text/html', text: '<h1>404</h1>' }],
  ['404 of another framework', { status: 404, text: '{"timestamp":1,"status":404,"error":"Not Found"}' }],
  ['405', { status: 405, text: '{"detail":"Method Not Allowed"}' }],
  ['a login page', { status: 200, type: 'text/html', text: '<html><form></form></html>' }],
  ['a redirect to a login', { status: 302, type: 'text/html', text: '', location: '/login' }],
  ['another interface', { status: 200, text: '{"status":"UP"}' }],
];

async function called(family: string, url: string) {
  const folder = freshFolder();
  const [file, mapped] = await FAMILIES[family]!(folder);
  const here = () => fake({ url, token: 'token', workspace: join(folder, 'ws') });
  const options: Options = { ...mapped, json: true, rate: 0, report: join(folder, 'report.xlsx') };
  const sent = async (work: Promise<number>): Promise<readonly Issue[] | number> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof PipelineError && error.key === 'service') return error.issues;
      throw error;
    }
  };
  const runs = async () => {
    const call = here();
    await status(call.context, [], { json: true });
    return call.events().filter(({ event }) => event === 'run');
  };
  return { here, file, options, sent, runs };
}

describe.each(Object.keys(FAMILIES))('%s', (family) => {
  test.each(REPLIES)('%s: nothing is sent, the address is named', async (_name, reply) => {
    const { url, requests } = await other(reply);
    const { here, file, options, sent, runs } = await called(family, `${url}/api`);
    expect(await sent(send(here().context, [file], { ...options, yes: true }))).toMatchObject([
      {
        code: 'send/not-the-service',
        params: { url: `${url}/api`, status: reply.status, likely: url, case: 'likely' },
      },
    ]);
    // Events are asked about before they are laid out, several invoices at a time.
    expect(requests.length).toBeLessThanOrEqual(family === 'events' ? INVOICES : 1);
    for (const request of requests) expect(request).toMatch(/^GET |\/status\/events-document\//);
    expect(await runs()).toEqual([]);
  });

  test('the service itself below a wrong path: the address without it is suggested, and works', async () => {
    const box = await startSandbox({ now: () => NOW });
    onTestFinished(() => box.close());
    const { here, file, options, sent } = await called(family, `${box.url}/api`);
    const [issue] = (await sent(send(here().context, [file], { ...options, yes: true }))) as readonly Issue[];
    expect(issue).toMatchObject({ code: 'send/not-the-service', params: { likely: box.url } });
    box.controls.clearRequests();
    const good = await called(family, box.url);
    const call = fake({ url: box.url, token: box.token, workspace: join(freshFolder(), 'ws') });
    await good.sent(send(call.context, [good.file], { ...good.options, yes: true }));
    const asked = box.controls
      .requests()
      .requests.filter(({ operation }) => ['getCurrentNumber', 'getServiceTables'].includes(operation ?? ''));
    expect(asked).toHaveLength(family === 'events' ? 0 : 1);
  });

  test('what was held is not sent either', async () => {
    const { url, requests } = await other(REPLIES[0]![1]);
    const { here, file, options, sent, runs } = await called(family, url);
    await send(here().context, [file], { ...options, hold: true });
    const [held] = await runs();
    const run = String(held!['run']);
    await approve(here().context, [run], { yes: true, as: 'Ana' });
    expect(await sent(send(here().context, [run], { ...options, yes: true }))).toMatchObject([
      { code: 'send/not-the-service', params: { url, status: 404 } },
    ]);
    expect(requests).toEqual([expect.stringMatching(/^GET /)]);
    expect((await runs())[0]).toMatchObject({ state: 'held' });
  });
});

test.each([
  ['https://host.example/api', 'https://host.example'],
  ['https://host.example/api/', 'https://host.example'],
  ['https://host.example/api/ubl2.1/payroll', 'https://host.example'],
  ['https://host.example/apidian/api/ubl2.1', 'https://host.example/apidian'],
  ['https://host.example/login', 'https://host.example'],
  ['https://host.example', undefined],
  ['https://host.example/', undefined],
])('%s: probably %s was meant', (given, likely) => expect(likelyAddress(given)).toBe(likely));
