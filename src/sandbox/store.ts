import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { DIAN_ADDRESS } from '../families/payroll/subject.js';
import type { CompanyOptions, Environment, ResolutionOptions } from './options.js';

/** Mail that the service would have sent. */
export interface Mail {
  readonly id: string;
  /** NIT of the sender. */
  readonly company: string;
  readonly to: string;
  readonly number: string;
  readonly documentCode: string;
  /** ISO instant. */
  readonly at: string;
}

export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(store: Store) {
  const mails: Collection<Mail> = store.collection('outbox');
  return {
    put: (mail: Omit<Mail, 'id'>) => {
      const id = randomUUID();
      mails.put(id, { id, ...mail });
    },
    list: () => [...mails.values()],
    remove: (id: string) => mails.delete(id),
  };
}

export interface Software {
  readonly id?: string;
  readonly pin?: string;
  readonly url: string;
  readonly idpayroll: string;
  readonly pinpayroll: string;
  readonly urlpayroll: string;
}

export interface Resolution extends Omit<ResolutionOptions, 'typeDocumentId'> {
  readonly typeDocumentId: number;
  /** True if it came with the company: does not count towards "two or more". */
  readonly given?: true;
}

export interface Company {
  readonly nit: string;
  readonly name: string;
  readonly token: string;
  readonly environment: Environment;
  readonly testSetId?: string;
  readonly certificateDaysLeft: number;
  readonly software: Software;
  readonly resolutions: readonly Resolution[];
  /** True if any prefix of letters gets its range on first use. */
  readonly openPrefixes: boolean;
}

export type Companies = ReturnType<typeof openCompanies>;

const OPEN_RANGES: readonly Resolution[] = [
  { typeDocumentId: 9, prefix: 'NI', from: 1, to: 99_999_999, given: true },
  { typeDocumentId: 10, prefix: 'NA', from: 1, to: 99_999_999, given: true },
];

export const randomToken = (): string => randomBytes(24).toString('hex');

/** Creates a company: options take precedence; its setup by earlier calls stays. */
function companyOf(options: CompanyOptions, stored: Company | undefined): Company {
  const environment = options.environment ?? stored?.environment ?? 'test';
  const address = DIAN_ADDRESS[environment];
  const pin = options.softwarePin ?? '12345';
  return {
    nit: options.nit,
    name: options.name ?? 'Empresa de pruebas',
    token: options.token ?? stored?.token ?? randomToken(),
    environment,
    ...(options.testSetId !== undefined && { testSetId: options.testSetId }),
    certificateDaysLeft: options.certificateDaysLeft ?? 210,
    software: stored?.software ?? {
      idpayroll: 'sandbox',
      pinpayroll: pin,
      url: address,
      urlpayroll: address,
    },
    resolutions: stored?.resolutions ?? options.resolutions ?? OPEN_RANGES,
    openPrefixes: options.resolutions === undefined,
  };
}

export function openCompanies(store: Store, options: readonly CompanyOptions[]) {
  const collection: Collection<Company> = store.collection('companies');
  for (const option of options) collection.put(option.nit, companyOf(option, collection.get(option.nit)));
  const all = (): readonly Company[] => options.flatMap(({ nit }) => collection.get(nit) ?? []);
  const nitOf = new Map(all().map(({ nit, token }) => [token, nit]));
  return {
    all,
    byToken: (token: string) => collection.get(nitOf.get(token) ?? ''),
    /** Adds or replaces the company by NIT. */
    save: (company: Company) => collection.put(company.nit, company),
  };
}

/** Values by key; changes are written to the state file, if any, by the next flush. */
export interface Collection<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): boolean;
  keys(): IterableIterator<string>;
  values(): IterableIterator<T>;
}

/** Values by key by collection. */
export type Snapshot = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type Store = ReturnType<typeof openStore>;

/** `[collection, key, value]`, one per line; without a value the key is removed. The last line of a key counts. */
type Change = [name: string, key: string, value?: unknown];
type Contents = Map<string, Map<string, unknown>>;

const PRIVATE = 0o600;
const NEWLINE = 10;

/** Opens or creates the state file; without a path everything stays in memory. */
export function openStore(path?: string) {
  const contents: Contents = path !== undefined && existsSync(path) ? replay(readFileSync(path)) : new Map();
  const file = path === undefined ? undefined : rewrite(path, contents);
  let pending = '';

  const record = (change: Change): void => {
    if (file !== undefined) pending += `${JSON.stringify(change)}\n`;
  };
  const flush = (): void => {
    if (file === undefined || pending === '') return;
    writeSync(file, pending);
    pending = '';
  };
  return {
    collection: <T>(name: string): Collection<T> => {
      const entries = (contents.get(name) ?? new Map()) as Map<string, T>;
      contents.set(name, entries);
      return {
        get: (key) => entries.get(key),
        put: (key, value) => {
          entries.set(key, value);
          record([name, key, value]);
        },
        delete: (key) => {
          record([name, key]);
          return entries.delete(key);
        },
        keys: () => entries.keys(),
        values: () => entries.values(),
      };
    },
    /** Returns all collections, for `restore`. */
    dump: () =>
      Object.fromEntries([...contents].map(([name, entries]) => [name, Object.fromEntries(entries)])),
    /** Replaces all state; collections opened before are detached. */
    restore: (snapshot: Snapshot) => {
      for (const [name, entries] of contents) for (const key of entries.keys()) record([name, key]);
      contents.clear();
      for (const [name, values] of Object.entries(snapshot)) {
        contents.set(name, new Map(Object.entries(values)));
        for (const [key, value] of Object.entries(values)) record([name, key, value]);
      }
    },
    /** Writes all changes to the operating system, so that they survive a kill of this process. */
    flush,
    close: () => {
      flush();
      if (file !== undefined) closeSync(file);
    },
  };
}

function replay(bytes: Buffer): Contents {
  const contents: Contents = new Map();
  let start = 0;
  // A kill during a write leaves an incomplete last line, to which no response was sent.
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const [name, key, value] = JSON.parse(bytes.toString('utf8', start, end)) as Change;
    const entries = contents.get(name) ?? new Map<string, unknown>();
    contents.set(name, entries);
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
    start = end + 1;
  }
  return contents;
}

/** Rewrites the file with current values only, and keeps it open for changes. */
function rewrite(path: string, contents: Contents): number {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', PRIVATE);
  for (const [name, entries] of contents)
    for (const [key, value] of entries) writeSync(file, `${JSON.stringify([name, key, value])}\n`);
  renameSync(draft, path);
  return file;
}
