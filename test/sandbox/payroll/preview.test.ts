import { expect, it } from 'vitest';
import { onePagePdf } from '../../../src/sandbox/pdf.js';
import { request, sandbox } from '../client.js';
import { payroll, worker } from '../payroll-requests.js';

it('shows worker and totals, accents legible, and leaves nothing behind', async () => {
  const box = await sandbox();
  const body = payroll({ worker: { ...worker('1020304050'), surname: 'Núñez (hijo)' } });
  const reply = await request(box, 'POST', '/api/ubl2.1/payroll/preeliminar-view', body);
  const pdf = Buffer.from(String(reply.at('/base64payrollpdf')), 'base64').toString('latin1');
  expect(pdf).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
  for (const text of ['Ana María Núñez \\(hijo\\) Gómez', '$ 2,599,095.00', '$ 330,000.00', '$ 2,269,095.00'])
    expect(pdf).toContain(text);
  expect(box.controls.documents()).toEqual([]);
  expect((await request(box, 'GET', '/api/ubl2.1/payroll/current_number/9/NI')).at('/number')).toBe(1);
});

it('points at each of its objects', () => {
  const pdf = onePagePdf([{ text: 'Peña' }, { text: '日本' }]).toString('latin1');
  const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
  expect(pdf.slice(start, start + 4)).toBe('xref');
  const offsets = [...pdf.matchAll(/^(\d{10}) 00000 n /gm)].map((match) => Number(match[1]));
  expect(offsets.map((offset, index) => pdf.startsWith(`${index + 1} 0 obj`, offset))).toEqual(
    Array(5).fill(true),
  );
  const [, length, stream] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(pdf)!;
  expect(stream).toHaveLength(Number(length));
  expect(stream).toContain('(Pe\xf1a)');
  expect(stream).toContain('(??)');
});
