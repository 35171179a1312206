import type { UseCase } from '../app/context.js';
import type { Text } from '../generated/issue-codes.js';
import { OPERATIONS, type Operation } from '../generated/operations.js';
import type { OptionName } from './options.js';

export interface CommandSpec {
  /** One word, or two: a group and a verb. */
  readonly name: string;
  readonly about: Text;
  /** As commander writes them: `<FILE...>`, `[RUN]`. */
  readonly args: readonly { readonly form: string; readonly about: Text }[];
  readonly options: readonly OptionName[];
  /** Shown below the help. */
  readonly after?: string;
  readonly hidden?: boolean;
  /** Imported when it is called, so that `--help` loads nothing else. */
  readonly load: () => Promise<UseCase>;
}

const lineOf = ({ id, method, path, body }: Operation): string =>
  `    ${id.padEnd(26)}${method.padEnd(7)}${path}${body === null ? '' : `  body: ${body}`}`;

/** Every operation of the service by tag, a line each: name, method, path, schema of the body. */
function operationList(): string {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const tags = new Set(operations.map(({ tag }) => tag));
  const blocks = [...tags].map((tag) => {
    const lines = operations.filter((operation) => operation.tag === tag).map(lineOf);
    return [`  ${tag}:`, ...lines].join('\n');
  });
  return `\n${blocks.join('\n\n')}`;
}

const COMMON = ['json', 'lang', 'debug'] as const;
const MAPPED = ['mapping', 'param', 'params', 'answer', 'expand', 'byCufe', 'showValues'] as const;
const JOURNAL = ['profile', 'company', 'url'] as const;
/** Of commands that call the service. */
const CALLS = ['ca', 'timeout'] as const;

const FILES = {
  form: '<FILE...>',
  about: { es: 'archivos .xlsx o .csv; * y ? se expanden', en: '.xlsx or .csv files; * and ? are expanded' },
} as const;
const RUN = {
  form: '[RUN]',
  about: { es: 'ejecución (por defecto la última)', en: 'run (default the latest)' },
} as const;

/** What is done with the documents of a run beside sending them. */
const ERRAND_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'preview',
    about: {
      es: 'guarda la vista previa en PDF de cada documento',
      en: 'save the PDF preview of each document',
    },
    args: [RUN],
    options: [
      'folder',
      'documents',
      'only',
      ...JOURNAL,
      ...CALLS,
      'concurrency',
      'rate',
      'yes',
      'showValues',
      ...COMMON,
    ],
    load: async () => (await import('../app/preview.js')).preview,
  },
  {
    name: 'email',
    about: {
      es: 'envía por correo los documentos aceptados',
      en: 'mail the accepted documents',
    },
    args: [RUN],
    options: [
      'only',
      'to',
      'again',
      ...JOURNAL,
      ...CALLS,
      'concurrency',
      'rate',
      'dryRun',
      'yes',
      'showValues',
      ...COMMON,
    ],
    load: async () => (await import('../app/email.js')).email,
  },
];

const SENT = ['concurrency', 'rate', 'partial', 'dryRun', 'yes', 'report', 'force'] as const;

/** Received invoices: their events, and what the seller sent. */
const EVENT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'events',
    about: {
      es: 'registra eventos de facturas recibidas, o dice qué sigue en cada una',
      en: 'register events of received invoices, or say what is next for each',
    },
    args: [
      {
        form: '<FILE...>',
        about: {
          es: 'lista de eventos, o AttachedDocument en .xml o .zip; * y ? se expanden',
          en: 'list of events, or AttachedDocument as .xml or .zip; * and ? are expanded',
        },
      },
    ],
    options: [...MAPPED, 'worklist', 'ask', ...JOURNAL, ...CALLS, ...SENT, 'hold', 'annotate', ...COMMON],
    load: async () => (await import('../app/invoice-events.js')).events,
  },
  {
    name: 'reception',
    about: {
      es: 'hace leer al servicio los AttachedDocument que envió el vendedor',
      en: "have the service read the seller's AttachedDocument files",
    },
    args: [
      {
        form: '<FILE...>',
        about: {
          es: 'archivos .xml, o un .zip con ellos; * y ? se expanden',
          en: '.xml files, or a .zip of them; * and ? are expanded',
        },
      },
    ],
    options: ['mapping', 'param', 'params', 'output', 'showValues', ...JOURNAL, ...CALLS, ...SENT, ...COMMON],
    load: async () => (await import('../app/reception.js')).reception,
  },
];

/** What is done with the journal itself. */
const JOURNAL_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'journal path',
    about: { es: 'dice en qué archivo está el diario', en: 'say which file the journal is' },
    args: [],
    options: [...JOURNAL, ...COMMON],
    load: async () => (await import('../app/journal.js')).journalPath,
  },
  {
    name: 'journal export',
    about: {
      es: 'escribe todo el diario, un objeto JSON por línea, con los datos personales completos',
      en: 'write the whole journal, one JSON object a line, personal data in full',
    },
    args: [],
    options: ['output', 'force', ...JOURNAL, ...COMMON],
    load: async () => (await import('../app/journal.js')).journalExport,
  },
  {
    name: 'journal backup',
    about: {
      es: 'copia el diario, también mientras se envía; la copia se pone en el lugar que dice journal path',
      en: 'copy the journal, also while sending; the copy goes back to where journal path says',
    },
    args: [{ form: '<FILE>', about: { es: 'archivo de la copia', en: 'file of the copy' } }],
    options: ['force', ...JOURNAL, ...COMMON],
    load: async () => (await import('../app/journal.js')).journalBackup,
  },
  {
    name: 'journal adopt',
    about: {
      es: 'toma el archivo que está en el lugar del diario como el de esta empresa, aunque le falte lo último o sea una copia: lo que no sea definitivo se pregunta',
      en: "take the file in the place of the journal as this company's, though it lacks what came last or is a copy: what is not final is asked about",
    },
    args: [],
    options: [...JOURNAL, 'yes', ...COMMON],
    load: async () => (await import('../app/journal.js')).journalAdopt,
  },
  {
    name: 'journal purge',
    about: {
      es: 'borra los datos personales de las ejecuciones terminadas antes de una fecha; quedan números, códigos y estados',
      en: 'remove the personal data of runs that ended before a date; numbers, codes and states stay',
    },
    args: [],
    options: ['before', ...JOURNAL, 'yes', ...COMMON],
    load: async () => (await import('../app/journal.js')).journalPurge,
  },
  {
    name: 'journal abandon',
    about: {
      es: 'renuncia a lo que una ejecución no ha enviado, o con --reason a todo lo que le falta, para enviar el archivo corregido',
      en: 'give up what a run has not sent, or by --reason all that it lacks, so that the corrected file can be sent',
    },
    args: [{ form: '<RUN>', about: { es: 'ejecución', en: 'run' } }],
    options: ['whyAbandon', ...JOURNAL, 'yes', ...COMMON],
    load: async () => (await import('../app/journal.js')).journalAbandon,
  },
];

/** What is done with runs that were laid out or begun. */
const RUN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'approve',
    about: {
      es: 'muestra lo que send --hold dejó listo, y lo aprueba con su nombre',
      en: 'show what send --hold laid out, and approve it by name',
    },
    args: [{ form: '<RUN>', about: { es: 'ejecución retenida', en: 'held run' } }],
    options: [...JOURNAL, 'asPerson', 'yes', ...COMMON],
    load: async () => (await import('../app/approve.js')).approve,
  },
  {
    name: 'resume',
    about: { es: 'termina una ejecución que quedó a medias', en: 'finish a run that was left halfway' },
    args: [RUN],
    options: [
      ...JOURNAL,
      ...CALLS,
      'concurrency',
      'pinFile',
      'rate',
      'report',
      'force',
      'showValues',
      'yes',
      'settle',
      'asPerson',
      'sispro',
      'results',
      ...COMMON,
    ],
    load: async () => (await import('../app/resume.js')).resume,
  },
  {
    name: 'status',
    about: {
      es: 'muestra las ejecuciones, o las cuentas de una',
      en: 'show the runs, or the accounts of one',
    },
    args: [{ form: '[RUN]', about: { es: 'ejecución (sin ella, todas)', en: 'run (without it, all)' } }],
    options: [...JOURNAL, 'showValues', ...COMMON],
    load: async () => (await import('../app/status.js')).status,
  },
  {
    name: 'report',
    about: { es: 'escribe de nuevo el reporte de una ejecución', en: "write a run's report again" },
    args: [RUN],
    options: ['output', 'results', 'force', ...JOURNAL, ...COMMON],
    load: async () => (await import('../app/report.js')).report,
  },
];

const NAME = { form: '<NAME>', about: { es: 'nombre del perfil', en: 'name of the profile' } } as const;

/** Profiles: where a company sends, said once. */
const PROFILE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'profile list',
    about: { es: 'lista los perfiles', en: 'list the profiles' },
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/profile.js')).profileList,
  },
  {
    name: 'profile show',
    about: { es: 'muestra un perfil, sin sus secretos', en: 'show a profile, without its secrets' },
    args: [NAME],
    options: [...COMMON],
    load: async () => (await import('../app/profile.js')).profileShow,
  },
  {
    name: 'profile add',
    about: { es: 'crea un perfil, paso a paso', en: 'make a profile, step by step' },
    args: [NAME],
    options: [
      'url',
      'environment',
      'company',
      'companyName',
      'testSet',
      'concurrency',
      'rate',
      'timeout',
      'ca',
      'yes',
      ...COMMON,
    ],
    load: async () => (await import('../app/profile.js')).profileAdd,
  },
];

/** How a company is set up at the service. */
const SETUP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'setup software',
    about: {
      es: 'registra el software de nómina, paso a paso',
      en: 'register the payroll software, step by step',
    },
    args: [],
    options: [
      'softwareId',
      'payrollAddress',
      'invoiceAddress',
      'changeAddress',
      'pinFile',
      ...JOURNAL,
      ...CALLS,
      'dryRun',
      'yes',
      ...COMMON,
    ],
    load: async () => (await import('../app/setup.js')).setupSoftware,
  },
  {
    name: 'setup resolution',
    about: {
      es: 'registra un rango de números, paso a paso',
      en: 'register a range of numbers, step by step',
    },
    args: [],
    options: [
      'documentType',
      'prefix',
      'firstNumber',
      'lastNumber',
      'replaceAll',
      ...JOURNAL,
      ...CALLS,
      'dryRun',
      'yes',
      ...COMMON,
    ],
    load: async () => (await import('../app/setup.js')).setupResolution,
  },
  {
    name: 'setup show',
    about: {
      es: 'muestra lo que se sabe de la configuración',
      en: 'show what is known of the configuration',
    },
    args: [],
    options: [...JOURNAL, ...CALLS, 'yes', ...COMMON],
    load: async () => (await import('../app/setup.js')).setupShow,
  },
];

/** What `cargue` can do, in the order of its help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'inspect',
    about: {
      es: 'mira un archivo desconocido y propone su mapeo',
      en: 'look at an unknown file and propose its mapping',
    },
    args: [FILES],
    options: ['write', 'force', 'answer', 'param', 'params', ...COMMON],
    load: async () => (await import('../app/inspect.js')).inspect,
  },
  {
    name: 'check',
    about: {
      es: 'revisa los archivos y dice qué celda corregir',
      en: 'check the files and say which cell to fix',
    },
    args: [FILES],
    options: [...MAPPED, 'annotate', 'force', ...COMMON],
    load: async () => (await import('../app/check.js')).check,
  },
  {
    name: 'convert',
    about: {
      es: 'convierte los archivos en documentos, uno válido por línea',
      en: 'turn the files into documents, one valid a line',
    },
    args: [FILES],
    options: [...MAPPED, 'output', 'asForm', 'force', ...COMMON],
    load: async () => (await import('../app/convert.js')).convert,
  },
  {
    name: 'send',
    about: {
      es: 'revisa todo, pregunta, envía y escribe el reporte; o envía una ejecución aprobada',
      en: 'check all, ask, send and write the report; or send a run that was approved',
    },
    args: [
      {
        form: '<FILE...>',
        about: {
          es: 'archivos .xlsx o .csv, * y ? se expanden; o la EJECUCIÓN que approve aprobó',
          en: '.xlsx or .csv files, * and ? are expanded; or the RUN that approve let go',
        },
      },
    ],
    options: [
      ...MAPPED,
      ...JOURNAL,
      ...CALLS,
      'testSet',
      'concurrency',
      'pinFile',
      'rate',
      'partial',
      'dryRun',
      'hold',
      'yes',
      'report',
      'annotate',
      'force',
      'booking',
      'paymentConcept',
      'sispro',
      'results',
      ...COMMON,
    ],
    load: async () => (await import('../app/send.js')).send,
  },
  ...RUN_COMMANDS,
  {
    name: 'adjust',
    about: {
      es: 'corrige lo aceptado con notas de ajuste: de una hoja de correcciones, o del mes corregido',
      en: 'correct what was accepted by adjust notes: from a sheet of corrections, or the corrected month',
    },
    args: [FILES],
    options: [
      ...MAPPED,
      ...JOURNAL,
      ...CALLS,
      'reason',
      'deleteMissing',
      'testSet',
      'concurrency',
      'pinFile',
      'rate',
      'partial',
      'dryRun',
      'hold',
      'yes',
      'report',
      'annotate',
      'force',
      ...COMMON,
    ],
    load: async () => (await import('../app/adjust.js')).adjust,
  },
  ...EVENT_COMMANDS,
  ...ERRAND_COMMANDS,
  ...SETUP_COMMANDS,
  ...PROFILE_COMMANDS,
  {
    name: 'sandbox',
    about: {
      es: 'ofrece el servicio aquí mismo, para probar',
      en: 'run the service right here, to try things',
    },
    args: [],
    options: ['port', 'data', ...COMMON],
    load: async () => (await import('../app/sandbox.js')).sandbox,
  },
  {
    name: 'api',
    about: { es: 'llama una operación del servicio', en: 'call one operation of the service' },
    args: [
      {
        form: '<OPERATION>',
        about: {
          es: 'su nombre, como getZipStatus (lista abajo)',
          en: 'its name, such as getZipStatus (list below)',
        },
      },
    ],
    options: ['path', 'query', 'body', 'profile', 'url', ...CALLS, 'yes', ...COMMON],
    after: operationList(),
    load: async () => (await import('../app/api.js')).api,
  },
  {
    name: 'template',
    about: {
      es: 'hace un libro vacío para llenar, con listas y notas',
      en: 'make an empty workbook to fill, with lists and notes',
    },
    args: [
      {
        form: '<TARGET>',
        about: { es: 'payroll, o un mapeo', en: 'payroll, or a mapping' },
      },
    ],
    options: ['output', 'force', ...COMMON],
    load: async () => (await import('../app/template.js')).template,
  },
  {
    name: 'mapping lint',
    about: { es: 'revisa un mapeo', en: 'check a mapping' },
    args: [{ form: '<FILE>', about: { es: 'el mapeo', en: 'the mapping' } }],
    options: [...COMMON],
    load: async () => (await import('../app/mapping.js')).mappingLint,
  },
  {
    name: 'mapping test',
    about: { es: 'corre las pruebas que trae un mapeo', en: 'run the tests that a mapping holds' },
    args: [{ form: '<FILE>', about: { es: 'el mapeo', en: 'the mapping' } }],
    options: [...COMMON],
    load: async () => (await import('../app/mapping.js')).mappingTest,
  },
  {
    name: 'explain',
    about: { es: 'explica un código de error', en: 'explain an error code' },
    args: [
      {
        form: '[CODE]',
        about: {
          es: 'como cell/not-a-number, o el de la autoridad, RVC061 (sin él, la lista)',
          en: "such as cell/not-a-number, or the authority's, RVC061 (without it, the list)",
        },
      },
    ],
    options: [...COMMON],
    load: async () => (await import('../app/explain.js')).explain,
  },
  {
    name: 'catalogue list',
    about: { es: 'lista las listas de códigos', en: 'list the code lists' },
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/catalogue.js')).catalogueList,
  },
  {
    name: 'catalogue show',
    about: { es: 'muestra una lista de códigos', en: 'show a code list' },
    args: [
      { form: '<NAME>', about: { es: 'nombre, como municipalities', en: 'name, such as municipalities' } },
    ],
    options: [...COMMON],
    load: async () => (await import('../app/catalogue.js')).catalogueShow,
  },
  {
    name: 'catalogue import',
    about: {
      es: 'carga una tabla publicada (CUPS, CIE-10, REPS…) de un .xlsx o .csv',
      en: 'load a published table (CUPS, ICD-10, REPS…) from an .xlsx or .csv',
    },
    args: [{ form: '<FILE>', about: { es: 'el archivo de SISPRO', en: 'the file of SISPRO' } }],
    options: ['as', ...COMMON],
    load: async () => (await import('../app/catalogue.js')).catalogueImport,
  },
  {
    name: 'catalogue pull',
    about: {
      es: 'guarda las tablas que el servicio tiene hoy',
      en: 'keep the tables that the service has today',
    },
    args: [],
    options: [...JOURNAL, ...CALLS, 'yes', ...COMMON],
    load: async () => (await import('../app/catalogue.js')).cataloguePull,
  },
  {
    name: 'schema list',
    about: { es: 'lista los esquemas', en: 'list the schemas' },
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/schema.js')).schemaList,
  },
  {
    name: 'schema show',
    about: { es: 'muestra un esquema', en: 'show a schema' },
    args: [{ form: '<NAME>', about: { es: 'como payroll/payroll', en: 'such as payroll/payroll' } }],
    options: ['draft07', ...COMMON],
    load: async () => (await import('../app/schema.js')).schemaShow,
  },
  {
    name: 'schema openapi',
    about: { es: 'muestra las operaciones como OpenAPI', en: 'show the operations as OpenAPI' },
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/schema.js')).schemaOpenapi,
  },
  ...JOURNAL_COMMANDS,
  {
    name: 'demo',
    about: {
      es: 'muestra todo el recorrido con datos inventados',
      en: 'show the whole way with invented data',
    },
    args: [],
    options: [...COMMON],
    hidden: true,
    load: async () => (await import('../app/demo.js')).demo,
  },
];

/** Words that group the two-word commands. */
export const GROUPS: Readonly<Record<string, Text>> = {
  setup: { es: 'configurar la empresa en el servicio', en: 'set the company up at the service' },
  profile: { es: 'perfiles: a dónde envía cada empresa', en: 'profiles: where each company sends' },
  mapping: { es: 'mapeos', en: 'mappings' },
  catalogue: { es: 'listas de códigos', en: 'code lists' },
  schema: { es: 'esquemas del servicio', en: "the service's schemas" },
  journal: { es: 'el diario de envíos', en: 'the journal of sent documents' },
};
