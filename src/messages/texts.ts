import type { Language } from '../core/issue.js';
import type { Text } from '../generated/issue-codes.js';

/** What is said of RIPS packages only. */
const CARE_TEXTS = {
  careValue: { es: 'Valor:      {amount}', en: 'Value:      {amount}' },
  askSisproPassword: { es: 'Clave de SISPRO: ', en: 'Password of SISPRO: ' },
  sisproStored: {
    es: 'El servicio guardó el acceso a SISPRO.',
    en: 'The service stored the access to SISPRO.',
  },
  resultsKept: {
    es: 'Resultados del Ministerio: {count} en {folder}',
    en: 'Results of the ministry: {count} in {folder}',
  },
  laterTypes: {
    es: 'Aviso: algunas versiones del servicio no transmiten bien servicios que no son consultas; revise los primeros.',
    en: 'Note: some versions of the service do not carry services other than consultations well; look at the first ones.',
  },
} as const;

/** What `catalogue` says to people. */
const CATALOGUE_TEXTS = {
  tableLoaded: {
    es: '{table}: {rows} filas de {source}, en uso desde ahora.',
    en: '{table}: {rows} rows of {source}, in use from now on.',
  },
  tableSame: {
    es: '{table}: las mismas {rows} filas que ya estaban en uso.',
    en: '{table}: the same {rows} rows that were in use already.',
  },
  originShipped: { es: 'incluida, {rows} filas', en: 'shipped, {rows} rows' },
  originSample: {
    es: 'muestra de {rows} filas: la tabla no está cargada',
    en: 'sample of {rows} rows: the table is not loaded',
  },
  originLoaded: {
    es: '{rows} filas de {source}, cargada el {at}, versión {version}',
    en: '{rows} rows of {source}, loaded on {at}, version {version}',
  },
  originAbsent: {
    es: 'sin cargar: tabla {sispro} de SISPRO',
    en: 'not loaded: table {sispro} of SISPRO',
  },
  askPull: { es: '¿Pedir las tablas a {url}?', en: 'Ask {url} for its tables?' },
} satisfies Record<string, Text>;

/** What `preview` and `email` say to people. */
const ERRAND_TEXTS = {
  previewing: { es: 'Pidiendo vistas previas', en: 'Asking for previews' },
  mailing: { es: 'Enviando correos', en: 'Sending e-mails' },
  askPreview: {
    es: '¿Mandar {count} documentos a {url} para su vista previa? A la DIAN no va nada.',
    en: 'Send {count} documents to {url} for a preview? Nothing goes to DIAN.',
  },
  previews: {
    es: 'Vistas previas: {documents} documentos = {written} escritas + {there} que ya estaban + {failed} sin vista previa + {left} por pedir.',
    en: 'Previews: {documents} documents = {written} written + {there} already there + {failed} without a preview + {left} left to ask for.',
  },
  previewFolder: { es: 'Carpeta: {folder}', en: 'Folder: {folder}' },
  repeatHint: {
    es: 'Quedó sin terminar. Repita el comando: sigue donde quedó.',
    en: 'Unfinished. Repeat the command: it goes on where it stopped.',
  },
  toMail: { es: 'Por enviar: {count} correos', en: 'To mail:    {count} e-mails' },
  mailTo: { es: 'Destino:    todos a {address}', en: 'To:         all to {address}' },
  mailToWorkers: {
    es: 'Destino:    el correo de cada trabajador',
    en: "To:         each worker's own address",
  },
  alreadyMailed: {
    es: 'Ya enviados antes, no se repiten sin --again: {count}.',
    en: 'Already mailed, not repeated without --again: {count}.',
  },
  maybeMailed: {
    es: 'Pudieron haber salido antes, no se repiten sin --again: {count}.',
    en: 'May have been mailed before, not repeated without --again: {count}.',
  },
  noAddress: {
    es: 'Sin correo en el documento: {count}.',
    en: 'Without an address in the document: {count}.',
  },
  notAccepted: {
    es: 'Sin aceptar por la DIAN, no se envían: {count}.',
    en: 'Not accepted by DIAN, not mailed: {count}.',
  },
  deletionsNotMailed: {
    es: 'Eliminaciones aceptadas, que no tienen a quién enviarse: {count}.',
    en: 'Accepted deletions, which have nobody to be mailed to: {count}.',
  },
  askMail: {
    es: '¿Enviar {count} correos de {company} ({target})?',
    en: 'Send {count} e-mails of {company} ({target})?',
  },
  targetTestSet: { es: '{environment}, set de pruebas {testSet}', en: '{environment}, test set {testSet}' },
  targetDirect: { es: '{environment}, envío directo', en: '{environment}, sent directly' },
  nothingToMail: { es: 'No hay correos por enviar.', en: 'There is nothing to mail.' },
  notMailed: { es: 'No se envió ningún correo.', en: 'No e-mail was sent.' },
  mails: {
    es: 'Correos: {documents} documentos = {mailed} enviados + {already} ya enviados + {unconfirmed} sin confirmar + {refused} no admitidos + {noAddress} sin correo + {deletions} eliminaciones + {notAccepted} sin aceptar + {left} por enviar.',
    en: 'E-mails: {documents} documents = {mailed} mailed + {already} already mailed + {unconfirmed} unconfirmed + {refused} refused + {noAddress} without an address + {deletions} deletions + {notAccepted} not accepted + {left} left to mail.',
  },
} satisfies Record<string, Text>;

/** What `events` and `reception` say. `{name}` stands for a param. */
const EVENT_TEXTS = {
  askingEvents: { es: 'Consultando los eventos', en: 'Asking for the events' },
  'state-none': { es: 'Sin eventos', en: 'No events' },
  'state-acknowledged': { es: 'Con acuse de recibo', en: 'Acknowledged' },
  'state-received': { es: 'Bien o servicio recibido', en: 'Goods or service received' },
  'state-accepted': { es: 'Aceptada', en: 'Accepted' },
  'state-claimed': { es: 'Reclamada', en: 'Claimed' },
  'state-tacitly-accepted': { es: 'Aceptada tácitamente', en: 'Tacitly accepted' },
  'state-unknown': { es: 'Sin respuesta', en: 'No answer' },
  invoicesAsked: {
    es: 'Facturas: {count}. {states}.',
    en: 'Invoices: {count}. {states}.',
  },
  askAsk: {
    es: '¿Consultar {count} facturas en {service}?',
    en: 'Ask {service} about {count} invoices?',
  },
  readInvoice: {
    es: '{number}  {seller}  {total}  {state}',
    en: '{number}  {seller}  {total}  {state}',
  },
} satisfies Readonly<Record<string, Text>>;

/** What `journal` says to people. */
const JOURNAL_TEXTS = {
  exported: {
    es: 'Exportado: {file}, {count} líneas. Tiene datos personales: guárdelo como la nómina.',
    en: 'Exported: {file}, {count} lines. It holds personal data: keep it as you keep the payroll.',
  },
  backedUp: {
    es: 'Copia del diario: {file}, leída de nuevo y en orden. Lo que se envíe después no está en ella.',
    en: 'Copy of the journal: {file}, read again and in order. What is sent from now on is not in it.',
  },
  askWhose: {
    es: '{path} es un diario de este servicio sin nombre de empresa. ¿Es el de {company}?',
    en: '{path} is a journal of this service without a company name. Is it that of {company}?',
  },
  askAdopt: {
    es: '¿Tomar {path} como el diario de {company}? Lo que no sea definitivo y pueda faltarle se preguntará antes de enviarlo.',
    en: 'Take {path} as the journal of {company}? What is not final, and may be missing from it, will be asked about before it is sent.',
  },
  adopted: {
    es: 'Diario de {company}: {path}',
    en: 'Journal of {company}: {path}',
  },
  askPurge: {
    es: '¿Borrar los datos personales de {count} documentos de {runs} ejecuciones terminadas antes del {date}? No se pueden recuperar; los reportes y copias que tenga no cambian.',
    en: 'Remove the personal data of {count} documents of {runs} runs that ended before {date}? It cannot be brought back; reports and copies that you have stay as they are.',
  },
  purged: {
    es: 'Datos personales borrados: {count} documentos de {runs} ejecuciones. Quedan número, código, estado, fechas y de quién y de qué mes era cada documento, para que nada se envíe dos veces.',
    en: 'Personal data removed: {count} documents of {runs} runs. Number, code, state, dates, and whose and of which month each document was, stay: so nothing is sent twice.',
  },
  wasPurged: {
    es: 'Sus datos personales se borraron el {date}; quedan números, códigos, estados y fechas.',
    en: 'Its personal data was removed on {date}; numbers, codes, states and dates are left.',
  },
  notPurged: {
    es: 'Sin borrar, porque tienen documentos sin terminar: {list}',
    en: 'Not removed, since they have unfinished documents: {list}',
  },
  nothingToPurge: {
    es: 'No hay ejecuciones terminadas antes del {date} con datos personales.',
    en: 'There are no runs with personal data that ended before {date}.',
  },
  askAbandon: {
    es: '¿Renunciar a {count} documentos sin enviar de la ejecución {run}? Sus números quedan gastados.',
    en: 'Give up {count} documents of run {run} that were not sent? Their numbers stay spent.',
  },
  askAbandonOpen: {
    es: '¿Renunciar a la ejecución {run}: {count} documentos sin enviar y {open} sin confirmar, que pueden haber llegado?',
    en: 'Give up run {run}: {count} documents not sent and {open} unconfirmed, which may have arrived?',
  },
  heldDropped: {
    es: 'La ejecución retenida {run} ya no existe; sus números quedan libres.',
    en: 'The held run {run} is gone; its numbers are free.',
  },
  openAbandoned: {
    es: 'Quedan {count} sin confirmar, por los que nadie pregunta más; asiéntelos si los averigua: cargue resume {run} --settle',
    en: '{count} are unconfirmed and nobody asks about them any more; settle them if you find out: cargue resume {run} --settle',
  },
  abandoned: {
    es: 'Se renunció a {count} documentos de la ejecución {run}. Ya se puede enviar el archivo corregido.',
    en: '{count} documents of run {run} were given up. The corrected file can be sent now.',
  },
  nothingToAbandon: {
    es: 'La ejecución {run} no tiene documentos sin enviar.',
    en: 'Run {run} has no documents that were not sent.',
  },
  stillOpen: {
    es: 'Quedan {count} sin confirmar o pendientes, que pueden haber llegado: cargue resume {run}',
    en: '{count} are unconfirmed or pending and may have landed: cargue resume {run}',
  },
  rejectedNumbers: {
    es: 'Números gastados en documentos que no se aceptaron: {list}',
    en: 'Numbers spent on documents that were not accepted: {list}',
  },
  numberGaps: {
    es: 'Números que ningún documento tiene: {list}',
    en: 'Numbers that no document has: {list}',
  },
} satisfies Record<string, Text>;

/** What `profile` says to people. */
const PROFILE_TEXTS = {
  noProfiles: {
    es: 'No hay perfiles en {folder}.',
    en: 'There are no profiles in {folder}.',
  },
  askProfileUrl: { es: 'Dirección del servicio (https://…)', en: "The service's address (https://…)" },
  askEnvironment: {
    es: '¿Qué hay tras esa dirección? (test, production)',
    en: 'What stands behind that address? (test, production)',
  },
  askNit: {
    es: 'NIT de la empresa, sin puntos ni dígito de verificación',
    en: "The company's NIT, without points or check digit",
  },
  askProfileToken: {
    es: 'Token de la empresa, para guardarlo en este archivo privado (en blanco: no se guarda): ',
    en: "The company's token, to keep it in this private file (blank: it is not kept): ",
  },
  profileAdded: {
    es: 'Perfil escrito: {file}. Úselo con --profile {name}, o con CARGUE_PROFILE={name}.',
    en: 'Profile written: {file}. Use it by --profile {name}, or by CARGUE_PROFILE={name}.',
  },
} satisfies Record<string, Text>;

/** What `setup` says to people. */
const SETUP_TEXTS = {
  introSoftware: {
    es: `Esto registra en el servicio el software de nómina que la empresa creó en el portal de la DIAN.
Se necesita el id del software y su PIN de cinco cifras; el identificador del set de pruebas es otra cosa.
El servicio guarda también a qué dirección de la DIAN envía. Cada llamada reemplaza las dos, la de nómina y la de
facturación; por eso aquí se preguntan siempre las dos. El ambiente que va escrito en cada documento es otra cosa: lo
fija quien opera el servicio, y si no coincide con la dirección la DIAN rechaza (NIE023).`,
    en: `This registers with the service the payroll software that the company made in the DIAN portal.
It takes the software id and its PIN of five digits; the id of the test set is something else.
The service also keeps the address of DIAN that it sends to. Every call replaces both, that of payroll and that of
invoicing; so both are always asked for here. The environment written in each document is something else: whoever
runs the service sets it, and when it does not fit the address DIAN rejects (NIE023).`,
  },
  introResolution: {
    es: `Esto registra en el servicio un rango de números. Para nómina lo escoge la empresa: la DIAN no lo autoriza.
Hace falta uno para la nómina y otro para las notas de ajuste, cada uno con su prefijo.`,
    en: `This registers a range of numbers with the service. For payroll the company chooses it: DIAN does not grant it.
One is needed for payrolls and another for adjust notes, each with its own prefix.`,
  },
  askSoftwareId: {
    es: 'Id del software de nómina (portal de la DIAN)',
    en: 'Id of the payroll software (DIAN portal)',
  },
  askPayrollAddress: {
    es: '¿La nómina va a pruebas o a producción? (test, production)',
    en: 'Does payroll go to tests or to production? (test, production)',
  },
  askInvoiceAddress: {
    es: '¿Y la facturación de esta empresa por este servicio? (test, production; same si aquí no factura)',
    en: "And this company's invoicing through this service? (test, production; same if it does not invoice here)",
  },
  askPin: {
    es: 'PIN del software de nómina (no se ve al escribir): ',
    en: 'PIN of the payroll software (not shown while typing): ',
  },
  askPinToProve: {
    es: 'Con el PIN del software de nómina se comprueba por el CUNE si {count} documentos son los suyos. PIN (vacío: dejarlos sin confirmar): ',
    en: 'With the PIN of the payroll software the CUNE tells whether {count} documents are yours. PIN (blank: leave them unconfirmed): ',
  },
  askPinAgain: { es: 'El mismo PIN otra vez: ', en: 'The same PIN again: ' },
  askDocumentType: {
    es: '¿Para qué documentos? (payroll: nómina, adjust: notas de ajuste)',
    en: 'For which documents? (payroll, adjust: adjust notes)',
  },
  askPrefix: { es: 'Prefijo, de una a cuatro letras mayúsculas', en: 'Prefix, one to four capital letters' },
  askFirstNumber: { es: 'Primer número', en: 'First number' },
  askLastNumber: { es: 'Último número', en: 'Last number' },
  planSoftware: { es: 'Se va a configurar:', en: 'This will be configured:' },
  planLine: { es: '  {name}: {value}', en: '  {name}: {value}' },
  planChange: { es: '  {name}: {value}   (antes: {before})', en: '  {name}: {value}   (before: {before})' },
  nameSoftwareId: { es: 'Id del software', en: 'Software id' },
  namePin: { es: 'PIN', en: 'PIN' },
  pinHidden: { es: 'el que acaba de dar (oculto)', en: 'the one just given (hidden)' },
  namePayroll: { es: 'Nómina', en: 'Payroll' },
  nameInvoicing: { es: 'Facturación', en: 'Invoicing' },
  nameDocumentType: { es: 'Documentos', en: 'Documents' },
  namePrefix: { es: 'Prefijo', en: 'Prefix' },
  nameRange: { es: 'Rango', en: 'Range' },
  nameNext: { es: 'Siguiente número, según el servicio', en: 'Next number, says the service' },
  typePayroll: { es: 'nómina', en: 'payroll' },
  typeAdjust: { es: 'notas de ajuste', en: 'adjust notes' },
  addressTest: { es: 'pruebas', en: 'tests' },
  addressProduction: { es: 'producción', en: 'production' },
  notKnown: { es: 'no se sabe', en: 'not known' },
  askAskService: {
    es: '¿Preguntar a {url} qué hay configurado?',
    en: 'Ask {url} what is configured?',
  },
  askChangeAddress: {
    es: '¿De verdad cambiar la dirección de {of} de {before} a {after}?',
    en: 'Really change the address of {of} from {before} to {after}?',
  },
  askReplaceAll: {
    es: '¿De verdad borrar los demás rangos de {of}?',
    en: 'Really delete the other ranges of {of}?',
  },
  askConfigure: {
    es: '¿Configurar esto en {url} para la empresa «{company}»?',
    en: 'Configure this at {url} for the company "{company}"?',
  },
  notConfigured: { es: 'No se configuró nada.', en: 'Nothing was configured.' },
  dryConfigured: {
    es: 'Simulacro (--dry-run): no se configuró nada.',
    en: 'Dry run: nothing was configured.',
  },
  softwareConfigured: {
    es: 'Software configurado. Sigue: cargue setup resolution',
    en: 'Software configured. Next: cargue setup resolution',
  },
  resolutionConfigured: {
    es: 'Rango configurado. Pruebe con un set de pruebas: cargue send ARCHIVO --test-set ID',
    en: 'Range configured. Try it with a test set: cargue send FILE --test-set ID',
  },
  showSoftware: {
    es: 'Software, según lo último que configuró este equipo ({at}); el servicio no lo deja leer:',
    en: 'Software, as this machine last set it ({at}); the service does not show it:',
  },
  showNoSoftware: {
    es: 'Software: este equipo no lo ha configurado, y el servicio no lo deja leer.',
    en: 'Software: this machine has not set it, and the service does not show it.',
  },
  showRange: {
    es: 'Rango de {type}, prefijo {prefix}: siguiente número {next}.',
    en: 'Range of {type}, prefix {prefix}: next number {next}.',
  },
  showNoRange: {
    es: 'Rango de {type}{prefix}: el servicio no muestra ninguno.',
    en: 'Range of {type}{prefix}: the service shows none.',
  },
} satisfies Record<string, Text>;

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
  rate: { es: '{rate}/s', en: '{rate}/s' },
  left: { es: 'faltan {time}', en: '{time} left' },
  written: { es: 'Escrito: {file}', en: 'Written: {file}' },
  reported: { es: 'Reporte: {file}', en: 'Report: {file}' },
  annotated: { es: 'Copia anotada: {file}', en: 'Annotated copy: {file}' },
  formats: { es: 'Formatos leídos: {list}', en: 'Formats read: {list}' },
  'style-comma': { es: 'decimales con coma', en: 'decimal comma' },
  'style-dot': { es: 'decimales con punto', en: 'decimal point' },
  'style-dmy': { es: 'fechas día/mes/año', en: 'dates day/month/year' },
  'style-mdy': { es: 'fechas mes/día/año', en: 'dates month/day/year' },
  'style-ymd': { es: 'fechas año/mes/día', en: 'dates year/month/day' },
  prompt: { es: '{question}: ', en: '{question}: ' },
  promptKnown: { es: '{question} [{known}]: ', en: '{question} [{known}]: ' },
  finalTotals: { es: ' {totals}.', en: ' {totals}.' },
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

/** `1750905.00` → `1.750.905,00`, without passing through a float. */
export function formatMoney(amount: string, language: Language): string {
  const [whole = '', cents = '00'] = amount.split('.');
  const [thousands, decimal] = language === 'es' ? ['.', ','] : [',', '.'];
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands) + decimal + cents;
}
