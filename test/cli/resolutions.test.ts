import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withProfile } from '../../src/app/profile.js';
import type { Options } from '../../src/cli/options.js';
import type { ResolutionOptions, SandboxOptions } from '../../src/sandbox/options.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { correctedMonth, RISEN } from './corrected-month.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { adjust, send, setupResolution } from './use-cases.js';

/** A company with two ranges of each type has to name the resolution in every document (service.md 4.1). */

const NIT = '900123456';
const range = (typeDocumentId: 9 | 10, prefix: string, resolution: string): ResolutionOptions => ({
  typeDocumentId,
  prefix,
  from: 1,
  to: 9999,
  resolution,
});
const RANGES = [
  range(9, 'NI', '18760000001'),
  range(9, 'NOM', '18760000002'),
  range(10, 'NA', '18760000003'),
  range(10, 'NB', '18760000004'),
];

const PROFILE = `resolutions:
  - { document_type: payroll, prefix: NI, number: "18760000001" }
  - { document_type: payroll, prefix: NOM, number: "18760000002" }
  - { document_type: adjust, prefix: NA, number: "18760000003" }
`;

async function world(resolutions: readonly ResolutionOptions[] = RANGES, more: SandboxOptions = {}) {
  const box = await startSandbox({
    companies: [{ nit: NIT, environment: 'production', resolutions }],
    ...more,
  });
  onTestFinished(() => box.close());
  const workspace = join(freshFolder(), 'ws');
  mkdirSync(join(workspace, 'profiles'), { recursive: true });
  const profile = (text: string): void =>
    writeFileSync(
      join(workspace, 'profiles', 'andina.yaml'),
      `url: ${box.url}\nenvironment: production\ncompany: { nit: "${NIT}" }\n${text}`,
    );
  const here = (): Fake => fake({ url: box.url, token: box.token, workspace });
  const options = (param: readonly string[] = []): Options => ({
    ...WIDE,
    param,
    company: NIT,
    report: join(workspace, 'report.xlsx'),
    force: true,
    yes: true,
    json: true,
    showValues: true,
  });
  return { box, profile, here, options };
}

const documents = (call: Fake) =>
  (call.events().at(-1) as unknown as { documents: Record<string, number> }).documents;
const blamed = (call: Fake) =>
  call
    .events()
    .filter(({ event, code }) => event === 'issue' && String(code).startsWith('remote/'))
    .map(({ code, pointer, param, cell }) => [code, pointer, param, cell]);

describe('a profile that names them', () => {
  test('25 payrolls and the notes that correct them are accepted', async () => {
    const { box, profile, here, options } = await world();
    profile(PROFILE);
    const run = async (use: typeof send, file: string, param: string[] = []): Promise<Fake> => {
      const call = here();
      const given = await withProfile({
        context: call.context,
        options: { ...options(param), profile: 'andina' },
      });
      expect(await use(given.context, [file], given.options)).toBe(0);
      return call;
    };
    expect(documents(await run(send, SAMPLE))).toMatchObject({ made: 25, accepted: 25, rejected: 0 });
    // What was sent is known again, with its resolution or without.
    const { count } = box.controls.requests();
    profile('');
    await run(send, SAMPLE);
    expect(box.controls.requests().count).toBe(count);
    profile(PROFILE);
    const corrected = await run(adjust, await correctedMonth(), ['note_prefix=NA']);
    expect(documents(corrected)).toMatchObject({ accepted: 25, rejected: 0 });
    const kinds = box.controls.documents(NIT).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'replace')).toHaveLength(RISEN.length);
    expect(kinds.filter((kind) => kind === 'delete')).toHaveLength(1);
  });
});

describe('without a profile', () => {
  test('a parameter gives them, of payrolls and of notes', async () => {
    const { here, options } = await world();
    const [first, second] = [here(), here()];
    expect(await send(first.context, [SAMPLE], options(['resolution_number=18760000002']))).toBe(0);
    expect(documents(first)).toMatchObject({ accepted: 25 });
    const param = ['resolution_number=18760000002', 'note_prefix=NA', 'note_resolution_number=18760000003'];
    expect(await adjust(second.context, [await correctedMonth()], options(param))).toBe(0);
    expect(documents(second)).toMatchObject({ accepted: 25 });
  });

  test('what was set up on this machine gives them', async () => {
    const { here, options } = await world([]);
    for (const [prefix, resolutionNumber] of [
      ['NI', '18760000001'],
      ['NOM', '18760000002'],
    ] as const) {
      const given = { documentType: 'payroll', prefix, firstNumber: 1, lastNumber: 9999, resolutionNumber };
      expect(await setupResolution(here().context, [], { ...options(), ...given })).toBe(0);
    }
    const call = here();
    expect(await send(call.context, [SAMPLE], options())).toBe(0);
    expect(documents(call)).toMatchObject({ accepted: 25 });
  });

  test.each([
    ['stock', '/resolution_number', 'resolution_number'],
    ['2026', null, null], // it tells a text alone
  ] as const)('nobody gives them: no cell is blamed, %s', async (errorStyle, pointer, param) => {
    const { here, options } = await world(RANGES, { errorStyle });
    const call = here();
    expect(await send(call.context, [SAMPLE], options())).not.toBe(0);
    const said = blamed(call);
    expect(said.length).toBeGreaterThan(0);
    for (const one of said) expect(one).toEqual(['remote/refused', pointer, param, null]);
  });
});

describe('a range that ends before the last document', () => {
  const LAST = 24;

  test('where the service alone knows it, the number is told at its prefix and at no cell', async () => {
    const { here, options } = await world([{ typeDocumentId: 9, prefix: 'NOM', from: 1, to: LAST }]);
    const call = here();
    expect(await send(call.context, [SAMPLE], options())).toBe(1);
    expect(documents(call)).toMatchObject({ accepted: LAST, rejected: 1 });
    expect(blamed(call)).toEqual([['remote/number-refused', '/prefix', 'prefix', null]]);
  });

  test('where it was set up on this machine, it is told before anything is sent', async () => {
    const { box, here, options } = await world([]);
    const given = { documentType: 'payroll', prefix: 'NOM', firstNumber: 1, lastNumber: LAST };
    expect(await setupResolution(here().context, [], { ...options(), ...given })).toBe(0);
    const call = here();
    expect(await send(call.context, [SAMPLE], options())).toBe(1);
    const said = call.events().filter(({ code }) => code === 'send/number-outside');
    expect(said.map(({ row, cell }) => [row, cell])).toEqual([[LAST + 2, null]]);
    expect(box.controls.documents(NIT)).toEqual([]);
    const rest = here();
    expect(await send(rest.context, [SAMPLE], { ...options(), partial: true })).toBe(1);
    expect(documents(rest)).toMatchObject({ accepted: LAST, heldBack: 1 });
  });
});
