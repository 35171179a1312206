import type { Language } from '../../core/issue.js';
import type { PlainDate } from '../../core/plain-date.js';
import type { Text } from '../../generated/issue-codes.js';
import { COLUMN_TEXTS, WORKLIST } from '../../generated/texts-events.js';
import { say } from '../../messages/texts.js';
import type { CellValue, Column } from '../../report/rows.js';
import type { Tone } from '../../report/tones.js';
import type { Worklist } from '../family.js';
import type { InvoiceEvent } from './answer.js';
import { eventName, type Registered, workOf } from './sequence.js';

/** An invoice of the list of what is to be done; texts are in the language of the workbook. */
interface WorklistRow {
  readonly invoice: string;
  readonly cufe: string;
  readonly state: string;
  /** What the state means for the person: to be done, settled, or not known. */
  readonly tone: Tone;
  readonly events: string;
  readonly next: string;
  /** `YYYY-MM-DD`, blank where no term runs. */
  readonly deadline: string;
  readonly day: number | undefined;
}

const COLUMNS: readonly (readonly [Text, keyof WorklistRow, width: number, Column['kind']])[] = [
  [COLUMN_TEXTS.invoice, 'invoice', 28, 'code'],
  [COLUMN_TEXTS.state, 'state', 26, 'code'],
  [COLUMN_TEXTS.events, 'events', 34, 'long'],
  [COLUMN_TEXTS.next, 'next', 44, 'long'],
  [COLUMN_TEXTS.deadline, 'deadline', 13, 'code'],
  [COLUMN_TEXTS.day, 'day', 11, 'count'],
  [COLUMN_TEXTS.cufe, 'cufe', 30, 'hash'],
];

function* valuesOf(rows: Iterable<WorklistRow>): Iterable<readonly CellValue[]> {
  for (const row of rows)
    yield COLUMNS.map(
      ([, name]): CellValue =>
        name === 'state' ? { text: row.state, tone: row.tone } : (row[name] as string | number | undefined),
    );
}

const eventText = ({ code, date }: Registered): string => (date === undefined ? code : `${code} ${date}`);

/** What a person may do with each invoice today, and until when. */
export function createWorklist(language: Language, today: PlainDate): Worklist {
  const rows: WorklistRow[] = [];
  return {
    add({ id, name }, told) {
      const events = told as readonly InvoiceEvent[] | undefined;
      const work = events && workOf(events, today);
      const { next = [], deadline, day } = work ?? {};
      const state = say(language, `state-${work?.state ?? 'unknown'}`);
      const nextText = next.map(eventName).join('; ');
      rows.push({
        invoice: name,
        cufe: id,
        state,
        tone: work === undefined ? 'doubt' : next.length === 0 ? 'good' : 'waiting',
        events: (events ?? []).map(eventText).join('; '),
        next: nextText,
        deadline: deadline ?? '',
        day,
      });
      return {
        state,
        shown: {
          event: 'invoice',
          invoice: name,
          cufe: id,
          state: work?.state ?? null,
          stateText: state,
          events: events ?? null,
          next,
          nextText,
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
  };
}
