import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import type { Value, Write } from '../../src/send/database.js';
import { answerIn, documentsOf, MANY } from '../../src/send/documents.js';
import type { PlannedDocument } from '../../src/send/planned-document.js';
import { spool, tempJournal, workers } from './support.js';

test('codes that are looked for in one turn are each told of their own holder, however many they are', async () => {
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(80));
  const writer = await journal.writer();
  const documents = documentsOf(journal, writer, run, PAYROLL);
  const items: PlannedDocument[] = [];
  for await (const item of documents.open()) items.push(item);
  const codeOf = ({ id }: PlannedDocument): string => `${id}`.padStart(96, '0');
  const accepted = items.filter((_, index) => index % 20 === 7);
  for (const item of accepted) {
    const to = { state: 'accepted', doubt: false, documentCode: codeOf(item) } as const;
    await documents.settle(item, { to, issues: [] }, { asked: 'send', answered: '200 accepted' }, 0);
  }
  const byAnother = await Promise.all(items.map((item) => documents.holderOf(codeOf(item), 0)));
  expect(byAnother).toEqual(items.map((item) => (accepted.includes(item) ? item.id : undefined)));
  const byItself = await Promise.all(items.map((item) => documents.holderOf(codeOf(item), item.id)));
  expect(byItself).toEqual(items.map(() => undefined));
  await writer.close();
});

test('what is written of a document keeps its order, whatever else is written meanwhile', async () => {
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(60));
  const writer = await journal.writer();
  const documents = documentsOf(journal, writer, run, PAYROLL);
  const items: PlannedDocument[] = [];
  for await (const item of documents.open()) items.push(item);
  const line = { asked: 'send', answered: '200 accepted' };
  const written: Promise<unknown>[] = [];
  for (const item of items) {
    const to = { state: 'accepted', doubt: false, documentCode: `${item.id}` } as const;
    written.push(documents.settle(item, { to, issues: [] }, line, 0));
    await new Promise((resolve) => setImmediate(resolve));
    const doubted = `UPDATE document SET state = 'unknown' WHERE id = ? AND state = 'accepted'`;
    written.push(writer.commit([doubted, item.id]));
  }
  await Promise.all(written);
  expect(await journal.all('SELECT DISTINCT state FROM document')).toEqual([{ state: 'unknown' }]);
  await writer.close();
});

test('what is said of many rows at once leaves what the same says one after the other', async () => {
  const [SENDING, SETTLED, ATTEMPTED] = [...MANY.keys()] as [string, string, string];
  const texts = [
    '',
    'á "ñ" \\ {x}',
    "'; DROP TABLE document; --",
    '\\ud800',
    'a\0b',
    'a\ud800b',
    '\u{1f600}',
    null,
  ];
  const writes = fc.array(
    fc.oneof(
      fc.tuple(fc.constant(SENDING), fc.integer({ max: 3, min: 0 }), fc.nat(), fc.nat(5)),
      fc.tuple(fc.constant(ATTEMPTED), fc.nat(5), fc.nat(), fc.constantFrom(...texts)),
      fc.tuple(
        fc.constant(SETTLED),
        fc.constantFrom('accepted', 'rejected', 'unknown'),
        fc.nat(5),
        fc.constantFrom(...texts),
      ),
      fc.tuple(fc.constant('UPDATE document SET attempts = attempts * 2 WHERE id = ?'), fc.nat(5)),
    ),
    { maxLength: 30 },
  );
  const left = async (said: readonly (readonly Value[])[], many?: typeof MANY) => {
    const journal = await tempJournal();
    await spool(journal, workers(6));
    const rows = await journal.all<{ id: number }>('SELECT id FROM document ORDER BY id');
    const writer = await journal.writer(many);
    const id = (at: Value): number => rows[Number(at)]!.id;
    await writer.commit(
      ...said.map(([sql, ...v]): Write => {
        if (sql === SENDING) return [SENDING, v[0]!, v[1]!, id(v[2]!)];
        if (sql === ATTEMPTED) return [ATTEMPTED, id(v[0]!), v[1]!, 'send', '200 accepted', v[2]!];
        if (sql === SETTLED) return [SETTLED, v[0]!, 0, null, v[2]!, v[2]!, v[2]!, 7, id(v[1]!)];
        return [String(sql), id(v[0]!)];
      }),
    );
    const told = [
      await journal.all(
        'SELECT sequence, state, attempts, zip_key, made, issues, updated FROM document ORDER BY id',
      ),
      await journal.all(`SELECT d.sequence, a.at, a.asked, a.answered, a.excerpt FROM attempt a
        JOIN document d ON d.id = a.document ORDER BY a.id`),
      await journal.tally?.((await journal.first<{ id: string }>('SELECT id FROM run'))!.id),
    ];
    await writer.close();
    return told;
  };
  await fc.assert(
    fc.asyncProperty(writes, async (said) => {
      expect(await left(said, MANY)).toEqual(await left(said));
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['as it was kept', '{"seller":{"name":"X"}}', { seller: { name: 'X' } }],
  ['nested without end', `{"seller":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, {}],
  ['no object', '"X"', {}],
  ['cut', '{"seller":', {}],
])('an answer in a journal, %s', (_, body, expected) => expect(answerIn(body)).toEqual(expected));
