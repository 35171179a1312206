import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../src/client/client.js';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { type SpoolOptions, type SpoolResult, spoolRun } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import type { Runtime } from '../../src/send/rate-limiter.js';
import type { RunMeta } from '../../src/send/runs.js';
import { type SendOptions, type SendResult, sendRun } from '../../src/send/send.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { type Document, noDocuments, noRecords } from '../../src/toolkit/schema/document.js';
import { journalAt } from './engines.js';

/** A folder that goes away with the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-send-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const tempJournal = (path = join(tempFolder(), 'journal.db')): Promise<Journal> => journalAt(path);

/** A sound payroll of October 2026 without its number; worker 1 is 9000100001. */
export const payroll = (worker: number, changes: JsonObject = {}): JsonObject => ({
  type_document_id: 9,
  prefix: 'NOM',
  payroll_period_id: 5,
  period: {
    admision_date: '2025-04-20',
    settlement_start_date: '2026-10-01',
    settlement_end_date: '2026-10-31',
    worked_time: '30.00',
    issue_date: '2026-10-31',
  },
  worker: {
    type_worker_id: 1,
    sub_type_worker_id: 1,
    payroll_type_document_identification_id: 3,
    municipality_id: 126,
    type_contract_id: 2,
    high_risk_pension: false,
    integral_salarary: false,
    identification_number: 9000100000 + worker,
    surname: 'Núñez',
    second_surname: 'Zapata',
    first_name: 'Fabián',
    middle_name: `W${worker}`,
    address: 'Avenida 125 # 43-57',
    salary: '2200000.00',
  },
  payment: {
    payment_method_id: 45,
    bank_name: 'Banco',
    account_type: 'Ahorros',
    account_number: '0012345678',
  },
  payment_dates: [{ payment_date: '2026-10-30' }],
  accrued: { worked_days: 30, salary: '2200000.00', accrued_total: '2200000.00' },
  deductions: {
    eps_type_law_deductions_id: 1,
    eps_deduction: '88000.00',
    pension_type_law_deductions_id: 5,
    pension_deduction: '88000.00',
    deductions_total: '176000.00',
  },
  ...changes,
});

export const envelope = (sequence: number, body: JsonObject): Document => ({
  sequence,
  key: String((body['worker'] as JsonObject)['identification_number']),
  name: 'Fabián Núñez',
  schema: 'payroll/payroll',
  body,
  trace: new Map([
    [
      '/worker/identification_number',
      [{ file: 'n.xlsx', sheet: 'Nómina', row: sequence + 1, column: 'A', label: 'Cédula' }],
    ],
    [
      '/worker/address',
      [{ file: 'n.xlsx', sheet: 'Nómina', row: sequence + 1, column: 'F', label: 'Dirección' }],
    ],
  ]),
  hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
});

export const workers = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => payroll(index + 1));

export const META: RunMeta = {
  company: '900123456',
  url: 'http://127.0.0.1',
  inputs: [{ file: 'n.xlsx', sha256: '0'.repeat(64) }],
  params: {},
  versions: { cargue: 'test' },
};

export function spool(
  journal: Journal,
  bodies: readonly JsonObject[],
  options: Partial<SpoolOptions> = {},
): Promise<SpoolResult> {
  async function* documents(): AsyncIterable<readonly Document[]> {
    yield bodies.map((body, index) => envelope(index + 1, body));
  }
  const made = { ...noDocuments(), planned: bodies.length, made: bodies.length };
  const records = { ...noRecords(), read: bodies.length, used: bodies.length };
  return spoolRun({
    journal,
    kind: PAYROLL,
    meta: META,
    documents: documents(),
    closing: () => ({ records, documents: made, defaults: {}, issues: [], skipped: [] }),
    clock: () => Date.parse('2026-11-21T15:00:00Z'),
    ...options,
  });
}

/** Of the sandbox's companies. */
export const PIN = '12345';

/** A clock that only sleeping moves, so that nothing waits; chance is always in the middle. */
export function fastWorld(): Runtime & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = Date.parse('2026-11-21T15:00:00Z');
  return {
    slept,
    clock: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += Math.ceil(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
    random: () => 0.5,
  };
}

export function clientOf(url: string, more: { token?: string; timeoutMs?: number } = {}): Client {
  const client = createClient({ url, token: 'secret-token', ...more });
  onTestFinished(() => client.close());
  return client;
}

export const send = (
  journal: Journal,
  run: string,
  client: Client,
  options: Partial<SendOptions> = {},
): Promise<SendResult> => sendRun({ journal, run, client, kind: PAYROLL, world: fastWorld(), ...options });

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** An answer of a scripted service; `reset` cuts the line, `hang` never answers. */
export type Reply =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | 'reset'
  | 'hang';

/** A real server on a free port, which answers as the function says; `turn` counts requests from 1. */
export async function service(answer: (request: SeenRequest, turn: number) => Reply | Promise<Reply>) {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
    const request = { method: incoming.method!, path: incoming.url!, body, headers: incoming.headers };
    requests.push(request);
    respond(response, await answer(request, requests.length), codeFor(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

/** The code of a numbered document; that of the first is CUNE. */
export const codeOf = (consecutive: number): string =>
  consecutive === 1 ? CUNE : createHash('sha384').update(String(consecutive)).digest('hex');

/** Scripts say CUNE, and every document gets its own. */
function codeFor({ path, body }: SeenRequest): string {
  const last = path.split('/').at(-1)!;
  if (path.includes('/status/document/')) return last;
  const [digits = '1'] = /\d+$/.exec(path.includes('/status/zip/') ? last : '') ?? [];
  const { consecutive = Number(digits) } = JSON.parse(body || '{}') as { consecutive?: number };
  return codeOf(consecutive);
}

function respond(response: ServerResponse, reply: Reply, code: string): void {
  if (reply === 'hang') return;
  if (reply === 'reset') {
    response.destroy();
    return;
  }
  const { status, json, text, headers = {} } = reply;
  response.writeHead(status, {
    'content-type': json === undefined ? 'text/html' : 'application/json',
    ...headers,
  });
  response.end(json === undefined ? (text ?? '') : JSON.stringify(json).replaceAll(CUNE, code));
}

const NIL = { _attributes: { nil: 'true' } };
export const CUNE = 'a1'.repeat(48);

/** The answer to a production send (service.md 13.5, 13.6). */
export const syncAnswer = (result: JsonObject): JsonObject => ({
  message: 'Nómina generada',
  ResponseDian: { Envelope: { Body: { SendNominaSyncResponse: { SendNominaSyncResult: result } } } },
  cune: CUNE,
});
export const ACCEPTED_RESULT: JsonObject = {
  ErrorMessage: NIL,
  IsValid: 'true',
  StatusCode: '00',
  StatusDescription: 'Procesado Correctamente.',
  XmlDocumentKey: CUNE,
};
export const rejectedResult = (...lines: string[]): JsonObject => ({
  ErrorMessage: { string: lines.length === 1 ? lines[0]! : lines },
  IsValid: 'false',
  StatusCode: '99',
  StatusDescription: 'Validación contiene errores en campos mandatorios.',
  StatusMessage: NIL,
  XmlDocumentKey: CUNE,
});
export const ACCEPTED: Reply = { status: 200, json: syncAnswer(ACCEPTED_RESULT) };
export const TAKEN: Reply = {
  status: 200,
  json: syncAnswer(rejectedResult('Regla: 90, Rechazo: Documento procesado anteriormente.')),
};

/** A document as some answers return it, in base64. */
export const xmlOf = (worker: number, accrued = '2200000.00'): string =>
  Buffer.from(
    `<NominaIndividual><Trabajador NumeroDocumento="${9000100000 + worker}"/><DevengadosTotal>${accrued}</DevengadosTotal></NominaIndividual>`,
  ).toString('base64');

/** The answer to P10 (service.md 13.7). */
export const statusAnswer = (result: JsonObject): JsonObject => ({
  ResponseDian: { Envelope: { Body: { GetStatusResponse: { GetStatusResult: result } } } },
});
export const zipAnswer = (result: JsonObject): JsonObject => ({
  ResponseDian: {
    Envelope: { Body: { GetStatusZipResponse: { GetStatusZipResult: { DianResponse: result } } } },
  },
});

export const consecutiveOf = ({ body }: SeenRequest): number =>
  (JSON.parse(body) as { consecutive: number }).consecutive;
