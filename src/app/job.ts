import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { namedValues, type Options } from '../cli/options.js';
import { formatPlace, hasErrors, type Language, PipelineError, stop } from '../core/issue.js';
import { packageFile } from '../core/package-file.js';
import { withInputs } from '../documents/locate.js';
import type { GivenFormats, VotedTable } from '../documents/read-table.js';
import { EVENTS, RECEPTION } from '../families/events/kind.js';
import { DELETION, REPLACEMENT } from '../families/payroll/adjust-note.js';
import { PAYROLL } from '../families/payroll/kind.js';
import { RIPS } from '../families/rips/kind.js';
import type { SchemaName } from '../generated/schema-types.js';
import { type LoadedMapping, loadMapping } from '../mapping/load.js';
import { type ResolvedParams, resolveParams } from '../mapping/params.js';
import { readSmallText, readYaml } from '../mapping/yaml-source.js';
import type { Text } from '../messages/codes.js';
import { type Chosen, chooseReady } from '../propose/choose.js';
import type { ReadyMapping } from '../propose/inspect.js';
import type { DocumentFamily } from '../report/run-report.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import { cellPlace, type InputFile } from '../tables/table.js';
import { expandFiles } from './files.js';

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  decimal: ['comma', 'dot'],
  date: ['dmy', 'mdy', 'ymd'],
};

/** `--answer decimal=comma`, `--answer date=dmy`: how amounts and dates are read where the cells leave it open. */
function givenFormats({ answer }: Options): GivenFormats {
  const answers = namedValues('--answer', answer);
  for (const [id, value] of Object.entries(answers))
    if (!ANSWERS[id]?.includes(value)) {
      const expected = Object.entries(ANSWERS).map(([name, values]) => `${name}=${values.join('|')}`);
      stop('usage', {
        code: 'run/bad-option',
        value: `${id}=${value}`,
        params: { option: '--answer', expected: expected.join(', ') },
      });
    }
  return answers as GivenFormats;
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
    return refuse(`${issue.params['line']}:${issue.params['column']} ${issue.params['reason']}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('name: value');
  return value as Record<string, unknown>;
}

/** Parameters of the call: those of `--params`, and over them each `-p`. */
export async function givenParams(options: Options): Promise<Record<string, unknown>> {
  const fromFile = options.params === undefined ? {} : await readParamsFile(options.params);
  return {
    ...fromFile,
    ...(options.expand && { expand: true }),
    ...(options.byCufe && { by_cufe: true }),
    ...namedValues('-p', options.param),
  };
}

const EXTENSION = '.yaml';

/** Names of the ready-made mappings: `payroll/wide`. */
export async function readyMappings(): Promise<readonly string[]> {
  const folder = packageFile('mappings');
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  return found
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(EXTENSION) && !file.startsWith('synonyms/'))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/** The ready-made mappings, compiled. */
export const loadReadyMappings = async (): Promise<readonly ReadyMapping[]> =>
  Promise.all(
    (await readyMappings()).map(async (name) => ({
      name,
      mapping: await loadMapping(packageFile('mappings', `${name}${EXTENSION}`)),
    })),
  );

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
  if (names.includes(name)) return packageFile('mappings', `${name}${EXTENSION}`);
  return stop('usage', { code: 'run/mapping-not-found', value: given, params: { ready } });
}

const MOST_NAMED = 4;

const listed = (names: readonly string[], more: (count: number) => string): string =>
  names.slice(0, MOST_NAMED).join(', ') +
  (names.length > MOST_NAMED ? ` ${more(names.length - MOST_NAMED)}` : '');

/** What keeps the closest mapping from being taken, in both languages. */
function doubts({ unsure, sheets, missing }: Chosen): Record<string, string> {
  const said = (title: string, names: readonly string[], more: (count: number) => string): string =>
    names.length === 0 ? '' : ` ${title}: ${listed(names, more)}.`;
  const lacking = missing.map(({ title, param }) =>
    param === undefined ? title : `${title} (-p ${param}=…)`,
  );
  const doubtful = [...sheets, ...unsure];
  const es = (count: number): string => `y ${count} más`;
  const en = (count: number): string => `and ${count} more`;
  return {
    missing_es: said('Falta', lacking, es),
    missing_en: said('Missing', lacking, en),
    unsure_es: said('No es seguro', doubtful, es),
    unsure_en: said('Not sure', doubtful, en),
  };
}

const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

/** What XML documents are for where nothing else is said. */
export const FOR_DOCUMENTS = 'events/attached';

/** Whether all files are XML documents, whose table is always the same. */
export const areDocuments = (inputs: readonly InputFile[]): boolean =>
  inputs.every(({ kind }) => kind === 'xml');

/**
 * The ready-made mapping that plainly fits the files, by its name and file. Only first rows are read.
 * @throws PipelineError('usage', inspect/no-clear-mapping) with what is missing or unsure
 */
const chooseForFiles = (
  files: readonly string[],
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly name: string; readonly file: string }> =>
  withInputs(files, (inputs) => chooseFor(files, inputs, params));

async function chooseFor(
  files: readonly string[],
  inputs: readonly InputFile[],
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly name: string; readonly file: string }> {
  if (areDocuments(inputs))
    return { name: FOR_DOCUMENTS, file: packageFile('mappings', `${FOR_DOCUMENTS}${EXTENSION}`) };
  const ready = await loadReadyMappings();
  const chosen = await chooseReady(inputs, ready, params);
  if (chosen.name !== undefined)
    return { name: chosen.name, file: packageFile('mappings', `${chosen.name}${EXTENSION}`) };
  const { closest } = chosen;
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

/** Where the numbers of adjust notes come from, which are no business of a mapping of payrolls. */
interface NoteParams {
  readonly prefix?: string;
  /** Used when the journal has no note of that prefix yet. */
  readonly first?: number;
}

const PREFIX = 'note_prefix';
const FIRST = 'first_note_consecutive';

/**
 * Takes the parameters of notes out of those of a call, which may stand in the same file for every command.
 * @throws PipelineError('usage', param/wrong)
 */
function takeNoteParams(all: Readonly<Record<string, unknown>>): {
  readonly given: Readonly<Record<string, unknown>>;
  readonly notes: NoteParams;
} {
  const { [PREFIX]: prefix, [FIRST]: first, ...given } = all;
  const wrong = (name: string, value: unknown, type: string): never =>
    stop('usage', { code: 'param/wrong', value: String(value), params: { name, type } });
  if (prefix !== undefined && !/^[A-Z]{1,4}$/.test(String(prefix))) wrong(PREFIX, prefix, 'A … ZZZZ');
  if (first !== undefined && !/^[1-9]\d*$/.test(String(first))) wrong(FIRST, first, 'integer');
  return {
    given,
    notes: {
      ...(prefix !== undefined && { prefix: String(prefix) }),
      ...(first !== undefined && { first: Number(first) }),
    },
  };
}

/** What `check`, `convert` and `send` share: which files, read how, with which parameters. */
export interface Job {
  readonly files: readonly string[];
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
  /** How texts are read, as far as the call answers it. */
  readonly formats: GivenFormats;
  /** Prefix and first number of the adjust notes that `cargue adjust` makes of payrolls. */
  readonly notes: NoteParams;
  /** Name of the ready-made mapping that was chosen because the call named none. */
  readonly chosen?: string;
}

/**
 * Settles everything that does not need the input itself; without a mapping the first rows tell which one fits.
 * @throws PipelineError('usage' or 'mapping') with all findings of the step that failed
 */
export async function loadJob(patterns: readonly string[], options: Options): Promise<Job> {
  const files = await expandFiles(patterns);
  const { given, notes } = takeNoteParams(await givenParams(options));
  const chosen = options.mapping === undefined ? await chooseForFiles(files, given) : undefined;
  const mapping = await loadMapping(chosen?.file ?? (await chooseMapping(options.mapping)));
  const { value, issues } = resolveParams(mapping.params, given);
  if (value === undefined || hasErrors(issues)) throw new PipelineError('usage', issues);
  return {
    files,
    mapping,
    params: value,
    formats: givenFormats(options),
    notes,
    ...(chosen && { chosen: chosen.name }),
  };
}

const STYLES: Readonly<Record<string, Text>> = {
  comma: { es: 'decimales con coma', en: 'decimal comma' },
  dot: { es: 'decimales con punto', en: 'decimal point' },
  dmy: { es: 'fechas día/mes/año', en: 'dates day/month/year' },
  mdy: { es: 'fechas mes/día/año', en: 'dates month/day/year' },
  ymd: { es: 'fechas año/mes/día', en: 'dates year/month/day' },
};

/** The formats that were decided by what the cells show, each with a cell that shows it. */
export class FormatList {
  private readonly found = new Map<string, { readonly style: string; readonly cell: string }>();

  add({ table, verdicts }: VotedTable): void {
    for (const { style, by, evidence } of verdicts.values()) {
      if (style === undefined || by !== 'column' || evidence === undefined) continue;
      const place = cellPlace(table.source, evidence.row, evidence.index);
      const key = [place.file, place.sheet, style].join('\n');
      if (!this.found.has(key))
        this.found.set(key, { style, cell: `${formatPlace(place)} «${evidence.text.trim()}»` });
    }
  }

  worded(language: Language): string[] {
    return [...this.found.values()].map(({ style, cell }) => `${STYLES[style]![language]} (${cell})`);
  }
}

const KINDS: Readonly<Partial<Record<SchemaName, DocumentKind>>> = {
  'payroll/payroll': PAYROLL,
  [REPLACEMENT]: PAYROLL,
  [DELETION]: PAYROLL,
  'events/event-by-cufe': EVENTS,
  'events/event-by-document': EVENTS,
  'events/seller-reception': RECEPTION,
  'rips/attention': RIPS,
};

const kindOfSchema = (schema: SchemaName): DocumentKind =>
  KINDS[schema] ?? stop('usage', { code: 'run/not-sendable', value: schema });

/**
 * What the sender must know of a mapping's targets.
 * @throws PipelineError('usage', run/not-sendable)
 */
export function kindOf({ targets }: Pick<LoadedMapping, 'targets'>): DocumentKind {
  const [kind, ...others] = targets.map(({ schema }) => kindOfSchema(schema));
  const other = others.findIndex((one) => one !== kind);
  return other < 0 ? kind! : stop('usage', { code: 'run/not-sendable', value: targets[other + 1]!.schema });
}

/** The kind of a run's documents; that of payrolls for a run without any. */
export function kindOfRun(journal: Journal, run: string): DocumentKind {
  const first = journal
    .prepare('SELECT schema FROM document WHERE run = ? ORDER BY sequence LIMIT 1')
    .first<{ schema: SchemaName }>(run);
  return first === undefined ? PAYROLL : kindOfSchema(first.schema);
}

/** Folder or name of the schema → family; a name goes before its folder. */
const FAMILIES: Readonly<Record<string, DocumentFamily>> = {
  payroll: 'payroll',
  rips: 'care',
  events: 'events',
  'events/seller-reception': 'reception',
};

const familyOfSchema = (schema: string): DocumentFamily =>
  FAMILIES[schema] ?? FAMILIES[schema.split('/')[0]!] ?? 'other';

/** The family of a run's documents, which are all of one; `other` where none was made. */
export function familyOf(journal: Journal, run: string): DocumentFamily {
  const first = journal
    .prepare('SELECT schema FROM document WHERE run = ? ORDER BY sequence LIMIT 1')
    .first<{ schema: string }>(run);
  return first === undefined ? 'other' : familyOfSchema(first.schema);
}

const cut = (text: string, limit: number | undefined): string =>
  limit === undefined || text.length <= limit ? text : `${text.slice(0, Math.max(1, limit - 1))}…`;

/** Lines of a table no wider than `width`: each column as wide as its widest text or as `most` allows, the last takes the rest. */
export function inColumns(
  rows: readonly (readonly string[])[],
  width: number,
  most: readonly number[] = [],
): readonly string[] {
  const texts = rows.map((row) => row.map((text, column) => cut(text, most[column])));
  const columns = Math.max(0, ...texts.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...texts.map((row) => (row[column] ?? '').length)),
  );
  return texts.map((row) => {
    const line = row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column]!)));
    return cut(line.join('  ').trimEnd(), width);
  });
}

/** Words of a text over lines no wider than `width`; the second and later ones are indented. */
export function wrapped(text: string, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length > width && line !== '') {
      lines.push(line);
      line = indent + word;
    } else line = next;
  }
  return [...lines, line];
}

/** `1750905.00` → `1.750.905,00`, without passing through a float. */
export function formatMoney(amount: string, language: Language): string {
  const [whole = '', cents = '00'] = amount.split('.');
  const [thousands, decimal] = language === 'es' ? ['.', ','] : [',', '.'];
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands) + decimal + cents;
}
