import { expect, test } from 'vitest';
import { companyMonth, searchDocuments } from '../../src/app/month.js';
import { openJournal } from '../../src/send/journal.js';
import { fileJournals } from '../../src/send/journals.js';
import { tempFolder } from '../send/support.js';
import { journalWith, paid } from '../support/month-journal.js';

const URL_OF_SERVICE = 'http://127.0.0.1:9/';
const OWNER = { url: URL_OF_SERVICE, company: '900123456' };

const call = (workspace: string, today: string) => ({
  context: {
    language: 'es' as const,
    workspace,
    url: URL_OF_SERVICE,
    now: () => new Date(`${today}T15:00:00Z`),
    tell: () => undefined,
    taken: async () => undefined,
    onInterrupt: () => () => undefined,
  },
  options: { company: OWNER.company },
});

const october = [paid(1, '2026-10', 1000), paid(2, '2026-10', 2000), paid(3, '2026-10', 3000)];
const november = [paid(1, '2026-11', 1500), paid(2, '2026-11', 2000), paid(4, '2026-11', 700)];

test.each([
  ['before any day of the law is past, the month before is still to be sent', '2026-11-02', '2026-10'],
  ['also where business days are counted', '2026-11-13', '2026-10'],
  ['afterwards it is the month itself', '2026-11-14', '2026-11'],
])('%s', async (_, today, month) => {
  const { context, options } = call(tempFolder(), today);
  expect(await companyMonth(context, options)).toEqual({ month, today, jobs: [] });
});

test('a month stands against the month before: who is missing, who is new, pesos and their difference', async () => {
  const workspace = tempFolder();
  const [, second] = await journalWith(workspace, OWNER, [october, november]);
  const { context, options } = call(workspace, '2026-12-02');
  const { month, jobs } = await companyMonth(context, options);
  expect(month).toBe('2026-11');
  expect(jobs).toEqual([
    {
      family: 'payroll',
      isBySending: false,
      accepted: 3,
      open: 0,
      refused: 0,
      total: '4200.00',
      before: { accepted: 3, open: 0, refused: 0, total: '6000.00' },
      difference: '-1800.00',
      missing: [{ key: '9000100003', name: 'Fabián Núñez' }],
      fresh: [{ key: '9000100004', name: 'Fabián Núñez' }],
      deadlines: [
        { date: '2026-12-10', left: 8 },
        { date: '2026-12-14', left: 12 },
      ],
      run: second,
      held: [],
    },
  ]);
});

test('before anything of the month was sent nobody is missing, and nothing is summed', async () => {
  const workspace = tempFolder();
  await journalWith(workspace, OWNER, [october]);
  const { context, options } = call(workspace, '2026-12-02');
  const [job] = (await companyMonth(context, options)).jobs;
  expect(job).toMatchObject({ accepted: 0, total: null, difference: null, missing: [], run: null });
  expect(job?.before?.total).toBe('6000.00');
});

test('what was rejected counts until it is sent again', async () => {
  const workspace = tempFolder();
  await journalWith(workspace, OWNER, [october], [2]);
  const { context, options } = call(workspace, '2026-11-02');
  const refused = async () => (await companyMonth(context, options)).jobs[0];
  expect(await refused()).toMatchObject({ accepted: 2, refused: 1, total: '4000.00' });
  await journalWith(workspace, OWNER, [[paid(2, '2026-10', 2000)]]);
  expect(await refused()).toMatchObject({ accepted: 3, refused: 0, total: '6000.00' });
});

test.each([
  ['a name without its accents', 'fabian nunez', 3],
  ['a document number', '9000100002', 1],
  ['nobody', 'suárez', 0],
  ['nothing', ' ', 0],
])('documents are found by %s', async (_, text, count) => {
  const workspace = tempFolder();
  await journalWith(workspace, OWNER, [october]);
  const { context, options } = call(workspace, '2026-11-02');
  expect(await searchDocuments(context, options, text)).toHaveLength(count);
});

test('documents without a month count by the day they were sent, with the term of the month before', async () => {
  const workspace = tempFolder();
  await journalWith(workspace, OWNER, [october]);
  const journal = await openJournal(fileJournals(workspace).newPath(OWNER));
  await journal.run(`UPDATE document SET schema = 'rips/attention'`);
  await journal.run('DELETE FROM content');
  await journal.run('UPDATE run SET created = ?', Date.parse('2026-11-05T10:00:00-05:00'));
  await journal.close();
  const { context, options } = call(workspace, '2026-11-06');
  const [job] = (await companyMonth(context, options, '2026-11')).jobs;
  expect(job).toMatchObject({ family: 'rips', isBySending: true, accepted: 3, missing: [], fresh: [] });
  expect(job?.deadlines.map(({ date }) => date.slice(0, 7))).toEqual(['2026-11']);
});
