import { NO_NAME } from '../send/journal-proof.js';
import { stop } from '../toolkit/core/issue.js';
import type { Edit } from '../toolkit/tables/edits.js';

/** How files are read. */
export interface ReadOptions {
  readonly mapping?: string;
  readonly param?: readonly string[];
  readonly params?: string;
  /** What the project of the folder says beside options. */
  readonly project?: { readonly params: Readonly<Record<string, unknown>> };
  /** Parameters of an earlier month are taken as of this one. */
  readonly month?: string;
  readonly answer?: readonly string[];
  /** Without effect: files are read one way, on one core. */
  readonly threads?: number;
  /**
   * The files are copies of what a browser has: no report links to them. `name` names the remembered mapping, if no mapping of its
   * shape has a name yet. @default `write`
   */
  readonly upload?: { readonly name?: string };
  /** What a person mended in the files; of the page alone. */
  readonly edits?: readonly Edit[];
  /** Events: registers the earlier ones too. */
  readonly expand?: boolean;
  /** Events: names an invoice file by its CUFE alone. */
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
  /** In seconds. */
  readonly timeout?: number;
  readonly concurrency?: number;
  /** Requests a minute; 0 is no limit. */
  readonly rate?: number;
}

/** Options of decisions: what is done, and on whose word. */
export interface DecisionOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly partial?: boolean;
  readonly hold?: boolean;
  /** `follow` waits for what was handed over. */
  readonly queue?: boolean | 'follow';
}

/** Secrets by their files, and what proves them. */
export interface SecretOptions {
  readonly pinFile?: string;
  /** NIT of the company where `company` is none: it is hashed in every CUNE. */
  readonly nit?: string;
  readonly sispro?: string;
}

/** RIPS packages. */
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

/** `name=value` pairs, the last of a name winning. */
export function namedValues(option: string, pairs: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0)
        stop('usage', { code: 'run/bad-option', value: pair, params: { option, expected: 'NAME=VALUE' } });
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}

/** What a table is joined by is said as `column=column`. */
const JOINED = /^\s*join\.[^=]*=/;

/** `ID=VALUE` answers; ids may hold `=` themselves, values do not but those of joins. The last of an id wins. */
export function answerValues(pairs: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = JOINED.test(pair) ? pair.indexOf('=') : pair.lastIndexOf('=');
      if (at <= 0)
        stop('usage', {
          code: 'run/bad-option',
          value: pair,
          params: { option: '--answer', expected: 'ID=VALUE' },
        });
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

/** Whose documents a call is about. */
export const companyOf = (options: ServiceOptions): string => options.company ?? NO_NAME;

/** The same, said to people: who has no name is this company. */
export const companySaid = ({ company }: ServiceOptions): string | { readonly key: 'thisCompany' } =>
  company ?? { key: 'thisCompany' };

/** Options of the worker of a queue. */
export interface WorkerOptions {
  /** Runs at once. */
  readonly concurrency?: number;
  /** Port. */
  readonly metrics?: number;
  /** Requests a minute to a service, of all companies. */
  readonly serviceRate?: number;
}
