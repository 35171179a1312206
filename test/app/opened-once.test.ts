import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { check } from '../../src/app/check.js';
import type { UseCase } from '../../src/app/context.js';
import { convert } from '../../src/app/convert.js';
import { inspect } from '../../src/app/inspect.js';
import { Opened } from '../../src/toolkit/documents/opened.js';
import type { InputFile } from '../../src/toolkit/tables/table.js';
import { SAMPLE } from '../support/prepare-file.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-opened-'));
const PARAMS = { params: 'samples/payroll/params.json' };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a use case; returns what each opening of its files gave. */
async function openings(
  useCase: UseCase<never>,
  options: object,
): Promise<readonly (readonly InputFile[])[]> {
  const inputs = vi.spyOn(Opened.prototype, 'inputs');
  await useCase(
    {
      language: 'es',
      now: () => new Date('2026-11-03T12:00:00Z'),
      tell: () => undefined,
      taken: async () => undefined,
      workspace: folder,
      onInterrupt: () => () => undefined,
    },
    [SAMPLE],
    options as never,
  );
  return Promise.all(new Set(inputs.mock.results.map(({ value }) => value as Promise<InputFile[]>)));
}

const isClosed = async ({ tables }: InputFile): Promise<boolean> => {
  try {
    for await (const _ of tables[0]!.batches());
    return false;
  } catch (error) {
    return /is closed/.test(String(error));
  }
};

test.each<[string, UseCase<never>, object, number]>([
  ['check, which chooses a mapping', check, PARAMS, 1],
  ['convert', convert, { ...PARAMS, output: join(folder, 'documents.jsonl') }, 1],
  ['inspect', inspect, {}, 1],
  ['inspect, with the mapping written', inspect, { write: join(folder, 'mapping.yaml') }, 1],
  ['check, with the rows to mend', check, { ...PARAMS, failed: join(folder, 'failed.xlsx') }, 1],
  ['check, with a copy made after reading', check, { ...PARAMS, annotate: join(folder, 'copy.xlsx') }, 2],
])('%s', async (_, useCase, options, times) => {
  const found = await openings(useCase, options);
  expect(found).toHaveLength(times);
  for (const input of found.flat()) expect(await isClosed(input)).toBe(true);
});
