import { loadMapping } from '../../mapping/load.js';
import { type MappingTestResult, runMappingTests } from '../../pipeline/run-mapping-tests.js';
import type { JsonValue } from '../../values/json.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { chooseMapping } from '../mapping-choice.js';
import { say } from '../say.js';

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
export const run: Run = async (context, [file], { json }) => {
  const { terminal, language } = context;
  const mapping = await loadMapping(await chooseMapping(file));
  let all = 0;
  let fine = 0;
  for await (const result of runMappingTests(mapping)) {
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
