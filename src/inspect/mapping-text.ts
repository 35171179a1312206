import { createHash } from 'node:crypto';
import { Document, isMap, isScalar, parseDocument, type Scalar } from 'yaml';
import type { Language } from '../issues/issue.js';
import { openChoices } from '../mapping/undecided.js';
import type { YamlPath } from '../mapping/yaml-source.js';
import { columnLetter } from '../values/a1.js';
import { fold } from '../values/fold.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import type { Answers } from './choice.js';
import type { Inspection } from './inspect.js';
import { titleOf } from './label-choices.js';
import { isRepeated, type LabelFit } from './labels.js';

/** The first line of every mapping that inspect writes; only such files are written over. */
const MARK = '# Propuesto por cargue inspect';
const KEPT = '# --answer ';

export const isMarked = (text: string): boolean => text.replace(/^\uFEFF/, '').startsWith(MARK);

const DIGEST = ' sha256=';

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
const digestOf = (rest: string): string => createHash('sha256').update(rest).digest('hex').slice(0, 16);

/** Whether a marked mapping is not what inspect wrote: a person went on with it. */
export function isEdited(text: string): boolean {
  const [mark = '', ...rest] = withoutMark(text).split('\n');
  return !mark.endsWith(DIGEST + digestOf(rest.join('\n')));
}

/** A label that inspect itself left aside: with amounts below it is asked about all the same. */
const ASIDE = /: (texto sin uso|vacía|text, not used|empty)$/;

/** The answers that a mapping written earlier holds: what stands in place of its open choices, and what its comments keep. */
export function answersIn(text: string, given: ReadonlyMap<string, string>): Answers {
  const document = parseDocument(text);
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
      const value = isScalar(node) ? node.value : undefined;
      const own = isScalar(node) && node.comment != null && ASIDE.test(node.comment);
      const there = (typeof value === 'string' || typeof value === 'number') && !own ? [String(value)] : [];
      return [...there, ...[...kept].flatMap(([key, answer]) => (fold(key) === fold(id) ? [answer] : []))];
    },
  };
}

const NOTES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  es: {
    text: 'texto sin uso',
    declined: 'descartada: no va en los documentos',
    empty: 'vacía',
    answered: 'respondido',
    checked: 'Para revisar el archivo con este mapeo',
    open: 'Quedan {count} preguntas abiertas (undecided). Se responden con',
    kept: 'Respuestas que no cambian el mapeo:',
    or: 'o escribiendo el valor en lugar de cada nodo undecided.',
  },
  en: {
    text: 'text, not used',
    declined: 'declined: no document takes it',
    empty: 'empty',
    answered: 'answered',
    checked: 'To check the file with this mapping',
    open: 'Questions that are open (undecided): {count}. Answer them with',
    kept: 'Answers that do not change the mapping:',
    or: 'or by writing the value in place of each undecided node.',
  },
};

const quoted = (name: string): string => (/[\s'"*?$&|;<>()]/.test(name) ? `"${name}"` : name);

/** How the file and the mapping are named in the comments. */
export interface TextOptions {
  readonly language: Language;
  readonly files: readonly string[];
  readonly mapping: string;
}

function head(inspection: Inspection, { language, files, mapping }: TextOptions) {
  const words = NOTES[language];
  const names = files.map(quoted).join(' ');
  const { open, kept, params } = inspection;
  const given = params.map(({ name }) => ` -p ${name}=…`).join('');
  const mark = MARK + (inspection.fit === undefined ? '.' : `: ${inspection.fit.name}.`);
  const lines = [`# ${words['checked']}:`, `#   cargue check ${names} -m ${quoted(mapping)}${given}`];
  if (open.length > 0)
    lines.push(
      `# ${words['open']!.replace('{count}', String(open.length))}`,
      `#   cargue inspect ${names} --write ${quoted(mapping)} --answer ID=VALUE`,
      `# ${words['or']}`,
    );
  if (kept.size > 0)
    lines.push(`# ${words['kept']}`, ...[...kept].map(([id, value]) => `${KEPT}${id}=${value}`));
  return { mark, lines };
}

const STARTS = Object.values(NOTES)
  .flatMap(({ checked, open, kept, or }) => [checked, kept, or, open!.slice(0, open!.indexOf('{'))])
  .map((start) => `# ${start}`);

/** A line of the head as inspect writes it; others there are a person's. */
const isOfHead = (line: string): boolean =>
  line.startsWith(MARK) ||
  line.startsWith(KEPT) ||
  /^# {3}cargue (check|inspect) /.test(line) ||
  STARTS.some((start) => line.startsWith(start));

/** What is said beside a label: the column letter, what its id means, or why it is left aside. */
function noteOf({ column, table, means, why }: LabelFit, language: Language): string {
  const meaning = means === undefined ? NOTES[language][why] : titleOf(table.columns.get(means)!);
  return ` ${[columnLetter(column), meaning].filter(Boolean).join(': ')}`;
}

/** The proposed mapping as YAML, with comments for the people who go on with it. */
export function mappingText(inspection: Inspection, options: TextOptions): string {
  const document = new Document(inspection.tree);
  for (const fit of inspection.labels) {
    const labels = document.getIn(['tables', fit.table.id, 'labels'], true);
    if (!isMap(labels) || isRepeated(fit)) continue;
    const node = labels.get(fit.key, true) as Scalar | undefined;
    if (isScalar(node) && node.comment == null) node.comment = noteOf(fit, options.language);
  }
  const { mark, lines } = head(inspection, options);
  const rest = `${lines.join('\n')}\n${document.toString(STYLE)}`;
  return `${mark}${DIGEST}${digestOf(rest)}\n${rest}`;
}

const STYLE = { lineWidth: 0, flowCollectionPadding: true } as const;

const isTree = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
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
  if (isTree(before) && isTree(after) && isTree(own) && !('undecided' in before)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* changesBetween(before[key], after[key], own[key], [...path, key]);
    return;
  }
  yield { path, value: after, clashes: !isSame(before, own) && openChoices(own ?? null).length === 0 };
}

/** An edited mapping with what the answers of this call change, and all else as the person left it. */
export interface Merged {
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
  const document = parseDocument(text);
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
