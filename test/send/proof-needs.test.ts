import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import { RESTORED } from '../../src/send/planned-document.js';
import type { SendOptions } from '../../src/send/send.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { allOf } from '../support/all-of.js';
import { clientOf, META, PIN, payroll, send, spool, tempJournal, workers } from './support.js';

/** A CUNE is the hash of PIN and NIT among others: whichever is missing is named, and may be given at any later time. */

const NIT = '900123456';
const DOCUMENTS = 25;

/** A run whose documents the service took, all of whose answers were lost; nobody said the NIT. */
async function lost(journal: Journal, documents = DOCUMENTS, company = 'Andina') {
  const box = await startSandbox({ companies: [{ nit: NIT, environment: 'production' }] });
  onTestFinished(() => box.close());
  const fault = { kind: 'reset-after', match: { operation: 'sendPayroll' }, times: 10_000 } as const;
  const { id } = box.controls.addFault(fault);
  const client = clientOf(box.url, { token: box.token });
  const { run } = await spool(journal, workers(documents), { meta: { ...META, company } });
  const policy = { tries: 1, outage: { chance: 1_000, pauses: [1] } };
  const { counts } = await send(journal, run, client, { policy });
  expect(counts).toMatchObject({ unknown: documents });
  box.controls.remove('faults', id);
  const resume = (options: Partial<SendOptions>) => send(journal, run, client, options);
  const cases = async () => {
    const issues = (await allOf(outcomes(journal, run))).flatMap((one) => one.issues);
    return [...new Set(issues.map((issue) => `${issue.code} ${paramOf(issue, 'case')}`))];
  };
  return { resume, cases };
}

test.each<[name: string, given: Partial<SendOptions>, lacks: readonly string[], told: string]>([
  ['nothing', {}, ['pin', 'nit'], 'needs-both'],
  ['the PIN alone', { softwarePin: PIN }, ['nit'], 'needs-nit'],
  ['the NIT alone', { nit: NIT }, ['pin'], 'with-code'],
])(
  'with %s nothing is proven, and what is missing is named; with both nothing stays',
  async (_name, given, lacks, told) => {
    const { resume, cases } = await lost(await tempJournal());
    const { counts, unproven } = await resume(given);
    expect(counts).toMatchObject({ unknown: DOCUMENTS });
    expect(unproven).toEqual({ count: DOCUMENTS, lacks });
    expect(await cases()).toEqual([`send/landed-unconfirmed ${told}`]);
    const after = await resume({ softwarePin: PIN, nit: NIT });
    expect(after.counts).toMatchObject({ accepted: DOCUMENTS, unknown: 0 });
    expect(after.unproven).toBeUndefined();
  },
);

test('a restored journal doubts all it has, and PIN and NIT prove all of it', async () => {
  const journal = await tempJournal();
  const { resume } = await lost(journal, 60);
  await journal.run(`UPDATE document SET doubt = ${RESTORED}, document_code = NULL`);
  expect((await resume({ softwarePin: PIN })).counts).toMatchObject({ unknown: 60 });
  expect((await resume({ softwarePin: PIN, nit: NIT })).counts).toMatchObject({ accepted: 60 });
});

test('a NIT that a proof confirmed is known to later runs', async () => {
  const journal = await tempJournal();
  const { resume } = await lost(journal, 3);
  await resume({ softwarePin: PIN, nit: NIT });
  expect(await journal.first(`SELECT json_extract(meta, '$.employer') AS nit FROM run`)).toEqual({
    nit: NIT,
  });
});

test('the NIT that another run of the journal was called by will do', async () => {
  const journal = await tempJournal();
  await spool(journal, [payroll(40)], {
    meta: { ...META, company: '900.123.456-8' },
    numbers: { first: 90 },
  });
  await journal.run(`UPDATE run SET state = 'open'`);
  const { resume } = await lost(journal, 3);
  expect((await resume({ softwarePin: PIN })).counts).toMatchObject({ accepted: 3 });
});

test.each([['900123456'], ['9001234568']])('the NIT %s, with its check digit or without', async (nit) => {
  const { resume } = await lost(await tempJournal(), 2);
  expect((await resume({ softwarePin: PIN, nit })).counts).toMatchObject({ accepted: 2 });
});

describe('a wrong one', () => {
  test.each<[string, Partial<SendOptions>]>([
    ['PIN', { softwarePin: '54321', nit: NIT }],
    ['NIT', { softwarePin: PIN, nit: '900999999' }],
  ])('%s leaves nothing stuck: the right one is used later', async (_name, given) => {
    const { resume, cases } = await lost(await tempJournal(), 3);
    expect((await resume(given)).counts).toMatchObject({ unknown: 3 });
    expect(await cases()).toEqual(['send/landed-unconfirmed undecided']);
    expect((await resume({ softwarePin: PIN, nit: NIT })).counts).toMatchObject({ accepted: 3 });
  });
});
