import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';

import type { AddressInfo } from 'node:net';
import { basename, dirname, extname, join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AnyOptions } from '../../app/any-options.js';
import { companiesMonth } from '../../app/bureau.js';
import { type Context, programVersion, withTables } from '../../app/context.js';
import { storeValues } from '../../app/last-params.js';
import { companyMonth, searchDocuments } from '../../app/month.js';
import type { CompaniesMonth, CompanyMonth, FoundDocument } from '../../app/month-view.js';
import { profilesMark, watchedFolders, withProfile } from '../../app/profile.js';
import { UploadStore } from '../../app/upload-store.js';
import { PAGE } from '../../generated/texts-page.js';
import { type Sandbox, startSandbox } from '../../sandbox/server.js';
import { parseForeignJson } from '../../toolkit/core/foreign-json.js';
import { type IssueCode, issueOf, type Language, PipelineError, stop } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { MAX_CELL_LENGTH, PAGE_JSON } from '../../toolkit/core/limits.js';
import { packageFile } from '../../toolkit/core/package-file.js';
import { dateInBogota, isPlainMonth } from '../../toolkit/core/plain-date.js';
import { isLeftBehind, processMark } from '../../toolkit/core/process-mark.js';
import { word } from '../../toolkit/messages/wording.js';
import type {
  Change,
  EditedRow,
  HomeView,
  LoggedEdit,
  PageEvent,
  PageIssue,
  ProfileView,
  Refusal,
  RunView,
  TaskName,
} from '../api.js';
import type { Person, Roles } from './people/roles.js';
import { Preferences } from './preferences.js';
import { prepareThread, Reader } from './reader.js';
import { languageOf, type Params } from './request.js';
import { type AnswerStranger, type Entrance, guard, invitations, OWNER } from './safety.js';
import { Settings, settingsRoutes } from './settings.js';
import { type Secrets, stopAll, type Task, TaskFailed } from './task.js';
import { failureOf, issueView } from './task-events.js';
import { MAX_ENDED_TASKS, quietContext, type Surroundings, startTask, Upload } from './upload.js';
import { readerContext } from './upload-reader.js';

/** Max JSON body in bytes; only answers and parameters are sent as JSON. */
const MAX_JSON_BYTES = 2 ** 20;
/** Time between two looks at whether the person of a stream may still see it, in ms. */
const STREAM_CHECK_MS = 2_000;
/** Min time between two events of a stream, in ms. */
const STREAM_INTERVAL_MS = 80;
const MAX_SEARCH_LENGTH = 200;
/** Max issues of a watched folder that the page shows; the folder has a note for each file. */
const MAX_INBOX_ISSUES = 10;
/** Delay before a folder is watched again, in ms. */
const INBOX_RETRY_MS = 60_000;
/** Time between two looks at which folders the profiles name, in ms. */
const FOLDERS_POLL_MS = 5_000;
const DEMO_TEST_SET = 'demo-0000-0000-0000-000000000000';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pdf': 'application/pdf',
};
const typeOf = (name: string): string => CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';

/** Reads the files of the built page; no others are served. */
async function pageFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const folder = packageFile('dist', 'page', 'client');
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async (entry): Promise<[string, Buffer]> => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length).replaceAll('\\', '/'), await readFile(path)];
      }),
    ),
  );
}

interface WebOptions {
  readonly surroundings: Surroundings;
  /** Options of the command, such as a profile. */
  readonly options: AnyOptions;
  /** @default that of the latest start, or any if it is not free */
  readonly port?: number | undefined;
  /** File of a server for several people. */
  readonly server?: string | undefined;
}

/** Drops company, address and secrets of the call: on a server they come from the profiles alone. */
function withoutCompany({ surroundings, options }: WebOptions): Pick<WebOptions, 'surroundings' | 'options'> {
  const { url: _u, token: _t, nit: _n, softwarePin: _s, sisproPassword: _w, ...others } = surroundings;
  const { profileName: _p, profile: _q, account: _a, ...rest } = others;
  const { concurrency, rate, timeout, ca } = options;
  const speed = Object.entries({ concurrency, rate, timeout, ca }).filter(([, value]) => value !== undefined);
  return { surroundings: rest, options: Object.fromEntries(speed) };
}

/** Serves the page on 127.0.0.1 only, or for several people as a file says. */
export async function startWeb(given: WebOptions) {
  const { port, server } = given;
  const { surroundings, options } = server === undefined ? given : withoutCompany(given);
  const answer: AnswerStranger = (request, reply) => answerStranger(state, request, reply);
  const people =
    server === undefined
      ? undefined
      : await (await import('./people/people.js')).openPeople(server, surroundings, answer);
  const app = Fastify({ bodyLimit: MAX_JSON_BYTES, requestTimeout: 0, forceCloseConnections: true });
  const portOf = (): number => (app.server.address() as AddressInfo | null)?.port ?? 0;
  const home = await createServerFolder(join(surroundings.workspace, 'web'));
  const state = new ServerState(home, surroundings, options, people?.roles);
  const door = invitations(portOf, answer);
  const entrance = people?.entrance ?? door.entrance;
  guard(app, entrance, answer);
  people?.requireRoles(app, state);
  await state.restoreUploads();
  await state.keepWatching();
  routes(app, { state, page: await pageFiles(), invitePath: () => door.invite(), isIn: entrance.isIn });
  const host = people?.roles.settings.listen ?? '127.0.0.1';
  if (people !== undefined || port !== undefined) await app.listen({ host, port: port ?? 0 });
  else {
    const preferences = new Preferences(surroundings.workspace);
    const { port: last = 0 } = await preferences.read();
    await app.listen({ host, port: last }).catch(() => app.listen({ host, port: 0 }));
    await preferences.save({ port: portOf() });
  }
  const url = people?.roles.settings.url ?? `http://127.0.0.1:${portOf()}`;
  return {
    url,
    /** Returns a link that lets one visitor in, once. */
    invite: () => (people === undefined ? url + door.invite(OWNER) : url),
    /** Gives up on requests under way; the journal records them. */
    hangUp: () => state.hangUp(),
    /** Closes the server after requests under way have ended. */
    async close() {
      await state.close();
      await app.close();
    },
  };
}

/** Answers a request without a known cookie: a visit with a page, a request of the page with an issue. */
async function answerStranger(
  state: ServerState,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isVisit = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
  const language = isVisit ? await state.preferredLanguage() : languageOf(request);
  const isBack = request.routeOptions.url === '/login/back';
  const code = state.people === undefined ? 'web/not-entered' : isBack ? 'web/not-logged-in' : 'web/to-enter';
  const issue = issueOf(code, 'error', {});
  if (!isVisit) return reply.send({ issues: [issueView(issue, language)] } satisfies Refusal);
  const { title, message, fix } = word(issue, language);
  const text = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>cargue</title></head>
<body><main><h1>${title}</h1><p>${message}</p><p>${fix}</p>${state.people === undefined ? '' : `<p><a href="/login">${PAGE['goTo-enter'][language]}</a></p>`}</main></body>
</html>
`;
  return reply.type(typeOf('index.html')).send(text);
}

/** Folder of uploads that closed servers left for the next one. */
const CLOSED_FOLDER = 'closed';
const UPLOADS_FOLDER = 'uploads';

/** Creates the folder of this process and returns its path. */
async function createServerFolder(parent: string): Promise<string> {
  const home = join(parent, processMark());
  await mkdir(join(home, UPLOADS_FOLDER), { recursive: true, mode: 0o700 });
  return home;
}

/** Holds what this server knows: uploads by visitor, tasks of runs, sandboxes of demonstrations. */
class ServerState {
  private readonly uploads = new Map<string, Upload>();
  /** Tasks of runs and profiles, by id. */
  private readonly tasks = new Map<string, { readonly visitor: string; readonly task: Task }>();
  /** Sandboxes by the id of their demonstration; each starts empty. */
  private readonly sandboxes = new Map<string, Sandbox>();
  private readonly preferences = new Map<string | undefined, Preferences>();
  /** Thread that watches the folders of the companies, and what it could not take. */
  private inboxes:
    | { readonly folders: string; readonly reader: Reader; readonly issues: Map<string, PageIssue[]> }
    | undefined;
  private watching: Promise<void> = Promise.resolve();
  private foldersTimer: NodeJS.Timeout | undefined;
  private isClosing = false;
  readonly settings: Settings;

  constructor(
    private readonly home: string,
    private readonly surroundings: Surroundings,
    private readonly options: AnyOptions,
    /** Undefined on one computer. */
    readonly people: Roles | undefined,
  ) {
    this.settings = new Settings(home, surroundings);
  }

  /** Returns the preferences of the person; on one computer all visitors share them. */
  preferencesOf(person: Person): Preferences {
    const id = this.accountOf(person);
    const known = this.preferences.get(id) ?? new Preferences(this.surroundings.workspace, id);
    this.preferences.set(id, known);
    return known;
  }

  /** True if the person may see what belongs to a visitor, or on a server to a company. */
  private isVisible(person: Person, visitor: string, profile: string | undefined): boolean {
    if (this.people === undefined) return visitor === person.id;
    return profile !== undefined && this.people.mayDo(person, profile, 'see');
  }

  findUpload(id: string): Upload | undefined {
    return this.uploads.get(id);
  }

  /**
   * Finds an upload that the person may see. @throws PipelineError('usage', web/not-there) also for those of
   * others
   */
  upload(person: Person, id: string): Upload {
    const upload = this.uploadsOf(person).find((upload) => upload.id === id);
    return upload ?? stop('usage', { code: 'web/not-there', value: id });
  }

  uploadsOf(person: Person): readonly Upload[] {
    return [...this.uploads.values()].filter(({ visitor, profile }) =>
      this.isVisible(person, visitor, profile),
    );
  }

  /** Restores the uploads of servers that were closed or killed, and removes their other files. */
  async restoreUploads(): Promise<void> {
    const parent = dirname(this.home);
    for (const name of await readdir(parent)) {
      if (name !== CLOSED_FOLDER && !isLeftBehind(name)) continue;
      const folder = join(parent, name, ...(name === CLOSED_FOLDER ? [] : [UPLOADS_FOLDER]));
      for (const id of await readdir(folder).catch(() => [])) await this.restoreUpload(join(folder, id));
      // A server that is closing may still move uploads into the folder of closed ones.
      if (name !== CLOSED_FOLDER) await rm(join(parent, name), { recursive: true, force: true });
    }
  }

  private async restoreUpload(from: string): Promise<void> {
    const folder = join(this.home, UPLOADS_FOLDER, basename(from));
    try {
      await rename(from, folder);
    } catch {
      return; // another server was faster
    }
    const store = new UploadStore<LoggedEdit>(folder);
    const stored = await store.read(this.surroundings.now().getTime());
    if (stored === undefined || stored.state.demo) return store.remove();
    const { profile, fixed, language } = stored.state;
    const init = { profile, fixed };
    const surroundings = { ...this.surroundings, language };
    const upload = await Upload.restore(OWNER, store, stored, surroundings, init);
    this.uploads.set(upload.id, upload);
    for (const other of this.uploads.values())
      for (const [earlier, later] of [
        [other, upload],
        [upload, other],
      ] as const)
        if (earlier.isReplacedBy(later)) {
          this.uploads.delete(earlier.id);
          await earlier.close();
        }
  }

  /** Watches the folders of the companies until the server closes, also as other programs change the profiles. */
  async keepWatching(): Promise<void> {
    await this.watchInboxes();
    let mark = '';
    this.foldersTimer = setInterval(async () => {
      const now = await profilesMark(this.surroundings.workspace);
      if (now !== mark) await this.watchInboxes().catch(() => undefined);
      mark = now;
    }, FOLDERS_POLL_MS).unref();
  }

  /** Watches the folders that the companies' profiles name now; one call at a time. */
  watchInboxes(): Promise<void> {
    this.watching = this.watching.catch(() => undefined).then(() => this.watchNow());
    return this.watching;
  }

  private async watchNow(): Promise<void> {
    if (this.isClosing) return;
    const folders = await watchedFolders(this.surroundings);
    const known = JSON.stringify(folders);
    if (this.inboxes?.folders === known) return;
    await this.inboxes?.reader.close();
    const reader = new Reader();
    const issues = new Map(folders.map(({ profile }): [string, PageIssue[]] => [profile, []]));
    this.inboxes = { folders: known, reader, issues };
    const context = readerContext({ ...this.surroundings, language: await this.preferredLanguage() });
    for (const { profile, folder } of folders) {
      const note = (event: PageEvent): void => {
        const before = issues.get(profile) ?? [];
        // A file that was taken, or a folder that answers again, has no trouble any more.
        const isOver = ({ file }: PageIssue): boolean =>
          event.event === 'message' ? file === null && event['key'] === 'inboxBack' : file === event['file'];
        const rest = before.filter((issue) => !isOver(issue));
        const added = event.event === 'remark' ? [event as unknown as PageIssue] : [];
        const isProblem = event.event === 'inbox' && event['state'] === 'problem';
        issues.set(profile, isProblem ? before : [...rest, ...added].slice(-MAX_INBOX_ISSUES));
      };
      // Where two people are needed, nothing leaves before the second.
      const sends = this.people?.needsTwo(profile) ? { inboxSend: 'none' as const } : {};
      const call = { context, files: [folder], options: { profile, ...sends } };
      void reader
        .call('watch', [call], (changes) => changes.flatMap(({ events }) => events).forEach(note))
        .catch(() => this.watchLater(reader));
    }
  }

  /** Watches again after a file ended the thread. */
  private watchLater(reader: Reader): void {
    if (reader !== this.inboxes?.reader || reader.isClosed) return;
    this.inboxes = undefined;
    setTimeout(() => void this.watchInboxes().catch(() => undefined), INBOX_RETRY_MS).unref();
  }

  inboxViews(person: Person): HomeView['inboxes'] {
    return [...(this.inboxes?.issues ?? [])]
      .filter(([profile]) => this.isVisible(person, OWNER, profile))
      .map(([profile, issues]) => ({ profile, issues }));
  }

  private get newFolder(): string {
    return join(this.home, UPLOADS_FOLDER, randomUUID());
  }

  /** @param person default: a visitor who is not known */
  async preferredLanguage(person: Person = { id: OWNER }): Promise<Language> {
    return (await this.preferencesOf(person).read()).language ?? this.surroundings.language;
  }

  async open(visitor: string, language: Language, profile: string | undefined): Promise<Upload> {
    const upload = await Upload.open(
      visitor,
      this.newFolder,
      { ...this.surroundings, language },
      {
        profile,
        fixed: this.options,
      },
    );
    this.uploads.set(upload.id, upload);
    return upload;
  }

  /** Opens an upload with sample files, to be sent to a new sandbox. */
  async openDemo(visitor: string, language: Language): Promise<Upload> {
    const sandbox = await startSandbox();
    const { url, token } = sandbox;
    // The service and company of the command are dropped: the demonstration sends nothing to them.
    const { profileName: _p, profile: _q, ...surroundings } = this.surroundings;
    const folder = this.newFolder;
    const workspace = join(folder, 'workspace');
    const upload = await Upload.open(
      visitor,
      folder,
      { ...surroundings, language, workspace, url, token },
      { fixed: { testSet: DEMO_TEST_SET }, demo: true },
    );
    const sample = packageFile('samples', 'payroll', 'nomina-octubre-2026.xlsx');
    await upload.add(basename(sample), createReadStream(sample));
    await upload.setParams(
      JSON.parse(await readFile(packageFile('samples', 'payroll', 'params.json'), 'utf8')) as JsonObject,
    );
    this.sandboxes.set(upload.id, sandbox);
    this.uploads.set(upload.id, upload);
    return upload;
  }

  private companyContext(profile: string | undefined) {
    return { ...this.surroundings, profile: profile === undefined ? undefined : { name: profile } };
  }

  /** Sets the parameters and remembers them for the company's next upload, except in a demonstration. */
  async setParams(upload: Upload, params: JsonObject): Promise<void> {
    await upload.setParams(params);
    const { demo, profile } = upload.view();
    if (!demo)
      await storeValues(this.companyContext(profile ?? undefined), this.options, {
        params,
        on: dateInBogota(new Date()),
      }).catch(() => undefined);
  }

  async remove(person: Person, id: string): Promise<void> {
    const upload = this.upload(person, id);
    this.uploads.delete(id);
    await upload.close();
    await this.sandboxes.get(id)?.close();
    this.sandboxes.delete(id);
  }

  /** Finds a task. @param person default: anyone */
  findTask(id: string, person?: Person): Task | undefined {
    const found = this.tasks.get(id);
    const mine = (visitor: string, profile: string | undefined): boolean =>
      person === undefined || this.isVisible(person, visitor, profile);
    if (found !== undefined) return mine(found.visitor, found.task.profile) ? found.task : undefined;
    return [...this.uploads.values()]
      .filter(({ visitor, profile }) => mine(visitor, profile))
      .map((upload) => upload.taskOf(id))
      .find((task) => task !== undefined);
  }

  task(person: Person, id: string): Task {
    return this.findTask(id, person) ?? stop('usage', { code: 'web/not-there', value: id });
  }

  /**
   * Returns paths for the files written about a run; runs are numbered per company, so its name is part of
   * the path.
   */
  async outputPathsOf(run: string, { profile, company, testSet }: AnyOptions) {
    const owner = [profile, company, testSet].map((part) => encodeURIComponent(part ?? '')).join(',');
    const folder = join(this.home, 'runs', owner, run);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const report = join(folder, `reporte-${run}.xlsx`);
    return { report, output: report, folder: join(folder, 'pdf'), results: join(folder, 'resultados') };
  }

  /** Returns the account under which a person acts; undefined on one computer, which has its own. */
  accountOf(person: Person): string | undefined {
    return this.people && person.id;
  }

  startTask(
    person: Person,
    name: TaskName,
    language: Language,
    args: readonly string[],
    given: AnyOptions,
    secrets: Secrets = new Map(),
  ): Task {
    const options = { ...this.options, ...given };
    const account = this.accountOf(person);
    const surroundings = { ...this.surroundings, language, ...(account !== undefined && { account }) };
    const task = startTask(name, surroundings, args, options, { secrets });
    if (name === 'profileChange') void task.done.then(() => this.watchInboxes());
    return this.keepTask(person.id, task);
  }

  /** Stores a task for its visitor and forgets the oldest ended ones. */
  keepTask(visitor: string, task: Task): Task {
    this.tasks.set(task.id, { visitor, task });
    const ended = [...this.tasks].filter(([, entry]) => entry.task.view().state === 'ended');
    for (const [id] of ended.slice(0, -MAX_ENDED_TASKS)) this.tasks.delete(id);
    return task;
  }

  /**
   * Lists the runs in the journal of a profile, or of the service in the environment; empty if no service is
   * named.
   */
  async runs(language: Language, profile: string | undefined): Promise<readonly RunView[]> {
    if (!profile && (this.surroundings.url ?? this.options.url) === undefined) return [];
    const options = { ...this.options, ...(profile && { profile }) };
    const task = startTask('status', { ...this.surroundings, language }, [], options);
    await task.done;
    const { events, task: view } = task.updateFrom(0);
    // Before the first run there is no journal.
    if (view.failure.some(({ code }) => code === ('journal/missing' satisfies IssueCode))) return [];
    if (view.failure.length > 0) throw new TaskFailed(view.failure);
    return events.filter(({ event }) => event === 'run') as unknown as RunView[];
  }

  /** Returns the month of every company; the service and company of the command are dropped. */
  companiesMonth(person: Person, language: Language, month: string | undefined): Promise<CompaniesMonth> {
    const {
      profileName: _p,
      profile: _q,
      url: _u,
      token: _t,
      ...context
    } = quietContext(this.surroundings, language);
    return companiesMonth(context, month, (profile) => this.people?.mayDo(person, profile, 'see') ?? true);
  }

  /** Lists the companies that the person may see, with what the person may do there. */
  async profiles(person: Person, language: Language): Promise<readonly ProfileView[]> {
    const profiles = await this.settings.profiles(language);
    const { people } = this;
    if (people === undefined) return profiles;
    return profiles
      .map((profile) => ({
        ...profile,
        acts: people.actsOf(person, profile.name),
        needsTwo: people.needsTwo(profile.name),
      }))
      .filter(({ acts }) => acts.length > 0);
  }

  /** Calls a use case that returns a value, with the settings of a company and the tables of this computer. */
  async ofCompany<T>(
    language: Language,
    profile: string | undefined,
    use: (context: Context, options: AnyOptions) => Promise<T>,
  ): Promise<T> {
    const quiet = quietContext(this.surroundings, language);
    const options = { ...this.options, ...(profile && { profile }) };
    const call = await withProfile({ context: quiet, options });
    return withTables(call.context, () => use(call.context, call.options));
  }

  hangUp(): void {
    for (const { task } of this.tasks.values()) task.stop();
    for (const upload of this.uploads.values()) upload.hangUp();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.foldersTimer);
    await this.watching.catch(() => undefined);
    await stopAll([...this.tasks.values()].map(({ task }) => task));
    await this.inboxes?.reader.close();
    const closed = join(dirname(this.home), CLOSED_FOLDER);
    for (const upload of this.uploads.values()) {
      if (!upload.isWorthKeeping) {
        await upload.close();
        continue;
      }
      await upload.end();
      await mkdir(closed, { recursive: true, mode: 0o700 });
      await rename(upload.folder, join(closed, upload.id));
    }
    for (const sandbox of this.sandboxes.values()) await sandbox.close();
    await rm(this.home, { recursive: true, force: true });
  }
}

/** Options that the page may set, with their types; paths are chosen by this server. */
const PAGE_OPTIONS = {
  company: 'string',
  profile: 'string',
  testSet: 'string',
  partial: 'boolean',
  hold: 'boolean',
  note: 'string',
  dryRun: 'boolean',
  reason: 'string',
  as: 'string',
  twoPeople: 'boolean',
  deleteMissing: 'boolean',
  settle: 'strings',
  expand: 'boolean',
  byCufe: 'boolean',
  only: 'strings',
  to: 'string',
  again: 'boolean',
  paymentConcept: 'string',
  booking: 'string',
  environment: 'string',
  companyName: 'string',
  inbox: 'string',
  inboxSend: 'string',
  url: 'string',
  softwareId: 'string',
  payrollAddress: 'string',
  invoiceAddress: 'string',
  documentType: 'string',
  prefix: 'string',
  firstNumber: 'integer',
  lastNumber: 'integer',
} as const satisfies Partial<Record<keyof AnyOptions, 'string' | 'boolean' | 'integer' | 'strings'>>;

/** Returns the options of a body that `TASK` has checked. */
const optionsFrom = (body: unknown): AnyOptions =>
  (body as { options?: AnyOptions } | null | undefined)?.options ?? {};

interface RouteContext {
  readonly state: ServerState;
  readonly page: ReadonlyMap<string, Buffer>;
  /** Returns a single-use path for another visitor, such as the user who approves a run. */
  invitePath(): string;
  /** True while the session of a request lasts. */
  readonly isIn: Entrance['isIn'];
}

function routes(app: FastifyInstance, { state, page, invitePath, isIn }: RouteContext): void {
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload));
  const readBody = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    const { problem } = parseForeignJson(text, PAGE_JSON);
    if (problem === undefined || problem === 'syntax') return readBody(request, text, done);
    done(Object.assign(new Error(problem), { statusCode: problem === 'too-deep' ? 400 : 413 }));
  });
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof PipelineError || error instanceof TaskFailed;
    const issues = error instanceof TaskFailed ? error.issues : failureOf(error, languageOf(request));
    reply.removeHeader('content-disposition');
    return reply
      .type('application/json')
      .code(known ? 422 : ((error as { statusCode?: number }).statusCode ?? 500))
      .send({ issues } satisfies Refusal);
  });

  app.post('/api/invitations', async () => ({ path: invitePath() }));

  app.get('/', async (request, reply) => {
    const language = await state.preferredLanguage(request.person);
    const text = page.get('/index.html')!.toString().replace('lang="es"', `lang="${language}"`);
    return reply.type(typeOf('index.html')).send(text);
  });
  app.put<{ Body: { language?: Language; profile?: string } }>(
    '/api/preferences',
    { schema: PREFERENCES },
    async (request) => {
      await state.preferencesOf(request.person).save(request.body);
      return {};
    },
  );
  app.get<Params>('/assets/:name', async (request, reply) =>
    send(reply, page, `/assets/${request.params['name']}`),
  );

  app.get('/api/home', async (request): Promise<HomeView> => {
    // A file may be dropped next.
    prepareThread();
    await state.restoreUploads();
    const { person } = request;
    const isShared = state.people !== undefined;
    const profiles = await state.profiles(person, languageOf(request));
    const { profile: chosen } = await state.preferencesOf(person).read();
    const known =
      profiles.find(({ name }) => name === chosen) ??
      (profiles.length === 1 || isShared ? profiles[0] : undefined);
    return {
      version: programVersion(),
      ...(isShared && { person: person.name ?? person.id, personId: person.id }),
      profiles,
      profile: known?.name ?? (isShared ? '' : (chosen ?? '')),
      uploads: state.uploadsOf(person).map((upload) => upload.view()),
      inboxes: state.inboxViews(person),
    };
  });
  app.get<Params>('/api/runs', async (request): Promise<readonly RunView[]> => {
    const { profile } = request.query;
    return state.runs(languageOf(request), profile || undefined);
  });

  app.get<Params>('/api/month', async (request): Promise<CompanyMonth> => {
    const { profile, month } = request.query;
    const wanted = isPlainMonth(month ?? '') ? month : undefined;
    return state.ofCompany(languageOf(request), profile || undefined, (context, options) =>
      companyMonth(context, options, wanted),
    );
  });
  app.get<Params>('/api/companies', async (request): Promise<CompaniesMonth> => {
    const { month } = request.query;
    return state.companiesMonth(
      request.person,
      languageOf(request),
      isPlainMonth(month ?? '') ? month : undefined,
    );
  });
  app.get<Params>('/api/documents', async (request): Promise<readonly FoundDocument[]> => {
    const { profile, text = '' } = request.query;
    return state.ofCompany(languageOf(request), profile || undefined, (context, options) =>
      searchDocuments(context, options, text.slice(0, MAX_SEARCH_LENGTH)),
    );
  });

  app.post<{ Body: { profile?: string; demo?: boolean } }>(
    '/api/uploads',
    { schema: UPLOAD },
    async (request) => {
      const { profile, demo } = request.body;
      const visitor = request.person.id;
      const language = languageOf(request);
      return (
        await (demo ? state.openDemo(visitor, language) : state.open(visitor, language, profile))
      ).view();
    },
  );
  const uploadOf = (request: FastifyRequest<Params>): Upload =>
    state.upload(request.person, request.params['id']!);

  const changed = async (request: FastifyRequest<Params>, change: (upload: Upload) => Promise<void>) => {
    const upload = uploadOf(request);
    await change(upload);
    return upload.view();
  };

  app.get<Params>('/api/uploads/:id', async (request) => uploadOf(request).view());
  app.delete<Params>('/api/uploads/:id', async (request) => {
    await state.remove(request.person, request.params['id']!);
    return {};
  });
  app.put<Params>('/api/uploads/:id/files', { bodyLimit: 2 ** 40 }, async (request) =>
    changed(request, (upload) =>
      upload.add(request.query['name'] ?? '', request.body as NodeJS.ReadableStream),
    ),
  );
  app.delete<Params>('/api/uploads/:id/files', async (request) =>
    changed(request, (upload) => upload.remove(request.query['name'] ?? '')),
  );
  app.get<Params>('/api/uploads/:id/tables', async (request) => uploadOf(request).previews());
  app.get<Params>('/api/uploads/:id/read', async (request) => uploadOf(request).checkView());
  app.get<Params>('/api/uploads/:id/rows', async (request) => {
    const { name = '', sheet, from = '0', count = '100' } = request.query;
    const { numbers, find } = request.query;
    const wanted = find
      ? { find: Number(find) }
      : numbers
        ? { numbers: numbers.split(',').slice(0, 1000).map(Number) }
        : { from: Number(from), count: Math.min(Number(count), 1000) };
    return uploadOf(request).rows(name, sheet || undefined, wanted);
  });
  app.get<Params>('/api/uploads/:id/column', async (request) => {
    const { name = '', sheet, column = '' } = request.query;
    if (!COLUMN.test(column)) return stop('usage', { code: 'web/not-there', value: column });
    return uploadOf(request).column(name, sheet || undefined, column);
  });
  app.get<Params>('/api/uploads/:id/edits', async (request) => uploadOf(request).editsView());
  app.put<Params & { Body: readonly Change[] }>(
    '/api/uploads/:id/edits',
    { bodyLimit: PAGE_JSON.maxLength, schema: CHANGES },
    async (request) => uploadOf(request).edit(request.body, state.accountOf(request.person)),
  );
  app.put<Params & { Body: EditedRow }>('/api/uploads/:id/edits/left-out', { schema: ROW }, async (request) =>
    uploadOf(request).leaveOut(request.body, state.accountOf(request.person)),
  );
  app.delete<Params>('/api/uploads/:id/edits', async (request) => uploadOf(request).undo());
  app.post<Params>('/api/uploads/:id/edits/redo', async (request) => uploadOf(request).redo());
  app.put<Params & { Body: JsonObject }>('/api/uploads/:id/params', { schema: OBJECT }, async (request) =>
    changed(request, (upload) => state.setParams(upload, request.body)),
  );
  app.put<Params & { Body: { profile: string } }>(
    '/api/uploads/:id/company',
    { schema: COMPANY },
    async (request) => changed(request, (upload) => upload.changeCompany(request.body.profile || undefined)),
  );
  app.put<Params & { Body: Readonly<Record<string, string>> }>(
    '/api/uploads/:id/answers',
    { schema: ANSWERS },
    async (request) => changed(request, (upload) => upload.answer(request.body)),
  );
  app.post<Params & { Body: { once?: boolean } }>(
    '/api/uploads/:id/tasks/:name',
    { schema: TASK },
    async (request) => {
      const [upload, name] = [uploadOf(request), taskName('upload', request)];
      // Two screens may ask for the same task before either knows of it.
      const there = request.body?.once ? upload.latest(name) : undefined;
      return (
        there ?? (await upload.start(name, optionsFrom(request.body), state.accountOf(request.person)))
      ).view();
    },
  );
  app.post<Params>('/api/uploads/:id/runs/:run/tasks/:name', { schema: TASK }, async (request) =>
    uploadOf(request)
      .startOfRun(
        taskName('run', request),
        runName(request),
        optionsFrom(request.body),
        state.accountOf(request.person),
      )
      .view(),
  );
  app.get<Params>('/api/uploads/:id/outputs', async (request) => uploadOf(request).outputs());
  app.get<Params>('/api/uploads/:id/outputs/*', async (request, reply) =>
    outputOf(uploadOf(request), request.params['*']!, reply),
  );
  app.get<Params>('/api/uploads/:id/edited', async (request, reply) =>
    download(reply, await uploadOf(request).editedCopy(request.query['name'] ?? '')),
  );

  const runTask = async (
    request: FastifyRequest<Params>,
    name: TaskName,
    given: AnyOptions,
  ): Promise<Task> => {
    const run = runName(request);
    // Files with personal data are written to the server's folder, not to the working directory.
    const options = { ...given, ...(await state.outputPathsOf(run, given)), force: true };
    return state.startTask(request.person, name, languageOf(request), [run], options);
  };
  app.post<Params>('/api/runs/:run/tasks/:name', { schema: TASK }, async (request) =>
    (await runTask(request, taskName('run', request), optionsFrom(request.body))).view(),
  );
  app.get<Params>('/api/runs/:run/report', async (request, reply) => {
    const { profile } = request.query;
    const given = profile ? { profile } : {};
    const task = await runTask(request, 'report', given);
    await task.done;
    const { failure } = task.view();
    if (failure.length > 0) throw new TaskFailed(failure);
    const { report } = await state.outputPathsOf(runName(request), given);
    return download(reply, report, [profile, basename(report)].filter(Boolean).join('-'));
  });
  app.post<Params>('/api/tasks/:name', { schema: TASK }, async (request) => {
    const { args = [], secrets = {} } = (request.body ?? {}) as {
      args?: readonly string[];
      secrets?: Readonly<Record<string, string>>;
    };
    return state
      .startTask(
        request.person,
        taskName('machine', request),
        languageOf(request),
        args,
        optionsFrom(request.body),
        new Map(Object.entries(secrets)),
      )
      .view();
  });
  settingsRoutes(app, state.settings, (visitor, task) => state.keepTask(visitor, task));
  const taskOf = (request: FastifyRequest<Params>): Task =>
    state.task(request.person, request.params['task']!);
  app.get<Params>('/api/task/:task', async (request) => taskOf(request).view());
  // Serves only the PDFs that the task itself reported.
  app.get<Params>('/api/task/:task/pdf/:name', async (request, reply) => {
    const { name = '' } = request.params;
    const { events } = taskOf(request).updateFrom(0);
    const preview = events.find(({ event, file }) => event === 'preview' && basename(String(file)) === name);
    if (preview === undefined || preview['state'] === 'failed')
      return stop('usage', { code: 'web/not-there', value: name });
    return download(reply, String(preview['file']));
  });
  app.get<Params>('/api/task/:task/events', (request, reply) => {
    const task = state.findTask(request.params['task']!, request.person);
    return task === undefined
      ? reply.type(EVENT_STREAM).send(GONE)
      : follow(
          task,
          request,
          reply,
          () => isIn(request) && state.findTask(task.id, request.person) !== undefined,
        );
  });
  app.post<Params & { Body: { id: number; said: unknown } }>(
    '/api/task/:task/answer',
    { schema: ANSWER },
    async (request) => ({ taken: taskOf(request).answer(request.body.id, request.body.said) }),
  );
  app.post<Params>('/api/task/:task/stop', async (request) => {
    const task = taskOf(request);
    task.stop();
    return task.view();
  });
}

const OBJECT = { body: { type: 'object' } } as const;

/** Checks the options before a use case fails on a wrong type. */
const TASK = {
  body: {
    type: ['object', 'null'],
    properties: {
      once: { type: 'boolean' },
      args: { type: 'array', items: { type: 'string' } },
      secrets: { type: 'object', additionalProperties: { type: 'string' } },
      options: {
        type: 'object',
        // Others are removed.
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(PAGE_OPTIONS).map(([name, type]) => [
            name,
            type === 'strings' ? { type: 'array', items: { type: 'string' } } : { type },
          ]),
        ),
      },
    },
  },
} as const;

const UPLOAD = {
  body: { type: 'object', properties: { profile: { type: 'string' }, demo: { type: 'boolean' } } },
} as const;

const COMPANY = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['profile'],
    properties: { profile: { type: 'string', maxLength: 200 } },
  },
} as const;

const ANSWERS = { body: { type: 'object', additionalProperties: { type: 'string' } } } as const;

const ANSWER = {
  body: {
    type: 'object',
    required: ['id', 'said'],
    // A list of types would coerce the typed text "true" into a confirmation.
    properties: { id: { type: 'integer' }, said: {} },
  },
} as const;

const PREFERENCES = {
  body: {
    type: 'object',
    additionalProperties: false,
    properties: { language: { enum: ['es', 'en'] }, profile: { type: 'string', maxLength: 200 } },
  },
} as const;

const ROW = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['file', 'sheet', 'row'],
    properties: {
      file: { type: 'string' },
      sheet: { type: 'string', nullable: true },
      row: { type: 'integer', minimum: 1 },
    },
  },
} as const;

const COLUMN = /^[A-Z]{1,3}$/;

const CHANGES = {
  body: {
    type: 'array',
    minItems: 1,
    maxItems: 100_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['file', 'sheet', 'row'],
      oneOf: [{ required: ['column', 'text'] }, { required: ['leftOut'] }],
      properties: {
        ...ROW.body.properties,
        column: { type: 'string', pattern: COLUMN.source },
        text: { type: 'string', maxLength: MAX_CELL_LENGTH },
        leftOut: { type: 'boolean' },
      },
    },
  },
} as const;

/** Tasks that may be started by scope: on the files of an upload, on a run, or on this computer. */
const TASKS = {
  upload: ['inspect', 'check', 'send', 'adjust', 'events', 'reception'],
  run: ['send', 'resume', 'approve', 'giveBack', 'status', 'report', 'preview', 'email'],
  machine: ['profileAdd', 'profileChange', 'setup', 'setupSoftware', 'setupResolution', 'lawRemove'],
} as const satisfies Readonly<Record<string, readonly TaskName[]>>;

/** Returns the run's name, `YYYY-MM-DD-N`. @throws PipelineError('usage', web/not-there) */
function runName({ params: { run = '' } }: FastifyRequest<Params>): string {
  return /^\d{4}-\d\d-\d\d-\d+$/.test(run) ? run : stop('usage', { code: 'web/not-there', value: run });
}

function taskName(scope: keyof typeof TASKS, { params: { name = '' } }: FastifyRequest<Params>): TaskName {
  const found = TASKS[scope].find((known) => known === name);
  return found ?? stop('usage', { code: 'web/not-there', value: name });
}

/** Sends an output of an upload; results of the authority keep the names that it gives them. */
async function outputOf(upload: Upload, name: string, reply: FastifyReply): Promise<FastifyReply> {
  const path = await upload.output(name);
  return download(reply, path, name.includes('/') ? basename(path) : upload.downloadName(name));
}

const download = (reply: FastifyReply, path: string, name = basename(path)): FastifyReply =>
  reply
    .type(typeOf(basename(path)))
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(createReadStream(path));

function send(reply: FastifyReply, page: ReadonlyMap<string, Buffer>, name: string): FastifyReply {
  const content = page.get(name);
  if (content === undefined) return reply.code(404).type('text/plain').send('');
  return reply.type(typeOf(name)).send(content);
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** Event for a page that follows a task which a newer one has replaced. */
const GONE = 'event: gone\ndata: {}\n\n';

/** Streams the updates of a task as server-sent events; `last-event-id` says what the page already has. */
function follow(task: Task, request: FastifyRequest, reply: FastifyReply, isVisible: () => boolean): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': EVENT_STREAM,
  });
  let from = Number(request.headers['last-event-id'] ?? 0) || 0;
  let timer: NodeJS.Timeout | undefined;
  /** True unless the session has ended, the person has lost the role, or the roles cannot be read. */
  const isStillVisible = (): boolean => {
    try {
      return isVisible();
    } catch {
      return false;
    }
  };
  const checking = setInterval(() => void (isStillVisible() || raw.end()), STREAM_CHECK_MS);
  const flush = (): void => {
    timer = undefined;
    if (!isStillVisible()) return void raw.end();
    const { next, ...turn } = task.updateFrom(from);
    from = next;
    raw.write(`id: ${next}\ndata: ${JSON.stringify(turn)}\n\n`);
    if (turn.task.state === 'ended') raw.end();
  };
  const unwatch = task.watch(() => {
    timer ??= setTimeout(flush, STREAM_INTERVAL_MS);
  });
  // Close of the response: the request may be over as soon as it is read.
  raw.on('close', () => {
    clearInterval(checking);
    clearTimeout(timer);
    unwatch();
  });
  flush();
}
