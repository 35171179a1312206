import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { createServiceClient, type ServiceClient } from '../../src/client/service-client.js';
import { CLIENT_METHODS } from '../../src/generated/client-methods.js';
import { OPERATIONS, type Operation, type OperationId } from '../../src/generated/operations.js';
import type { SchemaTypes } from '../../src/generated/schema-types.js';

/** The public names: renaming one breaks other projects. */
const METHODS: Readonly<Record<OperationId, string>> = {
  configurePayrollSoftware: 'payroll.configureSoftware',
  configureResolution: 'payroll.configureResolution',
  sendPayroll: 'payroll.send',
  sendPayrollTestSet: 'payroll.sendToTestSet',
  sendAdjustNote: 'payroll.adjustNotes.send',
  sendAdjustNoteTestSet: 'payroll.adjustNotes.sendToTestSet',
  previewPayroll: 'payroll.preview',
  getCurrentNumber: 'payroll.currentNumber',
  getZipStatus: 'payroll.zipStatus',
  getDocumentStatus: 'payroll.documentStatus',
  emailPayroll: 'payroll.email',
  configureRips: 'rips.configure',
  listServiceProviders: 'rips.serviceProviders.list',
  createServiceProvider: 'rips.serviceProviders.create',
  getServiceProvider: 'rips.serviceProviders.get',
  updateServiceProvider: 'rips.serviceProviders.update',
  deleteServiceProvider: 'rips.serviceProviders.delete',
  getPatientTables: 'rips.patients.tables',
  listPatients: 'rips.patients.list',
  createPatient: 'rips.patients.create',
  getPatient: 'rips.patients.get',
  updatePatient: 'rips.patients.update',
  listAppointments: 'rips.appointments.list',
  createAppointment: 'rips.appointments.create',
  getAppointment: 'rips.appointments.get',
  getServiceTables: 'rips.services.tables',
  searchProcedures: 'rips.services.procedures',
  searchDiagnoses: 'rips.services.diagnoses',
  createRipsDocument: 'rips.documents.create',
  generateRips: 'rips.documents.generate',
  getHealthDocumentTypes: 'tables.healthDocumentTypes',
  getHealthUserTypes: 'tables.healthUserTypes',
  getHealthPaymentMethods: 'tables.healthPaymentMethods',
  getHealthCoverages: 'tables.healthCoverages',
  sendEvent: 'events.send',
  sendEventData: 'events.sendData',
  getInvoiceEvents: 'events.ofInvoice',
  queryEventsByCufe: 'events.queryByCufe',
  queryEventsByUuid: 'events.queryByUuid',
  queryEventsByNumber: 'events.queryByNumber',
  receiveSellerDocument: 'events.receiveSellerDocument',
};

type AnyMethod = (...given: unknown[]) => Promise<Answer>;

const at = (tree: object, method: string): unknown =>
  method.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], tree);

interface Recording {
  readonly client: ServiceClient;
  readonly seen: string[];
}

/** A client of a server that writes down what it is asked. */
async function recording(): Promise<Recording> {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(`${request.method} ${request.url} ${body}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createServiceClient({ url: `http://127.0.0.1:${port}`, token: 'token' });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  return { client, seen };
}

const TABLE = Object.values(OPERATIONS).map((operation) => ({
  ...(operation as Operation),
  name: METHODS[operation.id],
}));

describe('every operation', () => {
  test.each(TABLE)('$name calls $id, its parameters escaped', async (operation) => {
    const { name, id, method, path, pathParameters, queryParameters, body } = operation;
    const { client, seen } = await recording();
    const given: unknown[] = pathParameters.map((parameter) => `${parameter}/ñ?`);
    if (body !== null) given.push({ of: id });
    if (queryParameters.length > 0) given.push({ [queryParameters[0]!]: 'a b&c' });
    const answer = await (at(client, name) as AnyMethod)(...given);
    expect(answer).toEqual({ kind: 'json', status: 200, body: {} });
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter) => `${parameter}%2F%C3%B1%3F`);
    const query = queryParameters.length > 0 ? `?${queryParameters[0]}=a+b%26c` : '';
    expect(seen).toEqual([`${method} ${filled}${query} ${body === null ? '' : `{"of":"${id}"}`}`]);
  });
});

test('there is no method beside those', () => {
  const names = (tree: object, prefix = ''): string[] =>
    Object.entries(tree).flatMap(([name, node]) =>
      typeof node === 'string' ? [prefix + name] : names(node, `${prefix}${name}.`),
    );
  expect(names(CLIENT_METHODS).sort()).toEqual(Object.values(METHODS).sort());
});

describe('what a method is given', () => {
  let client: ServiceClient;
  beforeAll(() => {
    client = createServiceClient({ url: 'http://127.0.0.1:9', token: 'token' });
    return () => client.close();
  });

  test('is typed: parameters, body, answer', () => {
    type Sent = Promise<Answer<SchemaTypes['responses/document-sent']>>;
    expectTypeOf(client.payroll.send).parameter(0).toEqualTypeOf<SchemaTypes['payroll/payroll']>();
    expectTypeOf(client.payroll.send).returns.toEqualTypeOf<Sent>();
    expectTypeOf(client.payroll.sendToTestSet).parameter(0).toEqualTypeOf<string>();
    expectTypeOf(client.payroll.currentNumber).parameter(0).toEqualTypeOf<9 | 10>();
    expectTypeOf(client.payroll.currentNumber).parameter(1).toEqualTypeOf<string | undefined>();
    expectTypeOf(client.rips.patients.create).parameter(0).toEqualTypeOf<SchemaTypes['rips/patient']>();
    expectTypeOf(client.events.send).parameter(0).toEqualTypeOf<SchemaTypes['events/event']>();
    expectTypeOf(client.rips.patients.list).parameter(0).toEqualTypeOf<{ search?: string } | undefined>();
  });

  test('a body in the place of a path parameter sends nothing', async () => {
    const send = client.payroll.sendToTestSet as unknown as AnyMethod;
    await expect(send({ consecutive: 1 })).rejects.toMatchObject({
      key: 'usage',
      issues: [{ code: 'send/bad-parameter' }],
    });
  });

  test('options come last, after what may be left out', async () => {
    const options = { signal: AbortSignal.abort() };
    const aborted = { kind: 'failure', reason: 'aborted', sent: false };
    expect(await client.payroll.currentNumber(9, undefined, options)).toEqual(aborted);
    expect(await client.tables.healthCoverages(options)).toEqual(aborted);
    expect(await client.rips.patients.list({}, options)).toEqual(aborted);
  });
});
