import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Capabilities, Delivery, Family, FollowSite, NoteNumbers } from '../families/family.js';
import { capability, deriveWith, FAMILIES, familyOf } from '../families/registry.js';
import type { SchemaName } from '../generated/schema-types.js';
import { OWN_PARAMS } from '../generated/texts-issue.js';
import { DOUBTS, type DoubtsParams } from '../generated/texts-proposal.js';
import type { Sql } from '../send/database.js';
import { canonicalCompany, isNit } from '../send/journal-proof.js';
import { schemaOfRun } from '../send/runs.js';
import { hasErrors, type Language, PipelineError, paramOf, stop } from '../toolkit/core/issue.js';
import { isObject } from '../toolkit/core/json.js';
import { packageFile } from '../toolkit/core/package-file.js';
import { dateInBogota, monthsBetween } from '../toolkit/core/plain-date.js';
import { quoted } from '../toolkit/core/text.js';
import type { GivenFormats } from '../toolkit/documents/decide.js';
import type { Opened } from '../toolkit/documents/opened.js';
import type { RunCompany } from '../toolkit/documents/other-company.js';
import type { Follow } from '../toolkit/documents/phases.js';
import type { HeaderRows } from '../toolkit/documents/table-fit.js';
import { type Chosen, chooseReady, mappingOfTemplate } from '../toolkit/inspect/choose.js';
import { paramsNeeded } from '../toolkit/inspect/needs.js';
import { otherForm } from '../toolkit/inspect/other-form.js';
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
import { readSmallText, readYaml } from '../toolkit/mapping/yaml-source.js';
import { formatMonth, sayer } from '../toolkit/messages/texts.js';
import { keptByLists } from '../toolkit/schema/catalogue.js';
import type { InputFile } from '../toolkit/tables/table.js';
import { askParams, movedOn, type Values, withYear } from './ask-params.js';
import type { Context } from './context.js';
import { during, emitMessage, type Masked } from './events.js';
import { type LastValues, lastValues, storeValues } from './last-params.js';
import { type JobOptions, namedValues } from './options.js';
import { givenFormats, splitAnswers } from './reading-answers.js';
import { rememberedFor } from './remembered.js';

/** Those that a call knows. */
export const familiesOf = ({ families = FAMILIES }: Pick<Context, 'families'>): readonly Family[] => families;

/** Fills in what the documents of each family derive. */
export const deriveFor = (context: Pick<Context, 'families'>) => deriveWith(familiesOf(context));

/** What of a mapping's documents is personal. */
export const maskedIn = (context: Context, mapping: Targets): Masked =>
  familyFor(context, mapping)?.documents ?? { schemas: mapping.targets.map(({ schema }) => schema) };

type Targets = Pick<LoadedMapping, 'targets'>;

/** The family that all targets of a mapping are of; undefined where there is none. */
export const familyFor = (context: Context, { targets }: Targets): Family | undefined =>
  familyOfAll(
    context,
    targets.map(({ schema }) => schema),
  );

/** How the documents of a mapping follow each other, where they do. */
export const followFor = (context: Context, mapping: Targets, site: FollowSite): Follow | undefined =>
  familyFor(context, mapping)?.documents.follow?.(site);

function familyOfAll(context: Context, schemas: readonly string[]): Family | undefined {
  const families = new Set(schemas.map((schema) => familyOf(familiesOf(context), schema)));
  return families.size === 1 ? [...families][0] : undefined;
}

/** A family whose documents are sent. */
interface Sender {
  readonly family: Family;
  readonly kind: Delivery;
}

/** The family of a mapping's documents, by which they are sent. @throws PipelineError('usage', run/not-sendable) */
export async function senderFor(context: Context, { targets: [first, ...others] }: Targets): Promise<Sender> {
  const sender = await senderOf(context, first?.schema);
  const other = others.find(({ schema }) => !sender.family.documents.schemas.includes(schema));
  return other === undefined ? sender : stop('usage', { code: 'run/not-sendable', value: other.schema });
}

/** The family of a run's documents; undefined where none was made. */
export async function familyOfRun(context: Context, journal: Sql, run: string): Promise<Family | undefined> {
  const schema = await schemaOfRun(journal, run);
  return schema === undefined ? undefined : familyOf(familiesOf(context), schema);
}

/** Capability of one kind that a family has. */
export const capabilityOfRun = async <K extends keyof Capabilities>(
  context: Context,
  journal: Sql,
  run: string,
  name: K,
): Promise<Capabilities[K] | undefined> => capability(await familyOfRun(context, journal, run), name);

/**
 * The family by which the documents of a run are sent; any for a run without documents.
 * @throws PipelineError('usage', run/not-sendable)
 */
export const senderOfRun = async (context: Context, journal: Sql, run: string): Promise<Sender> =>
  senderOf(context, await schemaOfRun(journal, run));

/** Who sends documents of a schema; of a run without any, whoever it is. */
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

/** Parameters of the call: those of the project, over them those of `--params`, and over them each `-p`. */
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

const EXTENSION = '.yaml';

const fileOfReady = (name: string): string => packageFile('mappings', `${name}${EXTENSION}`);

/** Names of the ready-made mappings: `payroll/wide`. */
export async function readyMappings(): Promise<readonly string[]> {
  const folder = packageFile('mappings');
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  return found
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(EXTENSION) && !/^(synonyms|vocabularies)\//.test(file))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

const compiledReady = keptByLists(readMapping);

/** A mapping by its file; a ready-made one is compiled once. */
const loadFile = async (file: string): Promise<LoadedMapping> =>
  file.startsWith(packageFile('mappings')) ? compiledReady(file) : readMapping(file);

async function listReady(): Promise<readonly ReadyMapping[]> {
  const outlines = keptOutlines();
  return (await readyMappings()).map((name) => {
    const outline = outlines.get(name);
    return {
      name,
      ...(outline && { outline }),
      get mapping() {
        return compiledReady(fileOfReady(name));
      },
    };
  });
}

let listed: Promise<readonly ReadyMapping[]> | undefined;

/** The ready-made mappings, each compiled once, when it is asked for. */
export function loadReadyMappings(): Promise<readonly ReadyMapping[]> {
  listed ??= listReady();
  return listed;
}

/**
 * The mapping's file: a path, or the name of a ready-made one.
 * @throws PipelineError('usage', run/no-mapping or run/mapping-not-found)
 */
export async function chooseMapping(given: string | undefined): Promise<string> {
  if (given !== undefined && existsSync(given)) return given;
  const names = await readyMappings();
  const ready = names.join(', ');
  if (given === undefined) return stop('usage', { code: 'run/no-mapping', params: { ready } });
  const name = given
    .replaceAll('\\', '/')
    .replace(/^mappings\//, '')
    .replace(/\.yaml$/, '');
  if (names.includes(name)) return fileOfReady(name);
  return stop('usage', { code: 'run/mapping-not-found', value: given, params: { ready } });
}

/**
 * The mapping of a file, or the ready-made one of a name.
 * @throws PipelineError('usage', run/no-mapping or run/mapping-not-found), and what is wrong with the mapping
 */
export const loadChosen = async (given: string | undefined): Promise<LoadedMapping> =>
  loadFile(await chooseMapping(given));

const MOST_NAMED = 4;

const doubt = sayer<DoubtsParams>(DOUBTS);

/** What keeps the closest mapping from being taken, in both languages. */
function doubts({ unsure, sheets, missing }: Chosen) {
  const said = (language: Language, phrase: 'missing' | 'unsure', all: readonly string[]): string => {
    if (all.length === 0) return '';
    const more =
      all.length > MOST_NAMED ? ` ${doubt(language, 'more', { count: all.length - MOST_NAMED })}` : '';
    return ` ${doubt(language, phrase, { names: all.slice(0, MOST_NAMED).join(', ') + more })}`;
  };
  const lacking = missing.map(({ title, param }) =>
    param === undefined ? title : `${title} (-p ${param}=…)`,
  );
  const doubtful = [...sheets, ...unsure];
  return {
    missing_es: said('es', 'missing', lacking),
    missing_en: said('en', 'missing', lacking),
    unsure_es: said('es', 'unsure', doubtful),
    unsure_en: said('en', 'unsure', doubtful),
  };
}

/** The ready-made mapping of a family for files of a kind whose table is always the same. */
export function readyFor(
  context: Context,
  inputs: readonly InputFile[],
  sending = false,
): string | undefined {
  const filled = inputs.filter(({ tables }) => tables.length > 0);
  for (const { documents } of familiesOf(context)) {
    const { ready } = documents.mappings;
    if (ready === undefined) continue;
    const own = filled.filter(({ kind }) => kind === ready.kind).length;
    if (own === filled.length && filled.length > 0)
      return sending ? (ready.sending ?? ready.mapping) : ready.mapping;
    if (own > 0 && ready.sending !== undefined) return ready.sending;
  }
  return undefined;
}

/** Whether a mapping is one of those. */
export const isReady = (context: Context, mapping: string | undefined): boolean =>
  mapping !== undefined &&
  familiesOf(context).some(({ documents }) => documents.mappings.ready?.mapping === mapping);

/**
 * The ready-made mapping that plainly fits the files, by its name and file. Only first rows are read.
 * @throws PipelineError('usage', inspect/no-clear-mapping) with what is missing or unsure
 */
async function chooseFor(
  context: Context,
  opened: Opened,
  params: Readonly<Record<string, unknown>>,
  options: JobOptions,
  sending: boolean,
): Promise<{ readonly name: string; readonly file: string }> {
  const { files } = opened;
  const inputs = await opened.inputs();
  const name = readyFor(context, inputs, sending);
  if (name !== undefined) return { name, file: fileOfReady(name) };
  const named = await mappingOfTemplate(inputs);
  if (named !== undefined) return { name: named, file: await chooseMapping(named) };
  const own = await rememberedFor(context, options, inputs, params);
  if (own?.isSameShape) return own;
  const ready = await loadReadyMappings();
  const chosen = await chooseReady(inputs, ready, params, splitAnswers(options.answer).headers);
  if (chosen.name === undefined && own !== undefined) return own;
  const fitting = chosen.name ?? (context.ask?.value && chosen.butForParams); // which are asked for next
  if (fitting !== undefined)
    return { name: fitting, file: packageFile('mappings', `${fitting}${EXTENSION}`) };
  const { closest, missing } = chosen;
  const isFar = closest === undefined || missing.some(({ param }) => param === undefined);
  const form = isFar ? otherForm(await readSheets(inputs), ready) : undefined;
  if (form !== undefined) throw new PipelineError('usage', [form]);
  if (closest === undefined)
    return stop('usage', {
      code: 'inspect/nothing-found',
      value: files.map((file) => basename(file)).join(', '),
      params: { ready: ready.map(({ name }) => name).join(', ') },
    });
  return stop('usage', {
    code: 'inspect/no-clear-mapping',
    params: {
      closest: closest.name,
      score: `${Math.round(closest.score * 100)} %`,
      files: files.map(quoted).join(' '),
      ...doubts(chosen),
    },
  });
}

const PREFIX = 'note_prefix';
const FIRST = 'first_note_consecutive';
const RESOLUTION = 'note_resolution_number';

/**
 * Takes the parameters of notes out of those of a call, which may stand in the same file for every command.
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
 * A file of parameters may serve several commands: what only other mappings of the family take is named, and no mistake there.
 * What the call itself says stays.
 */
async function withoutOthers(
  context: Context,
  mapping: LoadedMapping,
  given: Readonly<Record<string, unknown>>,
  options: JobOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const own = new Set([...mapping.params.keys(), ...Object.keys(namedValues('-p', options.param))]);
  const foreign = Object.keys(given).filter((name) => !own.has(name));
  const family = familyFor(context, mapping);
  if ((options.params ?? options.project) === undefined || foreign.length === 0 || family === undefined)
    return given;
  const alike = (await loadReadyMappings())
    .map(outlineOf)
    .filter(({ schemas }) => familyOfAll(context, schemas)?.name === family.name);
  const others = foreign.filter((name) => alike.some(({ params }) => params.includes(name)));
  if (others.length > 0) emitMessage(context, 'paramsOfOthers', { names: others.join(', ') });
  return Object.fromEntries(Object.entries(given).filter(([name]) => !others.includes(name)));
}

/** What `check`, `convert` and `send` share: which files, read how, with which parameters. */
export interface Job {
  readonly opened: Opened;
  readonly mapping: LoadedMapping;
  /** Where it was read. */
  readonly mappingFile?: string;
  readonly params: ResolvedParams;
  /** Whose documents they are, where tables may name it. */
  readonly company?: RunCompany | undefined;
  /** How texts are read, as far as the call answers it. */
  readonly formats: GivenFormats;
  /** Slips of form in JSON files that leave no doubt are read as what they mean: what is made is a new file. */
  readonly mendsJson?: boolean;
  /** Rows of headers that the call says. */
  readonly headers: HeaderRows;
  /** Of the notes that `cargue adjust` makes. */
  readonly notes: NoteNumbers;
  /** Name of the ready-made mapping that was chosen because the call named none. */
  readonly chosen?: string;
  /** Whether the defaults in use are those of the last time. */
  readonly usualDefaults?: boolean;
  /** Keeps the formats that the cells show. Returns whether they are those of the last time. */
  readonly keepFormats?: (styles: readonly string[]) => Promise<boolean>;
}

/** The job as its files are read today. */
export const planOf = (context: Context, job: Job) => ({
  ...job,
  derive: deriveFor(context),
  today: dateInBogota(context.now()),
});

const MONTH = 'month';

/** A value as a person writes it: days come first. */
const withDatesInWords = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\d{4}-\d\d-\d\d/g, (date) =>
    date.split('-').reverse().join('/'),
  );

/** The options with the year of a month that is named without it. */
export function withWholeMonth<O extends JobOptions>(context: Context, options: O): O {
  const own = `${MONTH}=`;
  const param = options.param?.map((pair) =>
    pair.startsWith(own) ? own + withYear(context, pair.slice(own.length)) : pair,
  );
  return {
    ...options,
    ...(param && { param }),
    ...(options.month && { month: withYear(context, options.month) }),
  };
}

/** Parameters of an earlier month as of that of `--month`; what `-p` says is of this one already. */
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

/** Whose documents are made, for families whose tables say it themselves; a company may have no more than a name. */
export function companyNamed(
  family: Family | undefined,
  { company = '' }: JobOptions,
): RunCompany | undefined {
  const nit = canonicalCompany(company);
  return family?.documents.company === 'above' ? (isNit(nit) ? { nit } : {}) : undefined;
}

/** The parameters with the NIT of the run's company, where its family compares documents with it and no parameter says it. */
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

/** What is still needed, asked of whoever is there. */
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

/** The mapping that the call names, or the one that plainly fits its files, by its name. */
async function mappingFor(
  context: Context,
  opened: Opened,
  given: Readonly<Record<string, unknown>>,
  options: JobOptions,
  sending: boolean,
): Promise<{ readonly mapping: LoadedMapping; readonly mappingFile: string; readonly chosen?: string }> {
  if (options.mapping !== undefined) {
    const mappingFile = await chooseMapping(options.mapping);
    return { mapping: await loadFile(mappingFile), mappingFile };
  }
  const choose = () => chooseFor(context, opened, given, options, sending);
  const { name, file } = await during(context, 'choosing', choose);
  return { mapping: await loadFile(file), mappingFile: file, chosen: name };
}

/** Which files are read how, before anything else of the run is known. */
export async function loadFiles(
  context: Context,
  opened: Opened,
  said: JobOptions,
): Promise<Pick<Job, 'mapping' | 'chosen'>> {
  const options = withWholeMonth(context, said);
  const { given } = takeNoteParams(await givenParams(options));
  return mappingFor(context, opened, given, options, true);
}

/**
 * Settles everything that does not need the input itself; without a mapping the first rows tell which one fits.
 * @throws PipelineError('usage' or 'mapping') with all findings of the step that failed
 */
export async function loadJob(
  context: Context,
  opened: Opened,
  said: JobOptions,
  { sending = false }: { readonly sending?: boolean } = {},
): Promise<Job> {
  const options = withWholeMonth(context, said);
  const answers = splitAnswers(options.answer);
  const { given, notes } = takeNoteParams(await givenParams(options));
  const { mapping, mappingFile, chosen } = await mappingFor(context, opened, given, options, sending);
  const month = inMonth(context, mapping, await withoutOthers(context, mapping, given, options), options);
  const own = withCompany(familyFor(context, mapping), mapping, month, options);
  const asked = await withAsked(context, opened, mapping, own, options);
  const { value: whole = {}, issues: unread } = inValues(asked, mapping, context.language);
  const { value, issues } = resolveParams(mapping.params, whole, dateInBogota(context.now()));
  const wrong = [...unread, ...issues];
  if (value === undefined || hasErrors(wrong)) throw new PipelineError('usage', wrong);
  for (const issue of unread) context.tell({ event: 'remark', issue });
  const usualDefaults = await keepForNextMonth(context, options, mapping, whole, value);
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

/** Returns whether a mapping's files show the formats that they showed the last time. */
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

/** What was said is offered next month. Returns whether the defaults in use are those of the last time. */
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
