import type { Reconciled } from '../document/accounting.js';
import type { Settled } from '../document/outcome.js';
import type { Text } from '../issues/codes.js';
import type { Language } from '../issues/issue.js';
import type { ReportedState } from './run-report.js';

/** Every word of the workbook that is not the wording of an issue. */

export const SHEETS = {
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
export const ADVICE: Readonly<Record<ReportedState, Text>> = {
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

export const HEADINGS = {
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

export const ROLES = {
  used: { es: 'Usada', en: 'Used' },
  control: { es: 'De control', en: 'Control' },
  declined: { es: 'Descartada', en: 'Declined' },
  unread: { es: 'Sin decidir', en: 'Undecided' },
} satisfies Record<string, Text>;

/** Why a column is declined of which `labels` of the mapping says so. */
export const DECIDED: Text = { es: 'Lo dice el mapeo (labels).', en: 'The mapping says so (labels).' };

export const LEVELS = {
  error: { es: 'Error', en: 'Error' },
  warning: { es: 'Advertencia', en: 'Warning' },
} satisfies Record<string, Text>;

export const COUNTS = {
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
export const reconciledText = ({ stated, computed, difference }: Reconciled, language: Language): string =>
  Number(difference) === 0
    ? { es: `Cuadra con los documentos: ${computed}.`, en: `Agrees with the documents: ${computed}.` }[
        language
      ]
    : {
        es: `En los documentos comparados dice ${stated} y suman ${computed}: diferencia ${difference}.`,
        en: `In the documents compared it says ${stated} and they add up to ${computed}: difference ${difference}.`,
      }[language];

export const FACTS = {
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
export const settledText = ({ by, word, at }: Settled, language: Language): string =>
  language === 'es'
    ? `Asentado por ${by || '—'} el ${at}: ${word}`
    : `Settled by ${by || '—'} on ${at}: ${word}`;

export const EARLIER = {
  es: 'Ya estaba aceptado de una ejecución anterior; no se envió de nuevo.',
  en: 'Already accepted in an earlier run; not sent again.',
};
