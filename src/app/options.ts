import { type Language, stop } from '../core/issue.js';

/** Options of `send`, `resume` and `report` that only RIPS packages know. */
export interface CareOptionValues {
  readonly booking?: string;
  readonly paymentConcept?: 'number' | 'code';
  readonly sispro?: string;
  readonly results?: string;
}

/** Options of `preview` and `email`. */
export interface ErrandOptionValues {
  readonly folder?: string;
  readonly documents?: string;
  readonly only?: readonly string[];
  readonly to?: string;
  readonly again?: boolean;
}

/** Options of events, beside those of `send`. */
export interface EventOptionValues {
  readonly expand?: boolean;
  readonly byCufe?: boolean;
  readonly worklist?: string;
  readonly ask?: 'dian' | 'page' | 'own' | 'own-number';
}

/** What a profile says, as options; the others are those of `send`. */
export interface ProfileOptionValues {
  readonly profile?: string;
  readonly ca?: string;
  /** In seconds. */
  readonly timeout?: number;
  readonly environment?: 'test' | 'production';
  readonly companyName?: string;
}

/** Options of `setup`. Secrets are not among them. */
export interface SetupOptionValues {
  readonly softwareId?: string;
  readonly payrollAddress?: string;
  readonly invoiceAddress?: string;
  readonly changeAddress?: boolean;
  readonly pinFile?: string;
  readonly documentType?: string;
  readonly prefix?: string;
  readonly firstNumber?: number;
  readonly lastNumber?: number;
  readonly replaceAll?: boolean;
}

/** Every option of every command, as commander hands them over; a command only sees those it lists. */
export interface Options
  extends ErrandOptionValues,
    SetupOptionValues,
    ProfileOptionValues,
    EventOptionValues,
    RunOptionValues,
    CareOptionValues {
  readonly mapping?: string;
  readonly param?: readonly string[];
  readonly params?: string;
  readonly output?: string;
  readonly json?: boolean;
  readonly showValues?: boolean;
  readonly lang?: Language;
  readonly debug?: boolean;
  readonly company?: string;
  readonly url?: string;
  readonly testSet?: string;
  readonly concurrency?: number;
  readonly rate?: number;
  readonly partial?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly report?: string;
  readonly reason?: string;
  readonly deleteMissing?: boolean;
  readonly annotate?: string;
  readonly answer?: readonly string[];
  readonly path?: readonly string[];
  readonly query?: readonly string[];
  readonly body?: string;
  readonly port?: number;
  readonly data?: string;
  readonly draft07?: boolean;
  readonly write?: string;
  readonly force?: boolean;
  readonly as?: string;
  /** Never set: `--as` of convert, which is filed under `as`. */
  readonly asForm?: undefined;
}

export type OptionName = keyof Options;

/** `name=value` pairs, the last of a name winning. */
export function namedValues(option: string, pairs: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0)
        stop('usage', { code: 'run/bad-option', value: pair, params: { option, expected: 'name=value' } });
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}

/** `ID=VALUE` answers; ids may hold `=` themselves, values do not. The last of an id wins. */
export function answerValues(pairs: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.lastIndexOf('=');
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

/** What a person says of a run that lies in the journal. */
export interface RunOptionValues {
  readonly hold?: boolean;
  readonly settle?: readonly string[];
  readonly before?: string;
  /** Never set: other meanings of `--as` and `--reason`, which are filed under `as` and `reason`. */
  readonly asPerson?: undefined;
  readonly whyAbandon?: undefined;
}
