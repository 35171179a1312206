import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/app/context.js';
import type { RunView } from '../../src/app/events.js';
import { journalsOf } from '../../src/app/journal-access.js';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { worker } from '../../src/server/worker.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { writeProfile } from '../chaos/fleet.js';
import { heldIn, secretDigits, secretWord } from '../chaos/spilled.js';
import { type Fake, fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { SAMPLE, WIDE } from '../cli/sample.js';
import { approve, report, resume, send, status } from '../cli/use-cases.js';
import { testDatabase } from '../send/engines.js';

const TOKENS = ['Zq7marca+secreta/9x', 'otra+clave/de-prueba1'];
const NITS = ['900123456', '901234567'];

let sandbox: Sandbox;
let database: string;
beforeAll(async () => {
  database = await testDatabase();
  const companies = NITS.map((nit, at) => ({ nit, token: TOKENS[at]!, environment: 'production' as const }));
  sandbox = await startSandbox({ companies });
});
afterAll(() => sandbox.close());

let workspace: string;
let options: Options;
let turn = 0;
beforeEach(() => {
  turn += 1;
  workspace = join(freshFolder(), 'ws');
  sandbox.controls.clearRequests();
  // One sandbox for all: each test has a month of its own, after every admission.
  const month = `${2026 + turn}-10`;
  const dates = [
    `settlement_start_date=${month}-01`,
    `settlement_end_date=${month}-31`,
    `issue_date=${month}-31`,
  ];
  options = {
    ...WIDE,
    param: [`month=${month}`, ...dates, `payment_date=${month}-30`, `first_consecutive=${turn * 100}`],
    company: NITS[0]!,
    yes: true,
    json: true,
    report: join(freshFolder(), 'report.xlsx'),
  };
});

/** A machine: with the address of the database, and of the service. */
function machine(journal = database): Fake {
  const call = fake({ url: sandbox.url, workspace });
  return { ...call, context: { ...call.context, journal } };
}

/** A worker's machine has the tokens of some companies, and no address of its own. */
function workerMachine(...companies: readonly number[]) {
  const folder = join(freshFolder(), 'worker');
  for (const at of companies) writeProfile(folder, NITS[at]!, sandbox.url, TOKENS[at]!);
  const call = fake({ workspace: folder });
  const context: Context = { ...call.context, journal: database };
  const said = () => call.shown.out().map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    context,
    said,
    interrupt: call.interrupt,
    close: async () => (await journalsOf(context)).shared!.close(),
  };
}

type WorkerMachine = ReturnType<typeof workerMachine>;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 40_000; Date.now() < end; ) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it never came so far');
}

/** A worker at work until it is told to stop. */
async function atWork<T>(one: WorkerMachine, use: () => Promise<T>): Promise<T> {
  const ended = worker(one.context, [], { concurrency: 4, metrics: 0 });
  try {
    await until(() => one.said().some(({ msg }) => msg === 'started'));
    return await use();
  } finally {
    one.interrupt();
    expect(await ended).toBe('fine');
    await one.close();
  }
}

const sent = (): number => sandbox.controls.requests({ operation: 'sendPayroll' }).count;
const named = (call: Fake, name: string) => call.events().filter(({ event }) => event === name);

/** Hands the sample over; its run. */
async function handOver(more: Partial<Options> = {}): Promise<string> {
  const call = machine();
  expect(await send(call.context, [SAMPLE], { ...options, queue: true, ...more })).toBe(0);
  return String(named(call, 'plan')[0]!['run']);
}

async function overviewOf(run: string) {
  const call = machine();
  await status(call.context, [], { all: true, json: true });
  const { runs } = named(call, 'overview').at(-1) as unknown as { runs: RunView[] };
  return runs.find(
    (one) => one.run === run && one.company === NITS[0] && one.address === new URL(sandbox.url).host,
  );
}

test('without a database there is neither queue nor worker', async () => {
  const call = fake({ url: sandbox.url, workspace });
  for (const work of [
    () => send(call.context, [SAMPLE], { ...options, queue: true }),
    () => worker(call.context, [], {}),
    () => status(call.context, [], { all: true }),
  ])
    await expect(work()).rejects.toThrow(PipelineError);
  expect(sent()).toBe(0);
});

/** Has Prometheus' own tool look at names and types, where it is installed. */
function lintMetrics(text: string): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
  expect([status, `${stdout}${stderr}`]).toEqual([0, '']);
}

test('the dashboard of the samples shows metrics that there are', async () => {
  const file = packageFile('samples', 'integration', 'grafana', 'cargue.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: { targets: { expr: string }[] }[] };
  const used = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/cargue_\w+/g) ?? []),
  );
  const one = workerMachine(0);
  const text = await atWork(one, async () => {
    const { metrics } = one.said().find(({ msg }) => msg === 'started')!;
    return (await fetch(String(metrics))).text();
  });
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(
    used.map((name) => name.replace(/_(bucket|sum|count)$/, '')).filter((name) => !names.includes(name)),
  ).toEqual([]);
  expect(new Set(used.map((name) => name.replace(/_(bucket|sum|count)$/, ''))).size).toBe(names.length);
});

test('what is handed over is sent by a worker that has the token, and seen by all', async () => {
  const run = await handOver();
  expect(sent()).toBe(0);
  expect(await overviewOf(run)).toMatchObject({ state: 'open', made: 25, done: 0, open: 25, sender: null });
  const one = workerMachine(0);
  await atWork(one, async () => {
    await until(async () => (await overviewOf(run))?.state === 'closed');
    const { metrics } = one.said().find(({ msg }) => msg === 'started')!;
    await until(async () => {
      const text = await (await fetch(String(metrics))).text();
      return (
        text.includes('cargue_document_transitions_total{state="accepted"} 25') &&
        text.includes('cargue_runs_waiting 0')
      );
    });
    expect(new URL(String(metrics)).hostname).toBe('127.0.0.1');
    const text = await (await fetch(String(metrics))).text();
    // Nothing that is counted or waits is less than none.
    expect(text.match(/^cargue_\S+ -.*$/gm)).toBeNull();
    expect(text).toContain('cargue_backlog_documents{state="planned"} 0');
    lintMetrics(text);
  });
  expect(sent()).toBe(25);
  expect(await overviewOf(run)).toMatchObject({ made: 25, done: 25, open: 0 });
  const call = machine();
  const output = join(freshFolder(), 'report.xlsx');
  expect(await report(call.context, [run], { company: NITS[0]!, output })).toBe(0);

  // What a worker writes holds no secret, no person and no company.
  const secrets = [
    ...TOKENS.map((token) => secretWord('token', token)),
    secretDigits('PIN', '12345'),
    ...NITS.map((nit) => secretDigits('NIT', nit)),
    secretWord('name', 'Castaño'),
  ];
  const numbers = sandbox.controls.documents().map(({ worker: person }) => secretDigits('person', person));
  const log = one.said().map((line) => JSON.stringify({ ...line, pid: 0, time: 0 }));
  expect(log.length).toBeGreaterThan(3);
  expect(heldIn(log.join('\n'), [...secrets, ...numbers])).toEqual([]);
});

test('a run of a company whose token nobody has waits, and is told of', async () => {
  const run = await handOver();
  const stranger = workerMachine(1);
  await atWork(stranger, async () => {
    const { metrics } = stranger.said().find(({ msg }) => msg === 'started')!;
    await until(async () =>
      (await (await fetch(String(metrics))).text()).includes('cargue_runs_without_token 1'),
    );
  });
  expect(sent()).toBe(0);
  const own = workerMachine(0);
  await atWork(own, () => until(async () => (await overviewOf(run))?.state === 'closed'));
  expect(sent()).toBe(25);
});

test('an approval hands a held run over', async () => {
  const held = machine();
  await send(held.context, [SAMPLE], { ...options, hold: true });
  const run = String(named(held, 'summary')[0]!['run']);
  const call = machine();
  const said = { company: NITS[0]!, as: 'Ana', yes: true, json: true };
  expect(await approve(call.context, [run], { ...said, queue: true })).toBe(0);
  expect([sent(), named(call, 'queued').length]).toEqual([0, 1]);
  const one = workerMachine(0);
  await atWork(one, () => until(async () => (await overviewOf(run))?.state === 'closed'));
  expect(sent()).toBe(25);
});

test('a login that may only enqueue lays out and hands over for its companies, and cannot send', async () => {
  const login = `ana_${process.pid}`;
  const owner = new pg.Client({ connectionString: database });
  await owner.connect();
  await owner.query(`CREATE ROLE ${login} LOGIN; GRANT cargue_enqueuer TO ${login};
    INSERT INTO cargue.member (login, company) VALUES ('${login}', '${NITS[0]}')`);
  const own = new URL(database);
  own.username = login;
  const call = machine(own.href);
  try {
    const refused = { key: 'journal', issues: [{ code: 'journal/no-right' }] };
    await expect(send(call.context, [SAMPLE], options)).rejects.toMatchObject(refused);
    const others = { ...options, queue: true, company: NITS[1]!, param: [...options.param!] };
    await expect(send(call.context, [SAMPLE], others)).rejects.toMatchObject(refused);
    expect(await send(call.context, [SAMPLE], { ...options, queue: true })).toBe(0);
    const run = String(named(call, 'queued')[0]!['run']);
    expect(sent()).toBe(0);
    expect(await overviewOf(run)).toMatchObject({ state: 'open', made: 25, sender: null });
    await expect(resume(call.context, [run], { company: NITS[0]!, yes: true })).rejects.toMatchObject(
      refused,
    );
    const one = workerMachine(0);
    await atWork(one, () => until(async () => (await overviewOf(run))?.state === 'closed'));
    expect(sent()).toBe(25);
  } finally {
    await (await journalsOf(call.context)).shared!.close();
    await owner.query(`DELETE FROM cargue.member WHERE login = '${login}'; DROP ROLE ${login}`);
    await owner.end();
  }
});

describe('a worker that is told to stop', () => {
  test('finishes what is on its way, and hands the rest back at once', async () => {
    const slow = sandbox.controls.addFault({ kind: 'delay', ms: 150, match: { operation: 'sendPayroll' } });
    const run = await handOver({ concurrency: 1 });
    const one = workerMachine(0);
    await atWork(one, () => until(() => sent() > 2));
    const before = sent();
    expect(before).toBeLessThan(25);
    expect(await overviewOf(run)).toMatchObject({ state: 'open', sender: null });
    const other = workerMachine(0);
    const start = Date.now();
    await atWork(other, () => until(() => sent() > before));
    expect(Date.now() - start).toBeLessThan(10_000); // no lease has to run out
    sandbox.controls.remove('faults', slow.id);
    const third = workerMachine(0);
    await atWork(third, () => until(async () => (await overviewOf(run))?.state === 'closed'));
    expect(sent()).toBe(25);
  });
});

test('who watches a run that he handed over is told of it as if he had sent it', async () => {
  const one = workerMachine(0);
  await atWork(one, async () => {
    const call = machine();
    expect(await send(call.context, [SAMPLE], { ...options, queue: 'follow' })).toBe(0);
    expect(named(call, 'summary').at(-1)).toMatchObject({ documents: { accepted: 25 } });
  });
});

test('a run that a person stopped goes on by workers', async () => {
  const call = machine();
  const direct: Fake['context'] = { ...call.context, token: TOKENS[0]! };
  const slow = sandbox.controls.addFault({ kind: 'delay', ms: 100, match: { operation: 'sendPayroll' } });
  const sending = send(direct, [SAMPLE], { ...options, concurrency: 1 });
  await until(() => sent() > 2);
  call.interrupt();
  await sending;
  sandbox.controls.remove('faults', slow.id);
  const run = String(named(call, 'plan')[0]!['run']);
  expect(await overviewOf(run)).toMatchObject({ state: 'open', sender: null });
  expect(await resume(machine().context, [run], { company: NITS[0]!, queue: true, yes: true })).toBe(0);
  const one = workerMachine(0);
  await atWork(one, () => until(async () => (await overviewOf(run))?.state === 'closed'));
  expect(sent()).toBe(25);
});
