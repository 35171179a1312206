import type { Text } from '../issues/codes.js';
import { formatPlace, type Issue, type Language, type Place } from '../issues/issue.js';
import { type ExtraCodes, word } from '../issues/wording.js';
import type { LinkTo } from './link.js';
import type { ReportedDocument, ReportedState, Rows, RunReport, SkippedRecord } from './run-report.js';
import { ADVICE, COUNTS, EARLIER, FACTS, HEADINGS, LEVELS, SHEETS, STATES } from './texts.js';

/** What a colour says. */
export type Tone = 'good' | 'bad' | 'waiting' | 'doubt' | 'idle';

export type CellValue =
  | string
  | number
  | undefined
  | { readonly text: string; readonly tone: Tone }
  | { readonly text: string; readonly link: string };

/** `code` is an identifier or any other short text, `hash` one too long to show, `long` text wraps, `count` is a number. */
export interface Column {
  readonly heading: string;
  /** In characters, as Excel counts. */
  readonly width: number;
  readonly kind: 'code' | 'hash' | 'long' | 'count';
}

export interface SheetRows {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: Rows<readonly CellValue[]>;
}

/** How to say things and where links lead. */
export interface Saying {
  readonly language: Language;
  readonly linkTo: LinkTo;
  /** Wording of rules. */
  readonly extra?: ExtraCodes;
}

type Heading = keyof typeof HEADINGS;
type Layout = readonly (readonly [Heading, width: number, kind: Column['kind']])[];

const SUMMARY: Layout = [
  ['what', 26, 'code'],
  ['count', 11, 'count'],
  ['meaning', 78, 'long'],
];
const DOCUMENTS: Layout = [
  ['key', 15, 'code'],
  ['name', 32, 'long'],
  ['number', 12, 'code'],
  ['state', 15, 'code'],
  ['message', 44, 'long'],
  ['code', 30, 'hash'],
  ['zipKey', 22, 'hash'],
  ['attempts', 10, 'count'],
  ['where', 18, 'code'],
];
const ERRORS: Layout = [
  ['where', 20, 'code'],
  ['label', 22, 'code'],
  ['found', 20, 'code'],
  ['message', 52, 'long'],
  ['fix', 52, 'long'],
  ['suggestions', 24, 'long'],
  ['level', 12, 'code'],
  ['key', 15, 'code'],
  ['rule', 26, 'code'],
];
const SKIPPED: Layout = [
  ['where', 24, 'code'],
  ['note', 70, 'long'],
];
const RUN: Layout = [
  ['what', 40, 'code'],
  ['value', 90, 'long'],
];

const TONES: Readonly<Record<ReportedState, Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  'held-back': 'bad',
  pending: 'waiting',
  unknown: 'doubt',
  unsent: 'idle',
};

async function* mapRows<T>(items: Rows<T>, row: (item: T) => readonly CellValue[]) {
  for await (const item of items) yield row(item);
}

const placeCell = (place: Place | undefined, saying: Saying): CellValue => {
  if (place === undefined) return undefined;
  const text = formatPlace(place);
  const link = saying.linkTo(place);
  return link === undefined ? text : { text, link };
};

export const summaryRows = (
  { counts }: RunReport,
  { language }: Saying,
): readonly (readonly CellValue[])[] => {
  const { records, documents, outcomes } = counts;
  const line = (what: Text, count: number, meaning?: Text): CellValue[] => [
    what[language],
    count,
    meaning?.[language],
  ];
  const stateLine = (state: ReportedState, count: number): CellValue[] => [
    { text: STATES[state][language], tone: count === 0 ? 'idle' : TONES[state] },
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
    line(COUNTS.errors, counts.errors),
    line(COUNTS.warnings, counts.warnings),
  ];
};

/** A document comes from a record, whichever of its cells is known. */
const recordOf = ({ file, sheet, row }: Place): Place => ({
  ...(file !== undefined && { file }),
  ...(sheet !== undefined && { sheet }),
  ...(row !== undefined && { row, column: 'A' }),
});

export function documentRow(document: ReportedDocument, saying: Saying): readonly CellValue[] {
  const { language, extra } = saying;
  const messages = document.issues.map((issue) => word(issue, language, extra).message);
  if (document.earlier) messages.unshift(EARLIER[language]);
  return [
    document.key,
    document.name,
    document.number,
    { text: STATES[document.state][language], tone: TONES[document.state] },
    messages.join('\n'),
    document.documentCode,
    document.zipKey,
    document.attempts,
    placeCell(document.place && recordOf(document.place), saying),
  ];
}

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
    // The authority's own name of the rule beside ours: it is what its manuals list.
    [issue.code, issue.params['rule']].filter(Boolean).join(' · '),
  ];
}

export const skippedRow = ({ place, note }: SkippedRecord, saying: Saying): readonly CellValue[] => [
  placeCell(place, saying),
  note,
];

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function runRows({ facts }: RunReport, { language }: Saying): readonly (readonly CellValue[])[] {
  const named = (title: Text, values: Readonly<Record<string, unknown>>): CellValue[][] =>
    Object.entries(values).map(([name, value]) => [`${title[language]}: ${name}`, shown(value)]);
  const plain = (['run', 'company', 'url', 'testSet', 'started', 'ended', 'mapping'] as const)
    .filter((name) => facts[name] !== undefined)
    .map((name): CellValue[] => [FACTS[name][language], facts[name]]);
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
  const { language } = saying;
  const sheet = (name: keyof typeof SHEETS, layout: Layout, rows: Rows<readonly CellValue[]>): SheetRows => ({
    name: SHEETS[name][language],
    columns: layout.map(([heading, width, kind]) => ({ heading: HEADINGS[heading][language], width, kind })),
    rows,
  });
  return [
    sheet('summary', SUMMARY, summaryRows(report, saying)),
    sheet(
      'documents',
      DOCUMENTS,
      mapRows(report.documents(), (item) => documentRow(item, saying)),
    ),
    sheet(
      'errors',
      ERRORS,
      mapRows(report.issues(), (issue) => issueRow(issue, saying)),
    ),
    sheet(
      'skipped',
      SKIPPED,
      mapRows(report.skipped(), (item) => skippedRow(item, saying)),
    ),
    sheet('run', RUN, runRows(report, saying)),
  ];
}
