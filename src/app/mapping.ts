import type { JsonValue } from '../core/json.js';
import { type MappingTestResult, runMappingTests } from '../documents/mapping-tests.js';
import { deriveWith } from '../families/registry.js';
import { loadMapping } from '../mapping/load.js';
import { say } from '../messages/texts.js';
import { type Context, EXIT, familiesOf, type UseCase } from './context.js';
import { chooseMapping } from './job.js';

/** `cargue mapping lint FILE`: findings stop the run with their line and column. */
export const mappingLint: UseCase = async ({ terminal, language }, [file]) => {
  await loadMapping(await chooseMapping(file));
  terminal.say(say(language, 'lintFine', { file: file ?? '' }));
  return EXIT.fine;
};

const shown = (value: JsonValue | undefined): string => (value === undefined ? '—' : JSON.stringify(value));

function sayResult({ terminal, language }: Context, { name, differences }: MappingTestResult): void {
  const isFine = differences.length === 0;
  terminal.say(`${terminal.paint(isFine ? 'green' : 'red', isFine ? '✓' : '✗')} ${name}`);
  for (const { at, expected, found } of differences)
    terminal.say(
      `    ${say(language, 'testDifference', { at, expected: shown(expected), found: shown(found) })}`,
    );
}

/** `cargue mapping test FILE`: the tests that the mapping holds, each with what differs. */
export const mappingTest: UseCase = async (context, [file], { json }) => {
  const { terminal, language } = context;
  const mapping = await loadMapping(await chooseMapping(file));
  let all = 0;
  let fine = 0;
  for await (const result of runMappingTests(mapping, deriveWith(familiesOf(context)))) {
    const ok = result.differences.length === 0;
    all += 1;
    if (ok) fine += 1;
    if (json) terminal.out(JSON.stringify({ event: 'test', ok, ...result }));
    else sayResult(context, result);
  }
  if (json) terminal.out(JSON.stringify({ event: 'summary', tests: all, passed: fine }));
  else terminal.say(say(language, 'testsDone', { fine, all }));
  return fine === all ? EXIT.fine : EXIT.dataErrors;
};
