import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { capability } from '../families/registry.js';
import { putInPlace } from '../report/put-in-place.js';
import { type Issue, issueOf, PipelineError, paramOf, stop } from '../toolkit/core/issue.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import { fold } from '../toolkit/core/text.js';
import type { Opened } from '../toolkit/documents/opened.js';
import { type Inspection, type InspectOptions, propose } from '../toolkit/inspect/inspect.js';
import {
  type Learnt,
  learntFrom,
  saidOtherwise,
  withLearnt,
  withoutSaid,
} from '../toolkit/inspect/learnt.js';
import {
  answersIn,
  isEdited,
  isMarked,
  mappingText,
  mergedText,
  ofThisShape,
  type TextOptions,
} from '../toolkit/inspect/mapping-text.js';
import { detectUnsupportedLayout } from '../toolkit/inspect/other-form.js';
import {
  type Answers,
  BACK,
  besideAnswers,
  NO_ANSWERS,
  type Question,
  readReply,
} from '../toolkit/inspect/question.js';
import type { ReadyMapping } from '../toolkit/inspect/ready.js';
import { headerId } from '../toolkit/inspect/sheet-questions.js';
import { Survey } from '../toolkit/inspect/survey.js';
import { readYaml } from '../toolkit/mapping/yaml-source.js';
import { offeredValues } from './ask-params.js';
import { writeComplement } from './complement.js';
import type { Ask, Context, UseCase } from './context.js';
import { during, type EventOf, emitMessage } from './events.js';
import { onFiles } from './files.js';
import {
  companyNamed,
  deriveFor,
  familyFor,
  followFor,
  givenParams,
  loadReadyMappings,
  withWholeMonth,
} from './job.js';
import { lastValues } from './last-params.js';
import { answerValues, type CheckOptions, companyText } from './options.js';
import { refuseInputAsOutput } from './outputs.js';
import { remember, remembered } from './remembered.js';

export interface WriteOptions extends CheckOptions {
  /** Path of the mapping to write. */
  readonly write?: string;
}

/** Returns a file's name as mappings spell it: `NOMINA OCT.yaml` → nomina-oct. */
const nameOf = (file: string | undefined): string =>
  basename(file ?? 'mapeo')
    .replace(/\.[a-z]+$/i, '')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'mapeo';

const HEAD_BYTES = 256;

/**
 * Returns the text of the mapping at this path if inspect wrote it.
 * @throws PipelineError('usage', inspect/not-ours) if another file is there and `force` is not set
 */
async function mappingThere({ write, force }: WriteOptions): Promise<string | undefined> {
  const there = write === undefined ? undefined : await stat(write).catch(() => undefined);
  if (write === undefined || there?.isFile() !== true) return undefined;
  const file = await open(write);
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    .finally(() => file.close());
  if (isMarked(buffer.toString('utf8', 0, bytesRead))) return readFile(write, 'utf8');
  if (!force) stop('usage', { code: 'inspect/not-ours', value: write });
  return undefined;
}

/** Answered question, with the inspection at the time it was asked. */
interface Answered {
  readonly question: Question;
  /** Undefined if it was left open. */
  readonly answer: string | undefined;
  readonly found: Inspection;
}

/** Returns the index of the last answer the issues name; -1 if they name none. */
const toBlame = (issues: readonly Issue[], answered: readonly Answered[]): number =>
  answered.findLastIndex(({ question: { id, members = [] } }) =>
    issues.some((issue) =>
      [paramOf(issue, 'id'), paramOf(issue, 'other'), issue.value].some(
        (named) => named === id || members.includes(String(named)),
      ),
    ),
  );

/** Asks the user all open questions, including those that answers raise. An answer can be taken back. */
async function askAll(
  ask: Ask,
  { tell }: Pick<Context, 'tell'>,
  options: InspectOptions,
  first: Inspection,
): Promise<Inspection> {
  const given = new Map(options.answers.given);
  const before: Answered[] = [];
  const passed = new Set<string>();
  let found = first;
  let isNew = false;
  const asked = new Set<string>();
  const kept = new Set<string>();
  /** Inspects with the answers so far; undefined if they conflict, with the last answer at fault removed. */
  const again = async (): Promise<Inspection | undefined> => {
    try {
      const next = await propose({ ...options, answers: { ...options.answers, given, asked } });
      for (const [id, value] of next.vanished)
        if (!kept.has(id))
          tell({ event: 'remark', issue: { ...issueOf('inspect/answer-kept', 'warning', { id }), value } });
      kept.clear();
      for (const id of next.vanished.keys()) kept.add(id);
      return next;
    } catch (error) {
      const at = error instanceof PipelineError ? toBlame(error.issues, before) : -1;
      if (at < 0) throw error;
      for (const issue of (error as PipelineError).issues) tell({ event: 'remark', issue, brief: true });
      const [{ question }] = before.splice(at, 1) as [Answered];
      given.delete(question.id);
      passed.delete(question.id);
      return undefined;
    }
  };
  for (;;) {
    const left = found.questions.filter(({ id }) => !passed.has(id));
    const [question] = left;
    if (question === undefined) {
      if (!isNew) return found;
      const next = await again();
      isNew = next === undefined;
      found = next ?? found;
      continue;
    }
    await options.opened.close(); // the user may change the files meanwhile
    const shown = besideAnswers(question, before, options.language);
    asked.add(question.id);
    const answer = await ask.choose(shown, { number: before.length + 1, of: before.length + left.length });
    if (answer === BACK) {
      const last = before.pop();
      if (last === undefined) continue;
      given.set(last.question.id, '');
      passed.delete(last.question.id);
      found = last.found;
      isNew = true;
      continue;
    }
    before.push({ question, answer, found });
    passed.add(question.id);
    if (answer === undefined) continue;
    given.set(question.id, answer);
    isNew = true;
  }
}

/**
 * Adds the answers of this call to a mapping the user edited.
 * @throws PipelineError('usage', inspect/edited-otherwise) if they change the same places
 */
async function merge(
  call: InspectOptions,
  found: Inspection,
  edited: string,
  how: TextOptions,
): Promise<string> {
  const issues = readYaml(basename(how.mapping), edited).issues;
  if (issues.length > 0) throw new PipelineError('mapping', issues);
  const before = await propose({ ...call, answers: answersIn(edited, NO_ANSWERS.given) });
  const { text, clashes } = mergedText(edited, before, found, how);
  if (clashes.length > 0)
    stop('usage', {
      code: 'inspect/edited-otherwise',
      value: how.mapping,
      params: { places: clashes.join(', ') },
    });
  return text;
}

/** Returns the mapping text: a new one, or the user's with the answers of this call. */
async function textOf(
  call: InspectOptions,
  found: Inspection,
  before: string | undefined,
  how: TextOptions & { readonly force: boolean | undefined },
): Promise<{ readonly text: string; readonly kept: boolean }> {
  if (before === undefined || !isEdited(before) || how.force)
    return { text: mappingText(found, how), kept: false };
  return { text: await merge(call, found, before, how), kept: true };
}

/** True if documents can be made: no open questions, and each required field has a column or a parameter. */
const isComplete = ({ fit, questions, missing }: Inspection): boolean =>
  fit !== undefined && questions.length === 0 && missing.every(({ param }) => param !== undefined);

/** Answers and names that the company's mappings hold, and the ready-made mappings with these names. */
interface LastInspection {
  /** Answers of mappings for files of this shape, the latest first, and words of lists that any mapping decided. */
  readonly answers: Answers;
  /** Names of concepts and columns in files of other shapes. */
  readonly learnt: Learnt;
  readonly ready: readonly ReadyMapping[];
  readonly survey: Survey;
}

/** Survey that repeated calls on the same files keep, and the names that it knows. */
interface InspectCache {
  survey?: Survey;
  names?: string;
}

async function ofBefore(
  context: Context,
  options: WriteOptions,
  opened: Opened,
  {
    given,
    there,
    cache,
  }: { given: ReadonlyMap<string, string>; there: string | undefined; cache: InspectCache },
): Promise<LastInspection> {
  const mappings = await remembered(context, options);
  const texts = await Promise.all(mappings.map(({ file }) => readFile(file, 'utf8')));
  const alike = await ofThisShape(opened, texts);
  const others = texts.filter((text) => !alike.includes(text));
  const same = alike.map((text) => answersIn(text, given));
  const foreign = others.map((text) => answersIn(text, given));
  const answers: Answers = {
    given,
    earlier: (path, id) =>
      [...same, ...(path[0] === 'decisions' ? foreign : [])].flatMap(({ earlier }) => earlier(path, id)),
    ofOthers: true,
  };
  const learnt = learntFrom(others);
  const names = withoutSaid(learnt, given.keys(), there);
  const ready = withLearnt(await loadReadyMappings(), names);
  const known = JSON.stringify([...names].map(([vocabulary, ofIt]) => [vocabulary, ...ofIt]));
  if (cache.survey === undefined || cache.names !== known) cache.survey = new Survey(ready);
  cache.names = known;
  return {
    answers: there === undefined ? answers : answersIn(there, given),
    learnt,
    ready,
    survey: cache.survey,
  };
}

/**
 * Returns the answers with numbers of choices as the values that they had where they were shown: before any other number was
 * given, since an answer may change the order of the others.
 */
async function withoutNumbers(call: InspectOptions): Promise<ReadonlyMap<string, string>> {
  const { given } = call.answers;
  // Codes such as 01 and 68001 are no numbers of choices, of which a screen shows fewer than a hundred.
  const isNumber = (text: string): boolean => /^[1-9]\d?$/.test(text.trim());
  const known = new Map([...given].filter(([, text]) => !isNumber(text)));
  const asked = new Set(given.keys());
  for (;;) {
    const numbers = [...given].filter(([id]) => !known.has(id));
    if (numbers.length === 0) return known;
    const { questions } = await propose({ ...call, answers: { ...call.answers, given: known, asked } });
    const shown = numbers.flatMap(([name, text]): [string, string][] => {
      const question = questions.find(({ id, aliases = [] }) =>
        [id, ...aliases].some((other) => fold(other) === fold(name)),
      );
      const reading = question && readReply(question, text);
      return reading && 'value' in reading ? [[name, reading.value]] : [];
    });
    if (shown.length === 0) return new Map([...known, ...numbers]);
    for (const [name, value] of shown) known.set(name, value);
  }
}

/** Creates `inspect` for repeated calls on the same files; `cache` holds what was read of them. */
export const inspectWithCache = (cache: InspectCache): UseCase<WriteOptions> =>
  onFiles(async (context, opened, options) => {
    if (options.writeComplement !== undefined)
      return writeComplement(context, opened, options, options.writeComplement);
    const { language, ask } = context;
    const { files } = opened;
    const { write, force, upload } = options;
    const params = await givenParams(withWholeMonth(context, options));
    const name = nameOf(upload?.name ?? write);
    if (write !== undefined) refuseInputAsOutput(context, options, write, files);
    const before = await mappingThere(options);
    const given = answerValues(options.answer);
    const { answers, learnt, ready, survey } = await ofBefore(context, options, opened, {
      given,
      there: before,
      cache,
    });
    const counted: InspectOptions = {
      opened,
      ready,
      survey,
      // The page answers only what it was asked, and what it decided may leave nothing to ask.
      answers: upload === undefined ? answers : { ...answers, asked: new Set(given.keys()) },
      language,
      name,
      params,
      derive: deriveFor(context),
      companyOf: (mapping) => companyNamed(familyFor(context, mapping), options),
      followOf: (mapping, params) =>
        followFor(context, mapping, { params, today: dateInBogota(context.now()) }),
    };
    // The page answers by value, and each answer of it inspects again.
    const meant = upload === undefined ? await withoutNumbers(counted) : given;
    const call = { ...counted, answers: { ...counted.answers, given: meant } };
    let found = await during(context, 'reading', () => propose(call));
    const isFar = found.fit === undefined || found.missing.some(({ param }) => param === undefined);
    const isFirst = given.size === 0 && before === undefined;
    const sheets = found.sheets.map(({ sheet }) => sheet);
    const unsupported = isFar && isFirst ? detectUnsupportedLayout(sheets, ready) : undefined;
    if (unsupported !== undefined) throw new PipelineError('input', [unsupported]);
    const isHeaderSaid = sheets.some((sheet) => found.kept.has(headerId(sheet)));
    if (found.fit === undefined && !isHeaderSaid && found.ranked.every(({ score }) => score === 0))
      stop('input', {
        code: 'inspect/nothing-found',
        value: files.map((file) => basename(file)).join(', '),
      });
    if (found.shown.length > 0) {
      context.tell({ event: 'answers', questions: found.shown });
      return 'fine';
    }
    const asked = write !== undefined && ask !== undefined;
    context.tell({ event: 'inspection', inspection: found, asks: asked });
    let keptEdits = false;
    if (write !== undefined) {
      if (ask !== undefined) found = await askAll(ask, context, call, found);
      const made = await textOf(call, found, before, { language, files, mapping: write, force });
      await putInPlace(write, (temporary) => writeFile(temporary, made.text));
      keptEdits = made.kept;
      if (isComplete(found)) {
        await remember(context, options, { name, isGiven: upload?.name === undefined }, made.text);
        emitMessage(context, 'remembered', { company: companyText(options) });
      }
    }
    for (const issue of saidOtherwise(found, learnt, language)) context.tell({ event: 'remark', issue });
    context.tell({
      event: 'proposal',
      inspection: found,
      files,
      ways: await waysOf(context, found),
      offered: found.fit
        ? offeredValues(context, found.fit.mapping, params, await lastValues(context, options))
        : {},
      written: write,
      kept: keptEdits,
      asked,
    });
    return 'fine';
  });

async function waysOf(context: Context, { fit }: Inspection): Promise<EventOf<'proposal'>['ways']> {
  const { name, targets = [] } = fit?.mapping ?? {};
  const family = familyFor(context, { targets });
  const { notes } = (await capability(family, 'corrections')) ?? {};
  const { preview } = (await capability(family, 'paper')) ?? {};
  const worklist = family?.inquiry !== undefined;
  return {
    corrections: notes?.fileOf(targets.map(({ schema }) => schema)) ?? null,
    preview: preview !== undefined && targets.every(({ schema }) => schema === preview.schema),
    worklist,
    reception: worklist && family?.documents.mappings.ready?.mapping === name,
  };
}

/** `cargue inspect FILE...`: describes the files and proposes a mapping; what is uncertain stays a question. */
export const inspect: UseCase<WriteOptions> = (...call) => inspectWithCache({})(...call);
