import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { type Fake, type FakeOptions, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, SAMPLE, sampleCsv, WIDE } from './sample.js';
import { report, resume, send, status } from './use-cases.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

// One sandbox for all: each test has its own test set, journal, prefix and workers' month is told apart by the year.
let turn = 0;
let folder: string;
let options: Options;
beforeEach(() => {
  turn += 1;
  folder = freshFolder();
  sandbox.controls.clearRequests();
  const year = 2026 + turn; // after every admission
  const month = `${year}-10`;
  const dates = [
    `settlement_start_date=${month}-01`,
    `settlement_end_date=${month}-31`,
    `issue_date=${month}-31`,
  ];
  options = {
    ...WIDE,
    param: [`month=${month}`, ...dates, `payment_date=${month}-30`, `first_consecutive=${turn * 100}`],
    testSet: `set-${turn}`,
    report: join(folder, 'report.xlsx'),
    yes: true,
    json: true,
    showValues: true,
  };
});

const here = (more: FakeOptions = {}): Fake =>
  fake({ url: sandbox.url, token: sandbox.token, workspace: join(folder, 'ws'), ...more });

const sent = (): number => sandbox.controls.requests({ operation: 'sendPayrollTestSet' }).count;
const summary = (call: Fake) => call.events().at(-1) as unknown as Record<string, Record<string, number>>;
const codes = (call: Fake) => call.events().flatMap(({ event, code }) => (event === 'issue' ? [code] : []));
const outcomes = (call: Fake) => call.events().filter(({ event }) => event === 'outcome');
const stoppedWith = (code: string) => (error: unknown) => {
  expect(error).toBeInstanceOf(PipelineError);
  expect((error as PipelineError).issues.map((issue) => issue.code)).toEqual([code]);
};

/** The salary of the second worker is no number. */
const withMistake = () =>
  sampleCsv((grid) => {
    grid[2]![columnOf(grid, 'Sueldo mensual')] = '1.5OO.000';
  });

describe('what is of another company', () => {
  const titled = (nit: string, from: number) =>
    sampleCsv((grid) => {
      grid.splice(1, grid.length, ...grid.slice(from, from + 2));
      grid.unshift([`NIT ${nit}`]);
    });
  test.each([
    [undefined, ['900.123.456-7', '901.987.654-3'], 'header/other-company'],
    ['900123456', ['901.987.654-3'], 'header/not-of-company'],
  ])('is not sent, not even in part (%s)', async (company, nits, code) => {
    const files = await Promise.all(nits.map((nit, at) => titled(nit, 1 + 2 * at)));
    const call = here();
    const said = { ...options, partial: true, ...(company !== undefined && { company }) };
    expect(await send(call.context, files, said)).toBe(1);
    expect(codes(call)).toContain(code);
    expect(sent()).toBe(0);
  });
});

describe('a good file', () => {
  test('is sent, polled to a verdict, accounted for and reported', async () => {
    const call = here();
    expect(await send(call.context, [SAMPLE], options)).toBe(0);
    expect(sent()).toBe(25);
    expect(summary(call)).toMatchObject({
      records: { read: 25, used: 25, skipped: 0, heldBack: 0 },
      documents: {
        planned: 25,
        made: 25,
        heldBack: 0,
        accepted: 25,
        rejected: 0,
        pending: 0,
        unknown: 0,
        unsent: 0,
      },
      issues: { errors: 0 },
    });
    expect(new Set(outcomes(call).map(({ documentCode }) => documentCode)).size).toBe(25);
    expect(outcomes(call)[0]).toMatchObject({
      key: '9000100000',
      number: `NOM${turn * 100}`,
      attempts: 1,
      row: 2,
    });
    expect(existsSync(join(folder, 'report.xlsx'))).toBe(true);
    expect(call.asked).toEqual([]);
  });

  test('is not sent twice', async () => {
    await send(here().context, [SAMPLE], options);
    sandbox.controls.clearRequests();
    const again = here();
    expect(await send(again.context, [SAMPLE], options)).toBe(0);
    expect(sandbox.controls.requests().count).toBe(0);
    expect(summary(again)['documents']).toMatchObject({ made: 25, accepted: 25 });
    expect(
      outcomes(again).every(({ earlier, documentCode }) => earlier === true && documentCode !== null),
    ).toBe(true);
  });

  test('with other amounts for an accepted month is refused, document by document', async () => {
    await send(here().context, [SAMPLE], options);
    sandbox.controls.clearRequests();
    const changed = await sampleCsv((grid) => {
      const column = columnOf(grid, 'Número de cuenta');
      grid[1]![column] = grid[1]![column]!.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
    });
    const again = here();
    expect(await send(again.context, [changed], options)).toBe(1);
    expect(sandbox.controls.requests().count).toBe(0);
    const found = codes(again).filter(
      (code) => !/^payroll\/(issue-.+|date-far|figure-missing)$/.test(String(code)),
    );
    expect(found).toEqual(['payroll/worker-month']);
    expect(summary(again)['documents']).toMatchObject({ made: 24, accepted: 24, rejected: 0, heldBack: 1 });
  });

  test.each([
    ['--partial is needed', {}, 0],
    ['--partial sends it', { partial: true }, 1],
  ])('with another person beside an accepted month with other amounts: %s', async (_, more, expected) => {
    const without = await sampleCsv((grid) => grid.splice(2, 1));
    await send(here().context, [without], options);
    sandbox.controls.clearRequests();
    const changed = await sampleCsv((grid) => {
      grid[1]![columnOf(grid, 'Número de cuenta')] = '1';
    });
    const call = here();
    const param = [...options.param!, `first_consecutive=${turn * 100 + 50}`];
    expect(await send(call.context, [changed], { ...options, ...more, param })).toBe(1);
    expect(sent()).toBe(expected);
    expect(codes(call).filter((code) => code === 'payroll/worker-month')).toHaveLength(1);
  });

  test('with --dry-run sends nothing and leaves no run', async () => {
    const call = here();
    expect(await send(call.context, [SAMPLE], { ...options, dryRun: true })).toBe(0);
    expect(sandbox.controls.requests().count).toBe(0);
    expect(summary(call)['documents']).toMatchObject({ made: 25, unsent: 25 });
    const after = here();
    await status(after.context, [], { json: true });
    expect(after.events()).toEqual([]);
  });
});

describe('questions', () => {
  const unsure = (): Options => ({ ...options, yes: false });

  test('a no sends nothing', async () => {
    const call = here({ answers: [false] });
    expect(await send(call.context, [SAMPLE], unsure())).toBe(0);
    expect([call.asked.length, sent()]).toEqual([1, 0]);
  });

  test('a yes sends', async () => {
    expect(await send(here({ answers: [true] }).context, [SAMPLE], unsure())).toBe(0);
    expect(sent()).toBe(25);
  });

  test('nobody there to answer is refused', async () => {
    await send(here().context, [SAMPLE], unsure()).catch(stoppedWith('run/needs-yes'));
    expect(sent()).toBe(0);
    expect.assertions(3);
  });

  test('beyond this machine nothing is asked of the service, and no token of the person, before a yes', async () => {
    const call = fake({ url: 'https://nowhere.invalid', answers: [false], workspace: join(folder, 'ws') });
    expect(await send(call.context, [SAMPLE], unsure())).toBe(0);
    expect(call.asked).toEqual([expect.stringContaining('25')]);
  });
});

describe('a file with mistakes', () => {
  test.each<[string, Options, readonly boolean[] | undefined, number]>([
    ['--yes alone sends nothing', {}, undefined, 0],
    ['--partial sends the rest', { partial: true }, undefined, 24],
    ['a yes to the question sends the rest', { yes: false }, [true], 24],
    ['a no sends nothing', { yes: false }, [false], 0],
  ])('%s', async (_, more, answers, expected) => {
    const call = here(answers === undefined ? {} : { answers });
    expect(await send(call.context, [await withMistake()], { ...options, ...more })).toBe(1);
    expect(sent()).toBe(expected);
    expect(codes(call)).toContain('cell/not-a-number');
    const { records, documents } = summary(call);
    expect(records).toEqual({ read: 25, used: 24, skipped: 0, heldBack: 1 });
    expect(documents).toMatchObject({
      planned: 25,
      made: 24,
      heldBack: 1,
      accepted: expected,
      unsent: 24 - expected,
    });
  });

  test('--partial sends no worker of whom a row without a document may be a part', async () => {
    const split = await sampleCsv((grid) => {
      const part = grid[1]!.map(() => '');
      part[columnOf(grid, 'Comisiones')] = '40000';
      grid.splice(2, 0, part);
    });
    const call = here();
    expect(await send(call.context, [split], { ...options, partial: true })).toBe(1);
    expect(sent()).toBe(24);
    expect(codes(call)).toContain('row/key-blank-below');
    expect(summary(call)['records']).toEqual({ read: 26, used: 24, skipped: 0, heldBack: 2 });
  });

  test('a mistake in the table itself refuses all, --partial or not', async () => {
    const broken = await sampleCsv((grid) => {
      grid[0]![columnOf(grid, 'Número documento')] = 'Otra cosa';
    });
    const call = here();
    expect(await send(call.context, [broken], { ...options, partial: true })).toBe(1);
    expect(sandbox.controls.requests({ operation: 'sendPayrollTestSet' }).count).toBe(0);
    expect(codes(call).some((code) => code?.startsWith('header/'))).toBe(true);
  });

  test('no documents at all is an error', async () => {
    const empty = await sampleCsv((grid) => grid.splice(1));
    const call = here();
    expect(await send(call.context, [empty], { ...options, partial: true })).toBe(1);
    expect(codes(call)).toEqual(['run/no-documents']);
    expect(sent()).toBe(0);
  });
});

describe('what the service says', () => {
  test('a rejection is told at the record, with the rule', async () => {
    const arranged = sandbox.controls.addOutcome({
      match: { worker: '9000100037' },
      verdict: 'reject',
      rules: ['NIE024'],
    });
    const call = here();
    expect(await send(call.context, [SAMPLE], options)).toBe(1);
    sandbox.controls.remove('outcomes', arranged.id);
    const issue = call.events().find(({ code }) => code === 'remote/rejected');
    expect(issue).toMatchObject({ sheet: 'Nomina', row: 3, documentKey: '9000100037' });
    expect(issue?.['message']).toContain('NIE024');
    expect(summary(call)['documents']).toMatchObject({ accepted: 24, rejected: 1 });
  });

  test('nobody at the address: exit 3, nothing lost', async () => {
    const call = here({ url: 'http://127.0.0.1:1' });
    expect(await send(call.context, [SAMPLE], options)).toBe(3);
    expect(summary(call)['documents']).toMatchObject({ made: 25, unsent: 25 });
  });

  test.each(['stock', '2026'] as const)(
    'a wrong token: exit 3, and told before the plan: %s',
    async (errorStyle) => {
      const box = await startSandbox({ errorStyle });
      onTestFinished(() => box.close());
      const call = here({ url: box.url, token: 'wrong' });
      expect(await send(call.context, [SAMPLE], options)).toBe(3);
      expect(summary(call)['documents']).toMatchObject({ unsent: 25 });
      const told = call.events().map(({ event, code }) => code ?? event);
      const [refused, ...again] = told.flatMap((what, at) =>
        what === 'service/unauthenticated' ? [at] : [],
      );
      expect(again).toEqual([]);
      expect(refused).toBeLessThan(told.indexOf('plan'));
    },
  );
});

describe('interrupted', () => {
  test('once: what is under way is finished; resume and report do the rest from the journal alone', async () => {
    sandbox.controls.addFault({
      match: { operation: 'sendPayrollTestSet' },
      kind: 'delay',
      ms: 300,
      times: 25,
    });
    const file = await sampleCsv(() => undefined);
    const call = here();
    const watch = setInterval(() => {
      if (sent() === 0) return;
      clearInterval(watch);
      call.interrupt();
    }, 5);
    const sending = { ...options, concurrency: 2 };
    expect(await send(call.context, [file], sending)).toBe(130);
    const { documents } = summary(call);
    expect(documents!['unsent']).toBeGreaterThan(0);
    expect(documents!['unknown']).toBe(0);

    const left = here();
    expect(await resume(left.context, [], options)).toBe(0);
    expect(summary(left)['documents']).toMatchObject({ made: 25, accepted: 25, unsent: 0 });
    expect(sent()).toBe(25);

    const told = here();
    expect(await report(told.context, [], { output: join(folder, 'again.xlsx'), json: true })).toBe(0);
    expect(existsSync(join(folder, 'again.xlsx'))).toBe(true);
    expect(await resume(here().context, [], options)).toBe(0);
    expect(sent()).toBe(25);
  });
});

test('status tells the runs, and one with its outcomes', async () => {
  await send(here().context, [SAMPLE], options);
  const all = here();
  await status(all.context, [], { json: true });
  const [run] = all.events();
  expect(run).toMatchObject({ event: 'run', state: 'closed', documents: { accepted: 25 } });
  const one = here();
  expect(await status(one.context, [String(run!['run'])], { json: true })).toBe(0);
  expect(outcomes(one)).toHaveLength(25);
});
