// Calls every operation by clients that other people's generators made of our OpenAPI; clients.mjs makes, compiles and starts it.
import createClient from 'openapi-fetch';
import { OPERATIONS } from '../../dist/index.js';
import { startSandbox } from '../../dist/sandbox.js';
import { CALLS, CUFE, type Known, type OperationId } from './calls.js';
import { createClient as createHeyClient } from './made/hey/client/index.js';
import * as hey from './made/hey/sdk.gen.js';
import type { operations, paths } from './made/openapi-typescript.js';

/** Members of which none is required may be left out as a whole. */
type Optional<T> = {
  [Key in keyof T as object extends T[Key] ? never : undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as object extends T[Key] ? Key : undefined extends T[Key] ? Key : never]?: T[Key];
};

/** What an operation takes by the types of openapi-typescript. */
type Given<Operation> = Optional<
  (Operation extends { parameters: { path: infer Path } } ? { path: Path } : unknown) &
    (Operation extends { parameters: { query?: infer Query } } ? { query?: Query } : unknown) &
    (Operation extends { requestBody: { content: { 'application/json': infer Body } } }
      ? { body: Body }
      : unknown)
>;

/** A segment that may be left out is one that OpenAPI demands. */
type WithWholePath<Call> = Call extends { path: infer Path }
  ? Omit<Call, 'path'> & { path: Required<Path> }
  : Call;

type Ours = { readonly [Id in OperationId]: (known: Known) => WithWholePath<ReturnType<(typeof CALLS)[Id]>> };
const ours = CALLS as Ours;

// What our own types let through, theirs must let through too.
ours satisfies { readonly [Id in keyof operations]: (known: Known) => Given<operations[Id]> };
ours satisfies {
  readonly [Id in OperationId]: (known: Known) => NonNullable<Parameters<(typeof hey)[Id]>[0]>;
};

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

type Call = (id: OperationId, given: Loose) => Promise<Answered>;

interface Loose {
  readonly path?: Record<string, string | number>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}

const at = (body: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], body);

/** What later calls need of an answer. */
const LEARN: Partial<Record<OperationId, (body: unknown) => Partial<Known>>> = {
  sendPayroll: (body) => ({ cune: String(at(body, 'cune')) }),
  sendPayrollTestSet: (body) => ({ zipKey: /"ZipKey":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? '' }),
  createServiceProvider: (body) => ({ provider: Number(at(body, 'data', 'id')) }),
  createPatient: (body) => ({ patient: Number(at(body, 'data', 'id')) }),
  createAppointment: (body) => ({ appointment: Number(at(body, 'data', 'id')) }),
  createRipsDocument: (body) => ({ document: Number(at(body, 'data', 'id')) }),
};

async function callAll(name: string, call: Call): Promise<void> {
  let known: Known = { cune: '', zipKey: '', provider: 0, patient: 0, appointment: 0, document: 0 };
  const ids = Object.keys(CALLS) as OperationId[];
  for (const id of ids) {
    const { status, body } = await call(id, CALLS[id](known) as Loose);
    if (status !== OPERATIONS[id].status)
      throw new Error(`${name}: ${id} answered ${status} ${JSON.stringify(body)}`);
    known = { ...known, ...LEARN[id]?.(body) };
  }
  console.log(`ok: ${name} compiles against our bodies, and calls ${ids.length} operations`);
}

async function withSandbox(use: (url: string, token: string) => Promise<void>): Promise<void> {
  const box = await startSandbox({
    now: () => new Date('2026-11-03T14:10:22Z'),
    eventPaths: 'contract',
    invoices: [{ cufe: CUFE, number: 'FE2301' }],
  });
  try {
    await use(box.url, box.token);
  } finally {
    await box.close();
  }
}

await withSandbox(async (url, token) => {
  const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  const request = client.request as unknown as (
    method: string,
    path: string,
    init: { params: Omit<Loose, 'body'>; body?: unknown },
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  await callAll('openapi-typescript', async (id, { body, ...params }) => {
    const { method, path } = OPERATIONS[id];
    const init = { params, ...(body !== undefined && { body }) };
    const { data, error, response } = await request(method.toLowerCase(), path, init);
    return { status: response.status, body: data ?? error };
  });
});

await withSandbox(async (url, token) => {
  const client = createHeyClient({ baseUrl: url, auth: token });
  type HeyCall = (
    given: Loose & { client: typeof client },
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  const calls = hey as unknown as Readonly<Record<OperationId, HeyCall>>;
  await callAll('@hey-api/openapi-ts', async (id, given) => {
    const { data, error, response } = await calls[id]({ client, ...given });
    return { status: response.status, body: data ?? error };
  });
});
