import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '../../src/sandbox/faults.js';
import {
  admin,
  askZip,
  production,
  type Reply,
  result,
  rules,
  sandbox,
  send,
  sendTest,
  verdict,
  zipKeyOf,
} from './client.js';
import { payroll, payrollOf } from './payroll-requests.js';

/** What a client sees, in a word. */
const seen = async (reply: Promise<Reply>): Promise<string> => {
  const got = await reply.catch(() => 'reset' as const);
  if (got === 'reset') return got;
  const type = got.headers.get('content-type') ?? '';
  return `${got.status} ${type.includes('html') ? 'page' : got.json === undefined ? 'broken' : 'json'}`;
};

const KINDS: Readonly<Record<FaultKind, { sees: string; lands: boolean }>> = {
  delay: { sees: '200 json', lands: true },
  'reset-before': { sees: 'reset', lands: false },
  'reset-after': { sees: 'reset', lands: true },
  '429': { sees: '429 json', lands: false },
  '500': { sees: '500 json', lands: false },
  '502-html': { sees: '502 page', lands: false },
  '302-html': { sees: '302 page', lands: false },
  'bare-string': { sees: '200 page', lands: true },
  'truncated-json': { sees: '200 broken', lands: true },
  'pending-forever': { sees: '200 json', lands: true },
  'dian-503': { sees: '200 json', lands: false },
  'login-failed': { sees: '500 json', lands: false },
};

describe.each(FAULT_KINDS)('%s', (kind) => {
  const { sees, lands } = KINDS[kind];

  it('arranged for a number, once', async () => {
    const box = await production();
    const arranged = await admin(box, 'POST', '/faults', { match: { number: 'NI1001' }, kind, ms: 1 });
    expect(arranged.status).toBe(200);
    expect(verdict(await send(box, payrollOf('77', 1)))).toBe('accepted');
    expect(await seen(send(box, payroll()))).toBe(sees);
    expect(box.controls.documents().map(({ number }) => number)).toEqual(lands ? ['NI1', 'NI1001'] : ['NI1']);
    expect(verdict(await send(box, payroll()))).toBe(lands ? '90' : 'accepted');
  });

  it('wished by the document itself, once', async () => {
    const box = await production();
    const body = payroll({ notes: `Marzo. cargue:${kind} 1` });
    expect(await seen(send(box, body))).toBe(sees);
    expect(verdict(await send(box, body))).toBe(lands ? '90' : 'accepted');
  });
});

describe('faults', () => {
  it('strike after processing when told so', async () => {
    const box = await production();
    box.controls.addFault({ match: {}, kind: '500', phase: 'after' });
    expect((await send(box, payroll())).status).toBe(500);
    expect(verdict(await send(box, payroll()))).toBe('90');
  });

  it('429 says when to come back, but for the 2026 line', async () => {
    for (const [errorStyle, expected] of [
      ['stock', '7'],
      ['2026', null],
    ] as const) {
      const box = await production({ errorStyle });
      box.controls.addFault({ match: {}, kind: '429', retryAfter: 7 });
      expect((await send(box, payroll())).headers.get('retry-after')).toBe(expected);
    }
  });

  it('hold for so many requests, by operation, worker or key', async () => {
    const box = await sandbox({ zipPolls: 0 });
    const key = String(zipKeyOf(await sendTest(box, payroll())));
    box.controls.addFault({ match: { operation: 'getZipStatus', key }, kind: '500', times: 2 });
    box.controls.addFault({ match: { worker: '55' }, kind: '502-html' });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await askZip(box, key)).status);
    expect(statuses).toEqual([500, 500, 200]);
    expect((await sendTest(box, payrollOf('55', 2))).status).toBe(502);
  });

  it('pending-forever holds a ZipKey back, by its document’s number', async () => {
    const box = await sandbox({ zipPolls: 0 });
    box.controls.addFault({ match: { number: 'NI1001' }, kind: 'pending-forever', times: 2 });
    const key = zipKeyOf(await sendTest(box, payroll()));
    const asked = [await askZip(box, key), await askZip(box, key), await askZip(box, key)];
    expect(asked.map(verdict)).toEqual(['false {}', 'false {}', 'accepted']);
  });

  it('pending-forever as a wish never ends', async () => {
    const box = await sandbox({ zipPolls: 0 });
    const key = zipKeyOf(await sendTest(box, payroll({ notes: 'cargue:pending-forever' })));
    const asked = [await askZip(box, key), await askZip(box, key), await askZip(box, key)];
    expect(asked.map(verdict)).toEqual(['false {}', 'false {}', 'false {}']);
  });
});

describe('chosen verdicts', () => {
  const outcome = (verdictWord: string, rulesGiven: string[]) => ({
    match: { worker: '1020304050' },
    verdict: verdictWord,
    rules: rulesGiven,
  });

  it.each([
    [
      'by wish',
      { notes: 'cargue:reject NIE024 NIE191a' },
      undefined,
      ['NIE024', 'NIE191a'],
      'NIE024 NIE191a',
    ],
    ['by wish', { notes: 'cargue:notify NIE066' }, undefined, ['NIE066'], 'accepted'],
    ['by admin', {}, outcome('reject', ['NIE024']), ['NIE024'], 'NIE024'],
    ['by admin', {}, outcome('notify', ['NIE066', 'NIE067']), ['NIE066', 'NIE067'], 'accepted'],
    ['by wish', { notes: 'cargue:set-accepted' }, undefined, [], 'false "2"'],
    ['by admin', {}, outcome('set-accepted', []), [], 'false "2"'],
    ['nothing known', { notes: 'cargue:celebrate NIE024' }, undefined, [], 'accepted'],
  ])('%s %j %j', async (_name, changes, arranged, expectedRules, expected) => {
    const box = await production();
    if (arranged !== undefined) expect((await admin(box, 'POST', '/outcomes', arranged)).status).toBe(200);
    const reply = await send(box, payroll(changes));
    expect([rules(reply), verdict(reply)]).toEqual([expectedRules, expected]);
    expect(box.controls.documents()).toHaveLength(expected === 'accepted' ? 1 : 0);
  });

  it('hold until removed, or for so many documents', async () => {
    const box = await production();
    const { id } = box.controls.addOutcome({ match: {}, verdict: 'reject', rules: ['NIE024'] });
    box.controls.addOutcome({ match: {}, verdict: 'reject', rules: ['NIE061'], times: 1 });
    expect(verdict(await send(box, payroll()))).toBe('NIE024');
    expect(verdict(await send(box, payroll()))).toBe('NIE024');
    await admin(box, 'DELETE', `/outcomes/${id}`);
    expect(verdict(await send(box, payroll()))).toBe('NIE061');
    expect(verdict(await send(box, payroll()))).toBe('accepted');
  });

  it('do not hide what else is wrong when they notify', async () => {
    const box = await production();
    await send(box, payroll());
    const reply = await send(box, payroll({ consecutive: 2, notes: 'cargue:notify NIE066' }));
    expect(verdict(reply)).toBe('NIE199');
    expect(result(reply)['ErrorMessage']).toEqual({
      string: [expect.stringMatching(/NIE199/), expect.stringMatching(/NIE066/)],
    });
  });
});
