import { expect, onTestFinished, test, vi } from 'vitest';
import { EXIT_OF_ERROR } from '../../src/cli/failure.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { report, resume, send, status } from './use-cases.js';

const engine = vi.hoisted(() => ({ version: '' }));

vi.mock('../../src/toolkit/core/sqlite-engine.js', async (original) => {
  const real = await original<typeof import('../../src/toolkit/core/sqlite-engine.js')>();
  return { ...real, sqliteVersion: () => engine.version || real.sqliteVersion() };
});

test('with a SQLite that may lose data nothing is written or sent, and what there is can be read', async () => {
  const box = await startSandbox({ now: () => NOW });
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const here = () => fake({ url: box.url, token: box.token, workspace: `${folder}/ws` });
  const options = { ...WIDE, testSet: 'set-1', report: `${folder}/r.xlsx`, yes: true, json: true };
  const refusal = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof PipelineError)) throw error;
    return [EXIT_OF_ERROR[error.key], ...error.issues.map(({ code }) => code)];
  };

  engine.version = '3.45.1';
  expect(await refusal(send(here().context, [SAMPLE], options))).toEqual([2, 'journal/unsafe-sqlite']);
  expect(box.controls.documents()).toEqual([]);

  engine.version = '';
  expect(await send(here().context, [SAMPLE], options)).toBe(0);
  const { count } = box.controls.requests();

  engine.version = '3.51.2';
  expect(await refusal(resume(here().context, [], options))).toEqual([2, 'journal/unsafe-sqlite']);
  expect(await status(here().context, [], { json: true })).toBe(0);
  expect(await report(here().context, [], { output: `${folder}/again.xlsx` })).toBe(0);
  expect(box.controls.requests().count).toBe(count);
});
