import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Context } from '../../src/app/context.js';
import type { Environment } from '../../src/app/environment.js';
import { environmentOf } from '../../src/app/service.js';
import type { Options } from '../../src/cli/options.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { correctedMonth } from './corrected-month.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, SAMPLE, sampleCsv, WIDE } from './sample.js';
import { adjust, resume, send } from './use-cases.js';

const PROFILE = {
  name: 'andina',
  environment: 'production',
  companyName: 'Comercial Andina SAS',
  stored: {},
} as const;

/** A production service, and calls under a profile that says so. */
async function world() {
  const box = await startSandbox({ companies: [{ nit: '900123456', environment: 'production' }] });
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const options: Options = {
    ...WIDE,
    param: ['note_prefix=NA'],
    company: '900123456',
    report: join(folder, 'report.xlsx'),
    json: true,
  };
  /** Without answers nobody is there. */
  const here = (answers?: readonly boolean[]): Fake & { readonly context: Context } => {
    const made = fake({
      url: box.url,
      token: box.token,
      workspace: join(folder, 'ws'),
      ...(answers && { answers }),
    });
    return { ...made, context: { ...made.context, profile: PROFILE } };
  };
  const sent = (): number =>
    box.controls
      .requests()
      .requests.filter(({ operation }) => /^send(Payroll|AdjustNote)/.test(operation ?? '')).length;
  return { box, options, here, sent };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof PipelineError) return error.issues.map(({ code }) => code).join();
    throw error;
  }
};

const withMistake = () =>
  sampleCsv((grid) => {
    grid[2]![columnOf(grid, 'Sueldo mensual')] = '1.5OO.000';
  });

describe('which environment it is', () => {
  const url = (text: string): URL => new URL(text);
  test.each<[string, Environment | undefined, URL, string | undefined, Environment]>([
    ['the profile says', 'production', url('http://127.0.0.1:1'), undefined, 'production'],
    ['the profile says, also with a test set', 'production', url('https://a.co'), 'set', 'production'],
    ['the profile says test', 'test', url('https://a.co'), undefined, 'test'],
    ['nobody says: this machine', undefined, url('http://localhost:1'), undefined, 'test'],
    ['nobody says: a test set', undefined, url('https://a.co'), 'set', 'test'],
    ['nobody says: elsewhere is taken for final', undefined, url('https://a.co'), undefined, 'production'],
  ])('%s', (_, environment, address, testSet, expected) => {
    const context = { profile: { name: 'x', ...(environment && { environment }) } } as Context;
    expect(environmentOf(context, address, testSet)).toBe(expected);
  });
});

describe('send', () => {
  test('asks for a yes that names company, environment, count and amounts', async () => {
    const { options, here, sent } = await world();
    const call = here([false]);
    expect(await send(call.context, [SAMPLE], options)).toBe(0);
    expect([call.asked.length, sent()]).toEqual([1, 0]);
    const net = call.shown
      .said()
      .map((line) => /^Neto: +(\S+)$/.exec(line)?.[1])
      .find(Boolean);
    for (const part of ['Comercial Andina SAS (900123456)', 'PRODUCCIÓN', '25 documentos', net!])
      expect(call.asked[0]).toContain(part);
  });

  test.each<[string, Options, readonly boolean[] | undefined, string, number]>([
    ['a yes sends', {}, [true], '0', 25],
    ['--yes is no answer where a person can give one', { yes: true }, [false], '0', 0],
    ['--yes stands in where nobody is there', { yes: true }, undefined, '0', 25],
    ['nobody there and no --yes', {}, undefined, 'run/needs-yes', 0],
    ['--partial is no yes, nobody there', { partial: true }, undefined, 'run/needs-yes', 0],
    ['--partial is no yes, somebody there', { partial: true }, [false], '0', 0],
    ['a dry run asks nothing', { dryRun: true }, [], '0', 0],
  ])('%s', async (_, more, answers, expected, count) => {
    const { options, here, sent } = await world();
    expect(await codeOf(send(here(answers).context, [SAMPLE], { ...options, ...more }))).toBe(expected);
    expect(sent()).toBe(count);
  });

  test.each<[string, Options, readonly boolean[], number, number]>([
    ['a yes to a part is none to production', {}, [true, false], 2, 0],
    ['two yeses send the part', {}, [true, true], 2, 24],
    ['--partial leaves the question of production', { partial: true }, [true], 1, 24],
  ])('with mistakes in the file: %s', async (_, more, answers, questions, count) => {
    const { options, here, sent } = await world();
    const call = here(answers);
    await send(call.context, [await withMistake()], { ...options, ...more });
    expect([call.asked.length, sent()]).toEqual([questions, count]);
  });
});

test('resume asks about what is left', async () => {
  const { box, options, here, sent } = await world();
  box.controls.addFault({ match: { operation: 'sendPayroll' }, kind: 'delay', ms: 150, times: 25 });
  const begun = here();
  const watch = setInterval(() => {
    if (sent() < 2) return;
    clearInterval(watch);
    begun.interrupt();
  }, 5);
  onTestFinished(() => clearInterval(watch));
  expect(await send(begun.context, [SAMPLE], { ...options, yes: true, concurrency: 2 })).toBe(130);
  const before = sent();
  expect(before).toBeLessThan(25);

  const refused = here([false]);
  expect(await resume(refused.context, [], { ...options, yes: true })).toBe(0);
  expect(sent()).toBe(before);
  for (const part of ['Comercial Andina SAS', 'PRODUCCIÓN', `${25 - before} documentos`, 'Neto: '])
    expect(refused.asked[0]).toContain(part);
  expect(await codeOf(resume(here().context, [], options))).toBe('run/needs-yes');

  expect(await resume(here([true]).context, [], options)).toBe(0);
  expect(sent()).toBe(25);
});

test('adjust asks before its notes are final', async () => {
  const { options, here, sent } = await world();
  expect(await send(here().context, [SAMPLE], { ...options, yes: true })).toBe(0);
  const call = here([false, false]);
  expect(await adjust(call.context, [await correctedMonth()], options)).toBe(0);
  expect(sent()).toBe(25);
  expect(call.asked.at(-1)).toContain('PRODUCCIÓN');
  // The first yes is to what is deleted.
  await adjust(here([false, true]).context, [await correctedMonth()], options);
  expect(sent()).toBeGreaterThan(25);
});
