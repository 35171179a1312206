import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { tellFailure, usageError } from '../../src/cli/failure.js';
import { PipelineError, type PipelineErrorKey } from '../../src/toolkit/core/issue.js';
import { screen } from './screen.js';

const issue = { code: 'file/not-found', level: 'error', params: {}, place: { file: 'a.xlsx' } } as const;

describe('what stopped the run', () => {
  test.each<[PipelineErrorKey, number]>([
    ['usage', 2],
    ['mapping', 2],
    ['journal', 2],
    ['away', 3],
    ['output', 2],
    ['input', 1],
    ['service', 3],
  ])('%s is exit %d', async (key, code) => {
    const { terminal, said } = screen();
    expect(await tellFailure(new PipelineError(key, [issue, issue]), terminal, [])).toBe(code);
    expect(said()).toHaveLength(2);
  });

  test('a defect is one line, and its stack only on demand', async () => {
    const quiet = screen();
    expect(await tellFailure(new TypeError('x is undefined\nmore'), quiet.terminal, ['check'])).toBe(70);
    expect(quiet.said()).toEqual([expect.stringContaining('x is undefined')]);
    const loud = screen();
    await tellFailure(new TypeError('x'), loud.terminal, ['check', '--debug']);
    expect(loud.raw()).toContain('    at ');
  });

  test.each([
    [
      "option '-p, --param <NOMBRE=VALOR>' argument missing",
      'optionMissingArgument',
      '-p, --param <NOMBRE=VALOR>',
    ],
    ["unknown option '--pin=1234'", 'unknownOption', '--pin'],
  ])('%s: the option is named, and no value of one that is not known', (message, code, value) => {
    const error = usageError(new CommanderError(1, `commander.${code}`, `error: ${message}`), ['check']);
    expect(error.issues.map((one) => one.value)).toEqual([value]);
  });

  test('the cause is what --debug shows', async () => {
    const { terminal, raw } = screen();
    const cause = new Error('EACCES: deep down');
    await tellFailure(new PipelineError('output', [issue], { cause }), terminal, ['--debug']);
    expect(raw()).toContain('Error: EACCES: deep down');
  });

  test('programs that read events get one', async () => {
    const { terminal, out } = screen();
    await tellFailure('thrown text', terminal, ['--json']);
    expect(out().map((line) => JSON.parse(line).code)).toEqual(['run/unexpected']);
  });
});
