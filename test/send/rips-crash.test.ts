import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configureHealthAccess } from '../../src/families/rips/answer.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import { openJournal } from '../../src/send/journal.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { startFaultProxy } from '../chaos/fault-proxy.js';
import { CONFIGURATION, MORNING } from '../sandbox/rips/clinic.js';
import { childProgram } from '../support/child-program.js';
import { attention, NIT, spoolCare, stored } from './rips-support.js';
import { clientOf, send, tempFolder, tempJournal } from './support.js';

const CHILD = new URL('rips-child.ts', import.meta.url);
const PATIENTS = 6;
/** Two visits a patient. */
const VISITS = Array.from({ length: 2 * PATIENTS }, (_, index) =>
  attention(index % PATIENTS, { hour: index < PATIENTS ? 8 : 9 }),
);

/** The request of each stage, by its path. */
const STAGES: readonly (readonly [operation: string, path: RegExp])[] = [
  ['listPatients', /\/patients\?/],
  ['createPatient', /\/patients$/],
  ['createAppointment', /\/appointments$/],
  ['createRipsDocument', /\/documents$/],
  ['generateRips', /\/documents\/generate\//],
];
/** Under way at the kill. */
const UNDER_WAY = 3;

/** What may be left to a person; other packages may have been further than the ones under way. */
const LEFT = ['send/appointment-unknown', 'send/rips-document-unknown', 'send/cuv-unknown'];

describe('killed while requests of a stage are under way, then resumed', () => {
  test.each(STAGES)('%s', { timeout: 60_000 }, async (_, stage) => {
    const box = await startSandbox({ now: () => MORNING });
    onTestFinished(() => box.close());
    const client = clientOf(box.url, { token: box.token });
    await configureHealthAccess(client, CONFIGURATION as never);
    const path = join(tempFolder(), 'journal.db');
    const prepared = await openJournal(path);
    const { run } = await spoolCare(prepared, VISITS);
    await prepared.close();

    // None of them is answered before the sender is dead; then they land.
    const program = await childProgram(CHILD);
    let met = 0;
    const proxy = await startFaultProxy({
      target: box.url,
      patience: 0,
      onArrival: async ({ path: asked }) => {
        if (!stage.test(asked)) return;
        met += 1;
        if (met === UNDER_WAY) child.kill('SIGKILL');
        await ended;
      },
    });
    onTestFinished(() => proxy.close());
    const child = spawn(process.execPath, [program, path, proxy.url, run, box.token], {
      stdio: 'inherit',
    });
    const ended = once(child, 'exit');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await proxy.idle();
    expect(met).toBeGreaterThanOrEqual(UNDER_WAY);

    const journal = await tempJournal(path);
    const { counts } = await send(journal, run, client, { kind: RIPS });
    expect([counts.accepted + counts.unknown, counts.rejected, counts.unsent]).toEqual([VISITS.length, 0, 0]);
    for await (const { state, issues, number } of outcomes(journal, run)) {
      if (state === 'accepted') continue;
      expect(issues).toHaveLength(1);
      expect(LEFT).toContain(issues[0]?.code);
      expect(paramOf(issues[0]!, 'number')).toBe(number);
    }
    expect(stored(box, 'createPatient')).toBe(PATIENTS);
    // Nothing is made or sent a second time, whatever was lost.
    for (const made of ['createAppointment', 'createRipsDocument', 'generateRips'])
      expect([made, stored(box, made) <= VISITS.length]).toEqual([made, true]);
    const numbers = box.controls.packages(NIT).map(({ noteNumber }) => noteNumber);
    expect(new Set(numbers).size).toBe(numbers.length);
    const generated = box.controls.requests({ operation: 'generateRips' as never }).requests;
    expect(new Set(generated.map(({ key }) => key)).size).toBe(generated.length);
  });
});
