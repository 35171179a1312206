import { expect, test } from 'vitest';
import { companiesMonth } from '../../src/app/bureau.js';
import { writeProfile } from '../chaos/fleet.js';
import { tempFolder } from '../send/support.js';
import { journalWith, paid } from '../support/month-journal.js';

const URL_OF_SERVICE = 'http://127.0.0.1:9/';
const NITS = ['900123456', '900555321', '900777111'] as const;

function callOf(workspace: string, today = '2026-12-02') {
  for (const nit of NITS) writeProfile(workspace, nit, URL_OF_SERVICE, 'token-of-the-company');
  return {
    language: 'es' as const,
    workspace,
    now: () => new Date(`${today}T15:00:00Z`),
    tell: () => undefined,
    taken: async () => undefined,
    onInterrupt: () => () => undefined,
  };
}

const journalOf = (workspace: string, nit: string, ...given: [...Parameters<typeof paid>][]) =>
  journalWith(workspace, { url: URL_OF_SERVICE, company: nit }, [given.map((one) => paid(...one))]);

test('each company has its month, also those that sent nothing', async () => {
  const workspace = tempFolder();
  const context = callOf(workspace);
  await journalOf(workspace, NITS[0], [1, '2026-11', 1000], [2, '2026-11', 2000]);
  await journalOf(workspace, NITS[1], [1, '2026-10', 3000]);
  const { month, companies } = await companiesMonth(context);
  expect(month).toBe('2026-11');
  expect(companies.map(({ company, jobs }) => [company, jobs[0]?.accepted, jobs[0]?.total])).toEqual([
    [NITS[0], 2, '3000.00'],
    [NITS[1], 0, null],
    [NITS[2], undefined, undefined],
  ]);
});

test('a journal is read again only after something was written to it', async () => {
  const workspace = tempFolder();
  const context = callOf(workspace);
  for (const nit of NITS) await journalOf(workspace, nit, [1, '2026-11', 1000]);
  const jobs = async () => (await companiesMonth(context)).companies.map((company) => company.jobs);
  await jobs();
  const before = await jobs();
  const again = await jobs();
  for (const [at, known] of before.entries()) expect(again[at]).toBe(known);
  await journalOf(workspace, NITS[1], [2, '2026-11', 500]);
  const [first, second, third] = await jobs();
  expect([first, third]).toEqual([before[0], before[2]]);
  expect(first).toBe(before[0]);
  expect(second?.[0]).toMatchObject({ accepted: 2, total: '1500.00' });
  // Another day has other days left.
  const later = await companiesMonth(callOf(workspace, '2026-12-03'), '2026-11');
  expect(later.companies[0]?.jobs[0]?.deadlines[0]?.left).toBe(7);
});
