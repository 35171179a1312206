import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EditsView, RunView, TaskView, UploadView } from '../../src/page/api.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { freshFolder, runCli } from '../cli/run-cli.js';
import { logIn, servePeople } from './people.js';
import { type Visit, visitWith } from './visit.js';

const FILE = 'nomina-octubre-2026.xlsx';
const PARAMS = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as object;
const PEOPLE = ['ana', 'beto', 'dora', 'mira'] as const;
const at = (name: string): string => `${name}@firma.co`;

const ROLES = { prepara: [at('ana'), at('beto')], aprueba: [at('beto'), at('dora')], mira: [at('mira')] };
const COMPANIES = { dos: { two_people: true, ...ROLES }, una: ROLES };

let sandbox: Sandbox;
let served: Awaited<ReturnType<typeof servePeople>>;
let visits: Readonly<Record<(typeof PEOPLE)[number], Visit>>;

beforeAll(async () => {
  const companies = ['900777001', '900777002'].map((nit) => ({
    nit,
    token: `clave-${nit}`,
    environment: 'test' as const,
  }));
  sandbox = await startSandbox({ companies });
  const [two, one] = companies.map(({ nit, token }) => ({ url: sandbox.url, nit, token }));
  served = await servePeople({
    accounts: Object.fromEntries(
      PEOPLE.map((name) => [name, { email: at(name), email_verified: true, name }]),
    ),
    profiles: { dos: two!, una: one! },
    companies: COMPANIES,
  });
  const entries = PEOPLE.map(async (name) => [
    name,
    visitWith(served.origin, await logIn(served.origin, name)),
  ]);
  visits = Object.fromEntries(await Promise.all(entries)) as typeof visits;
});

afterAll(async () => {
  await served.close();
  await sandbox.close();
});

/** An upload of the sample month for a company. */
async function upload(ask: Visit, profile: string): Promise<string> {
  const { id } = await ask<UploadView>('POST', '/uploads', { profile });
  await ask('PUT', `/uploads/${id}/files?name=${FILE}`, readFileSync(`samples/payroll/${FILE}`));
  await ask('PUT', `/uploads/${id}/params`, PARAMS);
  return id;
}

/** Starts a task and follows it to its end, or to its question. */
async function play(ask: Visit, path: string, options: object = {}): Promise<TaskView> {
  const { id } = await ask<TaskView>('POST', path, { options });
  for (;;) {
    const task = await ask<TaskView>('GET', `/task/${id}`);
    if (task.state === 'ended' || task.pending !== null) return task;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function confirm(ask: Visit, { id, pending }: TaskView): Promise<TaskView> {
  await ask('POST', `/task/${id}/answer`, { id: pending?.id, said: true });
  for (;;) {
    const task = await ask<TaskView>('GET', `/task/${id}`);
    if (task.state === 'ended' || task.pending !== null) return task;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const codes = ({ failure }: TaskView) => failure.map(({ code }) => code);
const runs = (ask: Visit, profile: string) => ask<RunView[]>('GET', `/runs?profile=${profile}`);
const status = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => '200',
    (error: Error) => error.message.slice(0, 3),
  );
const cell = (text: string) => [{ file: FILE, sheet: 'Nomina', row: 2, column: 'V', text }];

test('where two people are needed, what one prepares leaves once another approves it', async () => {
  const { ana, beto, dora, mira } = visits;
  const id = await upload(ana, 'dos');
  await beto('PUT', `/uploads/${id}/edits`, cell('1750900'));
  await beto('DELETE', `/uploads/${id}/edits`);

  // Whatever the request says, nothing leaves, and it is this company's.
  const options = {
    hold: false,
    note: 'Octubre, sin novedades',
    company: '900777002',
    url: 'http://127.0.0.1:9',
  };
  const held = await play(ana, `/uploads/${id}/tasks/send`, options);
  expect([held.pending?.text, held.outcome, codes(held), held.hasBegunToSend]).toEqual([
    undefined,
    'fine',
    [],
    false,
  ]);
  const first = held.run!;
  const people = { by: at('ana'), preparers: [at('ana'), at('beto')], note: options.note };
  expect(await runs(dora, 'dos')).toMatchObject([{ run: first, state: 'held', ...people }]);
  expect(await runs(dora, 'una')).toEqual([]);

  const path = `/runs/${first}/tasks`;
  const options_ = { profile: 'dos' };
  expect(await status(play(ana, `${path}/approve`, options_))).toBe('403');
  expect(await status(play(mira, `${path}/approve`, options_))).toBe('403');
  expect(await status(play(ana, `${path}/send`, options_))).toBe('403');
  // Who worked on the files prepared them too, whatever name the request gives.
  for (const more of [{}, { as: at('dora'), twoPeople: false }])
    expect(codes(await play(beto, `${path}/approve`, { ...options_, ...more }))).toEqual([
      'send/own-approval',
    ]);
  expect(codes(await play(dora, `${path}/send`, options_))).toEqual(['send/not-approved']);

  const note = 'Revise el salario de la fila 2';
  expect((await play(dora, `${path}/giveBack`, { ...options_, note })).outcome).toBe('fine');
  expect(await runs(ana, 'dos')).toMatchObject([{ run: first, returned: { by: at('dora'), note } }]);

  // A change withdraws the request: nobody approves what nobody sees any more.
  await ana('PUT', `/uploads/${id}/params`, { ...PARAMS, payment_date: '2026-10-29' });
  expect(await runs(dora, 'dos')).toEqual([]);
  expect(codes(await play(dora, `${path}/approve`, options_))).toEqual(['journal/no-such-run']);

  const again = await play(ana, `/uploads/${id}/tasks/send`);
  const run = again.run!;
  const asked = await play(dora, `/runs/${run}/tasks/approve`, options_);
  expect(asked.pending?.key).toBe('askApprove');
  expect(await status(confirm(beto, asked))).toBe('403');
  // Who loses the role sees no more, also of what is being watched.
  const cookie = await logIn(served.origin, 'mira');
  const watched = await request(`${served.origin}/api/task/${asked.id}/events`, { headers: { cookie } });
  const stream = watched.body[Symbol.asyncIterator]();
  await stream.next();
  served.writeRoles({ dos: { ...COMPANIES.dos, mira: [] } });
  expect((await confirm(dora, asked)).outcome).toBe('fine');
  expect(await stream.next()).toMatchObject({ done: true });
  served.writeRoles(COMPANIES);
  const sent = await confirm(dora, await play(dora, `/runs/${run}/tasks/send`, options_));
  expect([sent.outcome, codes(sent)]).toEqual(['fine', []]);
  expect(await runs(mira, 'dos')).toMatchObject([
    { run, state: 'closed', documents: { accepted: 25 }, approval: { by: at('dora') } },
  ]);

  const output = join(freshFolder(), 'rastro.jsonl');
  const words = ['journal', 'export', run, '--profile', 'dos', '-o', output];
  const env = { CARGUE_WORKSPACE: served.workspace, CARGUE_JOURNAL: served.journal };
  expect((await runCli(words, { env })).code).toBe(0);
  const [trail] = readFileSync(output, 'utf8').split('\n');
  expect(JSON.parse(trail!)).toMatchObject({
    by: at('ana'),
    preparers: [at('ana'), at('beto')],
    approval: { by: at('dora') },
    acts: [
      { act: 'asked', by: at('ana'), noteHash: expect.any(String) },
      { act: 'returned', by: at('dora'), noteHash: expect.any(String) },
      { act: 'withdrawn', by: at('ana') },
      { act: 'sent', by: at('dora') },
    ],
  });
});

test('where one is enough, who prepares sends, and each edit has its person', async () => {
  const { ana, beto, dora, mira } = visits;
  const id = await upload(ana, 'una');
  await beto('PUT', `/uploads/${id}/edits`, cell('1750901'));
  await ana('PUT', `/uploads/${id}/edits`, cell('1750900'));
  const { log } = await mira<EditsView>('GET', `/uploads/${id}/edits`);
  expect(log.map(({ by }) => by)).toEqual([at('beto'), at('ana')]);
  await ana('DELETE', `/uploads/${id}/edits`);
  await ana('DELETE', `/uploads/${id}/edits`);
  expect(await status(play(dora, `/uploads/${id}/tasks/send`))).toBe('403');
  const sent = await play(ana, `/uploads/${id}/tasks/send`);
  const over = sent.pending === null ? sent : await confirm(ana, sent);
  expect([over.pending, over.outcome, codes(over)]).toEqual([null, 'fine', []]);
  expect(await runs(mira, 'una')).toMatchObject([{ state: 'closed', documents: { accepted: 25 } }]);
});

/** Asks for the approval of having invoices read. */
async function holdReception(ask: Visit): Promise<{ readonly id: string; readonly run: string }> {
  const { id } = await ask<UploadView>('POST', '/uploads', { profile: 'dos' });
  const [name] = readdirSync('samples/events/adjuntos');
  await ask('PUT', `/uploads/${id}/files?name=${name}`, readFileSync(`samples/events/adjuntos/${name}`));
  await ask('PUT', `/uploads/${id}/params`, { company_idnumber: '900777001' });
  const { run, outcome, ...task } = await play(ask, `/uploads/${id}/tasks/reception`);
  expect([outcome, codes(task as TaskView)]).toEqual(['fine', []]);
  return { id, run: run! };
}

test('invoices held to be read are withdrawn by a change, as other requests are', async () => {
  const { ana, dora } = visits;
  const { id, run } = await holdReception(ana);
  const states = async () => (await runs(dora, 'dos')).map((known) => [known.run, known.state]);
  expect(await states()).toContainEqual([run, 'held']);
  await ana('PUT', `/uploads/${id}/params`, { company_idnumber: '900777002' });
  expect((await states()).map(([name]) => name)).not.toContain(run);
});

test('a stream ends with the session or the role of who watches it, also when nothing happens', async () => {
  const { ana, dora } = visits;
  const { run } = await holdReception(ana);
  const asked = await play(dora, `/runs/${run}/tasks/approve`, { profile: 'dos' });
  expect(asked.pending?.key).toBe('askApprove');
  const watch = async (name: string) => {
    const cookie = await logIn(served.origin, name);
    const { body } = await request(`${served.origin}/api/task/${asked.id}/events`, { headers: { cookie } });
    const stream = body[Symbol.asyncIterator]();
    await stream.next();
    return { cookie, ended: stream.next() };
  };
  const [left, demoted, last] = [await watch('mira'), await watch('mira'), await watch('dora')];
  await visitWith(served.origin, left.cookie)('POST', '/logout', {});
  expect(await left.ended).toMatchObject({ done: true });
  served.writeRoles({ dos: { ...COMPANIES.dos, mira: [] } });
  expect(await demoted.ended).toMatchObject({ done: true });
  // Nobody sees anything while the roles cannot be read, and the server goes on.
  served.write({ mal: true });
  expect(await last.ended).toMatchObject({ done: true });
  served.writeRoles(COMPANIES);
  expect((await confirm(dora, asked)).outcome).toBe('fine');
});
