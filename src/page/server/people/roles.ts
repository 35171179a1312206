import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Context } from '../../../app/context.js';
import { findProfile, secretIn } from '../../../app/profile.js';
import { isLoopback } from '../../../client/address.js';
import type { ServerFile } from '../../../generated/server-types.js';
import { type Issue, PipelineError, refuse, stop } from '../../../toolkit/core/issue.js';
import { suggest } from '../../../toolkit/core/text.js';
import { mappingIssue, readSmallText, readYaml } from '../../../toolkit/mapping/yaml-source.js';
import { checkFileShape, expectedIn } from '../../../toolkit/schema/registry.js';

/** Visitor of the page; on one computer only the id is known. */
export interface Person {
  /** Verified e-mail address, else the provider's id; written wherever the person acts. */
  readonly id: string;
  readonly name?: string;
  /** Entries of the server file that mean this person: e-mail, `sub:ID`, `group:NAME`. */
  readonly entries?: readonly string[];
}

/** Action that a role permits on the documents of a company. */
export type Act = 'see' | 'prepare' | 'send' | 'approve';

/** Roles by act; `send` is for runs of a company that does not ask for two people. */
const ROLES: Readonly<Record<Act, readonly ('prepara' | 'aprueba' | 'mira')[]>> = {
  see: ['mira', 'prepara', 'aprueba'],
  prepare: ['prepara'],
  send: ['prepara', 'aprueba'],
  approve: ['aprueba'],
};

const isFolded = (entry: string): boolean => !/^(sub|group):/.test(entry);

/** True if one of the roles that the act needs is the person's. */
function mayDo({ companies }: ServerFile, person: Person, company: string, act: Act): boolean {
  const found = Object.hasOwn(companies, company) ? companies[company] : undefined;
  const roles = ROLES[act === 'send' && found?.two_people ? 'approve' : act];
  return roles.some((role) =>
    found?.[role]?.some((entry) => person.entries?.includes(isFolded(entry) ? entry.toLowerCase() : entry)),
  );
}

/** Parses and checks a server file. @throws PipelineError('usage', server/… with file, line and column) */
function parseServerFile(file: string, text: string): ServerFile {
  const name = basename(file);
  const source = readYaml(name, text);
  // Parser messages may quote the line, which may hold a secret.
  refuse(source.issues.map(({ place }) => ({ code: 'server/yaml', level: 'error', params: {}, place })));
  refuse(
    checkFileShape('server', source.value).map(({ kind, path, key = '', known, expected }): Issue => {
      const at = source.locate(kind === 'unknown-key' ? [...path, key] : path, 'key');
      if (kind === 'unknown-key')
        return mappingIssue(name, at, 'server/unknown-key', {
          value: key,
          suggestions: suggest(key, known, 1),
        });
      const shown = kind === 'missing-key' ? [...path, key] : path;
      return mappingIssue(name, at, 'server/shape', {
        params: { key: shown.join('.'), ...expectedIn(expected) },
      });
    }),
  );
  const settings = source.value as unknown as ServerFile;
  const open = (['url', 'issuer'] as const).filter((key) => {
    const { protocol, hostname } = new URL(settings[key]);
    return protocol !== 'https:' && !isLoopback(hostname);
  });
  refuse(
    open.map((key) =>
      mappingIssue(name, source.locate([key]), 'server/needs-https', {
        value: settings[key],
        params: { key },
      }),
    ),
  );
  return settings;
}

/** Settings of the server and the roles of its people; a changed file holds from the next request on. */
export class Roles {
  private mark = '';
  private current: ServerFile | undefined;

  constructor(private readonly file: string) {}

  /** Returns the settings. @throws PipelineError('usage', server/…), so that no person acts under an unreadable file */
  get settings(): ServerFile {
    try {
      const { mtimeMs, size, ino } = statSync(this.file);
      const mark = `${mtimeMs} ${size} ${ino}`;
      if (this.current === undefined || mark !== this.mark) {
        this.current = undefined;
        this.current = parseServerFile(this.file, readSmallText(this.file));
        this.mark = mark;
      }
      return this.current;
    } catch (error) {
      if (error instanceof PipelineError) throw error;
      const reason = (error as NodeJS.ErrnoException).code ?? '';
      return stop('usage', { code: 'server/not-readable', params: { file: this.file, reason } }, error);
    }
  }

  /** Returns the client's secret. @throws PipelineError('usage', server/no-secret or profile/…) */
  async secret({ oidcSecret }: Pick<Context, 'oidcSecret'>): Promise<string> {
    const { client_secret_file: file } = this.settings;
    const secret = file === undefined ? oidcSecret : await secretIn(resolve(dirname(this.file), file));
    return secret ?? stop('usage', { code: 'server/no-secret' });
  }

  /** Throws if a company has no profile. @throws PipelineError('usage', profile/not-found) */
  async refuseUnknown({ workspace }: Pick<Context, 'workspace'>): Promise<void> {
    for (const company of Object.keys(this.settings.companies)) await findProfile(workspace, company);
  }

  mayDo(person: Person, company: string, act: Act): boolean {
    return mayDo(this.settings, person, company, act);
  }

  /** True if the person who prepares for the company may not approve. */
  needsTwo(company: string): boolean {
    return this.settings.companies[company]?.two_people === true;
  }

  /** Returns the acts that the person may do for a company. */
  actsOf(person: Person, company: string): readonly Act[] {
    return (Object.keys(ROLES) as Act[]).filter((act) => this.mayDo(person, company, act));
  }
}
