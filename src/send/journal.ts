import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PipelineError, stop } from '../issues/pipeline-error.js';
import { type Database, openDatabase } from './database.js';
import { checkJournal, endedUncleanly } from './journal-check.js';
import {
  COUNT_COMMIT,
  canonicalCompany,
  type Identity,
  identityOf,
  isCopy,
  isInPlace,
  keepProof,
  NO_NAME,
  newIdentity,
  type Owner,
  type Proof,
  type ProofKeeper,
  readProof,
} from './journal-proof.js';
import { JOURNAL_SCHEMA, JOURNAL_VERSION, MIGRATIONS } from './journal-schema.js';

/** The book of all that was sent for one company at one service. Readers may open it while a sender works. */
export interface Journal extends Database {
  /** Of one that may be written to. */
  readonly proof?: ProofKeeper;
  /** Present where it was restored, copied or adopted since it was last written to. */
  readonly restored?: Restored;
}

/** What a journal doubts that is not sure to know what was sent last. */
export interface Restored {
  /** Runs with documents that may have been sent. */
  readonly runs: readonly string[];
  /** Those documents. */
  readonly documents: number;
  /** Milliseconds: the last that it knows. */
  readonly until: number;
}

export interface OpenOptions {
  /** Whether a missing journal is made; else it is a PipelineError (`journal/missing`). @default true */
  readonly create?: boolean;
  /** Whose it must be. */
  readonly owner?: Owner;
  /** Takes what lies there for the journal, whatever its proof says, and doubts it. @default false */
  readonly adopt?: boolean;
}

const BUSY_MS = 5_000;

/** @throws PipelineError('journal', journal/missing) */
export function requireJournal(path: string): void {
  if (!existsSync(path)) stop('journal', { code: 'journal/missing', params: { path } });
}

const isEmpty = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;

/**
 * Opens for writing. A journal that knows less than its proof is refused; one that lies elsewhere than its proof says, or
 * without one, doubts what is not final. Only for whoever holds the sender lock, or is alone.
 * @throws PipelineError('journal') when the file cannot be written, is damaged, not this journal, or of a newer version
 */
export function openJournal(
  path: string,
  { create = true, owner, adopt = false }: OpenOptions = {},
): Journal {
  const proof = readProof(path);
  if (!create && proof === undefined) requireJournal(path);
  if (!adopt && proof !== undefined && proof.commits > 0 && isEmpty(path))
    stop('journal', behind(path, proof, 0));
  setForeignLogAside(path, adopt);
  const unclean = endedUncleanly(path);
  const isNewCopy = isCopy(path);
  const database = openDatabase(path, BUSY_MS);
  try {
    // From here on the log is its own; that it is a copy says its identity.
    if (isNewCopy) database.exec('PRAGMA application_id = 0');
    for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
      database.prepare(`PRAGMA ${pragma}`).all();
    migrate(database);
    checkJournal(database, unclean);
    const identity = identityOf(database);
    const other = otherThan(path, database, identity, proof, owner);
    if (other !== undefined && !adopt) stop('journal', other);
    const sure = other === undefined && isSure(path, identity, proof);
    const restored = sure ? undefined : doubtAll(database, identity, proof);
    const kept = keepProof(path, {
      journal: identityOf(database).journal,
      commits: countCommit(database),
      names: proof?.names ?? [],
      tokens: proof?.tokens ?? [],
      ...(proof?.address !== undefined && { address: proof.address }),
    });
    if (owner !== undefined) kept.claim(owner);
    return { ...counted(database, kept), proof: kept, ...(restored !== undefined && { restored }) };
  } catch (error) {
    database.close();
    throw error;
  }
}

const countCommit = (database: Database): number =>
  database.prepare(COUNT_COMMIT).first<{ commits: number }>()!.commits;

/** Every transaction is counted, and noted in the proof once it is on the disk. One within another is part of it. */
function counted(database: Database, proof: ProofKeeper): Database {
  let isUnderWay = false;
  let commits = 0;
  return {
    ...database,
    transaction(work) {
      if (isUnderWay) return work();
      isUnderWay = true;
      try {
        database.transaction(() => {
          work();
          commits = countCommit(database);
        });
      } finally {
        isUnderWay = false;
      }
      proof.note(commits);
    },
    async longTransaction(work) {
      isUnderWay = true;
      try {
        const result = await database.longTransaction(async () => {
          const made = await work();
          commits = countCommit(database);
          return made;
        });
        proof.note(commits);
        return result;
      } finally {
        isUnderWay = false;
      }
    },
    close() {
      proof.close();
      database.close();
    },
  };
}

type Refusal = Parameters<typeof stop>[1];

const behind = (path: string, { commits }: Proof, known: number): Refusal => ({
  code: 'journal/behind',
  params: { path, missing: commits - known },
});

/** A log that lies beside a copy is of another file: SQLite would mix them. */
function setForeignLogAside(path: string, adopt: boolean): void {
  if (!isCopy(path) || !endedUncleanly(path)) return;
  if (!adopt) stop('journal', { code: 'journal/foreign-log', params: { path: `${path}-wal` } });
  renameSync(`${path}-wal`, `${path}-wal.old`);
  rmSync(`${path}-shm`, { force: true });
}

/** Why it is not the journal that its proof, or the folder, says. */
function otherThan(
  path: string,
  database: Database,
  { journal, previous, commits, copy }: Identity,
  proof: Proof | undefined,
  owner: Owner | undefined,
): Refusal | undefined {
  const foreign: Refusal = { code: 'journal/foreign', params: { path } };
  if (copy === 0 && proof !== undefined) {
    if (proof.journal !== journal && proof.journal !== previous) return foreign;
    return commits < proof.commits ? behind(path, proof, commits) : undefined;
  }
  return owner === undefined || isOf(database, owner, proof?.names) ? undefined : foreign;
}

/** Whether the runs in it were of this company, as far as anybody was named. */
function isOf(database: Database, { company }: Owner, names: readonly string[] = []): boolean {
  const last = database
    .prepare(`SELECT json_extract(meta, '$.company') AS company FROM run ORDER BY rowid DESC LIMIT 1`)
    .first<{ company: string | null }>()?.company;
  return last == null || [company, NO_NAME, ...names].includes(canonicalCompany(last));
}

/** A journal that is new, or was not written to before there were proofs, has nothing to doubt. */
const isSure = (path: string, { copy, commits }: Identity, proof: Proof | undefined): boolean =>
  copy === 0 && (proof === undefined ? commits === 0 : isInPlace(path, proof));

const RESTORED_REASON = 'diario restaurado / journal restored';

/** Of `document d`: what may have been sent in the time that the journal does not know. */
const MAY_BE_SENT = `d.state IN ('planned', 'sending', 'unknown', 'pending')`;

/**
 * Whatever is not final may have been sent, laid out runs too: a draft may have been given its yes, so that it is given up
 * here, and its documents are sent anew only by a yes of their own. From here on it is another journal than the one that it
 * is a copy of.
 */
function doubtAll(database: Database, { journal, commits }: Identity, proof: Proof | undefined): Restored {
  const runs = database
    .prepare(`SELECT DISTINCT d.run FROM document d WHERE ${MAY_BE_SENT} ORDER BY d.run`)
    .all<{ run: string }>()
    .map(({ run }) => run);
  const { documents } = database
    .prepare(`SELECT count(*) AS documents FROM document d WHERE ${MAY_BE_SENT}`)
    .first<{ documents: number }>()!;
  const { until } = database
    .prepare(
      'SELECT max(coalesce((SELECT max(updated) FROM document), 0), coalesce(max(created), 0)) AS until FROM run',
    )
    .first<{ until: number }>()!;
  database.transaction(() => {
    database.exec(`
      UPDATE document AS d SET doubt = 2, state = CASE state WHEN 'pending' THEN state ELSE 'unknown' END
        WHERE ${MAY_BE_SENT};
      UPDATE run SET state = 'open' WHERE state = 'draft' AND approval IS NOT NULL;`);
    const now = Date.now();
    database
      .prepare(`UPDATE run SET state = 'closed', ended = ?, abandonment = ? WHERE state = 'draft'`)
      .run(now, JSON.stringify({ reason: RESTORED_REASON, at: new Date(now).toISOString() }));
    database
      .prepare('UPDATE identity SET journal = ?, previous = ?, commits = ?, copy = 0')
      .run(newIdentity(), proof?.journal ?? journal, Math.max(commits, proof?.commits ?? 0));
  });
  return { runs, documents, until };
}

/** Lends a copy of a journal that cannot be read where it lies, or is of an earlier version, which is made one of today. */
function openReadingCopy(path: string): Journal {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-journal-'));
  const copy = join(folder, 'journal.db');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    const database = openDatabase(copy, 0);
    try {
      migrate(database);
    } catch (error) {
      database.close();
      throw error;
    }
    return {
      ...database,
      path,
      close: () => {
        database.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Opens for reading: neither the journal nor its log change, also in a folder that may not be written to. A damaged one
 * shows what can be read.
 * @throws PipelineError('journal') when there is none, or it is of a newer version
 */
export function readJournal(path: string): Journal {
  requireJournal(path);
  const alone = ['alone'] as const;
  for (const only of isCopy(path)
    ? alone
    : endedUncleanly(path)
      ? (['reading'] as const)
      : (['reading', ...alone] as const)) {
    const database = tryToRead(path, only);
    if (database === undefined) continue;
    if (versionOf(database) === JOURNAL_VERSION) return database;
    database.close();
    break;
  }
  return openReadingCopy(path);
}

function tryToRead(path: string, only: 'reading' | 'alone'): Database | undefined {
  let database: Database | undefined;
  try {
    database = openDatabase(path, BUSY_MS, only);
    refuseNewer(database);
    return database;
  } catch (error) {
    database?.close();
    const isOut =
      error instanceof PipelineError && error.issues.some(({ code }) => code === 'journal/not-writable');
    if (isOut) return undefined;
    throw error;
  }
}

/** What speaks against a journal that is only read: it is behind its proof. Undefined where nothing does. */
export function knowsLess(journal: Journal, proof: Proof | undefined): number | undefined {
  if (proof === undefined) return undefined;
  const missing = proof.commits - identityOf(journal).commits;
  return missing > 0 ? missing : undefined;
}

/** Closes after sending: all is in the one file, and the next sender sees that this one came to its end. */
export function closeInOrder(journal: Journal): void {
  try {
    journal.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } catch {
    // What is committed stays so; the next one looks the journal over.
  }
  journal.close();
}

const versionOf = (database: Database): number =>
  database.prepare('PRAGMA user_version').first<{ user_version: number }>()?.user_version ?? 0;

function refuseNewer(database: Database): void {
  if (versionOf(database) > JOURNAL_VERSION)
    stop('journal', { code: 'journal/newer', params: { path: database.path } });
}

function migrate(database: Database): void {
  refuseNewer(database);
  if (versionOf(database) === JOURNAL_VERSION) return;
  database.transaction(() => {
    // Another process may have been first.
    const found = versionOf(database);
    if (found === 0) database.exec(JOURNAL_SCHEMA);
    else for (let version = found; version < JOURNAL_VERSION; version++) database.exec(MIGRATIONS[version]!);
    database.exec(`PRAGMA user_version = ${JOURNAL_VERSION}`);
  });
}
