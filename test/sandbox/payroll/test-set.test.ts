import { describe, expect, it } from 'vitest';
import { admin, askCune, askZip, request, result, sandbox, sendTest, verdict, zipKeyOf } from '../client.js';
import { deletion, payroll, payrollOf } from '../payroll-requests.js';

const CURRENT = '/api/ubl2.1/payroll/current_number/9/NI';
const MAIL = '/api/ubl2.1/send-email-document-payroll';
const RECEIPT = '/ResponseDian/Envelope/Body/SendTestSetAsyncResponse/SendTestSetAsyncResult';
const PENDING = 'false {}';

describe('a test set', () => {
  it('gives a receipt, is in process, and comes to a verdict', async () => {
    const box = await sandbox({ zipPolls: 2 });
    const receipt = await sendTest(box, payroll());
    expect(receipt.at(`${RECEIPT}/ErrorMessageList`)).toEqual({ _attributes: { nil: 'true' } });
    const key = zipKeyOf(receipt);
    const asked = [
      await askZip(box, key),
      await askZip(box, key),
      await askZip(box, key),
      await askZip(box, key),
    ];
    expect(asked.map(verdict)).toEqual([PENDING, PENDING, 'accepted', 'accepted']);
    expect(result(asked[0]!)['StatusDescription']).toBe('Batch en proceso de validación.');
  });

  it('marks the service’s row only when the key was asked for', async () => {
    const box = await sandbox({ zipPolls: 0 });
    const key = zipKeyOf(await sendTest(box, payroll()));
    const mail = { prefix: 'NI', consecutive: 1001, email: 'ana@example.com' };
    expect((await request(box, 'GET', CURRENT)).at('/number')).toBe(1);
    expect((await request(box, 'POST', MAIL, mail)).at('/success')).toBe(false);
    await askZip(box, key);
    expect((await request(box, 'GET', CURRENT)).at('/number')).toBe(1002);
    expect((await request(box, 'POST', MAIL, mail)).at('/success')).toBe(true);
    expect((await admin(box, 'GET', '/outbox')).at('/mails/0')).toMatchObject({
      to: 'ana@example.com',
      number: 'NI1001',
    });
  });

  it('never marks the row of a deletion', async () => {
    const box = await sandbox({ zipPolls: 0 });
    const cune = String((await sendTest(box, payroll())).at('/cune'));
    const key = zipKeyOf(await sendTest(box, deletion(cune, 5)));
    expect(verdict(await askZip(box, key))).toBe('accepted');
    expect((await request(box, 'GET', '/api/ubl2.1/payroll/current_number/10/NA')).at('/number')).toBe(1);
  });

  it('judges in order of arrival, whoever is asked for first', async () => {
    const box = await sandbox({ zipPolls: 0 });
    const first = zipKeyOf(await sendTest(box, payroll()));
    const second = zipKeyOf(await sendTest(box, payroll({ consecutive: 1002 })));
    expect(verdict(await askZip(box, second))).toBe('NIE199');
    expect(verdict(await askZip(box, first))).toBe('accepted');
  });

  it('knows a document by its CUNE although a second sending within the same second was rejected', async () => {
    const box = await sandbox({ zipPolls: 0, now: () => new Date('2026-11-03T15:00:00Z') });
    const first = await sendTest(box, payroll());
    const second = await sendTest(box, payroll());
    expect(second.at('/cune')).toBe(first.at('/cune'));
    expect(verdict(await askZip(box, zipKeyOf(second)))).toBe('90');
    expect(verdict(await askCune(box, String(first.at('/cune'))))).toBe('accepted');
  });

  it('refuses an unknown set at once and crashes on the software id', async () => {
    const box = await sandbox({ companies: [{ nit: '900123456', testSetId: 'right' }] });
    const refused = await sendTest(box, payroll(), 'wrong');
    expect(refused.status).toBe(200);
    expect(refused.at(`${RECEIPT}/ZipKey`)).toEqual({ _attributes: { nil: 'true' } });
    expect(refused.at(`${RECEIPT}/ErrorMessageList/XmlParamsResponseTrackId/Success`)).toBe('false');
    expect((await sendTest(box, payroll(), 'sandbox')).status).toBe(500);
    expect((await sendTest(box, payroll(), 'right')).at(`${RECEIPT}/ZipKey`)).toEqual(expect.any(String));
  });
});

describe('status queries', () => {
  it('by CUNE: in process, accepted, and the row marked by the key sendmail', async () => {
    const box = await sandbox();
    const cune = (await sendTest(box, payroll())).at('/cune');
    const asked = [await askCune(box, cune), await askCune(box, cune)];
    expect(asked.map(verdict)).toEqual(['false "98"', 'accepted']);
    expect(asked[1]!.at('/cufecude')).toBe(cune);
    expect((await request(box, 'GET', CURRENT)).at('/number')).toBe(1);
    await askCune(box, cune, { is_payroll: true, sendmail: false });
    expect((await request(box, 'GET', CURRENT)).at('/number')).toBe(1002);
  });

  it('find nothing for a key that nobody gave, or without is_payroll', async () => {
    const box = await sandbox({ zipPolls: 0 });
    const receipt = await sendTest(box, payroll());
    const unknown = 'false "66"';
    expect(verdict(await askZip(box, 'nobody'))).toBe(unknown);
    expect(verdict(await askCune(box, 'd'.repeat(96)))).toBe(unknown);
    expect(verdict(await askZip(box, zipKeyOf(receipt), {}))).toBe(unknown);
    expect(verdict(await askCune(box, receipt.at('/cune'), {}))).toBe(unknown);
  });

  it('of a foreign ZipKey find nothing', async () => {
    const box = await sandbox({
      zipPolls: 0,
      companies: [
        { nit: '900123456', token: 'one' },
        { nit: '900654321', token: 'two' },
      ],
    });
    const key = zipKeyOf(await sendTest({ url: box.url, token: 'one' }, payrollOf('1', 1)));
    expect(verdict(await askZip({ url: box.url, token: 'two' }, key))).toBe('false "66"');
  });
});
