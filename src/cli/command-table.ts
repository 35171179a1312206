import type { UseCase } from '../app/context.js';
import type { Text } from '../generated/issue-codes.js';
import { OPERATIONS, type Operation } from '../generated/operations.js';
import { ARGUMENT_TEXTS, COMMAND_TEXTS } from '../generated/texts-help.js';
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
  about: ARGUMENT_TEXTS.file,
} as const;
const RUN = {
  form: '[RUN]',
  about: ARGUMENT_TEXTS.run,
} as const;

/** What is done with the documents of a run beside sending them. */
const ERRAND_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'preview',
    about: COMMAND_TEXTS.preview,
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
    about: COMMAND_TEXTS.email,
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
    about: COMMAND_TEXTS.events,
    args: [
      {
        form: '<FILE...>',
        about: ARGUMENT_TEXTS.file_events,
      },
    ],
    options: [...MAPPED, 'worklist', 'ask', ...JOURNAL, ...CALLS, ...SENT, 'hold', 'annotate', ...COMMON],
    load: async () => (await import('../app/invoice-events.js')).events,
  },
  {
    name: 'reception',
    about: COMMAND_TEXTS.reception,
    args: [
      {
        form: '<FILE...>',
        about: ARGUMENT_TEXTS.file_reception,
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
    about: COMMAND_TEXTS['journal path'],
    args: [],
    options: [...JOURNAL, ...COMMON],
    load: async () => (await import('../app/journal.js')).journalPath,
  },
  {
    name: 'journal export',
    about: COMMAND_TEXTS['journal export'],
    args: [],
    options: ['output', 'force', ...JOURNAL, ...COMMON],
    load: async () => (await import('../app/journal.js')).journalExport,
  },
  {
    name: 'journal backup',
    about: COMMAND_TEXTS['journal backup'],
    args: [{ form: '<FILE>', about: ARGUMENT_TEXTS.file_journal_backup }],
    options: ['force', ...JOURNAL, ...COMMON],
    load: async () => (await import('../app/journal.js')).journalBackup,
  },
  {
    name: 'journal adopt',
    about: COMMAND_TEXTS['journal adopt'],
    args: [],
    options: [...JOURNAL, 'yes', ...COMMON],
    load: async () => (await import('../app/journal.js')).journalAdopt,
  },
  {
    name: 'journal purge',
    about: COMMAND_TEXTS['journal purge'],
    args: [],
    options: ['before', ...JOURNAL, 'yes', ...COMMON],
    load: async () => (await import('../app/journal.js')).journalPurge,
  },
  {
    name: 'journal abandon',
    about: COMMAND_TEXTS['journal abandon'],
    args: [{ form: '<RUN>', about: ARGUMENT_TEXTS.run_journal_abandon }],
    options: ['whyAbandon', ...JOURNAL, 'yes', ...COMMON],
    load: async () => (await import('../app/journal.js')).journalAbandon,
  },
];

/** What is done with runs that were laid out or begun. */
const RUN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'approve',
    about: COMMAND_TEXTS.approve,
    args: [{ form: '<RUN>', about: ARGUMENT_TEXTS.run_approve }],
    options: [...JOURNAL, 'asPerson', 'yes', ...COMMON],
    load: async () => (await import('../app/approve.js')).approve,
  },
  {
    name: 'resume',
    about: COMMAND_TEXTS.resume,
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
    about: COMMAND_TEXTS.status,
    args: [{ form: '[RUN]', about: ARGUMENT_TEXTS.run_status }],
    options: [...JOURNAL, 'showValues', ...COMMON],
    load: async () => (await import('../app/status.js')).status,
  },
  {
    name: 'report',
    about: COMMAND_TEXTS.report,
    args: [RUN],
    options: ['output', 'results', 'force', ...JOURNAL, ...COMMON],
    load: async () => (await import('../app/report.js')).report,
  },
];

const NAME = { form: '<NAME>', about: ARGUMENT_TEXTS.name } as const;

/** Profiles: where a company sends, said once. */
const PROFILE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'profile list',
    about: COMMAND_TEXTS['profile list'],
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/profile.js')).profileList,
  },
  {
    name: 'profile show',
    about: COMMAND_TEXTS['profile show'],
    args: [NAME],
    options: [...COMMON],
    load: async () => (await import('../app/profile.js')).profileShow,
  },
  {
    name: 'profile add',
    about: COMMAND_TEXTS['profile add'],
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
    about: COMMAND_TEXTS['setup software'],
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
    about: COMMAND_TEXTS['setup resolution'],
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
    about: COMMAND_TEXTS['setup show'],
    args: [],
    options: [...JOURNAL, ...CALLS, 'yes', ...COMMON],
    load: async () => (await import('../app/setup.js')).setupShow,
  },
];

/** What `cargue` can do, in the order of its help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'inspect',
    about: COMMAND_TEXTS.inspect,
    args: [FILES],
    options: ['write', 'force', 'answer', 'param', 'params', ...COMMON],
    load: async () => (await import('../app/inspect.js')).inspect,
  },
  {
    name: 'check',
    about: COMMAND_TEXTS.check,
    args: [FILES],
    options: [...MAPPED, 'annotate', 'force', ...COMMON],
    load: async () => (await import('../app/check.js')).check,
  },
  {
    name: 'convert',
    about: COMMAND_TEXTS.convert,
    args: [FILES],
    options: [...MAPPED, 'output', 'asForm', 'force', ...COMMON],
    load: async () => (await import('../app/convert.js')).convert,
  },
  {
    name: 'send',
    about: COMMAND_TEXTS.send,
    args: [
      {
        form: '<FILE...>',
        about: ARGUMENT_TEXTS.file_send,
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
    about: COMMAND_TEXTS.adjust,
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
    about: COMMAND_TEXTS.sandbox,
    args: [],
    options: ['port', 'data', ...COMMON],
    load: async () => (await import('../app/sandbox.js')).sandbox,
  },
  {
    name: 'api',
    about: COMMAND_TEXTS.api,
    args: [
      {
        form: '<OPERATION>',
        about: ARGUMENT_TEXTS.operation,
      },
    ],
    options: ['path', 'query', 'body', 'profile', 'url', ...CALLS, 'yes', ...COMMON],
    after: operationList(),
    load: async () => (await import('../app/api.js')).api,
  },
  {
    name: 'template',
    about: COMMAND_TEXTS.template,
    args: [
      {
        form: '<TARGET>',
        about: ARGUMENT_TEXTS.target,
      },
    ],
    options: ['output', 'force', ...COMMON],
    load: async () => (await import('../app/template.js')).template,
  },
  {
    name: 'mapping lint',
    about: COMMAND_TEXTS['mapping lint'],
    args: [{ form: '<FILE>', about: ARGUMENT_TEXTS.file_mapping_lint }],
    options: [...COMMON],
    load: async () => (await import('../app/mapping.js')).mappingLint,
  },
  {
    name: 'mapping test',
    about: COMMAND_TEXTS['mapping test'],
    args: [{ form: '<FILE>', about: ARGUMENT_TEXTS.file_mapping_test }],
    options: [...COMMON],
    load: async () => (await import('../app/mapping.js')).mappingTest,
  },
  {
    name: 'explain',
    about: COMMAND_TEXTS.explain,
    args: [
      {
        form: '[CODE]',
        about: ARGUMENT_TEXTS.code,
      },
    ],
    options: [...COMMON],
    load: async () => (await import('../app/explain.js')).explain,
  },
  {
    name: 'catalogue list',
    about: COMMAND_TEXTS['catalogue list'],
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/catalogue.js')).catalogueList,
  },
  {
    name: 'catalogue show',
    about: COMMAND_TEXTS['catalogue show'],
    args: [{ form: '<NAME>', about: ARGUMENT_TEXTS.name_catalogue_show }],
    options: [...COMMON],
    load: async () => (await import('../app/catalogue.js')).catalogueShow,
  },
  {
    name: 'catalogue import',
    about: COMMAND_TEXTS['catalogue import'],
    args: [{ form: '<FILE>', about: ARGUMENT_TEXTS.file_catalogue_import }],
    options: ['as', ...COMMON],
    load: async () => (await import('../app/catalogue.js')).catalogueImport,
  },
  {
    name: 'catalogue pull',
    about: COMMAND_TEXTS['catalogue pull'],
    args: [],
    options: [...JOURNAL, ...CALLS, 'yes', ...COMMON],
    load: async () => (await import('../app/catalogue.js')).cataloguePull,
  },
  {
    name: 'schema list',
    about: COMMAND_TEXTS['schema list'],
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/schema.js')).schemaList,
  },
  {
    name: 'schema show',
    about: COMMAND_TEXTS['schema show'],
    args: [{ form: '<NAME>', about: ARGUMENT_TEXTS.name_schema_show }],
    options: ['draft07', ...COMMON],
    load: async () => (await import('../app/schema.js')).schemaShow,
  },
  {
    name: 'schema openapi',
    about: COMMAND_TEXTS['schema openapi'],
    args: [],
    options: [...COMMON],
    load: async () => (await import('../app/schema.js')).schemaOpenapi,
  },
  ...JOURNAL_COMMANDS,
  {
    name: 'demo',
    about: COMMAND_TEXTS.demo,
    args: [],
    options: [...COMMON],
    hidden: true,
    load: async () => (await import('../app/demo.js')).demo,
  },
];
