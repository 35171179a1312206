import { expect, test } from 'vitest';
import { canonicalCompany } from '../../src/send/journal-proof.js';
import { type FoundJournal, findJournal, type Journals } from '../../src/send/journals.js';

const OWNER = { url: 'http://127.0.0.1', company: 'Andina' };
const found = (path: string, token?: string, name = canonicalCompany('Andina')): FoundJournal =>
  ({ path, names: [name], tokens: token === undefined ? [] : [token], owner: {} }) as unknown as FoundJournal;

/** Journals of which those in `used` have a run that was sent. */
const journals = (list: readonly FoundJournal[], ...used: readonly string[]): Journals =>
  ({
    at: async () => list,
    newPath: () => 'new',
    read: async (path: string) => ({
      first: async () => (used.includes(path) ? {} : undefined),
      close: async () => undefined,
    }),
  }) as unknown as Journals;

test.each([
  ['none there', [], [], 'new'],
  ['the only one', [found('a')], [], 'a'],
  ['the used one of two', [found('a'), found('b')], ['b'], 'b'],
  ['the first of two unused ones', [found('a'), found('b')], [], 'a'],
  [
    'the one that knows the token before the one that is called so',
    [found('a'), found('b', 't', 'otra')],
    [],
    'b',
  ],
] as const)('%s', async (_, list, used, path) => {
  expect(await findJournal(journals(list, ...used), { ...OWNER, token: 't' })).toBe(path);
});

test('two used ones are for a person to tell apart', async () => {
  const both = journals([found('a'), found('b')], 'a', 'b');
  await expect(findJournal(both, OWNER)).rejects.toMatchObject({
    issues: [{ code: 'journal/two-journals' }],
  });
});
