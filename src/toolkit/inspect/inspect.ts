import { type Issue, type Language, refuse } from '../core/issue.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { fold } from '../core/text.js';
import type { Opened } from '../documents/opened.js';
import type { RunCompany } from '../documents/other-company.js';
import type { Derive } from '../documents/phases.js';
import type { LoadedMapping } from '../mapping/load.js';
import { isFlat } from '../mapping/record.js';
import { noteInWords } from '../messages/wording.js';
import { IGNORE } from '../tables/header.js';
import { type HeadedSheet, isFound, isSameHeader, type TableFit } from './assign.js';
import {
  codesOrIds,
  type JoinedCode,
  joinedCodes,
  joinedMoments,
  type LostZeros,
  lostZeros,
  zerosSettings,
} from './codes.js';
import { hasAmounts } from './content.js';
import { withEffects, withJointEffects, withWordEffects } from './effects.js';
import { clearFit, decidedColumns, type Fit, fitMapping, flatColumns, unmetNeeds } from './fit.js';
import { homesOf, isHomeQuestion, withHome } from './homes.js';
import { joinTables, type Setting } from './joins.js';
import { answeredLabels, meantIn } from './label-questions.js';
import type { LabelFit } from './labels.js';
import { conceptSetting, markLearnt } from './learnt.js';
import { absentParams, type MissingNeed, missingNeeds, neededParams, type ParamNeeded } from './needs.js';
import { ownerSettings } from './owners.js';
import {
  EACH_RUN,
  paramQuestion,
  paramValue,
  type TitledParam,
  titledParams,
  withShown,
} from './param-questions.js';
import {
  type AnsweredQuestion,
  Answering,
  type Answers,
  asked,
  likelyAnswers,
  type Question,
  tell,
} from './question.js';
import {
  clockQuestions,
  datesQuestion,
  fillDownQuestions,
  formatQuestions,
  groupingQuestion,
  layoutQuestion,
  listQuestions,
  nameOrderQuestion,
  scaleQuestions,
  signQuestion,
} from './reading-questions.js';
import type { ReadyMapping } from './ready.js';
import { headerQuestion, type Placed, placeSheets, unreadQuestion } from './sheet-questions.js';
import { LateRows, type Sheet, sheetPattern } from './sheets.js';
import { Survey } from './survey.js';
import {
  compileTrial,
  type FollowOf,
  type FormatFound,
  NO_PINS,
  type ProposalSource,
  pinned,
  proposalTree,
  type Tried,
  tryOut,
  UnknownTotals,
  undecidedNode,
} from './trial.js';
import { visitAnswered, visitQuestion } from './visits.js';
import { isOfPlaces, widerRecords } from './wide-records.js';
import { type UnknownWord, unknownWords, wordQuestion } from './word-questions.js';

export interface InspectOptions {
  readonly opened: Opened;
  readonly ready: readonly ReadyMapping[];
  readonly answers: Answers;
  readonly language: Language;
  /** Name of the mapping that is proposed. */
  readonly name: string;
  /** Parameters that a run would give. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Derivation for documents of a schema, so that the trial reports what a check would. */
  readonly derive?: Derive;
  /** Whose documents a mapping makes, see `PrepareOptions`. */
  readonly companyOf?: (mapping: LoadedMapping) => RunCompany | undefined;
  readonly followOf?: FollowOf;
  /** Survey of the same files and mappings from earlier answers. */
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
  /** Codes that are read from two columns. */
  readonly joined: readonly JoinedCode[];
  /** Columns of a day and its hour that are read together. */
  readonly moments: ReturnType<typeof joinedMoments>;
  readonly titled: readonly TitledParam[];
  readonly words: readonly UnknownWord[];
  readonly missing: readonly MissingNeed[];
  readonly params: readonly ParamNeeded[];
  /** Names of optional parameters that some records may need. */
  readonly absent: ReadonlySet<string>;
  /** Result of reading the files to their end with what is decided. */
  readonly trial: Tried | undefined;
  readonly open: readonly Question[];
  /** The same as they are asked: columns that look irrelevant in one go. */
  readonly questions: readonly Question[];
  /** Questions of which every answer is to be shown. */
  readonly shown: readonly Question[];
  /** Questions answered now or in an earlier month, by id. */
  readonly decided: ReadonlyMap<string, AnsweredQuestion>;
  /** Answers that are no part of the mapping, such as an unknown word left alone: kept as comments. */
  readonly kept: ReadonlyMap<string, string>;
  /** Kept answers whose question is gone since another answer changed. */
  readonly vanished: ReadonlyMap<string, string>;
  /** The mapping to write. */
  readonly tree: Readonly<Record<string, JsonValue>>;
}

/**
 * Finds out what the files are and proposes a mapping. What is not sure is an open choice, never a guess.
 * @throws PipelineError('usage') with every answer that fits no choice, or that a choice cannot take
 */
export const propose = (options: InspectOptions): Promise<Inspection> => proposeFrom(options, false);

async function proposeFrom(options: InspectOptions, isAgain: boolean): Promise<Inspection> {
  const { opened, ready, language, name, survey = new Survey(ready) } = options;
  const answering = new Answering(options.answers);
  const headers = saidHeaders(answering, options);
  const { sheets, ranked } = await survey.under(opened, language, headers.of);
  const layout = layoutQuestion(ranked, sheets, language);
  const chosen = answering.answerTo(layout);
  const clear = clearFit(ranked);
  const { given, ofOthers = false } = options.answers;
  const isClear = chosen === undefined || (ofOthers && clear !== undefined && !given.has(layout.id));
  const asked = ranked.find((fit) => fit.name === chosen);
  const fit = isClear ? clear : asked?.score === 0 ? fitMapping(asked.name, asked.mapping, sheets) : asked;
  if (fit === undefined)
    return finish(answering, withoutLayout({ sheets, ranked, kept: headers.kept }, layout, name), language);
  const sheeted = placeSheets(fit, answering, language);
  const joined = await joinTables(opened, sheeted, answering, language);
  const wider = widerRecords(joined, answering, language);
  const placed = {
    ...joined,
    open: [...joined.open, ...wider.open],
    kept: new Map([...joined.kept, ...wider.kept]),
    settings: [...joined.settings, ...wider.settings],
  };
  const concepts = ready.find((item) => item.name === fit.name)?.concepts ?? {};
  const columns = answeredColumns(placed, concepts, answering, language);
  const draft: Draft = {
    ...placed,
    ...columns,
    settings: [
      ...placed.settings,
      ...ownerSettings(placed.fit),
      ...columns.settings,
      ...conceptSetting(concepts, columns.labels),
    ],
    open: [...placed.open, ...columns.open],
    kept: new Map([...headers.kept, ...placed.kept]),
  };
  const { aside, asked: unread, kept } = sheetsAside(sheets, draft, answering, language);
  const late = new LateRows(draft.fit.tables);
  const trial = await readThrough(
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
    Object.assign(trial.tree, { ignore_sheets: [{ sheets: aside, reason: tell(language, 'sheetUnread') }] });
  return finish(answering, { sheets, ranked, ...trial }, language);
}

/** Returns what the columns mean: each alone, then what several sheets have alike, then what makes a document. */
function answeredColumns({ fit }: Placed, concepts: JsonObject, answering: Answering, language: Language) {
  const answered = answeredLabels(markLearnt(fit.labels, concepts), fit, language, answering);
  const open = [...answered.open];
  const homes = homesOf(answered.labels, fit, language).reduce((labels, home) => {
    const sheet = answering.answerTo(home.question);
    if (sheet === undefined) open.push(home.question);
    return sheet === undefined ? labels : withHome(labels, home, sheet);
  }, answered.labels);
  const visit = visitQuestion(homes, fit, language);
  const value = visit && answering.answerTo(visit);
  const { labels: meant, settings } = visitAnswered(value, homes, fit);
  const labels = alikeInSheets(meant);
  const settled = new Set(labels.flatMap(({ id, means }) => (means === undefined ? [] : [id])));
  const isAgain = ({ id }: Question): boolean =>
    labels.some(
      (label, at) =>
        label.id === id &&
        sameInOthers(label, labels).some(
          (other) => other.id !== id && other.state === 'open' && labels.indexOf(other) < at,
        ),
    );
  return {
    labels,
    settings,
    isVisitOpen: visit !== undefined && value === undefined,
    open: open.filter((question) => !settled.has(question.id) && !isAgain(question)),
  };
}

/** Returns the labels of the same name in other sheets of a table, unless a person left them out. */
const sameInOthers = ({ table, sheet, key }: LabelFit, labels: readonly LabelFit[]): readonly LabelFit[] =>
  labels.filter(
    (other) =>
      other.table === table &&
      other.sheet !== sheet &&
      other.state !== 'ignored' &&
      fold(other.key) === fold(key),
  );

/** Gives an open label the meaning that the same label of the same table has in other sheets, if they all agree and its cells allow it. */
function alikeInSheets(labels: readonly LabelFit[]): readonly LabelFit[] {
  return labels.map((fit) => {
    if (fit.state !== 'open') return fit;
    const others = sameInOthers(fit, labels);
    const [means, ...further] = new Set(others.flatMap((other) => other.means ?? []));
    const isSame =
      means !== undefined &&
      further.length === 0 &&
      (others.some(({ id }) => id === fit.id) || fit.candidates.some(({ value }) => value === means));
    return isSame ? { ...fit, state: 'decided', means } : fit;
  });
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

/** State of a sheet, with the reason if it is not read. */
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
  if (tables.some((table) => table.sheet === sheet)) return { state: 'read' };
  const isAsked = open.some(({ aliases = [] }) =>
    [sheet.name, `unread.${sheet.name}`].some((name) => aliases.includes(name)),
  );
  if (isAsked) return { state: 'asked' };
  const declined = sheet.source.sheet === undefined ? undefined : mapping.leftAside(sheet.name);
  if (declined !== undefined)
    return { state: 'aside', why: 'declined', reason: noteInWords(declined.reason, language) };
  if (header === undefined) return { state: 'aside', why: 'no-header' };
  const alike = tables.find((otherTable) => isAlike(otherTable, { sheet, header }));
  if (alike !== undefined) return { state: 'aside', why: 'alike', reason: alike.sheet.name };
  return { state: 'aside', why: 'unused' };
}

const isAlike = (read: TableFit, { sheet, header }: HeadedSheet): boolean =>
  header !== undefined && read.sheet.input === sheet.input && isSameHeader(read.header, header);

type Findings = Omit<Inspection, 'questions' | 'shown' | 'decided' | 'vanished'>;

/** Decisions so far. */
interface Draft extends Placed {
  readonly settings: Setting;
  readonly labels: readonly LabelFit[];
  /** True if the file leaves open what makes a document, and no answer says it. */
  readonly isVisitOpen: boolean;
}

interface Aside {
  /** Sheets that a person leaves out, as next month's are called too: another one is seen to be new. */
  readonly aside: string[];
  readonly asked: readonly Question[];
  readonly kept: ReadonlyMap<string, string>;
}

/** Sheets that nothing reads. One with amounts is not left out without a question. */
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
    const question = unreadQuestion({ sheet, header }, fit, language);
    const isLeft =
      kept.get(`sheet.${name}`) === IGNORE ||
      tables.some((table) => chosen.has(table.table.id) && isAlike(table, { sheet, header }));
    if (!isLeft && (named.includes(fold(name)) || !hasAmounts(rows))) continue;
    if (isLeft || answering.answerTo(question) === IGNORE) {
      aside.push(pattern);
      if (!isLeft) settled.set(question.id, IGNORE);
    } else asked.push(question);
  }
  return { aside, asked, kept: settled };
}

function finish(answering: Answering, found: Findings, language: Language): Inspection {
  const issues: Issue[] = [...answering.issues, ...answering.unused(found.open)];
  refuse(issues);
  const kept = new Map([...found.kept, ...answering.forLater(found.open)]);
  return {
    ...found,
    kept,
    vanished: answering.vanished(),
    questions: withJointEffects(asked(found.open, language), found.open, language),
    shown: answering.shown,
    decided: answering.decided,
  };
}

function withoutLayout(
  known: Pick<Findings, 'sheets' | 'ranked' | 'kept'>,
  layout: Question,
  name: string,
): Findings {
  return {
    ...known,
    fit: undefined,
    labels: [],
    formats: [],
    zeros: [],
    joined: [],
    moments: [],
    titled: [],
    words: [],
    missing: [],
    params: [],
    absent: new Set(),
    trial: undefined,
    open: [layout],
    tree: { extends: undecidedNode(layout), cargue: 1, name },
  };
}

/** Decisions and open questions of an inspection. */
class InspectionSession {
  readonly open: Question[];
  readonly kept: Map<string, string>;
  readonly values: Setting[number][];
  /** Names of parameters that are settled for good. */
  readonly params = new Set<string>();

  constructor(
    draft: Draft,
    readonly answering: Answering,
    readonly fit: Fit,
    readonly labels: readonly LabelFit[],
    readonly language: Language,
  ) {
    this.open = [...draft.open];
    this.kept = new Map(draft.kept);
    this.values = [...draft.settings];
  }

  /**
   * Asks what has no answer, unless `said` answers it; `put`: how an answer is used, which else is written in the place that
   * the question names.
   */
  take(question: Question | undefined, put?: (value: string) => void, said?: string): void {
    const value = question && (this.answering.answerTo(question) ?? said);
    if (question === undefined) return;
    if (value === undefined) this.open.push(this.answering.open(question));
    else if (value === IGNORE) this.kept.set(question.id, value);
    else if (put === undefined) this.put(question, value);
    else put(value);
  }

  put(question: Question, value: JsonValue): void {
    this.values.push([question.path as string[], value]);
  }
}

/** Reads all records with what is decided, and asks about what they show. */
async function readThrough(
  draft: Draft,
  options: InspectOptions,
  answering: Answering,
  late: LateRows,
): Promise<Omit<Findings, 'sheets' | 'ranked'>> {
  const { fit, labels } = draft;
  const { language, name, params: given = {} } = options;
  const session = new InspectionSession(draft, answering, fit, labels, language);
  const { open, kept, values } = session;
  askReadings(session);
  const present = new Set([...decidedColumns(labels), ...flatColumns(fit.tables)]);
  const missing = missingNeeds(unmetNeeds(fit.mapping, present), fit);
  const needed = neededParams(fit, present, given);
  // While it is open what columns mean, it is not known what no column has.
  const titled = titledParams(labels, fit).filter(({ name }) => given[name] === undefined);
  for (const { name, value } of titled) takeParam(session, name, paramQuestion(name, fit, language), value);
  for (const id of options.answers.given.keys()) takeSaid(session, id);
  if (open.length === 0) askParams(session, needed);
  askCodes(session);
  const source = { name, fit, labels, settled: { sheets: draft.sheets, values }, open, pins: NO_PINS };
  const { proposal, trial, words, zeros } = isKeyed(fit, labels)
    ? await readRecords(session, source, { ...options, needed, isVisitOpen: draft.isVisitOpen }, late)
    : { proposal: source, trial: undefined, words: [], zeros: [] };
  const params = needed.filter((param) => !session.params.has(param.name));
  // A choice that the run is to make decides which fields the documents have.
  const isDecided = open.length === 0 && !params.some(({ type, standsIn }) => type === 'choice' && !standsIn);
  return {
    fit,
    labels,
    formats: trial?.formats ?? [],
    zeros,
    joined: joinedCodes(labels, fit),
    moments: joinedMoments(labels),
    titled,
    words,
    missing,
    params,
    absent: absentParams(fit, present, isDecided ? trial?.tried.lackingRecords : undefined),
    trial: trial?.tried,
    open: trial === undefined ? open : withEffects(open, labels, trial.tried.columns, fit, language),
    kept,
    tree: treeOf(proposal, open, fit),
  };
}

/** Asks how cells are to be read if their labels leave it open. */
function askReadings(session: InspectionSession): void {
  const { fit, labels, language, kept, open } = session;
  // Each of the sheets that have the name may write it in another order.
  const order = open.some(isHomeQuestion) ? undefined : nameOrderQuestion(labels, fit, language);
  if (order?.said === undefined) session.take(order?.question);
  else if (order.said !== fit.mapping.spec.params?.[order.question.id]?.default)
    session.put(order.question, order.said);
  session.take(signQuestion(labels, fit, language));
  session.take(datesQuestion(labels, fit, language));
  for (const question of scaleQuestions(labels, fit, language))
    session.take(question, (value) => session.put(question, Number(value)));
  for (const { question, value } of fillDownQuestions(labels, fit, language))
    session.take(question, () => {
      if (question.path[0] === 'tables') kept.set(question.id, 'yes');
      session.put(question, value);
    });
}

/** Parameters that stand in for columns. */
function askParams(session: InspectionSession, needed: readonly ParamNeeded[]): void {
  for (const { name, standsIn } of needed)
    if (standsIn) takeParam(session, name, paramQuestion(name, session.fit, session.language));
}

const isOfParam = ({ id }: Question): boolean => id.startsWith('param.');

/** Asks for parameters without which the records lack required fields. */
function askLacking(session: InspectionSession, { lacking }: Tried, needed: readonly ParamNeeded[]): void {
  const { fit, language } = session;
  const known = new Set(needed.map(({ name }) => name));
  // A table that is to be given yet may say what no title does.
  const isLater = needed.some(({ type }) => type === 'table');
  for (const name of lacking) {
    const isOfTable = isLater && fit.mapping.params.get(name)?.spec.titled !== undefined;
    if (!known.has(name) && !isOfTable) takeParam(session, name, paramQuestion(name, fit, language));
  }
}

/** Takes what is said of a parameter, needed or not: with another answer it may be. */
function takeSaid(session: InspectionSession, id: string): void {
  const { fit, language } = session;
  const param = id.startsWith('param.') ? fit.mapping.params.get(id.slice('param.'.length)) : undefined;
  if (param !== undefined) takeParam(session, param.name, paramQuestion(param.name, fit, language));
}

/** @param said what it is without an answer; it is asked if that is undefined */
function takeParam(
  session: InspectionSession,
  name: string,
  question: Question | undefined,
  said?: string,
): void {
  const { fit, values, kept, params, open } = session;
  if (params.has(name) || open.some(({ id }) => id === question?.id)) return;
  const put = (value: string): void => {
    if (value === EACH_RUN) return void kept.set(`param.${name}`, value);
    params.add(name);
    values.push([['params', name, 'default'], paramValue(name, value, fit.mapping)]);
  };
  session.take(question, put, said);
}

/** Asks whether columns hold codes or ids of the service. */
function askCodes({ fit, labels, language, answering, open, values, kept }: InspectionSession): void {
  for (const { question, settings } of codesOrIds(labels, fit, language)) {
    const value = answering.answerTo(question);
    if (value === undefined) open.push(question);
    else {
      values.push(...settings(value as 'code' | 'id'));
      kept.set(question.id, value);
    }
  }
}

/** True if the key of the records is known; without it nothing can be read. */
function isKeyed({ mapping, tables }: Fit, labels: readonly LabelFit[]): boolean {
  const mains = mapping.mains.filter((main) => tables.some(({ table }) => table === main));
  const isKnown = (main: (typeof mains)[number]): boolean =>
    isFlat(main) ||
    mapping.key.every(
      // A key that only a parameter gives has no column.
      (id) => main.columns.get(id)?.feeders.length === 0 || isFound(main, id, meantIn(main, labels)),
    );
  return mains.length > 0 && mains.every(isKnown);
}

/** Reads the records to their end and asks about what they show. */
async function readRecords(
  session: InspectionSession,
  source: ProposalSource,
  options: InspectOptions & { readonly needed: readonly ParamNeeded[]; readonly isVisitOpen: boolean },
  late: LateRows,
) {
  const { opened, params = {}, derive, companyOf, followOf, needed, isVisitOpen } = options;
  const { fit, labels, language, open, kept, values } = session;
  const inputs = await opened.inputs();
  const areOpenPlaces = open.some(isOfPlaces);
  const { mapping, proposal } = await pinned(source, inputs);
  const company = companyOf?.(mapping);
  const totals = new UnknownTotals(fit, labels);
  const tryAll = (tried: LoadedMapping) =>
    tryOut(tried, inputs, params, derive, { totals, late, company, followOf });
  let trial = await tryAll(mapping);
  let before = values.length;
  const trying: Trying = async (tried, given = {}) =>
    (await tryOut(tried, inputs, { ...params, ...given }, derive, { company, followOf })).tried;
  const styles = [...formatQuestions(trial, language), ...clockQuestions(trial, language)];
  for (const question of styles) session.take(question);
  const isBesides = ({ id }: Question): boolean => styles.some((style) => style.id === id);
  if (open.every(isBesides)) {
    const styled = values.length > before ? compileTrial(proposal) : mapping;
    await askChoices(session, needed, (given) => trying(styled, given));
  }
  // How cells are read decides what is wrong with them, and a choice which fields the documents have.
  if (open.every(isBesides) && values.length > before) {
    trial = await tryAll(compileTrial(proposal));
    before = values.length;
  }
  while (open.every((question) => isOfParam(question) || isBesides(question))) {
    askLacking(session, trial.tried, needed);
    // Without one of them, such as the time of care, nothing shows of the others.
    if (!open.every(isBesides) || values.length === before) break;
    trial = { ...trial, tried: await trying(compileTrial(proposal)) };
    before = values.length;
  }
  if (open.every(isBesides) && isVisitOpen)
    session.take(await countedVisits(session, proposal, mapping, trying));
  values.push(...totals.skips());
  const { mains, key } = fit.mapping;
  const group = (): void => {
    kept.set('one_per', key[0]);
    values.push([['one_per'], { key: [...key], of: mains.map(({ id }) => id) }]);
  };
  const isSpread = mains.some(({ spec }) => spec.spread);
  session.take(groupingQuestion(trial, fit, labels, language), isSpread ? undefined : group);
  for (const question of listQuestions(trial, fit, language)) session.take(question);
  const zeros = lostZeros(trial.zeros, labels, fit, language);
  values.push(...zerosSettings(zeros));
  for (const { question } of zeros) session.take(question);
  // While it is open where the columns of a table stand, their words say nothing.
  const words = areOpenPlaces ? [] : unknownWords(trial, fit, labels);
  for (const word of words)
    session.take(withWordEffects(wordQuestion(word, fit, language), word.count, language));
  // What would come of it counts with all that is settled.
  if (values.length > before) trial = { ...trial, tried: await trying(compileTrial(proposal)) };
  return { proposal, trial, words, zeros };
}

type Trying = (mapping: LoadedMapping, given?: Readonly<Record<string, unknown>>) => Promise<Tried>;

/** Asks for parameters of all records, with the choice first without which most records are wrong. */
async function askChoices(
  session: InspectionSession,
  needed: readonly ParamNeeded[],
  trying: (given: Readonly<Record<string, unknown>>) => Promise<Tried>,
): Promise<void> {
  for (const { name, standsIn, choices = [] } of needed) {
    const question = standsIn ? undefined : paramQuestion(name, session.fit, session.language);
    if (question === undefined || choices.length === 0 || session.params.has(name)) continue;
    const tried = new Map<string, Tried>();
    if (session.answering.answerTo(question) === undefined)
      for (const { value } of choices) tried.set(value, await trying({ [name]: value }));
    takeParam(session, name, withShown(question, tried, session.language));
  }
}

/** Returns what makes a document as a question, with the number that each answer makes; undefined if all make the same. */
async function countedVisits(
  { fit, labels, language }: InspectionSession,
  source: ProposalSource,
  mapping: LoadedMapping,
  trying: Trying,
): Promise<Question | undefined> {
  const question = visitQuestion(labels, fit, language);
  if (question === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const { value } of likelyAnswers(question)) {
    const { labels: meant, settings } = visitAnswered(value, labels, fit);
    const given = Object.fromEntries(settings.map(([path, said]) => [path[1], said]));
    const tried = await trying(
      meant === labels ? mapping : compileTrial({ ...source, labels: meant }),
      given,
    );
    counts.set(value, tried.documents.planned);
  }
  return new Set(counts.values()).size > 1 ? visitQuestion(labels, fit, language, counts) : undefined;
}

/** The mapping to write. */
function treeOf(
  proposal: ProposalSource,
  open: readonly Question[],
  { mapping }: Fit,
): Record<string, JsonValue> {
  const tree = proposalTree({ ...proposal, open });
  // An open grouping stands whole, so that the answer written in its place is enough.
  if (open.some(({ path }) => path[0] === 'one_per'))
    (tree['one_per'] as Record<string, JsonValue>)['of'] = [mapping.mains[0].id];
  return tree;
}
