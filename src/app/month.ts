import type { Family, MonthDocument } from '../families/family.js';
import { capability, familyOf } from '../families/registry.js';
import type { Sql } from '../send/database.js';
import { bodyOf } from '../send/planned-document.js';
import { heldRuns, NOT_HELD, PAGE, paged, schemaOfRun } from '../send/runs.js';
import { type Decimal, subtract, sum } from '../toolkit/core/decimal.js';
import { addMonths, dateInBogota, daysBetween, type PlainDate } from '../toolkit/core/plain-date.js';
import { fold } from '../toolkit/core/text.js';
import type { DocumentState } from '../toolkit/schema/document.js';
import type { Context } from './context.js';
import { familiesOf } from './job.js';
import { withJournalIfAny } from './journal-access.js';
import type { CompanyMonth, FoundDocument, MonthCounts, MonthJob, Person } from './month-view.js';
import type { ServiceOptions } from './options.js';

/** Returns the month before a day while it may still be sent by law, else the month of the day. */
export function monthToSend(families: readonly Family[], today: PlainDate): string {
  const month = today.slice(0, 7);
  const before = addMonths(month, -1);
  const [first] = families;
  return (first?.documents.deadlines(before).at(-1) ?? '') >= today ? before : month;
}

interface Row extends Omit<MonthDocument, 'total' | 'subject' | 'person'> {
  readonly id: number;
  readonly subject: string | null;
  readonly schema: string;
  readonly body: string | null;
}

const PLANNED_IN = `
  SELECT d.id, d.run, d.key, d.name, d.schema, d.subject, d.state, c.body
  FROM run r JOIN document d ON d.run = r.id
    LEFT JOIN content c ON c.document = d.id AND d.state = 'accepted'
  WHERE r.created >= ? AND r.created < ? AND r.test_set IS NOT DISTINCT FROM ? AND d.id > ?
    AND d.earlier IS NULL AND ${NOT_HELD}
  ORDER BY d.id LIMIT ${PAGE}`;

/** Returns midnight of the first day of a month in Bogotá, in epoch milliseconds. */
const startOf = (month: string): number => Date.parse(`${month}-01T00:00:00-05:00`);

/** Yields the documents of a family in the runs that were planned in a month. */
async function* plannedIn(
  journal: Sql,
  family: Family,
  month: string,
  testSet: string | undefined,
): AsyncIterable<MonthDocument> {
  const delivery = await capability(family, 'delivery');
  const totalOf = (body: string): Decimal | undefined =>
    Object.values(delivery?.totals?.(bodyOf({ body })) ?? {}).at(-1);
  const [from, to] = [startOf(month), startOf(addMonths(month, 1))];
  const page = (after: number) => journal.all<Row>(PLANNED_IN, from, to, testSet ?? null, after);
  for await (const { id, subject, schema, body, ...document } of paged(0, page, (row) => row.id)) {
    if (!family.documents.schemas.some((name) => name === schema)) continue;
    const total = body === null ? undefined : totalOf(body);
    yield { ...document, subject: subject ?? String(id), ...(total !== undefined && { total }) };
  }
}

/** Rank by which a document stands for its subject; of equal ones the later one does. */
const rankOf = (state: DocumentState): number => (state === 'rejected' ? 0 : state === 'accepted' ? 1 : 2);

async function standingIn(
  journal: Sql,
  family: Family,
  month: string,
  testSet: string | undefined,
): Promise<readonly MonthDocument[]> {
  const report = await capability(family, 'report');
  const standing = new Map<string, MonthDocument>();
  const documents =
    report?.months?.documents(journal, month, testSet) ?? plannedIn(journal, family, month, testSet);
  for await (const document of documents) {
    const known = standing.get(document.subject);
    if (known === undefined || rankOf(known.state) <= rankOf(document.state))
      standing.set(document.subject, document);
  }
  return [...standing.values()];
}

function countsOf(documents: readonly MonthDocument[]): MonthCounts {
  const accepted = documents.filter(({ state }) => state === 'accepted');
  const refused = documents.filter(({ state }) => state === 'rejected').length;
  const totals = accepted.flatMap(({ total }) => total ?? []);
  return {
    accepted: accepted.length,
    refused,
    open: documents.length - accepted.length - refused,
    total: accepted.length > 0 && totals.length === accepted.length ? sum(totals) : null,
  };
}

/** Returns the people of the first documents who have none among the others. */
function without(documents: readonly MonthDocument[], others: readonly MonthDocument[]): readonly Person[] {
  const known = new Set(others.map(({ person }) => person));
  return documents.flatMap(({ key, name, person, state }) =>
    person === undefined || state === 'rejected' || known.has(person) ? [] : [{ key, name }],
  );
}

export async function monthJobs(
  context: Context,
  journal: Sql,
  month: string,
  { today, testSet }: { readonly today: PlainDate; readonly testSet: string | undefined },
): Promise<readonly MonthJob[]> {
  const families = familiesOf(context);
  const schemas = await journal.all<{ schema: string | null }>(
    'SELECT DISTINCT (SELECT d.schema FROM document d WHERE d.run = r.id ORDER BY d.sequence LIMIT 1) AS schema FROM run r',
  );
  const sent = new Set(schemas.map(({ schema }) => familyOf(families, schema ?? '')));
  const held: (readonly [run: string, family: Family | undefined])[] = [];
  for (const { id } of await heldRuns(journal))
    held.push([id, familyOf(families, (await schemaOfRun(journal, id)) ?? '')]);
  const jobs: MonthJob[] = [];
  for (const family of families) {
    if (!sent.has(family)) continue;
    const isBySending = (await capability(family, 'report'))?.months === undefined;
    const now = await standingIn(journal, family, month, testSet);
    const last = await standingIn(journal, family, addMonths(month, -1), testSet);
    const [counts, before] = [countsOf(now), countsOf(last)];
    const isCompared = now.length > 0 && before.accepted > 0;
    jobs.push({
      family: family.name,
      isBySending,
      ...counts,
      before: before.accepted === 0 ? null : before,
      difference:
        counts.total === null || before.total === null ? null : subtract(counts.total, before.total),
      missing: isCompared ? without(last, now) : [],
      fresh: isCompared ? without(now, last) : [],
      deadlines: family.documents.deadlines(isBySending ? addMonths(month, -1) : month).map((date) => ({
        date,
        left: daysBetween(today, date),
      })),
      run: now.at(-1)?.run ?? null,
      held: held.flatMap(([run, of]) => (of === family ? [run] : [])),
    });
  }
  const due = ({ deadlines: [first] }: MonthJob): string => first?.date ?? '9999';
  return jobs.sort((a, b) => due(a).localeCompare(due(b)));
}

/** Returns the month of a company: what was sent, against the month before. @param given default: the one to send next */
export async function companyMonth(
  context: Context,
  options: ServiceOptions & { readonly testSet?: string },
  given?: string,
): Promise<CompanyMonth> {
  const today = dateInBogota(context.now());
  const month = given ?? monthToSend(familiesOf(context), today);
  const hasService = (options.url ?? context.url) !== undefined;
  const jobs = hasService
    ? await withJournalIfAny(context, options, async (journal) =>
        journal === undefined ? [] : monthJobs(context, journal, month, { today, testSet: options.testSet }),
      )
    : [];
  return { month, today, jobs };
}

/** Max documents that a search returns. */
const MAX_FOUND = 100;
const READ_AT_ONCE = 1_000;

const SENT = `
  SELECT d.id, d.run, d.key, d.name, coalesce(d.number, d.prefix || d.consecutive) AS number, d.state,
    d.document_code AS "documentCode"
  FROM document d WHERE d.id < ? AND d.earlier IS NULL AND ${NOT_HELD} ORDER BY d.id DESC LIMIT ${READ_AT_ONCE}`;

/** Finds documents of a company by person, key, number or code; the latest first, at most 100. */
export const searchDocuments = (
  context: Context,
  options: ServiceOptions,
  text: string,
): Promise<readonly FoundDocument[]> =>
  withJournalIfAny(context, options, async (journal) => {
    const words = fold(text).split(' ').filter(Boolean);
    const found: FoundDocument[] = [];
    if (journal === undefined || words.length === 0) return found;
    const page = (before: number) => journal.all<FoundDocument & { readonly id: number }>(SENT, before);
    for await (const { id: _, ...row } of paged(
      Number.MAX_SAFE_INTEGER,
      page,
      ({ id }) => id,
      READ_AT_ONCE,
    )) {
      const shown = fold([row.name, row.key, row.number, row.documentCode].filter(Boolean).join(' '));
      if (words.every((word) => shown.includes(word))) found.push(row);
      if (found.length === MAX_FOUND) break;
    }
    return found;
  });
