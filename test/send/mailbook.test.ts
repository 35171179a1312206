import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../src/send/journal.js';
import { openMailbook } from '../../src/send/mailbook.js';
import { tempFolder } from './support.js';

/** A journal with one document, opened anew for each step, as separate calls do. */
async function journalFile(): Promise<string> {
  const path = join(tempFolder(), 'journal.db');
  const journal = await openJournal(path);
  await journal.script(`
    INSERT INTO run (id, state, created, meta) VALUES ('r', 'closed', 0, '{}');
    INSERT INTO document (id, run, sequence, key, schema, hash, state, updated)
    VALUES (1, 'r', 1, 'k', 'payroll/payroll', 'h', 'accepted', 0)`);
  await journal.close();
  return path;
}

type End = 'mailed' | 'refused' | 'unsent' | undefined;

test.each<[string, readonly End[], string]>([
  ['never asked for', [], 'never'],
  ['confirmed', ['mailed'], 'mailed'],
  ['killed before its answer', [undefined], 'unconfirmed'],
  ['refused', ['refused'], 'never'],
  ['told to slow down', ['unsent'], 'never'],
  ['confirmed after a lost answer', [undefined, 'mailed'], 'mailed'],
  ['lost after it was confirmed', ['mailed', undefined], 'mailed'],
])('a mail that was %s', async (_, ends, expected) => {
  const path = await journalFile();
  for (const end of ends) {
    const journal = await openJournal(path);
    const book = await openMailbook(journal);
    const line = await book.begin(1, 'Ana@example.co', 0);
    if (end !== undefined) await book.end(line, end);
    await journal.close();
  }
  const journal = await openJournal(path);
  expect(await (await openMailbook(journal)).look(1, ' ana@EXAMPLE.co')).toBe(expected);
  expect(await (await openMailbook(journal)).look(1, 'otra@example.co')).toBe('never');
  await journal.close();
});
