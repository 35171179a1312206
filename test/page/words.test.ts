import { describe, expect, test } from 'vitest';
import { readCodes } from '../../src/codegen/messages.js';
import { PHRASES } from '../../src/generated/texts-cli.js';
import { PAGE, PAGE_SAYS } from '../../src/generated/texts-page.js';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { pageWording } from '../../src/toolkit/messages/wording.js';
import { ruleData, ruleEntry } from '../../src/toolkit/schema/rule-data.js';

/** Words that are typed in a terminal: commands, options, variables. */
const COMMAND = /\bcargue [a-z]+\b|(^|[\s(«"])--?[a-z][a-z-]*\b|CARGUE_[A-Z]/;

/** Said by commands that the page does not have. */
const NOT_ON_PAGE: ReadonlySet<string> = new Set([
  'demoOnPage',
  'dryConfigured',
  'dryRun',
  'inboxWatched',
  'paramOfList',
  'projectWritten',
]);

const codes = Object.entries(readCodes('.')).filter(([, { cure }]) => cure !== 'terminal');
const places: readonly Issue['place'][] = [
  {},
  { param: 'x' },
  { mapping: 'x' },
  { json: '/x' },
  { file: 'x' },
  { file: 'x', row: 2, column: 'A' },
];

/** The word of the terminal for what the page calls a submission, and what agrees with it. */
const RUN = /ejecuci|\brun\b|envíos?[^.:;]*( retenida| a la que| la empieza| de ella|, otra )/i;

describe.each(['es', 'en'] as const)('%s', (language) => {
  test.each(codes)('%s', (code, { cases = {}, message }) => {
    const issues = [...(message === undefined ? [] : [undefined]), ...Object.keys(cases)].flatMap((which) =>
      places.map(
        (place) =>
          ({
            code,
            level: 'error',
            params: which === undefined ? {} : { case: which },
            place,
          }) as unknown as Issue,
      ),
    );
    for (const issue of issues) {
      const { message, fix } = pageWording(issue, language, ruleEntry);
      for (const text of [message, fix]) {
        expect(text).not.toMatch(COMMAND);
        expect(text).not.toMatch(RUN);
      }
    }
  });

  test('what a user wrote stays as it is', () => {
    const value = 'la ejecución run {run}';
    const issue: Issue = {
      code: 'cell/not-a-number',
      level: 'error',
      value,
      params: {},
      place: { file: 'x', row: 2, column: 'A' },
    };
    expect(pageWording(issue, language, ruleEntry).message).toContain(value);
  });

  test('the words of the page and what it says while it works', () => {
    const said = { ...PHRASES, ...PAGE_SAYS };
    const texts = [
      ...Object.values(PAGE),
      ...Object.entries(said).flatMap(([key, text]) => (NOT_ON_PAGE.has(key) ? [] : [text])),
    ].map((text) => text[language]);
    expect(texts.filter((text) => COMMAND.test(text))).toEqual([]);
  });

  test('the rules', () => {
    const texts = ruleData().rules.flatMap(({ message, fix }) =>
      [message, fix].flatMap((text) => text?.[language] ?? []),
    );
    expect(texts.filter((text) => COMMAND.test(text))).toEqual([]);
  });
});
