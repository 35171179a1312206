import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT_OF_ERROR } from '../../src/cli/failure.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { resume, send } from './use-cases.js';

vi.setConfig({ testTimeout: 60_000 });

/** Writes that the disk still takes, of journal and report. */
const room = vi.hoisted(() => ({ journal: Number.POSITIVE_INFINITY, report: Number.POSITIVE_INFINITY }));

vi.mock('../../src/send/sqlite.js', async (original) => {
  const real = await original<typeof import('../../src/send/sqlite.js')>();
  const databaseOf: typeof real.databaseOf = (file, count) => {
    const database = real.databaseOf(file, count);
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    return {
      ...database,
      async writer() {
        const writer = await database.writer();
        const commit: typeof writer.commit = (...writes) =>
          room.journal-- > 0
            ? writer.commit(...writes)
            : Promise.reject(full).catch((error) => real.fail(file.path, error));
        return { ...writer, commit };
      },
    };
  };
  return { ...real, databaseOf };
});
vi.mock('../../src/report/put-in-place.js', async (original) => {
  const real = await original<typeof import('../../src/report/put-in-place.js')>();
  const putInPlace: typeof real.putInPlace = (file, write, placing) =>
    real.putInPlace(
      file,
      (temporary) => {
        if (room.report-- > 0) return write(temporary);
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
      },
      placing,
    );
  return { ...real, putInPlace };
});

beforeEach(() => {
  Object.assign(room, { journal: Number.POSITIVE_INFINITY, report: Number.POSITIVE_INFINITY });
});

test.each([
  ['the journal, in the middle', { journal: 30 }, 'resume'],
  ['the report, when all is accepted', { report: 0 }, 'report'],
] as const)('a disk that is full at %s: exit 4, and how to go on', async (_, left, verb) => {
  const box = await startSandbox({ now: () => NOW });
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const here = () => fake({ url: box.url, token: box.token, workspace: `${folder}/ws` });
  const options = { ...WIDE, testSet: 'set-1', report: `${folder}/r.xlsx`, yes: true, json: true };
  Object.assign(room, left);
  const call = here();
  const error = await send(call.context, [SAMPLE], options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PipelineError);
  expect(EXIT_OF_ERROR[(error as PipelineError).key]).toBe(4);
  expect(call.shown.said().join('\n')).toMatch(new RegExp(`: cargue ${verb} \\S+ --url ${box.url}`));
  expect(box.controls.requests().count).toBeGreaterThan(0);

  Object.assign(room, { journal: Number.POSITIVE_INFINITY, report: Number.POSITIVE_INFINITY });
  // That what is under its number is ours, the PIN tells.
  expect(await resume({ ...here().context, softwarePin: '12345' }, [], options)).toBe(0);
  const sent = box.controls.requests().requests.filter(({ operation }) => operation === 'sendPayrollTestSet');
  expect(new Set(sent.map(({ number }) => number)).size).toBe(25);
});
