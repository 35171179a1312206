import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withProfile } from '../../src/app/profile.js';
import type { Options } from '../../src/cli/options.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { createCaseIssue, createIssue } from '../../src/send/create-issue.js';
import { word } from '../../src/toolkit/messages/wording.js';
import { type Fake, type FakeOptions, fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sampleCsv, WIDE } from './sample.js';
import { resume, send } from './use-cases.js';

/** PIN and NIT come from options, environment, profile or a person; whichever is missing is named. */

const NIT = '900123456';
const PIN = '12345';
const WORKERS = 4;

/** A run of nobody's name, whose documents the service took and whose answers were lost. */
async function lost() {
  const box = await startSandbox({ now: () => NOW, companies: [{ nit: NIT, environment: 'production' }] });
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const workspace = join(folder, 'ws');
  const report = join(folder, 'report.xlsx');
  const here = (given: FakeOptions = {}): Fake =>
    fake({ url: box.url, token: box.token, workspace, ...given });
  const file = await sampleCsv((grid) => void grid.splice(WORKERS + 1));
  const fault = { kind: 'reset-after', match: { operation: 'sendPayroll' }, times: 1_000 } as const;
  const { id } = box.controls.addFault(fault);
  const options: Options = { ...WIDE, json: true, rate: 0, yes: true, report };
  expect(await send(here().context, [file], options)).toBe(4);
  box.controls.remove('faults', id);
  const again = (given: Fake['context'], more: Options): Promise<number> =>
    resume(given, [], { report, json: true, ...more });
  return { box, here, again, workspace };
}

const counts = (call: Fake) => {
  const states = call.events().flatMap(({ event, state }) => (event === 'outcome' ? [state] : []));
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  return { unknown: count('unknown'), accepted: count('accepted') };
};
/** What the run says that is missing, by the case of the remark. */
const lacks = (call: Fake): readonly string[] => {
  const said = call.shown.said().join('\n');
  const issues = { both: createIssue('send/unproven', { count: WORKERS }), ...of('pin'), ...of('nit') };
  return Object.entries(issues).flatMap(([name, issue]) =>
    said.includes(word(issue, 'es').message) ? [name] : [],
  );
};
const of = (need: 'pin' | 'nit') => ({ [need]: createCaseIssue('send/unproven', need, { count: WORKERS }) });
const OPEN = { unknown: WORKERS, accepted: 0 };
const DONE = { unknown: 0, accepted: WORKERS };

type Given = Partial<Record<'nit' | 'softwarePin', string>>;

test.each<[name: string, options: Options, environment: Given, missing: string]>([
  ['nothing', {}, {}, 'both'],
  ['the PIN', {}, { softwarePin: PIN }, 'nit'],
  ['the NIT', { nit: NIT }, {}, 'pin'],
  ['a company whose name is no NIT', { company: 'Andina' }, { softwarePin: PIN }, 'nit'],
])('with %s the run says what is missing', async (_name, options, environment, missing) => {
  const { here, again } = await lost();
  const call = here();
  expect(await again({ ...call.context, ...environment }, { ...options, yes: true })).toBe(4);
  expect([counts(call), lacks(call)]).toEqual([OPEN, [missing]]);
});

test.each<[name: string, options: Options, environment: Given, person: FakeOptions]>([
  ['--nit', { nit: '900.123.456-8', yes: true }, { softwarePin: PIN }, {}],
  ['--company', { company: NIT, yes: true }, { softwarePin: PIN }, {}],
  ['CARGUE_NIT', { yes: true }, { softwarePin: PIN, nit: NIT }, {}],
  ['a person, who is asked for both', {}, {}, { lines: [NIT], secrets: [PIN] }],
  ['a person, who is asked for the NIT', {}, { softwarePin: PIN }, { lines: [NIT] }],
  ['a person, who is asked for the PIN', { nit: NIT }, {}, { lines: [], secrets: [PIN] }],
])('they come from %s, after nothing was given', async (_name, options, environment, person) => {
  const { here, again } = await lost();
  await again(here().context, { yes: true });
  const call = here(person);
  expect(await again({ ...call.context, ...environment }, options)).toBe(0);
  expect([counts(call), lacks(call)]).toEqual([DONE, []]);
});

test('a profile has both', async () => {
  const { box, here, again, workspace } = await lost();
  mkdirSync(join(workspace, 'profiles'), { mode: 0o700 });
  const file = join(workspace, 'profiles', 'andina.yaml');
  writeFileSync(
    file,
    `url: ${box.url}\nenvironment: production\ncompany: { nit: '${NIT}' }\nsoftware_pin: '${PIN}'\n`,
    {
      mode: 0o600,
    },
  );
  const call = here();
  const merged = await withProfile({
    context: call.context,
    options: { profile: 'andina', json: true, yes: true },
  });
  expect(await again(merged.context, merged.options)).toBe(0);
  expect(counts(call)).toEqual(DONE);
});

test.each<[Options, Given]>([
  [{ nit: '12' }, {}],
  [{}, { nit: 'Andina' }],
])('%o, %o: what is no NIT is refused', async (options, environment) => {
  const { here, again } = await lost();
  const work = again({ ...here().context, ...environment }, { ...options, yes: true });
  await expect(work).rejects.toMatchObject({ issues: [{ code: 'run/bad-option' }] });
});
