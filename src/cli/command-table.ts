import type { UseCase } from '../app/context.js';
import type { Capabilities } from '../families/family.js';
import { OPERATIONS, type Operation } from '../generated/operations.js';
import type { ARGUMENT_TEXTS, COMMAND_TEXTS } from '../generated/texts-help.js';
import type { NameOf, OptionName, Options } from './options.js';

export interface CommandSpec {
  /** Name of one or two words (group and verb); the key of its text. */
  readonly name: keyof typeof COMMAND_TEXTS;
  /** Arguments as commander writes them (`<FILE...>`, `[RUN]`), with the keys of their texts. */
  readonly args?: Readonly<Record<string, keyof typeof ARGUMENT_TEXTS>>;
  readonly options: readonly OptionName[];
  /** Words that the first argument can be. */
  readonly values?: readonly string[];
  /** Text below the help. */
  readonly after?: string;
  readonly hidden?: boolean;
  readonly needs?: keyof Capabilities;
  /** Imports the use case on call, so that `--help` loads nothing else. */
  readonly load: () => Promise<UseCase<Options>>;
}

const COMMON = ['json', 'lang', 'debug'] as const;

/** Row of the table; options are limited to those its use case takes. */
interface Row<O> extends Omit<CommandSpec, 'options' | 'load'> {
  readonly options?: readonly NameOf<O>[];
  readonly load: () => Promise<UseCase<O> & UseCase<Options>>;
}

const command = <O>({ options = [], ...row }: Row<O>): CommandSpec => ({
  ...row,
  options: [...options, ...COMMON],
});

const lineOf = ({ id, method, path, body }: Operation): string =>
  `    ${id.padEnd(26)}${method.padEnd(7)}${path}${body === null ? '' : `  body: ${body}`}`;

/** Lists the operations of the service by tag: name, method, path, schema of the body. */
function operationList(): string {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const tags = new Set(operations.map(({ tag }) => tag));
  const blocks = [...tags].map((tag) => {
    const lines = operations.filter((operation) => operation.tag === tag).map(lineOf);
    return [`  ${tag}:`, ...lines].join('\n');
  });
  return `\n${blocks.join('\n\n')}`;
}

const MAPPED = ['mapping', 'param', 'params', 'month', 'answer', 'expand', 'byCufe', 'showValues'] as const;
/** Options that name whose mappings are used. */
const OWNER = ['profile', 'company'] as const;
const JOURNAL = ['profile', 'company', 'url'] as const;
/** Options of commands that call the service. */
const CALLS = ['ca', 'timeout'] as const;
const RATE = ['concurrency', 'rate'] as const;
const PROVEN = ['concurrency', 'pinFile', 'nit', 'rate'] as const;
const DECIDED = ['testSet', ...PROVEN, 'partial', 'dryRun', 'hold'] as const;
const SENT = [...RATE, 'partial', 'dryRun', 'yes', 'report', 'force'] as const;
const COPIES = ['annotate', 'failed'] as const;
const PACKAGES = ['booking', 'paymentConcept', 'sispro', 'results'] as const;
const WRITTEN = ['report', ...COPIES, 'force'] as const;

const FILES = { '<FILE...>': 'file' } as const;
const RUN = { '[RUN]': 'run' } as const;

/** Commands for the documents of a run, except sending. */
const ERRAND_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'preview',
    needs: 'paper',
    args: RUN,
    options: ['folder', 'documents', 'only', ...JOURNAL, ...CALLS, ...RATE, 'yes', 'showValues'],
    load: async () => (await import('../app/preview.js')).preview,
  }),
  command({
    name: 'email',
    needs: 'paper',
    args: RUN,
    options: ['only', 'to', 'again', ...JOURNAL, ...CALLS, ...RATE, 'dryRun', 'yes', 'showValues'],
    load: async () => (await import('../app/email.js')).email,
  }),
];

/** Commands for received invoices: events, and the seller's files. */
const EVENT_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'events',
    needs: 'inquiry',
    args: { '<FILE...>': 'file_events' },
    options: [...MAPPED, 'worklist', 'ics', 'ask', ...JOURNAL, ...CALLS, ...SENT, 'hold', ...COPIES],
    load: async () => (await import('../app/invoice-events.js')).events,
  }),
  command({
    name: 'reception',
    needs: 'delivery',
    args: { '<FILE...>': 'file_reception' },
    options: ['mapping', 'param', 'params', 'output', 'showValues', ...JOURNAL, ...CALLS, ...SENT],
    load: async () => (await import('../app/reception.js')).reception,
  }),
];

const JOURNAL_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'journal path',
    options: [...JOURNAL],
    load: async () => (await import('../app/journal.js')).journalPath,
  }),
  command({
    name: 'journal export',
    args: { '[RUN]': 'run_journal_export' },
    options: ['output', 'key', 'force', ...JOURNAL],
    load: async () => (await import('../app/journal.js')).journalExport,
  }),
  command({
    name: 'journal verify',
    args: { '<FILE>': 'file_journal_verify' },
    options: ['key'],
    load: async () => (await import('../app/trail.js')).journalVerify,
  }),
  command({
    name: 'journal key',
    args: { '<FILE>': 'file_journal_key' },
    load: async () => (await import('../app/trail.js')).journalKey,
  }),
  command({
    name: 'journal backup',
    args: { '<FILE>': 'file_journal_backup' },
    options: ['force', ...JOURNAL],
    load: async () => (await import('../app/journal.js')).journalBackup,
  }),
  command({
    name: 'journal migrate',
    options: [],
    load: async () => (await import('../app/journal.js')).journalMigrate,
  }),
  command({
    name: 'journal copy',
    args: { '<FROM>': 'from_journal_copy', '<TO>': 'to_journal_copy' },
    options: [...JOURNAL, 'all', 'yes'],
    load: async () => (await import('../app/journal.js')).journalCopy,
  }),
  command({
    name: 'journal adopt',
    options: [...JOURNAL, 'yes'],
    load: async () => (await import('../app/journal.js')).journalAdopt,
  }),
  command({
    name: 'journal purge',
    options: ['before', ...JOURNAL, 'yes'],
    load: async () => (await import('../app/journal.js')).journalPurge,
  }),
  command({
    name: 'journal abandon',
    args: { '<RUN>': 'run_journal_abandon' },
    options: ['whyAbandon', ...JOURNAL, 'yes'],
    load: async () => (await import('../app/journal.js')).journalAbandon,
  }),
];

/** Options for the rest of a run. */
const REMAINING = ['queue', 'settle', 'asPerson', 'sispro', 'results'] as const;

/** Commands for planned and started runs. */
const RUN_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'approve',
    args: { '<RUN>': 'run_approve' },
    options: [...JOURNAL, 'asPerson', 'queue', 'yes'],
    load: async () => (await import('../app/approve.js')).approve,
  }),
  command({
    name: 'resume',
    args: RUN,
    options: [
      ...JOURNAL,
      ...CALLS,
      ...PROVEN,
      'report',
      'failed',
      'force',
      'showValues',
      'yes',
      ...REMAINING,
    ],
    load: async () => (await import('../app/resume.js')).resume,
  }),
  command({
    name: 'status',
    args: { '[RUN]': 'run_status' },
    options: ['all', 'watch', ...JOURNAL, 'showValues'],
    load: async () => (await import('../app/status.js')).status,
  }),
  command({
    name: 'worker',
    options: ['places', 'metrics', 'serviceRate'],
    load: async () => (await import('../server/worker.js')).worker,
  }),
  command({
    name: 'report',
    args: RUN,
    options: ['output', 'pdf', 'failed', 'overtime', 'results', 'readResults', 'force', ...JOURNAL],
    load: async () => (await import('../app/report.js')).report,
  }),
];

const NAME = { '<NAME>': 'name' } as const;

/** Commands for profiles, which store where a company sends. */
const PROFILE_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'profile list',
    load: async () => (await import('../app/profile.js')).profileList,
  }),
  command({
    name: 'profile show',
    args: NAME,
    load: async () => (await import('../app/profile.js')).profileShow,
  }),
  command({
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
  }),
  command({
    name: 'profile change',
    args: NAME,
    options: [
      'url',
      'environment',
      'company',
      'companyName',
      'testSet',
      'sispro',
      'inbox',
      'inboxSend',
      'yes',
    ],
    load: async () => (await import('../app/profile.js')).profileChange,
  }),
  command({
    name: 'profile remove',
    args: NAME,
    options: ['yes'],
    load: async () => (await import('../app/profile.js')).profileRemove,
  }),
];

/** Commands for the company's settings at the service. */
const SETUP_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'setup software',
    needs: 'setup',
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
  }),
  command({
    name: 'setup resolution',
    needs: 'setup',
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
  }),
  command({
    name: 'setup show',
    needs: 'setup',
    options: [...JOURNAL, ...CALLS, 'yes'],
    load: async () => (await import('../app/setup.js')).setupShow,
  }),
];

/** Commands for dated law tables. */
const LAW_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'law show',
    load: async () => (await import('../app/law.js')).lawShow,
  }),
  command({
    name: 'law import',
    args: { '<FILE>': 'file_law_import' },
    options: ['lawTable', 'lawKey', 'yes'],
    load: async () => (await import('../app/law.js')).lawImport,
  }),
  command({
    name: 'law export',
    args: { '<FILE>': 'file_law_export' },
    options: ['asAuthor', 'lawKey', 'force'],
    load: async () => (await import('../app/law.js')).lawExport,
  }),
  command({
    name: 'law remove',
    args: { '[NAME]': 'name_law_remove' },
    options: ['yes'],
    load: async () => (await import('../app/law.js')).lawRemove,
  }),
];

/** Commands in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'new',
    args: { '[FILE...]': 'file_new' },
    options: ['profile', 'company', 'mapping', 'param', 'params', 'force'],
    load: async () => (await import('../app/project.js')).newProject,
  }),
  command({
    name: 'inspect',
    args: FILES,
    options: ['write', 'writeComplement', 'force', 'answer', 'param', 'params', ...OWNER],
    load: async () => (await import('../app/inspect.js')).inspect,
  }),
  command({
    name: 'check',
    args: FILES,
    options: [...MAPPED, 'annotate', 'failed', 'writeComplement', 'force', ...OWNER],
    load: async () => (await import('../app/check.js')).check,
  }),
  command({
    name: 'convert',
    args: FILES,
    options: [...MAPPED, 'output', 'asForm', 'force', ...OWNER],
    load: async () => (await import('../app/convert.js')).convert,
  }),
  command({
    name: 'send',
    needs: 'delivery',
    args: { '<FILE...>': 'file_send' },
    options: [...MAPPED, ...JOURNAL, ...CALLS, ...DECIDED, 'queue', 'yes', ...WRITTEN, ...PACKAGES],
    load: async () => (await import('../app/send.js')).send,
  }),
  ...RUN_COMMANDS,
  command({
    name: 'adjust',
    needs: 'corrections',
    args: FILES,
    options: [...MAPPED, ...JOURNAL, ...CALLS, 'reason', 'deleteMissing', ...DECIDED, 'yes', ...WRITTEN],
    load: async () => (await import('../app/adjust.js')).adjust,
  }),
  ...EVENT_COMMANDS,
  ...ERRAND_COMMANDS,
  ...SETUP_COMMANDS,
  ...PROFILE_COMMANDS,
  command({
    name: 'web',
    options: ['port', 'open', 'server', ...JOURNAL, ...CALLS, 'concurrency', 'rate'],
    load: async () => (await import('../page/server/main.js')).web,
  }),
  command({
    name: 'watch',
    args: { '<FOLDER>': 'folder_watch' },
    options: ['once', ...OWNER],
    load: async () => (await import('../app/inbox.js')).watch,
  }),
  command({
    name: 'sandbox',
    options: ['config', 'set', 'port', 'host', 'data'],
    load: async () => (await import('../app/sandbox.js')).sandbox,
  }),
  command({
    name: 'api',
    args: { '<OPERATION>': 'operation' },
    options: ['path', 'query', 'body', 'profile', 'url', ...CALLS, 'yes'],
    values: Object.keys(OPERATIONS),
    after: operationList(),
    load: async () => (await import('../app/api.js')).api,
  }),
  command({
    name: 'template',
    args: { '<TARGET>': 'target' },
    options: ['output', 'force'],
    load: async () => (await import('../app/template.js')).template,
  }),
  command({
    name: 'mapping lint',
    args: { '<FILE>': 'file_mapping_lint' },
    load: async () => (await import('../app/mapping.js')).mappingLint,
  }),
  command({
    name: 'mapping test',
    args: { '<FILE>': 'file_mapping_test' },
    load: async () => (await import('../app/mapping.js')).mappingTest,
  }),
  command({
    name: 'mapping add',
    args: { '<FILE>': 'file_mapping_test' },
    options: ['force', ...OWNER],
    load: async () => (await import('../app/mapping.js')).mappingAdd,
  }),
  command({
    name: 'mapping list',
    options: [...OWNER],
    load: async () => (await import('../app/mapping.js')).mappingList,
  }),
  command({
    name: 'mapping show',
    args: { '<NAME>': 'remembered_mapping' },
    options: ['expanded', ...OWNER],
    load: async () => (await import('../app/mapping.js')).mappingShow,
  }),
  command({
    name: 'mapping forget',
    args: { '<NAME>': 'remembered_mapping' },
    options: [...OWNER],
    load: async () => (await import('../app/mapping.js')).mappingForget,
  }),
  command({
    name: 'explain',
    args: { '[CODE]': 'code', '[RUN]': 'explained_run' },
    options: [...JOURNAL],
    load: async () => (await import('../app/explain.js')).explain,
  }),
  command({
    name: 'catalogue list',
    load: async () => (await import('../app/catalogue.js')).catalogueList,
  }),
  command({
    name: 'catalogue show',
    args: { '<NAME>': 'name_catalogue_show' },
    load: async () => (await import('../app/catalogue.js')).catalogueShow,
  }),
  command({
    name: 'catalogue import',
    args: { '<FILE>': 'file_catalogue_import' },
    options: ['as', 'validFrom', 'yes'],
    load: async () => (await import('../app/catalogue.js')).catalogueImport,
  }),
  command({
    name: 'catalogue pull',
    options: [...JOURNAL, ...CALLS, 'yes'],
    load: async () => (await import('../app/catalogue.js')).cataloguePull,
  }),
  ...LAW_COMMANDS,
  command({
    name: 'schema list',
    load: async () => (await import('../app/schema.js')).schemaList,
  }),
  command({
    name: 'schema show',
    args: { '<NAME>': 'name_schema_show' },
    options: ['bundle', 'draft07', 'plain'],
    load: async () => (await import('../app/schema.js')).schemaShow,
  }),
  command({
    name: 'schema openapi',
    options: ['plain'],
    load: async () => (await import('../app/schema.js')).schemaOpenapi,
  }),
  ...JOURNAL_COMMANDS,
  command({
    name: 'completion',
    args: { '<SHELL>': 'shell' },
    load: async () => (await import('./completion.js')).completionOf(COMMANDS),
  }),
  command({
    name: 'demo',
    hidden: true,
    load: async () => (await import('../app/demo.js')).demo,
  }),
];
