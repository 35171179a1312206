import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';

import type { AddressInfo } from 'node:net';
import { basename, dirname, extname, join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AnyOptions } from '../../app/any-options.js';
import { programVersion } from '../../app/context.js';
import { keepSaid, lastSaid } from '../../app/last-params.js';
import { type Sandbox, startSandbox } from '../../sandbox/server.js';
import { parseForeignJson } from '../../toolkit/core/foreign-json.js';
import { type IssueCode, issueOf, type Language, PipelineError, stop } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { MAX_CELL_LENGTH, PAGE_JSON } from '../../toolkit/core/limits.js';
import { packageFile } from '../../toolkit/core/package-file.js';
import { dateInBogota } from '../../toolkit/core/plain-date.js';
import { isLeftBehind, processMark } from '../../toolkit/core/process-mark.js';
import { word } from '../../toolkit/messages/wording.js';
import type { ActName, Change, EditedRow, HomeView, Refusal, RunView } from '../api.js';
import { type Act, endAll, Failed, type Secrets } from './act.js';
import { failureOf, issueView } from './act-events.js';
import { Preferences } from './preferences.js';
import { languageOf, type Params } from './request.js';
import { guard, OWNER } from './safety.js';
import { Settings, settingsRoutes } from './settings.js';
import { MOST_ENDED, type Surroundings, startAct, Upload } from './upload.js';
import { UploadStore } from './upload-store.js';

/** Bodies of JSON are answers and parameters. */
const MOST_JSON = 2 ** 20;
/** How often a stream is told what is new, in milliseconds. */
const BEAT = 80;
const TEST_SET = 'demo-0000-0000-0000-000000000000';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pdf': 'application/pdf',
};
const typeOf = (name: string): string => TYPES[extname(name)] ?? 'application/octet-stream';

/** The page as it was built: what is not among these files is not served. */
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

interface WebServer {
  readonly url: string;
  /** A link that lets one visitor in, once. */
  invite(): string;
  /** Waits for what is on its way. */
  close(): Promise<void>;
  /** Gives up what is on its way; the journal knows of it. */
  hangUp(): void;
}

interface WebOptions {
  readonly surroundings: Surroundings;
  /** Options of the call itself, such as a profile. */
  readonly options: AnyOptions;
  /** @default a free one */
  readonly port?: number | undefined;
}

/** Serves the page to this machine alone. */
export async function startWeb({ surroundings, options, port = 0 }: WebOptions): Promise<WebServer> {
  const app = Fastify({ bodyLimit: MOST_JSON, requestTimeout: 0, forceCloseConnections: true });
  const portOf = (): number => (app.server.address() as AddressInfo | null)?.port ?? 0;
  const home = await ownFolder(join(surroundings.workspace, 'web'));
  const house = new House(home, surroundings, options);
  const door = guard(app, portOf, (request, reply) => answerStranger(house, request, reply));
  await house.takeUp();
  routes(app, { house, page: await pageFiles(), invite: () => door.invite() });
  await app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${portOf()}`;
  return {
    url,
    invite: () => url + door.invite(OWNER),
    hangUp: () => house.hangUp(),
    async close() {
      await house.close();
      await app.close();
    },
  };
}

/** Answers whoever has no cookie of this server: a visit with a page, the page's own requests with an issue. */
async function answerStranger(
  house: House,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isVisit = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
  const language = isVisit ? await house.preferredLanguage() : languageOf(request);
  const issue = issueOf('web/not-entered', 'error', {});
  if (!isVisit) return reply.send({ issues: [issueView(issue, language)] } satisfies Refusal);
  const { title, message, fix } = word(issue, language);
  const text = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>cargue</title></head>
<body><main><h1>${title}</h1><p>${message}</p><p>${fix}</p></main></body>
</html>
`;
  return reply.type(typeOf('index.html')).send(text);
}

/** Uploads of servers that were closed lie here until the next one takes them up. */
const CLOSED = 'closed';
const UPLOADS = 'uploads';

/** Creates the folder of this process. */
async function ownFolder(parent: string): Promise<string> {
  const home = join(parent, processMark());
  await mkdir(join(home, UPLOADS), { recursive: true, mode: 0o700 });
  return home;
}

/** All that this server knows: uploads by visitor, acts about runs, the sandbox of the demonstration. */
class House {
  private readonly uploads = new Map<string, Upload>();
  /** Acts about runs and profiles, by id. */
  private readonly acts = new Map<string, { readonly visitor: string; readonly act: Act }>();
  /** One for each demonstration: each begins anew. */
  private readonly sandboxes = new Map<string, Sandbox>();
  readonly settings: Settings;
  readonly preferences: Preferences;

  constructor(
    private readonly home: string,
    private readonly surroundings: Surroundings,
    private readonly options: AnyOptions,
  ) {
    this.settings = new Settings(home, surroundings);
    this.preferences = new Preferences(surroundings.workspace);
  }

  /** @throws PipelineError('usage', web/not-there) also for what is another visitor's */
  upload(visitor: string, id: string): Upload {
    const upload = this.uploads.get(id);
    return upload?.visitor === visitor ? upload : stop('usage', { code: 'web/not-there', value: id });
  }

  uploadsOf(visitor: string): readonly Upload[] {
    return [...this.uploads.values()].filter((upload) => upload.visitor === visitor);
  }

  /** Takes up the uploads of servers that were closed or killed, and removes what else those left. */
  async takeUp(): Promise<void> {
    const parent = dirname(this.home);
    for (const name of await readdir(parent)) {
      if (name !== CLOSED && !isLeftBehind(name)) continue;
      const folder = join(parent, name, ...(name === CLOSED ? [] : [UPLOADS]));
      for (const id of await readdir(folder).catch(() => [])) await this.takeUpOne(join(folder, id));
      // Into the other one a server that is just closing may put something.
      if (name !== CLOSED) await rm(join(parent, name), { recursive: true, force: true });
    }
  }

  private async takeUpOne(from: string): Promise<void> {
    const folder = join(this.home, UPLOADS, basename(from));
    try {
      await rename(from, folder);
    } catch {
      return; // another server was faster
    }
    const store = new UploadStore(folder);
    const kept = await store.read(this.surroundings.now().getTime());
    if (kept === undefined || kept.state.demo) return store.remove();
    const { profile, fixed, language } = kept.state;
    const before = await lastSaid(this.asking(profile), this.options);
    const beginning = { profile, fixed, before };
    const surroundings = { ...this.surroundings, language };
    const upload = await Upload.restore(OWNER, store, kept, surroundings, beginning);
    this.uploads.set(upload.id, upload);
  }

  private get newFolder(): string {
    return join(this.home, UPLOADS, randomUUID());
  }

  async preferredLanguage(): Promise<Language> {
    return (await this.preferences.read()).language ?? this.surroundings.language;
  }

  async open(visitor: string, language: Language, profile: string | undefined): Promise<Upload> {
    const upload = await Upload.open(
      visitor,
      this.newFolder,
      { ...this.surroundings, language },
      {
        profile,
        fixed: this.options,
        before: await lastSaid(this.asking(profile), this.options),
      },
    );
    this.uploads.set(upload.id, upload);
    return upload;
  }

  /** A month of invented people, on its way to the sandbox of this program. */
  async openDemo(visitor: string, language: Language): Promise<Upload> {
    const sandbox = await startSandbox();
    const { url, token } = sandbox;
    // Whatever service and company the call names: nothing of it leaves this machine.
    const { profileName: _p, profile: _q, ...surroundings } = this.surroundings;
    const folder = this.newFolder;
    const workspace = join(folder, 'workspace');
    const upload = await Upload.open(
      visitor,
      folder,
      { ...surroundings, language, workspace, url, token },
      { fixed: { testSet: TEST_SET }, demo: true },
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

  private asking(profile: string | undefined) {
    return { ...this.surroundings, profile: profile === undefined ? undefined : { name: profile } };
  }

  /** What was given is there again next month, except the demonstration's. */
  async setParams(upload: Upload, params: JsonObject): Promise<void> {
    await upload.setParams(params);
    const { demo, profile } = upload.view();
    if (!demo)
      await keepSaid(this.asking(profile ?? undefined), this.options, {
        params,
        on: dateInBogota(new Date()),
      }).catch(() => undefined);
  }

  async changeCompany(upload: Upload, profile: string | undefined): Promise<void> {
    await upload.changeCompany(profile, await lastSaid(this.asking(profile), this.options));
  }

  async remove(visitor: string, id: string): Promise<void> {
    const upload = this.upload(visitor, id);
    this.uploads.delete(id);
    await upload.close();
    await this.sandboxes.get(id)?.close();
    this.sandboxes.delete(id);
  }

  knownAct(visitor: string, id: string): Act | undefined {
    const own = this.acts.get(id);
    if (own?.visitor === visitor) return own.act;
    return this.uploadsOf(visitor)
      .map((upload) => upload.actOf(id))
      .find((act) => act !== undefined);
  }

  act(visitor: string, id: string): Act {
    return this.knownAct(visitor, id) ?? stop('usage', { code: 'web/not-there', value: id });
  }

  /** Where what is written of a run lies until this server ends; companies count their runs each for itself. */
  async writtenOf(run: string, { profile, company, testSet }: AnyOptions) {
    const whose = [profile, company, testSet].map((one) => encodeURIComponent(one ?? '')).join(',');
    const folder = join(this.home, 'runs', whose, run);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const report = join(folder, `reporte-${run}.xlsx`);
    return { report, output: report, folder: join(folder, 'pdf'), results: join(folder, 'resultados') };
  }

  startAct(
    visitor: string,
    name: ActName,
    language: Language,
    args: readonly string[],
    given: AnyOptions,
    secrets: Secrets = new Map(),
  ): Act {
    const options = { ...this.options, ...given };
    return this.keepAct(
      visitor,
      startAct(name, { ...this.surroundings, language }, args, options, { secrets }),
    );
  }

  /** Keeps an act for its visitor to follow. */
  keepAct(visitor: string, act: Act): Act {
    this.acts.set(act.id, { visitor, act });
    const ended = [...this.acts].filter(([, one]) => one.act.view().state === 'ended');
    for (const [id] of ended.slice(0, -MOST_ENDED)) this.acts.delete(id);
    return act;
  }

  /** Runs of a profile's journal, or of where the environment points; none where no service is named. */
  async runs(language: Language, profile: string | undefined): Promise<readonly RunView[]> {
    if (!profile && (this.surroundings.url ?? this.options.url) === undefined) return [];
    const options = { ...this.options, ...(profile && { profile }) };
    const act = startAct('status', { ...this.surroundings, language }, [], options);
    await act.done;
    const { events, act: view } = act.turnFrom(0);
    // Before the first run there is no journal.
    if (view.failure.some(({ code }) => code === ('journal/missing' satisfies IssueCode))) return [];
    if (view.failure.length > 0) throw new Failed(view.failure);
    return events.filter(({ event }) => event === 'run') as unknown as RunView[];
  }

  hangUp(): void {
    for (const { act } of this.acts.values()) act.stop();
    for (const upload of this.uploads.values()) upload.hangUp();
  }

  async close(): Promise<void> {
    await endAll([...this.acts.values()].map(({ act }) => act));
    const closed = join(dirname(this.home), CLOSED);
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

/** Options that the page may give; where files lie is this server's matter. */
const GIVEN = {
  company: 'string',
  profile: 'string',
  testSet: 'string',
  partial: 'boolean',
  hold: 'boolean',
  dryRun: 'boolean',
  reason: 'string',
  as: 'string',
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
  url: 'string',
  softwareId: 'string',
  payrollAddress: 'string',
  invoiceAddress: 'string',
  documentType: 'string',
  prefix: 'string',
  firstNumber: 'integer',
  lastNumber: 'integer',
} as const satisfies Partial<Record<keyof AnyOptions, 'string' | 'boolean' | 'integer' | 'strings'>>;

const optionsFrom = (body: unknown): AnyOptions => {
  const given = (body as { options?: Readonly<Record<string, unknown>> } | null | undefined)?.options ?? {};
  return Object.fromEntries(
    Object.keys(GIVEN).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
};

interface Served {
  readonly house: House;
  readonly page: ReadonlyMap<string, Buffer>;
  /** A path that lets one more visitor in, once: who approves a run looks at it as himself. */
  invite(): string;
}

function routes(app: FastifyInstance, { house, page, invite }: Served): void {
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload));
  const readBody = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    const { problem } = parseForeignJson(text, PAGE_JSON);
    if (problem === undefined || problem === 'syntax') return readBody(request, text, done);
    done(Object.assign(new Error(problem), { statusCode: problem === 'too-deep' ? 400 : 413 }));
  });
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof PipelineError || error instanceof Failed;
    const issues = error instanceof Failed ? error.issues : failureOf(error, languageOf(request));
    reply.removeHeader('content-disposition');
    return reply
      .type('application/json')
      .code(known ? 422 : ((error as { statusCode?: number }).statusCode ?? 500))
      .send({ issues } satisfies Refusal);
  });

  app.post('/api/invitations', async () => ({ path: invite() }));

  app.get('/', async (_, reply) => {
    const language = await house.preferredLanguage();
    const text = page.get('/index.html')!.toString().replace('lang="es"', `lang="${language}"`);
    return reply.type(typeOf('index.html')).send(text);
  });
  app.put<{ Body: { language?: Language; profile?: string } }>(
    '/api/preferences',
    { schema: PREFERENCES },
    async (request) => {
      await house.preferences.keep(request.body);
      return {};
    },
  );
  app.get<Params>('/assets/:name', async (request, reply) =>
    send(reply, page, `/assets/${request.params['name']}`),
  );

  app.get('/api/home', async (request): Promise<HomeView> => {
    await house.takeUp();
    const profiles = await house.settings.profiles(languageOf(request));
    const { profile: chosen } = await house.preferences.read();
    const known =
      profiles.find(({ name }) => name === chosen) ?? (profiles.length === 1 ? profiles[0] : undefined);
    return {
      version: programVersion(),
      profiles,
      profile: known?.name ?? chosen ?? '',
      uploads: house.uploadsOf(request.person).map((upload) => upload.view()),
    };
  });
  app.get<Params>('/api/runs', async (request): Promise<readonly RunView[]> => {
    const { profile } = request.query;
    return house.runs(languageOf(request), profile || undefined);
  });

  app.post<{ Body: { profile?: string; demo?: boolean } }>(
    '/api/uploads',
    { schema: UPLOAD },
    async (request) => {
      const { profile, demo } = request.body;
      const visitor = request.person;
      const language = languageOf(request);
      return (
        await (demo ? house.openDemo(visitor, language) : house.open(visitor, language, profile))
      ).view();
    },
  );
  const uploadOf = (request: FastifyRequest<Params>): Upload =>
    house.upload(request.person, request.params['id']!);

  app.get<Params>('/api/uploads/:id', async (request) => uploadOf(request).view());
  app.delete<Params>('/api/uploads/:id', async (request) => {
    await house.remove(request.person, request.params['id']!);
    return {};
  });
  app.put<Params>('/api/uploads/:id/files', { bodyLimit: 2 ** 40 }, async (request) => {
    const upload = uploadOf(request);
    await upload.add(request.query['name'] ?? '', request.body as NodeJS.ReadableStream);
    return upload.view();
  });
  app.delete<Params>('/api/uploads/:id/files', async (request) => {
    const upload = uploadOf(request);
    await upload.remove(request.query['name'] ?? '');
    return upload.view();
  });
  app.get<Params>('/api/uploads/:id/tables', async (request) => uploadOf(request).previews());
  app.get<Params>('/api/uploads/:id/read', async (request) => uploadOf(request).tables());
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
  app.get<Params>('/api/uploads/:id/edits', async (request) => uploadOf(request).editsView());
  app.put<Params & { Body: readonly Change[] }>(
    '/api/uploads/:id/edits',
    { bodyLimit: PAGE_JSON.maxLength, schema: CHANGES },
    async (request) => uploadOf(request).mend(request.body),
  );
  app.put<Params & { Body: EditedRow }>('/api/uploads/:id/edits/left-out', { schema: ROW }, async (request) =>
    uploadOf(request).leaveOut(request.body),
  );
  app.delete<Params>('/api/uploads/:id/edits', async (request) => uploadOf(request).undo());
  app.put<Params & { Body: JsonObject }>('/api/uploads/:id/params', { schema: OBJECT }, async (request) => {
    const upload = uploadOf(request);
    await house.setParams(upload, request.body);
    return upload.view();
  });
  app.put<Params & { Body: { profile: string } }>(
    '/api/uploads/:id/company',
    { schema: COMPANY },
    async (request) => {
      const upload = uploadOf(request);
      await house.changeCompany(upload, request.body.profile || undefined);
      return upload.view();
    },
  );
  app.put<Params & { Body: Readonly<Record<string, string>> }>(
    '/api/uploads/:id/answers',
    { schema: ANSWERS },
    async (request) => {
      const upload = uploadOf(request);
      await upload.answer(request.body);
      return upload.view();
    },
  );
  app.post<Params & { Body: { once?: boolean } }>(
    '/api/uploads/:id/acts/:name',
    { schema: ACT },
    async (request) => {
      const [upload, name] = [uploadOf(request), actName('upload', request)];
      // Two screens may want the same before either knows of it.
      const there = request.body?.once ? upload.latest(name) : undefined;
      return (there ?? (await upload.start(name, optionsFrom(request.body)))).view();
    },
  );
  app.post<Params>('/api/uploads/:id/runs/:run/acts/:name', { schema: ACT }, async (request) =>
    uploadOf(request).startOfRun(actName('run', request), runName(request), optionsFrom(request.body)).view(),
  );
  app.get<Params>('/api/uploads/:id/outputs', async (request) => uploadOf(request).outputs());
  app.get<Params>('/api/uploads/:id/outputs/*', async (request, reply) =>
    download(reply, await uploadOf(request).output(request.params['*']!)),
  );
  app.get<Params>('/api/uploads/:id/mended', async (request, reply) =>
    download(reply, await uploadOf(request).mendedCopy(request.query['name'] ?? '')),
  );

  const runAct = async (request: FastifyRequest<Params>, name: ActName, given: AnyOptions): Promise<Act> => {
    const run = runName(request);
    // Where the program happens to run is no place for a file of persons.
    const options = { ...given, ...(await house.writtenOf(run, given)), force: true };
    return house.startAct(request.person, name, languageOf(request), [run], options);
  };
  app.post<Params>('/api/runs/:run/acts/:name', { schema: ACT }, async (request) =>
    (await runAct(request, actName('run', request), optionsFrom(request.body))).view(),
  );
  app.get<Params>('/api/runs/:run/report', async (request, reply) => {
    const { profile } = request.query;
    const given = profile ? { profile } : {};
    const act = await runAct(request, 'report', given);
    await act.done;
    const { failure } = act.view();
    if (failure.length > 0) throw new Failed(failure);
    return download(reply, (await house.writtenOf(runName(request), given)).report);
  });
  app.post<Params>('/api/acts/:name', { schema: ACT }, async (request) => {
    const { args = [], secrets = {} } = (request.body ?? {}) as {
      args?: readonly string[];
      secrets?: Readonly<Record<string, string>>;
    };
    return house
      .startAct(
        request.person,
        actName('machine', request),
        languageOf(request),
        args,
        optionsFrom(request.body),
        new Map(Object.entries(secrets)),
      )
      .view();
  });
  settingsRoutes(app, house.settings, (visitor, act) => house.keepAct(visitor, act));
  const actOf = (request: FastifyRequest<Params>): Act => house.act(request.person, request.params['act']!);
  app.get<Params>('/api/act/:act', async (request) => actOf(request).view());
  // Only what the act itself says that it wrote.
  app.get<Params>('/api/act/:act/pdf/:name', async (request, reply) => {
    const { name = '' } = request.params;
    const { events } = actOf(request).turnFrom(0);
    const told = events.find((one) => one.event === 'preview' && basename(String(one['file'])) === name);
    if (told === undefined || told['state'] === 'failed')
      return stop('usage', { code: 'web/not-there', value: name });
    return download(reply, String(told['file']));
  });
  app.get<Params>('/api/act/:act/events', (request, reply) => {
    const act = house.knownAct(request.person, request.params['act']!);
    // What was begun of files that were replaced is gone: whoever follows it is told not to come again.
    return act === undefined ? reply.code(204).send() : follow(act, request, reply);
  });
  app.post<Params & { Body: { id: number; said: unknown } }>(
    '/api/act/:act/answer',
    { schema: ANSWER },
    async (request) => ({ taken: actOf(request).say(request.body.id, request.body.said) }),
  );
  app.post<Params>('/api/act/:act/stop', async (request) => {
    const act = actOf(request);
    act.stop();
    return act.view();
  });
}

/** A body is an object, or there is none. */
const OBJECT = { body: { type: 'object' } } as const;

/** Options as the page gives them: a wrong type would end within a use case. */
const ACT = {
  body: {
    type: ['object', 'null'],
    properties: {
      once: { type: 'boolean' },
      args: { type: 'array', items: { type: 'string' } },
      secrets: { type: 'object', additionalProperties: { type: 'string' } },
      options: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(GIVEN).map(([name, type]) => [
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
    // Of either type: a list of types would turn the typed text "true" into a yes.
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

/** The same wrong value in every row of a month, mended in one act. */

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
        column: { type: 'string', pattern: '^[A-Z]{1,3}$' },
        text: { type: 'string', maxLength: MAX_CELL_LENGTH },
        leftOut: { type: 'boolean' },
      },
    },
  },
} as const;

/** What can be done with what: only an upload's own files are read, a run is named and nothing else. */
const ACTS = {
  upload: ['inspect', 'check', 'send', 'adjust', 'events', 'reception'],
  run: ['send', 'resume', 'approve', 'status', 'report', 'preview', 'email'],
  machine: ['profileAdd', 'profileChange', 'setup', 'setupSoftware', 'setupResolution', 'lawRemove'],
} as const satisfies Readonly<Record<string, readonly ActName[]>>;

/** A run is named by the day and a number of it. */
function runName({ params: { run = '' } }: FastifyRequest<Params>): string {
  return /^\d{4}-\d\d-\d\d-\d+$/.test(run) ? run : stop('usage', { code: 'web/not-there', value: run });
}

function actName(of: keyof typeof ACTS, { params: { name = '' } }: FastifyRequest<Params>): ActName {
  const found = ACTS[of].find((one) => one === name);
  return found ?? stop('usage', { code: 'web/not-there', value: name });
}

const download = (reply: FastifyReply, path: string): FastifyReply =>
  reply
    .type(typeOf(basename(path)))
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(basename(path))}`)
    .send(createReadStream(path));

function send(reply: FastifyReply, page: ReadonlyMap<string, Buffer>, name: string): FastifyReply {
  const content = page.get(name);
  if (content === undefined) return reply.code(404).type('text/plain').send('');
  return reply.type(typeOf(name)).send(content);
}

/** Server-sent events: what has been, and what comes; a page that comes again says what it has. */
function follow(act: Act, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
  });
  let from = Number(request.headers['last-event-id'] ?? 0) || 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const { next, ...turn } = act.turnFrom(from);
    from = next;
    raw.write(`id: ${next}\ndata: ${JSON.stringify(turn)}\n\n`);
    if (turn.act.state === 'ended') {
      unwatch();
      raw.end();
    }
  };
  const unwatch = act.watch(() => {
    timer ??= setTimeout(flush, BEAT);
  });
  // Of the answer: a request may be over as soon as it is read.
  raw.on('close', () => {
    clearTimeout(timer);
    unwatch();
  });
  flush();
}
