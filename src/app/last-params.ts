import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { putInPlace } from '../report/put-in-place.js';
import { isObject, type JsonObject } from '../toolkit/core/json.js';
import { monthsBetween, type PlainDate } from '../toolkit/core/plain-date.js';
import type { Context } from './context.js';
import { companyOf, type ServiceOptions } from './options.js';

/** What was said for a company's files the last time, by terminal or page. */
export interface Said {
  /** Parameters by name. */
  readonly params?: JsonObject;
  /** The day on which they were said. */
  readonly on?: PlainDate;
  /** Defaults that were used, by mapping: they are shown again when they change. */
  readonly defaults?: Readonly<Record<string, JsonObject>>;
  /** Formats that the cells showed, likewise. */
  readonly formats?: Readonly<Record<string, readonly string[]>>;
}

/** Whose files a call is about: those of a profile, or of a company without one. */
type Whose = Pick<Context, 'workspace'> & { readonly profile?: { readonly name: string } | undefined };

const keyOf = ({ profile }: Whose, options: ServiceOptions): string => profile?.name ?? companyOf(options);

/** For its owner alone: professionals and account numbers are among it. */
const fileOf = ({ workspace }: Pick<Context, 'workspace'>): string => join(workspace, 'params.json');

async function readAll(context: Whose): Promise<Readonly<Record<string, Said>>> {
  try {
    const all: unknown = JSON.parse(await readFile(fileOf(context), 'utf8'));
    return isObject(all) ? (all as Readonly<Record<string, Said>>) : {};
  } catch {
    return {}; // none yet, or none that can be read: nothing hangs on it
  }
}

/**
 * How many months later the parameters are offered: none within a month of the calendar, in which the same files are checked, sent and mended;
 * the month after from then on.
 */
export const monthsLater = ({ on }: Said, today: PlainDate): number =>
  on !== undefined && monthsBetween(on, today) === 0 ? 0 : 1;

export async function lastSaid(context: Whose, options: ServiceOptions): Promise<Said> {
  const said = (await readAll(context))[keyOf(context, options)];
  return isObject(said) ? (said as Said) : {};
}

/** Keeps what was said now over what was said before. */
export async function keepSaid(context: Whose, options: ServiceOptions, now: Said): Promise<void> {
  const all = await readAll(context);
  const key = keyOf(context, options);
  const before = all[key] ?? {};
  const said: Said = {
    params: { ...before.params, ...now.params },
    ...((now.on ?? before.on) && { on: (now.on ?? before.on)! }),
    defaults: { ...before.defaults, ...now.defaults },
    formats: { ...before.formats, ...now.formats },
  };
  const text = JSON.stringify({ ...all, [key]: said });
  if (text === JSON.stringify({ ...all, [key]: before })) return;
  await mkdir(dirname(fileOf(context)), { recursive: true, mode: 0o700 });
  await putInPlace(fileOf(context), (temporary) => writeFile(temporary, text, { mode: 0o600 }));
}
