import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { screeningFor } from '../../dist/app/screening.js';
import { type PrepareOptions, prepare } from '../../dist/documents/prepare.js';
import type { Helper, Screening } from '../../dist/documents/screened.js';
import { deriveWith, FAMILIES } from '../../dist/families/registry.js';
import { loadMapping } from '../../dist/mapping/load.js';
import { resolveParams } from '../../dist/mapping/params.js';
import { makeCsv, makeWorkbook } from '../bench/inputs.js';

const MAPPING = 'mappings/payroll/wide.yaml';
const RECORDS = 6_000;
/** Every so many-th record of the workbook has a fault. */
const WRONG = 97;
const TODAY = '2026-11-03';

/** What is told, how many documents there are, and how many pieces threads of their own looked at. */
async function shared(kind: 'csv' | 'xlsx', sha256?: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-threads-')), `nomina.${kind}`);
  await (kind === 'csv' ? makeCsv(file, RECORDS) : makeWorkbook(file, RECORDS, WRONG));
  const mapping = await loadMapping(MAPPING);
  const given = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<string, unknown>;
  const params = resolveParams(mapping.params, given).value!;
  const job = { files: [file], mapping, mappingFile: MAPPING, params, formats: {}, notes: {} };
  const changed = { ...job, mapping: { ...mapping, ...(sha256 !== undefined && { sha256 }) } };
  const start = (await screeningFor({ workspace: tmpdir() }, changed, TODAY, 3))!;
  const found = { pieces: 0 };
  const counted = (helper: Helper): Helper => ({
    ready: helper.ready,
    async screen(table, piece) {
      const answer = await helper.screen(table, piece);
      if (answer?.found !== undefined) found.pieces += 1;
      return answer;
    },
  });
  const one = start();
  const screening = (): Screening => ({ ...one, helpers: one.helpers.map(counted) });
  const options = { files: [file], mapping, params, today: TODAY, derive: deriveWith(FAMILIES) };
  const alone = await told(options);
  // Else all may be looked at before they can.
  if (sha256 === undefined) await Promise.all(one.helpers.map(({ ready }) => ready));
  const helped = await told({ ...options, screening });
  return { ...found, alone, helped };
}

/** Each document in order, and all that is told between them. */
async function told(options: PrepareOptions): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const events of prepare(options))
    for (const event of events)
      if (event.kind === 'good') all.push(...new Array<string>(event.documents).fill('document'));
      else
        all.push(event.kind === 'issue' || event.kind === 'held-back' ? JSON.stringify(event) : event.kind);
  return all;
}

/** Each starts as the program does. */
const PATIENT = { timeout: 60_000 };

test.each(['csv', 'xlsx'] as const)('threads look at rows of a %s', PATIENT, async (kind) => {
  const { alone, helped, pieces } = await shared(kind);
  expect(helped).toEqual(alone);
  expect(pieces).toBeGreaterThan(1);
});

test(
  'where they end before their time, as of a mapping that has changed, all is looked at here',
  PATIENT,
  async () => {
    const { alone, helped, pieces } = await shared('csv', 'of another text');
    expect(helped).toEqual(alone);
    expect(pieces).toBe(0);
  },
);
