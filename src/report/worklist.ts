import type { Language } from '../core/issue.js';
import type { Text } from '../generated/issue-codes.js';
import { type Placing, putInPlace } from './put-in-place.js';
import type { CellValue, Column, Tone } from './rows.js';
import { writeWorkbook } from './workbook.js';

/** An invoice of the list of what is to be done; texts are in the language of the workbook. */
export interface WorklistRow {
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

const SHEET: Text = { es: 'Facturas', en: 'Invoices' };

const COLUMNS: readonly (readonly [Text, keyof WorklistRow, width: number, Column['kind']])[] = [
  [{ es: 'Factura', en: 'Invoice' }, 'invoice', 28, 'code'],
  [{ es: 'Estado', en: 'State' }, 'state', 26, 'code'],
  [{ es: 'Eventos registrados', en: 'Registered events' }, 'events', 34, 'long'],
  [{ es: 'Evento que sigue', en: 'Next event' }, 'next', 44, 'long'],
  [{ es: 'Plazo hasta', en: 'Until' }, 'deadline', 13, 'code'],
  [{ es: 'Día hábil', en: 'Business day' }, 'day', 11, 'count'],
  [{ es: 'CUFE', en: 'CUFE' }, 'cufe', 30, 'hash'],
];

function* valuesOf(rows: Iterable<WorklistRow>): Iterable<readonly CellValue[]> {
  for (const row of rows)
    yield COLUMNS.map(
      ([, name]): CellValue =>
        name === 'state' ? { text: row.state, tone: row.tone } : (row[name] as string | number | undefined),
    );
}

/**
 * Writes the workbook of what is to be done; returns its name, which is another one where the wanted file is open.
 * @throws PipelineError('output', report/not-writable)
 */
export const writeWorklist = (
  file: string,
  rows: Iterable<WorklistRow>,
  { language, now, placing }: { readonly language: Language; readonly now: Date; readonly placing?: Placing },
): Promise<string> => {
  const columns = COLUMNS.map(([heading, , width, kind]) => ({ heading: heading[language], width, kind }));
  const sheet = { name: SHEET[language], columns, rows: valuesOf(rows) };
  return putInPlace(file, (temporary) => writeWorkbook(temporary, [sheet], { now }), placing);
};
