import type { Text } from '../issues/codes.js';
import type { Language } from '../issues/issue.js';

/** What `cargue inspect` says to people. `{name}` stands for a param. */
const TEXTS = {
  sheets: { es: 'Hojas', en: 'Sheets' },
  headerAt: { es: 'encabezado en la fila {row}', en: 'header in row {row}' },
  groupsAt: { es: 'grupos en la {row}', en: 'groups in {row}' },
  noHeader: { es: 'sin encabezado conocido', en: 'no known header' },
  notRead: { es: 'no se lee', en: 'not read' },
  asTable: { es: 'tabla {table}', en: 'table {table}' },
  mapping: { es: 'Mapeo', en: 'Mapping' },
  chosen: { es: 'elegido', en: 'chosen' },
  columns: { es: 'Columnas de «{sheet}»', en: 'Columns of "{sheet}"' },
  unused: { es: 'Sin uso: {list}', en: 'Not used: {list}' },
  asked: { es: '¿? pregunta {id}', en: '? question {id}' },
  formats: { es: 'Formatos', en: 'Formats' },
  decimal: { es: 'cifras', en: 'amounts' },
  date: { es: 'fechas', en: 'dates' },
  undecided: { es: 'no se sabe', en: 'not known' },
  words: { es: 'Palabras que no están en las listas', en: 'Words that the lists do not have' },
  concept: { es: 'concepto', en: 'concept' },
  records: { es: 'filas: {count}', en: 'records: {count}' },
  missing: { es: 'Falta en el archivo', en: 'Missing in the file' },
  byParam: { es: 'dé -p {param}=…', en: 'give -p {param}=…' },
  noParam: { es: 'no hay parámetro que lo supla', en: 'no parameter can stand in' },
  params: { es: 'Parámetros que hay que dar', en: 'Parameters to give' },
  questions: { es: 'Preguntas abiertas: {count}', en: 'Open questions: {count}' },
  noQuestions: { es: 'Sin preguntas abiertas.', en: 'No open questions.' },
  kept: {
    es: 'Lo que se editó a mano en {file} quedó como estaba.',
    en: 'What was edited by hand in {file} stays as it was.',
  },
  ready: { es: 'Mapeo escrito: {file}', en: 'Mapping written: {file}' },
  open: {
    es: 'Mapeo escrito: {file}\nPreguntas abiertas: {count}. Respóndalas con --answer ID=VALOR.',
    en: 'Mapping written: {file}\nOpen questions: {count}. Answer them with --answer ID=VALUE.',
  },
  next: {
    es: 'Siga con: cargue check {files} -m {file}{params}',
    en: 'Go on with: cargue check {files} -m {file}{params}',
  },
  write: {
    es: 'Para escribir el mapeo: cargue inspect {files} --write mapeo.yaml',
    en: 'To write the mapping: cargue inspect {files} --write mapping.yaml',
  },
  prompt: { es: 'Respuesta{default}: ', en: 'Answer{default}: ' },
  noSuch: { es: 'Esa no es una respuesta posible.', en: 'That is no possible answer.' },
  answered: { es: 'respondido', en: 'answered' },
} satisfies Record<string, Text>;

export type InspectPhrase = keyof typeof TEXTS;

export const inspectText = (
  language: Language,
  phrase: InspectPhrase,
  params: Readonly<Record<string, string | number>> = {},
): string =>
  TEXTS[phrase][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? `{${name}}`));
