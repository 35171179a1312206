import { createHash } from 'node:crypto';
import type { Scalar } from 'yaml';
import { NOTES, type NotesParams } from '../../generated/texts-proposal.js';
import type { Language } from '../core/issue.js';
import { isObject, type JsonValue } from '../core/json.js';
import { required } from '../core/required.js';
import { columnLetter, fold } from '../core/text.js';
import { yaml } from '../core/yaml.js';
import type { Opened } from '../documents/opened.js';
import { HEADER_WITHIN } from '../documents/table-fit.js';
import { openChoices } from '../mapping/synonyms.js';
import type { YamlPath } from '../mapping/yaml-source.js';
import { translatorOf } from '../messages/texts.js';
import { parseLetterLabel } from '../tables/header.js';
import type { Row } from '../tables/table.js';
import type { Inspection } from './inspect.js';
import { titleOf } from './label-questions.js';
import { isRepeated, type LabelFit } from './labels.js';
import type { Answers } from './question.js';
import { readSheets } from './sheets.js';

/** The first line of every mapping that inspect writes; only such files are written over. */
const MARK = '# Propuesto por cargue inspect';

/** Beginning of the lines of the head; other comments are a person's. */
const OF_HEAD = '#: ';

const ANSWER_LINE = `${OF_HEAD}--answer `;
/** The answer to how sheets are joined has a sign of its own; elsewhere the text of an id may. */
const ANSWER = new RegExp(`^${ANSWER_LINE}(join\\.[^=]+|.*)=(.*)$`, 'gm');

export const isMarked = (text: string): boolean => text.replace(/^\uFEFF/, '').startsWith(MARK);

const DIGEST = ' sha256=';

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

const digestOf = (rest: string): string => createHash('sha256').update(rest).digest('hex').slice(0, 16);

/** True if a person changed a mapping that inspect wrote. */
export function isEdited(text: string): boolean {
  const [mark = '', ...rest] = withoutMark(text).split('\n');
  return !mark.endsWith(DIGEST + digestOf(rest.join('\n')));
}

/** Between the letter of a column and why inspect itself left it aside: with amounts below it is asked about all the same. */
const ASIDE = ' ~ ';
/** A letter alone is a key that no answer joins by yet. */
const LEFT_ASIDE = new RegExp(`^ ?[A-Z]+(?:${ASIDE}|$)`);

/** The answers that a mapping written earlier holds: what stands in place of its open choices, and what its comments keep. */
export function answersIn(text: string, given: ReadonlyMap<string, string>): Answers {
  const document = yaml().parseDocument(text);
  const kept = new Map(
    [...text.replaceAll('\r', '').matchAll(ANSWER)].map(([, id = '', value = '']) => [id, value] as const),
  );
  return {
    given,
    kept,
    earlier(path: YamlPath, id: string) {
      const node = document.getIn(path, true);
      const value = yaml().isScalar(node) ? node.value : undefined;
      const isMarked = yaml().isScalar(node) && LEFT_ASIDE.test(node.comment ?? '');
      const there =
        (typeof value === 'string' || typeof value === 'number') && !isMarked ? [String(value)] : [];
      return [...there, ...[...kept].flatMap(([key, answer]) => (fold(key) === fold(id) ? [answer] : []))];
    },
  };
}

/** Min share of the labels of a mapping that a file of its shape has. */
const SAME_SHAPE = 0.7;

/** Folds a label for comparing; of `Devengados / Salud` the last part is taken, and no column letter. */
export const plainLabel = (label: string): string =>
  fold((parseLetterLabel(label)?.title ?? label).split(' / ').reduce((_, last) => last));

/** Returns the labels of the file that a mapping was written for. */
export function labelsIn(text: string): ReadonlySet<string> {
  const tree = yaml().parseDocument(text).toJS() as {
    tables?: Record<string, { labels?: Record<string, unknown> }>;
  };
  const labels = Object.values(tree.tables ?? {}).flatMap((table) => Object.keys(table.labels ?? {}));
  return new Set(labels.map(plainLabel).filter((label) => label !== ''));
}

/** Returns the texts by which the shape of a file is known: those of cells, and their labels before a colon. */
function textsOf(rows: readonly Row[]): ReadonlySet<string> {
  const texts = rows.flatMap((row) => row.texts.flatMap((text) => text ?? []));
  return new Set([...texts, ...texts.map((text) => text.replace(/:.*$/s, ''))].map(fold));
}

/** Returns those of some mappings that know files of this shape, the closest first: what they settled holds for these too. */
export async function ofThisShape(opened: Opened, texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const sheets = await readSheets(await opened.inputs());
  const there = textsOf(sheets.flatMap((sheet) => sheet.rows.slice(0, HEADER_WITHIN)));
  return texts
    .map((text) => {
      const labels = [...labelsIn(text)];
      const found = labels.filter((label) => there.has(label)).length;
      return { text, found, share: labels.length === 0 ? 0 : found / labels.length };
    })
    .filter(({ share }) => share >= SAME_SHAPE)
    .sort((a, b) => b.share - a.share || b.found - a.found)
    .map(({ text }) => text);
}

const note = translatorOf<NotesParams>(NOTES);

const quoted = (name: string): string => (/[\s'"*?$&|;<>()]/.test(name) ? `"${name}"` : name);

/** Names of the file and the mapping in the comments. */
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
      ...[...kept].map(([id, value]) => `${ANSWER_LINE}${id}=${value}`),
    );
  return { mark, lines };
}

/** A line of the head as inspect writes it; others there are a person's. */
const isOfHead = (line: string): boolean => line.startsWith(MARK) || line.startsWith(OF_HEAD);

/** Returns the comment next to a label: its column letter, and its meaning or why it is ignored. */
function noteOf({ column, table, means, reason }: LabelFit, language: Language): string {
  const meaning =
    means === undefined
      ? reason in NOTES
        ? note(language, reason as 'text' | 'declined' | 'answered')
        : undefined
      : titleOf(required(table.columns, means));
  const isAside = means === undefined && reason === 'text';
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

/** Yields the changes from one proposal to the next, for the text that a person made of the first. */
function* changesBetween(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  current: JsonValue | undefined,
  path: YamlPath = [],
): Generator<Change> {
  if (isSame(before, after) || isSame(current, after)) return;
  if (isObject(before) && isObject(after) && isObject(current) && !('undecided' in before)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* changesBetween(before[key], after[key], current[key], [...path, key]);
    return;
  }
  yield {
    path,
    value: after,
    clashes: !isSame(before, current) && openChoices(current ?? null).length === 0,
  };
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
  const written = document.toJS() as JsonValue;
  const changes = [...changesBetween(before.tree as JsonValue, after.tree as JsonValue, written)];
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
