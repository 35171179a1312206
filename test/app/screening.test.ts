import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { screeningFor } from '../../dist/app/screening.js';
import { prepare } from '../../dist/documents/prepare.js';
import { deriveWith, FAMILIES } from '../../dist/families/registry.js';
import { loadMapping } from '../../dist/mapping/load.js';
import { resolveParams } from '../../dist/mapping/params.js';
import { makeCsv } from '../bench/inputs.js';

const MAPPING = 'mappings/payroll/wide.yaml';
/** More than the telling one looks at while the others start. */
const RECORDS = 12_000;
const TODAY = '2026-11-03';

/** How many good documents processes of their own found, and how many were made here. */
async function shared(sha256: string | undefined): Promise<{ elsewhere: number; here: number }> {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-processes-')), 'nomina.csv');
  await makeCsv(file, RECORDS);
  const mapping = await loadMapping(MAPPING);
  const given = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<string, unknown>;
  const params = resolveParams(mapping.params, given).value!;
  const job = { files: [file], mapping, mappingFile: MAPPING, params, formats: {}, notes: {} };
  const changed = { ...job, mapping: { ...mapping, ...(sha256 !== undefined && { sha256 }) } };
  const screening = await screeningFor({ workspace: tmpdir() }, changed, TODAY, 3);
  const run = prepare({
    files: [file],
    mapping,
    params,
    today: TODAY,
    derive: deriveWith(FAMILIES),
    screening: screening!,
  });
  const found = { elsewhere: 0, here: 0 };
  for await (const events of run)
    for (const event of events)
      if (event.kind === 'good') found.elsewhere += event.documents;
      else if (event.kind === 'document') found.here += 1;
  return found;
}

/** Each starts as the program does. */
const PATIENT = { timeout: 60_000 };

test('processes look at rows ahead', PATIENT, async () => {
  const { elsewhere, here } = await shared(undefined);
  expect(elsewhere).toBeGreaterThan(1000);
  expect(elsewhere + here).toBe(RECORDS);
});

test(
  'where they end before their time, as of a mapping that has changed, all is made here',
  PATIENT,
  async () => {
    expect(await shared('of another text')).toEqual({ elsewhere: 0, here: RECORDS });
  },
);
