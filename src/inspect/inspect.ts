import type { Issue, Language } from '../issues/issue.js';
import { PipelineError } from '../issues/pipeline-error.js';
import type { LoadedMapping } from '../mapping/load.js';
import { withInputs } from '../pipeline/inputs.js';
import type { InputFile } from '../source/table.js';
import type { JsonValue } from '../values/json.js';
import type { HeadedSheet } from './assign.js';
import { Answering, type Answers, type Choice } from './choice.js';
import { decidedColumns, unmetNeeds } from './doubts.js';
import { clearFit, type Fit, fitMapping, rankFits } from './fit.js';
import { headerRow } from './header-row.js';
import { answeredLabels } from './label-choices.js';
import { IGNORE, type LabelFit } from './labels.js';
import { type MissingNeed, missingNeeds, neededParams, type ParamNeeded } from './missing.js';
import { type Placed, placeSheets } from './place-sheets.js';
import { NO_PINS, type ProposalSource, proposalTree } from './proposal.js';
import { formatChoices, nameOrderChoice, signChoice } from './reading-choices.js';
import { readSheets } from './sheets.js';
import { groupingChoice, layoutChoice } from './table-choices.js';
import { totalSkips } from './total-rows.js';
import { type FormatFound, pinned, type Trial, tryOut } from './trial.js';
import { vocabularyOf } from './vocabulary.js';
import { type UnknownWord, unknownWords, wordChoice } from './words.js';

/** A ready-made mapping, by the name under which it is called. */
export interface ReadyMapping {
  readonly name: string;
  readonly mapping: LoadedMapping;
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
  readonly words: readonly UnknownWord[];
  readonly missing: readonly MissingNeed[];
  readonly params: readonly ParamNeeded[];
  /** Records read and documents planned with what is decided. */
  readonly counts: { readonly records: number; readonly documents: number } | undefined;
  readonly open: readonly Choice[];
  /** Answers that are no part of the mapping, such as an unknown word left alone: kept as comments. */
  readonly kept: ReadonlyMap<string, string>;
  /** The mapping to write. */
  readonly tree: Readonly<Record<string, JsonValue>>;
}

/** Reads the beginning of every sheet and ranks the ready-made mappings. */
export async function survey(
  inputs: readonly InputFile[],
  ready: readonly ReadyMapping[],
): Promise<{ readonly sheets: readonly HeadedSheet[]; readonly ranked: readonly Fit[] }> {
  const vocabulary = vocabularyOf(ready.map(({ mapping }) => mapping));
  const sheets = (await readSheets(inputs)).map((sheet) => ({ sheet, header: headerRow(sheet, vocabulary) }));
  return { sheets, ranked: rankFits(ready.map(({ name, mapping }) => fitMapping(name, mapping, sheets))) };
}

/**
 * Finds out what the files are and proposes a mapping. What is not sure is an open choice, never a guess.
 * @throws PipelineError('usage') with every answer that fits no choice, or that a choice cannot take
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
  const { files, ready, language, name } = options;
  const { sheets, ranked } = await withInputs(files, (inputs) => survey(inputs, ready));
  const answering = new Answering(options.answers);
  const layout = layoutChoice(ranked, language);
  const chosen = answering.answerTo(layout);
  const fit = chosen === undefined ? clearFit(ranked) : ranked.find((one) => one.name === chosen);
  if (fit === undefined) return finish(answering, withoutLayout(sheets, ranked, layout, name));
  const placed = placeSheets(fit, answering, language);
  const { labels, open } = answeredLabels(placed.fit.labels, fit.uses, language, answering);
  const draft: Draft = { ...placed, labels, open: [...placed.open, ...open] };
  const whole = await readThrough(draft, options, answering);
  return finish(answering, { sheets, ranked, ...whole });
}

/** What is known so far. */
interface Draft extends Placed {
  readonly labels: readonly LabelFit[];
}

function finish(answering: Answering, found: Inspection): Inspection {
  const issues: Issue[] = [...answering.issues, ...answering.unused(found.open)];
  if (issues.length > 0) throw new PipelineError('usage', issues);
  return found;
}

function withoutLayout(
  sheets: readonly HeadedSheet[],
  ranked: readonly Fit[],
  layout: Choice,
  name: string,
): Inspection {
  const open = [layout];
  const candidates = layout.candidates.map((one) => ({ ...one }));
  return {
    sheets,
    ranked,
    fit: undefined,
    labels: [],
    formats: [],
    words: [],
    missing: [],
    params: [],
    counts: undefined,
    open,
    kept: new Map(),
    tree: {
      extends: {
        undecided: { id: layout.id, question: layout.question, candidates },
      } as unknown as JsonValue,
      cargue: 1,
      name,
    },
  };
}

/** Reads all records with what is decided, and asks about what they show. */
async function readThrough(
  draft: Draft,
  { files, language, name, params = {} }: InspectOptions,
  answering: Answering,
): Promise<Omit<Inspection, 'sheets' | 'ranked'>> {
  const { fit, labels } = draft;
  const open = [...draft.open];
  const kept = new Map(draft.kept);
  const values: (readonly [readonly string[], JsonValue])[] = [];
  const take = (choice: Choice | undefined, put?: (value: string) => void): void => {
    const value = choice && answering.answerTo(choice);
    if (choice === undefined) return;
    if (value === undefined) open.push(choice);
    else if (value === IGNORE) kept.set(choice.id, value);
    else if (put === undefined) values.push([choice.path as string[], value]);
    else put(value);
  };
  const order = nameOrderChoice(labels, fit, language);
  if (order?.said === undefined) take(order?.choice);
  else if (order.said !== fit.mapping.spec.params?.[order.choice.id]?.default)
    values.push([order.choice.path as string[], order.said]);
  take(signChoice(labels, fit, language));

  const source = (): ProposalSource => ({
    name,
    fit,
    labels,
    settled: { sheets: draft.sheets, values },
    open,
    pins: NO_PINS,
  });
  const keyed = fit.mapping.mains.every((main) =>
    fit.mapping.key.every((id) => labels.some(({ table, means }) => table === main && means === id)),
  );
  let proposal = source();
  let trial: Trial | undefined;
  let words: readonly UnknownWord[] = [];
  if (keyed) {
    proposal = await pinned(proposal, files);
    trial = await tryOut(proposal, files, params);
    values.push(...(await totalSkips(files, fit, labels, trial.skipped)));
    take(groupingChoice(trial, fit, language), () => {
      const [main] = fit.mapping.mains;
      kept.set('one_per', fit.mapping.key[0]!);
      values.push([['one_per'], { key: [...fit.mapping.key], of: [main!.id] }]);
    });
    for (const choice of formatChoices(trial, language)) take(choice);
    words = unknownWords(trial, fit);
    for (const word of words) take(wordChoice(word, fit, language));
  }
  const oneKey = open.find(({ id }) => id === 'one_per');
  const tree = proposalTree({ ...proposal, open });
  // An open grouping stands whole, so that the answer written in its place is enough.
  if (oneKey !== undefined) (tree['one_per'] as Record<string, JsonValue>)['of'] = [fit.mapping.mains[0]!.id];
  const present = decidedColumns(labels);
  return {
    fit,
    labels,
    formats: trial?.formats ?? [],
    words,
    missing: missingNeeds(unmetNeeds(fit.mapping, present), fit),
    params: neededParams(fit, present, params),
    counts: trial && { records: trial.records, documents: trial.planned },
    open,
    kept,
    tree,
  };
}
