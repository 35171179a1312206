import { type Issue, type Language, type Place, paramOf, wordPlace } from '../core/issue.js';
import type { Text } from '../generated/issue-codes.js';
import { type ExtraCodes, word } from '../messages/wording.js';
import { type ColumnAccount, countColumns, type Reconciled, type Settled } from '../schema/document.js';
import type { LinkTo } from './link.js';
import type {
  ReportCounts,
  ReportedDocument,
  ReportedState,
  Rows,
  RunFacts,
  SkippedRecord,
} from './run-report.js';

/** Every word of the workbook that is not the wording of an issue. */

const SHEETS = {
  summary: { es: 'Resumen', en: 'Summary' },
  documents: { es: 'Documentos', en: 'Documents' },
  patients: { es: 'Pacientes', en: 'Patients' },
  services: { es: 'Servicios', en: 'Services' },
  totals: { es: 'Totales', en: 'Totals' },
  errors: { es: 'Errores', en: 'Errors' },
  skipped: { es: 'Omitidos', en: 'Skipped' },
  columns: { es: 'Columnas', en: 'Columns' },
  run: { es: 'Ejecución', en: 'Run' },
} satisfies Record<string, Text>;

export const STATES: Readonly<Record<ReportedState, Text>> = {
  accepted: { es: 'Aceptado', en: 'Accepted' },
  rejected: { es: 'Rechazado', en: 'Rejected' },
  pending: { es: 'Pendiente', en: 'Pending' },
  unknown: { es: 'Sin confirmar', en: 'Unconfirmed' },
  unsent: { es: 'Sin enviar', en: 'Not sent' },
  'held-back': { es: 'Con errores', en: 'Has errors' },
  elsewhere: { es: 'En otra ejecución', en: 'In another run' },
};

/** What a person does about a state. */
const ADVICE: Readonly<Record<ReportedState, Text>> = {
  accepted: { es: 'La autoridad los aceptó.', en: 'The authority accepted them.' },
  rejected: {
    es: 'Corrija lo que dice la hoja Errores y envíe el archivo de nuevo.',
    en: 'Fix what the Errors sheet says and send the file again.',
  },
  pending: {
    es: 'Recibidos, aún sin respuesta. Ejecute «cargue resume».',
    en: 'Received, no answer yet. Run "cargue resume".',
  },
  unknown: {
    es: 'No se sabe si llegaron. Ejecute «cargue resume»: pregunta antes de enviar de nuevo.',
    en: 'They may or may not have arrived. Run "cargue resume": it asks before sending again.',
  },
  unsent: {
    es: 'No salieron de aquí. Ejecute «cargue resume».',
    en: 'They never left. Run "cargue resume".',
  },
  'held-back': {
    es: 'No se enviaron: corrija las celdas de la hoja Errores.',
    en: 'They were not sent: fix the cells of the Errors sheet.',
  },
  elsewhere: {
    es: 'Los tiene una ejecución sin terminar, que la hoja Errores nombra: ejecute «cargue resume».',
    en: 'An unfinished run has them, which the Errors sheet names: run "cargue resume".',
  },
};

const HEADINGS = {
  key: { es: 'Documento', en: 'Document' },
  name: { es: 'Nombre', en: 'Name' },
  number: { es: 'Número', en: 'Number' },
  state: { es: 'Estado', en: 'State' },
  message: { es: 'Mensaje', en: 'Message' },
  noteNumber: { es: 'Nota', en: 'Note' },
  eventNumber: { es: 'Consecutivo', en: 'Consecutive' },
  code: { es: 'Código único', en: 'Unique code' },
  cune: { es: 'CUNE', en: 'CUNE' },
  cuv: { es: 'CUV', en: 'CUV' },
  cude: { es: 'CUDE', en: 'CUDE' },
  cufeRead: { es: 'CUFE', en: 'CUFE' },
  invoice: { es: 'Factura', en: 'Invoice' },
  cufe: { es: 'CUFE', en: 'CUFE' },
  eventCode: { es: 'Evento', en: 'Event' },
  eventName: { es: 'Nombre del evento', en: 'Name of the event' },
  zipKey: { es: 'ZipKey', en: 'ZipKey' },
  attempts: { es: 'Intentos', en: 'Attempts' },
  where: { es: 'Dónde', en: 'Where' },
  level: { es: 'Nivel', en: 'Level' },
  label: { es: 'Columna', en: 'Column' },
  found: { es: 'Se encontró', en: 'Found' },
  fix: { es: 'Cómo corregirlo', en: 'How to fix it' },
  suggestions: { es: 'Tal vez', en: 'Perhaps' },
  rule: { es: 'Regla', en: 'Rule' },
  path: { es: 'Ruta en el JSON', en: 'JSON path' },
  issueCode: { es: 'Código', en: 'Code' },
  note: { es: 'Por qué', en: 'Why' },
  role: { es: 'Uso', en: 'Use' },
  cells: { es: 'Celdas', en: 'Cells' },
  sum: { es: 'Suma ($)', en: 'Sum (COP)' },
  what: { es: 'Concepto', en: 'Item' },
  count: { es: 'Cantidad', en: 'Count' },
  meaning: { es: 'Qué significa', en: 'What it means' },
  value: { es: 'Valor', en: 'Value' },
  document: { es: 'Documento', en: 'Document' },
  package: { es: 'Paquete', en: 'Package' },
  patient: { es: 'Paciente', en: 'Patient' },
  packages: { es: 'Paquetes', en: 'Packages' },
  patients: { es: 'Pacientes', en: 'Patients' },
  services: { es: 'Servicios', en: 'Services' },
  file: { es: 'Archivo', en: 'File' },
  record: { es: 'Registro', en: 'Record' },
  group: { es: 'Grupo', en: 'Group' },
  serviceCode: { es: 'Código', en: 'Code' },
  date: { es: 'Fecha y hora', en: 'Date and time' },
  amount: { es: 'Valor ($)', en: 'Value (COP)' },
  servicesAccepted: { es: 'Servicios con CUV', en: 'Services with CUV' },
  amountAccepted: { es: 'Valor con CUV ($)', en: 'Value with CUV (COP)' },
} satisfies Record<string, Text>;

const ROLES = {
  used: { es: 'Usada', en: 'Used' },
  control: { es: 'De control', en: 'Control' },
  declined: { es: 'Descartada', en: 'Declined' },
  unread: { es: 'Sin decidir', en: 'Undecided' },
} satisfies Record<string, Text>;

/** Why a column is declined of which `labels` of the mapping says so. */
const DECIDED: Text = { es: 'Lo dice el mapeo (labels).', en: 'The mapping says so (labels).' };

export const LEVELS = {
  error: { es: 'Error', en: 'Error' },
  warning: { es: 'Advertencia', en: 'Warning' },
} satisfies Record<string, Text>;

const COUNTS = {
  read: { es: 'Registros leídos', en: 'Records read' },
  readMeaning: { es: 'usados + omitidos + con errores', en: 'used + skipped + with errors' },
  used: { es: 'Registros usados', en: 'Records used' },
  skipped: { es: 'Registros omitidos', en: 'Records skipped' },
  skippedMeaning: {
    es: 'La hoja Omitidos dice cuáles y por qué.',
    en: 'The Skipped sheet says which and why.',
  },
  heldBack: { es: 'Registros con errores', en: 'Records with errors' },
  planned: { es: 'Documentos previstos', en: 'Documents planned' },
  plannedMeaning: { es: 'hechos + con errores', en: 'made + with errors' },
  made: { es: 'Documentos hechos', en: 'Documents made' },
  madeMeaning: {
    es: 'aceptados + rechazados + pendientes + sin confirmar + sin enviar',
    en: 'accepted + rejected + pending + unconfirmed + not sent',
  },
  columnsFilled: { es: 'Columnas con datos', en: 'Filled columns' },
  columnsMeaning: {
    es: 'usadas + de control + descartadas; la hoja Columnas dice cuáles y por qué.',
    en: 'used + for control + declined; the Columns sheet says which and why.',
  },
  columnsUsed: { es: 'Columnas usadas', en: 'Columns used' },
  columnsControl: { es: 'Columnas de control', en: 'Columns for control' },
  columnsDeclined: { es: 'Columnas descartadas', en: 'Columns declined' },
  columnsUnread: { es: 'Columnas sin decidir', en: 'Columns undecided' },
  errors: { es: 'Errores', en: 'Errors' },
  warnings: { es: 'Advertencias', en: 'Warnings' },
} satisfies Record<string, Text>;

/** How a total that the files state agrees with the documents. */
const reconciledText = ({ stated, computed, difference }: Reconciled, language: Language): string =>
  Number(difference) === 0
    ? { es: `Cuadra con los documentos: ${computed}.`, en: `Agrees with the documents: ${computed}.` }[
        language
      ]
    : {
        es: `En los documentos comparados dice ${stated} y suman ${computed}: diferencia ${difference}.`,
        en: `In the documents compared it says ${stated} and they add up to ${computed}: difference ${difference}.`,
      }[language];

const FACTS = {
  run: { es: 'Ejecución', en: 'Run' },
  company: { es: 'Empresa', en: 'Company' },
  url: { es: 'Servicio', en: 'Service' },
  testSet: { es: 'Set de pruebas', en: 'Test set' },
  started: { es: 'Inicio (UTC)', en: 'Started (UTC)' },
  ended: { es: 'Último cambio (UTC)', en: 'Last change (UTC)' },
  digest: { es: 'Huella de lo confirmado (SHA-256)', en: 'Digest of what was confirmed (SHA-256)' },
  approval: { es: 'Aprobada por', en: 'Approved by' },
  abandonment: { es: 'Se renunció a ella', en: 'Given up' },
  mapping: { es: 'Mapeo', en: 'Mapping' },
  rejectedNumbers: { es: 'Números de documentos no aceptados', en: 'Numbers of documents not accepted' },
  numberGaps: { es: 'Números que ningún documento tiene', en: 'Numbers that no document has' },
  input: { es: 'Archivo', en: 'File' },
  version: { es: 'Versión', en: 'Version' },
  param: { es: 'Parámetro', en: 'Parameter' },
  default: { es: 'Valor por defecto', en: 'Default' },
} satisfies Record<string, Text>;

/** What a person said of a document, in the words of the report. */
const settledText = ({ by, word, at }: Settled, language: Language): string =>
  language === 'es'
    ? `Asentado por ${by || '—'} el ${at}: ${word}`
    : `Settled by ${by || '—'} on ${at}: ${word}`;

const EARLIER = {
  es: 'Ya estaba aceptado de una ejecución anterior; no se envió de nuevo.',
  en: 'Already accepted in an earlier run; not sent again.',
};

/** What a colour says. */
export type Tone = 'good' | 'bad' | 'waiting' | 'doubt' | 'idle';

export type CellValue =
  | string
  | number
  | undefined
  | { readonly text: string; readonly tone: Tone }
  | { readonly text: string; readonly link: string };

/** `code` is an identifier or any other short text, `hash` one too long to show, `long` text wraps, `count` is a number. */
export interface Column {
  readonly heading: string;
  /** In characters, as Excel counts. */
  readonly width: number;
  readonly kind: 'code' | 'hash' | 'long' | 'count';
}

export interface SheetRows {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: Rows<readonly CellValue[]>;
}

/** How to say things and where links lead. */
export interface Saying {
  readonly language: Language;
  readonly linkTo: LinkTo;
  /** Wording of rules. */
  readonly extra?: ExtraCodes;
}

export type Heading = keyof typeof HEADINGS;
export type Layout = readonly (readonly [Heading, width: number, kind: Column['kind']])[];

/** A sheet by the names of its words. */
export const sheetOf = (
  name: keyof typeof SHEETS,
  layout: Layout | DocumentLayout,
  rows: Rows<readonly CellValue[]>,
  { language }: Saying,
): SheetRows => ({
  name: SHEETS[name][language],
  columns: layout.map(([heading, width, kind]) => ({ heading: HEADINGS[heading][language], width, kind })),
  rows,
});

/** Rows as they are read; nothing is held. */
export async function* mapRows<T>(items: Rows<T>, row: (item: T) => readonly CellValue[]) {
  for await (const item of items) yield row(item);
}

const TONES: Readonly<Record<ReportedState, Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  'held-back': 'bad',
  elsewhere: 'waiting',
  pending: 'waiting',
  unknown: 'doubt',
  unsent: 'idle',
};

/** A state in the colour of its meaning. */
export const stateCell = (
  state: ReportedState,
  { language }: Saying,
  tone: Tone = TONES[state],
): CellValue => ({
  text: STATES[state][language],
  tone,
});

/** A place, linked where its file is known; `text` in place of its own. */
export function placeCell(place: Place | undefined, { linkTo, language }: Saying, text?: string): CellValue {
  if (place === undefined) return undefined;
  const shown = text ?? wordPlace(place, language);
  const link = linkTo(place);
  return link === undefined ? shown : { text: shown, link };
}

/** A document comes from a record, whichever of its cells is known. */
const recordOf = ({ file, sheet, row }: Place): Place => ({
  ...(file !== undefined && { file }),
  ...(sheet !== undefined && { sheet }),
  ...(row !== undefined && { row, column: 'A' }),
});

function messageOf({ issues, earlier, settled }: ReportedDocument, { language, extra }: Saying): string {
  const messages = issues.map((issue) => word(issue, language, extra).message);
  if (settled) messages.unshift(settledText(settled, language));
  if (earlier) messages.unshift(EARLIER[language]);
  return messages.join('\n');
}

export type CellOf = (document: ReportedDocument, saying: Saying) => CellValue;

export const codeOf: CellOf = ({ documentCode }) => documentCode;
export const numberOf: CellOf = ({ number }) => number;

/** Cells that a document of any kind has. */
const CELLS: Readonly<Partial<Record<Heading, CellOf>>> = {
  key: ({ key }) => key,
  name: ({ name }) => name,
  number: numberOf,
  state: ({ state }, saying) => stateCell(state, saying),
  message: messageOf,
  code: codeOf,
  zipKey: ({ zipKey }) => zipKey,
  attempts: ({ attempts }) => attempts,
  where: ({ place }, saying) => placeCell(place && recordOf(place), saying),
};

/** The columns of the documents of a family: a heading alone names a cell that all documents have. */
export type DocumentLayout = readonly (readonly [
  heading: Heading,
  width: number,
  kind: Column['kind'],
  cell?: CellOf,
])[];

/** Columns of documents of any kind. */
const PLAIN: DocumentLayout = [
  ['key', 26, 'long'],
  ['name', 32, 'long'],
  ['number', 16, 'code'],
  ['state', 15, 'code'],
  ['message', 52, 'long'],
  ['code', 30, 'hash'],
  ['zipKey', 22, 'hash'],
  ['attempts', 10, 'count'],
  ['where', 34, 'code'],
];

/** The cells of a document in the order of the columns. */
export const documentRow = (
  document: ReportedDocument,
  saying: Saying,
  layout: DocumentLayout = PLAIN,
): readonly CellValue[] => layout.map(([name, , , cell = CELLS[name]]) => cell?.(document, saying));

const SUMMARY: Layout = [
  ['what', 26, 'code'],
  ['count', 11, 'count'],
  ['meaning', 78, 'long'],
];
const ERRORS: Layout = [
  ['where', 32, 'code'],
  ['label', 22, 'long'],
  ['found', 20, 'code'],
  ['message', 48, 'long'],
  ['fix', 48, 'long'],
  ['suggestions', 18, 'long'],
  ['level', 12, 'code'],
  ['key', 24, 'long'],
  ['rule', 10, 'long'],
  ['path', 36, 'long'],
  ['issueCode', 26, 'code'],
];
const SKIPPED: Layout = [
  ['where', 32, 'code'],
  ['note', 70, 'long'],
];
const COLUMNS: Layout = [
  ['where', 32, 'code'],
  ['label', 32, 'long'],
  ['role', 14, 'code'],
  ['cells', 11, 'count'],
  ['sum', 18, 'count'],
  ['note', 60, 'long'],
];
const RUN: Layout = [
  ['what', 40, 'code'],
  ['value', 90, 'long'],
];

/** All that the workbook shows. Lists are functions, since a sheet may read them again. */
export interface RunReport {
  readonly facts: RunFacts;
  readonly counts: ReportCounts;
  /** Columns of the sheet of documents. @default those of documents of any kind */
  readonly columns?: DocumentLayout;
  /** Sheets of the family. */
  readonly sheets?: (saying: Saying) => readonly SheetRows[];
  documents(): Rows<ReportedDocument>;
  /** Issues of the data and of the outcomes together. */
  issues(): Rows<Issue>;
  skipped(): Rows<SkippedRecord>;
}

export const summaryRows = ({ counts }: RunReport, saying: Saying): readonly (readonly CellValue[])[] => {
  const { language } = saying;
  const { records, documents, outcomes } = counts;
  const columns = counts.columns && countColumns(counts.columns);
  const line = (what: Text, count: number, meaning?: Text): CellValue[] => [
    what[language],
    count,
    meaning?.[language],
  ];
  const stateLine = (state: ReportedState, count: number): CellValue[] => [
    stateCell(state, saying, count === 0 ? 'idle' : undefined),
    count,
    ADVICE[state][language],
  ];
  return [
    line(COUNTS.read, records.read, COUNTS.readMeaning),
    line(COUNTS.used, records.used),
    line(COUNTS.skipped, records.skipped, COUNTS.skippedMeaning),
    line(COUNTS.heldBack, records.heldBack),
    line(COUNTS.planned, documents.planned, COUNTS.plannedMeaning),
    line(COUNTS.made, documents.made, COUNTS.madeMeaning),
    stateLine('held-back', documents.heldBack),
    stateLine('accepted', outcomes.accepted),
    stateLine('rejected', outcomes.rejected),
    stateLine('pending', outcomes.pending),
    stateLine('unknown', outcomes.unknown),
    stateLine('unsent', outcomes.unsent),
    ...(columns === undefined
      ? []
      : [
          line(COUNTS.columnsFilled, columns.filled, COUNTS.columnsMeaning),
          line(COUNTS.columnsUsed, columns.used),
          line(COUNTS.columnsControl, columns.control),
          line(COUNTS.columnsDeclined, columns.declined),
          ...(columns.unread === 0 ? [] : [line(COUNTS.columnsUnread, columns.unread)]),
        ]),
    line(COUNTS.errors, counts.errors),
    line(COUNTS.warnings, counts.warnings),
  ];
};

const textOf = (param: string | number | undefined): string | undefined =>
  param === undefined || param === '' ? undefined : String(param);

export function issueRow(issue: Issue, saying: Saying): readonly CellValue[] {
  const worded = word(issue, saying.language, saying.extra);
  return [
    placeCell(issue.place, saying),
    issue.place.label,
    issue.value,
    worded.message,
    worded.fix,
    issue.suggestions?.map(({ value }) => value).join('\n'),
    { text: LEVELS[issue.level][saying.language], tone: issue.level === 'error' ? 'bad' : 'waiting' },
    issue.documentKey,
    // The authority's own name of the rule: it is what its manuals list.
    textOf(paramOf(issue, 'rule')),
    // Where the authority names the place in its own form, that is what people forward.
    textOf(paramOf(issue, 'path')) ?? issue.place.pointer,
    issue.code,
  ];
}

export const skippedRow = ({ place, note }: SkippedRecord, saying: Saying): readonly CellValue[] => [
  placeCell(place, saying),
  note,
];

/** What is left aside first: it is what people look for here. */
const columnRows = (columns: readonly ColumnAccount[], saying: Saying): readonly (readonly CellValue[])[] =>
  (['unread', 'declined', 'control', 'used'] as const)
    .flatMap((role) => columns.filter((one) => one.role === role))
    .map(({ place, role, cells, sum, total, reason }) => [
      placeCell(place, saying),
      place.label,
      role === 'unread' ? { text: ROLES[role][saying.language], tone: 'bad' } : ROLES[role][saying.language],
      cells,
      sum === undefined ? undefined : Number(sum),
      total === undefined
        ? (reason ?? (role === 'declined' ? DECIDED[saying.language] : undefined))
        : reconciledText(total, saying.language),
    ]);

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const PLAIN_FACTS = [
  'run',
  'company',
  'url',
  'testSet',
  'started',
  'ended',
  'digest',
  'approval',
  'abandonment',
  'mapping',
  'rejectedNumbers',
  'numberGaps',
] as const;

export function runRows({ facts }: RunReport, { language }: Saying): readonly (readonly CellValue[])[] {
  const named = (title: Text, values: Readonly<Record<string, unknown>>): CellValue[][] =>
    Object.entries(values).map(([name, value]) => [`${title[language]}: ${name}`, shown(value)]);
  const plain = PLAIN_FACTS.filter((name) => facts[name] !== undefined).map((name): CellValue[] => [
    FACTS[name][language],
    facts[name],
  ]);
  return [
    ...plain,
    ...facts.inputs.map((input): CellValue[] => [
      `${FACTS.input[language]}: ${input.file}`,
      `SHA-256 ${input.sha256}`,
    ]),
    ...named(FACTS.version, facts.versions),
    ...named(FACTS.param, facts.params),
    ...named(FACTS.default, facts.defaults),
  ];
}

/** The sheets in their order; rows come as they are read, nothing is held. */
export function sheetsOf(report: RunReport, saying: Saying): readonly SheetRows[] {
  const { columns = PLAIN } = report;
  return [
    sheetOf('summary', SUMMARY, summaryRows(report, saying), saying),
    sheetOf(
      'documents',
      columns,
      mapRows(report.documents(), (item) => documentRow(item, saying, columns)),
      saying,
    ),
    ...(report.sheets?.(saying) ?? []),
    sheetOf(
      'errors',
      ERRORS,
      mapRows(report.issues(), (issue) => issueRow(issue, saying)),
      saying,
    ),
    sheetOf(
      'skipped',
      SKIPPED,
      mapRows(report.skipped(), (item) => skippedRow(item, saying)),
      saying,
    ),
    ...(report.counts.columns === undefined
      ? []
      : [sheetOf('columns', COLUMNS, columnRows(report.counts.columns, saying), saying)]),
    sheetOf('run', RUN, runRows(report, saying), saying),
  ];
}
