import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AnyOptions } from '../../app/any-options.js';
import type { Context, Outcome, UseCase } from '../../app/context.js';
import { withTables } from '../../app/context.js';
import { byWorkers } from '../../app/hand-over.js';
import { countDoubts, REPORT } from '../../app/inbox.js';
import { withProfile } from '../../app/profile.js';
import { statusOfSent } from '../../app/status.js';
import {
  receive,
  type StoredUpload,
  type UploadFindings,
  type UploadState,
  UploadStore,
  uploadName,
} from '../../app/upload-store.js';
import { JOBS } from '../../generated/texts-page.js';
import type { RunAct } from '../../send/runs.js';
import { stop } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { UPLOAD } from '../../toolkit/core/limits.js';
import { fold } from '../../toolkit/core/text.js';
import { giveTurn } from '../../toolkit/core/turn.js';
import type {
  Change,
  CheckView,
  ColumnView,
  EditedRow,
  EditsView,
  FilePreviews,
  LoggedEdit,
  RunView,
  Summary,
  TableRows,
  TaskName,
  UploadedFile,
  UploadView,
} from '../api.js';
import { Edits } from './edits.js';
import { Reader, ReaderClosed } from './reader.js';
import type { RowsWanted } from './tables.js';
import { type Secrets, stopAll, Task, TaskFailed } from './task.js';
import { amountsOf, READING_PREFIX } from './task-events.js';
import { type CheckedTables, type ReaderCall, readerContext } from './upload-reader.js';

const ROWS_TO_FIX = 'por-corregir.xlsx';
const WORKLIST = 'facturas-pendientes.xlsx';
const RECEPTION = 'recepcion.jsonl';
/** Folder of the ministry's responses, one file per document. */
const RESULTS = 'resultados';
/** Max ended tasks of runs that stay available to the page. */
export const MAX_ENDED_TASKS = 100;
/** Max changes whose rows are checked at once; larger edits wait for the full check. */
const MAX_CHANGES_CHECKED_AT_ONCE = 20;

const isOfHeader = (id: string): boolean => id.startsWith('header.');

/** Context of every task of an upload, without what the task adds. */
export type Surroundings = Omit<Context, 'tell' | 'taken' | 'ask' | 'onInterrupt'>;

/** Creates the context of a use case that nobody watches. */
export const quietContext = (
  surroundings: Surroundings,
  language: Surroundings['language'],
  tell: Context['tell'] = () => undefined,
): Context => ({ ...surroundings, language, tell, taken: giveTurn, onInterrupt: () => () => undefined });

const USE_CASES: Readonly<Record<TaskName, () => Promise<UseCase<AnyOptions>>>> = {
  inspect: async () => (await import('../../app/inspect.js')).inspect,
  check: async () => (await import('../../app/check.js')).check,
  send: async () => (await import('../../app/send.js')).send,
  adjust: async () => (await import('../../app/adjust.js')).adjust,
  events: async () => (await import('../../app/invoice-events.js')).events,
  reception: async () => (await import('../../app/reception.js')).reception,
  resume: async () => (await import('../../app/resume.js')).resume,
  approve: async () => (await import('../../app/approve.js')).approve,
  giveBack: async () => (await import('../../app/approve.js')).giveBack,
  withdraw: async () => (await import('../../app/approve.js')).withdrawRequest,
  status: async () => (await import('../../app/status.js')).status,
  report: async () => (await import('../../app/report.js')).report,
  preview: async () => (await import('../../app/preview.js')).preview,
  email: async () => (await import('../../app/email.js')).email,
  setup: async () => (await import('../../app/setup.js')).setupShow,
  profileAdd: async () => (await import('../../app/profile.js')).profileAdd,
  profileChange: async () => (await import('../../app/profile.js')).profileChange,
  setupSoftware: async () => (await import('../../app/setup.js')).setupSoftware,
  setupResolution: async () => (await import('../../app/setup.js')).setupResolution,
  catalogueImport: async () => (await import('../../app/catalogue.js')).catalogueImport,
  lawImport: async () => (await import('../../app/law.js')).lawImport,
  lawRemove: async () => (await import('../../app/law.js')).lawRemove,
};

type PlanningTask = UploadState['sent'][number]['name'];

/** True for a task that plans a run of the files. */
const isPlanning = (name: TaskName): name is PlanningTask =>
  name === 'send' || name === 'adjust' || name === 'reception';

/** Tasks that need no profile. */
const WITHOUT_PROFILE: ReadonlySet<TaskName> = new Set([
  'profileAdd',
  'profileChange',
  'catalogueImport',
  'lawImport',
  'lawRemove',
]);

/** Tasks that queue workers do, if there are any. */
const BY_WORKERS: ReadonlySet<TaskName> = new Set(['send', 'resume']);

/** Starts a use case as the command line runs it: with its profile's settings and the imported tables. */
export function startTask(
  name: TaskName,
  surroundings: Surroundings,
  args: readonly string[],
  options: AnyOptions,
  {
    useCase,
    secrets,
    revision,
    sentAt,
  }: {
    readonly useCase?: UseCase<AnyOptions> | undefined;
    readonly secrets?: Secrets;
    readonly revision?: number;
    readonly sentAt?: string;
  } = {},
): Task {
  const work: UseCase<AnyOptions> = async (context, files, given) => {
    const run = useCase ?? (await USE_CASES[name]());
    const call = { context, options: given };
    const full = WITHOUT_PROFILE.has(name) ? call : await withProfile(call);
    const options = BY_WORKERS.has(name) ? await byWorkers(full.context, full.options) : full.options;
    return withTables(full.context, () => run(full.context, files, options));
  };
  return new Task(name, work, surroundings, args, options, secrets, revision, sentAt);
}

/** Held run as its event describes it. */
type HeldRun = Pick<RunView, 'by' | 'created' | 'note'> & { readonly acts?: readonly RunAct[] };

/** Initial settings of an upload. */
interface UploadInit {
  readonly profile?: string | undefined;
  /** Options of every task of the upload. */
  readonly fixed?: AnyOptions;
  readonly demo?: boolean;
}

/** Files of one visitor on the way to documents, in a private folder that outlives the process. */
export class Upload {
  readonly id: string;
  readonly answers = new Map<string, string>();
  params: JsonObject = {};
  private readonly files = new Map<string, UploadedFile>();
  /** Latest task of each name. */
  private readonly tasks = new Map<TaskName, Task>();
  /** Tasks about the runs of these files. */
  private readonly runTasks: Task[] = [];
  /** Reads the files in another thread. */
  private readonly reader = new Reader();
  private readonly edits = new Edits();
  private revision = 0;
  /** People who changed anything, where several do. */
  private readonly people = new Set<string>();
  /** Person who changed it last, where several do. */
  private lastPerson: string | undefined;
  /** Acts on requests for an approval that were withdrawn. */
  private acts: readonly RunAct[] = [];
  /** Number of times that the files or their headers changed. */
  private reading = 0;
  /** True if the files were inspected with these answers. */
  private isInspected = false;
  /** Runs that sent or prepared the files; the latest is the last. */
  private sent: UploadState['sent'] = [];
  /** Undefined once the upload was changed. */
  private findings: UploadFindings | undefined;
  private isClosed = false;
  /** Result of the latest check, and the id of its task. */
  private checked: ({ readonly task: string } & CheckedTables) | undefined;

  private constructor(
    readonly visitor: string,
    private readonly store: UploadStore<LoggedEdit>,
    readonly surroundings: Surroundings,
    private init: UploadInit,
  ) {
    this.id = basename(store.folder);
  }

  static async open(
    visitor: string,
    folder: string,
    surroundings: Surroundings,
    init: UploadInit,
  ): Promise<Upload> {
    const upload = new Upload(visitor, new UploadStore(folder), surroundings, init);
    await upload.store.create();
    await upload.store.saveParams({});
    await upload.save();
    return upload;
  }

  /** Restores an upload that an earlier server stored. */
  static async restore(
    visitor: string,
    store: UploadStore<LoggedEdit>,
    { state, params, edits }: StoredUpload<LoggedEdit>,
    surroundings: Surroundings,
    init: UploadInit,
  ): Promise<Upload> {
    const upload = new Upload(visitor, store, surroundings, init);
    for (const name of state.files) {
      const { size: bytes } = await stat(upload.pathOf(name));
      upload.files.set(name, { name, bytes });
    }
    for (const [id, value] of state.answers) upload.answers.set(id, value);
    upload.params = params;
    upload.edits.restore(edits);
    upload.revision = state.revision ?? 0;
    upload.reading = state.reading;
    upload.isInspected = state.isInspected;
    upload.sent = state.sent;
    for (const person of state.people ?? []) upload.people.add(person);
    upload.acts = state.acts ?? [];
    upload.findings = state.found;
    await upload.store.saveEdits(edits);
    if (!upload.isInspected) await upload.start('inspect', {});
    if (!upload.demo) upload.recallRuns();
    return upload;
  }

  get profile(): string | undefined {
    return this.init.profile;
  }

  get demo(): boolean {
    return this.init.demo === true;
  }

  get folder(): string {
    return this.store.folder;
  }

  /** True if a later server should restore the upload. */
  get isWorthKeeping(): boolean {
    return !this.demo && this.files.size > 0;
  }

  private save(): Promise<void> {
    const { profile, fixed = {} } = this.init;
    return this.store.saveState({
      ...(profile !== undefined && { profile }),
      demo: this.demo,
      language: this.surroundings.language,
      fixed,
      files: [...this.files.keys()],
      answers: [...this.answers],
      revision: this.revision,
      reading: this.reading,
      isInspected: this.isInspected,
      sent: this.sent,
      ...(this.people.size > 0 && { people: [...this.people] }),
      ...(this.acts.length > 0 && { acts: this.acts }),
      ...(this.findings !== undefined && { found: this.findings }),
    });
  }

  private recallRuns(): void {
    const isReading = ({ name }: UploadState['sent'][number]): boolean => name === 'reception';
    this.recallSent(this.sent.filter(isReading));
    this.recallSent(this.sent.filter((entry) => !isReading(entry)));
  }

  /**
   * Shows the outcomes of the latest run as a task that has ended; a run that was only prepared is skipped.
   */
  private recallSent(runs: UploadState['sent']): void {
    const latest = runs.at(-1);
    if (latest === undefined) return;
    const { name, run, revision = this.revision, at: sentAt = new Date().toISOString() } = latest;
    const profile = this.profile === undefined ? {} : { profile: this.profile };
    const options = { ...this.init.fixed, ...profile };
    const task = startTask(name, this.surroundings, [run], options, {
      useCase: statusOfSent,
      revision,
      sentAt,
    });
    this.tasks.set(name, task);
    void task.done.then(() => {
      if (task.view().failure.length === 0 || this.tasks.get(name) !== task) return;
      this.tasks.delete(name);
      this.recallSent(runs.slice(0, -1));
    });
  }

  view(): UploadView {
    return {
      id: this.id,
      revision: this.revision,
      hasService: (this.profile ?? this.surroundings.url ?? this.init.fixed?.url) !== undefined,
      hasFixedCompany: this.demo || this.hasSent(),
      demo: this.demo,
      profile: this.profile ?? null,
      files: [...this.files.values()],
      found: this.findings ?? this.findingsNow() ?? null,
      answers: Object.fromEntries(this.answers),
      params: this.params,
      tasks: [...this.tasks.values()].map((task) => task.view()),
    };
  }

  /** Returns what the latest tasks found in the files, counted as the inbox does; undefined while one is under way. */
  private findingsNow(): UploadView['found'] | undefined {
    const inspection = this.tasks.get('inspect')?.updateFrom(0);
    if (inspection?.task.state !== 'ended') return undefined;
    const missing = inspection.events.filter(({ event, param }) => event === 'missing' && param === null);
    const questions = inspection.events.filter(({ event }) => event === 'question');
    const doubts = inspection.task.failure.length + missing.length + countDoubts(questions);
    if (doubts > 0) return { state: 'doubts', doubts, errors: 0, documents: 0 };
    const check = this.tasks.get('check');
    if (check === undefined || this.isOutdated(check)) return undefined;
    const { events } = check.updateFrom(0);
    const { documents, issues } = (events.findLast(({ event }) => event === 'summary') ??
      {}) as Partial<Summary>;
    if (documents === undefined || issues === undefined) return undefined;
    const { errors } = issues;
    return { state: errors > 0 ? 'errors' : 'ready', doubts, errors, documents: documents['made'] ?? 0 };
  }

  /** True if the same file came through the inbox later, and no person worked on this one. */
  isReplacedBy({ findings: later, profile, files }: Upload): boolean {
    const { findings } = this;
    if (findings === undefined || later === undefined || profile !== this.profile || this.sent.length > 0)
      return false;
    return findings.at < later.at && isDeepStrictEqual([...this.files.keys()], [...files.keys()]);
  }

  paths(): readonly string[] {
    return [...this.files.keys()].map((name) => this.pathOf(name));
  }

  pathOf(name: string): string {
    return join(this.store.inputs, name);
  }

  /** Remembers that a person prepared a part of it; the change itself saves it. */
  preparedBy(person: string): void {
    this.people.add(person);
    this.lastPerson = person;
  }

  /** Marks earlier tasks as outdated: checks stop, and plans that await confirmation are withdrawn. */
  private async touch(): Promise<void> {
    this.revision += 1;
    this.findings = undefined;
    for (const task of this.tasks.values()) if (task.name !== 'inspect') task.withdraw();
    await this.save();
    await this.withdrawRequests();
  }

  /**
   * Withdraws requests for an approval, which are about other data now.
   * @throws TaskFailed if another run of the company is being sent
   */
  private async withdrawRequests(): Promise<void> {
    for (const { run } of this.sent.filter(({ held }) => held)) {
      const profile = this.profile === undefined ? {} : { profile: this.profile };
      const task = startTask('withdraw', this.surroundings, [run], { ...this.init.fixed, ...profile });
      await task.done;
      const { failure, outcome } = task.view();
      if (failure.length > 0) throw new TaskFailed(failure);
      if (outcome === 'fine') this.acts = [...this.acts, ...this.actsOf(task)];
      // A run that was sent meanwhile stays.
      this.sent = this.sent.flatMap(({ held, ...entry }) =>
        entry.run !== run ? [{ ...entry, ...(held && { held }) }] : outcome === 'fine' ? [] : [entry],
      );
      await this.save();
    }
  }

  /** Returns what people did with a request that a task has withdrawn: the next run of the files records it. */
  private actsOf(task: Task): readonly RunAct[] {
    const { events } = task.updateFrom(0);
    const run = events.find(({ event }) => event === 'run') as unknown as HeldRun | undefined;
    const by = this.lastPerson ?? this.surroundings.account ?? '';
    const at = this.surroundings.now().toISOString();
    const { by: asker = '', created = at, note, acts = [] } = run ?? {};
    // What became of earlier ones stands before it already.
    const recent = acts.slice(acts.findLastIndex(({ act }) => act === 'withdrawn') + 1);
    const asked = { act: 'asked', by: asker, at: created, ...(note !== undefined && { note }) } as const;
    return [asked, ...recent, { act: 'withdrawn', by, at }];
  }

  private isOutdated(task: Task): boolean {
    return task.revision !== this.revision;
  }

  private hasSent(): boolean {
    return [...this.tasks.values()].some((task) => task.view().hasBegunToSend);
  }

  /**
   * Changes the company of the files; its parameters become the defaults, answers given here stay.
   * @throws PipelineError('usage', web/company-fixed) once documents were sent
   */
  async changeCompany(profile: string | undefined): Promise<void> {
    if (profile === this.profile) return;
    if (this.demo || this.hasSent()) stop('usage', { code: 'web/company-fixed' });
    this.init = { ...this.init, profile };
    this.resetReading();
    this.tasks.get('inspect')?.stop();
    this.tasks.delete('inspect');
    await this.touch();
  }

  /**
   * Takes answers about the columns. A new header row makes columns of other meaning, so it drops the other
   * answers.
   */
  async answer(given: Readonly<Record<string, string>>): Promise<void> {
    if (Object.keys(given).some(isOfHeader)) {
      for (const id of this.answers.keys()) if (!isOfHeader(id)) this.answers.delete(id);
      this.reading += 1;
    }
    for (const [id, value] of Object.entries(given)) {
      const isAboutReading = id.startsWith(READING_PREFIX);
      if (value === '' && (isAboutReading || isOfHeader(id))) this.answers.delete(id);
      else this.answers.set(id, value);
      if (!isAboutReading) this.isInspected = false;
    }
    this.checked = undefined;
    await this.touch();
  }

  /** Sets the parameters: values that the files do not contain. */
  async setParams(params: JsonObject): Promise<void> {
    if (isDeepStrictEqual(params, this.params)) return;
    this.params = params;
    await this.touch();
    await this.store.saveParams(params);
  }

  /**
   * Path of the mapping for these files and headers; an inspection of earlier ones writes to another path.
   */
  private get mapping(): string {
    return join(this.folder, `mapping-${this.reading}.yaml`);
  }

  private outputOf(name: string): string {
    return join(this.store.outputs, name);
  }

  /** Returns the path of an output. @throws PipelineError('usage', web/not-there) if it does not exist */
  async output(name: string): Promise<string> {
    const names = await this.outputs();
    return names.includes(name) ? this.outputOf(name) : stop('usage', { code: 'web/not-there', value: name });
  }

  /** Returns the name by which people find an output again: company, job and month before its own, as far as known. */
  downloadName(name: string): string {
    const plan = [...this.tasks.values()]
      .flatMap((task) => task.updateFrom(0).events)
      .findLast(({ event }) => event === 'figures');
    const job = JOBS[plan?.['family'] as keyof typeof JOBS]?.[this.surroundings.language];
    return [this.profile, job, plan?.['month'], basename(name)]
      .filter((part) => typeof part === 'string')
      .map((part) => fold(part).replaceAll(/[^\p{L}\p{N}.]+/gu, '-'))
      .join('-');
  }

  /** Lists the output files that can be downloaded. */
  async outputs(): Promise<readonly string[]> {
    const entries = await readdir(this.store.outputs, { withFileTypes: true });
    const results = await readdir(this.outputOf(RESULTS)).catch(() => []);
    return [
      ...entries.filter((entry) => entry.isFile()).map(({ name }) => name),
      ...results.map((name) => `${RESULTS}/${name}`),
    ];
  }

  /**
   * Stores a file; one of the same name is replaced.
   * @throws PipelineError('usage', web/bad-name or web/too-large or web/too-many)
   */
  async add(given: string, content: NodeJS.ReadableStream): Promise<void> {
    const name = uploadName(given);
    if (this.files.size >= UPLOAD.maxFiles && !this.files.has(name))
      stop('usage', { code: 'web/too-many', value: name, params: { most: UPLOAD.maxFiles } });
    this.refuseWhileSending();
    const partial = join(this.store.partial, randomUUID());
    const bytes = await receive(name, content, partial);
    // Answers and edits of the replaced file must be gone before the new file appears.
    await this.dropFile(name);
    await rename(partial, this.pathOf(name));
    this.files.set(name, { name, bytes });
    await this.save();
  }

  async remove(name: string): Promise<void> {
    this.refuseWhileSending();
    if (!this.files.delete(name)) return;
    await this.dropFile(name);
    await rm(this.pathOf(name), { force: true });
  }

  /** Throws if a task is using the files: they must not change under it. */
  private refuseWhileSending(): void {
    const busy = [...this.tasks.values()].find(
      (task) => task.name !== 'inspect' && task.view().state === 'running',
    );
    if (busy !== undefined) stop('usage', { code: 'web/still-running', value: busy.name });
  }

  /** Drops answers, edits and tasks that depended on the previous files. */
  private async dropFile(name: string): Promise<void> {
    this.answers.clear();
    this.resetReading();
    this.sent = [];
    const touched = this.touch();
    this.tasks.clear();
    this.edits.dropFile(name);
    if (this.reader.isStarted) await this.reader.call('forget', []);
    await this.store.saveEdits(this.edits.log);
    await touched;
  }

  private resetReading(): void {
    this.checked = undefined;
    this.reading += 1;
    this.isInspected = false;
  }

  private allTasks(): readonly Task[] {
    return [...this.tasks.values(), ...this.runTasks];
  }

  taskOf(id: string): Task | undefined {
    return this.allTasks().find((task) => task.id === id);
  }

  latest(name: TaskName): Task | undefined {
    return this.tasks.get(name);
  }

  /**
   * Starts a use case on the files, once an outdated task of the same name has ended.
   * @throws PipelineError('usage', web/still-running) if a task of that name works on the same revision, or
   * sends
   */
  async start(name: TaskName, given: AnyOptions, account = this.surroundings.account): Promise<Task> {
    if (isPlanning(name)) await this.withdrawRequests();
    for (;;) {
      const before = this.tasks.get(name);
      if (before?.view().state !== 'running') break;
      if (!this.isOutdated(before) || before.view().hasBegunToSend)
        stop('usage', { code: 'web/still-running', value: name });
      await before.done;
    }
    const options = this.optionsOf(name, given);
    // The file is written only if there are rows to fix.
    if (options.failed !== undefined) rmSync(options.failed, { force: true });
    const { reading } = this;
    const useCase = ((): UseCase<AnyOptions> => {
      if (name === 'inspect')
        return this.inThread((call) =>
          this.reader.call('inspect', [call, reading], (changes) => task.take(changes)),
        );
      if (name !== 'check') return this.afterInspect(async (...call) => (await USE_CASES[name]())(...call));
      const checking = this.inThread(async (call) => {
        const { outcome, checked } = await this.reader.call('check', [task.id, call], (changes) =>
          task.take(changes),
        );
        if (checked !== undefined && this.tasks.get(name) === task)
          this.checked = { task: task.id, ...checked };
        return outcome;
      });
      return this.afterInspect(checking);
    })();
    const { revision } = this;
    const surroundings = { ...this.surroundings, ...(account !== undefined && { account }) };
    const task = startTask(name, surroundings, this.paths(), options, { useCase, revision });
    this.tasks.delete(name); // moves the latest task to the end of the map
    this.tasks.set(name, task);
    if (name === 'inspect')
      void task.done.then(() => {
        const { failure, outcome } = task.view();
        if (this.tasks.get(name) !== task || failure.length > 0 || outcome === 'interrupted') return;
        this.isInspected = true;
        this.saveLater();
      });
    if (isPlanning(name)) this.recordRunOf(task, name, options.hold === true);
    return task;
  }

  /** Waits for an inspection under way, since it writes the mapping to use. */
  private afterInspect(work: UseCase<AnyOptions>): UseCase<AnyOptions> {
    return async (context, files, options) => {
      await this.tasks.get('inspect')?.done;
      if (this.reader.isClosed) return 'interrupted';
      return work(context, files, {
        ...options,
        ...(existsSync(this.mapping) && { mapping: this.mapping }),
      });
    };
  }

  /** Runs a use case in the reader's thread. */
  private inThread(work: (call: ReaderCall) => Promise<Outcome>): UseCase<AnyOptions> {
    return async (context, files, options) => {
      try {
        return await work({ context: readerContext(context), files, options });
      } catch (error) {
        if (error instanceof ReaderClosed) return 'interrupted';
        throw error;
      }
    };
  }

  private recordRunOf(task: Task, name: PlanningTask, held: boolean): void {
    const unwatch = task.watch(() => {
      const { run, state, revision, startedAt: at } = task.view();
      if (state === 'ended') unwatch();
      const last = this.sent.at(-1);
      if (run === null || (run === last?.run && at === last.at)) return;
      const more = { ...(held && { held }), ...(revision !== null && { revision }) };
      // The name of a run that was given up is used again.
      this.sent = [...this.sent.filter((entry) => entry.run !== run), { name, run, at, ...more }];
      this.saveLater();
    });
  }

  /** Saves the state after a task changed it, when no request waits for it. */
  private saveLater(): void {
    if (!this.isClosed) void this.save().catch(() => undefined);
  }

  /** Starts a task on a run that these files made. */
  startOfRun(name: TaskName, run: string, given: AnyOptions, account = this.surroundings.account): Task {
    const profile = this.profile === undefined ? {} : { profile: this.profile };
    const report = this.outputOf(REPORT);
    const folders = { folder: this.outputOf('pdf'), results: this.outputOf(RESULTS) };
    const written = { ...folders, report, output: report, force: true };
    const options = { ...this.init.fixed, ...given, ...profile, ...written };
    const surroundings = { ...this.surroundings, ...(account !== undefined && { account }) };
    const task = startTask(name, surroundings, [run], options);
    this.runTasks.push(task);
    const ended = this.runTasks.filter((task) => task.view().state === 'ended');
    for (const task of ended.slice(0, -MAX_ENDED_TASKS)) this.runTasks.splice(this.runTasks.indexOf(task), 1);
    return task;
  }

  /** Returns the path of a file, or of the zip that contains it. */
  private pathTo(name: string): string {
    const [file = ''] = name.split('/', 1);
    return this.files.has(file) ? this.pathOf(file) : stop('usage', { code: 'web/not-there', value: name });
  }

  /** Returns the first rows of every table. */
  previews(): Promise<FilePreviews> {
    return this.reader.call('previews', [this.paths()]);
  }

  /** Returns what the latest check read, the tables in the order of the files. */
  async checkView(): Promise<CheckView> {
    const { tables: read = [], totals = {} } = this.checked ?? {};
    const names = read.length === 0 ? [] : await this.reader.call('tables', [this.paths()]);
    const tables = names.flatMap(({ file, sheet }) => {
      const table = read.find((table) => table.file === file && table.sheet === sheet);
      if (table === undefined) return [];
      const { header, name, words, money } = table;
      const { row: headerRow, labels } = header;
      return [{ file, sheet, headerRow, labels, name, money, words: Object.fromEntries(words) }];
    });
    return { tables, totals: amountsOf(totals, this.surroundings.language) };
  }

  /** Returns the cells of a column with their edits. */
  async column(file: string, given: string | undefined, column: string): Promise<ColumnView> {
    const at = { path: this.pathTo(file), file, sheet: given };
    const { sheet, numbers, texts } = await this.reader.call('column', [at, column]);
    return {
      numbers,
      texts: texts.map((text, index) =>
        this.edits.textAt({ file, sheet, row: numbers[index] ?? 0 }, column, text),
      ),
    };
  }

  /** Returns a part of a table with its edits. */
  async rows(file: string, given: string | undefined, wanted: RowsWanted): Promise<TableRows> {
    const at = { path: this.pathTo(file), file, sheet: given };
    const { rows, sheet, ...table } = await this.reader.call('rows', [at, wanted]);
    const header = this.checked?.tables.find((table) => table.file === file && table.sheet === sheet)?.header;
    return {
      ...table,
      sheet,
      rows: rows.map((row) => this.edits.withEdits(row, { file, sheet })),
      ...(header && { header }),
    };
  }

  /** Applies changes as one undo step, and returns the issues of their rows. */
  async edit(given: readonly Change[], account = this.surroundings.account): Promise<EditsView> {
    const before = await this.reader.call('before', [this.withPaths(given)]);
    const changes = given.flatMap((change, at) => {
      const cell = before[at];
      return cell === undefined ? [] : [{ change: { ...change, sheet: cell.sheet }, fileText: cell.text }];
    });
    const added = this.edits.add(changes, account ?? null);
    if (added !== undefined) {
      await this.touch();
      await this.store.addEdit(added);
    }
    return this.editsView(changes.map(({ change }) => change));
  }

  private withPaths(changes: readonly Change[]): readonly (Change & { readonly path: string })[] {
    return changes.map((change) => ({ ...change, path: this.pathTo(change.file) }));
  }

  /**
   * Leaves out a document: every row that belongs to it according to the check.
   * @throws TaskFailed if the check fails before it knows the rows
   */
  async leaveOut({ file, sheet, row }: EditedRow, account?: string): Promise<EditsView> {
    const place = { file, row, ...(sheet !== null && { sheet }) };
    if (this.checked === undefined) {
      const latest = this.latest('check');
      const task =
        latest?.view().state === 'running' && !this.isOutdated(latest)
          ? latest
          : await this.start('check', {}, account);
      await task.done;
      if (task.view().failure.length > 0) throw new TaskFailed(task.view().failure);
    }
    // The files or answers may have changed meanwhile.
    const rows =
      (this.checked && (await this.reader.call('rowsWith', [this.checked.task, place]))) ??
      stop('usage', { code: 'web/still-running', value: 'check' });
    return this.edit(
      rows.map((place) => ({ ...place, sheet: place.sheet ?? null, leftOut: true })),
      account,
    );
  }

  /** Undoes the last entry of the log. */
  async undo(): Promise<EditsView> {
    const undone = this.edits.undo();
    if (undone.length > 0) {
      await this.touch();
      await this.store.addEdit(null);
    }
    return this.editsView(undone);
  }

  /** Does the entry undone last again. */
  async redo(): Promise<EditsView> {
    const entry = this.edits.redo();
    if (entry !== undefined) {
      await this.touch();
      await this.store.addEdit(entry);
    }
    return this.editsView(entry?.changes);
  }

  async editsView(changes: readonly Change[] = []): Promise<EditsView> {
    const { log, undone } = this.edits;
    return { log, undone, changes, checked: await this.checkRows(changes) };
  }

  private async checkRows(changes: readonly Change[]): Promise<EditsView['checked']> {
    const { checked } = this;
    if (checked === undefined || changes.length === 0 || changes.length > MAX_CHANGES_CHECKED_AT_ONCE)
      return null;
    return this.reader.call('recheck', [checked.task, changes, this.edits.all()]);
  }

  /** Writes a copy of a file with its edits and returns the path; without edits it is an exact copy. */
  async editedCopy(name: string): Promise<string> {
    if (!this.files.has(name)) return stop('usage', { code: 'web/not-there', value: name });
    const { name: stem, ext } = parse(name);
    const output = this.outputOf(`${stem}-corregido${ext}`);
    await this.reader.call('writeEditedCopy', [this.pathOf(name), this.edits.all(), output]);
    return output;
  }

  private optionsOf(name: TaskName, given: AnyOptions): AnyOptions {
    const params = { params: this.store.paramsFile };
    const edits = this.edits.all();
    const common: AnyOptions = {
      ...this.init.fixed,
      ...given,
      ...(edits.length > 0 && { edits }),

      ...(this.profile !== undefined && { profile: this.profile }),
      ...params,
      upload: {
        ...(this.people.size > 0 && { preparers: [...this.people] }),
        ...(this.acts.length > 0 && { acts: this.acts }),
      },
      force: true,
    };
    const [first, ...others] = this.paths();
    if (name === 'inspect')
      return {
        ...common,
        write: this.mapping,
        ...(first !== undefined && { upload: { name: first } }),
        answer: this.answersOf('columns'),
      };
    const isTable = others.length === 0 && first !== undefined && !/\.(xml|zip|json)$/i.test(first);
    const written = { report: this.outputOf(REPORT), results: this.outputOf(RESULTS) };
    const read: AnyOptions = { ...common, answer: this.answersOf('reading') };
    if (name === 'reception') return { ...read, ...written, output: this.outputOf(RECEPTION) };
    return {
      ...read,
      ...(name === 'events' && { worklist: this.outputOf(WORKLIST) }),
      ...(isTable && { annotate: this.outputOf('revisado.xlsx') }),
      ...(isTable && (name === 'check' || name === 'send') && { failed: this.outputOf(ROWS_TO_FIX) }),
      ...(name !== 'check' && written),
    };
  }

  /** Returns the answers as `ID=VALUE`: those about columns for `inspect`, those about reading for the other tasks. */
  private answersOf(what: 'columns' | 'reading'): readonly string[] {
    return [...this.answers]
      .filter(([id]) => id.startsWith(READING_PREFIX) === (what === 'reading'))
      .map(([id, value]) => `${what === 'reading' ? id.slice(READING_PREFIX.length) : id}=${value}`);
  }

  /** Asks every task once more to stop. */
  hangUp(): void {
    for (const task of this.allTasks()) task.stop();
  }

  /** Ends all work; the folder stays for a later server. */
  async end(): Promise<void> {
    await Promise.all([stopAll(this.allTasks()), this.reader.close()]);
    await this.store.flush();
  }

  /** Ends all work and removes the folder. */
  async close(): Promise<void> {
    await this.end();
    this.isClosed = true;
    await this.store.remove();
  }
}
