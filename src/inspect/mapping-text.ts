import { Document, isMap, isScalar, parseDocument, type Scalar } from 'yaml';
import type { Language } from '../issues/issue.js';
import type { YamlPath } from '../mapping/yaml-source.js';
import { columnLetter } from '../values/a1.js';
import { fold } from '../values/fold.js';
import type { Answers } from './choice.js';
import type { Inspection } from './inspect.js';
import { titleOf } from './label-choices.js';
import { isRepeated, type LabelFit } from './labels.js';

/** The first line of every mapping that inspect writes; only such files are written over. */
export const MARK = '# Propuesto por cargue inspect';
const KEPT = '# --answer ';

export const isMarked = (text: string): boolean => text.replace(/^\uFEFF/, '').startsWith(MARK);

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
    open: '{count} questions are open (undecided). Answer them with',
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

function head(inspection: Inspection, { language, files, mapping }: TextOptions): string {
  const words = NOTES[language];
  const names = files.map(quoted).join(' ');
  const { open, kept, params } = inspection;
  const given = params.map(({ name }) => ` -p ${name}=…`).join('');
  const lines = [
    MARK + (inspection.fit === undefined ? '.' : `: ${inspection.fit.name}.`),
    `# ${words['checked']}:`,
    `#   cargue check ${names} -m ${quoted(mapping)}${given}`,
  ];
  if (open.length > 0)
    lines.push(
      `# ${words['open']!.replace('{count}', String(open.length))}`,
      `#   cargue inspect ${names} --write ${quoted(mapping)} --answer ID=VALUE`,
      `# ${words['or']}`,
    );
  if (kept.size > 0)
    lines.push(`# ${words['kept']}`, ...[...kept].map(([id, value]) => `${KEPT}${id}=${value}`));
  return `${lines.join('\n')}\n`;
}

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
  return head(inspection, options) + document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
