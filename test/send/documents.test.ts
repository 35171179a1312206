import { expect, test } from 'vitest';
import { documentsOf } from '../../src/send/documents.js';
import type { Spooled } from '../../src/send/spooled.js';
import { spool, tempJournal, workers } from './support.js';

test('codes that are looked for in one turn are each told of their own holder, however many they are', async () => {
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(80));
  const writer = await journal.writer();
  const documents = documentsOf(journal, writer, run);
  const items: Spooled[] = [];
  for await (const item of documents.open()) items.push(item);
  const codeOf = ({ id }: Spooled): string => `${id}`.padStart(96, '0');
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
  const documents = documentsOf(journal, writer, run);
  const items: Spooled[] = [];
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
