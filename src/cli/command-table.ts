import type { Text } from '../issues/codes.js';
import { CALLS, COMMON, type CommandSpec, FILES, JOURNAL, MAPPED } from './command-spec.js';
import { ERRAND_COMMANDS } from './errand-commands.js';
import { EVENT_COMMANDS } from './events/event-commands.js';
import { JOURNAL_COMMANDS, RUN_COMMANDS } from './journal/journal-commands.js';
import { operationList } from './operation-list.js';
import { PROFILE_COMMANDS } from './profile/profile-commands.js';
import { SETUP_COMMANDS } from './setup/setup-commands.js';

export type { CommandSpec } from './command-spec.js';

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
    load: () => import('./commands/inspect.js'),
  },
  {
    name: 'check',
    about: {
      es: 'revisa los archivos y dice qué celda corregir',
      en: 'check the files and say which cell to fix',
    },
    args: [FILES],
    options: [...MAPPED, 'annotate', 'force', ...COMMON],
    load: () => import('./commands/check.js'),
  },
  {
    name: 'convert',
    about: {
      es: 'convierte los archivos en documentos, uno válido por línea',
      en: 'turn the files into documents, one valid a line',
    },
    args: [FILES],
    options: [...MAPPED, 'output', 'asForm', 'force', ...COMMON],
    load: () => import('./commands/convert.js'),
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
    load: () => import('./commands/send.js'),
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
    load: () => import('./commands/adjust.js'),
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
    load: () => import('./commands/sandbox.js'),
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
    load: () => import('./commands/api.js'),
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
    load: () => import('./commands/template.js'),
  },
  {
    name: 'mapping lint',
    about: { es: 'revisa un mapeo', en: 'check a mapping' },
    args: [{ form: '<FILE>', about: { es: 'el mapeo', en: 'the mapping' } }],
    options: [...COMMON],
    load: () => import('./commands/mapping-lint.js'),
  },
  {
    name: 'mapping test',
    about: { es: 'corre las pruebas que trae un mapeo', en: 'run the tests that a mapping holds' },
    args: [{ form: '<FILE>', about: { es: 'el mapeo', en: 'the mapping' } }],
    options: [...COMMON],
    load: () => import('./commands/mapping-test.js'),
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
    load: () => import('./commands/explain.js'),
  },
  {
    name: 'catalogue list',
    about: { es: 'lista las listas de códigos', en: 'list the code lists' },
    args: [],
    options: [...COMMON],
    load: () => import('./commands/catalogue-list.js'),
  },
  {
    name: 'catalogue show',
    about: { es: 'muestra una lista de códigos', en: 'show a code list' },
    args: [
      { form: '<NAME>', about: { es: 'nombre, como municipalities', en: 'name, such as municipalities' } },
    ],
    options: [...COMMON],
    load: () => import('./commands/catalogue-show.js'),
  },
  {
    name: 'catalogue import',
    about: {
      es: 'carga una tabla publicada (CUPS, CIE-10, REPS…) de un .xlsx o .csv',
      en: 'load a published table (CUPS, ICD-10, REPS…) from an .xlsx or .csv',
    },
    args: [{ form: '<FILE>', about: { es: 'el archivo de SISPRO', en: 'the file of SISPRO' } }],
    options: ['as', ...COMMON],
    load: () => import('./commands/catalogue-import.js'),
  },
  {
    name: 'catalogue pull',
    about: {
      es: 'guarda las tablas que el servicio tiene hoy',
      en: 'keep the tables that the service has today',
    },
    args: [],
    options: [...JOURNAL, ...CALLS, 'yes', ...COMMON],
    load: () => import('./commands/catalogue-pull.js'),
  },
  {
    name: 'schema list',
    about: { es: 'lista los esquemas', en: 'list the schemas' },
    args: [],
    options: [...COMMON],
    load: () => import('./commands/schema-list.js'),
  },
  {
    name: 'schema show',
    about: { es: 'muestra un esquema', en: 'show a schema' },
    args: [{ form: '<NAME>', about: { es: 'como payroll/payroll', en: 'such as payroll/payroll' } }],
    options: ['draft07', ...COMMON],
    load: () => import('./commands/schema-show.js'),
  },
  {
    name: 'schema openapi',
    about: { es: 'muestra las operaciones como OpenAPI', en: 'show the operations as OpenAPI' },
    args: [],
    options: [...COMMON],
    load: () => import('./commands/schema-openapi.js'),
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
    load: () => import('./commands/demo.js'),
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
