import { expect, test } from 'vitest';
import { run } from '../../src/cli/commands/explain.js';
import { CODES } from '../../src/issues/codes.js';
import { ruleCodes } from '../../src/schema/rules.js';
import { fake } from './fake-context.js';

const codes = [...Object.keys(CODES), ...ruleCodes()].sort();

async function explained(args: readonly string[]): Promise<Record<string, string>[]> {
  const { context, shown } = fake();
  expect(await run(context, args, { json: true })).toBe(0);
  return shown.out().map((line) => JSON.parse(line));
}

test('without a code: every code of the program and of the rules', async () => {
  expect((await explained([])).map(({ code }) => code)).toEqual(codes);
});

test.each(codes)('%s', async (code) => {
  const [entry] = await explained([code]);
  for (const key of ['level', 'title', 'message', 'fix']) expect(entry?.[key]).toBeTruthy();
});
