import { stat } from 'node:fs/promises';
import { canonicalAddress } from '../client/address.js';
import { canonicalCompany } from '../send/journal-proof.js';
import type { Journals } from '../send/journals.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import type { Context } from './context.js';
import { familiesOf } from './job.js';
import { journalsOf } from './journal-access.js';
import { companyMonth, monthJobs, monthToSend } from './month.js';
import type { CompaniesMonth, CompanyRow, MonthJob } from './month-view.js';
import { companyOf } from './options.js';
import { type ProfiledCall, profiledCalls } from './profile.js';

interface Cached {
  readonly mark: string;
  readonly jobs: readonly MonthJob[];
}

/** Max cached months of journals: two of each of 1,000 companies. */
const MAX_CACHED = 2_000;

/** Jobs read from the journals of this computer, valid while the files are unchanged; those used last are at the end. */
const cache = new Map<string, Cached>();

function store(key: string, cached: Cached): void {
  cache.delete(key);
  cache.set(key, cached);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
}

/** Returns size and time of a journal's files, which change with every commit. */
async function markOf(path: string): Promise<string> {
  const files = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => undefined)));
  return files.map((file) => (file === undefined ? '' : `${file.mtimeMs} ${file.size}`)).join(' ');
}

/** Lists the journals once: path by service and company. */
async function pathsByOwner(journals: Journals): Promise<ReadonlyMap<string, readonly string[]>> {
  const paths = new Map<string, string[]>();
  for (const { path, names, owner } of await journals.all())
    for (const name of names) {
      const key = `${owner.address}\n${canonicalCompany(name)}`;
      paths.set(key, [...(paths.get(key) ?? []), path]);
    }
  return paths;
}

/** Returns the month of every company with a profile. @param given default: the month to send next */
export async function companiesMonth(
  context: Context,
  given?: string,
  isWanted?: (profile: string) => boolean,
): Promise<CompaniesMonth> {
  const today = dateInBogota(context.now());
  const month = given ?? monthToSend(familiesOf(context), today);
  const listed = new Map<Journals, ReturnType<typeof pathsByOwner>>();
  /** Lists the journals of a database or folder once, however many companies are there. */
  const pathsIn = (journals: Journals): ReturnType<typeof pathsByOwner> => {
    const known = listed.get(journals) ?? pathsByOwner(journals);
    listed.set(journals, known);
    return known;
  };
  const files = await journalsOf({ workspace: context.workspace });

  async function jobsOf(call: ProfiledCall): Promise<readonly MonthJob[]> {
    const url = call.options.url ?? call.context.url;
    const { testSet } = call.options;
    if (url === undefined) return [];
    const journals = call.context.journal === undefined ? files : await journalsOf(call.context);
    const paths = await pathsIn(journals);
    const found = paths.get(`${canonicalAddress(url)}\n${canonicalCompany(companyOf(call.options))}`) ?? [];
    const [path] = found;
    if (path === undefined) return [];
    if (found.length > 1) return (await companyMonth(call.context, call.options, month)).jobs;
    const mark = journals === files ? await markOf(path) : undefined;
    const key = [path, month, today, testSet].join('\n');
    const known = cache.get(key);
    if (known !== undefined && known.mark === mark) {
      store(key, known);
      return known.jobs;
    }
    const journal = await journals.read(path);
    try {
      const jobs = await monthJobs(call.context, journal, month, { today, testSet });
      if (mark !== undefined) store(key, { mark, jobs });
      return jobs;
    } finally {
      await journal.close();
    }
  }

  const companies: CompanyRow[] = [];
  for (const call of await profiledCalls(context, isWanted)) {
    const { profile } = call.context;
    companies.push({
      profile: profile?.name ?? '',
      company: call.options.company ?? null,
      environment: profile?.environment ?? 'test',
      jobs: await jobsOf(call),
    });
  }
  return { month, today, companies };
}
