import type { Text } from '../generated/issue-codes.js';
import {
  ADVICE,
  CORRECTED_BY,
  COUNTS,
  COVER,
  DECIDED,
  DIFFERENCE,
  DIFFERENT,
  EARLIER,
  ENVIRONMENTS,
  FACTS,
  HEADINGS,
  LEVELS,
  NO_CELL,
  RECONCILED,
  type ReconciledParams,
  ROLES,
  SETTLED,
  SETTLED_UNASKED,
  SHEETS,
  STATES,
} from '../generated/texts-report.js';
import { add, type Decimal } from '../toolkit/core/decimal.js';
import { type Issue, type Language, type Place, paramOf, wordPlace } from '../toolkit/core/issue.js';
import type { Writable } from '../toolkit/core/json.js';
import { timeInBogota } from '../toolkit/core/plain-date.js';
import {
  dateInWords,
  filled,
  formatMoney,
  formatMonth,
  type PlainPhrase,
  translate,
  translatorOf,
} from '../toolkit/messages/texts.js';
import { type ExtraCodes, ruleFamily, word } from '../toolkit/messages/wording.js';
import {
  type ColumnAccount,
  countColumns,
  type Reconciled,
  type Settled,
} from '../toolkit/schema/document.js';
import { explainRule, type RuleExplanation } from '../toolkit/schema/rule-data.js';
import type { LinkTo } from './link.js';
import { TONE_OF, type Tone } from './palette.js';
import type {
  MonthChange,
  ReportCounts,
  ReportedDocument,
  ReportedState,
  ReportedTotals,
  Rows,
  RunFacts,
  SkippedRecord,
} from './run-report.js';

/** Formats how a total stated in the files compares with the documents. */
function reconciledText({ stated, computed, difference }: Reconciled, language: Language): string {
  const money = (amount: string): string => formatMoney(amount, language);
  if (Number(difference) === 0) return reconciled(language, 'agrees', { computed: money(computed) });
  const params = { stated: money(stated), computed: money(computed), difference: money(difference) };
  return reconciled(language, 'differs', params);
}
const reconciled = translatorOf<ReconciledParams>(RECONCILED);

/** Formats the user's decision on an unknown document. */
function settledText({ by, word, at, found }: Settled, language: Language): string {
  const settled = filled(SETTLED, language, { by: by || '—', at: momentText(at), word });
  return found === 'unasked' ? filled(SETTLED_UNASKED, language, { settled }) : settled;
}

/** Formats an instant in Bogotá time as `21/11/2026 10:30`; other texts stay. */
const momentText = (at: string): string =>
  Number.isNaN(Date.parse(at)) ? at : dateInWords(timeInBogota(new Date(at)));

export type CellValue =
  | string
  | number
  | undefined
  | { readonly text: string; readonly tone: Tone }
  | { readonly text: string; readonly link: string }
  /** Value of another kind than its column. */
  | { readonly value: string | number; readonly as: Kind | 'heading' };

/**
 * Kind of a column: `code` is an identifier or short text, `hash` a long one, `long` wraps, `count` is a
 * number, `amount` a decimal in pesos, `date` a day (`2026-10-31`) or minute (`2026-10-31 07:20`).
 */
type Kind = 'code' | 'hash' | 'long' | 'count' | 'amount' | 'date';

export interface Column {
  readonly heading: string;
  /** Width in characters, as Excel counts. */
  readonly width: number;
  readonly kind: Kind;
  /** True if the column is not printed. */
  readonly screen?: true;
}

export interface SheetRows {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: Rows<readonly CellValue[]>;
  /** True for the first page, which is not a list and has no filter. */
  readonly cover?: true;
  /** True if the sheet is omitted when it has no rows. */
  readonly optional?: true;
  /** True if the sheet is printed too. */
  readonly paper?: true;
  /** Register required by law, written as a separate kind of workbook. */
  readonly register?: 'overtime';
}

const SCREEN_ONLY: ReadonlySet<string> = new Set<Heading>([
  'message',
  'lookUp',
  'zipKey',
  'cufe',
  'eventNumber',
  'attempts',
  'where',
]);

export interface ReportContext {
  readonly language: Language;
  readonly linkTo: LinkTo;
  /** Wording of rules. */
  readonly extra?: ExtraCodes;
  /** Completes the commands in a text for this run. @default leaves them unchanged */
  readonly complete?: (text: string) => string;
}

type Heading = keyof typeof HEADINGS;
export type Layout = readonly (readonly [Heading, width: number, kind: Column['kind']])[];

/** Builds a sheet from its layout; the rows are streamed. */
export const sheetOf = (
  name: keyof typeof SHEETS,
  layout: Layout | DocumentLayout,
  rows: Rows<readonly CellValue[]>,
  { language }: ReportContext,
): SheetRows => ({
  name: SHEETS[name][language],
  columns: layout.map(([heading, width, kind]) => ({
    heading: HEADINGS[heading][language],
    width,
    kind,
    ...(SCREEN_ONLY.has(heading) && { screen: true }),
  })),
  rows,
});

/** Maps items to rows one by one; nothing is held. */
export async function* mapRows<T>(items: Rows<T>, row: (item: T) => readonly CellValue[]) {
  for await (const item of items) yield row(item);
}

export const stateCell = (
  state: ReportedState,
  { language }: ReportContext,
  tone: Tone = TONE_OF[state],
): CellValue => ({
  text: STATES[state][language],
  tone,
});

/**
 * Returns the cell of a place, linked if its file is known. `text` replaces its text; `nowhere` is used if
 * it is not in a file.
 */
export function placeCell(
  place: Place | undefined,
  { linkTo, language }: ReportContext,
  { text, nowhere }: { readonly text?: string; readonly nowhere?: keyof typeof NO_CELL } = {},
): CellValue {
  if (place === undefined || !isSomewhere(place)) return nowhere && NO_CELL[nowhere][language];
  const cellText = text ?? wordPlace(isOfList(place) ? place : withoutPointer(place), language);
  const link = linkTo(place);
  return link === undefined ? cellText : { text: cellText, link };
}

function isSomewhere(place: Place): boolean {
  for (const member in place) if (member !== 'pointer') return true;
  return false;
}

/** True for a row or a mapping, where the pointer adds information. */
const isOfList = ({ row, mapping }: Place): boolean => row !== undefined || mapping !== undefined;

const withoutPointer = ({ pointer: _, ...rest }: Place): Place => rest;

/** Returns the place of the document's record. Called for every document, so it avoids spreads. */
function recordOf({ file, sheet, row }: Place): Place {
  const record: Writable<Place> = {};
  if (file !== undefined) record.file = file;
  if (sheet !== undefined) record.sheet = sheet;
  if (row === undefined) return record;
  record.row = row;
  record.column = 'A';
  return record;
}

function messageOf(
  { issues, earlier, settled, correctedBy }: ReportedDocument,
  { language, extra }: ReportContext,
): string {
  const messages = issues.map((issue) => word(issue, language, extra).message);
  if (correctedBy !== undefined) messages.unshift(filled(CORRECTED_BY, language, { number: correctedBy }));
  if (settled) messages.unshift(settledText(settled, language));
  if (earlier) messages.unshift(EARLIER[language]);
  return messages.join('\n');
}

type CellOf = (document: ReportedDocument, context: ReportContext) => CellValue;

export const codeOf: CellOf = ({ documentCode }) => documentCode;
export const numberOf: CellOf = ({ number }) => number;

/** Cells of documents of any family. */
const CELLS: Readonly<Partial<Record<Heading, CellOf>>> = {
  key: ({ key }) => key,
  name: ({ name }) => name,
  number: numberOf,
  state: ({ state }, context) => stateCell(state, context),
  message: messageOf,
  code: codeOf,
  zipKey: ({ zipKey }) => zipKey,
  attempts: ({ attempts }) => attempts,
  where: ({ place }, context) => placeCell(place && recordOf(place), context, { nowhere: 'document' }),
};

/** Returns a cell of a document's further details. */
export const aboutOf =
  (name: string): CellOf =>
  ({ about }) =>
    about?.[name];

/** Columns of the documents of a family; a heading alone refers to a cell of all documents. */
export type DocumentLayout = readonly (readonly [
  heading: Heading,
  width: number,
  kind: Column['kind'],
  cell?: CellOf,
])[];

/** Columns for documents of any family. */
const PLAIN: DocumentLayout = [
  ['key', 26, 'long'],
  ['name', 32, 'long'],
  ['number', 16, 'code'],
  ['state', 15, 'code'],
  ['message', 52, 'long'],
  ['code', 44, 'hash'],
  ['zipKey', 22, 'hash'],
  ['attempts', 10, 'count'],
  ['where', 34, 'code'],
];

/** Returns the cells of a document in the order of the columns. */
export const documentRow = (
  document: ReportedDocument,
  context: ReportContext,
  layout: DocumentLayout = PLAIN,
): readonly CellValue[] => layout.map(([name, , , cell = CELLS[name]]) => cell?.(document, context));

const ERRORS: Layout = [
  ['where', 32, 'code'],
  ['label', 22, 'long'],
  ['found', 20, 'long'],
  ['message', 48, 'long'],
  ['fix', 48, 'long'],
  ['suggestions', 18, 'long'],
  ['level', 12, 'code'],
  ['key', 24, 'long'],
  ['rule', 10, 'long'],
  ['path', 36, 'long'],
  ['issueCode', 26, 'code'],
];
const RULES: Layout = [
  ['rule', 12, 'code'],
  ['ruleOf', 24, 'long'],
  ['field', 44, 'long'],
  ['message', 48, 'long'],
  ['fix', 48, 'long'],
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
  ['sum', 18, 'amount'],
  ['note', 60, 'long'],
];
const RUN: Layout = [
  ['what', 60, 'long'],
  ['value', 90, 'long'],
];

/** Content of the workbook. Lists are functions, since a sheet may read them again. */
export interface RunReport {
  readonly facts: RunFacts;
  readonly counts: ReportCounts;
  /** Columns of the sheet of documents. @default those for any family */
  readonly columns?: DocumentLayout;
  /** Totals of the documents by state. */
  readonly totals?: ReportedTotals;
  /** Comparison with the previous month, if the journal knows it. */
  readonly difference?: MonthChange;
  readonly sheets?: (context: ReportContext) => readonly SheetRows[];
  documents(): Rows<ReportedDocument>;
  /** Returns the issues of the data and of the outcomes. */
  issues(): Rows<Issue>;
  skipped(): Rows<SkippedRecord>;
}

/** Returns the cover: facts, documents and pesos by state, then the accounts of records and columns. */
export function summaryRows(report: RunReport, context: ReportContext): readonly (readonly CellValue[])[] {
  const { counts, facts, totals = {}, difference } = report;
  const { language } = context;
  const { records, documents, outcomes } = counts;
  const columns = counts.columns && countColumns(counts.columns);
  const names = amountNames(report);
  const cell = (value: string | number | undefined, as: Kind | 'heading'): CellValue =>
    value === undefined ? undefined : { value, as };
  const blanks = names.map(() => undefined);
  const fact = (name: keyof typeof COVER, value: string | undefined): readonly (readonly CellValue[])[] =>
    value === undefined ? [] : [[COVER[name][language], cell(value, 'code')]];
  const heading = (...texts: readonly string[]): readonly CellValue[] =>
    [...texts, ...Array<string>(names.length + 3 - texts.length).fill('')].map((text) =>
      cell(text, 'heading'),
    );
  const line = (what: Text, count: number, meaning?: Text): CellValue[] => [
    what[language],
    count,
    ...blanks,
    meaning?.[language],
  ];
  const pesos = (of: Readonly<Record<string, Decimal>> | undefined): CellValue[] =>
    names.map((name) => (of?.[name] === undefined || Number(of[name]) === 0 ? undefined : of[name]));
  const stateLine = (state: ReportedState, count: number): CellValue[] => [
    stateCell(state, context, count === 0 ? 'idle' : undefined),
    count,
    ...pesos(totals[state]),
    ADVICE[state][language],
  ];
  const all: Record<string, Decimal> = {};
  for (const of of Object.values(totals))
    for (const [name, amount] of Object.entries(of)) all[name] = add(all[name] ?? '0.00', amount);
  return [
    ...fact('company', facts.companyName ?? COVER.nameless[language]),
    ...fact('nit', facts.nit),
    ...fact('month', monthsText(facts, language)),
    ...fact('environment', facts.environment && ENVIRONMENTS[facts.environment][language]),
    ...fact('started', facts.started && momentText(facts.started)),
    ...fact('approval', facts.approval && personText(facts.approval.by, facts.approval.at)),
    [],
    heading(
      COVER.documents[language],
      COVER.count[language],
      ...names.map((name) => translate(language, name as PlainPhrase)),
      COVER.meaning[language],
    ),
    stateLine('accepted', outcomes.accepted),
    stateLine('rejected', outcomes.rejected),
    stateLine('pending', outcomes.pending),
    stateLine('unknown', outcomes.unknown),
    stateLine('unsent', outcomes.unsent),
    stateLine('held-back', documents.heldBack),
    [COUNTS.total[language], documents.planned, ...pesos(all), COUNTS.allMeaning[language]],
    ...(difference === undefined ? [] : [differenceLine(difference, names.length, language)]),
    [],
    heading(COVER.records[language], COVER.count[language], ...names.map(() => ''), COVER.meaning[language]),
    line(COUNTS.read, records.read, COUNTS.readMeaning),
    line(COUNTS.used, records.used),
    line(COUNTS.skipped, records.skipped, COUNTS.skippedMeaning),
    line(COUNTS.heldBack, records.heldBack),
    line(COUNTS.made, documents.made, COUNTS.madeMeaning),
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
}

export const monthsText = ({ months }: RunFacts, language: Language): string | undefined =>
  months?.map((month) => formatMonth(month, language)).join(', ');

const amountNames = ({ totals = {} }: RunReport): readonly string[] => [
  ...new Set(Object.values(totals).flatMap((of) => Object.keys(of))),
];

/** Returns the row of the month's difference; its amount is under the last total, which is the net pay. */
function differenceLine(
  { month, changed, fresh, missing, amount }: MonthChange,
  figures: number,
  language: Language,
): readonly CellValue[] {
  return [
    filled(DIFFERENCE, language, { month }),
    changed + fresh + missing,
    ...Array<CellValue>(Math.max(figures - 1, 0)).fill(undefined),
    ...(figures === 0 ? [] : [amount]),
    filled(DIFFERENT, language, { changed, fresh, missing }),
  ];
}

/** Formats `Ana Ruiz (21/11/2026 10:30)`. */
const personText = (who: string, at: string): string => `${who} (${momentText(at)})`;

function summarySheet(report: RunReport, context: ReportContext): SheetRows {
  const { language } = context;
  const widths: readonly (readonly [number, Kind])[] = [
    [34, 'code'],
    [14, 'count'],
    ...amountNames(report).map(() => [20, 'amount'] as const),
    [80, 'long'],
  ];
  const { documents, outcomes } = report.counts;
  const about = { accepted: outcomes.accepted, planned: documents.planned };
  const month = monthsText(report.facts, language);
  const title =
    month === undefined || month === ''
      ? filled(COVER.title, language, about)
      : filled(COVER.monthTitle, language, { ...about, month });
  return {
    name: SHEETS.summary[language],
    columns: widths.map(([width, kind], at) => ({ heading: at === 0 ? title : '', width, kind })),
    rows: summaryRows(report, context),
    cover: true,
    paper: true,
  };
}

const textOf = (param: string | number | undefined): string | undefined =>
  param === undefined || param === '' ? undefined : String(param);

/** Collects the rules that a report names, in the order of the sheet that explains them. */
class NamedRules {
  private readonly known = new Map<string, { readonly at: number; readonly explained: RuleExplanation }>();

  constructor(private readonly language: Language) {}

  /** Returns the cell of a rule, linked to its explanation if there is one. */
  cell(id: string): CellValue {
    let row = this.known.get(id);
    if (row === undefined) {
      const explained = explainRule(id);
      if (explained === undefined) return id;
      row = { at: this.known.size + FIRST_ROW, explained };
      this.known.set(id, row);
    }
    return { text: id, link: `#'${SHEETS.rules[this.language]}'!A${row.at}` };
  }

  *rows(): Iterable<readonly CellValue[]> {
    const { language } = this;
    for (const [id, { explained }] of this.known) {
      const { family, field, meaning, fix } = explained;
      yield [id, family && ruleFamily(family, language), field, meaning[language], fix[language]];
    }
  }
}

/** First row below the header of a sheet. */
const FIRST_ROW = 2;

export function issueRow(issue: Issue, context: ReportContext, rules?: NamedRules): readonly CellValue[] {
  const worded = word(issue, context.language, context.extra);
  const rule = textOf(paramOf(issue, 'rule'));
  return [
    placeCell(issue.place, context, { nowhere: issue.documentKey === undefined ? 'run' : 'whole' }),
    issue.place.label,
    // A parameter's value is formatted; a cell's stays as it is.
    issue.place.param === undefined ? issue.value : issue.value && dateInWords(issue.value),
    worded.message,
    context.complete?.(worded.fix) ?? worded.fix,
    issue.suggestions?.map(({ value }) => value).join('\n'),
    { text: LEVELS[issue.level][context.language], tone: issue.level === 'error' ? 'bad' : 'waiting' },
    issue.documentKey,
    // Name of the rule in the authority's manuals.
    rule === undefined ? undefined : (rules?.cell(rule) ?? rule),
    // The authority's own path is what users forward.
    textOf(paramOf(issue, 'path')) ?? issue.place.pointer,
    issue.code,
  ];
}

export const skippedRow = ({ place, note }: SkippedRecord, context: ReportContext): readonly CellValue[] => [
  placeCell(place, context),
  note,
];

/** Lists the columns, unread and declined ones first. */
const columnRows = (
  columns: readonly ColumnAccount[],
  context: ReportContext,
): readonly (readonly CellValue[])[] =>
  (['unread', 'declined', 'control', 'used'] as const)
    .flatMap((role) => columns.filter((column) => column.role === role))
    .map(({ place, role, cells, sum, total, reason }) => [
      placeCell(place, context),
      place.label,
      role === 'unread'
        ? { text: ROLES[role][context.language], tone: 'bad' }
        : ROLES[role][context.language],
      cells,
      sum === undefined ? undefined : Number(sum),
      total === undefined
        ? (reason ?? (role === 'declined' ? DECIDED[context.language] : undefined))
        : reconciledText(total, context.language),
    ]);

const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const MOMENTS = ['started', 'ended'] as const;
const PLAIN_FACTS = ['digest', 'mapping', 'rejectedNumbers', 'numberGaps'] as const;

export function runRows(
  { facts }: RunReport,
  { language }: ReportContext,
): readonly (readonly CellValue[])[] {
  const named = (title: Text, values: Readonly<Record<string, unknown>>): CellValue[][] =>
    Object.entries(values).map(([name, value]) => [`${title[language]}: ${name}`, textOfValue(value)]);
  const fact = (name: keyof typeof FACTS, value: string | undefined): CellValue[][] =>
    value === undefined ? [] : [[FACTS[name][language], value]];
  const withTitles = (params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => {
        const title = facts.titles?.[name]?.[language];
        return [title === undefined ? name : `${title} (${name})`, value];
      }),
    );
  const { approval, abandonment } = facts;
  return [
    ...fact('run', facts.run),
    ...fact('company', facts.company),
    ...fact('url', facts.url),
    ...fact('testSet', facts.testSet),
    ...MOMENTS.flatMap((name) => fact(name, facts[name] && momentText(facts[name]))),
    ...fact('by', facts.by),
    ...fact('approval', approval && personText(approval.by, approval.at)),
    ...fact('abandonment', abandonment && personText(abandonment.reason, abandonment.at)),
    ...PLAIN_FACTS.flatMap((name) => fact(name, facts[name])),
    ...facts.inputs.map((input): CellValue[] => [
      `${FACTS.input[language]}: ${input.file}`,
      `SHA-256 ${input.sha256}`,
    ]),
    ...named(FACTS.version, facts.versions),
    ...fact('law', facts.law?.sha256),
    ...(facts.law?.sources ?? []).map(({ source, sha256, tables }): CellValue[] => [
      `${FACTS.lawSource[language]}: ${source}`,
      `${tables.join(', ')}; SHA-256 ${sha256}`,
    ]),
    ...named(FACTS.param, withTitles(facts.params)),
    ...named(FACTS.default, withTitles(facts.defaults)),
  ];
}

/** Returns the sheets in order; rows are streamed. */
export function sheetsOf(report: RunReport, context: ReportContext): readonly SheetRows[] {
  const { columns = PLAIN } = report;
  const rules = new NamedRules(context.language);
  return [
    summarySheet(report, context),
    {
      ...sheetOf(
        'documents',
        columns,
        mapRows(report.documents(), (item) => documentRow(item, context, columns)),
        context,
      ),
      paper: true,
    },
    ...(report.sheets?.(context) ?? []),
    sheetOf(
      'errors',
      ERRORS,
      mapRows(report.issues(), (issue) => issueRow(issue, context, rules)),
      context,
    ),
    // Written after the errors, which collect the rules.
    { ...sheetOf('rules', RULES, rules.rows(), context), optional: true },
    sheetOf(
      'skipped',
      SKIPPED,
      mapRows(report.skipped(), (item) => skippedRow(item, context)),
      context,
    ),
    ...(report.counts.columns === undefined
      ? []
      : [sheetOf('columns', COLUMNS, columnRows(report.counts.columns, context), context)]),
    sheetOf('run', RUN, runRows(report, context), context),
  ];
}
