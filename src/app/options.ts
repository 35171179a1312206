import { stop } from '../core/issue.js';
import type { PlainDate } from '../core/plain-date.js';
import { NO_NAME } from '../send/journal-proof.js';
import type { Edit } from '../tables/edits.js';

import type { Environment } from './environment.js';

export type { Environment } from './environment.js';

/** Every option of every use case; each reads those that concern it. */
export interface Options {
  /** How the files are read. */
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

  /** What is written, and over what. */
  readonly output?: string;
  readonly report?: string;
  readonly annotate?: string;
  readonly pdf?: string;
  readonly failed?: string;
  readonly overtime?: string;
  readonly write?: string;
  readonly writeComplement?: string;
  readonly force?: boolean;
  /** Of `convert` the form, of `catalogue import` the table, of `approve` and `resume` the person. */
  readonly as?: string;
  /** The first day on which a table holds. */
  readonly validFrom?: PlainDate;

  /** Where documents go, and how fast. */
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

  /** What is sent, and on whose word. */
  readonly partial?: boolean;
  readonly dryRun?: boolean;
  readonly hold?: boolean;
  readonly yes?: boolean;
  readonly reason?: string;
  readonly deleteMissing?: boolean;
  readonly settle?: readonly string[];
  readonly before?: string;
  /** File of a key to sign with, or to verify by. */
  readonly key?: string;

  /** RIPS packages. */
  readonly booking?: string;
  readonly paymentConcept?: 'number' | 'code';
  readonly sispro?: string;
  readonly results?: string;
  /** Results that the authority itself saved, files or folders. */
  readonly readResults?: readonly string[];

  /** Events of invoices. */
  readonly expand?: boolean;
  readonly byCufe?: boolean;
  readonly worklist?: string;
  readonly ics?: string;
  readonly ask?: 'dian' | 'page' | 'own' | 'own-number';

  /** `preview` and `email`. */
  readonly folder?: string;
  readonly documents?: string;
  readonly only?: readonly string[];
  readonly to?: string;
  readonly again?: boolean;

  /** `profile` and `setup`; secrets are not among them. */
  readonly environment?: Environment;
  readonly companyName?: string;
  readonly softwareId?: string;
  readonly payrollAddress?: string;
  readonly invoiceAddress?: string;
  readonly changeAddress?: boolean;
  readonly pinFile?: string;
  /** NIT of the company where `company` is none: it is hashed in every CUNE. */
  readonly nit?: string;
  readonly documentType?: string;
  readonly prefix?: string;
  readonly firstNumber?: number;
  readonly lastNumber?: number;
  readonly resolutionNumber?: string;
  readonly replaceAll?: boolean;

  /** `api`, `sandbox`, `schema`. */
  readonly path?: readonly string[];
  readonly query?: readonly string[];
  readonly body?: string;
  readonly port?: number;
  readonly host?: string;
  readonly config?: string;
  readonly set?: readonly string[];
  readonly open?: boolean;
  readonly data?: string;
  readonly draft07?: boolean;

  /** Many companies, many machines: `follow` waits for what was handed over. */
  readonly queue?: boolean | 'follow';
  readonly metrics?: number;
  /** Requests a minute to a service, of all companies. */
  readonly serviceRate?: number;
  readonly all?: boolean;
  readonly watch?: boolean;
  readonly bundle?: boolean;
}

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
export const companyOf = (options: Options): string => options.company ?? NO_NAME;

/** The same, said to people: who has no name is this company. */
export const companySaid = ({ company }: Options): string | { readonly key: 'thisCompany' } =>
  company ?? { key: 'thisCompany' };
