import { NO_NAME } from '../send/journal-proof.js';
import type { RunAct } from '../send/runs.js';
import type { Edit } from '../toolkit/tables/edits.js';
import { badOption } from './bad-option.js';

export interface ReadOptions {
  readonly mapping?: string;
  readonly param?: readonly string[];
  readonly params?: string;
  /** Settings of the folder's project file: parameters, and the mapping if the call names none. */
  readonly project?: { readonly params?: Readonly<Record<string, unknown>>; readonly mapping?: string };
  /** Month for which parameters of an earlier month are taken. */
  readonly month?: string;
  readonly answer?: readonly string[];
  /**
   * True-like if the files are copies of a browser's; reports do not link to them. `name` names the remembered
   * mapping, unless one of its shape has a name already; `preparers` are the people who worked on the files, `acts` the outcome of their earlier requests.
   * @default `write`
   */
  readonly upload?: {
    readonly name?: string;
    readonly preparers?: readonly string[];
    readonly acts?: readonly RunAct[];
  };
  /** Edits made in the page. */
  readonly edits?: readonly Edit[];
  /** Events: also registers the earlier ones. */
  readonly expand?: boolean;
  /** Events: names invoice files by their CUFE only. */
  readonly byCufe?: boolean;
}

/** Options of output files: what is written, and what it may replace. */
export interface OutputOptions {
  readonly output?: string;
  readonly report?: string;
  readonly annotate?: string;
  readonly failed?: string;
  readonly writeComplement?: string;
  readonly results?: string;
  readonly force?: boolean;
}

/** Options of the service: where documents go, and how fast. */
export interface ServiceOptions {
  readonly profile?: string;
  readonly company?: string;
  readonly url?: string;
  readonly testSet?: string;
  readonly ca?: string;
  /** Max time to wait for a response, in seconds. */
  readonly timeout?: number;
  readonly concurrency?: number;
  /** Requests a minute; 0 is no limit. */
  readonly rate?: number;
}

/** Options of decisions: confirmation, dry run, hold, queue. */
export interface DecisionOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly partial?: boolean;
  readonly hold?: boolean;
  /** Note to the person who approves, or who prepared. */
  readonly note?: string;
  /** `follow` waits for the queued run. */
  readonly queue?: boolean | 'follow';
}

/** Files of secrets, and the NIT that proves them. */
export interface SecretOptions {
  readonly pinFile?: string;
  /** NIT if `company` is not one: it is hashed in every CUNE. */
  readonly nit?: string;
  readonly sispro?: string;
}

interface PackageOptions {
  readonly booking?: string;
  readonly paymentConcept?: 'number' | 'code';
}

export type JobOptions = ReadOptions & ServiceOptions;

/** Options of commands that check files and write copies of them. */
export type CheckOptions = JobOptions & OutputOptions;

/** Options of commands that continue a run. */
export type RunOptions = ServiceOptions & DecisionOptions & SecretOptions & OutputOptions;

export type SendOptions = RunOptions & ReadOptions & PackageOptions;

/** Parses `name=value` pairs; the last of a name wins. */
export function namedValues(option: string, pairs: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0) badOption(option, pair, 'NAME=VALUE');
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}

/** IDs of joins, answered by `column=column`. */
const JOINED = /^\s*join\.[^=]*=/;

/** Parses `ID=VALUE` answers. IDs may hold `=`, values only those of joins; the last of an ID wins. */
export function answerValues(pairs: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = JOINED.test(pair) ? pair.indexOf('=') : pair.lastIndexOf('=');
      if (at <= 0) badOption('--answer', pair, 'ID=VALUE');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

/** Returns the company whose documents a call is about. */
export const companyOf = (options: ServiceOptions): string => options.company ?? NO_NAME;

/** Returns the company for messages; without a name, "this company". */
export const companyText = ({ company }: ServiceOptions): string | { readonly key: 'thisCompany' } =>
  company ?? { key: 'thisCompany' };

export interface WorkerOptions {
  /** Max runs at once. */
  readonly concurrency?: number;
  /** Port of the metrics page. */
  readonly metrics?: number;
  /** Max requests a minute to a service, for all companies. */
  readonly serviceRate?: number;
}
