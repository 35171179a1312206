/**
 * Plays the calls that its parent sends with the built program, so that neither a loader nor the test's own work counts
 * as memory of the program. What it writes goes nowhere.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runOnTerminal } from '../../dist/cli/run.js';
import { createTerminal } from '../../dist/cli/terminal.js';
import { PipelineError } from '../../dist/toolkit/core/issue.js';

const check = async () => (await import('../../dist/app/check.js')).check;
const USE_CASES = {
  annotate: check,
  check,
  convert: async () => (await import('../../dist/app/convert.js')).convert,
  inspect: async () => (await import('../../dist/app/inspect.js')).inspect,
  lint: async () => (await import('../../dist/app/mapping.js')).mappingLint,
};
const OUTPUTS = { annotate: 'annotate', convert: 'output', inspect: 'write' };

const nowhere = { write: () => true, once: () => undefined };
const refuse = async () => '';
const contextIn = (folder) => ({
  terminal: createTerminal({ stdin: {}, stdout: nowhere, stderr: nowhere, language: 'es', noColour: true }),
  language: 'es',
  now: () => new Date('2026-11-21T15:00:00Z'),
  workspace: join(folder, 'ws'),
  prompts: { yes: async () => false, secret: refuse, text: refuse },
  onInterrupt: () => () => undefined,
});

/** The copy is a workbook that reads to its end. */
async function readsAgain(file) {
  const { openInput } = await import('../../dist/toolkit/tables/open.js');
  const input = await openInput(file);
  try {
    for (const table of input.tables) for await (const _ of table.batches());
  } finally {
    await input.close();
  }
}

async function faultOf({ act, files, options, folder }) {
  const output = join(folder, 'out');
  const own = act in OUTPUTS ? { [OUTPUTS[act]]: output } : {};
  try {
    const run = await USE_CASES[act]();
    await runOnTerminal(run, contextIn(folder), act === 'lint' ? [options.mapping] : files, {
      ...options,
      ...own,
    });
  } catch (error) {
    if (!(error instanceof PipelineError)) return `unexpected: ${error?.stack ?? String(error)}`;
    if (error.issues.length === 0) return 'stopped without a word';
  }
  const left = readdirSync(folder).filter((name) => name.endsWith('.part'));
  if (left.length > 0) return `left behind: ${left.join(', ')}`;
  if (act !== 'annotate' || !readdirSync(folder).includes('out')) return undefined;
  try {
    await readsAgain(output);
  } catch (error) {
    // A sheet that no mark concerns is copied as it is, with what is wrong in it.
    const before = await readsAgain(files[0]).then(
      () => true,
      () => false,
    );
    if (before) return `the copy cannot be read: ${error.stack}`;
  }
  return undefined;
}

let started = process.cpuUsage();
const answer = (fault) => {
  const { user, system } = process.cpuUsage(started);
  process.send({ fault, seconds: (user + system) / 1e6, memory: process.resourceUsage().maxRSS });
};
const stray = (error) => answer(`stray: ${error?.stack}`);
process.on('uncaughtException', stray);
process.on('unhandledRejection', stray);
process.on('message', (call) => {
  started = process.cpuUsage();
  void faultOf(call).then(answer, stray);
});
