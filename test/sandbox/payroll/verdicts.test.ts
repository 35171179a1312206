import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import {
  askCune,
  production,
  type Reply,
  request,
  result,
  rules,
  sandbox,
  send,
  sendTest,
  settle,
  verdict,
} from '../client.js';
import { deletion, payroll, payrollOf, replacement, worker } from '../payroll-requests.js';

const CUNE_13_1 =
  '334ca732c1a204af8676a272dcce9fabae2974c148070817849e094392c1bd79565603e1236edb27705492f4417627f8';

/** The verdict of a document in production and, on a fresh service, in a test set. */
const WAYS: [string, () => Promise<Sandbox>, (box: Sandbox, body: object) => Promise<Reply>][] = [
  ['production', () => production(), send],
  ['test set', () => sandbox(), settle],
];

const accrued = (changes: JsonObject): JsonObject => ({
  accrued: { ...(payroll()['accrued'] as JsonObject), ...changes },
});

describe.each(WAYS)('amounts, %s', (_way, start, deliver) => {
  it.each<[string, JsonObject, string]>([
    ['right totals', {}, 'accepted'],
    ['accrued total off', accrued({ accrued_total: '2600000.00' }), 'NIE187 NIE189'],
    ['accrued total off by the tolerance', accrued({ accrued_total: '2599097.00' }), 'accepted'],
    ['accrued total off by a cent more', accrued({ accrued_total: '2599097.01' }), 'NIE187 NIE189'],
    ['accrued total off, as a number', accrued({ accrued_total: 2600000 }), 'NIE187 NIE189'],
    [
      'both totals off by the same amount',
      {
        ...accrued({ accrued_total: '2600095.00' }),
        deductions: { ...(payroll()['deductions'] as JsonObject), deductions_total: '331000.00' },
      },
      'NIE187 NIE188',
    ],
    [
      'refund in the total, which never reaches DIAN',
      accrued({ refund: '500.00', accrued_total: '2599595.00' }),
      'NIE187 NIE189',
    ],
    [
      'negative item',
      accrued({ bonuses: [{ non_salary_bonus: '-100000.00' }], accrued_total: '2399095.00' }),
      'VLR01',
    ],
  ])('%s', async (_name, changes, expected) => {
    expect(verdict(await deliver(await start(), payroll(changes)))).toBe(expected);
  });
});

describe.each(WAYS)('numbers and months, %s', (_way, start, deliver) => {
  it('number used', async () => {
    const box = await start();
    const first = await deliver(box, payroll());
    const again = await deliver(box, payroll());
    expect([verdict(first), verdict(again)]).toEqual(['accepted', '90']);
    expect(result(again)['XmlDocumentKey']).toBe(result(first)['XmlDocumentKey']);
    expect(result(again)['ErrorMessage']).toEqual({
      string: 'Regla: 90, Rechazo: Documento procesado anteriormente.',
    });
  });

  it('a rejected number stays free', async () => {
    const box = await start();
    expect(verdict(await deliver(box, payroll(accrued({ accrued_total: '1.00' }))))).toBe('NIE187 NIE189');
    expect(verdict(await deliver(box, payroll()))).toBe('accepted');
  });

  it('one payroll per worker and month', async () => {
    const box = await start();
    const period = payroll()['period'] as JsonObject;
    const april = {
      ...period,
      settlement_start_date: '2026-04-01',
      settlement_end_date: '2026-04-30',
      issue_date: '2026-04-30',
    };
    expect(verdict(await deliver(box, payroll()))).toBe('accepted');
    expect(verdict(await deliver(box, payroll({ consecutive: 1002 })))).toBe('NIE199');
    expect(verdict(await deliver(box, payroll({ consecutive: 1003, period: april })))).toBe('accepted');
    expect(verdict(await deliver(box, payrollOf('1020304051', 1004)))).toBe('accepted');
  });

  it('a novelty needs the earlier document', async () => {
    const box = await start();
    const novelty = (uuidnov: string) => ({ novelty: { novelty: true, uuidnov } });
    expect(verdict(await deliver(box, payroll({ consecutive: 1000, ...novelty('b'.repeat(96)) })))).toBe(
      'NIE199a',
    );
    const first = await deliver(box, payroll());
    expect(verdict(await deliver(box, payroll({ consecutive: 1002, ...novelty('b'.repeat(96)) })))).toBe(
      'NIE204',
    );
    const cune = String(result(first)['XmlDocumentKey']);
    expect(verdict(await deliver(box, payroll({ consecutive: 1003, ...novelty(cune) })))).toBe('accepted');
  });
});

describe.each(WAYS)('adjust notes, %s', (_way, start, deliver) => {
  const cuneOf = (reply: Reply): string => String(result(reply)['XmlDocumentKey']);

  it('replace, again, and delete', async () => {
    const box = await start();
    const original = await deliver(box, payroll());
    const first = await deliver(box, replacement(cuneOf(original), 1));
    expect(verdict(first)).toBe('accepted');
    expect(verdict(await deliver(box, replacement(cuneOf(first), 2)))).toBe('accepted');
    expect(verdict(await deliver(box, replacement(cuneOf(original), 3)))).toBe('accepted');
    expect(verdict(await deliver(box, deletion(cuneOf(first), 4)))).toBe('accepted');
  });

  it('a deleted document cannot be adjusted, and its month is free', async () => {
    const box = await start();
    const original = cuneOf(await deliver(box, payroll()));
    const note = await deliver(box, deletion(original, 1));
    expect(verdict(note)).toBe('accepted');
    expect(verdict(await deliver(box, replacement(original, 2)))).toBe('NIAE191a');
    expect(verdict(await deliver(box, deletion(original, 3)))).toBe('NIAE216a');
    expect(verdict(await deliver(box, replacement(cuneOf(note), 4)))).toBe('NIAE191a');
    expect(verdict(await deliver(box, payroll({ consecutive: 1002 })))).toBe('accepted');
  });

  it('predecessor missing, worker changed, number used', async () => {
    const box = await start();
    const original = cuneOf(await deliver(box, payroll()));
    expect(verdict(await deliver(box, replacement('c'.repeat(96), 1)))).toBe('NIAE191a');
    expect(verdict(await deliver(box, deletion('c'.repeat(96), 2)))).toBe('NIAE216a');
    expect(verdict(await deliver(box, replacement(original, 3, { worker: worker('99') })))).toBe('NIAE191a');
    expect(verdict(await deliver(box, replacement(original, 3)))).toBe('accepted');
    expect(verdict(await deliver(box, deletion(original, 3)))).toBe('90');
  });

  it('totals of a replacement are checked, a deletion has none', async () => {
    const box = await start();
    const original = cuneOf(await deliver(box, payroll()));
    const wrong = replacement(original, 1, accrued({ accrued_total: '9.00' }));
    expect(verdict(await deliver(box, wrong))).toBe('NIE187 NIE189');
  });
});

describe('answers of a production send', () => {
  it('accepted: the true CUNE, papers, nil instead of reasons', async () => {
    const reply = await send(await sandbox(), payroll());
    expect(reply.at('/cune')).toBe(CUNE_13_1);
    expect(result(reply)).toMatchObject({
      ErrorMessage: { _attributes: { nil: 'true' } },
      StatusMessage: 'La Nómina NI1001 ha sido autorizada.',
      XmlDocumentKey: CUNE_13_1,
      XmlFileName: 'NI1001',
    });
    expect(reply.json).not.toHaveProperty('success');
    const xml = Buffer.from(String(reply.at('/payrollxml')), 'base64').toString('utf8');
    for (const text of [
      `CUNE="${CUNE_13_1}"`,
      'Numero="NI1001"',
      'HoraGen="17:05:12-05:00"',
      'PrimerApellido="Pérez"',
      '<ComprobanteTotal>2269095.00<',
    ])
      expect(xml).toContain(text);
  });

  it('rejected: 200, cheerful, with a CUNE and without papers', async () => {
    const reply = await send(await production(), payroll(accrued({ accrued_total: '1.00' })));
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json as object).sort()).toEqual([
      'ResponseDian',
      'certificate_days_left',
      'cune',
      'message',
    ]);
    expect(reply.at('/message')).toBe('Nómina generada');
    expect(result(reply)['XmlBase64Bytes']).toEqual({ _attributes: { nil: 'true' } });
  });

  it('notified: accepted with a reason that is none', async () => {
    const period = { ...(payroll()['period'] as JsonObject), issue_date: '2026-03-30' };
    const reply = await send(await production(), payroll({ period }));
    expect([verdict(reply), rules(reply)]).toEqual(['accepted', ['NIE026']]);
    expect(result(reply)['ErrorMessage']).toEqual({
      string: expect.stringMatching(/^Regla: NIE026, Notificación: /),
    });
  });

  it('notes have no QR text', async () => {
    const box = await production();
    const original = await send(box, payroll());
    expect(original.at('/QRStr')).toMatch(/documentkey=[0-9a-f]{96}$/);
    const note = await send(box, deletion(String(original.at('/cune'))));
    expect(verdict(note)).toBe('accepted');
    expect(note.at('/QRStr')).toBeUndefined();
  });

  it('an expired certificate stops every send', async () => {
    const box = await sandbox({ companies: [{ nit: '900123456', certificateDaysLeft: 0 }] });
    const reply = await send(box, payroll());
    expect([reply.status, reply.at('/success'), reply.at('/certificate_days_left')]).toEqual([200, false, 0]);
    expect(box.controls.documents()).toEqual([]);
  });
});

describe('environment (NIE023)', () => {
  const softwarePath = '/api/ubl2.1/config/softwarepayroll';
  const urls = {
    url: 'https://vpfe.dian.gov.co/WcfDianCustomerServices.svc',
    urlpayroll: 'https://vpfe.dian.gov.co/WcfDianCustomerServices.svc',
  };
  const software = { idpayroll: 'c0ffee', pinpayroll: '54321' };

  it('a test-set send while set to production', async () => {
    expect(verdict(await settle(await production(), payroll()))).toBe('NIE023');
  });

  it('P1 without addresses leads production back to the test environment', async () => {
    const box = await production();
    await request(box, 'PUT', softwarePath, { ...software, ...urls });
    expect(verdict(await send(box, payroll()))).toBe('accepted');
    const reply = await request(box, 'PUT', softwarePath, software);
    expect(reply.at('/software/urlpayroll')).toMatch(/vpfe-hab/);
    expect(verdict(await send(box, payrollOf('7', 7)))).toBe('NIE023');
  });

  it('the PIN of P1 goes into the CUNE', async () => {
    const box = await sandbox();
    const before = await sendTest(box, payroll());
    await request(box, 'PUT', softwarePath, software);
    const after = await sendTest(box, payroll());
    expect(before.at('/cune')).toBe(CUNE_13_1);
    expect(after.at('/cune')).not.toBe(CUNE_13_1);
  });
});

describe('already sent', () => {
  it('is the service’s own answer where the deployment checks', async () => {
    const box = await production({ validateBeforeSending: true });
    const first = await send(box, payroll());
    const again = await send(box, payroll());
    expect(again.json).toEqual({
      success: false,
      message: expect.any(String),
      employee: 'Ana María Pérez Gómez',
      cune: first.at('/cune'),
      total_payroll: '2269095.00',
    });
    expect(box.controls.documents()).toHaveLength(1);
  });

  it('looks at accepted rows only', async () => {
    const box = await sandbox({ validateBeforeSending: true });
    await sendTest(box, payroll());
    const again = await sendTest(box, payroll());
    expect(again.at('/success')).toBeUndefined();
  });
});

describe('companies do not see each other', () => {
  it('same number, worker and month; foreign CUNE and ZipKey', async () => {
    const box = await sandbox({
      companies: [
        { nit: '900123456', token: 'one', environment: 'production' },
        { nit: '900654321', token: 'two', environment: 'production' },
      ],
    });
    const [one, two] = [
      { url: box.url, token: 'one' },
      { url: box.url, token: 'two' },
    ];
    const cune = (await send(one, payroll())).at('/cune');
    expect(verdict(await send(two, payroll()))).toBe('accepted');
    expect(result(await askCune(two, cune))['StatusCode']).toBe('66');
    expect(verdict(await send(two, replacement(String(cune))))).toBe('NIAE191a');
    expect(box.controls.documents('900123456')).toHaveLength(1);
    expect(box.controls.documents('900654321')).toHaveLength(1);
  });
});
