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
  readonly stored: Pick<ServiceOptions, 'company' | 'url' | 'ca'>;
  /** Undefined if the call uses another address than the profile's. */
  readonly environment?: Environment;
  readonly companyName?: string;
  readonly resolutions?: readonly KnownResolution[];
  /** Events that the inbox sends without a question, by the authority's code. */
  readonly inboxSends?: readonly string[];
  /** Max time to connect, in seconds. */
  readonly connectTimeout?: number;
}

/** Parameter a run needs that neither files nor options give. */
export interface AskedValue {
  readonly name: string;
  readonly title: Text;
  /** `month`, `date`, `table`, `choice` … */
  readonly type: string;
  /** Columns of a table parameter, which is asked for record by record. */
  readonly columns?: readonly Choice[];
  /** Value taken if the user types nothing. */
  readonly known?: JsonValue;
  /** Possible values of a choice or a code list; any synonym is accepted. */
  readonly answers?: readonly Answer[];
}

/** Source of answers: a terminal, the page, or fixed answers. */
export interface Ask {
  /** Returns true only for a clear yes. A screen asks the user to type `typed` instead of a click. */
  confirm(question: Message, typed?: string): Promise<boolean>;
  /** Returns one of the question's answers, undefined if it is left open, or BACK to answer the previous one again. */
  choose(
    question: Question,
    at: { readonly number: number; readonly of: number },
  ): Promise<string | undefined | typeof BACK>;
  /** Returns the typed text, trimmed. Absent if parameters are a form or the caller asks for nothing. */
  readonly value?: (question: AskedValue) => Promise<string>;
  /** Returns the typed text, trimmed; blank if there was no answer. */
  text(question: Message): Promise<string>;
  /** Like `text`, without echo. */
  secret(question: Message): Promise<string>;
}

/** Environment of a use case; the code below reads neither environment variables nor the clock. */
export interface Context {
  /** Language of written files. */
  readonly language: Language;
  readonly now: () => Date;
  /** Receives every event as it happens. */
  readonly tell: (event: AppEvent) => void;
  /** Waits until the caller has consumed the events emitted so far, so that a slow reader costs no memory. */
  readonly taken: () => Promise<void>;
  /** Undefined if there is no user to answer. */
  readonly ask?: Ask;
  /** Value of CARGUE_URL. */
  readonly url?: string;
  readonly token?: string;
  /** NIT from CARGUE_NIT. */
  readonly nit?: string;
  /** Value of CARGUE_SOFTWARE_PIN. */
  readonly softwarePin?: string;
  /** Value of CARGUE_SISPRO_PASSWORD. */
  readonly sisproPassword?: string;
  /** Value of CARGUE_OIDC_SECRET. */
  readonly oidcSecret?: string;
  /** Values of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly proxies?: ProxySettings;
  /** Shared connections of a process that sends for many companies. */
  readonly connections?: Connections;
  /** System account of the user. */
  readonly account?: string;
  /** Values of CARGUE_SANDBOX_NAME, by NAME. */
  readonly sandboxVariables?: Readonly<Record<string, string>>;
  /** Value of CARGUE_PROFILE. */
  readonly profileName?: string;
  readonly profile?: ActiveProfile;
  /** Folder where the search for a project file begins, upwards; undefined to use none. */
  readonly folder?: string;
  /** Value of CARGUE_JOURNAL: the database of the journals. Undefined if they are files in the workspace. */
  readonly journal?: string;
  /** Folder of the journals and profiles. */
  readonly workspace: string;
  /** Reads stdin to its end, for `--body -`. */
  readonly piped?: () => Promise<string>;
  /** Families this call knows. @default FAMILIES */
  readonly families?: readonly Family[];
  /** Calls back at the first and the second interrupt; returns a function that stops listening. */
  onInterrupt(first: () => void, second: () => void): () => void;
}

/** Result of a command. Failures that stop it are thrown. */
export type Outcome =
  | 'fine'
  /** Data errors, or rejected documents. */
  | 'data-errors'
  /** No input to work on, such as a journal without runs. */
  | 'usage'
  | 'unreachable'
  /** Pending, unknown or unsent documents remain; the run can be resumed. */
  | 'unfinished'
  | 'interrupted';

export type UseCase<O = object> = (context: Context, args: readonly string[], options: O) => Promise<Outcome>;

export const programVersion = (): string =>
  (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;

export const tableFolder = (workspace: string): string => join(workspace, 'catalogues');

/** Runs a use case with the user's loaded tables taking precedence over the shipped lists. */
export async function withTables<T>(
  { workspace }: Pick<Context, 'workspace'>,
  work: () => Promise<T>,
): Promise<T> {
  const folder = tableFolder(workspace);
  if (!existsSync(folder)) return work();
  const { withLoadedTables } = await import('../toolkit/schema/catalogue.js');
  return withLoadedTables(folder, work);
}
