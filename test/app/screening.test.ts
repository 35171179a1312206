import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { screeningFor } from '../../dist/app/screening.js';
import { prepare } from '../../dist/documents/prepare.js';
import type { PrepareOptions } from '../../dist/documents/run.js';
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

const inNewFolder = (name: string): string => join(mkdtempSync(join(tmpdir(), 'cargue-threads-')), name);

async function payroll(kind: 'csv' | 'xlsx'): Promise<string> {
  const file = inNewFolder(`nomina.${kind}`);
  await (kind === 'csv' ? makeCsv(file, RECORDS) : makeWorkbook(file, RECORDS, WRONG));
  return file;
}

/** A list of services, three of each patient, with the number of an invoice: all have one, or one lacks it in the last of its three. */
function services(isWhole: boolean): string {
  const file = inNewFolder('servicios.csv');
  const [titles, first] = readFileSync('samples/rips/lista/servicios octubre.csv', 'latin1').split(/\r?\n/);
  const rows = Array.from({ length: RECORDS }, (_, at) => {
    const patient = Math.floor(at / 3);
    const invoice = !isWhole && at === 302 ? '' : `FE${patient}`;
    const day = String(1 + (at % 28)).padStart(2, '0');
    const own = first!.replaceAll('20000', String(20_000 + patient)).replace('01/10/2026', `${day}/10/2026`);
    return `${own};${invoice}`;
  });
  writeFileSync(file, [`${titles};NUMERO FACTURA`, ...rows, ''].join('\n'), 'latin1');
  return file;
}

interface Given {
  readonly file: string;
  readonly mapping: string;
  readonly params: string;
  /** Of the mapping, where it has changed since. */
  readonly sha256?: string;
}

const ofPayroll = async (kind: 'csv' | 'xlsx'): Promise<Given> => ({
  file: await payroll(kind),
  mapping: MAPPING,
  params: 'samples/payroll/params.json',
});

const ofServices = (isWhole: boolean): Given => ({
  file: services(isWhole),
  mapping: 'mappings/rips/lista.yaml',
  params: 'samples/rips/lista/params.json',
});

/** What is told, how many documents there are, and how many pieces threads of their own looked at. */
async function shared({ file, mapping: mappingFile, params: paramsFile, sha256 }: Given) {
  const mapping = await loadMapping(mappingFile);
  const given = JSON.parse(readFileSync(paramsFile, 'utf8')) as Record<string, unknown>;
  const params = resolveParams(mapping.params, given).value!;
  const job = { files: [file], mapping, mappingFile, params, formats: {}, notes: {} };
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
  const { alone, helped, pieces } = await shared(await ofPayroll(kind));
  expect(helped).toEqual(alone);
  expect(pieces).toBeGreaterThan(1);
});

test(
  'where they end before their time, as of a mapping that has changed, all is looked at here',
  PATIENT,
  async () => {
    const { alone, helped, pieces } = await shared({
      ...(await ofPayroll('csv')),
      sha256: 'of another text',
    });
    expect(helped).toEqual(alone);
    expect(pieces).toBe(0);
  },
);

test('where every record of a visit has its invoice they look at rows as well', PATIENT, async () => {
  const { alone, helped, pieces } = await shared(ofServices(true));
  expect(helped).toEqual(alone);
  expect(alone.filter((one) => one === 'document')).toHaveLength(RECORDS / 3);
  expect(pieces).toBeGreaterThan(1);
});

test('where one has not, it is held back, and all is looked at here', PATIENT, async () => {
  const { alone, helped, pieces } = await shared(ofServices(false));
  expect(helped).toEqual(alone);
  expect(alone.filter((one) => one.includes('batch/blank-in-some'))).toHaveLength(1);
  expect(pieces).toBe(0);
});
