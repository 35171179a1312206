import { describe, expect, it } from 'vitest';
import { production, type Reply, request, sandbox, send, sendTest, verdict } from '../client.js';
import { deletion, payroll, payrollOf } from '../payroll-requests.js';

const RESOLUTION = '/api/ubl2.1/config/resolution';
const current = (box: { url: string; token: string }, path: string): Promise<Reply> =>
  request(box, 'GET', `/api/ubl2.1/payroll/current_number/${path}`);
const asked = async (box: { url: string; token: string }, path: string): Promise<string> => {
  const reply = await current(box, path);
  return reply.status === 200 ? `${reply.at('/prefix')} ${reply.at('/number')}` : String(reply.status);
};

describe('current_number', () => {
  it('by the contract', async () => {
    const box = await production();
    await send(box, payroll());
    await send(box, payrollOf('2', 5, { prefix: 'NOM' }));
    expect(await asked(box, '9/NI')).toBe('NI 1002');
    expect(await asked(box, '9/NOM')).toBe('NOM 6');
    expect(await asked(box, '9')).toBe('NI 1002');
    expect(await asked(box, '10/NA')).toBe('NA 1');
    expect(await asked(box, '9/0/NI')).toBe('404');
    expect(await asked(box, '11/NI')).toBe('500');
  });

  it('since 2024 reads the prefix as a flag', async () => {
    const box = await sandbox({ currentNumberPath: 'since2024', companies: [{ nit: '900123456' }] });
    await sendTest(box, payrollOf('2', 5, { prefix: 'NOM' }));
    expect(await asked(box, '9/NOM')).toBe('NI 1');
    expect(await asked(box, '9/0/NOM')).toBe('NOM 1');
    expect(await asked(box, '9/1/NOM')).toBe('NOM 6');
  });

  it('does not reserve', async () => {
    const box = await production();
    expect([await asked(box, '9/NI'), await asked(box, '9/NI')]).toEqual(['NI 1', 'NI 1']);
  });
});

describe('ranges', () => {
  const fixed = { nit: '900123456', environment: 'production' as const };
  const ni = { typeDocumentId: 9 as const, prefix: 'NI', from: 1000, to: 1999 };

  it('without any: 500 for documents, notes and numbers', async () => {
    const box = await sandbox({ companies: [{ ...fixed, resolutions: [] }] });
    expect((await send(box, payroll())).status).toBe(500);
    expect((await send(box, deletion('e'.repeat(96)))).status).toBe(500);
    expect(await asked(box, '9/NI')).toBe('500');
  });

  it('bind the consecutive, edges included', async () => {
    const box = await sandbox({ companies: [{ ...fixed, resolutions: [ni] }] });
    const status = async (consecutive: number): Promise<number> =>
      (await send(box, payrollOf(String(consecutive), consecutive))).status;
    expect([await status(999), await status(1000), await status(1999), await status(2000)]).toEqual([
      422, 200, 200, 422,
    ]);
    expect((await send(box, payroll({ prefix: 'NO' }))).status).toBe(500);
    expect(await asked(box, '9/NI')).toBe('NI 2000');
  });

  it('are configured, replaced and wiped by P2', async () => {
    const box = await sandbox({ companies: [{ ...fixed, resolutions: [] }] });
    const configure = (more: object) =>
      request(box, 'PUT', RESOLUTION, { type_document_id: 9, from: 1, to: 99, prefix: 'NI', ...more });
    expect((await configure({})).at('/resolution')).toMatchObject({ prefix: 'NI', from: 1, to: 99 });
    expect(await asked(box, '9/NI')).toBe('NI 1');
    await configure({ from: 50 });
    expect(await asked(box, '9/NI')).toBe('NI 50');
    await configure({ prefix: 'NOM', delete_all_type_resolutions: true });
    expect([await asked(box, '9/NI'), await asked(box, '9/NOM')]).toEqual(['500', 'NOM 1']);
  });

  it.each([
    [{ prefix: 'NOMIN' }, 'prefix'],
    [{ to: 1 }, 'to'],
    [{ type_document_id: 1 }, 'type_document_id'],
    [{ from: 'uno' }, 'from'],
  ])('refuse %j', async (more, field) => {
    const box = await sandbox();
    const reply = await request(box, 'PUT', RESOLUTION, {
      type_document_id: 9,
      from: 1,
      to: 99,
      prefix: 'NI',
      ...more,
    });
    expect([reply.status, Object.keys(reply.at('/errors') as object)]).toEqual([422, [field]]);
  });

  it('two of a type must be told apart', async () => {
    const resolutions = [
      { ...ni, resolution: '1' },
      { ...ni, prefix: 'NOM', resolution: '2' },
    ];
    const box = await sandbox({ companies: [{ ...fixed, resolutions }] });
    const { prefix: _prefix, ...bare } = payroll();
    expect(Object.keys((await send(box, bare)).at('/errors') as object)).toEqual([
      'resolution_number',
      'prefix',
    ]);
    expect(verdict(await send(box, payroll({ resolution_number: '1' })))).toBe('accepted');
    // Looked up together: a number of another prefix finds none.
    for (const resolution_number of ['2', '3']) {
      const reply = await send(box, payrollOf('2', 1002, { resolution_number }));
      expect([reply.status, reply.json]).toEqual([500, { message: 'Server Error' }]);
    }
    expect(verdict(await send(box, payrollOf('2', 1002, { prefix: 'NOM', resolution_number: '2' })))).toBe(
      'accepted',
    );
  });

  it('two of the type of notes must be told apart too', async () => {
    const na = { typeDocumentId: 10 as const, from: 1, to: 99 };
    const resolutions = [
      ni,
      { ...na, prefix: 'NA', resolution: 'a' },
      { ...na, prefix: 'NB', resolution: 'b' },
    ];
    const box = await sandbox({ companies: [{ ...fixed, resolutions }] });
    const { cune } = (await send(box, payroll())).json as { cune: string };
    const refused = await send(box, deletion(cune));
    expect([refused.status, Object.keys(refused.at('/errors') as object)]).toEqual([
      422,
      ['resolution_number'],
    ]);
    expect((await send(box, deletion(cune, 2, { resolution_number: 'b' }))).status).toBe(500);
    expect(verdict(await send(box, deletion(cune, 2, { resolution_number: 'a' })))).toBe('accepted');
  });

  it('without a prefix the number has none, the service’s row has the range’s', async () => {
    const box = await sandbox({ companies: [{ ...fixed, resolutions: [ni] }] });
    const { prefix: _prefix, ...bare } = payroll();
    expect(verdict(await send(box, bare))).toBe('accepted');
    expect(box.controls.documents()[0]?.number).toBe('1001');
    expect(await asked(box, '9/NI')).toBe('NI 1002');
  });
});
