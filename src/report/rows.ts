import { type ColumnAccount, countColumns } from '../document/accounting.js';
import type { Text } from '../issues/codes.js';
import type { Issue } from '../issues/issue.js';
import { word } from '../issues/wording.js';
import { careSheets } from './care-rows.js';
import { documentLayout, documentRow } from './document-rows.js';
import type { ReportedState, RunReport, SkippedRecord } from './run-report.js';
import {
  type CellValue,
  type Layout,
  mapRows,
  placeCell,
  type Saying,
  type SheetRows,
  sheetOf,
  stateCell,
} from './sheet.js';
import { ADVICE, COUNTS, DECIDED, FACTS, LEVELS, ROLES, reconciledText } from './texts.js';

const SUMMARY: Layout = [
  ['what', 26, 'code'],
  ['count', 11, 'count'],
  ['meaning', 78, 'long'],
];
const ERRORS: Layout = [
  ['where', 32, 'code'],
  ['label', 22, 'long'],
  ['found', 20, 'code'],
  ['message', 48, 'long'],
  ['fix', 48, 'long'],
  ['suggestions', 18, 'long'],
  ['level', 12, 'code'],
  ['key', 24, 'long'],
  ['rule', 10, 'long'],
  ['path', 36, 'long'],
  ['issueCode', 26, 'code'],
];
const SKIPPED: Layout = [
  ['where', 32, 'code'],
  ['note', 70, 'long'],
];
const COLUMNS: Layout = [
  ['where', 32, 'code'],
  ['label', 32, 'long'],
  ['role', 14, 'code'],
  ['cells', 11, 'count'],
  ['sum', 18, 'count'],
  ['note', 60, 'long'],
];
const RUN: Layout = [
  ['what', 40, 'code'],
  ['value', 90, 'long'],
];

export const summaryRows = ({ counts }: RunReport, saying: Saying): readonly (readonly CellValue[])[] => {
  const { language } = saying;
  const { records, documents, outcomes } = counts;
  const columns = counts.columns && countColumns(counts.columns);
  const line = (what: Text, count: number, meaning?: Text): CellValue[] => [
    what[language],
    count,
    meaning?.[language],
  ];
  const stateLine = (state: ReportedState, count: number): CellValue[] => [
    stateCell(state, saying, count === 0 ? 'idle' : undefined),
    count,
    ADVICE[state][language],
  ];
  return [
    line(COUNTS.read, records.read, COUNTS.readMeaning),
    line(COUNTS.used, records.used),
    line(COUNTS.skipped, records.skipped, COUNTS.skippedMeaning),
    line(COUNTS.heldBack, records.heldBack),
    line(COUNTS.planned, documents.planned, COUNTS.plannedMeaning),
    line(COUNTS.made, documents.made, COUNTS.madeMeaning),
    stateLine('held-back', documents.heldBack),
    stateLine('accepted', outcomes.accepted),
    stateLine('rejected', outcomes.rejected),
    stateLine('pending', outcomes.pending),
    stateLine('unknown', outcomes.unknown),
    stateLine('unsent', outcomes.unsent),
    ...(columns === undefined
      ? []
      : [
          line(COUNTS.columnsFilled, columns.filled, COUNTS.columnsMeaning),
          line(COUNTS.columnsUsed, columns.used),
          line(COUNTS.columnsControl, columns.control),
          line(COUNTS.columnsDeclined, columns.declined),
          ...(columns.unread === 0 ? [] : [line(COUNTS.columnsUnread, columns.unread)]),
        ]),
    line(COUNTS.errors, counts.errors),
    line(COUNTS.warnings, counts.warnings),
  ];
};

const textOf = (param: string | number | undefined): string | undefined =>
  param === undefined || param === '' ? undefined : String(param);

export function issueRow(issue: Issue, saying: Saying): readonly CellValue[] {
  const worded = word(issue, saying.language, saying.extra);
  return [
    placeCell(issue.place, saying),
    issue.place.label,
    issue.value,
    worded.message,
    worded.fix,
    issue.suggestions?.map(({ value }) => value).join('\n'),
    { text: LEVELS[issue.level][saying.language], tone: issue.level === 'error' ? 'bad' : 'waiting' },
    issue.documentKey,
    // The authority's own name of the rule: it is what its manuals list.
    textOf(issue.params['rule']),
    // Where the authority names the place in its own form, that is what people forward.
    textOf(issue.params['path']) ?? issue.place.pointer,
    issue.code,
  ];
}

export const skippedRow = ({ place, note }: SkippedRecord, saying: Saying): readonly CellValue[] => [
  placeCell(place, saying),
  note,
];

/** What is left aside first: it is what people look for here. */
const columnRows = (columns: readonly ColumnAccount[], saying: Saying): readonly (readonly CellValue[])[] =>
  (['unread', 'declined', 'control', 'used'] as const)
    .flatMap((role) => columns.filter((one) => one.role === role))
    .map(({ place, role, cells, sum, total, reason }) => [
      placeCell(place, saying),
      place.label,
      role === 'unread' ? { text: ROLES[role][saying.language], tone: 'bad' } : ROLES[role][saying.language],
      cells,
      sum === undefined ? undefined : Number(sum),
      total === undefined
        ? (reason ?? (role === 'declined' ? DECIDED[saying.language] : undefined))
        : reconciledText(total, saying.language),
    ]);

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const PLAIN_FACTS = [
  'run',
  'company',
  'url',
  'testSet',
  'started',
  'ended',
  'digest',
  'approval',
  'abandonment',
  'mapping',
  'rejectedNumbers',
  'numberGaps',
] as const;

export function runRows({ facts }: RunReport, { language }: Saying): readonly (readonly CellValue[])[] {
  const named = (title: Text, values: Readonly<Record<string, unknown>>): CellValue[][] =>
    Object.entries(values).map(([name, value]) => [`${title[language]}: ${name}`, shown(value)]);
  const plain = PLAIN_FACTS.filter((name) => facts[name] !== undefined).map((name): CellValue[] => [
    FACTS[name][language],
    facts[name],
  ]);
  return [
    ...plain,
    ...facts.inputs.map((input): CellValue[] => [
      `${FACTS.input[language]}: ${input.file}`,
      `SHA-256 ${input.sha256}`,
    ]),
    ...named(FACTS.version, facts.versions),
    ...named(FACTS.param, facts.params),
    ...named(FACTS.default, facts.defaults),
  ];
}

/** The sheets in their order; rows come as they are read, nothing is held. */
export function sheetsOf(report: RunReport, saying: Saying): readonly SheetRows[] {
  const { family = 'other' } = report;
  return [
    sheetOf('summary', SUMMARY, summaryRows(report, saying), saying),
    sheetOf(
      'documents',
      documentLayout(family),
      mapRows(report.documents(), (item) => documentRow(item, saying, family)),
      saying,
    ),
    ...(report.care === undefined ? [] : careSheets(report.care, saying)),
    sheetOf(
      'errors',
      ERRORS,
      mapRows(report.issues(), (issue) => issueRow(issue, saying)),
      saying,
    ),
    sheetOf(
      'skipped',
      SKIPPED,
      mapRows(report.skipped(), (item) => skippedRow(item, saying)),
      saying,
    ),
    ...(report.counts.columns === undefined
      ? []
      : [sheetOf('columns', COLUMNS, columnRows(report.counts.columns, saying), saying)]),
    sheetOf('run', RUN, runRows(report, saying), saying),
  ];
}
