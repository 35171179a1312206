import { runMappingTests } from '../documents/mapping-tests.js';
import { loadMapping } from '../mapping/load.js';
import type { UseCase } from './context.js';
import { say, sayAgain } from './events.js';
import { chooseMapping, deriveFor } from './job.js';

/** `cargue mapping lint FILE`: findings stop the run with their line and column. */
export const mappingLint: UseCase = async (context, [file]) => {
  await loadMapping(await chooseMapping(file));
  say(context, 'lintFine', { file: file ?? '' });
  return 'fine';
};

/** `cargue mapping test FILE`: the tests that the mapping holds, each with what differs. */
export const mappingTest: UseCase = async (context, [file]) => {
  const mapping = await loadMapping(await chooseMapping(file));
  let tests = 0;
  let passed = 0;
  for await (const result of runMappingTests(mapping, deriveFor(context))) {
    const ok = result.differences.length === 0;
    tests += 1;
    if (ok) passed += 1;
    context.tell({ event: 'test', ok, ...result });
  }
  context.tell({ event: 'summary', tests, passed });
  sayAgain(context, 'testsDone', { fine: String(passed), all: String(tests) });
  return passed === tests ? 'fine' : 'data-errors';
};
