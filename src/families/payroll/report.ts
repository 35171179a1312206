import type { SchemaName } from '../../generated/schema-types.js';
import { FORGOTTEN, KINDS, type KindsParams, LOOK_UP } from '../../generated/texts-report.js';
import {
  aboutOf,
  type CellValue,
  type DocumentLayout,
  type Layout,
  mapRows,
  type ReportContext,
  type SheetRows,
  sheetOf,
} from '../../report/rows.js';
import type { ReportedDocument } from '../../report/run-report.js';
import type { Sql } from '../../send/database.js';
import { PAGE, pages } from '../../send/runs.js';
import { parseCanonical } from '../../toolkit/core/canonical.js';
import { subtract } from '../../toolkit/core/decimal.js';
import { valueAt } from '../../toolkit/core/json.js';
import { isPlainDate, minutesBetween } from '../../toolkit/core/plain-date.js';
import { translatorOf } from '../../toolkit/messages/texts.js';
import { requiredCatalogue } from '../../toolkit/schema/catalogue.js';
import type { DocumentDetails, MonthDifference, PlannedChange, ReportPart } from '../family.js';
import { changes, kindOf, predecessorNamed } from './corrections.js';
import { monthDocuments } from './known-documents.js';
import { monthDifferences } from './month.js';
import { nameOf, netOf, payrollTotals } from './subject.js';

/** Address at which DIAN shows a document to any holder of its code, as in its QR (payroll.md 1.1). */
const SHOWN_AT = 'https://catalogo-vpfe.dian.gov.co/document/searchqr?documentkey=';

const kindText = translatorOf<KindsParams>(KINDS);

const cuneCell = ({ documentCode: code }: ReportedDocument): CellValue =>
  code === undefined ? undefined : { text: code, link: SHOWN_AT + code };

const lookUpCell = ({ documentCode: code }: ReportedDocument, { language }: ReportContext): CellValue =>
  code === undefined ? undefined : { text: LOOK_UP[language], link: SHOWN_AT + code };

const nameCell = ({ name, about }: ReportedDocument): CellValue => about?.['name'] ?? name;

const COMMON: DocumentLayout = [
  ['key', 15, 'code'],
  ['name', 34, 'long', nameCell],
  ['number', 12, 'code'],
];
const AMOUNTS: DocumentLayout = [
  ['accrued', 18, 'amount', aboutOf('accrued')],
  ['deductions', 18, 'amount', aboutOf('deductions')],
  ['net', 18, 'amount', aboutOf('net')],
];
const OUTCOME: DocumentLayout = [
  ['state', 15, 'code'],
  ['message', 44, 'long'],
  ['cune', 44, 'hash', cuneCell],
  ['lookUp', 12, 'code', lookUpCell],
  ['zipKey', 22, 'hash'],
  ['attempts', 10, 'count'],
  ['where', 20, 'code'],
];

const PAYROLL_COLUMNS: DocumentLayout = [...COMMON, ...AMOUNTS, ...OUTCOME];

/** Columns for a run with notes: what each note does to which document, and the net before and after. */
const NOTE_COLUMNS: DocumentLayout = [
  ...COMMON,
  [
    'kind',
    20,
    'code',
    ({ about }, { language }) =>
      about === undefined
        ? undefined
        : kindText(language, about['kind'] as PlannedChange['kind'], { number: about['of'] ?? '?' }),
  ],
  ['netBefore', 18, 'amount', aboutOf('netBefore')],
  ...AMOUNTS,
  ...OUTCOME,
];

interface Row {
  readonly sequence: number;
  readonly schema: SchemaName;
  readonly body: string;
  readonly ofNumber: string | null;
  readonly before: string | null;
}

const OF_RUN = `
  SELECT d.sequence, d.schema, c.body, p.prefix || p.consecutive AS "ofNumber", b.body AS before
  FROM document d JOIN content c ON c.document = d.id JOIN document o ON o.id = coalesce(d.earlier, d.id)
    LEFT JOIN document p ON p.id = o.predecessor LEFT JOIN content b ON b.document = o.predecessor
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/** Reads the person, the amounts and the corrected document. The totals of a deletion are zero. */
const payrollAbout: DocumentDetails = { page: OF_RUN, of: aboutPayroll };

function aboutPayroll(row: Row): ReportedDocument['about'] {
  const body = parseCanonical(row.body);
  const before = row.before === null ? undefined : parseCanonical(row.before);
  const kind = kindOf(row.schema);
  const name = nameOf(body) ?? (before && nameOf(before));
  const netBefore = before && netOf(before);
  const of = row.ofNumber ?? predecessorNamed(body)?.number;
  return {
    kind,
    ...payrollTotals(body),
    ...(name !== undefined && { name }),
    ...(kind !== 'new' && of !== undefined && { of }),
    ...(netBefore !== undefined && { netBefore }),
  };
}

const CHANGES: Layout = [
  ['key', 15, 'code'],
  ['name', 34, 'long'],
  ['number', 12, 'code'],
  ['kind', 20, 'code'],
  ['field', 46, 'long'],
  ['before', 24, 'long'],
  ['after', 24, 'long'],
  ['netDifference', 18, 'amount'],
];

function leafCell(value: string | number | boolean | undefined, isAmount: boolean): CellValue {
  if (value === undefined) return undefined;
  const text = String(value);
  if (isAmount) return { value: text, as: 'amount' };
  return isPlainDate(text) ? { value: text, as: 'date' } : text;
}

function* changeRows(change: PlannedChange, { language }: ReportContext): Iterable<readonly CellValue[]> {
  const { kind, key, name, number, predecessor, fields, isForgotten } = change;
  const what = kindText(language, kind, { number: predecessor?.number ?? '?' });
  for (const { titles, before, after, difference, isAmount } of fields)
    yield [
      key,
      name,
      number,
      what,
      titles.join(' › '),
      isForgotten ? FORGOTTEN[language] : leafCell(before, isAmount),
      leafCell(after, isAmount),
      difference,
    ];
}

async function* noteRows(journal: Sql, run: string, context: ReportContext) {
  for await (const change of changes(journal, run, 'notes')) yield* changeRows(change, context);
}

const DIFFERENCES: Layout = [
  ['key', 15, 'code'],
  ['name', 34, 'long'],
  ['kind', 20, 'code'],
  ['netBefore', 20, 'amount'],
  ['net', 20, 'amount'],
  ['netDifference', 20, 'amount'],
];

const differenceRow = (
  { key, name, was, is }: MonthDifference,
  { language }: ReportContext,
): readonly CellValue[] => {
  const kind = is === undefined ? 'missing' : was === undefined ? 'fresh' : 'changed';
  return [key, name, kindText(language, kind), was, is, subtract(is ?? '0.00', was ?? '0.00')];
};

const OVERTIME: Layout = [
  ['key', 15, 'code'],
  ['name', 34, 'long'],
  ['day', 12, 'date'],
  ['start', 17, 'code'],
  ['end', 17, 'code'],
  ['hours', 10, 'amount'],
  ['hourKind', 40, 'long'],
  ['activity', 30, 'long'], // no document has it: the law asks for it, a person writes it
];

/** Lists of overtime of a document; the others are surcharges on hours of the working day. */
const OVERTIME_LISTS = ['HEDs', 'HENs', 'HEDDFs', 'HENDFs'] as const;

const MINUTES_OF_DAY = 1440;

/**
 * Yields the overtime of a document, a row per item. An item longer than a day has no date; its start and end show the
 * days.
 */
function* overtimeRows({ body: text }: Row): Iterable<readonly CellValue[]> {
  const body = parseCanonical(text);
  const kinds = requiredCatalogue('type_overtime_surcharges').rows;
  for (const list of OVERTIME_LISTS) {
    const items = valueAt(body, `/accrued/${list}`);
    for (const item of Array.isArray(items) ? items : []) {
      const { start_time: start = '', end_time: end = '', quantity } = item as Record<string, string>;
      const isOfDay = minutesBetween(start, end) <= MINUTES_OF_DAY;
      const moment = (at: string): string => (isOfDay ? at.slice(11, 16) : at.slice(0, 16).replace('T', ' '));
      yield [
        String(valueAt(body, '/worker/identification_number') ?? ''),
        nameOf(body),
        isOfDay ? start.slice(0, 10) : undefined,
        moment(start),
        moment(end),
        quantity,
        kinds.find((kind) => kind['json_array'] === list)?.['name'],
      ];
    }
  }
}

async function* overtimeOfRun(journal: Sql, run: string): AsyncIterable<readonly CellValue[]> {
  for await (const row of pages<Row>(journal, OF_RUN, run)) yield* overtimeRows(row);
}

/** Returns the sheets with the changes by notes, and the workers whose pay differs from the month before. */
const payrollSheets = (
  journal: Sql,
  run: string,
  context: ReportContext,
  testSet: string | undefined,
  register?: SheetRows['register'],
): readonly SheetRows[] => [
  // The register of overtime that CST art. 162 num. 2 requires.
  ...(register === 'overtime'
    ? [{ ...sheetOf('overtime', OVERTIME, overtimeOfRun(journal, run), context), register }]
    : []),
  { ...sheetOf('changes', CHANGES, noteRows(journal, run, context), context), optional: true, paper: true },
  {
    ...sheetOf(
      'differences',
      DIFFERENCES,
      mapRows(monthDifferences(journal, run, testSet, 'made'), (difference) =>
        differenceRow(difference, context),
      ),
      context,
    ),
    optional: true,
    paper: true,
  },
];

export const REPORT: ReportPart = {
  columns: (schemas) =>
    schemas.every((schema) => schema === 'payroll/payroll') ? PAYROLL_COLUMNS : NOTE_COLUMNS,
  about: payrollAbout,
  sheets: payrollSheets,
  months: { differences: monthDifferences, documents: monthDocuments },
};
