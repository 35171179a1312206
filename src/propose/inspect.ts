import { createHash } from 'node:crypto';
import type { Scalar } from 'yaml';
import { type Issue, type Language, refuse } from '../core/issue.js';
import { isObject, type JsonValue } from '../core/json.js';
import { columnLetter, fold } from '../core/text.js';
import { yaml } from '../core/yaml.js';
import { HEADER_WITHIN, hasName, locate, withInputs } from '../documents/locate.js';
import type { Derive } from '../documents/run.js';
import { NOTES, type NotesParams } from '../generated/texts-proposal.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type CompiledParam, NO_PARAMS, type ParamType, resolveParams, typeOf } from '../mapping/params.js';
import type { Field } from '../mapping/plan.js';
import { type CompiledColumn, type CompiledTable, isFlat } from '../mapping/record.js';
import { openChoices } from '../mapping/synonyms.js';
import type { YamlPath } from '../mapping/yaml-source.js';
import { NO_TEXT, sayer } from '../messages/texts.js';
import { hasTrait, noteInWords } from '../messages/wording.js';
import { isRequired, resolveNode } from '../schema/registry.js';
import { IGNORE, letteredLabel } from '../tables/header.js';
import type { InputFile, Row } from '../tables/table.js';
import { codesOrIds, type LostZeros, lostZeros, zerosSettings } from './codes.js';
import { hasAmounts } from './content.js';
import {
  datesQuestion,
  EACH_RUN,
  fillDownQuestions,
  formatQuestions,
  groupingQuestion,
  headerQuestion,
  layoutQuestion,
  nameOrderQuestion,
  type Placed,
  paramQuestion,
  paramValue,
  placeSheets,
  signQuestion,
  type UnknownWord,
  unknownWords,
  unreadQuestion,
  wordQuestion,
} from './decisions.js';
import { withEffects, withJointEffects, withWordEffects } from './effects.js';
import {
  clearFit,
  decidedColumns,
  type Fit,
  fitMapping,
  flatColumns,
  isLikely,
  rankFits,
  unmetNeeds,
} from './fit.js';
import { joinTables, type Setting } from './joins.js';
import {
  type HeadedSheet,
  isFound,
  isRepeated,
  isSameHeader,
  type LabelFit,
  type TableFit,
} from './labels.js';
import { Answering, type Answers, asked, type Question, tell } from './question.js';
import { answeredLabels, meantIn, titleOf } from './questions.js';
import { outlineOf, type ReadyMapping } from './ready.js';
import {
  asTitles,
  hasHeads,
  headerRow,
  LateRows,
  readSheets,
  type Sheet,
  sheetPattern,
  titlesAmong,
  vocabularyOf,
  withLate,
} from './sheets.js';
import {
  compileTrial,
  type FormatFound,
  NO_PINS,
  type ProposalSource,
  pinned,
  proposalTree,
  type Trial,
  type Tried,
  tryOut,
  UnknownTotals,
  undecidedNode,
} from './trial.js';
import { fullId, usesOf } from './uses.js';
import { isOfPlaces, widerRecords } from './wide-records.js';

/** Something that every document needs and no label gives. */
export interface MissingNeed {
  readonly pointer: string;
  /** A column that would give it. */
  readonly column: string;
  readonly title: string;
  /** The parameter that can stand in. */
  readonly param?: string;
}

/** A parameter that a run must give. */
interface ParamNeeded extends ParamType {
  readonly name: string;
  readonly about: { readonly es: string; readonly en: string };
  /** Places of the document that need it, when it only stands in for a column. */
  readonly standsIn: boolean;
}

export function missingNeeds(needs: readonly Field[], { mapping }: Fit): readonly MissingNeed[] {
  const ofParams = new Set(
    [...mapping.tables.values()].filter(({ spec }) => spec.param !== undefined).map(({ slot }) => slot),
  );
  return needs.flatMap(({ pointer, alternatives, param }): MissingNeed[] => {
    // A table that is a parameter is no matter of the files; that it is given is asked of parameters.
    if (alternatives.some((set) => set.some(({ slot }) => ofParams.has(slot)))) return [];
    const column = alternatives.flat()[0];
    if (column === undefined) return [];
    const withDefault = param !== undefined && mapping.params.get(param)?.spec.default !== undefined;
    if (withDefault) return [];
    return [
      {
        pointer,
        column: fullId(mapping, column),
        title: titleOf(column),
        ...(param !== undefined && { param }),
      },
    ];
  });
}

const isOpen = ({ spec, formula }: CompiledParam): boolean =>
  spec.default === undefined && formula === undefined;

/** Whether nothing of the file brings a value up, and yet the document must have it: the only leaf of what is required. */
function isAlone(
  { target }: LoadedMapping,
  keys: readonly string[],
  beside: readonly CompiledColumn[],
  instead: readonly CompiledColumn[],
): boolean {
  const above = keys.slice(0, -1).flatMap((key, at) => (key === '*' ? [] : [{ key, at }]));
  return (
    beside.every((column) => instead.includes(column)) &&
    above.every(({ key, at }) => {
      const parent = resolveNode(target, keys.slice(0, at));
      return parent !== undefined && isRequired(parent, key);
    })
  );
}

/** Whether a column is of a table that the run gives, and the files have what joins it. */
function isGiven(
  { slot }: CompiledColumn,
  { tables, mains }: LoadedMapping,
  present: ReadonlySet<CompiledColumn>,
): boolean {
  const { join } =
    [...tables.values()].find((one) => one.slot === slot && one.spec.param !== undefined) ?? {};
  const there = (id: string): boolean =>
    mains.some(({ columns }) => columns.get(id)?.feeders.some((column) => present.has(column)));
  return join?.every === false && join.keys.some(({ theirs }) => theirs.every(there));
}

/** Parameters without default that the documents of these files cannot do without. */
function neededParams(
  { mapping, uses }: Fit,
  present: ReadonlySet<CompiledColumn>,
  given: Readonly<Record<string, unknown>>,
): readonly ParamNeeded[] {
  const needed = new Map<string, boolean>();
  for (const { name, spec, formula } of mapping.params.values())
    if (isOpen({ name, spec, type: 'text', ...(formula && { formula }) }) && !spec.optional)
      needed.set(name, false);
  const met = new Set(
    mapping.targets.flatMap(({ fields }) =>
      fields
        .filter(
          ({ needed, alternatives }) =>
            needed && alternatives.some((set) => set.every((column) => present.has(column))),
        )
        .map(({ param }) => param ?? ''),
    ),
  );
  for (const { param, keys, beside, instead } of uses.params) {
    const compiled = mapping.params.get(param);
    if (compiled === undefined || !isOpen(compiled) || needed.has(param) || met.has(param)) continue;
    if (instead.some((column) => present.has(column) || isGiven(column, mapping, present))) continue;
    const parent = resolveNode(mapping.target, keys.slice(0, -1));
    const live = beside.some((column) => present.has(column)) || isAlone(mapping, keys, beside, instead);
    if (parent !== undefined && isRequired(parent, keys.at(-1)!) && live) needed.set(param, true);
  }
  return [...needed]
    .filter(([name]) => given[name] === undefined)
    .map(([name, standsIn]) => {
      const { spec } = mapping.params.get(name)!;
      return {
        name,
        ...typeOf(spec),
        about: spec.about ?? NO_TEXT,
        standsIn,
      };
    });
}

export interface InspectOptions {
  readonly files: readonly string[];
  readonly ready: readonly ReadyMapping[];
  readonly answers: Answers;
  readonly language: Language;
  /** Name of the mapping that is proposed. */
  readonly name: string;
  /** Parameters that a run would give. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** What documents of a schema derive, so that what is said of them is what a check says. */
  readonly derive?: Derive;
  /** Of the same files and mappings, from the answers before. */
  readonly survey?: Survey;
}

/** Everything that was found out about the files. */
export interface Inspection {
  readonly sheets: readonly HeadedSheet[];
  /** Ready-made mappings, the best first. */
  readonly ranked: readonly Fit[];
  /** The one chosen, with sheets as answered; undefined while the layout is open. */
  readonly fit: Fit | undefined;
  readonly labels: readonly LabelFit[];
  readonly formats: readonly FormatFound[];
  readonly zeros: readonly LostZeros[];
  readonly words: readonly UnknownWord[];
  readonly missing: readonly MissingNeed[];
  readonly params: readonly ParamNeeded[];
  /** What came of reading the files to their end with what is decided. */
  readonly trial: Tried | undefined;
  readonly open: readonly Question[];
  /** The same as they are asked: columns that look irrelevant in one go. */
  readonly questions: readonly Question[];
  /** Questions of which every answer is to be shown. */
  readonly shown: readonly Question[];
  /** Answers that are no part of the mapping, such as an unknown word left alone: kept as comments. */
  readonly kept: ReadonlyMap<string, string>;
  /** The mapping to write. */
  readonly tree: Readonly<Record<string, JsonValue>>;
}

/** What files look like by their beginning: ready-made mappings, the best first. */
interface Surveyed {
  readonly sheets: readonly HeadedSheet[];
  readonly ranked: readonly Fit[];
}

/** Rows that a person says are headers, by place. */
type SaidHeaders = readonly (number | undefined)[];

function surveyOf(
  all: readonly Sheet[],
  ready: readonly ReadyMapping[],
  said: SaidHeaders,
  among: Among,
): Surveyed {
  const vocabulary = vocabularyOf(ready.map(outlineOf));
  const sheets = all.map((sheet, at) => ({ sheet, header: headerRow(sheet, vocabulary, said[at]) }));
  const fitted = ({ name, mapping }: ReadyMapping): Fit => fitMapping(name, mapping, sheets);
  const closest = new Map(among(sheets, ready).map((one) => [one, fitted(one)]));
  const rest = [...closest.values()].some(isLikely) ? unfitted : fitted;
  return { sheets, ranked: rankFits(ready.map((one) => closest.get(one) ?? rest(one))) };
}

/** A mapping of another kind: it reads none of the sheets, and is not compiled for that. */
const unfitted = (ready: ReadyMapping): Fit => ({
  ...readsNothing(ready),
  get mapping() {
    return ready.mapping;
  },
  get uses() {
    return usesOf(ready.mapping);
  },
  get unmet() {
    return unmetNeeds(ready.mapping, new Set());
  },
});

const readsNothing = (ready: ReadyMapping) => ({
  name: ready.name,
  description: outlineOf(ready).description,
  spare: outlineOf(ready).tables,
  tables: [],
  open: [],
  unused: [],
  labels: [],
  score: 0,
});

/** So many of all labels, or of those that the best mapping knows, tell of what kind a file is. */
const PLAINLY = 0.5;

/** Which of the ready-made mappings are looked at closely. */
type Among = (sheets: readonly HeadedSheet[], ready: readonly ReadyMapping[]) => readonly ReadyMapping[];

const isHeaded = (sheets: readonly HeadedSheet[]): boolean =>
  sheets.every(({ sheet, header }) => header !== undefined && sheet.source.json !== true);

const titlesOn = (sheets: readonly HeadedSheet[]): readonly string[] =>
  asTitles(sheets.flatMap(({ header }) => header?.labels.flatMap((label) => label ?? []) ?? []));

/** The mappings that are worth a closer look: hardly a label of a payroll is a title of any clinic's. */
const ofTheKind: Among = (sheets, ready) => {
  const labels = titlesOn(sheets);
  const possible = ready.filter((one) => outlineOf(one).sheets <= sheets.length);
  const known = possible.map((one) => ({ one, count: titlesAmong(labels, outlineOf(one)) }));
  const most = Math.max(0, ...known.map(({ count }) => count));
  const least = isHeaded(sheets) && most >= labels.length * PLAINLY ? most * PLAINLY : 0;
  return known.filter(({ count }) => count >= least).map(({ one }) => one);
};

/**
 * Those of them that can be meant: where a mapping has a title for every label, and its header is there, no other is whose header
 * is not.
 */
const thatCanBeMeant: Among = (sheets, ready) => {
  const near = ofTheKind(sheets, ready);
  const labels = titlesOn(sheets);
  const there = new Set(labels);
  const headed = near.filter((one) => hasHeads(there, outlineOf(one)));
  const isWhole = (one: ReadyMapping): boolean => titlesAmong(labels, outlineOf(one)) === labels.length;
  if (!isHeaded(sheets) || labels.length === 0 || !headed.some(isWhole)) return near;
  return sheets.length === 1 ? simplest(headed) : headed;
};

/** Of those that know a sheet by the same columns the ones of fewest tables: what the others have besides is not there. */
function simplest(ready: readonly ReadyMapping[]): readonly ReadyMapping[] {
  const least = new Map<string, number>();
  const head = (one: ReadyMapping): string => JSON.stringify(outlineOf(one).heads);
  for (const one of ready)
    least.set(head(one), Math.min(outlineOf(one).tables, least.get(head(one)) ?? Number.POSITIVE_INFINITY));
  return ready.filter((one) => outlineOf(one).tables === least.get(head(one)));
}

/** Reads the beginning of every sheet and ranks the ready-made mappings that can be meant. */
export const survey = async (
  inputs: readonly InputFile[],
  ready: readonly ReadyMapping[],
): Promise<Surveyed> => surveyOf(await readSheets(inputs), ready, [], thatCanBeMeant);

/** Names of the parameters that a mapping needs for these files: in any case, or in place of columns that they lack. */
export async function paramsNeeded(
  inputs: readonly InputFile[],
  mapping: LoadedMapping,
  given: Readonly<Record<string, unknown>>,
): Promise<ReadonlySet<string>> {
  const { ranked } = await survey(inputs, [{ name: mapping.name, mapping }]);
  const [fit] = ranked;
  if (fit === undefined) return new Set();
  const params = resolveParams(mapping.params, given).value ?? NO_PARAMS;
  // What a mapping's own answers read is there, however unlikely the label.
  const { present: read } = await locate(mapping, inputs, params);
  const present = new Set([...read, ...decidedColumns(fit.labels), ...flatColumns(fit.tables)]);
  return new Set(neededParams(fit, present, given).map(({ name }) => name));
}

/** Files that are inspected again with each answer: their beginning is looked at once for each place of their headers. */
export class Survey {
  private sheets: readonly Sheet[] | undefined;
  private latest: { readonly said: string; readonly found: Surveyed } | undefined;

  constructor(
    private readonly files: readonly string[],
    private readonly ready: readonly ReadyMapping[],
  ) {}

  async under(saidHeader: (sheet: Sheet) => number | undefined): Promise<Surveyed> {
    const sheets = this.sheets ?? (await withInputs(this.files, readSheets));
    this.sheets = sheets;
    const headers = sheets.map(saidHeader);
    const said = headers.join();
    const found =
      this.latest?.said === said ? this.latest.found : surveyOf(sheets, this.ready, headers, ofTheKind);
    this.latest = { said, found };
    return found;
  }

  /** Rows further down are looked at as well. */
  take(late: ReadonlyMap<Sheet, readonly Row[]>): void {
    this.sheets = this.sheets?.map((sheet) => {
      const rows = late.get(sheet);
      return rows === undefined ? sheet : withLate(sheet, rows);
    });
    this.latest = undefined;
  }
}

/**
 * Finds out what the files are and proposes a mapping. What is not sure is an open choice, never a guess.
 * @throws PipelineError('usage') with every answer that fits no choice, or that a choice cannot take
 */
export const propose = (options: InspectOptions): Promise<Inspection> => proposeFrom(options, false);

async function proposeFrom(options: InspectOptions, isAgain: boolean): Promise<Inspection> {
  const { files, ready, language, name, survey = new Survey(files, ready) } = options;
  const answering = new Answering(options.answers);
  const headers = saidHeaders(answering, options);
  const { sheets, ranked } = await survey.under(headers.of);
  const layout = layoutQuestion(ranked, sheets, language);
  const chosen = answering.answerTo(layout);
  const clear = clearFit(ranked);
  const { given, ofOthers = false } = options.answers;
  const isClear = chosen === undefined || (ofOthers && clear !== undefined && !given.has(layout.id));
  const asked = ranked.find((one) => one.name === chosen);
  const fit = isClear ? clear : asked?.score === 0 ? fitMapping(asked.name, asked.mapping, sheets) : asked;
  if (fit === undefined)
    return finish(answering, withoutLayout({ sheets, ranked, kept: headers.kept }, layout, name), language);
  const sheeted = placeSheets(fit, answering, language);
  const joined = await joinTables(files, sheeted, answering, language);
  const wider = widerRecords(joined, answering, language);
  const placed = {
    ...joined,
    open: [...joined.open, ...wider.open],
    kept: new Map([...joined.kept, ...wider.kept]),
    settings: [...joined.settings, ...wider.settings],
  };
  const { labels, open } = answeredLabels(placed.fit.labels, placed.fit, language, answering);
  const draft: Draft = {
    ...placed,
    labels,
    open: [...placed.open, ...open],
    kept: new Map([...headers.kept, ...placed.kept]),
  };
  const { aside, asked: unread, kept } = sheetsAside(sheets, draft, answering, language);
  const late = new LateRows(draft.fit.tables);
  const whole = await readThrough(
    { ...draft, kept, open: [...draft.open, ...unread] },
    options,
    answering,
    late,
  );
  if (late.found.size > 0 && !isAgain) {
    survey.take(late.found);
    return proposeFrom({ ...options, survey }, true);
  }
  if (aside.length > 0 && unread.length === 0)
    Object.assign(whole.tree, { ignore_sheets: [{ sheets: aside, reason: tell(language, 'sheetUnread') }] });
  return finish(answering, { sheets, ranked, ...whole }, language);
}

/** Headers where a person says they are. Where they were in other files says nothing of these. */
function saidHeaders(answering: Answering, { answers, language }: InspectOptions) {
  const kept = new Map<string, string>();
  const given = new Set([...answers.given.keys()].map(fold));
  return {
    kept,
    of(sheet: Sheet): number | undefined {
      const question = headerQuestion(sheet, language);
      const value = answering.answerTo(question);
      if (value === undefined || (answers.ofOthers && !given.has(fold(question.id)))) return undefined;
      kept.set(question.id, value);
      return Number(value);
    },
  };
}

/** What becomes of a sheet, and why it is not read. */
type SheetState =
  | { readonly state: 'read' | 'asked' }
  | { readonly state: 'aside'; readonly why: 'declined'; readonly reason: string }
  | { readonly state: 'aside'; readonly why: 'alike'; readonly reason: string }
  | { readonly state: 'aside'; readonly why: 'no-header' | 'unused' };

export function stateOf(
  { sheet, header }: HeadedSheet,
  { fit, open }: Inspection,
  language: Language,
): SheetState {
  if (fit === undefined) return { state: 'asked' };
  const { tables, mapping } = fit;
  if (tables.some((one) => one.sheet === sheet)) return { state: 'read' };
  const isAsked = open.some(({ aliases = [] }) =>
    [sheet.name, `unread.${sheet.name}`].some((name) => aliases.includes(name)),
  );
  if (isAsked) return { state: 'asked' };
  const declined = sheet.source.sheet === undefined ? undefined : mapping.leftAside(sheet.name);
  if (declined !== undefined)
    return { state: 'aside', why: 'declined', reason: noteInWords(declined.reason, language) };
  if (header === undefined) return { state: 'aside', why: 'no-header' };
  const alike = tables.find((one) => isAlike(one, { sheet, header }));
  if (alike !== undefined) return { state: 'aside', why: 'alike', reason: alike.sheet.name };
  return { state: 'aside', why: 'unused' };
}

const isAlike = (read: TableFit, { sheet, header }: HeadedSheet): boolean =>
  header !== undefined && read.sheet.input === sheet.input && isSameHeader(read.header, header);

type Found = Omit<Inspection, 'questions' | 'shown'>;

/** What is known so far. */
interface Draft extends Placed {
  readonly settings: Setting;
  readonly labels: readonly LabelFit[];
}

interface Aside {
  /** Sheets that a person leaves out, as next month's are called too: another one is seen to be new. */
  readonly aside: string[];
  readonly asked: readonly Question[];
  readonly kept: ReadonlyMap<string, string>;
}

/** Sheets that nothing reads. One with amounts is not left out without a word. */
function sheetsAside(
  sheets: readonly HeadedSheet[],
  { fit, kept, sheets: chosen }: Draft,
  answering: Answering,
  language: Language,
): Aside {
  const { mapping, tables, open } = fit;
  const known = new Set([...tables, ...open].map(({ sheet }) => sheet));
  const named = [...mapping.tables.values()].flatMap(({ spec }) => [spec.sheet ?? []].flat().map(fold));
  const aside: string[] = [];
  const asked: Question[] = [];
  const settled = new Map(kept);
  for (const { sheet, header } of sheets) {
    const { name, source, rows } = sheet;
    if (source.sheet === undefined || known.has(sheet)) continue;
    if (mapping.leftAside(name) !== undefined) continue;
    const pattern = sheetPattern(sheet);
    const question = unreadQuestion(name, pattern, language);
    const isLeft =
      kept.get(`sheet.${name}`) === IGNORE ||
      tables.some((one) => chosen.has(one.table.id) && isAlike(one, { sheet, header }));
    if (!isLeft && (named.includes(fold(name)) || !hasAmounts(rows))) continue;
    if (isLeft || answering.answerTo(question) === IGNORE) {
      aside.push(pattern);
      if (!isLeft) settled.set(question.id, IGNORE);
    } else asked.push(question);
  }
  return { aside, asked, kept: settled };
}

function finish(answering: Answering, found: Found, language: Language): Inspection {
  const issues: Issue[] = [...answering.issues, ...answering.unused(found.open)];
  refuse(issues);
  const kept = new Map([...found.kept, ...answering.forLater(found.open)]);
  return {
    ...found,
    kept,
    questions: withJointEffects(asked(found.open, language), found.open, language),
    shown: answering.shown,
  };
}

function withoutLayout(
  known: Pick<Found, 'sheets' | 'ranked' | 'kept'>,
  layout: Question,
  name: string,
): Found {
  return {
    ...known,
    fit: undefined,
    labels: [],
    formats: [],
    zeros: [],
    words: [],
    missing: [],
    params: [],
    trial: undefined,
    open: [layout],
    tree: { extends: undecidedNode(layout), cargue: 1, name },
  };
}

/** Reads all records with what is decided, and asks about what they show. */
async function readThrough(
  draft: Draft,
  { files, language, name, params = {}, derive }: InspectOptions,
  answering: Answering,
  late: LateRows,
): Promise<Omit<Found, 'sheets' | 'ranked'>> {
  const { fit, labels } = draft;
  const open = [...draft.open];
  const kept = new Map(draft.kept);
  const values = [...draft.settings];
  const take = (question: Question | undefined, put?: (value: string) => void): void => {
    const value = question && answering.answerTo(question);
    if (question === undefined) return;
    if (value === undefined) open.push(question);
    else if (value === IGNORE) kept.set(question.id, value);
    else if (put === undefined) values.push([question.path as string[], value]);
    else put(value);
  };
  const order = nameOrderQuestion(labels, fit, language);
  if (order?.said === undefined) take(order?.question);
  else if (order.said !== fit.mapping.spec.params?.[order.question.id]?.default)
    values.push([order.question.path as string[], order.said]);
  take(signQuestion(labels, fit, language));
  take(datesQuestion(labels, fit, language));
  for (const { question, value } of fillDownQuestions(labels, fit, language))
    take(question, () => {
      if (question.path[0] === 'tables') kept.set(question.id, 'yes');
      values.push([question.path as string[], value]);
    });

  const present = new Set([...decidedColumns(labels), ...flatColumns(fit.tables)]);
  const missing = missingNeeds(unmetNeeds(fit.mapping, present), fit);
  const needed = neededParams(fit, present, params);
  const settled = new Set<string>();
  // While it is open what columns mean, it is not known what no column has.
  if (open.length === 0)
    for (const { name, standsIn } of needed)
      if (standsIn)
        take(paramQuestion(name, fit, language), (value) => {
          if (value === EACH_RUN) return void kept.set(`param.${name}`, value);
          settled.add(name);
          values.push([['params', name, 'default'], paramValue(name, value, fit.mapping)]);
        });

  for (const { question, settings } of codesOrIds(labels, fit, language)) {
    const value = answering.answerTo(question);
    if (value === undefined) open.push(question);
    else values.push(...settings(value as 'code' | 'id'));
    if (value !== undefined) kept.set(question.id, value);
  }
  const source = (): ProposalSource => ({
    name,
    fit,
    labels,
    settled: { sheets: draft.sheets, values },
    open,
    pins: NO_PINS,
  });
  const mains = fit.mapping.mains.filter((main) => fit.tables.some(({ table }) => table === main));
  const keyed =
    mains.length > 0 &&
    mains.every(
      (main) => isFlat(main) || fit.mapping.key.every((id) => isFound(main, id, meantIn(main, labels))),
    );
  let proposal = source();
  let trial: Trial | undefined;
  let words: readonly UnknownWord[] = [];
  let zeros: readonly LostZeros[] = [];
  if (keyed) {
    const { mapping, ...found } = await pinned(proposal, files);
    proposal = found.proposal;
    const totals = new UnknownTotals(fit, labels);
    trial = await tryOut(mapping, files, params, derive, { totals, late });
    const before = values.length;
    values.push(...totals.skips());
    take(groupingQuestion(trial, fit, language), () => {
      const [main] = fit.mapping.mains;
      kept.set('one_per', fit.mapping.key[0]!);
      values.push([['one_per'], { key: [...fit.mapping.key], of: [main!.id] }]);
    });
    for (const question of formatQuestions(trial, language)) take(question);
    zeros = lostZeros(trial.zeros, labels, fit, language);
    values.push(...zerosSettings(zeros));
    for (const { question } of zeros) take(question);
    // While it is open where the columns of a table stand, their words say nothing.
    words = draft.open.some(isOfPlaces) ? [] : unknownWords(trial, fit, labels);
    for (const word of words) take(withWordEffects(wordQuestion(word, fit, language), word.count, language));
    // What would come of it counts with all that is settled.
    const settledLater = open.length === 0 && values.length > before;
    if (settledLater)
      trial = { ...trial, tried: (await tryOut(compileTrial(proposal), files, params, derive)).tried };
  }
  const oneKey = open.find(({ id }) => id === 'one_per');
  const tree = proposalTree({ ...proposal, open });
  // An open grouping stands whole, so that the answer written in its place is enough.
  if (oneKey !== undefined) (tree['one_per'] as Record<string, JsonValue>)['of'] = [fit.mapping.mains[0]!.id];
  return {
    fit,
    labels,
    formats: trial?.formats ?? [],
    zeros,
    words,
    missing,
    params: needed.filter(({ name }) => !settled.has(name)),
    trial: trial?.tried,
    open: trial === undefined ? open : withEffects(open, labels, trial.tried.columns, fit, language),
    kept,
    tree,
  };
}

/** A table that is not there, a file that is none of them: the run itself says it best. */
const isOfTables = (issue: Issue): boolean => hasTrait(issue, 'about-table');

/**
 * Files without headers are told by their names and the count of their fields alone, as the norm has them: the ready-made
 * mapping whose tables they all are, every one that it must have and one that makes documents among them. Undefined when
 * none or several do.
 */
export async function mappingByName(
  inputs: readonly InputFile[],
  ready: readonly ReadyMapping[],
  given: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const found: string[] = [];
  const names = inputs.flatMap(({ tables }) => tables.map(({ file }) => file));
  for (const one of ready) {
    if (!outlineOf(one).flat.some((pattern) => names.some((file) => hasName(file, pattern)))) continue;
    const { name, mapping } = one;
    const named = [...mapping.tables.values()].filter(isFlat);
    const params = resolveParams(mapping.params, given).value ?? NO_PARAMS;
    const { tables, issues } = await locate(mapping, inputs, params);
    const isThere = ({ slot }: CompiledTable): boolean => tables.some((table) => table.slot === slot);
    if (
      named.every((table) => table.spec.optional || isThere(table)) &&
      named.some((table) => mapping.mains.includes(table) && isThere(table)) &&
      issues.every((issue) => issue.level !== 'error' || isOfTables(issue))
    )
      found.push(name);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** The first line of every mapping that inspect writes; only such files are written over. */
const MARK = '# Propuesto por cargue inspect';

/** What a line of the head begins with; other comments are a person's. */
const OF_HEAD = '#: ';

const KEPT = `${OF_HEAD}--answer `;

export const isMarked = (text: string): boolean => text.replace(/^\uFEFF/, '').startsWith(MARK);

const DIGEST = ' sha256=';

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

const digestOf = (rest: string): string => createHash('sha256').update(rest).digest('hex').slice(0, 16);

/** Whether a marked mapping is not what inspect wrote: a person went on with it. */
export function isEdited(text: string): boolean {
  const [mark = '', ...rest] = withoutMark(text).split('\n');
  return !mark.endsWith(DIGEST + digestOf(rest.join('\n')));
}

/** Between the letter of a column and why inspect itself left it aside: with amounts below it is asked about all the same. */
const ASIDE = ' ~ ';
const LEFT_ASIDE = new RegExp(`^ ?[A-Z]+${ASIDE}`);

/** The answers that a mapping written earlier holds: what stands in place of its open choices, and what its comments keep. */
export function answersIn(text: string, given: ReadonlyMap<string, string>): Answers {
  const document = yaml().parseDocument(text);
  const kept = new Map(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      if (!line.startsWith(KEPT)) return [];
      const at = line.lastIndexOf('=');
      return [[line.slice(KEPT.length, at), line.slice(at + 1)]];
    }),
  );
  return {
    given,
    earlier(path: YamlPath, id: string) {
      const node = document.getIn(path, true);
      const value = yaml().isScalar(node) ? node.value : undefined;
      const own = yaml().isScalar(node) && LEFT_ASIDE.test(node.comment ?? '');
      const there = (typeof value === 'string' || typeof value === 'number') && !own ? [String(value)] : [];
      return [...there, ...[...kept].flatMap(([key, answer]) => (fold(key) === fold(id) ? [answer] : []))];
    },
  };
}

/** Of the labels that a mapping knows so many must be there for a file to be of its shape. */
const SAME_SHAPE = 0.7;

/** Which of some mappings know files of this shape: what they settled holds for these too. */
export async function ofThisShape(
  files: readonly string[],
  texts: readonly string[],
): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const there = await withInputs(files, async (inputs) => {
    const rows = (await readSheets(inputs)).flatMap((sheet) => sheet.rows.slice(0, HEADER_WITHIN));
    return new Set(
      rows.flatMap((row) => row.texts.flatMap((text) => (text === undefined ? [] : fold(text)))),
    );
  });
  return texts.filter((text) => {
    const tree = yaml().parseDocument(text).toJS() as {
      tables?: Record<string, { labels?: Record<string, unknown> }>;
    };
    const labels = Object.values(tree.tables ?? {})
      .flatMap((table) => Object.keys(table.labels ?? {}))
      .map((key) => fold((letteredLabel(key)?.title ?? key).split(' / ').at(-1)!))
      .filter((key) => key !== '');
    return labels.length > 0 && labels.filter((key) => there.has(key)).length / labels.length >= SAME_SHAPE;
  });
}

const note = sayer<NotesParams>(NOTES);

const quoted = (name: string): string => (/[\s'"*?$&|;<>()]/.test(name) ? `"${name}"` : name);

/** How the file and the mapping are named in the comments. */
export interface TextOptions {
  readonly language: Language;
  readonly files: readonly string[];
  readonly mapping: string;
}

function head(inspection: Inspection, { language, files, mapping }: TextOptions) {
  const names = files.map(quoted).join(' ');
  const { open, kept, params } = inspection;
  const given = params.map(({ name }) => ` -p ${name}=…`).join('');
  const mark = MARK + (inspection.fit === undefined ? '.' : `: ${inspection.fit.name}.`);
  const lines = [
    `${OF_HEAD}${note(language, 'checked')}:`,
    `${OF_HEAD}  cargue check ${names} -m ${quoted(mapping)}${given}`,
  ];
  if (open.length > 0)
    lines.push(
      `${OF_HEAD}${note(language, 'open', { count: open.length })}`,
      `${OF_HEAD}  cargue inspect ${names} --write ${quoted(mapping)} --answer ID=VALUE`,
      `${OF_HEAD}${note(language, 'or')}`,
    );
  if (kept.size > 0)
    lines.push(
      `${OF_HEAD}${note(language, 'kept')}`,
      ...[...kept].map(([id, value]) => `${KEPT}${id}=${value}`),
    );
  return { mark, lines };
}

/** A line of the head as inspect writes it; others there are a person's. */
const isOfHead = (line: string): boolean => line.startsWith(MARK) || line.startsWith(OF_HEAD);

/** What is said beside a label: the column letter, what its id means, or why it is left aside. */
function noteOf({ column, table, means, why }: LabelFit, language: Language): string {
  const meaning =
    means === undefined
      ? why in NOTES
        ? note(language, why as 'text' | 'declined' | 'answered')
        : undefined
      : titleOf(table.columns.get(means)!);
  const isAside = means === undefined && why === 'text';
  return ` ${[columnLetter(column), meaning].filter(Boolean).join(isAside ? ASIDE : ': ')}`;
}

/** The proposed mapping as YAML, with comments for the people who go on with it. */
export function mappingText(inspection: Inspection, options: TextOptions): string {
  const document = new (yaml().Document)(inspection.tree);
  for (const fit of inspection.labels) {
    const labels = document.getIn(['tables', fit.table.id, 'labels'], true);
    if (!yaml().isMap(labels) || isRepeated(fit)) continue;
    const node = labels.get(fit.key, true) as Scalar | undefined;
    if (yaml().isScalar(node) && node.comment == null) node.comment = noteOf(fit, options.language);
  }
  const { mark, lines } = head(inspection, options);
  const rest = `${lines.join('\n')}\n${document.toString(STYLE)}`;
  return `${mark}${DIGEST}${digestOf(rest)}\n${rest}`;
}

const STYLE = { lineWidth: 0, flowCollectionPadding: true } as const;

const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

interface Change {
  readonly path: YamlPath;
  /** Absent: the node goes. */
  readonly value: JsonValue | undefined;
  /** The person has changed the same node otherwise. */
  readonly clashes: boolean;
}

/** What leads from one proposal to the next, seen from the text that a person made of the first. */
function* changesBetween(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  own: JsonValue | undefined,
  path: YamlPath = [],
): Generator<Change> {
  if (isSame(before, after) || isSame(own, after)) return;
  if (isObject(before) && isObject(after) && isObject(own) && !('undecided' in before)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* changesBetween(before[key], after[key], own[key], [...path, key]);
    return;
  }
  yield { path, value: after, clashes: !isSame(before, own) && openChoices(own ?? null).length === 0 };
}

/** An edited mapping with what the answers of this call change, and all else as the person left it. */
interface Merged {
  readonly text: string;
  /** Places where answers and edits do not go together; then the text is not to be written. */
  readonly clashes: readonly string[];
}

/** `before`: what inspect proposes by the text alone, `after`: with the answers of this call. */
export function mergedText(
  edited: string,
  before: Inspection,
  after: Inspection,
  options: TextOptions,
): Merged {
  const text = withoutMark(edited);
  const document = yaml().parseDocument(text);
  const own = document.toJS() as JsonValue;
  const changes = [...changesBetween(before.tree as JsonValue, after.tree as JsonValue, own)];
  for (const { path, value } of changes) {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  const { mark, lines } = head(after, options);
  const body = (changes.length === 0 ? text : document.toString(STYLE)).split('\n');
  const start = body.findIndex((line) => !line.startsWith('#'));
  const kept = body.filter((line, at) => at >= start || !isOfHead(line)).join('\n');
  return {
    // Without a digest: it stays an edited one.
    text: `${[mark, ...lines].join('\n')}\n${kept}`,
    clashes: changes.flatMap(({ path, clashes }) => (clashes ? [path.join('.')] : [])),
  };
}
