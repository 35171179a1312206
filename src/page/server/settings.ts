import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AnyOptions } from '../../app/any-options.js';
import { catalogueList } from '../../app/catalogue.js';
import { type Context, withTables } from '../../app/context.js';
import type { AppEvent, ShownOrigin } from '../../app/events.js';
import { lawMade, lawTableStates } from '../../app/law-state.js';
import { accessOf, profileList, profileShow, storeProfileAccess } from '../../app/profile.js';
import { receive } from '../../app/upload-store.js';
import { stop } from '../../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../../toolkit/core/json.js';
import { wordingFor } from '../../toolkit/messages/texts.js';
import { listTitle, ruleFamily } from '../../toolkit/messages/wording.js';
import { catalogue, publishedTables } from '../../toolkit/schema/catalogue.js';
import { explainRule } from '../../toolkit/schema/rule-data.js';
import type {
  PageIssue,
  ProfileSettings,
  ProfileView,
  RuleView,
  SettingsView,
  TableSettings,
  TaskName,
  TaskUpdate,
} from '../api.js';
import { languageOf, type Params } from './request.js';
import type { Task } from './task.js';
import { failureOf, issueView } from './task-events.js';
import { quietContext, type Surroundings, startTask } from './upload.js';

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Reads and stores the companies and tables of this computer through the use cases of the command line. */
export class Settings {
  constructor(
    private readonly home: string,
    private readonly surroundings: Surroundings,
  ) {}

  async profiles(language: Surroundings['language']): Promise<readonly ProfileView[]> {
    const profiles: ProfileView[] = [];
    const context = quietContext(this.surroundings, language, (event) => {
      if (event.event !== 'profile') return;
      const { profile: name, environment, url, company } = event;
      profiles.push({ name, environment, url, company });
    });
    await profileList(context, [], {});
    return profiles;
  }

  async view(language: Surroundings['language']): Promise<SettingsView> {
    const issues: PageIssue[] = [];
    const names: string[] = [];
    const context = quietContext(this.surroundings, language, (event) => {
      if (event.event === 'profile') names.push(event.profile);
      else if (event.event === 'remark') issues.push(issueView(event.issue, language));
    });
    await profileList(context, [], {});
    const profiles: ProfileSettings[] = [];
    for (const name of names)
      try {
        profiles.push(await this.profile(context, name));
      } catch (error) {
        issues.push(...failureOf(error, language));
      }
    const tables = await withTables(this.surroundings, () => this.tables(language));
    const law = await withTables(this.surroundings, () => this.law(language));
    const identities = (catalogue('type_document_identifications')?.rows ?? []).map(({ id, name = '' }) => ({
      id: Number(id),
      name,
    }));
    return { profiles, issues, tables, ...law, identities };
  }

  private async profile(context: Context, name: string): Promise<ProfileSettings> {
    let content: JsonObject = {};
    const tell = (event: AppEvent): void => {
      if (event.event === 'profile-shown') content = event.content;
    };
    await profileShow({ ...context, tell }, [name], {});
    const { company, inbox } = content;
    return {
      name,
      url: textOf(content['url']),
      environment: textOf(content['environment']),
      company: isObject(company) ? textOf(company['nit']) : '',
      companyName: isObject(company) ? textOf(company['name']) : '',
      testSet: textOf(content['test_set']),
      inbox: isObject(inbox) ? textOf(inbox['folder']) : '',
      sendsReceipts: isObject(inbox) && inbox['send'] !== undefined,
      hasToken: content['token'] !== undefined,
      access: ((await accessOf(context, name)) ?? null) as ProfileSettings['access'],
    };
  }

  private async tables(language: Surroundings['language']): Promise<readonly TableSettings[]> {
    const origins = new Map<string, ShownOrigin>();
    const context = quietContext(this.surroundings, language, (event) => {
      if (event.event === 'catalogue') origins.set(event.name, event.origin);
    });
    await catalogueList(context, [], {});
    return publishedTables().map(({ name, title, sispro }) => ({
      name,
      title: title[language],
      published: sispro,
      ...(origins.get(name) ?? { origin: 'absent', rows: 0 }),
    }));
  }

  private async law(language: Surroundings['language']): Promise<Pick<SettingsView, 'law' | 'lawSources'>> {
    const states = lawTableStates();
    return {
      law: states.map(({ name, first, last, hash, ...state }) => ({
        name,
        title: listTitle(name, language),
        first,
        last,
        hash,
        made: lawMade(
          state,
          wordingFor(language, (next) => next),
        ),
      })),
      lawSources: [...new Set(states.flatMap(({ origins }) => origins.map(({ source }) => source)))].sort(),
    };
  }

  keepAccess(language: Surroundings['language'], name: string, given: JsonObject): Promise<void> {
    return storeProfileAccess(
      quietContext(this.surroundings, language, () => undefined),
      name,
      given,
    );
  }

  /** Imports a published table. */
  async load(language: Surroundings['language'], table: string, file: UploadStream): Promise<TaskUpdate> {
    const task = await this.start('catalogueImport', language, file, { as: table });
    await task.done;
    return task.updateFrom(0);
  }

  /** Starts an import of legal figures; the task may ask questions. */
  takeLaw(language: Surroundings['language'], file: UploadStream): Promise<Task> {
    return this.start('lawImport', language, file, {});
  }

  /** Starts a task with a file that is deleted when it ends. */
  private async start(
    name: TaskName,
    language: Surroundings['language'],
    { name: fileName, content }: UploadStream,
    options: AnyOptions,
  ): Promise<Task> {
    const folder = join(this.home, randomUUID());
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    const file = join(folder, basename(fileName.replaceAll('\\', '/')).slice(-200) || 'tabla');
    try {
      await receive(fileName, content, file);
      const task = startTask(name, { ...this.surroundings, language }, [file], options);
      void task.done.then(remove);
      return task;
    } catch (error) {
      await remove();
      throw error;
    }
  }
}

interface UploadStream {
  readonly name: string;
  readonly content: NodeJS.ReadableStream;
}

const ACCESS = {
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      type_document_identification_id: { type: 'integer' },
      number_identification: { type: 'string' },
      password: { type: 'string' },
      url: { type: 'string' },
    },
  },
} as const;

const fileOf = ({ query, body }: FastifyRequest<Params>): UploadStream => ({
  name: query['name'] ?? '',
  content: body as NodeJS.ReadableStream,
});

/** Explains a rule of the authority. @throws PipelineError('usage', web/not-there) */
function ruleView(id: string, language: Surroundings['language']): RuleView {
  const rule = explainRule(id);
  if (rule === undefined) return stop('usage', { code: 'web/not-there', value: id });
  const { family, field, meaning, fix } = rule;
  return {
    family: family === undefined ? null : ruleFamily(family, language),
    field: field ?? null,
    meaning: meaning[language],
    fix: fix[language],
  };
}

/** Adds the routes of the settings. `keep` stores a task for its visitor. */
export function settingsRoutes(
  app: FastifyInstance,
  settings: Settings,
  keep: (visitor: string, task: Task) => Task,
): void {
  app.get<Params>('/api/rules/:rule', async (request) =>
    ruleView(request.params['rule']!, languageOf(request)),
  );
  app.get('/api/settings', (request) => settings.view(languageOf(request)));
  app.put<Params & { Body: JsonObject }>(
    '/api/settings/profiles/:name/access',
    { schema: ACCESS },
    async (request) => {
      await settings.keepAccess(languageOf(request), request.params['name']!, request.body);
      return {};
    },
  );
  app.put<Params>('/api/settings/tables/:table', { bodyLimit: 2 ** 40 }, (request) =>
    settings.load(languageOf(request), request.params['table']!, fileOf(request)),
  );
  app.put<Params>('/api/settings/law', { bodyLimit: 2 ** 40 }, async (request) =>
    keep(request.person.id, await settings.takeLaw(languageOf(request), fileOf(request))).view(),
  );
}
