import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canonicalAddress } from '../client/address.js';
import { type Issue, PipelineError, type Reason, stop, warning } from '../toolkit/core/issue.js';
import { unreachable } from '../toolkit/core/required.js';
import { isSafeVersion, sqliteVersion } from '../toolkit/core/sqlite-engine.js';
import { type Database, onlyRow, type Sql } from './database.js';
import {
  COPY_MARK,
  COUNT_COMMIT,
  canonicalCompany,
  IDENTITY_OF,
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
import type { Lease } from './lease.js';
import type { RateLimiter, Runtime } from './rate-limiter.js';
import { databaseOf, openFile, type SqliteFile } from './sqlite.js';

/** Version of the tables, raised with every change; a journal of a later version is refused. */
export const JOURNAL_VERSION = 5;

/** SQL of the value that `identity.tally` must have. */
const TALLY = `(SELECT coalesce(sum(attempts), 0) FROM document) + (SELECT count(*) FROM attempt)`;

/** Indexes of columns that refer to documents: without them a deletion reads all rows for each column. */
const REFERENCES = `
  CREATE INDEX document_earlier ON document (earlier) WHERE earlier IS NOT NULL;
  CREATE INDEX document_predecessor ON document (predecessor) WHERE predecessor IS NOT NULL;
  CREATE INDEX document_waits_for ON document (waits_for) WHERE waits_for IS NOT NULL;
  CREATE INDEX attempt_document ON attempt (document);
`;

/**
 * Tables of a journal. `document` is small and changes, `content` is large and never does. A number belongs to one
 * document for ever: the index on the series says so. `period` is the month of a document within its test set;
 * `predecessor` what a note corrects, if known; `waits_for` what must be accepted before the document may be sent;
 * `number` is set if users write it otherwise than as prefix and consecutive; `made` the ids of its stages that are
 * over; `answer` the stored content of the verdict; `settled` a user's decision on an unknown document, with user and
 * time. Run states: draft (planned, nothing sent, may vanish) → open → closed (all final). A draft with `held` stays
 * until a user approves it: `approval` has user, time and `digest`. `abandonment` is why and when a run was given up,
 * `purged` when its personal data were removed. `identity` identifies the journal and counts its commits; its `tally`
 * adds up the attempts of documents and the lines of `attempt`, to detect mixed pages.
 */
export const JOURNAL_SCHEMA = `
  CREATE TABLE run (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
    created INTEGER NOT NULL,
    ended INTEGER,
    test_set TEXT,
    meta TEXT NOT NULL,
    stopped TEXT,
    digest TEXT,
    held INTEGER,
    approval TEXT,
    abandonment TEXT,
    purged INTEGER
  ) STRICT;

  CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run (id),
    sequence INTEGER NOT NULL,
    key TEXT NOT NULL,
    name TEXT,
    schema TEXT NOT NULL,
    subject TEXT,
    hash TEXT NOT NULL,
    place TEXT,
    type_document_id INTEGER,
    prefix TEXT,
    consecutive INTEGER,
    state TEXT NOT NULL CHECK (state IN ('planned', 'sending', 'accepted', 'rejected', 'pending', 'unknown')),
    doubt INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    document_code TEXT,
    zip_key TEXT,
    issues TEXT,
    earlier INTEGER REFERENCES document (id),
    updated INTEGER NOT NULL,
    period TEXT,
    predecessor INTEGER REFERENCES document (id),
    waits_for INTEGER REFERENCES document (id),
    number TEXT,
    made TEXT,
    settled TEXT
  ) STRICT;
  CREATE UNIQUE INDEX document_sequence ON document (run, sequence);
  CREATE UNIQUE INDEX document_number ON document (type_document_id, prefix, consecutive) WHERE consecutive IS NOT NULL;
  CREATE INDEX document_subject ON document (subject);
  CREATE INDEX document_period ON document (period);
  CREATE INDEX document_code ON document (document_code) WHERE document_code IS NOT NULL;
  CREATE INDEX document_waiting ON document (run) WHERE waits_for IS NOT NULL;
  CREATE INDEX document_pending ON document (run, sequence) WHERE state = 'pending';

  CREATE TABLE content (
    document INTEGER PRIMARY KEY REFERENCES document (id),
    body TEXT NOT NULL,
    trace TEXT NOT NULL
  ) STRICT;

  CREATE TABLE answer (
    document INTEGER PRIMARY KEY REFERENCES document (id),
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id),
    at INTEGER NOT NULL,
    asked TEXT NOT NULL,
    answered TEXT NOT NULL,
    excerpt TEXT
  ) STRICT;

  CREATE TABLE finding (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run (id),
    kind TEXT NOT NULL CHECK (kind IN ('issue', 'skip')),
    content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX finding_run ON finding (run, kind);
  ${REFERENCES}

  CREATE TABLE identity (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    journal TEXT NOT NULL,
    previous TEXT,
    commits INTEGER NOT NULL DEFAULT 0,
    tally INTEGER NOT NULL DEFAULT 0,
    copy INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO identity (id, journal) VALUES (1, lower(hex(randomblob(16))));
  CREATE TRIGGER attempt_line AFTER INSERT ON attempt BEGIN UPDATE identity SET tally = tally + 1; END;
  CREATE TRIGGER document_attempt AFTER UPDATE OF attempts ON document WHEN NEW.attempts <> OLD.attempts
    BEGIN UPDATE identity SET tally = tally + NEW.attempts - OLD.attempts; END;`;

/** Statements that change a journal of each version to the next; version 4 is the first that was released. */
const MIGRATIONS: Readonly<Record<number, string>> = { 4: REFERENCES };

/** Max size in bytes of a journal that is always checked whole, in a few hundredths of a second. */
const SMALL = 64 * 1024 * 1024;

/** True if the last sender did not close the journal: `closeInOrder` leaves no log. */
export function endedUncleanly(path: string): boolean {
  const log = `${path}-wal`;
  return existsSync(log) && statSync(log).size > 0;
}

/**
 * Checks a journal before it is written to. A small one, and any whose last sender was killed, is read whole (0.7 s
 * at 200,000 documents); of a large one that was closed in order the ends of every table are read, which shows
 * truncation and torn copies.
 * @throws PipelineError('journal', journal/damaged)
 */
export function checkJournal(database: SqliteFile, unclean: boolean, small = SMALL): void {
  if (unclean || statSync(database.path).size <= small) readWhole(database);
  else readEnds(database);
}

/** @throws PipelineError('journal', journal/damaged) */
function readWhole({ path, prepare }: SqliteFile): void {
  const [found] = prepare('PRAGMA quick_check(1)').all<{ quick_check: string }>();
  const reason = found?.quick_check ?? '';
  if (reason !== 'ok') damaged(path, reason);
  // Pages of two moments pass the check above.
  const fits = prepare(`SELECT tally = ${TALLY} AS fits FROM identity`).first<{ fits: number }>()?.fits;
  if (fits !== 1) damaged(path, 'tally');
}

const damaged = (path: string, reason: string): never =>
  stop('journal', { code: 'journal/damaged', params: { path, reason } });

function readEnds(database: SqliteFile): void {
  const tables = database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0`)
    .all<{ name: string }>();
  for (const { name } of tables)
    for (const end of ['ASC', 'DESC'])
      database.prepare(`SELECT * FROM "${name}" ORDER BY rowid ${end} LIMIT 1`).first();
}

/**
 * Copies a journal as it is now, even while another process sends, and checks the copy whole. The file must be
 * missing or empty; an existing one keeps its permissions.
 * @throws PipelineError('journal', journal/damaged or journal/not-writable)
 */
export async function backupJournal(journal: Journal, file: string): Promise<void> {
  await journal.all('VACUUM INTO ?', file);
  const copy = openFile(file, 0);
  try {
    // The copy lacks what is sent from now on; it is marked so that its user knows.
    copy.exec(`UPDATE identity SET copy = 1; PRAGMA application_id = ${COPY_MARK}`);
    readWhole(copy);
  } finally {
    copy.close();
  }
}

/** Record of all that was sent for one company at one service. Readers may open it while a sender works. */
export interface Journal extends Database {
  /** Stores the company's name and the fingerprint of its token; undefined if read only. */
  claim?(owner: Owner, token?: string): Promise<void>;
  /** Fingerprints of tokens that no other journal has, if that was checked when it was opened. */
  readonly tokens?: readonly string[];
  /** Opens the rate limiter of the database; undefined for a file, whose limiter is next to it. */
  rateLimiter?(perMinute: number | undefined, world: Runtime): Promise<RateLimiter>;
  /** Overwrites what was removed from rows. Returns false if a reader prevented it. */
  forget?(): Promise<boolean>;
  /** Recomputes `tally` after rows were copied in with their ids; undefined if read only. */
  copied?(sql: Sql): Promise<void>;
  /** Lease of a database; undefined for a file, whose lock the system holds. */
  readonly lease?: Lease;
  /**
   * Path that the journal would have as a file on this host; undefined if it is one. Its other files are next to it.
   */
  readonly file?: string;
  /** Set if it was restored, copied or adopted since it was last written to. */
  readonly restored?: Restored;
}

/** Documents that are unknown because the journal may lack later results. */
interface Restored {
  /** Runs with documents that may have been sent. */
  readonly runs: readonly string[];
  readonly documents: number;
  /** Time in ms of the last entry that it knows. */
  readonly until: number;
}

export interface OpenOptions {
  /** True to create a missing journal; else it is a PipelineError (`journal/missing`). @default true */
  readonly create?: boolean;
  readonly owner?: Owner;
  /** True to accept whatever journal is there, against its proof, and mark it as restored. @default false */
  readonly adopt?: boolean;
  /** Opens a journal that was moved there; it may be sent from nowhere else. */
  readonly movedTo?: string;
  /** True for a caller that plans and hands over, but sends nothing. @default false */
  readonly planOnly?: boolean;
}

const BUSY_MS = 5_000;

/** @throws PipelineError('journal', journal/missing) */
export function requireJournal(path: string): void {
  if (!existsSync(path)) stop('journal', { code: 'journal/missing', params: { path } });
}

const markFile = (path: string): string => join(dirname(path), 'journal.moved');

/** Returns where a journal was moved to, so that it is not sent from here; undefined if it was not. */
export function movedMark(path: string): string | undefined {
  try {
    return readFileSync(markFile(path), 'utf8').trim();
  } catch {
    return undefined; // it was not
  }
}

export function markMoved(path: string, to: string | undefined): void {
  if (to === undefined) rmSync(markFile(path), { force: true });
  else writeFileSync(markFile(path), `${to}\n`, { mode: 0o600, flush: true } as object);
}

/** Renames what is left of a journal, so that it can be restored in its place. */
export function setAside(path: string, now = Date.now()): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder))
    if (/^journal\.(db|db-wal|db-shm|proof)$/.test(name))
      renameSync(join(folder, name), join(folder, `before-${now}-${name}`));
  markMoved(path, undefined);
}

const isEmpty = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;

/** @throws PipelineError('journal', journal/unsafe-sqlite) */
function requireSafeSqlite(path: string): void {
  const version = sqliteVersion();
  if (!isSafeVersion(version)) stop('journal', { code: 'journal/unsafe-sqlite', params: { path, version } });
}

/**
 * Opens for writing. A journal that is behind its proof is refused; one in another place than its proof says, or
 * without one, marks documents that are not final as unknown. Needs the sender lock.
 * @throws PipelineError('journal') if the file cannot be written, is damaged, not this journal, or of a newer version
 */
export async function openJournal(
  path: string,
  { create = true, owner, adopt = false, movedTo }: OpenOptions = {},
): Promise<Journal> {
  const moved = movedMark(path);
  if (moved !== undefined && moved !== movedTo)
    stop('journal', { code: 'journal/moved', params: { path, to: moved } });
  requireSafeSqlite(path);
  const proof = readProof(path);
  if (!create && proof === undefined) requireJournal(path);
  if (!adopt && proof !== undefined && proof.commits > 0 && isEmpty(path))
    stop('journal', behind(path, proof, 0));
  setForeignLogAside(path, adopt);
  const unclean = endedUncleanly(path);
  const isNewCopy = isCopy(path);
  const database = openFile(path, BUSY_MS);
  try {
    // The log belongs to the copy from now on; its identity says that it is one.
    if (isNewCopy) database.exec('PRAGMA application_id = 0');
    // `secure_delete` overwrites what is removed.
    for (const pragma of [
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
      'secure_delete = ON',
    ])
      database.prepare(`PRAGMA ${pragma}`).all();
    migrate(database);
    checkJournal(database, unclean);
    const identity = identityOf(database);
    const other = otherThan(path, database, identity, proof, owner);
    if (other !== undefined && !adopt) stop('journal', other);
    const sure = other === undefined && isSure(path, identity, proof);
    const restored = sure
      ? undefined
      : await markAllUnknown(databaseOf(database), (sql) =>
          sql.run(
            'UPDATE identity SET journal = ?, previous = ?, commits = ?, copy = 0',
            newIdentity(),
            proof?.journal ?? identity.journal,
            Math.max(identity.commits, proof?.commits ?? 0),
          ),
        );
    const proofKeeper = keepProof(path, {
      journal: identityOf(database).journal,
      commits: countCommit(database),
      names: proof?.names ?? [],
      tokens: proof?.tokens ?? [],
      ...(proof?.address !== undefined && { address: proof.address }),
    });
    if (owner !== undefined) proofKeeper.claim(owner);
    const claim = async (claimant: Owner, token?: string): Promise<void> =>
      proofKeeper.claim(claimant, token);
    const copied = async (sql: Sql): Promise<void> =>
      void (await sql.run(`UPDATE identity SET tally = ${TALLY}`));
    const forget = async (): Promise<boolean> => {
      // Grouped writes move rows within pages and leave their old bytes.
      database.prepare('VACUUM').all();
      const [ended] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all<{ busy: number }>();
      return ended?.busy === 0;
    };
    return {
      ...counted(database, proofKeeper),
      claim,
      copied,
      forget,
      ...(restored !== undefined && { restored }),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const countCommit = (database: SqliteFile): number =>
  (database.prepare(COUNT_COMMIT).first<{ commits: number }>() ?? unreachable('identity of a journal'))
    .commits;

/** Counts every transaction and notes the count in the proof once it is on disk. */
function counted(file: SqliteFile, proof: ProofKeeper): Database {
  const committed = (row: unknown): void => proof.note((row as { commits: number }).commits);
  const database = databaseOf(file, { sql: COUNT_COMMIT, committed });
  return {
    ...database,
    async close() {
      proof.close();
      await database.close();
    },
  };
}

const behind = (path: string, { commits }: Proof, known: number): Reason<'journal/behind'> => ({
  code: 'journal/behind',
  params: { path, missing: commits - known },
});

/** Renames a log next to a copy; it is another file's, and SQLite would mix them. */
function setForeignLogAside(path: string, adopt: boolean): void {
  if (!isCopy(path) || !endedUncleanly(path)) return;
  if (!adopt) stop('journal', { code: 'journal/foreign-log', params: { path: `${path}-wal` } });
  renameSync(`${path}-wal`, `${path}-wal.old`);
  rmSync(`${path}-shm`, { force: true });
}

/** Returns why it is not the journal that its proof or the folder says; undefined if it is. */
function otherThan(
  path: string,
  database: SqliteFile,
  { journal, previous, commits, copy }: Identity,
  proof: Proof | undefined,
  owner: Owner | undefined,
): Reason<'journal/behind' | 'journal/foreign'> | undefined {
  const foreign: Reason<'journal/foreign'> = { code: 'journal/foreign', params: { path } };
  if (copy === 0 && proof !== undefined) {
    if (proof.journal !== journal && proof.journal !== previous) return foreign;
    return commits < proof.commits ? behind(path, proof, commits) : undefined;
  }
  return owner === undefined || isOf(database, owner, proof?.names) ? undefined : foreign;
}

/** True if the last run is of this company, or names none. */
function isOf(database: SqliteFile, { company }: Owner, names: readonly string[] = []): boolean {
  const last = database
    .prepare(`SELECT json_extract(meta, '$.company') AS company FROM run ORDER BY rowid DESC LIMIT 1`)
    .first<{ company: string | null }>()?.company;
  return last == null || [company, NO_NAME, ...names].includes(canonicalCompany(last));
}

/** True if the journal is new, or in the place of its proof, so that it knows what was sent last. */
const isSure = (path: string, { copy, commits }: Identity, proof: Proof | undefined): boolean =>
  copy === 0 && (proof === undefined ? commits === 0 : isInPlace(path, proof));

const RESTORED_REASON = 'diario restaurado / journal restored';

/** SQL over `document d`: true if it may have been sent after the journal's last entry. */
const MAY_BE_SENT = `d.state IN ('planned', 'sending', 'unknown', 'pending')`;

/**
 * Marks all documents that are not final as unknown. Planned runs as well: a draft may have been confirmed, so it is
 * given up, and its documents are sent again only after a separate confirmation. `identify` gives the journal a new
 * identity in the same transaction.
 */
export async function markAllUnknown(
  journal: Database,
  identify: (sql: Sql) => Promise<unknown>,
): Promise<Restored> {
  const found = await journal.all<{ run: string }>(
    `SELECT DISTINCT d.run FROM document d WHERE ${MAY_BE_SENT} ORDER BY d.run`,
  );
  const counted = `SELECT count(*) AS documents FROM document d WHERE ${MAY_BE_SENT}`;
  const { documents } = await onlyRow<{ documents: number }>(journal, counted);
  const last = async (sql: string) => (await journal.first<{ last: number | null }>(sql))?.last ?? 0;
  const until = Math.max(
    await last('SELECT max(updated) AS last FROM document'),
    await last('SELECT max(created) AS last FROM run'),
  );
  await journal.transaction(async (sql) => {
    await sql.run(`
      UPDATE document AS d SET doubt = 2, state = CASE state WHEN 'pending' THEN state ELSE 'unknown' END
        WHERE ${MAY_BE_SENT}`);
    await sql.run(`UPDATE run SET state = 'open' WHERE state = 'draft' AND approval IS NOT NULL`);
    const now = Date.now();
    const abandonment = JSON.stringify({ reason: RESTORED_REASON, at: new Date(now).toISOString() });
    await sql.run(
      `UPDATE run SET state = 'closed', ended = ?, abandonment = ? WHERE state = 'draft'`,
      now,
      abandonment,
    );
    await identify(sql);
  });
  return { runs: found.map(({ run }) => run), documents, until };
}

/** Opens a temporary copy of a journal that cannot be read in place, or is of an earlier version; it is migrated. */
function openReadingCopy(path: string): Journal {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-journal-'));
  const copy = join(folder, 'journal.db');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    const file = openFile(copy, 0);
    try {
      migrate(file);
    } catch (error) {
      file.close();
      throw error;
    }
    const database = databaseOf(file);
    return {
      ...database,
      path,
      async close() {
        await database.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Opens for reading: neither the journal nor its log change, even in a read-only folder. A damaged journal shows what
 * can be read.
 * @throws PipelineError('journal') if there is none, or it is of a newer version
 */
export async function readJournal(path: string): Promise<Journal> {
  requireJournal(path);
  const alone = ['alone'] as const;
  for (const only of isCopy(path)
    ? alone
    : endedUncleanly(path)
      ? (['reading'] as const)
      : (['reading', ...alone] as const)) {
    const database = tryToRead(path, only);
    if (database === undefined) continue;
    if (versionOf(database) === JOURNAL_VERSION) return databaseOf(database);
    database.close();
    break;
  }
  return openReadingCopy(path);
}

function tryToRead(path: string, only: 'reading' | 'alone'): SqliteFile | undefined {
  let database: SqliteFile | undefined;
  try {
    database = openFile(path, BUSY_MS, only);
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

/** Returns how many commits a journal is behind its proof; undefined if none. */
export async function knowsLess(journal: Journal, proof: Proof | undefined): Promise<number | undefined> {
  if (proof === undefined) return undefined;
  const missing = proof.commits - (await onlyRow<Identity>(journal, IDENTITY_OF)).commits;
  return missing > 0 ? missing : undefined;
}

/** Closes after sending: all data are in the one file, and the next sender sees that this one ended in order. */
export async function closeInOrder(journal: Journal): Promise<void> {
  try {
    await journal.all('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Commits are durable; the next sender checks the journal.
  }
  await journal.close();
}

const versionOf = (database: SqliteFile): number =>
  database.prepare('PRAGMA user_version').first<{ user_version: number }>()?.user_version ?? 0;

function refuseNewer(database: SqliteFile): void {
  if (versionOf(database) > JOURNAL_VERSION)
    stop('journal', { code: 'journal/newer', params: { path: database.path } });
}

function migrate(database: SqliteFile): void {
  refuseNewer(database);
  if (versionOf(database) === JOURNAL_VERSION) return;
  database.transaction(() => {
    // Another process may have migrated it.
    const found = versionOf(database);
    if (found === 0) database.exec(JOURNAL_SCHEMA);
    else
      for (let version = found; version < JOURNAL_VERSION; version++)
        database.exec(MIGRATIONS[version] ?? unreachable(`migration ${version}`));
    database.exec(`PRAGMA user_version = ${JOURNAL_VERSION}`);
  });
}

/** Converts a text to a readable and safe folder name, different for different texts. */
function folder(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(0, 60);
  if (plain === text) return plain;
  return `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

export const fileAt = (workspace: string, address: string, company: string): string =>
  join(workspace, folder(address.replace(':', '_')), folder(company), 'journal.db');

/** Returns the path of a new journal of one company at one service: `<workspace>/<host>/<company>/journal.db`. */
export const journalPath = ({
  workspace,
  url,
  company,
}: Readonly<Record<'workspace' | 'url' | 'company', string>>): string =>
  fileAt(workspace, canonicalAddress(url), canonicalCompany(company));

/** Programs that copy files away while they are being written, by the name of a folder on the path. */
const SYNCED: readonly { readonly name: string; readonly folder: RegExp }[] = [
  { name: 'OneDrive', folder: /^OneDrive(\b|$)/i },
  { name: 'Dropbox', folder: /^Dropbox(\b|$)/i },
  { name: 'Google Drive', folder: /^(Google ?Drive|GoogleDrive-.+|My Drive|Mi unidad|DriveFS)$/i },
  { name: 'iCloud', folder: /^(iCloud ?Drive|iCloud~.+|Mobile Documents|com~apple~CloudDocs)$/i },
  { name: 'CloudStorage (macOS)', folder: /^CloudStorage$/ },
  { name: 'Box', folder: /^Box( Sync)?$/ },
  { name: 'Nextcloud', folder: /^Nextcloud(\b|$)/i },
  { name: 'ownCloud', folder: /^ownCloud(\b|$)/i },
  { name: 'MEGA', folder: /^MEGA(sync)?$/ },
  { name: 'pCloud', folder: /^pCloud ?Drive$/i },
  { name: 'Syncthing', folder: /^(Syncthing|Sync)$/ },
];

/** Names of file systems whose locks and order of writes another host decides, by Linux `f_type` (statfs(2)). */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x786f4256, 'vboxsf'],
  [0x65735546, 'FUSE'],
]);

/** Access to the file system; tests bring their own. */
export interface FolderProbe {
  readonly platform: NodeJS.Platform;
  real(path: string): string;
  /** Returns `f_type` of the file system; undefined if the platform has none. */
  fileSystem(path: string): number | undefined;
}

const MACHINE: FolderProbe = {
  platform: process.platform,
  real: (path) => realpathSync(path),
  // Only Linux has the numbers of the table.
  fileSystem: (path) => (process.platform === 'linux' ? statfsSync(path).type >>> 0 : undefined),
};

/** Returns the real path of a folder, or of the nearest existing one above it with the rest. */
function realFolder(folder: string, probe: FolderProbe): string {
  try {
    return probe.real(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(realFolder(above, probe), folder.slice(above.length));
  }
}

/** Warns about keeping a journal in a folder that a program copies away, or that is on another host. */
export function folderRisks(folder: string, probe: FolderProbe = MACHINE): readonly Issue[] {
  const real = realFolder(folder, probe);
  const parts = real.split(/[\\/]/);
  const synced = SYNCED.find(({ folder: form }) => parts.some((part) => form.test(part)));
  if (synced !== undefined) return [warning('journal/synced-folder', { path: real, by: synced.name })];
  const system = networkSystem(real, probe);
  return system === undefined ? [] : [warning('journal/network-folder', { path: real, system })];
}

function networkSystem(path: string, { platform, fileSystem }: FolderProbe): string | undefined {
  if (platform === 'win32') return /^[\\/]{2}(?![?.])/.test(path) ? 'SMB' : undefined;
  for (let at = path; ; at = dirname(at)) {
    try {
      return NETWORK.get(fileSystem(at) ?? 0);
    } catch {
      if (at === dirname(at)) return undefined;
    }
  }
}

const OTHERS = 0o077;

const isOpen = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;

/**
 * Closes the journal's folder and all files in it to other users (0700, 0600). Warns if that fails, as on a FAT disk.
 * Windows keeps permissions elsewhere.
 */
export function closeToOthers(folder: string): readonly Issue[] {
  if (process.platform === 'win32' || !existsSync(folder)) return [];
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  const stillOpen = paths.filter(isOpen).filter((path) => {
    try {
      chmodSync(path, path === folder || statSync(path).isDirectory() ? 0o700 : 0o600);
    } catch {
      // Checked below.
    }
    return isOpen(path);
  });
  return stillOpen.slice(0, 1).map((path) => warning('journal/open-to-others', { path }));
}

/**
 * Takes the right to send for a journal until `release`. It is a lock of the operating system on a separate file, so
 * that a killed process leaves none. Throws a PipelineError (`busy`, send/locked) if another process has it.
 */
export function lockSender(journal: string): { release(): void } {
  const lock = openFile(join(dirname(journal), 'sender.lock'), 0);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const isBusy = error instanceof PipelineError && error.issues.some(({ code }) => code === 'send/locked');
    if (isBusy) throw new PipelineError('busy', error.issues, { cause: error });
    throw error;
  }
  return { release: () => lock.close() };
}
