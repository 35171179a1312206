import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RIPS } from '../../src/families/rips/delivery.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import { backupJournal, closeInOrder, openJournal, readJournal } from '../../src/send/journal.js';
import {
  type Owner,
  type Proof,
  placeOf,
  proofFile,
  readProof,
  writeProof,
} from '../../src/send/journal-proof.js';
import { fileJournals } from '../../src/send/journals.js';
import { listRuns, outcomeCounts } from '../../src/send/runs.js';
import { settleByPerson } from '../../src/send/settle.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { walLengths } from '../chaos/wal-frames.js';
import { attention, clinicOf, NIT, spoolCare } from './rips-support.js';
import { ACCEPTED, clientOf, META, send, service, spool, tempFolder, workers } from './support.js';

/** Opens for sending and closes: the code that speaks against it, or how many documents it doubts. */
async function opened(path: string, options: { owner?: Owner; adopt?: boolean } = {}): Promise<string> {
  try {
    const journal = await openJournal(path, options);
    const { restored } = journal;
    await journal.close();
    return restored === undefined ? 'sure' : `doubts ${restored.documents}`;
  } catch (error) {
    if (error instanceof PipelineError) return error.issues[0]!.code;
    throw error;
  }
}

const put = (journal: string, path: string): void => {
  for (const end of ['', '-wal'])
    if (existsSync(journal + end)) copyFileSync(journal + end, path + end);
    else rmSync(path + end, { force: true });
};

/** Puts a backup in the place of a journal, as people do: nothing of the old one stays but its proof. */
function restore(copy: string, path: string): string {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  copyFileSync(copy, path);
  return path;
}

/** As if the proof had been written for the file that lies there. */
const prove = (path: string, proof: Proof): void =>
  writeProof(path, { ...proof, ...placeOf(path), at: Date.now() });

/** A journal as a kill leaves it, all of a run in its log; what it was before the run; and the whole one, closed in order. */
async function played(documents: number) {
  const folder = tempFolder();
  const path = join(folder, 'journal.db');
  const before = join(folder, 'before');
  const after = join(folder, 'after');
  const closed = join(folder, 'closed');
  const journal = await openJournal(path);
  for (const pragma of ['wal_checkpoint(TRUNCATE)', 'wal_autocheckpoint = 0'])
    await journal.all(`PRAGMA ${pragma}`);
  put(path, before);
  const { run } = await spool(journal, workers(documents));
  const { url } = await service(() => ACCEPTED);
  await send(journal, run, clientOf(url), { policy: { concurrency: 1 } });
  put(path, after);
  const proof = readProof(path)!;
  await closeInOrder(journal);
  put(path, closed);
  const at = (files: string): string => {
    const copy = join(tempFolder(), 'journal.db');
    put(files, copy);
    prove(copy, proof);
    return copy;
  };
  return { before, after, closed, at, proof };
}

const flip = (file: string, at: number): void => {
  const bytes = readFileSync(file);
  bytes[at]! ^= 0x10;
  writeFileSync(file, bytes);
};

describe('what a journal lost is noticed', () => {
  type Played = Awaited<ReturnType<typeof played>>;
  const wal = (path: string): string => `${path}-wal`;
  const size = (file: string): number => readFileSync(file).length;

  const DAMAGE: readonly [string, 'after' | 'closed', (path: string, scene: Played) => void, string][] = [
    ['nothing, after a kill', 'after', () => {}, 'sure'],
    ['nothing, after an end in order', 'closed', () => {}, 'sure'],
    ['a bit of the header of the log', 'after', (path) => flip(wal(path), 17), 'journal/behind'],
    ['a bit of its salt', 'after', (path) => flip(wal(path), 20), 'journal/behind'],
    ['a bit of its first frame', 'after', (path) => flip(wal(path), 32 + 24 + 100), 'journal/behind'],
    [
      'a bit in the middle',
      'after',
      (path) => flip(wal(path), Math.floor(size(wal(path)) / 2)),
      'journal/behind',
    ],
    ['the last bit', 'after', (path) => flip(wal(path), size(wal(path)) - 1), 'journal/behind'],
    [
      'half of the log',
      'after',
      (path) => truncateSync(wal(path), Math.floor(size(wal(path)) / 2)),
      'journal/behind',
    ],
    ['its last byte', 'after', (path) => truncateSync(wal(path), size(wal(path)) - 1), 'journal/behind'],
    ['all but its header', 'after', (path) => truncateSync(wal(path), 32), 'journal/behind'],
    ['all of the log, the file is there', 'after', (path) => truncateSync(wal(path), 0), 'journal/behind'],
    ['the log', 'after', (path) => rmSync(wal(path)), 'journal/behind'],
    [
      'zeros in place of the log',
      'after',
      (path) => writeFileSync(wal(path), Buffer.alloc(size(wal(path)))),
      'journal/behind',
    ],
    ['the database emptied, the log is there', 'after', (path) => truncateSync(path, 0), 'journal/behind'],
    ['the database emptied', 'closed', (path) => truncateSync(path, 0), 'journal/behind'],
    ['the database', 'closed', (path) => rmSync(path), 'journal/behind'],
    [
      'half of the database',
      'closed',
      (path) => truncateSync(path, Math.floor(size(path) / 8192) * 4096),
      'journal/damaged',
    ],
    ['an earlier one in its place', 'closed', (path, { before }) => put(before, path), 'journal/behind'],
    [
      'an earlier one in its place, the log gone',
      'after',
      (path, { before }) => put(before, path),
      'journal/behind',
    ],
  ];

  test.each(DAMAGE)('%s', async (_, files, damage, expected) => {
    const scene = await played(3);
    const path = scene.at(scene[files]);
    damage(path, scene);
    expect(await opened(path)).toBe(expected);
    if (expected === 'sure') return;
    // Looking alone changes nothing: it is refused the next time, too.
    expect(await opened(path)).toBe(expected);
  });

  test('reading goes on, and says it', async () => {
    const scene = await played(3);
    const path = scene.at(scene.closed);
    const said: string[] = [];
    const look = async (): Promise<void> => {
      const journal = await fileJournals(tempFolder()).read(path, (issues) =>
        said.push(...issues.filter(({ level }) => level === 'warning').map(({ code }) => code)),
      );
      await journal.close();
    };
    await look();
    expect(said).not.toContain('journal/behind');
    put(scene.before, path);
    await look();
    expect(said).toContain('journal/behind');
  });

  test('at every frame of the log, and in the middle of each: whatever was counted is missed', async () => {
    const scene = await played(3);
    const { frames, commits } = walLengths(readFileSync(wal(scene.after)));
    const last = commits.at(-1)!;
    const cuts = [0, 16, 32, ...frames.flatMap((end) => [end, end - 2_000])];
    for (const cut of cuts) {
      const path = scene.at(scene.after);
      truncateSync(wal(path), cut);
      expect([cut, await opened(path)]).toEqual([cut, cut >= last ? 'sure' : 'journal/behind']);
    }
    for (const end of frames) {
      const path = scene.at(scene.after);
      flip(wal(path), end - 50);
      expect([end, await opened(path)]).toEqual([end, end > last ? 'sure' : 'journal/behind']);
    }
  });

  test('pages of two moments, though they fit together', async () => {
    const scene = await played(3);
    const path = scene.at(scene.closed);
    const journal = await openJournal(path);
    await journal.script('DELETE FROM attempt WHERE id = 2');
    await journal.close();
    expect(await opened(path)).toBe('journal/damaged');
  });

  test('two companies whose files were swapped', async () => {
    const [one, other] = [await played(1), await played(2)];
    const path = one.at(one.closed);
    put(other.closed, path);
    expect(await opened(path)).toBe('journal/foreign');
  });

  test('what a person adopts is gone on with, in doubt, and is sure from then on', async () => {
    const scene = await played(3);
    const path = scene.at(scene.after);
    truncateSync(wal(path), walLengths(readFileSync(wal(path))).commits[2]!);
    expect(await opened(path)).toBe('journal/behind');
    expect(await opened(path, { adopt: true })).toBe('doubts 3');
    expect(await opened(path)).toBe('sure');
    const journal = await readJournal(path);
    onTestFinished(() => journal.close());
    expect(await outcomeCounts(journal, (await listRuns(journal))[0]!.id)).toMatchObject({
      unknown: 3,
      unsent: 0,
    });
  });

  test('a sound one that is adopted doubts nothing', async () => {
    const scene = await played(3);
    expect(await opened(scene.at(scene.closed), { adopt: true })).toBe('sure');
  });
});

describe('what was restored or copied doubts what is not final', () => {
  /** Two of four are sent; the others wait. */
  async function halfway() {
    const folder = tempFolder();
    const path = join(folder, 'journal.db');
    const journal = await openJournal(path);
    const { run } = await spool(journal, workers(4));
    const { url } = await service((_, turn) =>
      turn <= 2 ? ACCEPTED : { status: 401, json: { message: 'Unauthenticated.' } },
    );
    await send(journal, run, clientOf(url), { policy: { concurrency: 1 } });
    const copy = join(folder, 'copy.db');
    await backupJournal(journal, copy);
    await closeInOrder(journal);
    return { folder, path, copy, run };
  }

  const MOVES: readonly [string, (files: Awaited<ReturnType<typeof halfway>>) => string, string][] = [
    ['it is where it was', ({ path }) => path, 'sure'],
    [
      'its folder has another name',
      ({ folder, path }) => {
        renameSync(folder, `${folder}-moved`);
        onTestFinished(() => rmSync(`${folder}-moved`, { recursive: true }));
        return path.replace(folder, `${folder}-moved`);
      },
      'sure',
    ],
    ['a backup in its place', ({ path, copy }) => restore(copy, path), 'doubts 2'],
    ['a backup elsewhere', ({ copy }) => copy, 'doubts 2'],
    [
      'a copy with its proof',
      ({ path }) => {
        const at = join(tempFolder(), 'journal.db');
        copyFileSync(path, at);
        copyFileSync(proofFile(path), proofFile(at));
        return at;
      },
      'doubts 2',
    ],
    [
      'both put back into the same files',
      ({ path }) => {
        const proof = readFileSync(proofFile(path), 'utf8');
        writeFileSync(proofFile(path), proof.replace(/"at":\d+/, `"at":${Date.now() - 60_000}`));
        return path;
      },
      'doubts 2',
    ],
    [
      'without its proof',
      ({ path }) => {
        rmSync(proofFile(path));
        return path;
      },
      'doubts 2',
    ],
    [
      'with a proof that nobody can read',
      ({ path }) => {
        writeFileSync(proofFile(path), '{');
        return path;
      },
      'doubts 2',
    ],
    [
      'on another machine',
      ({ path }) => {
        prove(path, readProof(path)!);
        const proof = { ...readProof(path)!, host: 'elsewhere' };
        writeProof(path, proof);
        return path;
      },
      'doubts 2',
    ],
  ];

  test.each(MOVES)('%s', async (_, move, expected) => {
    const path = move(await halfway());
    expect(await opened(path)).toBe(expected);
    // Said once; the documents know.
    expect(await opened(path)).toBe('sure');
  });

  test('a backup of another company is not taken for this one', async () => {
    const { copy } = await halfway();
    expect(await opened(copy, { owner: { address: 'h', company: '800999888' } })).toBe('journal/foreign');
    expect(await opened(copy, { owner: { address: 'h', company: META.company } })).toBe('doubts 2');
  });

  test('a log of the journal before beside the copy is not mixed into it', async () => {
    const { path, copy } = await halfway();
    restore(copy, path);
    writeFileSync(`${path}-wal`, Buffer.alloc(8_192, 1));
    expect(await opened(path)).toBe('journal/foreign-log');
    expect(await opened(path, { adopt: true })).toBe('doubts 2');
    expect(existsSync(`${path}-wal.old`)).toBe(true);
  });

  test('what was laid out and had no yes is given up, and goes by a yes of its own', async () => {
    const folder = tempFolder();
    const journal = await openJournal(join(folder, 'journal.db'));
    const { run } = await spool(journal, workers(2));
    await backupJournal(journal, join(folder, 'copy.db'));
    await journal.close();
    const copy = await openJournal(join(folder, 'copy.db'));
    onTestFinished(() => copy.close());
    expect(await listRuns(copy)).toMatchObject([
      { id: run, state: 'closed', abandonment: { reason: expect.any(String) } },
    ]);
    const again = await spool(copy, workers(2));
    expect([again.planned, again.doubtful.size]).toEqual([2, 2]);
  });

  test('a payroll run goes on from a backup of its middle: all are accepted, each once', async () => {
    const box = await startSandbox({ companies: [{ nit: '900123456', environment: 'production' }] });
    onTestFinished(() => box.close());
    const folder = tempFolder();
    const path = join(folder, 'journal.db');
    const copy = join(folder, 'copy.db');
    const journal = await openJournal(path);
    const { run } = await spool(journal, workers(20));
    const client = clientOf(box.url, { token: box.token });
    let done = false;
    await send(journal, run, client, {
      policy: { concurrency: 2 },
      onProgress: async ({ accepted }) => {
        if (done || accepted < 7) return;
        done = true;
        await backupJournal(journal, copy);
      },
    });
    await closeInOrder(journal);
    restore(copy, path);
    const restored = await openJournal(path);
    onTestFinished(() => restored.close());
    expect(restored.restored).toMatchObject({ runs: [run] });
    expect(restored.restored!.documents).toBeGreaterThan(5);
    const { counts } = await send(restored, run, client);
    expect(counts).toMatchObject({ rejected: 0, unsent: 0 });
    expect(counts.accepted + counts.unknown).toBe(20);
    expect(box.controls.documents()).toHaveLength(20);
  });

  test('a RIPS run goes on from a backup of its middle: nothing is generated twice, the rest is asked of a person', async () => {
    const { box, journal, client } = await clinicOf();
    const folder = tempFolder();
    const copy = join(folder, 'journal.db');
    const visits = Array.from({ length: 12 }, (_, at) => attention(at));
    const { run } = await spoolCare(journal, visits);
    await send(journal, run, client, {
      kind: RIPS,
      policy: { concurrency: 2 },
      onProgress: async ({ accepted }) => {
        if (accepted >= 4 && !existsSync(copy)) await backupJournal(journal, copy);
      },
    });
    expect(box.controls.packages(NIT)).toHaveLength(12);
    const restored = await openJournal(copy);
    onTestFinished(() => restored.close());
    const { counts } = await send(restored, run, client, { kind: RIPS });
    expect(counts).toMatchObject({ rejected: 0, unsent: 0, pending: 0 });
    expect(counts.unknown).toBeGreaterThan(3);
    expect(box.controls.packages(NIT)).toHaveLength(12);

    // Whatever a person finds at one stage, the next one is asked about, too.
    for await (const { sequence, state, number } of outcomes(restored, run)) {
      if (state !== 'unknown') continue;
      const cuv = box.controls.packages(NIT).find(({ noteNumber }) => noteNumber === number)!.cuv!;
      // Of an appointment, of a document; then of the package: never past one that was not asked about.
      const id = String(70 + sequence); // an id is of one document
      for (const word of [id, id, `accepted:${cuv}`])
        try {
          await settleByPerson(restored, RIPS, run, { number: `#${sequence}`, word, now: 0 });
        } catch (error) {
          expect(error).toMatchObject({ issues: [{ code: 'send/cannot-settle' }] });
        }
    }
    expect(await outcomeCounts(restored, run)).toMatchObject({ accepted: 12 });
  });
});
