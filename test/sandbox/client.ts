import { afterAll } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { type Arrangements, type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { valueAt } from '../../src/toolkit/core/json.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the answer is no JSON. */
  readonly json: unknown;
  /** The value at a JSON pointer into the answer. */
  at(pointer: string): unknown;
}

/** Every sandbox starts on this evening in Bogotá unless a test says otherwise. */
export const EVENING = new Date('2026-03-31T22:05:12Z');

export const TEST_SET = 'e5f1a0d2-0000-4000-8000-000000000001';

const running: Sandbox[] = [];

/** A sandbox that is closed when the tests of the file are done. */
export async function sandbox(options: SandboxOptions & Arrangements = {}): Promise<Sandbox> {
  const started = await startSandbox({ now: () => EVENING, ...options });
  running.push(started);
  return started;
}

afterAll(async () => {
  await Promise.all(running.map((one) => one.close()));
});

export const production = (more: SandboxOptions = {}): Promise<Sandbox> =>
  sandbox({ companies: [{ nit: '900123456', environment: 'production' }], ...more });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export async function request(
  { url, token }: Pick<Sandbox, 'url' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    redirect: 'manual',
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = parsed(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    at: (pointer) => valueAt(json, pointer),
  };
}

export const admin = (box: Sandbox, method: string, path: string, body?: unknown): Promise<Reply> =>
  request(box, method, `/admin${path}`, body, { authorization: `Bearer ${box.adminToken}` });

type Box = Pick<Sandbox, 'url' | 'token'>;

/** P3 or P5, by the kind of body. */
export const send = (box: Box, body: object): Promise<Reply> =>
  request(box, 'POST', `/api/ubl2.1/${'type_note' in body ? 'payroll-adjust-note' : 'payroll'}`, body);

/** P4 or P6. */
export const sendTest = (box: Box, body: object, testSet = TEST_SET): Promise<Reply> =>
  request(
    box,
    'POST',
    `/api/ubl2.1/${'type_note' in body ? 'payroll-adjust-note' : 'payroll'}/${testSet}`,
    body,
  );

export const askZip = (box: Box, zipKey: unknown, body: object = { is_payroll: true }): Promise<Reply> =>
  request(box, 'POST', `/api/ubl2.1/status/zip/${zipKey}`, body);

export const askCune = (box: Box, cune: unknown, body: object = { is_payroll: true }): Promise<Reply> =>
  request(box, 'POST', `/api/ubl2.1/status/document/${cune}`, body);

const BODY = '/ResponseDian/Envelope/Body';
const RESULTS = [
  `${BODY}/SendNominaSyncResponse/SendNominaSyncResult`,
  `${BODY}/GetStatusZipResponse/GetStatusZipResult/DianResponse`,
  `${BODY}/GetStatusResponse/GetStatusResult`,
  `${BODY}/SendEventUpdateStatusResponse/SendEventUpdateStatusResult`,
  `${BODY}/GetStatusEventResponse/GetStatusEventResult`,
];

/** DIAN's result, wherever the answer has it. */
export function result(reply: Reply): { [member: string]: unknown } {
  for (const pointer of RESULTS) {
    const found = reply.at(pointer);
    if (found !== undefined) return found as { [member: string]: unknown };
  }
  throw new Error(`No result of DIAN in ${reply.status} ${reply.text.slice(0, 300)}`);
}

const reasons = (reply: Reply): string[] =>
  [valueAt(result(reply), '/ErrorMessage/string') ?? []].flat().map(String);

const ruleOf = (text: string): string => /^Regla: (\w+),/.exec(text)?.[1] ?? text;

/** Rule ids in the order of the messages, notifications included. */
export const rules = (reply: Reply): string[] => reasons(reply).map(ruleOf);

/** `accepted`, or the rules that rejected, or what else the answer says. */
export function verdict(reply: Reply): string {
  const { IsValid, StatusCode } = result(reply);
  if (IsValid === 'true' && StatusCode === '00') return 'accepted';
  if (IsValid !== 'false' || StatusCode !== '99') return `${IsValid} ${JSON.stringify(StatusCode)}`;
  const rejecting = reasons(reply).filter((text) => text.includes('Rechazo'));
  return rejecting.map(ruleOf).join(' ');
}

export const zipKeyOf = (receipt: Reply): unknown =>
  receipt.at(`${BODY}/SendTestSetAsyncResponse/SendTestSetAsyncResult/ZipKey`);

/** Sends to the test set and asks until it is no longer in process. */
export async function settle(box: Box, body: object): Promise<Reply> {
  const key = zipKeyOf(await sendTest(box, body));
  for (let polls = 0; polls < 5; polls++) {
    const reply = await askZip(box, key);
    if (typeof result(reply)['StatusCode'] === 'string') return reply;
  }
  throw new Error('Still in process.');
}
