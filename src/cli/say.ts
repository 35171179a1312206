import type { Text } from '../issues/codes.js';
import type { Language } from '../issues/issue.js';
import { CARE_TEXTS } from './care/care-texts.js';
import { CATALOGUE_TEXTS } from './catalogue/catalogue-texts.js';
import { ERRAND_TEXTS } from './errand-texts.js';
import { EVENT_TEXTS } from './events/event-texts.js';
import { JOURNAL_TEXTS } from './journal/journal-texts.js';
import { PROFILE_TEXTS } from './profile/profile-texts.js';
import { SETUP_TEXTS } from './setup/setup-texts.js';

/** What the command line says to people, beside the wording of issues. `{name}` stands for a param. */
const TEXTS = {
  ...ERRAND_TEXTS,
  ...CARE_TEXTS,
  ...CATALOGUE_TEXTS,
  ...SETUP_TEXTS,
  ...PROFILE_TEXTS,
  ...JOURNAL_TEXTS,
  ...EVENT_TEXTS,
  more: { es: '  … y {count} más de «{title}» {where}', en: '  … and {count} more of "{title}" {where}' },
  moreIn: { es: 'en {label}', en: 'in {label}' },
  warning: { es: 'Advertencia', en: 'Warning' },
  records: {
    es: 'Registros: {read} leídos = {used} usados + {skipped} omitidos + {heldBack} con errores.',
    en: 'Records: {read} read = {used} used + {skipped} skipped + {heldBack} with errors.',
  },
  documents: {
    es: 'Documentos: {planned} previstos = {made} hechos + {heldBack} con errores.',
    en: 'Documents: {planned} planned = {made} made + {heldBack} with errors.',
  },
  outcomes: {
    es: 'Hechos: {made} = {accepted} aceptados + {rejected} rechazados + {pending} pendientes + {unknown} sin confirmar + {unsent} sin enviar.',
    en: 'Made: {made} = {accepted} accepted + {rejected} rejected + {pending} pending + {unknown} unconfirmed + {unsent} not sent.',
  },
  columns: { es: 'Columnas con datos: {list}.', en: 'Filled columns: {list}.' },
  amounts: { es: 'Columnas de valores: {list}.', en: 'Columns of amounts: {list}.' },
  totalAgrees: { es: '{label} cuadra ({sum})', en: '{label} agrees ({sum})' },
  totalDiffers: {
    es: '{label} difiere en {difference} de lo usado ({sum})',
    en: '{label} differs by {difference} from what is used ({sum})',
  },
  usedColumn: { es: 'usada', en: 'used' },
  usedColumns: { es: 'usadas', en: 'used' },
  controlColumn: { es: 'de control', en: 'for control' },
  controlColumns: { es: 'de control', en: 'for control' },
  declinedColumn: { es: 'descartada', en: 'declined' },
  declinedColumns: { es: 'descartadas', en: 'declined' },
  unreadColumn: { es: 'sin decidir', en: 'undecided' },
  unreadColumns: { es: 'sin decidir', en: 'undecided' },
  issues: {
    es: 'Hallazgos: errores {errors}, advertencias {warnings}.',
    en: 'Found: {errors} errors, {warnings} warnings.',
  },
  mappingChosen: {
    es: 'Mapeo elegido por el encabezado: {name} (otro: -m MAPEO).',
    en: 'Mapping chosen by the header: {name} (another one: -m MAPPING).',
  },
  defaults: { es: 'Valores por defecto usados: {list}', en: 'Defaults used: {list}' },
  skippedRows: { es: 'Omitidos: {count} por «{note}».', en: 'Skipped: {count} by "{note}".' },
  reading: { es: 'Leyendo', en: 'Reading' },
  sending: { es: 'Enviando', en: 'Sending' },
  asking: { es: 'Preguntando por los pendientes', en: 'Asking about the pending ones' },
  rate: { es: '{rate}/s', en: '{rate}/s' },
  left: { es: 'faltan {time}', en: '{time} left' },
  written: { es: 'Escrito: {file}', en: 'Written: {file}' },
  reported: { es: 'Reporte: {file}', en: 'Report: {file}' },
  annotated: { es: 'Copia anotada: {file}', en: 'Annotated copy: {file}' },
  formats: { es: 'Formatos leídos: {list}', en: 'Formats read: {list}' },
  yesNo: { es: '[s/N]', en: '[y/N]' },
  askSend: { es: '¿Enviar {count} documentos?', en: 'Send {count} documents?' },
  askProduction: {
    es: '¿Enviar a PRODUCCIÓN {count} documentos de {company}, por {service}?{totals} Quedan en firme.',
    en: 'Send {count} documents of {company} to PRODUCTION, by {service}?{totals} They are final.',
  },
  askPartial: {
    es: 'Hay {errors} errores. ¿Enviar solo los {count} documentos sin errores?',
    en: 'There are {errors} errors. Send only the {count} documents without errors?',
  },
  askToken: {
    es: 'Token de la empresa (no se ve al escribir): ',
    en: "The company's token (not shown while typing): ",
  },
  askCall: { es: '¿Llamar {operation} en {url}?', en: 'Call {operation} at {url}?' },
  company: { es: 'Empresa:    {company}', en: 'Company:    {company}' },
  service: { es: 'Servicio:   {url}', en: 'Service:    {url}' },
  test: { es: 'pruebas', en: 'test' },
  production: { es: 'PRODUCCIÓN', en: 'PRODUCTION' },
  testSet: {
    es: 'Ambiente:   {environment}, set de pruebas {testSet}',
    en: 'Target:     {environment}, test set {testSet}',
  },
  direct: {
    es: 'Ambiente:   {environment}, envío directo, sin set de pruebas',
    en: 'Target:     {environment}, direct, without a test set',
  },
  toSend: { es: 'Por enviar: {count} documentos', en: 'To send:    {count} documents' },
  accrued: { es: 'Devengado:  {amount}', en: 'Accrued:    {amount}' },
  deductions: { es: 'Deducido:   {amount}', en: 'Deductions: {amount}' },
  net: { es: 'Neto:       {amount}', en: 'Net:        {amount}' },
  already: {
    es: 'Ya aceptados antes, no se envían de nuevo: {count}.',
    en: 'Already accepted earlier, not sent again: {count}.',
  },
  blocked: {
    es: 'No se pueden enviar por lo que dice el diario: {count}.',
    en: 'Cannot be sent because of what the journal says: {count}.',
  },
  monthGroup: {
    es: '{title} ({month}): {count}, en {where}.',
    en: '{title} ({month}): {count}, at {where}.',
  },
  changes: {
    es: 'Cambios frente a lo aceptado:',
    en: 'Changes compared with what was accepted:',
  },
  changeField: { es: 'Campo', en: 'Field' },
  changeBefore: { es: 'Antes', en: 'Before' },
  changeAfter: { es: 'Después', en: 'After' },
  changeDifference: { es: 'Diferencia', en: 'Difference' },
  changeReplace: {
    es: '{who}: reemplazar {predecessor} con {number}',
    en: '{who}: replace {predecessor} with {number}',
  },
  changeDelete: {
    es: '{who}: eliminar {predecessor} con {number}',
    en: '{who}: delete {predecessor} with {number}',
  },
  changeGone: {
    es: '{who}: ya no está en el archivo; se propone eliminar {predecessor} con {number}',
    en: '{who}: no longer in the file; deleting {predecessor} with {number} is proposed',
  },
  changeNew: { es: '{who}: nómina nueva {number}{after}', en: '{who}: new payroll {number}{after}' },
  changeFollows: {
    es: ', solo después de que se acepte {number}',
    en: ', only after {number} is accepted',
  },
  askDelete: {
    es: '¿Eliminar también lo aceptado de {count} personas que ya no están en el archivo?',
    en: 'Delete what was accepted of {count} people who are no longer in the file as well?',
  },
  deletionsLeftOut: {
    es: 'Eliminaciones que quedan por fuera: {count}; necesitan --delete-missing o un sí propio.',
    en: 'Deletions left out: {count}; they need --delete-missing or a yes of their own.',
  },
  deletionsUnknown: {
    es: 'Con errores en el archivo no se busca quién falta en él.',
    en: 'While the file has errors, nobody is looked for who is not in it.',
  },
  nothingToResume: { es: 'No hay ejecuciones sin terminar.', en: 'No run is unfinished.' },
  askResume: {
    es: '¿Seguir con la ejecución {run}, de la que faltan {count} documentos?',
    en: 'Go on with the run {run}, of which {count} documents are left?',
  },
  theRun: {
    es: 'Ejecución:  {run}\nHuella:     {digest}',
    en: 'Run:        {run}\nDigest:     {digest}',
  },
  theMonths: { es: 'Mes:        {months}', en: 'Month:      {months}' },
  theFiles: { es: 'Archivos:   {files}', en: 'Files:      {files}' },
  heldBackCount: {
    es: 'Con errores, no están en la ejecución: {count}.',
    en: 'With errors, not in the run: {count}.',
  },
  held: {
    es: 'Retenida, no se envió nada. Siga con: {approve}\nY después: {send}',
    en: 'Held, nothing was sent. Go on with: {approve}\nAnd then: {send}',
  },
  notApproved: {
    es: '  retenida, sin aprobar: {approve}',
    en: '  held, not approved: {approve}',
  },
  approvedBy: {
    es: '  aprobada por {by} el {at}',
    en: '  approved by {by} on {at}',
  },
  approvedToSend: {
    es: 'Aprobada por {by}. Siga con: {send}',
    en: 'Approved by {by}. Go on with: {send}',
  },
  abandonedFor: { es: '  se renunció a ella el {at}: {reason}', en: '  given up on {at}: {reason}' },
  askApprove: { es: '¿Aprobar esta ejecución?', en: 'Approve this run?' },
  askName: { es: 'Su nombre, para el diario: ', en: 'Your name, for the journal: ' },
  notApprovedNow: { es: 'No se aprobó.', en: 'Not approved.' },
  askAnew: {
    es: 'De una ejecución a la que se renunció, {count} documentos pueden estar ya en el servicio. ¿Enviarlos de nuevo?',
    en: 'Of a run that was given up, {count} documents may be at the service already. Send them anew?',
  },
  anewLeftOut: {
    es: 'Quedan por fuera {count} documentos que pueden estar ya en el servicio.',
    en: '{count} documents that may be at the service already are left out.',
  },
  elsewhere: {
    es: 'La ejecución {run} tiene {count} de estos documentos y no ha terminado: {command}',
    en: 'Run {run} has {count} of these documents and is not finished: {command}',
  },
  numbersMoved: {
    es: 'Otros números se usaron entretanto; los nuevos: {list}',
    en: 'Other numbers were used meanwhile; the new ones: {list}',
  },
  nothingToSend: { es: 'No hay nada por enviar.', en: 'There is nothing to send.' },
  notSentErrors: {
    es: 'No se envió nada: corrija los errores, o use --partial para enviar los demás.',
    en: 'Nothing was sent: fix the errors, or use --partial to send the others.',
  },
  notSentTable: {
    es: 'No se envió nada: la tabla misma tiene errores y no se puede enviar una parte.',
    en: 'Nothing was sent: the table itself has errors, so no part of it can be sent.',
  },
  notSentAnswer: { es: 'No se envió nada.', en: 'Nothing was sent.' },
  dryRun: { es: 'Simulacro (--dry-run): no se envió nada.', en: 'Dry run: nothing was sent.' },
  finishing: {
    es: 'Interrumpido: se espera la respuesta de lo que ya salió. Ctrl-C otra vez para parar ya.',
    en: 'Interrupted: waiting for the answers of what has left. Ctrl-C again to stop now.',
  },
  resumeHint: {
    es: 'Quedó sin terminar. Siga con: {command}',
    en: 'Unfinished. Go on with: {command}',
  },
  reportHint: {
    es: 'Lo enviado está en el diario. Escriba el reporte con: {command}',
    en: 'What was sent is in the journal. Write the report with: {command}',
  },
  resumeLater: {
    es: 'Quedó sin terminar. El plazo es de 48 horas desde que el servicio vuelva: por lo menos hasta {until} (hora de Colombia). Siga desde {from} con: {command}',
    en: 'Unfinished. You have 48 hours once the service is back: at least until {until} (Colombian time). Go on from {from} with: {command}',
  },
  stoppedEarly: { es: 'Se detuvo antes de terminar:', en: 'Stopped before the end:' },
  noRuns: { es: 'Este diario no tiene ejecuciones.', en: 'This journal has no runs.' },
  testDifference: {
    es: '{at}: se esperaba {expected} y salió {found}',
    en: '{at}: expected {expected}, found {found}',
  },
  testsDone: { es: 'Pruebas: {fine} de {all} bien.', en: 'Tests: {fine} of {all} fine.' },
  lintFine: { es: '{file}: sin errores.', en: '{file}: no errors.' },
  noIssues: { es: 'Sin errores.', en: 'No errors.' },
  explainLevel: { es: 'Nivel: {level}', en: 'Level: {level}' },
  explainMessage: { es: 'Dice: {message}', en: 'Says: {message}' },
  explainRules: { es: 'Reglas de la autoridad: {rules}', en: 'Rules of the authority: {rules}' },
  explainFix: { es: 'Qué hacer: {fix}', en: 'What to do: {fix}' },
  sandboxAt: { es: 'El servicio de prueba está en {url}', en: 'The sandbox is at {url}' },
  sandboxUse: {
    es: 'Para usarlo, en otra terminal:',
    en: 'To use it, in another terminal:',
  },
  sandboxAdmin: { es: 'Token de las rutas /admin: {token}', en: 'Token of the /admin routes: {token}' },
  sandboxStop: { es: 'Ctrl-C lo detiene.', en: 'Ctrl-C stops it.' },
} satisfies Record<string, Text>;

export type Phrase = keyof typeof TEXTS;

export const say = (
  language: Language,
  phrase: Phrase,
  params: Readonly<Record<string, string | number>> = {},
): string =>
  TEXTS[phrase][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? `{${name}}`));

/** Counts as the language writes them: 12.345 or 12,345. */
export const formatCount = (count: number, language: Language): string =>
  count.toLocaleString(language === 'es' ? 'es-CO' : 'en-US');
