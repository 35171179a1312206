import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { putInPlace } from '../report/put-in-place.js';
import { isObject, type JsonObject } from '../toolkit/core/json.js';
import { readNit } from '../toolkit/core/nit.js';
import { monthsBetween, type PlainDate } from '../toolkit/core/plain-date.js';
import type { Context } from './context.js';
import { companyOf, type ServiceOptions } from './options.js';

/** Values used last time for a company's files, on the terminal or the page. */
export interface LastValues {
  readonly params?: JsonObject;
  /** NIT of the company whose files they are; not stored. */
  readonly company?: string | undefined;
  /** Day on which they were used. */
  readonly on?: PlainDate;
  /** Defaults used, by mapping; they are shown again when they change. */
  readonly defaults?: Readonly<Record<string, JsonObject>>;
  /** Inferred formats, likewise. */
  readonly formats?: Readonly<Record<string, readonly string[]>>;
}

/** Owner of a call's files: a profile, or a company without one. */
type FilesOwner = Pick<Context, 'workspace'> & { readonly profile?: { readonly name: string } | undefined };

const keyOf = ({ profile }: FilesOwner, options: ServiceOptions): string =>
  profile?.name ?? companyOf(options);

/** File with mode 0600; it holds names and account numbers. */
const fileOf = ({ workspace }: Pick<Context, 'workspace'>): string => join(workspace, 'params.json');

async function readAll(context: FilesOwner): Promise<Readonly<Record<string, LastValues>>> {
  try {
    const all: unknown = JSON.parse(await readFile(fileOf(context), 'utf8'));
    return isObject(all) ? (all as Readonly<Record<string, LastValues>>) : {};
  } catch {
    return {}; // none yet, or none that can be read: nothing hangs on it
  }
}

/**
 * Returns by how many months to move the parameters: 0 within a calendar month, when the same files are checked, sent
 * and corrected, else 1.
 */
export const monthsLater = ({ on }: LastValues, today: PlainDate): number =>
  on !== undefined && monthsBetween(on, today) === 0 ? 0 : 1;

export async function lastValues(context: FilesOwner, options: ServiceOptions): Promise<LastValues> {
  const values = (await readAll(context))[keyOf(context, options)];
  return { ...(isObject(values) && (values as LastValues)), company: readNit(options.company ?? '')?.nit };
}

/** Stores these values over the earlier ones. */
export async function storeValues(
  context: FilesOwner,
  options: ServiceOptions,
  now: LastValues,
): Promise<void> {
  const all = await readAll(context);
  const key = keyOf(context, options);
  const before = all[key] ?? {};
  const merged: LastValues = {
    params: { ...before.params, ...now.params },
    ...((now.on ?? before.on) && { on: now.on ?? before.on }),
    defaults: { ...before.defaults, ...now.defaults },
    formats: { ...before.formats, ...now.formats },
  };
  const text = JSON.stringify({ ...all, [key]: merged });
  if (text === JSON.stringify({ ...all, [key]: before })) return;
  await mkdir(dirname(fileOf(context)), { recursive: true, mode: 0o700 });
  await putInPlace(fileOf(context), (temporary) => writeFile(temporary, text, { mode: 0o600 }));
}
