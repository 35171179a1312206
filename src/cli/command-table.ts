import type { UseCase } from '../app/context.js';
import { OPERATIONS, type Operation } from '../generated/operations.js';
import type { ARGUMENT_TEXTS, COMMAND_TEXTS } from '../generated/texts-help.js';
import type { OptionName } from './options.js';

export interface CommandSpec {
  /** One word, or two: a group and a verb; its text is filed under it. */
  readonly name: keyof typeof COMMAND_TEXTS;
  /** As commander writes them, `<FILE...>`, `[RUN]`, each with the key of its text. */
  readonly args?: Readonly<Record<string, keyof typeof ARGUMENT_TEXTS>>;
  readonly options: readonly OptionName[];
  /** Shown below the help. */
  readonly after?: string;
  readonly hidden?: boolean;
  /** Imported when it is called, so that `--help` loads nothing else. */
  readonly load: () => Promise<UseCase>;
}

/** A command but for the options that all have. */
type Command = Omit<CommandSpec, 'options'> & { readonly options?: readonly OptionName[] };

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
const MAPPED = ['mapping', 'param', 'params', 'month', 'answer', 'expand', 'byCufe', 'showValues'] as const;
/** Whose mappings are remembered. */
const OWNER = ['profile', 'company'] as const;
const JOURNAL = ['profile', 'company', 'url'] as const;
/** Of commands that call the service. */
const CALLS = ['ca', 'timeout'] as const;

const FILES = { '<FILE...>': 'file' } as const;
const RUN = { '[RUN]': 'run' } as const;

/** What is done with the documents of a run beside sending them. */
const ERRAND_COMMANDS: readonly Command[] = [
  {
    name: 'preview',
    args: RUN,
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
    ],
    load: async () => (await import('../app/preview.js')).preview,
  },
  {
    name: 'email',
    args: RUN,
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
    ],
    load: async () => (await import('../app/email.js')).email,
  },
];

const SENT = ['concurrency', 'rate', 'partial', 'dryRun', 'yes', 'report', 'force'] as const;

/** Received invoices: their events, and what the seller sent. */
const EVENT_COMMANDS: readonly Command[] = [
  {
    name: 'events',
    args: { '<FILE...>': 'file_events' },
    options: [
      ...MAPPED,
      'worklist',
      'ics',
      'ask',
      ...JOURNAL,
      ...CALLS,
      ...SENT,
      'hold',
      'annotate',
      'failed',
    ],
    load: async () => (await import('../app/invoice-events.js')).events,
  },
  {
    name: 'reception',
    args: { '<FILE...>': 'file_reception' },
    options: ['mapping', 'param', 'params', 'output', 'showValues', ...JOURNAL, ...CALLS, ...SENT],
    load: async () => (await import('../app/reception.js')).reception,
  },
];

/** What is done with the journal itself. */
const JOURNAL_COMMANDS: readonly Command[] = [
  {
    name: 'journal path',
    options: [...JOURNAL],
    load: async () => (await import('../app/journal.js')).journalPath,
  },
  {
    name: 'journal export',
    args: { '[RUN]': 'run_journal_export' },
    options: ['output', 'key', 'force', ...JOURNAL],
    load: async () => (await import('../app/journal.js')).journalExport,
  },
  {
    name: 'journal verify',
    args: { '<FILE>': 'file_journal_verify' },
    options: ['key'],
    load: async () => (await import('../app/trail.js')).journalVerify,
  },
  {
    name: 'journal key',
    args: { '<FILE>': 'file_journal_key' },
    load: async () => (await import('../app/trail.js')).journalKey,
  },
  {
    name: 'journal backup',
    args: { '<FILE>': 'file_journal_backup' },
    options: ['force', ...JOURNAL],
    load: async () => (await import('../app/journal.js')).journalBackup,
  },
  {
    name: 'journal migrate',
    options: [],
    load: async () => (await import('../app/journal.js')).journalMigrate,
  },
  {
    name: 'journal copy',
    args: { '<FROM>': 'from_journal_copy', '<TO>': 'to_journal_copy' },
    options: [...JOURNAL, 'all', 'yes'],
    load: async () => (await import('../app/journal.js')).journalCopy,
  },
  {
    name: 'journal adopt',
    options: [...JOURNAL, 'yes'],
    load: async () => (await import('../app/journal.js')).journalAdopt,
  },
  {
    name: 'journal purge',
    options: ['before', ...JOURNAL, 'yes'],
    load: async () => (await import('../app/journal.js')).journalPurge,
  },
  {
    name: 'journal abandon',
    args: { '<RUN>': 'run_journal_abandon' },
    options: ['whyAbandon', ...JOURNAL, 'yes'],
    load: async () => (await import('../app/journal.js')).journalAbandon,
  },
];

/** What is done with runs that were laid out or begun. */
const RUN_COMMANDS: readonly Command[] = [
  {
    name: 'approve',
    args: { '<RUN>': 'run_approve' },
    options: [...JOURNAL, 'asPerson', 'queue', 'yes'],
    load: async () => (await import('../app/approve.js')).approve,
  },
  {
    name: 'resume',
    args: RUN,
    options: [
      ...JOURNAL,
      ...CALLS,
      'concurrency',
      'pinFile',
      'nit',
      'rate',
      'report',
      'failed',
      'force',
      'showValues',
      'yes',
      'queue',
      'settle',
      'asPerson',
      'sispro',
      'results',
    ],
    load: async () => (await import('../app/resume.js')).resume,
  },
  {
    name: 'status',
    args: { '[RUN]': 'run_status' },
    options: ['all', 'watch', ...JOURNAL, 'showValues'],
    load: async () => (await import('../app/status.js')).status,
  },
  {
    name: 'worker',
    options: ['places', 'metrics', 'serviceRate'],
    load: async () => (await import('../app/worker.js')).worker,
  },
  {
    name: 'report',
    args: RUN,
    options: ['output', 'pdf', 'failed', 'overtime', 'results', 'readResults', 'force', ...JOURNAL],
    load: async () => (await import('../app/report.js')).report,
  },
];

const NAME = { '<NAME>': 'name' } as const;

/** Profiles: where a company sends, said once. */
const PROFILE_COMMANDS: readonly Command[] = [
  {
    name: 'profile list',
    load: async () => (await import('../app/profile.js')).profileList,
  },
  {
    name: 'profile show',
    args: NAME,
    load: async () => (await import('../app/profile.js')).profileShow,
  },
  {
    name: 'profile add',
    args: NAME,
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
    ],
    load: async () => (await import('../app/profile.js')).profileAdd,
  },
  {
    name: 'profile change',
    args: NAME,
    options: ['url', 'environment', 'company', 'companyName', 'testSet', 'sispro', 'yes'],
    load: async () => (await import('../app/profile.js')).profileChange,
  },
  {
    name: 'profile remove',
    args: NAME,
    options: ['yes'],
    load: async () => (await import('../app/profile.js')).profileRemove,
  },
];

/** How a company is set up at the service. */
const SETUP_COMMANDS: readonly Command[] = [
  {
    name: 'setup software',
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
    ],
    load: async () => (await import('../app/setup.js')).setupSoftware,
  },
  {
    name: 'setup resolution',
    options: [
      'documentType',
      'prefix',
      'firstNumber',
      'lastNumber',
      'resolutionNumber',
      'replaceAll',
      ...JOURNAL,
      ...CALLS,
      'dryRun',
      'yes',
    ],
    load: async () => (await import('../app/setup.js')).setupResolution,
  },
  {
    name: 'setup show',
    options: [...JOURNAL, ...CALLS, 'yes'],
    load: async () => (await import('../app/setup.js')).setupShow,
  },
];

/** Tables of the law by date. */
const LAW_COMMANDS: readonly Command[] = [
  {
    name: 'law show',
    load: async () => (await import('../app/law.js')).lawShow,
  },
  {
    name: 'law import',
    args: { '<FILE>': 'file_law_import' },
    options: ['lawTable', 'lawKey', 'yes'],
    load: async () => (await import('../app/law.js')).lawImport,
  },
  {
    name: 'law export',
    args: { '<FILE>': 'file_law_export' },
    options: ['asAuthor', 'lawKey', 'force'],
    load: async () => (await import('../app/law.js')).lawExport,
  },
  {
    name: 'law remove',
    args: { '[NAME]': 'name_law_remove' },
    options: ['yes'],
    load: async () => (await import('../app/law.js')).lawRemove,
  },
];

/** In the order of the help. */
const TABLE: readonly Command[] = [
  {
    name: 'new',
    args: { '[FILE...]': 'file_new' },
    options: ['profile', 'company', 'mapping', 'param', 'params', 'force'],
    load: async () => (await import('../app/project.js')).newProject,
  },
  {
    name: 'inspect',
    args: FILES,
    options: ['write', 'writeComplement', 'force', 'answer', 'param', 'params', ...OWNER],
    load: async () => (await import('../app/inspect.js')).inspect,
  },
  {
    name: 'check',
    args: FILES,
    options: [...MAPPED, 'threads', 'annotate', 'failed', 'writeComplement', 'force', ...OWNER],
    load: async () => (await import('../app/check.js')).check,
  },
  {
    name: 'convert',
    args: FILES,
    options: [...MAPPED, 'output', 'asForm', 'force', ...OWNER],
    load: async () => (await import('../app/convert.js')).convert,
  },
  {
    name: 'send',
    args: { '<FILE...>': 'file_send' },
    options: [
      ...MAPPED,
      ...JOURNAL,
      ...CALLS,
      'testSet',
      'concurrency',
      'pinFile',
      'nit',
      'rate',
      'partial',
      'dryRun',
      'hold',
      'queue',
      'yes',
      'report',
      'annotate',
      'failed',
      'force',
      'booking',
      'paymentConcept',
      'sispro',
      'results',
    ],
    load: async () => (await import('../app/send.js')).send,
  },
  ...RUN_COMMANDS,
  {
    name: 'adjust',
    args: FILES,
    options: [
      ...MAPPED,
      ...JOURNAL,
      ...CALLS,
      'reason',
      'deleteMissing',
      'testSet',
      'concurrency',
      'pinFile',
      'nit',
      'rate',
      'partial',
      'dryRun',
      'hold',
      'yes',
      'report',
      'annotate',
      'failed',
      'force',
    ],
    load: async () => (await import('../app/adjust.js')).adjust,
  },
  ...EVENT_COMMANDS,
  ...ERRAND_COMMANDS,
  ...SETUP_COMMANDS,
  ...PROFILE_COMMANDS,
  {
    name: 'web',
    options: ['port', 'open', ...JOURNAL, ...CALLS, 'concurrency', 'rate'],
    load: async () => (await import('../web/server/main.js')).web,
  },
  {
    name: 'sandbox',
    options: ['config', 'set', 'port', 'host', 'data'],
    load: async () => (await import('../app/sandbox.js')).sandbox,
  },
  {
    name: 'api',
    args: { '<OPERATION>': 'operation' },
    options: ['path', 'query', 'body', 'profile', 'url', ...CALLS, 'yes'],
    after: operationList(),
    load: async () => (await import('../app/api.js')).api,
  },
  {
    name: 'template',
    args: { '<TARGET>': 'target' },
    options: ['output', 'force'],
    load: async () => (await import('../app/template.js')).template,
  },
  {
    name: 'mapping lint',
    args: { '<FILE>': 'file_mapping_lint' },
    load: async () => (await import('../app/mapping.js')).mappingLint,
  },
  {
    name: 'mapping test',
    args: { '<FILE>': 'file_mapping_test' },
    load: async () => (await import('../app/mapping.js')).mappingTest,
  },
  {
    name: 'mapping list',
    options: [...OWNER],
    load: async () => (await import('../app/mapping.js')).mappingList,
  },
  {
    name: 'mapping show',
    args: { '<NAME>': 'remembered_mapping' },
    options: [...OWNER],
    load: async () => (await import('../app/mapping.js')).mappingShow,
  },
  {
    name: 'mapping forget',
    args: { '<NAME>': 'remembered_mapping' },
    options: [...OWNER],
    load: async () => (await import('../app/mapping.js')).mappingForget,
  },
  {
    name: 'explain',
    args: { '[CODE]': 'code', '[RUN]': 'explained_run' },
    options: [...JOURNAL],
    load: async () => (await import('../app/explain.js')).explain,
  },
  {
    name: 'catalogue list',
    load: async () => (await import('../app/catalogue.js')).catalogueList,
  },
  {
    name: 'catalogue show',
    args: { '<NAME>': 'name_catalogue_show' },
    load: async () => (await import('../app/catalogue.js')).catalogueShow,
  },
  {
    name: 'catalogue import',
    args: { '<FILE>': 'file_catalogue_import' },
    options: ['as', 'validFrom', 'yes'],
    load: async () => (await import('../app/catalogue.js')).catalogueImport,
  },
  {
    name: 'catalogue pull',
    options: [...JOURNAL, ...CALLS, 'yes'],
    load: async () => (await import('../app/catalogue.js')).cataloguePull,
  },
  ...LAW_COMMANDS,
  {
    name: 'schema list',
    load: async () => (await import('../app/schema.js')).schemaList,
  },
  {
    name: 'schema show',
    args: { '<NAME>': 'name_schema_show' },
    options: ['bundle', 'draft07'],
    load: async () => (await import('../app/schema.js')).schemaShow,
  },
  {
    name: 'schema openapi',
    load: async () => (await import('../app/schema.js')).schemaOpenapi,
  },
  ...JOURNAL_COMMANDS,
  {
    name: 'completion',
    args: { '<SHELL>': 'shell' },
    load: async () => (await import('./completion.js')).completionOf(COMMANDS),
  },
  {
    name: 'demo',
    hidden: true,
    load: async () => (await import('../app/demo.js')).demo,
  },
];

/** What `cargue` can do. */
export const COMMANDS: readonly CommandSpec[] = TABLE.map(({ options = [], ...command }) => ({
  ...command,
  options: [...options, ...COMMON],
}));
