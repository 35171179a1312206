import { describe, expect, onTestFinished, test } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '../../src/sandbox/faults.js';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { numberAdvice } from '../../src/send/numbering.js';
import { outcomes } from '../../src/send/outcomes.js';
import { clientOf, send, spool, tempJournal, workers } from './support.js';

const NIT = '900123456';

async function sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const box = await startSandbox({ now: () => new Date('2026-11-21T15:00:00Z'), ...options });
  onTestFinished(() => box.close());
  return box;
}
const production = (options: SandboxOptions = {}): Promise<Sandbox> =>
  sandbox({ companies: [{ nit: NIT, environment: 'production' }], ...options });

/** What DIAN holds and what the journal says must be the same, each number once, each number always with one body. */
function expectAgreement(box: Sandbox, journal: ReturnType<typeof tempJournal>, run: string): void {
  const accepted = [...outcomes(journal, run)].filter(({ state }) => state === 'accepted');
  const held = box.controls.documents(NIT);
  const pairs = (list: readonly { number?: string; code?: string | undefined }[]) =>
    list.map(({ number, code }) => `${number} ${code}`).sort();
  expect(
    pairs(accepted.map(({ number, documentCode: code }) => ({ ...(number && { number }), code }))),
  ).toEqual(pairs(held.map(({ number, cune: code }) => ({ number, code }))));
  const bodies = new Map<string, Set<string>>();
  for (const { number, bodyHash, operation } of box.controls.requests().requests)
    if (operation.startsWith('sendPayroll'))
      bodies.set(number!, (bodies.get(number!) ?? new Set()).add(bodyHash));
  for (const [number, hashes] of bodies) expect([number, hashes.size]).toEqual([number, 1]);
}

describe.each([undefined, 'set-1'])('test set %s', (testSet) => {
  test('25 workers are accepted, and nothing is sent for the same file again', async () => {
    const box = await (testSet === undefined ? production() : sandbox({ zipPolls: 2 }));
    const journal = tempJournal();
    const client = clientOf(box.url, { token: box.token });
    const scope = testSet === undefined ? {} : { testSet };
    const { run } = await spool(journal, workers(25), {
      ...scope,
      numbers: { advice: numberAdvice(client, testSet) },
    });
    const { counts } = await send(journal, run, client);
    expect(counts).toEqual({ accepted: 25, rejected: 0, pending: 0, unknown: 0, unsent: 0 });
    expectAgreement(box, journal, run);

    const before = box.controls.requests().count;
    const again = await spool(journal, workers(25), scope);
    await send(journal, again.run, client);
    expect(again).toMatchObject({ planned: 0, earlier: 25 });
    expect(box.controls.requests().count).toBe(before);
  });
});

/** These end otherwise: a batch in process for ever stays pending, redirects that go on stop the run. */
const OTHERWISE: readonly FaultKind[] = ['pending-forever', '302-html'];

describe.each(FAULT_KINDS.filter((kind) => !OTHERWISE.includes(kind)))('fault %s', (kind: FaultKind) => {
  test.each(['stock', '2026'] as const)(
    'in the %s style: every document is accepted once',
    async (errorStyle) => {
      const box = await production({ errorStyle });
      for (const number of ['NOM2', 'NOM5'])
        box.controls.addFault({ kind, match: { operation: 'sendPayroll', number }, times: 2, ms: 5 });
      const journal = tempJournal();
      const { run } = await spool(journal, workers(8));
      const { counts, stopped } = await send(journal, run, clientOf(box.url, { token: box.token }));
      expect([counts.accepted, stopped]).toEqual([8, undefined]);
      expectAgreement(box, journal, run);
    },
  );
});

test('redirects that go on stop the run as a wrong address, and resuming sends the rest once', async () => {
  const box = await production();
  const { id } = box.controls.addFault({
    kind: '302-html',
    match: { operation: 'sendPayroll' },
    times: 1_000,
  });
  const journal = tempJournal();
  const { run } = await spool(journal, workers(8));
  const client = clientOf(box.url, { token: box.token });
  const { counts, stopped } = await send(journal, run, client);
  expect([stopped?.code, counts.rejected, counts.unknown]).toEqual(['send/wrong-address', 0, 0]);
  expect([counts.accepted, counts.unsent]).toEqual([0, 8]);
  box.controls.remove('faults', id);
  expect((await send(journal, run, client)).counts.accepted).toBe(8);
  expectAgreement(box, journal, run);
});

test('a batch that never leaves the queue stays pending', async () => {
  const box = await sandbox();
  box.controls.addFault({ kind: 'pending-forever', match: { number: 'NOM2' }, times: 1_000 });
  const journal = tempJournal();
  const { run } = await spool(journal, workers(3), { testSet: 'set-1' });
  const { counts } = await send(journal, run, clientOf(box.url, { token: box.token }));
  expect(counts).toMatchObject({ accepted: 2, pending: 1 });
});

test('a month that DIAN already has is rejected by its rule, and the next send of it gets a new number', async () => {
  const box = await production();
  const client = clientOf(box.url, { token: box.token });
  const elsewhere = tempJournal();
  await send(elsewhere, (await spool(elsewhere, workers(1), { numbers: { first: 500 } })).run, client);
  const journal = tempJournal();
  for (const number of ['NOM1', 'NOM2']) {
    const { run } = await spool(journal, workers(1));
    await send(journal, run, client);
    expect([...outcomes(journal, run)][0]).toMatchObject({
      number,
      state: 'rejected',
      issues: [{ code: 'remote/rejected', params: { rule: 'NIE199' } }],
    });
  }
});

test('a number that someone else used is never called ours', async () => {
  const box = await production();
  const client = clientOf(box.url, { token: box.token });
  const elsewhere = tempJournal();
  await send(elsewhere, (await spool(elsewhere, workers(2))).run, client);
  const journal = tempJournal();
  const { run } = await spool(journal, workers(4).slice(2));
  const { counts } = await send(journal, run, client);
  expect(counts).toMatchObject({ rejected: 2 });
  expect([...outcomes(journal, run)].map(({ issues }) => issues[0]?.code)).toEqual(
    Array(2).fill('send/number-taken'),
  );
});

test.each(['stock', '2026'] as const)('a wrong token, %s style', async (errorStyle) => {
  const box = await production({ errorStyle });
  const journal = tempJournal();
  const { run } = await spool(journal, workers(50));
  const { stopped, counts } = await send(journal, run, clientOf(box.url, { token: 'wrong' }));
  expect([stopped?.code, counts.unsent]).toEqual(['send/unauthenticated', 50]);
});
