import type { Text } from '../../generated/issue-codes.js';
import {
  COLUMN_TEXTS,
  DEADLINE,
  type DeadlineParams,
  TERM,
  type TermParams,
  WORKLIST,
} from '../../generated/texts-events.js';
import type { Deadline } from '../../report/ics.js';
import type { Tone } from '../../report/palette.js';
import type { CellValue, Column } from '../../report/rows.js';
import type { Language } from '../../toolkit/core/issue.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import { dateInWords, formatMoney, translate, translatorOf } from '../../toolkit/messages/texts.js';
import type { Worklist } from '../family.js';
import type { InvoiceEvent } from './answer.js';
import { eventName, type Registered, workOf } from './sequence.js';

/** Row of the worklist; texts are in the workbook's language. */
interface WorklistRow {
  readonly invoice: string;
  readonly seller: string | undefined;
  readonly sellerId: string | undefined;
  readonly total: string | undefined;
  readonly cufe: string;
  readonly state: string;
  /** Tone of the state: to do, settled or unknown. */
  readonly tone: Tone;
  readonly events: string;
  readonly next: string;
  /** Undefined if no term runs. */
  readonly received: PlainDate | undefined;
  readonly deadline: PlainDate | undefined;
  readonly day: number | undefined;
  readonly term: string | undefined;
}

const COLUMNS: readonly (readonly [Text, keyof WorklistRow, width: number, Column['kind']])[] = [
  [COLUMN_TEXTS.invoice, 'invoice', 18, 'code'],
  [COLUMN_TEXTS.seller, 'seller', 32, 'long'],
  [COLUMN_TEXTS.sellerId, 'sellerId', 14, 'code'],
  [COLUMN_TEXTS.total, 'total', 18, 'amount'],
  [COLUMN_TEXTS.state, 'state', 26, 'code'],
  [COLUMN_TEXTS.received, 'received', 15, 'date'],
  [COLUMN_TEXTS.deadline, 'deadline', 13, 'date'],
  [COLUMN_TEXTS.day, 'day', 11, 'count'],
  [COLUMN_TEXTS.next, 'next', 44, 'long'],
  [COLUMN_TEXTS.term, 'term', 36, 'long'],
  [COLUMN_TEXTS.events, 'events', 30, 'long'],
  [COLUMN_TEXTS.cufe, 'cufe', 44, 'hash'],
];

function* valuesOf(rows: Iterable<WorklistRow>): Iterable<readonly CellValue[]> {
  for (const row of rows)
    yield COLUMNS.map(
      ([, name]): CellValue => (name === 'state' ? { text: row.state, tone: row.tone } : row[name]),
    );
}

const eventText = ({ code, date }: Registered): string =>
  date === undefined ? code : `${code} ${dateInWords(date)}`;

const termText = translatorOf<TermParams>(TERM);
const deadlineText = translatorOf<DeadlineParams>(DEADLINE);

/** Explains how the deadline is counted: business days, and holidays among them. */
function howCounted({ received, days, holidays = [] }: ReturnType<typeof workOf>, language: Language) {
  if (received === undefined || days === undefined) return undefined;
  const params = { days: String(days), received };
  return holidays.length === 0
    ? termText(language, 'plain', params)
    : termText(language, 'holidays', { ...params, holidays: holidays.map(dateInWords).join(', ') });
}

/** Returns a calendar entry for the last day to act, with the CUFE as its ID. */
function deadlineOf(row: WorklistRow, language: Language): readonly Deadline[] {
  const { invoice, seller, total, cufe, deadline, next, term } = row;
  if (deadline === undefined || next === '') return [];
  const about = [
    total && deadlineText(language, 'total', { total: formatMoney(total, language) }),
    deadlineText(language, 'next', { next }),
    term,
    `CUFE ${cufe}`,
  ];
  return [
    {
      id: `${cufe}@cargue`,
      date: deadline,
      title:
        seller === undefined
          ? deadlineText(language, 'title', { invoice })
          : deadlineText(language, 'titleOf', { invoice, seller }),
      about: about.filter(Boolean).join('\n'),
    },
  ];
}

/** Creates the list of actions and deadlines per invoice. */
export function createWorklist(language: Language, today: PlainDate): Worklist {
  const rows: WorklistRow[] = [];
  return {
    add({ id, name, details = {} }, answered) {
      const events = answered as readonly InvoiceEvent[] | undefined;
      const work = events && workOf(events, today);
      const { next = [], received, deadline, day } = work ?? {};
      const { seller, seller_id: sellerId, total } = details;
      const state = translate(language, `state-${work?.state ?? 'unknown'}`);
      const nextText = next.map(eventName).join('; ');
      rows.push({
        invoice: name,
        seller,
        sellerId,
        total,
        cufe: id,
        state,
        tone: work === undefined ? 'doubt' : next.length === 0 ? 'good' : 'waiting',
        events: (events ?? []).map(eventText).join('; '),
        next: nextText,
        received,
        deadline,
        day,
        term: work && howCounted(work, language),
      });
      return {
        state,
        shown: {
          event: 'invoice',
          invoice: name,
          cufe: id,
          seller: seller ?? null,
          sellerId: sellerId ?? null,
          total: total ?? null,
          state: work?.state ?? null,
          stateText: state,
          events: events ?? null,
          next,
          nextText,
          received: received ?? null,
          deadline: deadline ?? null,
          day: day ?? null,
        },
      };
    },
    sheet: () => ({
      name: WORKLIST[language],
      columns: COLUMNS.map(([heading, , width, kind]) => ({ heading: heading[language], width, kind })),
      rows: valuesOf(rows),
    }),
    deadlines: () => rows.flatMap((row) => deadlineOf(row, language)),
  };
}
