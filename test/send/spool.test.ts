import { describe, expect, onTestFinished, test } from 'vitest';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { numberAdvice } from '../../src/families/payroll/subject.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { createIssue } from '../../src/send/create-issue.js';
import { outcomes, runIssues, runSkipped } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import { numberGaps, rejectedNumbers } from '../../src/send/numbering.js';
import { abandonRun, accounting, discardDraft, findRun, listRuns, openRun } from '../../src/send/runs.js';
import { leaveOut, moveNumbers } from '../../src/send/spool.js';
import type { Issue, Place } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { Document } from '../../src/toolkit/schema/document.js';
import { allOf } from '../support/all-of.js';
import { clientOf, envelope, META, payroll, service, spool, tempJournal, workers } from './support.js';

const rows = async (journal: Journal, run: string) => [
  ...(await allOf(outcomes(journal, run))).map(({ sequence, state, number, earlier, issues }) =>
    [sequence, state, number, earlier && 'earlier', ...issues.map(({ code }) => code)]
      .filter((part) => part !== undefined)
      .join(' '),
  ),
  ...(await allOf(runIssues(journal, run))).flatMap(({ code, level, documentKey }) =>
    level === 'error' && documentKey !== undefined ? [`held back ${code}`] : [],
  ),
];

/** As if the answers had come. */
async function settle(journal: Journal, run: string, state: string): Promise<void> {
  await openRun(journal, run);
  await journal.run(
    `UPDATE document SET state = ?, document_code = 'cune' WHERE run = ? AND state = 'planned'`,
    state,
    run,
  );
}

const bodies = async (journal: Journal) =>
  (await journal.all<{ body: string }>('SELECT body FROM content ORDER BY document')).map(
    ({ body }) => JSON.parse(body) as JsonObject,
  );

describe('a run in the journal', () => {
  test.each([
    ['all of it is planned', 0, [10, 11, 12]],
    ['one was ended unsent, which keeps its number', 1, [1, 10, 11]],
  ])('its numbers move where the service is ahead: %s', async (_, ended, numbers) => {
    const journal = await tempJournal();
    const { run } = await spool(journal, workers(3));
    await openRun(journal, run);
    await journal.run(`UPDATE document SET state = 'rejected' WHERE run = ? AND sequence <= ?`, run, ended);
    const moved = await moveNumbers(journal, PAYROLL, run, async () => 10);
    expect(moved).toMatchObject([{ from: 10, to: numbers.at(-1) }]);
    const of = 'SELECT consecutive FROM document WHERE run = ? ORDER BY sequence';
    expect((await journal.all<{ consecutive: number }>(of, run)).map((one) => one.consecutive)).toEqual(
      numbers,
    );
  });

  test('has its bodies with numbers, its totals, its findings and its accounting', async () => {
    const journal = await tempJournal();
    const records = { read: 5, used: 3, skipped: 1, heldBack: 1 };
    const documents = { planned: 4, made: 3, heldBack: 1 };
    const spooled = await spool(journal, workers(3), {
      closing: () => ({
        records,
        documents,
        defaults: { payment_method_id: 47 },
        issues: [{ ...createIssue('send/abandoned'), documentKey: '1' }],
        skipped: [{ place: { row: 9 }, note: 'TOTAL' }],
      }),
    });
    expect(spooled).toEqual({
      run: '2026-11-21-1',
      planned: 3,
      earlier: 0,
      blocked: 0,
      unfinished: new Map(),
      doubtful: new Map(),
      proposed: [],
      records,
      documents,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      totals: { accrued: '6600000.00', deductions: '528000.00', net: '6072000.00' },
    });
    expect(await bodies(journal)).toEqual(
      workers(3).map((document, index) => ({ ...document, consecutive: index + 1 })),
    );
    expect(await accounting(journal, spooled.run)).toEqual({
      records,
      documents,
      outcomes: { accepted: 0, rejected: 0, pending: 0, unknown: 0, unsent: 3 },
    });
    expect(await findRun(journal, spooled.run)).toMatchObject({
      state: 'draft',
      meta: META,
      counts: { defaults: { payment_method_id: 47 } },
    });
    expect(await allOf(runIssues(journal, spooled.run))).toMatchObject([
      { code: 'send/abandoned', documentKey: '1' },
    ]);
    expect(await allOf(runSkipped(journal, spooled.run))).toEqual([{ place: { row: 9 }, note: 'TOTAL' }]);
    expect((await allOf(outcomes(journal, spooled.run)))[1]).toMatchObject({
      key: '9000100002',
      name: 'Fabián Núñez',
      number: 'NOM2',
      attempts: 0,
      place: { sheet: 'Nómina', row: 3, column: 'A' },
    });
  });

  test('is all or nothing', async () => {
    const journal = await tempJournal();
    async function* broken(): AsyncIterable<readonly Document[]> {
      yield [envelope(1, payroll(1))];
      throw new Error('the file ends here');
    }
    await expect(spool(journal, [], { documents: broken() })).rejects.toThrow('the file ends here');
    expect(await journal.all('SELECT id FROM document')).toEqual([]);
    expect((await spool(journal, workers(1))).run).toBe('2026-11-21-1');
  });

  test('a draft is not there for anyone, and the next one clears it away', async () => {
    const journal = await tempJournal();
    await spool(journal, workers(2));
    expect(await listRuns(journal)).toEqual([]);
    const second = await spool(journal, workers(2));
    expect([second.run, second.planned]).toEqual(['2026-11-21-1', 2]);
    expect(await rows(journal, second.run)).toEqual(['1 unsent NOM1', '2 unsent NOM2']);
    await discardDraft(journal, second.run);
    expect(await journal.first('SELECT count(*) AS n FROM content')).toMatchObject({ n: 0 });
  });

  test('runs of a day are counted, the latest is listed first', async () => {
    const journal = await tempJournal();
    for (const worker of [1, 2])
      await settle(journal, (await spool(journal, [payroll(worker)])).run, 'accepted');
    const late = await spool(journal, [payroll(3)], { clock: () => Date.parse('2026-11-22T04:59:00Z') });
    await settle(journal, late.run, 'accepted');
    expect((await listRuns(journal)).map(({ id }) => id)).toEqual([
      '2026-11-21-3',
      '2026-11-21-2',
      '2026-11-21-1',
    ]);
  });
});

describe('a worker and month that is already there', () => {
  const changed = payroll(1, { notes: 'otra' });

  test.each([
    ['accepted with the same content: nothing to send', 'accepted', payroll(1), '1 accepted NOM1 earlier'],
    ['accepted with other content', 'accepted', changed, 'held back payroll/worker-month'],
    ['rejected: a new number', 'rejected', payroll(1), '1 unsent NOM2'],
    ['still planned', 'planned', payroll(1), 'held back send/unfinished-run'],
    ['pending', 'pending', changed, 'held back payroll/worker-month'],
    ['unknown', 'unknown', payroll(1), 'held back payroll/worker-month'],
    ['under way', 'sending', payroll(1), 'held back payroll/worker-month'],
  ])('%s', async (_, state, document, expected) => {
    const journal = await tempJournal();
    await settle(journal, (await spool(journal, [payroll(1)])).run, state);
    const again = await spool(journal, [document]);
    expect(await rows(journal, again.run)).toEqual([expected]);
    const held = expected.startsWith('held');
    const { made, heldBack } = (await findRun(journal, again.run)).counts.documents;
    expect([made, heldBack]).toEqual(held ? [0, 1] : [1, 0]);
    expect(again.unfinished.size).toBe(held && state !== 'accepted' ? 1 : 0);
  });

  test.each<[string, string, number, string, string]>([
    ['more zeros', '0079000001', 3, 'accepted', 'held back payroll/worker-month'],
    ['fewer zeros', '79000001', 3, 'accepted', 'held back payroll/worker-month'],
    ['more zeros, rejected', '0079000001', 3, 'rejected', '1 unsent NOM2'],
    // By the name alone it is the same person.
    ['more zeros before a passport', '0079000001', 7, 'accepted', 'held back payroll/renumbered'],
  ])('whose number has %s', async (_, number, kind, state, expected) => {
    const of = (identification_number: string): JsonObject => {
      const body = payroll(1);
      const worker = body['worker'] as JsonObject;
      return {
        ...body,
        worker: { ...worker, identification_number, payroll_type_document_identification_id: kind },
      };
    };
    const journal = await tempJournal();
    await settle(journal, (await spool(journal, [of('079000001')])).run, state);
    expect(await rows(journal, (await spool(journal, [of(number)])).run)).toEqual([expected]);
  });

  test('twice in one run: the first stands', async () => {
    const journal = await tempJournal();
    const { run } = await spool(journal, [payroll(1), payroll(1, { notes: 'otra' })]);
    expect(await rows(journal, run)).toEqual(['1 unsent NOM1', 'held back send/month-repeated']);
  });

  test('a novelty, another month, another test set are something else', async () => {
    const journal = await tempJournal();
    await settle(journal, (await spool(journal, [payroll(1)])).run, 'accepted');
    const november = payroll(1, { period: { settlement_start_date: '2026-11-01' } });
    const novelty = payroll(1, { novelty: { novelty: true, uuidnov: 'cune' } });
    expect(await rows(journal, (await spool(journal, [novelty, november])).run)).toEqual([
      '1 unsent NOM2',
      '2 unsent NOM3',
    ]);
    const test = await spool(journal, [payroll(1)], { testSet: 'set' });
    expect(await rows(journal, test.run)).toEqual(['1 unsent NOM2']);
  });

  test('what was given up may be sent anew, under new numbers', async () => {
    const journal = await tempJournal();
    const { run } = await spool(journal, workers(2));
    await openRun(journal, run);
    await abandonRun(journal, run, 0);
    expect(await rows(journal, run)).toEqual([
      '1 held-back NOM1 send/abandoned',
      '2 held-back NOM2 send/abandoned',
    ]);
    expect(await rejectedNumbers(journal, run)).toEqual([
      { typeDocumentId: 9, prefix: 'NOM', from: 1, to: 2 },
    ]);
    expect(await rows(journal, (await spool(journal, [payroll(1)])).run)).toEqual(['1 unsent NOM3']);
  });

  test('the earlier run is named', async () => {
    const journal = await tempJournal();
    await settle(journal, (await spool(journal, [payroll(1)])).run, 'accepted');
    const [issue] = await allOf(runIssues(journal, (await spool(journal, [changed])).run));
    expect(issue).toMatchObject({
      params: { number: 'NOM1', run: '2026-11-21-1' },
      documentKey: '9000100001',
    });
  });
});

describe('of who is accepted in the month and not in the file', () => {
  const NOVEMBER = {
    period: { admision_date: '2025-04-20', settlement_start_date: '2026-11-01', issue_date: '2026-11-30' },
  };
  const known = { first_name: 'Ana', middle_name: 'Inés' };
  /** Of one person, whoever the number says. */
  const ana = (number: number, more: JsonObject = {}): JsonObject => {
    const sound = payroll(number);
    return { ...sound, worker: { ...(sound['worker'] as JsonObject), ...known }, ...more };
  };
  const TWICE = 'held back payroll/renumbered';
  /** What is made of a file, with the keys of documents that have errors in it. */
  const laid = async (
    accepted: readonly JsonObject[],
    file: readonly JsonObject[],
    more: { readonly unmade?: readonly string[]; readonly isPart?: true } = {},
  ) => {
    const journal = await tempJournal();
    await settle(journal, (await spool(journal, accepted)).run, 'accepted');
    const { unmade = [], isPart } = more;
    const count = file.length;
    const closing = () => ({
      records: { read: count, used: count, skipped: 0, heldBack: 0 },
      documents: { planned: count + unmade.length, made: count, heldBack: unmade.length },
      defaults: {},
      issues: [],
      skipped: [],
      heldBack: new Map(unmade.map((key) => [key, { records: [] }])),
      ...(isPart && { isPart }),
    });
    const told: Issue[] = [];
    const left: number[] = [];
    const run = await spool(journal, file, {
      closing,
      onIssue: (issue) => void told.push(issue),
      onHeldBack: (sequence) => void left.push(sequence),
    });
    return { journal, run, told, left };
  };

  test.each<[string, readonly JsonObject[], readonly JsonObject[], readonly string[], readonly string[]]>([
    ['another number', [ana(1)], [ana(2), payroll(3)], [], ['2 unsent NOM2', TWICE]],
    ['both numbers', [ana(1)], [ana(1), ana(2)], [], ['1 accepted NOM1 earlier', '2 unsent NOM2']],
    ['two new ones: nobody knows which', [ana(1)], [ana(2), ana(3)], [], ['1 unsent NOM2', '2 unsent NOM3']],
    ['two old ones: nobody knows which', [ana(1), ana(2)], [ana(3)], [], ['1 unsent NOM3']],
    ['the old one has an error', [ana(1)], [ana(2)], ['9000100001'], ['1 unsent NOM2']],
    [
      'the old one has other data',
      [ana(1)],
      [ana(1, { notes: 'otra' }), ana(2)],
      [],
      ['2 unsent NOM2', 'held back payroll/worker-month'],
    ],
    ['another month', [ana(1)], [ana(2, NOVEMBER)], [], ['1 unsent NOM2']],
    [
      'another month in a file of two',
      [ana(1), payroll(3, NOVEMBER)],
      [payroll(4), ana(2, NOVEMBER)],
      [],
      ['1 unsent NOM3', '2 unsent NOM4'],
    ],
    ['a novelty', [ana(1)], [ana(2, { novelty: { novelty: true, uuidnov: 'c' } })], [], ['1 unsent NOM2']],
  ])('a person under another number is held back: %s', async (_, accepted, file, unmade, expected) => {
    const { journal, run } = await laid(accepted, file, { unmade });
    expect(await rows(journal, run.run)).toEqual(expected);
    expect(run.planned).toBe(expected.filter((row) => row.includes('unsent')).length);
  });

  test('the cell of the number says so, and whoever asked hears it', async () => {
    const { journal, run, told, left } = await laid([ana(1)], [payroll(3), ana(2)]);
    const issue = {
      code: 'payroll/renumbered',
      level: 'error',
      params: { number: 'NOM1' },
      value: '9000100002',
      documentKey: '9000100002',
      place: { sheet: 'Nómina', row: 3, column: 'A' },
    };
    expect(told).toMatchObject([issue]);
    expect(left).toEqual([2]);
    expect(await allOf(runIssues(journal, run.run))).toMatchObject([issue]);
    expect([run.blocked, run.documents.made, run.documents.heldBack]).toEqual([1, 1, 1]);
  });

  test.each<[string, number, readonly JsonObject[], object, number | undefined]>([
    ['one row of five was deleted', 5, workers(4), {}, 1],
    ['and one was changed', 5, [...workers(3), payroll(4, { notes: 'otra' })], {}, 1],
    ['nobody is missing', 5, workers(5), {}, undefined],
    ['half of them: it may be another branch', 4, workers(2), {}, undefined],
    ['another branch', 3, [payroll(8), payroll(9)], {}, undefined],
    ['one has an error', 5, workers(3), { unmade: ['9000100004'] }, undefined],
    ['rows to mend', 5, workers(4), { isPart: true }, undefined],
  ])('a file with most of the month says how many: %s', async (_, accepted, file, more, count) => {
    const { told } = await laid(workers(accepted), file, more);
    const remarks = told.filter(({ level }) => level === 'warning');
    expect(remarks).toMatchObject(
      count === undefined
        ? []
        : [{ code: 'payroll/absent', params: { count, month: '2026-10' }, place: { sheet: 'Nómina' } }],
    );
  });
});

describe('records are held back with what does not leave, but those that another document needs', () => {
  const at = (sheet: string, row: number): Place => ({ file: 'n.xlsx', sheet, row });
  /** Two workers with a record each, another that both share, and one of the second alone. */
  const spoolBoth = (journal: Journal) => {
    async function* documents(): AsyncIterable<readonly Document[]> {
      yield [
        { ...envelope(1, payroll(1)), counted: [at('Nómina', 2), at('Extras', 2)] },
        { ...envelope(2, payroll(2)), counted: [at('Nómina', 3), at('Extras', 2), at('Extras', 3)] },
      ];
    }
    const records = { read: 5, used: 4, skipped: 1, heldBack: 0 };
    const made = { planned: 2, made: 2, heldBack: 0 };
    const closing = () => ({ records, documents: made, defaults: {}, issues: [], skipped: [] });
    return spool(journal, [], { documents: documents(), closing });
  };
  const begun = async (journal: Journal, bodies: readonly JsonObject[], state = 'unknown') =>
    settle(journal, (await spool(journal, bodies)).run, state);
  const issue = createIssue('send/unfinished-run', { run: '' });

  test.each<[string, (journal: Journal) => Promise<string>, used: number, heldBack: number]>([
    ['nothing is held back', async (journal) => (await spoolBoth(journal)).run, 4, 0],
    [
      'an unfinished run has one',
      async (journal) => {
        await begun(journal, [payroll(1)]);
        return (await spoolBoth(journal)).run;
      },
      3,
      1,
    ],
    [
      'an unfinished run has all',
      async (journal) => {
        await begun(journal, workers(2));
        return (await spoolBoth(journal)).run;
      },
      0,
      4,
    ],
    [
      'one was accepted before: its record is used',
      async (journal) => {
        await begun(journal, [payroll(2)], 'accepted');
        return (await spoolBoth(journal)).run;
      },
      4,
      0,
    ],
    [
      'one is left out with a reason',
      async (journal) => {
        const { run } = await spoolBoth(journal);
        await leaveOut(journal, PAYROLL, run, new Map([[2, issue]]));
        return run;
      },
      2,
      2,
    ],
    [
      'all are given up once laid out',
      async (journal) => {
        const { run } = await spoolBoth(journal);
        await openRun(journal, run);
        await abandonRun(journal, run, 0);
        return run;
      },
      0,
      4,
    ],
  ])('%s', async (_, laidOut, used, heldBack) => {
    const journal = await tempJournal();
    const { records } = await accounting(journal, await laidOut(journal));
    expect(records).toEqual({ read: 5, used, skipped: 1, heldBack });
  });
});

describe('numbers', () => {
  const firstNumber = async (
    journal: Journal,
    numbers: Parameters<typeof spool>[2] = {},
  ): Promise<unknown> => {
    const { run } = await spool(journal, [payroll(1)], numbers);
    return (await allOf(outcomes(journal, run)))[0]?.number;
  };

  test.each([
    ['nobody knows anything', undefined, undefined, undefined, 'NOM1'],
    ['the person', 1501, undefined, undefined, 'NOM1501'],
    ['the service', undefined, 77, undefined, 'NOM77'],
    ['the journal', undefined, undefined, 40, 'NOM41'],
    ['the higher of the two', undefined, 77, 40, 'NOM77'],
    ['the higher of the two, the other way', undefined, 12, 40, 'NOM41'],
    ['the person above both', 100, 77, 40, 'NOM100'],
    ['the person exactly at the next', 77, 77, 40, 'NOM77'],
  ])('start told by %s', async (_, first, advised, used, expected) => {
    const journal = await tempJournal();
    if (used !== undefined)
      await settle(
        journal,
        (await spool(journal, [payroll(9)], { numbers: { first: used } })).run,
        'accepted',
      );
    const numbers = { advice: async () => advised, ...(first !== undefined && { first }) };
    expect(await firstNumber(journal, { numbers })).toBe(expected);
  });

  test.each([
    ['the service', async () => 10, 0],
    ['the journal', undefined, 9],
  ])(
    'a start below what %s knows is advice: the next free number is taken, and said',
    async (_, advice, used) => {
      const journal = await tempJournal();
      if (used > 0)
        await settle(
          journal,
          (await spool(journal, [payroll(9)], { numbers: { first: used } })).run,
          'rejected',
        );
      const told: Issue[] = [];
      const { run } = await spool(journal, [payroll(1)], {
        numbers: { first: 9, ...(advice && { advice }) },
        onIssue: (issue) => told.push(issue),
      });
      expect(await rows(journal, run)).toEqual(['1 unsent NOM10']);
      expect(told).toMatchObject([
        { code: 'send/start-too-low', level: 'warning', params: { start: 9, next: 10 } },
      ]);
      expect(await allOf(runIssues(journal, run))).toEqual(told);
    },
  );

  test.each<[string, number | undefined, number, object[]]>([
    ['of a series in use', 3, 9, [{ code: 'send/number-gap', params: { prefix: 'NOM', from: 4, to: 8 } }]],
    ['of one that nobody began', undefined, 9, []],
    ['with nothing between', 3, 4, []],
  ])('a start ahead %s is honoured, and its gap reported', async (_, used, first, expected) => {
    const journal = await tempJournal();
    if (used !== undefined)
      await settle(
        journal,
        (await spool(journal, [payroll(9)], { numbers: { first: used } })).run,
        'accepted',
      );
    const told: Issue[] = [];
    const numbers = { first };
    const { run } = await spool(journal, [payroll(1)], { numbers, onIssue: (issue) => told.push(issue) });
    expect(await rows(journal, run)).toEqual([`1 unsent NOM${first}`]);
    expect(told).toMatchObject(expected);
    expect(told).toHaveLength(expected.length);
  });

  test('nobody is asked when nothing needs a number', async () => {
    const journal = await tempJournal();
    await settle(journal, (await spool(journal, [payroll(1)], { numbers: { first: 5 } })).run, 'accepted');
    expect(await firstNumber(journal, { numbers: { first: 5 } })).toBe('NOM5');
  });

  test('each prefix counts for itself, gaps are listed', async () => {
    const journal = await tempJournal();
    const { run } = await spool(journal, [payroll(1), payroll(2, { prefix: 'B' }), payroll(3)], {
      numbers: { first: 5 },
    });
    await settle(journal, run, 'accepted');
    await settle(journal, (await spool(journal, [payroll(4)], { numbers: { first: 9 } })).run, 'accepted');
    expect(await rows(journal, run)).toEqual(['1 accepted NOM5', '2 accepted B5', '3 accepted NOM6']);
    expect(await numberGaps(journal)).toEqual([{ typeDocumentId: 9, prefix: 'NOM', from: 7, to: 8 }]);
  });

  test.each([
    [{ number: 12, success: true, prefix: 'NOM' }, 12],
    [{ number: '12', success: true, prefix: 'NOM' }, 12],
    [{ number: 12, success: true, prefix: 'OTHER' }, undefined],
    [{ success: false }, undefined],
    ['no', undefined],
  ])('the service answers %o: %s', async (json, expected) => {
    const { url, requests } = await service(() => ({ status: 200, json }));
    expect(await numberAdvice(clientOf(url), undefined)({ typeDocumentId: 9, prefix: 'NOM' })).toBe(expected);
    expect(requests[0]?.path).toBe('/api/ubl2.1/payroll/current_number/9/NOM');
  });

  test.each([[{ json: { message: 'Server Error' } }, 'no-range']])(
    'the service answers 500 with %o: %s',
    async (body, expected) => {
      const { url } = await service(() => ({ status: 500, ...body }));
      expect(await numberAdvice(clientOf(url), undefined)({ typeDocumentId: 9, prefix: 'NOM' })).toBe(
        expected,
      );
    },
  );

  test.each([
    [401, { message: 'Unauthenticated.' }],
    [500, { success: false, message: 'x', error: 'Unauthenticated.' }],
  ])('a token that is refused by a %s is told of once, whatever the series', async (status, json) => {
    const { url } = await service(() => ({ status, json }));
    const told: Issue[] = [];
    await spool(await tempJournal(), [payroll(1), payroll(2, { prefix: 'B' })], {
      numbers: { advice: numberAdvice(clientOf(url), undefined) },
      onIssue: (issue) => told.push(issue),
    });
    expect(told).toMatchObject([{ code: 'service/unauthenticated', level: 'warning', params: { status } }]);
  });

  test('a service that answers as where the prefix has no range is told of', async () => {
    const told: Issue[] = [];
    const { run } = await spool(await tempJournal(), [payroll(1)], {
      numbers: { advice: async () => 'no-range' },
      onIssue: (issue) => told.push(issue),
    });
    expect(run).toBeDefined();
    expect(told).toMatchObject([{ code: 'send/no-range', level: 'warning', params: { prefix: 'NOM' } }]);
  });

  test.each([
    ['production', undefined, '9/0/NOM', 'NOM', 40],
    ['a test set, whose documents have no verdict yet', 'set', '9/1/NOM', 'NOM', 40],
    ['one that has no such form', undefined, '9/0/NOM', undefined, undefined],
    ['one that shows the first range again', undefined, '9/0/NOM', 'NI', undefined],
  ])(
    'a service that answers for its first range is asked again: %s',
    async (_, testSet, form, shown, expected) => {
      const { url, requests } = await service((_request, turn) => {
        if (turn === 1) return { status: 200, json: { number: 7, success: true, prefix: 'NI' } };
        return shown === undefined
          ? { status: 404, json: { message: '' } }
          : { status: 200, json: { number: 40, success: true, prefix: shown } };
      });
      expect(await numberAdvice(clientOf(url), testSet)({ typeDocumentId: 9, prefix: 'NOM' })).toBe(expected);
      expect(requests.map(({ path }) => path.split('current_number/')[1])).toEqual(['9/NOM', form]);
    },
  );

  test.each(['contract', 'since2024'] as const)(
    'of the sandbox, in the form %s',
    async (currentNumberPath) => {
      const box = await startSandbox({ currentNumberPath });
      onTestFinished(() => box.close());
      const client = clientOf(box.url, { token: box.token });
      const bodyText = JSON.stringify(payroll(1, { consecutive: 41 }));
      await client.call('sendPayrollTestSet', { path: { testSetId: 'set' }, bodyText });
      const advice = await numberAdvice(client, 'set')({ typeDocumentId: 9, prefix: 'NOM' });
      // The contract's form only counts what has a verdict.
      expect(advice).toBe(currentNumberPath === 'contract' ? 1 : 42);
    },
  );
});
