import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProxySettings } from '../client/address.js';
import type { Connections } from '../client/client.js';
import type { Family, KnownResolution } from '../families/family.js';
import type { Text } from '../generated/issue-codes.js';
import type { Language } from '../toolkit/core/issue.js';
import type { JsonValue } from '../toolkit/core/json.js';
import { packageFile } from '../toolkit/core/package-file.js';
import type { Answer, BACK, Question } from '../toolkit/inspect/question.js';
import type { Choice } from '../toolkit/mapping/params.js';
import type { Message } from '../toolkit/messages/texts.js';
import type { Environment } from './environment.js';
import type { AppEvent } from './events.js';
import type { ServiceOptions } from './options.js';

interface ActiveProfile {
  readonly name: string;
  /** What it says by itself. */
  readonly own: Pick<ServiceOptions, 'company' | 'url' | 'ca'>;
  /** Undefined where another address than the profile's is used. */
  readonly environment?: Environment;
  readonly companyName?: string;
  readonly resolutions?: readonly KnownResolution[];
  /** In seconds. */
  readonly connectTimeout?: number;
}

/** What a run needs and neither files nor call say. */
export interface AskedValue {
  readonly name: string;
  readonly title: Text;
  /** `month`, `date`, `table`, `choice` … */
  readonly type: string;
  /** Of a table: it is asked for record by record. */
  readonly columns?: readonly Choice[];
  /** What is taken where nothing is typed. */
  readonly known?: JsonValue;
  /** What it may be, where it is one of a code list or a choice; any word that means one of them will do. */
  readonly answers?: readonly Answer[];
}

/** Who answers questions: a terminal, a page, or fixed answers. */
export interface Ask {
  /** No, unless it is a clear yes. `typed`: a screen has that text typed instead of a click. */
  confirm(question: Message, typed?: string): Promise<boolean>;
  /** One of the answers that the question allows; undefined when it is left open, BACK to answer the one before anew. */
  choose(
    question: Question,
    at: { readonly number: number; readonly of: number },
  ): Promise<string | undefined | typeof BACK>;
  /** What was typed, trimmed. Not there where parameters are a form, or a program asks for nothing. */
  readonly value?: (question: AskedValue) => Promise<string>;
  /** What was typed, trimmed; blank when nothing was said. */
  text(question: Message): Promise<string>;
  /** Not shown while typed; blank when nothing was said. */
  secret(question: Message): Promise<string>;
}

/** What a use case gets from outside: nothing below reads the environment or the clock by itself. */
export interface Context {
  /** Of the files that are written. */
  readonly language: Language;
  readonly now: () => Date;
  /** Told everything, as it happens. */
  readonly tell: (event: AppEvent) => void;
  /** Waits until what was told has been taken, so that a slow reader costs no memory. */
  readonly taken: () => Promise<void>;
  /** Undefined where nobody is there to answer. */
  readonly ask?: Ask;
  /** Of CARGUE_URL, CARGUE_TOKEN. */
  readonly url?: string;
  readonly token?: string;
  /** NIT from CARGUE_NIT. */
  readonly nit?: string;
  /** Of CARGUE_SOFTWARE_PIN. */
  readonly softwarePin?: string;
  /** Of CARGUE_SISPRO_PASSWORD. */
  readonly sisproPassword?: string;
  /** Of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly proxies?: ProxySettings;
  /** Of a process that sends for many companies. */
  readonly connections?: Connections;
  /** Of the person at this machine, as the system calls it. */
  readonly account?: string;
  /** Of CARGUE_SANDBOX_NAME, by NAME. */
  readonly sandboxVariables?: Readonly<Record<string, string>>;
  /** Of CARGUE_PROFILE. */
  readonly profileName?: string;
  /** What is in force of a profile beside options and secrets. */
  readonly profile?: ActiveProfile;
  /** Where a project is looked for, and above; nowhere without it. */
  readonly folder?: string;
  /** Of CARGUE_JOURNAL: the database where the journals are; else they are files of the workspace. */
  readonly journal?: string;
  /** Folder of the journals and profiles. */
  readonly workspace: string;
  /** All that is piped in, for `--body -`. */
  readonly piped?: () => Promise<string>;
  /** Of the documents that this call knows. @default FAMILIES */
  readonly families?: readonly Family[];
  /** Calls back at the first and the second wish to stop; returns how to stop listening. */
  onInterrupt(first: () => void, second: () => void): () => void;
}

/** How a use case ended; what stopped it altogether is thrown. */
export type Outcome =
  | 'fine'
  /** The data has errors, or documents were rejected. */
  | 'data-errors'
  /** There is nothing that was asked for, as in a journal without runs. */
  | 'usage'
  | 'unreachable'
  /** Something is pending, unknown or left: to be gone on with. */
  | 'unfinished'
  | 'interrupted';

/** A use case, by the options that it takes. */
export type UseCase<O = object> = (context: Context, args: readonly string[], options: O) => Promise<Outcome>;

/** As package.json has it. */
export const programVersion = (): string =>
  (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;

/** Where the tables that were loaded on this machine lie. */
export const tableFolder = (workspace: string): string => join(workspace, 'catalogues');

/** Runs a use case: the tables that were loaded on this machine stand before the shipped lists. */
export async function withTables<T>(
  { workspace }: Pick<Context, 'workspace'>,
  work: () => Promise<T>,
): Promise<T> {
  const folder = tableFolder(workspace);
  if (!existsSync(folder)) return work();
  const { withLoadedTables } = await import('../toolkit/schema/catalogue.js');
  return withLoadedTables(folder, work);
}
