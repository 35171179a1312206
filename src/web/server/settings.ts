import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { catalogueList } from '../../app/catalogue.js';
import { type Context, withTables } from '../../app/context.js';
import type { AppEvent, ShownOrigin } from '../../app/events.js';
import { accessOf, keepAccess, profileList, profileShow } from '../../app/profile.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { catalogue, publishedTables } from '../../schema/catalogue.js';
import type {
  ActTurn,
  PageIssue,
  ProfileSettings,
  ProfileView,
  SettingsView,
  TableSettings,
} from '../api.js';
import { failureOf, issueView } from './act-events.js';
import { languageOf, type Params } from './request.js';
import { receive, type Surroundings, startAct } from './upload.js';

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** What this machine knows of companies and tables: read and kept by the use cases of the command line. */
export class Settings {
  constructor(
    private readonly home: string,
    private readonly surroundings: Surroundings,
  ) {}

  private context(language: Surroundings['language'], tell: (event: AppEvent) => void): Context {
    const { surroundings } = this;
    return {
      ...surroundings,
      language,
      tell,
      taken: async () => undefined,
      onInterrupt: () => () => undefined,
    };
  }

  async profiles(language: Surroundings['language']): Promise<readonly ProfileView[]> {
    const profiles: ProfileView[] = [];
    const context = this.context(language, (event) => {
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
    const context = this.context(language, (event) => {
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
    const identities = (catalogue('type_document_identifications')?.rows ?? []).map(({ id, name = '' }) => ({
      id: Number(id),
      name,
    }));
    return { profiles, issues, tables, identities };
  }

  private async profile(context: Context, name: string): Promise<ProfileSettings> {
    let content: JsonObject = {};
    const tell = (event: AppEvent): void => {
      if (event.event === 'profile-shown') content = event.content;
    };
    await profileShow({ ...context, tell }, [name], {});
    const { company } = content;
    return {
      name,
      url: textOf(content['url']),
      environment: textOf(content['environment']),
      company: isObject(company) ? textOf(company['nit']) : '',
      companyName: isObject(company) ? textOf(company['name']) : '',
      testSet: textOf(content['test_set']),
      hasToken: content['token'] !== undefined,
      access: ((await accessOf(context, name)) ?? null) as ProfileSettings['access'],
    };
  }

  private async tables(language: Surroundings['language']): Promise<readonly TableSettings[]> {
    const origins = new Map<string, ShownOrigin>();
    const context = this.context(language, (event) => {
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

  keepAccess(language: Surroundings['language'], name: string, given: JsonObject): Promise<void> {
    return keepAccess(
      this.context(language, () => undefined),
      name,
      given,
    );
  }

  /** Reads a published table into this machine; the file itself is not kept. */
  async load(
    language: Surroundings['language'],
    table: string,
    { name, content }: { readonly name: string; readonly content: NodeJS.ReadableStream },
  ): Promise<ActTurn> {
    const folder = join(this.home, randomUUID());
    await mkdir(folder, { mode: 0o700 });
    const file = join(folder, basename(name.replaceAll('\\', '/')).slice(-200) || 'tabla');
    try {
      await receive(name, content, file);
      const act = startAct('catalogueImport', { ...this.surroundings, language }, [file], { as: table });
      await act.done;
      return act.turnFrom(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
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

export function settingsRoutes(app: FastifyInstance, settings: Settings): void {
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
    settings.load(languageOf(request), request.params['table']!, {
      name: request.query['name'] ?? '',
      content: request.body as NodeJS.ReadableStream,
    }),
  );
}
