import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, join, parse, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, putInPlace } from '../report/put-in-place.js';
import type { Sql } from '../send/database.js';
import { type Issue, issueOf, PipelineError } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import { isLeftBehind, processMark } from '../toolkit/core/process-mark.js';
import { cureOf, pageWording } from '../toolkit/messages/wording.js';
import { ruleEntry } from '../toolkit/schema/rule-data.js';
import { check } from './check.js';
import type { Context, Outcome, UseCase } from './context.js';
import { type EventOf, emitMessage, emitText } from './events.js';
import { hashFiles, refuseNoFolder } from './files.js';
import { inspect } from './inspect.js';
import { familiesOf } from './job.js';
import { withJournalIfAny } from './journal-access.js';
import { companyOf, type SendOptions, type ServiceOptions } from './options.js';
import { receive, type UploadFindings, UploadStore, uploadName } from './upload-store.js';

export interface WatchOptions extends ServiceOptions {
  /** True to end once every file of the folder was taken. */
  readonly once?: boolean;
}

/** The folder is read again and again: network drives send no events, and a restart has nothing to recall. */
const POLL_MS = 1_000;
/** Time without a change after which a file counts as written. */
const QUIET_MS = 3_000;
/** The same for a file whose end is missing, and for one that another program has open. */
const MAX_QUIET_MS = 30_000;
/** Time between two looks for acts that accepted ones have made possible. */
const FOLLOWING_MS = 60_000;
/** Bytes at the end of a zip that hold its directory's end, with the longest comment. */
const ZIP_END_BYTES = 65_557;

const TAKEN_FOLDER = 'recibidos';
const PROBLEM_FOLDER = 'con-problemas';
/** Name of the report of an upload, as the page offers it. */
export const REPORT = 'reporte.xlsx';
const NOTE_SUFFIX = ' - problema.txt';

/** Files of other programs: hidden ones, Office's locks, downloads under way, and our notes. */
const PASSED_OVER = new RegExp(
  `^(\\.|~|desktop\\.ini$|thumbs\\.db$)|(\\.(tmp|part|partial|crdownload|download|lock)|${NOTE_SUFFIX})$`,
  'i',
);

/** File as it was seen; it has changed if the mark has. */
interface FileStamp {
  readonly mark: string;
  /** Time of the first look at this mark, in ms. */
  readonly since: number;
  /** True once it was reported that the file cannot be taken. */
  readonly isReported?: boolean;
}

/** Returns what changes with the content of a regular file; undefined if there is none, or only a link. */
async function markOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() ? [found.size, found.mtimeMs, found.ino].join(' ') : undefined;
}

/** Opens a file that is no link; it may have become one since it was listed. */
const openFile = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));

/**
 * True if the file has the end that its beginning announces. A copy may have its size before its content, which is
 * zeros until then.
 */
async function hasEnd(path: string): Promise<boolean> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const part = async (from: number, length: number): Promise<string> =>
      (await file.read(Buffer.alloc(length), 0, length, from)).buffer.toString('latin1');
    const head = await part(0, 4);
    const tail = await part(Math.max(0, size - ZIP_END_BYTES), Math.min(size, ZIP_END_BYTES));
    if (head.startsWith('PK')) return tail.includes('PK\x05\x06');
    return head.trimStart().startsWith('<') ? tail.trimEnd().endsWith('>') : size > 0 && !tail.endsWith('\0');
  } finally {
    await file.close();
  }
}

/** Moves a file into a folder under its name or the next free one; nothing is ever replaced. */
async function moveTo(folder: string, from: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  // A link would lead the files elsewhere.
  if ((await lstat(folder)).isSymbolicLink()) throw Object.assign(new Error(folder), { code: 'ELOOP' });
  const { name, ext } = parse(from);
  for (let count = 1; ; count += 1) {
    const target = join(folder, count === 1 ? name + ext : `${name} (${count})${ext}`);
    try {
      await (await open(target, 'wx')).close(); // holds the name
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw error;
    }
    try {
      await rename(from, target);
      return target;
    } catch (error) {
      // Only the empty file that held the name: a network drive may report a move that it made as failed.
      if ((await stat(target)).size === 0) await rm(target);
      throw error;
    }
  }
}

/** Finds uploads of any server of this workspace, also closed ones. */
async function isUploaded(web: string, id: string): Promise<boolean> {
  const closed = join(web, 'closed', id);
  const servers = await readdir(web).catch(() => []);
  // The closed ones twice: a server that closes moves its uploads there.
  for (const path of [closed, ...servers.map((mark) => join(web, mark, 'uploads', id)), closed])
    if (await stat(path).catch(() => undefined)) return true;
  return false;
}

/** Number of times the page counts an upload's files as read. */
const READING = 1;

/** Outcome of a file: an upload, one that was there already, or none. */
type Taken = Partial<Omit<UploadFindings, 'state'>> & {
  readonly state: UploadFindings['state'] | 'known' | 'problem';
  /** Id of the upload. */
  readonly upload?: string;
  readonly run?: string;
  readonly issues?: readonly Issue[];
};

/** Counts what a person must decide: each column of a joint question is one. */
export const countDoubts = (questions: readonly (object & { readonly each?: unknown })[]): number =>
  questions.reduce((sum, { each }) => sum + Math.max(1, Array.isArray(each) ? each.length : 0), 0);

type Counts = { readonly [name in 'doubts' | 'errors' | 'documents']?: number | undefined };

/** Steps of the page at which a person can answer what stopped an inspection. */
const STEPS: readonly (string | undefined)[] = ['header', 'columns', 'data'];

const isForThePage = (error: unknown): error is PipelineError =>
  error instanceof PipelineError && error.issues.every((issue) => STEPS.includes(cureOf(issue)));

/** Takes the files of a folder as uploads of a company, one after the other. */
class Inbox {
  private readonly seen = new Map<string, FileStamp>();
  private readonly web: string;
  /** Folder of this process for uploads that are not complete yet. */
  private readonly scratch: string;
  private isAway = false;
  /** Time of the next look for acts to propose, in ms. */
  private followingDue = 0;
  outcome: Outcome = 'fine';

  constructor(
    private readonly context: Context,
    private readonly folder: string,
    private readonly options: ServiceOptions,
  ) {
    this.web = join(context.workspace, 'web');
    this.scratch = join(this.web, processMark());
  }

  /** Removes what killed processes left of incomplete uploads. */
  async clean(): Promise<void> {
    for (const mark of await readdir(this.web).catch(() => []))
      if (isLeftBehind(mark)) await rm(join(this.web, mark, 'inbox'), { recursive: true, force: true });
  }

  /** Removes the folder of this process. */
  close(): Promise<void> {
    return rm(this.scratch, { recursive: true, force: true });
  }

  /** Looks once, takes what is complete, and returns whether files are left that may become so. */
  async look(): Promise<boolean> {
    const names = await this.names();
    for (const name of this.seen.keys()) if (!names.includes(name)) this.seen.delete(name);
    for (const name of names) {
      const mark = await this.completeMark(name);
      if (mark !== undefined) await this.take(name, mark);
    }
    if (performance.now() >= this.followingDue) {
      this.followingDue = performance.now() + FOLLOWING_MS;
      await this.proposeFollowing();
    }
    return [...this.seen.values()].some(({ isReported }) => !isReported);
  }

  /** Plans lists of the acts that accepted ones have made possible; a person sends them, or leaves them. */
  private async proposeFollowing(): Promise<void> {
    const today = dateInBogota(this.context.now());
    const folder = join(this.scratch, 'inbox', 'following');
    for (const { documents } of familiesOf(this.context)) {
      const { following } = documents.mappings.ready ?? {};
      const lists = following && (await this.inJournal((journal) => following(journal, today)));
      for (const [name, text] of lists ?? []) {
        const path = join(folder, name);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(path, text, { mode: 0o600 });
        const taken = await this.uploadOrProblem(path, (await markOf(path)) ?? '');
        if (taken.state === 'problem') this.remarkAll(taken.issues, name);
        else if (taken.state !== 'known') await this.report(name, null, taken);
      }
    }
    await rm(folder, { recursive: true, force: true });
  }

  /** Reads the company's journal; undefined if there is none, or it cannot be read now: the next look reads it again. */
  private async inJournal<T>(use: (journal: Sql) => Promise<T>): Promise<T | undefined> {
    if ((this.options.url ?? this.context.url) === undefined) return undefined;
    try {
      return await withJournalIfAny(this.context, this.options, async (journal) => journal && use(journal));
    } catch (error) {
      if (error instanceof PipelineError) return undefined;
      throw error;
    }
  }

  private async names(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.folder, { withFileTypes: true });
      if (this.isAway) emitMessage(this.context, 'inboxBack', { folder: this.folder });
      this.isAway = false;
      return entries
        .filter((entry) => entry.isFile() && !PASSED_OVER.test(entry.name))
        .map(({ name }) => name);
    } catch (error) {
      const params = { folder: this.folder, reason: codeOf(error) };
      if (!this.isAway) this.remark(issueOf('inbox/folder-away', 'warning', params));
      this.isAway = true;
      return [];
    }
  }

  private remark(issue: Issue): void {
    this.context.tell({ event: 'remark', issue });
  }

  private remarkAll(issues: readonly Issue[] = [], file: string): void {
    for (const issue of issues) this.remark({ ...issue, place: { file, ...issue.place } });
  }

  /** Returns the mark of a file that is written completely; undefined for others. */
  private async completeMark(name: string): Promise<string | undefined> {
    const path = join(this.folder, name);
    const mark = await markOf(path);
    if (mark === undefined) return undefined;
    const before = this.seen.get(name);
    if (before?.mark !== mark) {
      this.seen.set(name, { mark, since: performance.now() });
      return undefined;
    }
    const quiet = performance.now() - before.since;
    if (quiet >= MAX_QUIET_MS) return mark;
    const isDue = quiet >= QUIET_MS && !before.isReported;
    return isDue && (await hasEnd(path).catch(() => false)) ? mark : undefined;
  }

  private async take(name: string, mark: string): Promise<void> {
    const path = join(this.folder, name);
    try {
      const taken = await this.uploadOrProblem(path, mark);
      if ((await markOf(path)) !== mark) return; // written again meanwhile: later looks decide
      const isProblem = taken.state === 'problem';
      const moved = await moveTo(join(this.folder, isProblem ? PROBLEM_FOLDER : TAKEN_FOLDER), path);
      // A program that had the file open may have gone on writing.
      if ((await markOf(moved)) !== mark) await moveTo(this.folder, moved);
      else await this.report(name, moved, taken);
      this.seen.delete(name);
    } catch (error) {
      if (error instanceof Stopped) throw error;
      if (!this.seen.get(name)?.isReported)
        this.remark({
          ...issueOf('inbox/not-taken', 'warning', { reason: codeOf(error) }, { file: name }),
          value: name,
        });
      this.outcome = 'data-errors';
      this.seen.set(name, { mark, since: performance.now(), isReported: true });
    }
  }

  private async uploadOrProblem(path: string, mark: string): Promise<Taken> {
    try {
      return await this.upload(path, mark);
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      return { state: 'problem', issues: error.issues };
    }
  }

  /**
   * Makes an upload of a copy of the file, unless there is one of the same content.
   * @throws PipelineError if it can be none
   */
  private async upload(path: string, mark: string): Promise<Taken> {
    const name = uploadName(basename(path));
    const store = new UploadStore(join(this.scratch, 'inbox', randomUUID()));
    try {
      await store.create();
      const copy = join(store.inputs, name);
      await receive(name, (await openFile(path)).createReadStream(), copy);
      const digests = (await hashFiles([copy])).map(({ sha256 }) => sha256);
      const { profile = this.context.profile?.name } = this.options;
      const owner = profile ?? companyOf(this.options);
      // The content names the upload: a program killed before it moved the file makes no second one.
      const id = createHash('sha256')
        .update(JSON.stringify([owner, ...digests]))
        .digest('hex')
        .slice(0, 32);
      if (await isUploaded(this.web, id)) return { state: 'known', upload: id };
      const { run, ...found } = await this.read(store, copy);
      if ((await markOf(path)) !== mark) return { state: 'known', upload: id };
      await store.saveState({
        ...(profile !== undefined && { profile }),
        demo: false,
        language: this.context.language,
        fixed: profile === undefined ? this.options : {},
        files: [name],
        answers: [],
        reading: READING,
        isInspected: found.state !== 'doubts',
        sent: run === undefined ? [] : [{ name: 'send', run, revision: 0, at: found.at }],
        found,
      });
      await mkdir(join(this.web, 'closed'), { recursive: true, mode: 0o700 });
      await rename(store.folder, join(this.web, 'closed', id));
      return { ...found, upload: id, ...(run !== undefined && { run }) };
    } finally {
      await store.remove();
    }
  }

  /** Inspects and checks a file as the company's remembered mapping and last month's values have it. */
  private async read(store: UploadStore, file: string): Promise<UploadFindings & { readonly run?: string }> {
    let proposal: EventOf<'proposal'> | undefined;
    let accounts: EventOf<'accounts'>['accounts'] | undefined;
    let run: string | undefined;
    const { ask: _, ...rest } = this.context;
    const context: Context = {
      ...rest,
      tell(event) {
        if (event.event === 'plan') run = event.run;
        if (event.event === 'proposal') proposal = event;
        else if (event.event === 'accounts') accounts = event.accounts;
      },
    };
    const mapping = join(store.folder, `mapping-${READING}.yaml`);
    const written = { write: mapping, upload: { name: file }, force: true };
    try {
      await inspect(context, [file], { ...this.options, ...written });
    } catch (error) {
      if (!isForThePage(error)) throw error;
      return this.found({ doubts: error.issues.length });
    }
    const { questions = [], missing = [], fit } = proposal?.inspection ?? {};
    const proposed = this.proposedFor(fit?.mapping.name);
    const options = { ...this.options, mapping, params: store.paramsFile };
    let doubts = countDoubts(questions) + missing.filter(({ param }) => param === undefined).length;
    if (doubts === 0)
      try {
        await store.saveParams({ ...proposal?.offered, ...proposed?.params } as JsonObject);
        await check(context, [file], options);
      } catch (error) {
        // The file was read before: values of the month are missing.
        if (!(error instanceof PipelineError)) throw error;
        doubts = error.issues.length;
      }
    const { errors = 0, documents } = accounts ?? {};
    const counts = { doubts, errors, documents: documents?.made };
    const isNamed =
      proposed !== undefined && this.context.profile?.inboxSends?.includes(proposed.code) === true;
    if (isNamed && doubts + errors === 0)
      await this.send(context, file, { ...options, report: join(store.outputs, REPORT) });
    // Last month's values are offered by the page anew, and are given by a person.
    await store.saveParams(proposed?.params ?? {});
    return { ...this.found(counts), ...(run !== undefined && { run }) };
  }

  private found({ doubts = 0, errors = 0, documents = 0 }: Counts): UploadFindings {
    const state = doubts > 0 ? 'doubts' : errors > 0 ? 'errors' : 'ready';
    return { state, doubts, errors, documents, at: this.context.now().toISOString() };
  }

  /** Sends what the company's profile names; what stops it is reported, and the upload waits for a person. */
  private async send(context: Context, file: string, options: SendOptions): Promise<void> {
    const { send } = await import('./send.js');
    try {
      await send(context, [file], { ...options, yes: true });
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      this.remarkAll(error.issues, basename(file));
    }
  }

  /** Returns the act to propose for a mapping of received documents. */
  private proposedFor(mapping: string | undefined) {
    const ready = familiesOf(this.context).map(({ documents }) => documents.mappings.ready);
    return ready.find((known) => known?.mapping === mapping)?.proposed;
  }

  /** @param moved where the file is now; null if it did not come through the folder */
  private async report(name: string, moved: string | null, taken: Taken): Promise<void> {
    const { context } = this;
    const { state, issues = [], doubts = 0, errors = 0, documents = 0, upload = null, run = null } = taken;
    this.remarkAll(issues, name);
    const facts = { file: name, doubts, errors, documents };
    context.tell({ event: 'inbox', state, upload, run, moved, ...facts });
    const texts = {
      ready: () => emitText(context, 'inboxReady', facts),
      doubts: () => emitText(context, 'inboxDoubts', facts),
      errors: () => emitText(context, 'inboxErrors', facts),
      known: () => emitText(context, 'inboxKnown', facts),
      problem: () => emitText(context, 'inboxProblem', { ...facts, moved: moved ?? name }),
    };
    if (run === null) texts[state]();
    else emitText(context, 'inboxSent', { file: name, run });
    if (state !== 'problem' || moved === null) return;
    this.outcome = 'data-errors';
    const { language } = context;
    const texted = issues.map((issue) => {
      const { message, fix } = pageWording(issue, language, ruleEntry);
      return [message, fix];
    });
    const text = [[name], ...texted].map((lines) => `${lines.join('\n')}\n`).join('\n');
    const note = (file: string): Promise<void> => writeFile(file, text);
    await putInPlace(moved + NOTE_SUFFIX, note, { mayReplace: async () => false });
  }
}

/** Ends the reading of a file when the user stops the program. */
class Stopped extends Error {}

/** `cargue watch FOLDER`: takes the files that are put into a folder, and sends only what the profile names. */
export const watch: UseCase<WatchOptions> = async (context, [folder = ''], options) => {
  await refuseNoFolder(folder);
  return watchFolder(context, folder, options);
};

/** Takes the files that are put into a folder, which may be away for a time. */
export const watchFolder = async (
  context: Context,
  folder: string,
  { once, company, profile }: WatchOptions,
): Promise<Outcome> => {
  const ending = new AbortController();
  const stopListening = context.onInterrupt(
    () => ending.abort(),
    () => undefined,
  );
  const taken = async (): Promise<void> => {
    await context.taken();
    if (ending.signal.aborted) throw new Stopped();
  };
  const inbox = new Inbox({ ...context, taken }, await realpath(folder).catch(() => resolve(folder)), {
    ...(company !== undefined && { company }),
    ...(profile !== undefined && { profile }),
  });
  emitMessage(context, 'inboxWatched', { folder });
  try {
    await inbox.clean();
    while ((await inbox.look()) || !once) await sleep(POLL_MS, undefined, { signal: ending.signal });
    return inbox.outcome;
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    return 'interrupted';
  } finally {
    stopListening();
    await inbox.close();
  }
};
