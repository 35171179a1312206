import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import { chooseReady } from '../../src/toolkit/inspect/choose.js';
import { outlineOf, type ReadyMapping } from '../../src/toolkit/inspect/ready.js';
import { withInputs } from '../support/opened-files.js';

/** As the build keeps them, and as they are without it: compiled, all of them. */
const kept = await loadReadyMappings();
const whole: readonly ReadyMapping[] = kept.map(({ name, mapping }) => ({ name, mapping }));

test.each(kept.map(({ name }, at) => [name, at] as const))('%s has the outline of its mapping', (_, at) => {
  expect(kept[at]!.outline).toEqual(outlineOf(whole[at]!));
});

const FILES = /\.(xlsx|csv|txt|zip|xml|json)$/i;

/** Every sample by itself, and every folder of samples. */
const samples = readdirSync('samples', { recursive: true, encoding: 'utf8' })
  .filter((file) => FILES.test(file) && !/params|truth/.test(file))
  .map((file) => join('samples', file))
  .sort();

describe('the same mapping is chosen for the same reasons', () => {
  test.each(samples)('%s', async (file) => {
    // Compiled anew where it is asked for: what others asked for before would not show.
    const lazy = kept.map(
      (one): ReadyMapping => ({ ...one, mapping: whole.find(({ name }) => name === one.name)!.mapping }),
    );
    const choose = (ready: readonly ReadyMapping[]) =>
      withInputs([file], (inputs) => chooseReady(inputs, ready, {}));
    expect(await choose(lazy)).toEqual(await choose(whole));
  });
});

const EXPORTS = {
  'samples/payroll/abreviada/NOMEXP10.xlsx': 'payroll/nomexp',
  'test/golden/deliveries/numero-de-personal/EXPORT_PC_PAYRESULT_202612.xlsx': 'payroll/payresult',
};

test.each(Object.entries(EXPORTS))('the export %s has a mapping of its own', async (file, name) => {
  const params = { month: '2026-12', type_worker_id: 1, sub_type_worker_id: 1 };
  expect(await withInputs([file], (inputs) => chooseReady(inputs, kept, params))).toMatchObject({ name });
});

test('a mapping of another kind, or of more tables than there are, is not compiled', async () => {
  const asked: string[] = [];
  const lazy = kept.map(
    ({ name, outline }, at): ReadyMapping => ({
      name,
      outline: outline!,
      get mapping() {
        asked.push(name);
        return whole[at]!.mapping;
      },
    }),
  );
  const { name } = await withInputs(['samples/payroll/nomina-octubre-2026.xlsx'], (inputs) =>
    chooseReady(inputs, lazy, {}),
  );
  expect(name).toBe('payroll/wide');
  expect(new Set(asked)).toEqual(new Set(['payroll/wide']));
});
