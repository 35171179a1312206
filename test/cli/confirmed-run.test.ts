import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { COUNTS } from '../../src/generated/texts-report.js';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { type Fake, type FakeOptions, fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, sampleCsv, WIDE } from './sample.js';
import { sheetCells } from './sheet-cells.js';
import { journalAbandon as abandon, adjust, approve, report, resume, send, status } from './use-cases.js';

const elsewhere = vi.hoisted(() => ({ is: false }));
vi.mock('../../src/app/service.js', async (original) => {
  const real = await original<typeof import('../../src/app/service.js')>();
  return { ...real, isRemote: (url: URL) => elsewhere.is || real.isRemote(url) };
});

/** As if the service were on another machine, for the rest of the test. */
function beyondThisMachine(): void {
  elsewhere.is = true;
  onTestFinished(() => {
    elsewhere.is = false;
  });
}

const WORKERS = 4;
/** The first workers of the sample. */
const fewWorkers = (change: (grid: string[][]) => void = () => undefined): Promise<string> =>
  sampleCsv((grid) => {
    grid.splice(WORKERS + 1);
    change(grid);
  });

const NIT = '900123456';

async function world(more: SandboxOptions = {}) {
  const box = await startSandbox({ now: () => NOW, ...more });
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const options: Options = {
    ...WIDE,
    testSet: 'set-1',
    report: join(folder, 'report.xlsx'),
    json: true,
    rate: 0,
  };
  const here = (given: FakeOptions = {}): Fake =>
    fake({ url: box.url, token: box.token, workspace: join(folder, 'ws'), ...given });
  return { box, folder, options, here };
}
type World = Awaited<ReturnType<typeof world>>;

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof PipelineError) return error.issues.map(({ code }) => code).join();
    throw error;
  }
};

const outcomes = (call: Fake) => call.events().filter(({ event }) => event === 'outcome');
const states = (call: Fake) => outcomes(call).map(({ number, state }) => `${number} ${state}`);
const issues = (call: Fake) => call.events().flatMap(({ event, code }) => (event === 'issue' ? [code!] : []));
const archived = ({ box }: Pick<World, 'box'>) =>
  box.controls.documents(NIT).map(({ number, worker }) => `${number} ${worker}`);

/** Records read, used, skipped and held back, as a report says them. */
async function recordCounts(report: string): Promise<readonly unknown[]> {
  const [summary = []] = Object.values(await sheetCells(report));
  const begin = summary.findIndex(([what]) => what === COUNTS.read.es);
  return summary.slice(begin, begin + 4).map(([, count]) => count);
}

async function runs({ here }: World, { company }: Options = {}) {
  const call = here();
  await status(call.context, [], { json: true, ...(company !== undefined && { company }) });
  return call.events().filter(({ event }) => event === 'run');
}

/** Does something while the question is open, then says yes. */
function whileAsked(call: Fake, work: (question: string) => unknown): Fake {
  const { prompts } = call.context;
  const context = {
    ...call.context,
    terminal: { ...call.context.terminal, interactive: true },
    prompts: {
      ...prompts,
      async yes(question: string) {
        call.asked.push(question);
        return (await work(question)) !== false;
      },
    },
  };
  return { ...call, context };
}

describe('what was confirmed is what is sent: the file is swapped while the question is open', () => {
  const otherWorkers = () =>
    sampleCsv((grid) => {
      grid.splice(1, WORKERS);
      grid.splice(WORKERS + 1);
      grid[1]![columnOf(grid, 'Sueldo mensual')] = '1.5OO.000';
    });

  test.each([
    ['on this machine', false],
    ['elsewhere', true],
  ])('payroll, %s', async (_, far) => {
    const here = await world();
    const file = await fewWorkers();
    const other = readFileSync(await otherWorkers());
    if (far) beyondThisMachine();
    const options = { ...here.options, testSet: undefined } as unknown as Options;
    const call = whileAsked(here.here(), () => writeFileSync(file, other));
    const code = await send(call.context, [file], far ? here.options : options);
    expect([code, call.asked.length]).toEqual([0, 1]);
    expect(archived(here)).toHaveLength(WORKERS);
    const before = readFileSync(await fewWorkers(), 'utf8');
    for (const { worker } of here.box.controls.documents(NIT)) expect(before).toContain(worker);
    const plan = call.events().find(({ event }) => event === 'plan');
    const [run] = await runs(here);
    expect(plan).toMatchObject({ run: run!['run'], digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(call.shown.said().join('\n')).toContain(String(plan!['digest']));
  });

  test('numbers that somebody else took during the question are moved on in the journal', async () => {
    const here = await world();
    const file = await fewWorkers();
    const stranger = await sampleCsv((grid) => {
      grid.splice(1, 20);
      grid.splice(3);
    });
    const elsewhereWs = fake({
      url: here.box.url,
      token: here.box.token,
      workspace: join(here.folder, 'other'),
    });
    beyondThisMachine();
    const call = whileAsked(here.here(), async () => {
      await send(elsewhereWs.context, [stranger], { ...here.options, yes: true });
    });
    expect(await send(call.context, [file], here.options)).toBe(0);
    expect(states(call)).toEqual(['NOM3 accepted', 'NOM4 accepted', 'NOM5 accepted', 'NOM6 accepted']);
    expect(archived(here)).toHaveLength(WORKERS + 2);
  });

  test('adjust, where a proposal was refused and the numbers close up', async () => {
    const here = await world();
    const options = { ...here.options, param: ['note_prefix=NA'] };
    await send(here.here().context, [await fewWorkers()], { ...options, yes: true });
    const file = await fewWorkers((grid) => {
      grid.splice(1, 1);
      grid[1]![columnOf(grid, 'Número de cuenta')] = '1';
    });
    const other = readFileSync(await otherWorkers());
    const answers = [false, true];
    const call = whileAsked(here.here(), () => {
      writeFileSync(file, other);
      return answers.shift();
    });
    expect(await adjust(call.context, [file], options)).toBe(0);
    expect(
      here.box.controls
        .documents(NIT)
        .slice(WORKERS)
        .map(({ number }) => number),
    ).toEqual(['NA1']);
    expect(call.events().at(-1)).toMatchObject({ documents: { planned: 3, made: 3, accepted: 3 } });
  });

  test('a no leaves nothing behind, and its numbers are free', async () => {
    const here = await world();
    const no = here.here({ answers: [false] });
    expect(await send(no.context, [await fewWorkers()], here.options)).toBe(0);
    expect(await runs(here)).toEqual([]);
    const call = here.here({ answers: [true] });
    expect(await send(call.context, [await fewWorkers()], here.options)).toBe(0);
    expect(states(call)[0]).toBe('NOM1 accepted');
  });
});

describe('a held run', () => {
  async function held(here: World, more: Options = {}): Promise<string> {
    const call = here.here();
    const code = await send(call.context, [await fewWorkers()], { ...here.options, hold: true, ...more });
    expect(code).toBe(0);
    const { run, digest } = call.events().at(-1) as unknown as Record<string, string>;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    return run!;
  }
  const approved = (here: World, run: string, more: Options = {}) =>
    approve(here.here().context, [run], { yes: true, as: 'Ana Ruiz', json: true, ...more });

  test('reaches nobody before a named person approves it, then goes as it was laid out', async () => {
    const here = await world();
    const run = await held(here);
    const go = () => send(here.here().context, [run], { ...here.options, yes: true });
    expect(here.box.controls.requests().count).toBe(0);
    expect(await codeOf(go())).toBe('send/not-approved');
    expect(await codeOf(resume(here.here().context, [run], here.options))).toBe('send/held');
    expect(await codeOf(resume(here.here().context, [], here.options))).toBe('0');
    expect(await codeOf(approve(here.here().context, [run], { yes: true }))).toBe('run/needs-name');
    expect(await codeOf(approve(here.here().context, [run], { as: 'Ana' }))).toBe('run/needs-yes');
    expect(await runs(here)).toMatchObject([{ run, state: 'held', documents: { unsent: WORKERS } }]);
    expect(here.box.controls.requests().count).toBe(0);

    const asked = here.here({ answers: [true], lines: ['Ana Ruiz'] });
    expect(await approve(asked.context, [run], {})).toBe(0);
    const said = asked.shown.said().join('\n');
    for (const part of ['octubre de 2026', `${WORKERS} documentos`, 'nomina.csv', 'sin indicar'])
      expect(said).toContain(part);
    expect(await runs(here)).toMatchObject([{ state: 'held', approval: { by: 'Ana Ruiz' } }]);

    expect(await codeOf(go())).toBe('0');
    expect(archived(here)).toHaveLength(WORKERS);
    expect(await runs(here)).toMatchObject([
      { run, state: 'closed', approval: { by: 'Ana Ruiz' }, documents: { accepted: WORKERS } },
    ]);
    expect(await codeOf(approved(here, run))).toBe('send/not-held');
  });

  test('an approval is for the digest: what changed since is not sent', async () => {
    const here = await world();
    const run = await held(here);
    await approved(here, run);
    const { openJournal } = await import('../../src/send/journal.js');
    const { journalFile } = await import('../../src/app/journal-access.js');
    const journal = await openJournal(await journalFile(here.here().context, {}));
    await journal.script(
      `UPDATE content SET body = replace(body, '"accrued_total":"', '"accrued_total":"1')`,
    );
    await journal.close();
    expect(await codeOf(send(here.here().context, [run], { ...here.options, yes: true }))).toBe(
      'send/not-approved',
    );
    expect(here.box.controls.requests().count).toBe(0);
  });

  test('blocks nothing but its numbers; what another run sent meanwhile is not sent twice', async () => {
    const here = await world();
    const run = await held(here);
    await approved(here, run);
    const two = await fewWorkers((grid) => grid.splice(3));
    const call = here.here();
    expect(await send(call.context, [two], { ...here.options, yes: true })).toBe(0);
    expect(states(call)).toEqual(['NOM5 accepted', 'NOM6 accepted']);

    const go = { ...here.options, yes: true };
    const late = here.here();
    expect(await codeOf(send(late.context, [run], go))).toBe('send/overtaken');
    expect(issues(late)).toEqual(['send/sent-meanwhile', 'send/sent-meanwhile']);
    const keys = late.events().flatMap(({ documentKey }) => documentKey ?? []);
    expect(keys).toEqual([expect.stringContaining('•••'), expect.stringContaining('•••')]);
    const rest = here.here();
    expect(await send(rest.context, [run], { ...go, partial: true })).toBe(0);
    expect(states(rest).map((text) => text.split(' ')[1])).toEqual(['accepted', 'accepted']);
    const all = here.box.controls.documents(NIT);
    expect([all.length, new Set(all.map(({ worker }) => worker)).size]).toEqual([WORKERS, WORKERS]);
  });

  test('is shown to who approves by whom it is about, with amounts, and how it differs from the month before', async () => {
    const here = await world();
    const shownOf = async (run: string) => {
      const asked = here.here({ answers: [false] });
      expect(await approve(asked.context, [run], { as: 'Ana Ruiz' })).toBe(0);
      return asked.shown.said().filter((line) => /^ {4}|→/.test(line));
    };
    const first = await shownOf(await held(here));
    expect(first).toHaveLength(WORKERS);
    for (const line of first) expect(line).toMatch(/^ {4}NOM\d+ · \p{Lu}.+ · [\d.]+,\d\d$/u);

    await send(here.here().context, [await fewWorkers()], { ...here.options, yes: true });
    const november = {
      month: '2026-11',
      settlement_start_date: '2026-11-01',
      settlement_end_date: '2026-11-30',
    };
    const later = here.here();
    const month = await fewWorkers((grid) => {
      grid.splice(WORKERS, 1);
      grid[1]![columnOf(grid, 'Sueldo mensual')] = '9000000';
    });
    const param = Object.entries({ ...november, issue_date: '2026-11-30' }).map((pair) => pair.join('='));
    await send(later.context, [month], { ...here.options, hold: true, partial: true, param });
    const second = await shownOf(String(later.events().at(-1)!['run']));
    expect(second.filter((line) => /neto — →|→ —/.test(line))).toEqual([
      expect.stringMatching(/\p{Lu}\p{L}+: neto [\d.]+,\d\d → —/u),
    ]);
  });

  test('of notes is shown to who approves as what changes, before and after', async () => {
    const here = await world();
    await send(here.here().context, [await fewWorkers()], { ...here.options, yes: true });
    const file = await fewWorkers((grid) => {
      grid[1]![columnOf(grid, 'Número de cuenta')] = '1';
      grid.splice(WORKERS, 1);
    });
    const call = here.here();
    const more = { hold: true, deleteMissing: true, param: ['note_prefix=NA'] };
    await adjust(call.context, [file], { ...here.options, ...more });
    const asked = here.here({ answers: [false] });
    await approve(asked.context, [String(call.events().at(-1)!['run'])], { as: 'Ana Ruiz' });
    const said = asked.shown.said().join('\n');
    expect(said).toMatch(/\d \p{Lu}\p{L}+ \p{Lu}\p{L}+: reemplazar NOM1 con NA1/u);
    expect(said).toMatch(/\d \p{Lu}\p{L}+ \p{Lu}\p{L}+: eliminar NOM4 con NA2/u);
    expect(said).toMatch(/Número de cuenta +\d+ +1$/m);
  });

  test('is given up without a trace, and its numbers are free', async () => {
    const here = await world();
    const run = await held(here);
    expect(await abandon(here.here().context, [run], { yes: true, reason: 'otra' })).toBe(0);
    expect(await runs(here)).toEqual([]);
    const call = here.here();
    await send(call.context, [await fewWorkers()], { ...here.options, yes: true });
    expect(states(call)[0]).toBe('NOM1 accepted');
  });
});

describe('a second send is told what is under way', () => {
  const lose = ({ box }: World, times = 1) =>
    box.controls.addFault({ kind: 'reset-after', match: { operation: 'sendPayrollTestSet' }, times });

  test.each([
    ['all of it', (grid: string[][]) => void grid],
    [
      'with a new one',
      (grid: string[][]) => void grid.push(grid[1]!.with(columnOf(grid, 'Número documento'), '5200011')),
    ],
  ])('%s: nothing is called rejected, exit 4, and its run is named', async (name, change) => {
    const here = await world();
    const wrong = here.here({ token: 'wrong' });
    expect(await send(wrong.context, [await fewWorkers()], { ...here.options, yes: true })).toBe(3);
    const [first] = await runs(here);
    const call = here.here();
    const more = { ...here.options, yes: true, partial: true };
    expect(await send(call.context, [await fewWorkers(change)], more)).toBe(4);
    expect(outcomes(call).map(({ state }) => state)).toEqual(name === 'all of it' ? [] : ['accepted']);
    expect(call.shown.said().join('\n')).toContain(`cargue resume ${first!['run']}`);
    const fresh = name === 'all of it' ? 0 : 1;
    const records = { read: WORKERS + fresh, used: fresh, skipped: 0, heldBack: WORKERS };
    expect(call.events().at(-1)).toMatchObject({
      records,
      documents: { made: fresh, heldBack: WORKERS, rejected: 0 },
    });
    if (fresh > 0) expect(await recordCounts(here.options.report!)).toEqual(Object.values(records));
    expect(await runs(here)).toHaveLength(name === 'all of it' ? 1 : 2);
  });

  test('what was given up with a reason goes anew only by a yes of its own, while it may be there', async () => {
    const here = await world();
    lose(here, 100);
    const first = here.here();
    const sending = { ...here.options, yes: true, concurrency: 1 };
    expect(await send(first.context, [await fewWorkers()], { ...sending })).not.toBe(0);
    const [begun] = await runs(here);
    const id = begun!['run'];
    const open = (begun!['documents'] as { unknown: number }).unknown;
    expect(open).toBeGreaterThan(0);
    const given = { yes: true, reason: 'archivo equivocado' };
    expect(await abandon(here.here().context, [String(id)], given)).toBe(4);
    expect(await runs(here)).toMatchObject([
      { state: 'closed', abandonment: { reason: 'archivo equivocado' } },
    ]);
    expect(await codeOf(resume(here.here().context, [String(id)], here.options))).toBe('send/given-up');

    const alone = here.here();
    const code = await send(alone.context, [await fewWorkers()], { ...sending, dryRun: true });
    expect(code).toBe(0);
    const left = here.here();
    await send(left.context, [await fewWorkers()], {
      ...sending,
      testSet: 'set-1',
      hold: true,
      partial: true,
    });
    expect(issues(left).filter((one) => one === 'send/may-be-there')).toHaveLength(open);
    expect(left.events().at(-1)).toMatchObject({
      records: { read: WORKERS, used: WORKERS - open, skipped: 0, heldBack: open },
      documents: { made: WORKERS - open, heldBack: open },
    });

    // A person finds that none of it is there.
    const settle = outcomes(first).flatMap(({ number, state }) =>
      state === 'unknown' ? [`${number}=none`] : [],
    );
    const settled = here.here();
    await resume(settled.context, [String(id)], { ...here.options, settle, as: 'Ana' });
    expect(outcomes(settled).filter(({ state }) => state === 'unknown')).toEqual([]);
    const again = here.here();
    await send(again.context, [await fewWorkers()], { ...sending, dryRun: true });
    expect(again.events().at(-1)).toMatchObject({ documents: { made: WORKERS } });
    expect(issues(again)).not.toContain('send/may-be-there');
  });
});

describe('a person settles what is unconfirmed', () => {
  const CODE = 'ab'.repeat(48);
  async function lost({ times = 1000, more = {} }: { times?: number; more?: SandboxOptions } = {}) {
    const here = await world(more);
    const options = { ...here.options, company: NIT, ...(more.companies && { testSet: undefined }) };
    const kind = 'reset-after';
    for (const operation of ['sendPayrollTestSet', 'sendPayroll'] as const)
      here.box.controls.addFault({ kind, match: { operation }, times });
    const { id } = here.box.controls.addFault({
      kind,
      match: { operation: 'getDocumentStatus' },
      times: 1000,
    });
    const call = here.here();
    await send(call.context, [await fewWorkers()], { ...options, yes: true });
    const unknown = outcomes(call).filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeGreaterThan(1);
    const [left] = await runs(here, options);
    const numbers = unknown.map(({ number }) => String(number));
    return {
      ...here,
      options,
      run: String(left!['run']),
      numbers,
      answerAgain: () => here.box.controls.remove('faults', id),
    };
  }
  type Lost = Awaited<ReturnType<typeof lost>>;
  const settled = (
    { here, options, run }: Lost,
    settle: string[],
    given: FakeOptions = { token: 'wrong' },
    pin?: string,
  ) => {
    const call = here(given);
    const context = { ...call.context, ...(pin && { softwarePin: pin }) };
    return { call, code: codeOf(resume(context, [run], { ...options, settle, as: 'Ana Ruiz' })) };
  };
  const cuneOf = ({ box }: Lost, number: string) =>
    box.controls.documents(NIT).find((one) => one.number === number)!.cune;
  const outcomeOf = (call: Fake, number: string) => outcomes(call).find((one) => one['number'] === number);

  test('payroll: accepted with its code, who said so and when, in the journal and the report', async () => {
    const one = await lost();
    const [number] = one.numbers;
    const { call, code } = settled(one, [`${number}=accepted:${CODE.toUpperCase()}`]);
    await code;
    expect(outcomes(call).find((outcome) => outcome['number'] === number)).toMatchObject({
      state: 'accepted',
      documentCode: CODE,
      settled: { by: 'Ana Ruiz', at: NOW.toISOString(), found: 'unasked' },
    });
    expect(issues(call)).toContain('send/settled-unasked');
    const output = join(one.folder, 'again.xlsx');
    expect(await report(one.here().context, [one.run], { output, company: NIT })).toBe(0);
    const { openInput } = await import('../../src/toolkit/tables/open.js');
    const input = await openInput(output);
    let text = '';
    for (const table of input.tables)
      for await (const batch of table.batches()) for (const { texts } of batch) text += [...texts].join('\n');
    await input.close();
    expect(text).toMatch(/Asentado por Ana Ruiz.*\(sin poder preguntar\)/);
  });

  test.each([
    ['a code that is none', (one: string) => [`${one}=accepted:1234`], 'send/cannot-settle'],
    ['a word that is none', (one: string) => [`${one}=si`], 'send/cannot-settle'],
    ['no such document', () => ['NOM999=none'], 'send/cannot-settle'],
    [
      'the code of another document',
      (one: string, other: string) => [`${one}=accepted:${CODE}`, `${other}=accepted:${CODE}`],
      'send/code-of-another',
    ],
  ])('%s is refused', async (_, words, expected) => {
    const one = await lost();
    const [first, second] = one.numbers;
    expect(await settled(one, words(first!, second!)).code).toBe(expected);
  });

  test('of a run that was given up: every command that is advised works, and moments are local', async () => {
    const one = await lost();
    const { here, options, run } = one;
    const [number] = one.numbers;
    const given = here();
    const company = { company: NIT };
    await abandon(given.context, [run], { yes: true, reason: 'prefijo equivocado', ...company });
    const again = here();
    await send(again.context, [await fewWorkers()], { ...options, yes: true });
    for (const call of [given, again]) {
      const said = call.shown.said().join('\n');
      expect(said).toContain(`cargue resume ${run} --settle ${number}=none --company ${NIT}`);
      expect(said).not.toMatch(/Ya se puede enviar|no ha terminado/);
    }
    const shown = here();
    await status(shown.context, [], company);
    expect(shown.shown.said().join('\n')).toMatch(/se renunció a ella el 21\/11\/2026, 10:00/);
  });

  test('resumed to its end, a run whose file has an error still ends as such', async () => {
    const { here, options } = await world();
    const file = await fewWorkers((grid) => {
      grid[1]![columnOf(grid, 'Sueldo mensual')] = '1.5OO.000';
    });
    const sending = { ...options, yes: true, partial: true };
    await send(here({ token: 'wrong' }).context, [file], sending);
    const resumed = here();
    expect(await resume(resumed.context, [], options)).toBe(1);
    expect(outcomes(resumed).map(({ state }) => state)).toEqual(Array(WORKERS - 1).fill('accepted'));
  });

  test.each<[string, (one: Lost, number: string, other: string) => string, string | undefined, string]>([
    ['a code that DIAN does not have', () => CODE, undefined, 'not-there'],
    ['the code of another number', (one, _, other) => cuneOf(one, other), undefined, 'another'],
    ['its own code', (one, number) => cuneOf(one, number), undefined, 'open'],
    ['its own code, and the PIN', (one, number) => cuneOf(one, number), '12345', 'ours'],
  ])('DIAN is asked with %s', async (_, codeFor, pin, expected) => {
    const one = await lost();
    one.answerAgain();
    const [number, other] = one.numbers;
    const word = `${number}=accepted:${codeFor(one, number!, other!)}`;
    const { call, code } = settled(one, [word], { token: one.box.token }, pin);
    const said = await code;
    if (expected === 'not-there' || expected === 'another') {
      expect(said).toBe('send/code-contradicted');
      return;
    }
    expect(outcomeOf(call, number!)).toMatchObject({ state: 'accepted', settled: { found: expected } });
    expect(issues(call)).not.toContain('send/settled-unasked');
  });

  test('where DIAN named the code before, another one is refused unasked', async () => {
    const production = { companies: [{ nit: NIT, environment: 'production' as const }] };
    const one = await lost({ times: WORKERS, more: production });
    const [number] = one.numbers;
    expect(await settled(one, [`${number}=accepted:${CODE}`]).code).toBe('send/code-contradicted');
    const { call, code } = settled(one, [`${number}=accepted:${cuneOf(one, number!)}`]);
    await code;
    expect(outcomeOf(call, number!)).toMatchObject({ state: 'accepted', settled: { found: 'unasked' } });
  });

  test('what nothing but a word says is settled again, what was proven is not', async () => {
    const one = await lost();
    const [number, other] = one.numbers;
    await settled(one, [`${number}=accepted:${CODE}`]).code;
    one.answerAgain();
    const token = { token: one.box.token };
    const again = settled(one, [`${number}=accepted:${cuneOf(one, number!)}`], token, '12345');
    await again.code;
    expect(outcomeOf(again.call, number!)).toMatchObject({
      documentCode: cuneOf(one, number!),
      state: 'accepted',
    });
    const late = settled(one, [`${number}=accepted:${cuneOf(one, other!)}`], token);
    expect(await late.code).toBe('send/cannot-settle');
  });
});

describe('a question that waits for its answer keeps nobody from sending', () => {
  /** Workers of the sample after the first ones. */
  const others = () =>
    sampleCsv((grid) => {
      grid.splice(1, WORKERS);
      grid.splice(WORKERS + 1);
    });
  const numbersIn = (box: World['box']) =>
    box.controls
      .documents(NIT)
      .map(({ number }) => Number(/\d+$/.exec(String(number))![0]))
      .sort((a, b) => a - b);
  /** Numbers one after the other from the first. */
  const inARow = (count: number, [first = 0]: readonly number[]) =>
    Array.from({ length: count }, (_, at) => first + at);

  test.each([
    ['yes', true, 2 * WORKERS],
    ['no', false, WORKERS],
  ])('other documents are sent meanwhile; with a %s no number is left out', async (_, said, sent) => {
    const { box, options, here } = await world();
    const first = await fewWorkers();
    const second = await others();
    const one = whileAsked(here(), async () => {
      const other = here();
      expect(await send(other.context, [second], { ...options, yes: true })).toBe(0);
      return said;
    });
    expect(await send(one.context, [first], options)).toBe(0);
    const numbers = numbersIn(box);
    expect(numbers).toEqual(inARow(sent, numbers));
    // And the next ones go on.
    await send(here().context, [await sampleCsv((grid) => grid.splice(1, 2 * WORKERS))], {
      ...options,
      yes: true,
    });
    const all = numbersIn(box);
    expect(all).toEqual(inARow(all.length, all));
  });

  test('two wait at once: each is sent once, whoever is answered first', async () => {
    const { box, options, here } = await world();
    const [first, second] = [await fewWorkers(), await others()];
    const one = whileAsked(here(), async () => {
      const two = whileAsked(here(), async () => {
        // The first of the two is still asked for; the right to send is with nobody.
        const third = here();
        expect(
          await send(third.context, [await fewWorkers((grid) => grid.splice(1, 3))], {
            ...options,
            dryRun: true,
          }),
        ).toBe(0);
      });
      expect(await send(two.context, [second], options)).toBe(0);
    });
    expect(await send(one.context, [first], options)).toBe(0);
    const numbers = numbersIn(box);
    expect(numbers).toEqual(inARow(2 * WORKERS, numbers));
  });

  test('what was sent meanwhile is not sent again', async () => {
    const { box, options, here } = await world();
    const file = await fewWorkers();
    const one = whileAsked(here(), async () => {
      expect(await send(here().context, [file], { ...options, yes: true })).toBe(0);
    });
    expect(await codeOf(send(one.context, [file], options))).toBe('send/plan-overtaken');
    expect(archived({ box })).toHaveLength(WORKERS);
    expect(await runs({ box, folder: '', options, here })).toHaveLength(1);
  });

  test('a draft that is given up meanwhile is not sent', async () => {
    const { box, options, here } = await world();
    const one = whileAsked(here(), async () => {
      const draft = String(one.events().find(({ event }) => event === 'plan')?.['run']);
      await abandon(here().context, [draft], { ...options, yes: true });
    });
    expect(await codeOf(send(one.context, [await fewWorkers()], options))).toBe('send/plan-gone');
    expect(archived({ box })).toEqual([]);
  });

  test.each(['approve', 'send'] as const)('nor does the one of %s', async (name) => {
    const { box, options, here } = await world({ companies: [{ nit: NIT, environment: 'production' }] });
    const production: Options = { ...options, environment: 'production' };
    delete (production as { testSet?: string }).testSet;
    const held = here();
    await send(held.context, [await fewWorkers()], { ...production, hold: true });
    const run = String(held.events().find(({ event }) => event === 'summary')?.['run']);
    if (name === 'send') await approve(here({ lines: ['Ana'] }).context, [run], { ...production, yes: true });
    const second = await others();
    const call = whileAsked(here({ lines: ['Ana'] }), async () => {
      expect(await send(here().context, [second], { ...production, yes: true })).toBe(0);
    });
    const use = name === 'approve' ? approve : send;
    expect(await use(call.context, [run], { ...production, as: 'Ana' })).toBe(0);
    expect(call.asked.length).toBeGreaterThan(0);
    expect(numbersIn(box)).toHaveLength(name === 'approve' ? WORKERS : 2 * WORKERS);
  });

  test('after a yes it waits until another run is over', async () => {
    const { box, options, here } = await world();
    box.controls.addFault({
      kind: 'delay',
      match: { operation: 'sendPayroll' },
      times: 100,
      phase: 'after',
      ms: 250,
    });
    const second = await others();
    let other: Promise<number> | undefined;
    const one = whileAsked(here(), async () => {
      other = send(here().context, [second], { ...options, yes: true, concurrency: 1 });
      while (box.controls.documents().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    });
    expect(await send(one.context, [await fewWorkers()], options)).toBe(0);
    expect(await other).toBe(0);
    expect(numbersIn(box)).toHaveLength(2 * WORKERS);
    expect(one.shown.said().join('\n')).toMatch(/2026-11-21-2/);
  });
});
