import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Capabilities, Delivery, Family, FollowSite, NoteNumbers } from '../families/family.js';
import { capability, deriveWith, FAMILIES, familyOf } from '../families/registry.js';
import type { SchemaName } from '../generated/schema-types.js';
import { OWN_PARAMS } from '../generated/texts-issue.js';
import { DOUBTS, type DoubtsParams } from '../generated/texts-proposal.js';
import type { Sql } from '../send/database.js';
import { canonicalCompany, isNit } from '../send/journal-proof.js';
import { schemaOfRun } from '../send/runs.js';
import {
  hasErrors,
  type Language,
  PipelineError,
  paramOf,
  type Suggestion,
  stop,
} from '../toolkit/core/issue.js';
import { isObject } from '../toolkit/core/json.js';
import { packageFile } from '../toolkit/core/package-file.js';
import { dateInBogota, monthsBetween } from '../toolkit/core/plain-date.js';
import { quoted, suggest } from '../toolkit/core/text.js';
import type { GivenFormats } from '../toolkit/documents/decide.js';
import { locate } from '../toolkit/documents/locate.js';
import type { Opened } from '../toolkit/documents/opened.js';
import type { RunCompany } from '../toolkit/documents/other-company.js';
import type { DocumentSequence } from '../toolkit/documents/phases.js';
import type { HeaderRows } from '../toolkit/documents/table-fit.js';
import { type Chosen, chooseReady, mappingOfTemplate } from '../toolkit/inspect/choose.js';
import { paramsNeeded } from '../toolkit/inspect/needs.js';
import { detectUnsupportedLayout } from '../toolkit/inspect/other-form.js';
import { inValues } from '../toolkit/inspect/param-questions.js';
import { keptOutlines, outlineOf, type ReadyMapping } from '../toolkit/inspect/ready.js';
import { readSheets } from '../toolkit/inspect/sheets.js';
import { type LoadedMapping, readMapping } from '../toolkit/mapping/load.js';
import {
  type CompiledParam,
  type ResolvedParams,
  readTyped,
  resolveParams,
  titlesOf,
  wrongParam,
} from '../toolkit/mapping/params.js';
import { readyFile, readyNames } from '../toolkit/mapping/shipped.js';
import { readSmallText, readYaml } from '../toolkit/mapping/yaml-source.js';
import { formatMonth, translatorOf } from '../toolkit/messages/texts.js';
import { cachedByLists } from '../toolkit/schema/catalogue.js';
import type { InputFile } from '../toolkit/tables/table.js';
import { askParams, movedOn, type Values, withYear } from './ask-params.js';
import type { Context } from './context.js';
import { during, emitMessage, type Masked } from './events.js';
import { type LastValues, lastValues, storeValues } from './last-params.js';
import { type JobOptions, namedValues } from './options.js';
import { givenFormats, splitAnswers } from './reading-answers.js';
import { asIfGiven, rememberedFor } from './remembered.js';

export const familiesOf = ({ families = FAMILIES }: Pick<Context, 'families'>): readonly Family[] => families;

export const deriveFor = (context: Pick<Context, 'families'>) => deriveWith(familiesOf(context));

/** Returns the schemas whose personal fields are masked for a mapping. */
export const maskedIn = (context: Context, mapping: Targets): Masked =>
  familyFor(context, mapping)?.documents ?? { schemas: mapping.targets.map(({ schema }) => schema) };

type Targets = Pick<LoadedMapping, 'targets'>;

/** Returns the family of all targets; undefined if they have none in common. */
export const familyFor = (context: Context, { targets }: Targets): Family | undefined =>
  familyOfAll(
    context,
    targets.map(({ schema }) => schema),
  );

/** Creates the order rules of a mapping's documents; undefined if they have none. */
export const followFor = (
  context: Context,
  mapping: Targets,
  site: FollowSite,
): DocumentSequence | undefined => familyFor(context, mapping)?.documents.follow?.(site);

function familyOfAll(context: Context, schemas: readonly string[]): Family | undefined {
  const families = new Set(schemas.map((schema) => familyOf(familiesOf(context), schema)));
  return families.size === 1 ? [...families][0] : undefined;
}

/** Family whose documents are sent. */
interface Sender {
  readonly family: Family;
  readonly kind: Delivery;
}

/** Returns the family that sends a mapping's documents. @throws PipelineError('usage', run/not-sendable) */
export async function senderFor(context: Context, { targets: [first, ...others] }: Targets): Promise<Sender> {
  const sender = await senderOf(context, first?.schema);
  const other = others.find(({ schema }) => !sender.family.documents.schemas.includes(schema));
  return other === undefined ? sender : stop('usage', { code: 'run/not-sendable', value: other.schema });
}

/** Returns the family of a run's documents; undefined if it has none. */
export async function familyOfRun(context: Context, journal: Sql, run: string): Promise<Family | undefined> {
  const schema = await schemaOfRun(journal, run);
  return schema === undefined ? undefined : familyOf(familiesOf(context), schema);
}

/** Loads a capability of the run's family. */
export const capabilityOfRun = async <K extends keyof Capabilities>(
  context: Context,
  journal: Sql,
  run: string,
  name: K,
): Promise<Capabilities[K] | undefined> => capability(await familyOfRun(context, journal, run), name);

/**
 * Returns the family that sends a run's documents; the first one for a run without documents.
 * @throws PipelineError('usage', run/not-sendable)
 */
export const senderOfRun = async (context: Context, journal: Sql, run: string): Promise<Sender> =>
  senderOf(context, await schemaOfRun(journal, run));

/**
 * Returns the family that sends a schema's documents; the first one if undefined.
 * @throws PipelineError('usage', run/not-sendable)
 */
export async function senderOf(context: Context, schema: SchemaName | undefined): Promise<Sender> {
  const [any] = familiesOf(context);
  const family = schema === undefined ? any : familyOf(familiesOf(context), schema);
  const kind = await capability(family, 'delivery');
  return family === undefined || kind === undefined
    ? stop('usage', { code: 'run/not-sendable', value: schema ?? '' })
    : { family, kind };
}

async function readParamsFile(path: string): Promise<Record<string, unknown>> {
  const refuse = (reason: string, cause?: unknown): never =>
    stop('usage', { code: 'run/params-file', params: { reason }, place: { file: basename(path) } }, cause);
  let text: string;
  try {
    text = readSmallText(path);
  } catch (cause) {
    return refuse((cause as NodeJS.ErrnoException).code ?? String(cause), cause);
  }
  const { value, issues } = readYaml(basename(path), text.replace(/^\uFEFF/, '')); // JSON is YAML
  const [issue] = issues;
  if (issue !== undefined)
    return stop('usage', {
      code: 'run/params-file',
      params: { reason: String(paramOf(issue, 'reason')) },
      place: issue.place,
    });
  return isObject(value) ? value : refuse('not-a-map');
}

/** Returns the parameters of a call: `-p` takes precedence, then `--params`, then the project. */
export async function givenParams(options: JobOptions): Promise<Record<string, unknown>> {
  const fromFile = options.params === undefined ? {} : await readParamsFile(options.params);
  return {
    ...options.project?.params,
    ...fromFile,
    ...(options.expand && { expand: true }),
    ...(options.byCufe && { by_cufe: true }),
    ...namedValues('-p', options.param),
  };
}

const compiledReady = cachedByLists(readMapping);

/** Loads a mapping file; ready-made ones are compiled once. */
const loadFile = async (file: string): Promise<LoadedMapping> =>
  file.startsWith(packageFile('mappings')) ? compiledReady(file) : readMapping(file);

async function listReady(): Promise<readonly ReadyMapping[]> {
  const outlines = keptOutlines();
  return readyNames().map((name) => {
    const outline = outlines.get(name);
    return {
      name,
      ...(outline && { outline }),
      get mapping() {
        return compiledReady(readyFile(name));
      },
    };
  });
}

let listed: Promise<readonly ReadyMapping[]> | undefined;

/** Lists the ready-made mappings, each compiled once, on first use. */
export function loadReadyMappings(): Promise<readonly ReadyMapping[]> {
  listed ??= listReady();
  return listed;
}

/**
 * Returns the file of a mapping, given by path or ready-made name.
 * @throws PipelineError('usage', run/no-mapping or run/mapping-not-found)
 */
export async function chooseMapping(given: string | undefined): Promise<string> {
  if (given !== undefined && existsSync(given)) return given;
  const names = readyNames();
  const ready = names.join(', ');
  if (given === undefined) return stop('usage', { code: 'run/no-mapping', params: { ready } });
  const name = given
    .replaceAll('\\', '/')
    .replace(/^mappings\//, '')
    .replace(/\.yaml$/, '');
  if (names.includes(name)) return readyFile(name);
  const suggestions = suggestReady(name, names);
  return stop('usage', { code: 'run/mapping-not-found', value: given, params: { ready }, suggestions });
}

/** Suggests the ready-made mappings that an unknown name can mean: the nearest ones, else all of its folder. */
export function suggestReady(name: string, names: readonly string[]): readonly Suggestion[] {
  const lastParts = suggest(basename(name), new Set(names.map((known) => basename(known))));
  const near = names.filter((known) => lastParts.some(({ value }) => value === basename(known)));
  const [folder = ''] = name.split('/');
  const [nearest] = suggest(folder, new Set(names.map((known) => dirname(known))));
  const meant = near.length > 0 ? near : names.filter((known) => dirname(known) === nearest?.value);
  return meant.map((value) => ({ value, score: 1 }));
}

/**
 * Loads a mapping by path or ready-made name.
 * @throws PipelineError('usage', run/no-mapping or run/mapping-not-found), or with the mapping's issues
 */
export const loadChosen = async (given: string | undefined): Promise<LoadedMapping> =>
  loadFile(await chooseMapping(given));

const MAX_LISTED = 4;

const doubt = translatorOf<DoubtsParams>(DOUBTS);

/** Describes why the closest mapping does not fit, in both languages. */
function misfit({ unsure, sheets, missing }: Chosen) {
  const phraseOf = (language: Language, phrase: 'missing' | 'unsure', all: readonly string[]): string => {
    if (all.length === 0) return '';
    const more =
      all.length > MAX_LISTED ? ` ${doubt(language, 'more', { count: all.length - MAX_LISTED })}` : '';
    return ` ${doubt(language, phrase, { names: all.slice(0, MAX_LISTED).join(', ') + more })}`;
  };
  const lacking = missing.map(({ title, param }) =>
    param === undefined ? title : `${title} (-p ${param}=…)`,
  );
  const doubtful = [...sheets, ...unsure];
  return {
    missing_es: phraseOf('es', 'missing', lacking),
    missing_en: phraseOf('en', 'missing', lacking),
    unsure_es: phraseOf('es', 'unsure', doubtful),
    unsure_en: phraseOf('en', 'unsure', doubtful),
  };
}

/** Returns the ready-made mapping for files whose table is always the same; undefined for others. */
export function readyFor(
  context: Context,
  inputs: readonly InputFile[],
  sending = false,
): string | undefined {
  const filled = inputs.filter(({ tables }) => tables.length > 0);
  for (const { documents } of familiesOf(context)) {
    const { ready } = documents.mappings;
    if (ready === undefined) continue;
    const matching = filled.filter(({ kind }) => kind === ready.kind).length;
    if (matching === filled.length && filled.length > 0)
      return sending ? (ready.sending ?? ready.mapping) : ready.mapping;
    if (matching > 0 && ready.sending !== undefined) return ready.sending;
  }
  return undefined;
}

/** True if the mapping is one that `readyFor` returns. */
export const isReady = (context: Context, mapping: string | undefined): boolean =>
  mapping !== undefined &&
  familiesOf(context).some(({ documents }) => documents.mappings.ready?.mapping === mapping);

/** Mapping that clearly fits the files. */
interface FittingMapping {
  readonly name: string;
  readonly file: string;
}

/** Ready-made mappings of which none fits, with the closest. */
interface NoFit {
  readonly none: Chosen;
  readonly ready: readonly ReadyMapping[];
}

/** Finds the mapping that clearly fits the files; reads only their first rows. */
async function findFitting(
  context: Context,
  opened: Opened,
  params: Readonly<Record<string, unknown>>,
  options: JobOptions,
  sending: boolean,
): Promise<FittingMapping | NoFit> {
  const inputs = await opened.inputs();
  const name = readyFor(context, inputs, sending);
  if (name !== undefined) return { name, file: readyFile(name) };
  const named = await mappingOfTemplate(inputs);
  if (named !== undefined) return { name: named, file: await chooseMapping(named) };
  const stored = await rememberedFor(context, options, inputs, params);
  if (stored?.isSameShape) return stored;
  const ready = await loadReadyMappings();
  const chosen = await chooseReady(inputs, ready, params, splitAnswers(options.answer).headers);
  if (chosen.name === undefined && stored !== undefined) return stored;
  const fitting = chosen.name ?? (context.ask?.value && chosen.butForParams); // which are asked for next
  return fitting !== undefined ? { name: fitting, file: readyFile(fitting) } : { none: chosen, ready };
}

/**
 * Reports what is missing or uncertain of the mapping that comes closest.
 * @throws PipelineError('usage', inspect/no-clear-mapping or inspect/nothing-found or the issue of another form)
 */
async function refuseUnclear(opened: Opened, { none: chosen, ready }: NoFit): Promise<never> {
  const { files } = opened;
  const { closest, missing } = chosen;
  const isFar = closest === undefined || missing.some(({ param }) => param === undefined);
  const form = isFar ? detectUnsupportedLayout(await readSheets(await opened.inputs()), ready) : undefined;
  if (form !== undefined) throw new PipelineError('usage', [form]);
  if (closest === undefined)
    return stop('usage', {
      code: 'inspect/nothing-found',
      value: files.map((file) => basename(file)).join(', '),
    });
  return stop('usage', {
    code: 'inspect/no-clear-mapping',
    params: {
      closest: closest.name,
      score: `${Math.round(closest.score * 100)} %`,
      files: files.map(quoted).join(' '),
      ...misfit(chosen),
    },
  });
}

const PREFIX = 'note_prefix';
const FIRST = 'first_note_consecutive';
const RESOLUTION = 'note_resolution_number';

/**
 * Separates the parameters of notes from the others; one file may hold those of all commands.
 * @throws PipelineError('usage', param/wrong)
 */
function takeNoteParams(all: Readonly<Record<string, unknown>>): {
  readonly given: Readonly<Record<string, unknown>>;
  readonly notes: NoteNumbers;
} {
  const { [PREFIX]: prefix, [FIRST]: first, [RESOLUTION]: resolution, ...given } = all;
  const wrong = (name: keyof typeof OWN_PARAMS, value: unknown, type: string): never => {
    const { es, en } = OWN_PARAMS[name];
    const params = { name, type, about_es: es, about_en: en };
    return stop('usage', { code: 'param/wrong', value: String(value), params });
  };
  if (prefix !== undefined && !/^[A-Z]{1,4}$/.test(String(prefix))) wrong(PREFIX, prefix, 'prefix');
  if (first !== undefined && !/^[1-9]\d*$/.test(String(first))) wrong(FIRST, first, 'integer');
  return {
    given,
    notes: {
      ...(prefix !== undefined && { prefix: String(prefix) }),
      ...(first !== undefined && { first: Number(first) }),
      ...(resolution !== undefined && { resolution: String(resolution) }),
    },
  };
}

/**
 * Removes parameters that only other mappings of the family have and emits their names, since one file may serve
 * several commands. Those of `-p` stay.
 */
async function withoutOthers(
  context: Context,
  mapping: LoadedMapping,
  given: Readonly<Record<string, unknown>>,
  options: JobOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const known = new Set([...mapping.params.keys(), ...Object.keys(namedValues('-p', options.param))]);
  const foreign = Object.keys(given).filter((name) => !known.has(name));
  const family = familyFor(context, mapping);
  if (
    (options.params ?? options.project?.params) === undefined ||
    foreign.length === 0 ||
    family === undefined
  )
    return given;
  const alike = (await loadReadyMappings())
    .map(outlineOf)
    .filter(({ schemas }) => familyOfAll(context, schemas)?.name === family.name);
  const others = foreign.filter((name) => alike.some(({ params }) => params.includes(name)));
  if (others.length > 0) emitMessage(context, 'paramsOfOthers', { names: others.join(', ') });
  return Object.fromEntries(Object.entries(given).filter(([name]) => !others.includes(name)));
}

/** Input of `check`, `convert` and `send`: files, mapping and parameters. */
export interface Job {
  readonly opened: Opened;
  readonly mapping: LoadedMapping;
  readonly mappingFile?: string;
  readonly params: ResolvedParams;
  /** Company of the documents, for tables that may name it. */
  readonly company?: RunCompany | undefined;
  /** Formats that the call's answers set. */
  readonly formats: GivenFormats;
  /** True to accept unambiguous format errors in JSON, as a new file is written. */
  readonly mendsJson?: boolean;
  /** Header rows given by the call. */
  readonly headers: HeaderRows;
  /** Numbering of the notes `cargue adjust` makes. */
  readonly notes: NoteNumbers;
  /** Name of the mapping chosen by the files; undefined if the call named one. */
  readonly chosen?: string;
  /** True if the defaults are the same as last time. */
  readonly usualDefaults?: boolean;
  /** Stores the inferred formats; returns true if they are the same as last time. */
  readonly keepFormats?: (styles: readonly string[]) => Promise<boolean>;
}

/** Returns the job with what reading needs: derivation and date. */
export const planOf = (context: Context, job: Job) => ({
  ...job,
  derive: deriveFor(context),
  today: dateInBogota(context.now()),
});

const MONTH = 'month';

/** Formats a value for users, with day first in dates. */
const withDatesInWords = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\d{4}-\d\d-\d\d/g, (date) =>
    date.split('-').reverse().join('/'),
  );

/** Adds the year to a month named without it. */
export function withWholeMonth<O extends JobOptions>(context: Context, options: O): O {
  const prefix = `${MONTH}=`;
  const param = options.param?.map((pair) =>
    pair.startsWith(prefix) ? prefix + withYear(context, pair.slice(prefix.length)) : pair,
  );
  return {
    ...options,
    ...(param && { param }),
    ...(options.month && { month: withYear(context, options.month) }),
  };
}

/** Moves the parameters of an earlier month to `--month`; those of `-p` are not moved. */
function inMonth(context: Context, { params }: LoadedMapping, given: Values, options: JobOptions): Values {
  if (options.month === undefined) return given;
  const direct = namedValues('-p', options.param);
  const { [MONTH]: before, ...rest } = given;
  const spec = params.get(MONTH);
  const month = spec && readTyped(spec.spec, options.month);
  if (spec !== undefined && month === undefined)
    throw new PipelineError('usage', [wrongParam(spec, options.month)]);
  const then = spec && typeof before === 'string' ? readTyped(spec.spec, before) : undefined;
  const months = typeof then === 'string' ? monthsBetween(then, String(month)) : 0;
  const moved = { ...movedOn(params, rest, months), ...direct };
  const titles = titlesOf(params);
  const changed = Object.entries(moved).filter(([name, value]) => value !== given[name]);
  if (changed.length > 0 && months !== 0)
    emitMessage(context, 'movedOn', {
      month: formatMonth(String(month), context.language),
      list: changed
        .map(([name, value]) => `${titles[name]?.[context.language] ?? name}: ${withDatesInWords(value)}`)
        .join('; '),
    });
  return { [MONTH]: month ?? options.month, ...moved };
}

/** Returns the company for families whose tables name it; it may have a name only. */
export function companyNamed(
  family: Family | undefined,
  { company = '' }: JobOptions,
): RunCompany | undefined {
  const nit = canonicalCompany(company);
  return family?.documents.company === 'above' ? (isNit(nit) ? { nit } : {}) : undefined;
}

/** Adds the company's NIT as a parameter if its family compares documents with it and none is given. */
function withCompany(
  family: Family | undefined,
  { params }: LoadedMapping,
  given: Values,
  { company = '' }: JobOptions,
): Values {
  const by = family?.documents.company;
  const nit = canonicalCompany(company);
  if (typeof by !== 'object' || !params.has(by.param) || !isNit(nit)) return given;
  return { [by.param]: nit, ...given };
}

/** Asks the user for the parameters still missing. */
export async function withAsked(
  context: Context,
  opened: Opened,
  mapping: LoadedMapping,
  given: Values,
  options: JobOptions,
  isAsked: (spec: CompiledParam['spec']) => boolean = () => true,
): Promise<Values> {
  if (context.ask?.value === undefined) return given;
  const needed = async () => paramsNeeded(await opened.inputs(), mapping, given);
  const names = await during(context, 'lookingForParams', needed);
  const asked = [...mapping.params.values()].filter(({ name, spec }) => names.has(name) && isAsked(spec));
  if (asked.length === 0) return given;
  await opened.close(); // the user may change the files meanwhile
  const last = await lastValues(context, options);
  return { ...given, ...(await askParams(context, asked, given, last, mapping)) };
}

/** True if the files have the tables of a mapping. */
async function isFoundIn(mapping: LoadedMapping, opened: Opened, given: Readonly<Record<string, unknown>>) {
  const { issues } = await locate(mapping, await opened.inputs(), asIfGiven(mapping, given));
  return !hasErrors(issues);
}

/**
 * Refuses the project's mapping if another ready-made one plainly fits the files.
 * @throws PipelineError('usage', project/other-mapping)
 */
async function refuseOther(named: string, find: () => Promise<FittingMapping | NoFit>): Promise<void> {
  const fitting = await find();
  // If none fits, the named one says what it lacks.
  if ('name' in fitting && fitting.name !== named && readyNames().includes(fitting.name))
    stop('usage', { code: 'project/other-mapping', value: named, params: { mapping: fitting.name } });
}

/** Loads the mapping the call names, or the one that fits its files. */
async function mappingFor(
  context: Context,
  opened: Opened,
  given: Readonly<Record<string, unknown>>,
  options: JobOptions,
  sending: boolean,
): Promise<{ readonly mapping: LoadedMapping; readonly mappingFile: string; readonly chosen?: string }> {
  const find = () => findFitting(context, opened, given, options, sending);
  if (options.mapping !== undefined) {
    const mappingFile = await chooseMapping(options.mapping);
    const mapping = await loadFile(mappingFile);
    if (options.project?.mapping === options.mapping && !(await isFoundIn(mapping, opened, given)))
      await refuseOther(options.mapping, find);
    return { mapping, mappingFile };
  }
  const fit = await during(context, 'choosing', find);
  if (!('name' in fit)) return refuseUnclear(opened, fit);
  const { name, file } = fit;
  return { mapping: await loadFile(file), mappingFile: file, chosen: name };
}

/** Chooses the mapping of files, without the rest of a job. */
export async function loadFiles(
  context: Context,
  opened: Opened,
  call: JobOptions,
): Promise<Pick<Job, 'mapping' | 'chosen'>> {
  const options = withWholeMonth(context, call);
  const { given } = takeNoteParams(await givenParams(options));
  return mappingFor(context, opened, given, options, true);
}

/**
 * Prepares a job; without a mapping in the call, the first rows show which one fits.
 * @throws PipelineError('usage' or 'mapping') with all issues of the failed step
 */
export async function loadJob(
  context: Context,
  opened: Opened,
  call: JobOptions,
  { sending = false }: { readonly sending?: boolean } = {},
): Promise<Job> {
  const options = withWholeMonth(context, call);
  const answers = splitAnswers(options.answer);
  const { given, notes } = takeNoteParams(await givenParams(options));
  const { mapping, mappingFile, chosen } = await mappingFor(context, opened, given, options, sending);
  const month = inMonth(context, mapping, await withoutOthers(context, mapping, given, options), options);
  const withNit = withCompany(familyFor(context, mapping), mapping, month, options);
  const asked = await withAsked(context, opened, mapping, withNit, options);
  const { value: typed, issues: unread } = inValues(asked, mapping);
  const { value, issues } = resolveParams(mapping.params, typed, dateInBogota(context.now()));
  const wrong = [...unread, ...issues];
  if (hasErrors(wrong)) throw new PipelineError('usage', wrong);
  for (const issue of unread) context.tell({ event: 'remark', issue });
  const usualDefaults = await keepForNextMonth(context, options, mapping, typed, value);
  return {
    opened,
    mapping,
    mappingFile,
    params: value,
    company: companyNamed(familyFor(context, mapping), options),
    formats: givenFormats({ answer: answers.others }),
    headers: answers.headers,
    notes,
    ...(chosen !== undefined && { chosen }),
    usualDefaults,
    keepFormats: (styles) => keepFormats(context, options, mapping, styles),
  };
}

/** Stores the formats of a mapping's files; returns true if they are the same as last time. */
async function keepFormats(
  context: Context,
  options: JobOptions,
  { name }: LoadedMapping,
  styles: readonly string[],
): Promise<boolean> {
  const last = (await lastValues(context, options)).formats?.[name];
  await storeValues(context, options, { formats: { [name]: styles } }).catch(() => undefined);
  return JSON.stringify(last) === JSON.stringify(styles);
}

/** Stores the parameters to offer next month; returns true if the defaults are the same as last time. */
async function keepForNextMonth(
  context: Context,
  options: JobOptions,
  { name }: LoadedMapping,
  given: Values,
  { defaults }: ResolvedParams,
): Promise<boolean> {
  const last = await lastValues(context, options);
  const now = JSON.parse(JSON.stringify({ params: given, defaults: { [name]: defaults } })) as LastValues;
  const on = dateInBogota(context.now());
  await storeValues(context, options, { ...now, on }).catch(() => undefined); // a folder that cannot be written keeps nobody from checking
  return JSON.stringify(last.defaults?.[name]) === JSON.stringify(now.defaults?.[name]);
}
