import { randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '../../src/send/journal.js';
import { type Proof, placeOf, readProof, writeProof } from '../../src/send/journal-proof.js';
import { envelopesOf, payrollCast, type Role } from './cast.js';
import { spoolCast, withJournal } from './cast-spool.js';
import type { Findings } from './oracle.js';
import { goOn, NOTHING_BEFORE, openStage, sendOnce } from './stage.js';
import { cutJournal } from './wal-frames.js';

/** What a whole run left: its journal with nothing but the log, and how far the service was at each request. */
export interface WalScene {
  readonly roles: readonly Role[];
  readonly testSet: boolean;
  readonly folder: string;
  readonly journal: string;
  readonly stateFile: string;
  /** The proof that was on the disk from the moment that the log had this length. */
  readonly proof: { readonly from: number; readonly text: Proof };
  /** By request: what of the log was written when it came, what of the service's state when it was done, and whose it was. */
  readonly moments: readonly { readonly wal: number; readonly state: number; readonly sent?: string }[];
}

const COUNT = 4;

/** Sends a few documents, one request at a time, and keeps a copy of everything before anything is tidied up. */
export async function playWalScene(folder: string, testSet: boolean): Promise<WalScene> {
  const stateFile = join(folder, 'service.jsonl');
  const path = join(folder, 'live.db');
  const journal = join(folder, 'whole.db');
  const moments: { wal: number; state: number; sent?: string }[] = [];
  let wal = 0;
  let proof: WalScene['proof'] | undefined;
  const stage = await openStage({
    testSet,
    service: { stateFile },
    path,
    onArrival: () => {
      wal = statSync(`${path}-wal`).size;
    },
    onProcessed: ({ isSend, about }) => {
      moments.push({ wal, state: statSync(stateFile).size, ...(isSend && { sent: about }) });
    },
  });
  const roles = payrollCast({ seed: 5, count: COUNT, testSet: false });
  try {
    await withJournal(path, async (open) => {
      proof = { from: statSync(`${path}-wal`).size, text: readProof(path)! };
      const { run } = await spoolCast(open, envelopesOf(roles), stage.testSet);
      await sendOnce(stage, open, run, { concurrency: 1 });
      for (const end of ['', '-wal']) copyFileSync(path + end, journal + end);
    });
  } finally {
    await stage.close();
  }
  return { roles, testSet, folder, journal, stateFile, proof: proof!, moments };
}

/** What a journal says of its documents, whatever lies behind it. */
export async function dump({ journal, folder }: WalScene, length: number): Promise<string> {
  // A closed database may live on until its statements are collected: each cut has a file of its own.
  const path = join(folder, `dumped-${randomUUID()}.db`);
  cutJournal(journal, path, length);
  const open = await readJournal(path);
  try {
    const runs = await open.all('SELECT id, state FROM run');
    return JSON.stringify([runs, await open.all('SELECT * FROM document ORDER BY id')]);
  } finally {
    await open.close();
  }
}

/**
 * Goes on from a journal whose log was cut, with a service to which all that can have left has come; without the last
 * send when `landed` is false. Undefined when the journal knows what became of that one.
 */
export async function goOnFromCut(
  scene: WalScene,
  length: number,
  landed: boolean,
): Promise<Findings | undefined> {
  const { folder, testSet, roles, moments, proof } = scene;
  const path = join(folder, `cut-${length}-${landed}.db`);
  const stateFile = `${path}.service`;
  cutJournal(scene.journal, path, length);
  if (length >= proof.from) writeProof(path, { ...proof.text, ...placeOf(path), at: Date.now() });
  const came = moments.filter(({ wal }) => wal <= length);
  const last = came.at(-1);
  if (!landed && (last?.sent === undefined || !(await isSending(path, last.sent)))) return undefined;
  const state = came.at(landed ? -1 : -2)?.state ?? 0;
  writeFileSync(stateFile, readFileSync(scene.stateFile).subarray(0, state));
  const stage = await openStage({ testSet, service: { stateFile }, path });
  try {
    const { doubles, lost, wrong } = await goOn(stage, roles, NOTHING_BEFORE);
    return { doubles, lost, wrong };
  } finally {
    await stage.close();
  }
}

/** Sends that came before the log held their mark. */
export async function unmarked({ journal, folder, moments }: WalScene): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, { wal, sent }] of moments.entries()) {
    const path = join(folder, `arrival-${at}.db`);
    cutJournal(journal, path, wal);
    if (sent !== undefined && !(await isSending(path, sent))) found.push(sent);
  }
  return found;
}

async function isSending(path: string, number: string): Promise<boolean> {
  const journal = await readJournal(path);
  try {
    const sending = `SELECT 1 FROM document WHERE prefix || consecutive = ? AND state = 'sending'`;
    return (await journal.first(sending, number)) !== undefined;
  } finally {
    await journal.close();
  }
}
