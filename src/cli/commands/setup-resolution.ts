import type { Client } from '../../client/client.js';
import type { Checked } from '../../issues/issue.js';
import { stop } from '../../issues/pipeline-error.js';
import { clientFor } from '../client-for.js';
import type { Context, Run } from '../context.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Options } from '../options.js';
import { say } from '../say.js';
import { confirmed, isElsewhere, serviceAddress } from '../service.js';
import { configure } from '../setup/configure.js';
import { askStanding, rangeFaults, rangePlan } from '../setup/range-plan.js';
import { planAccepted, tellFaults } from '../setup/setup-plan.js';
import {
  type RecordedRange,
  readRecord,
  type SetupRecord,
  withRange,
  writeRecord,
} from '../setup/setup-record.js';
import { checkField, checkNumber, setupValue } from '../setup/setup-value.js';

const TYPES: Readonly<Record<string, 9 | 10>> = {
  payroll: 9,
  nomina: 9,
  nómina: 9,
  '9': 9,
  adjust: 10,
  ajuste: 10,
  '10': 10,
};
const EXPECTED = 'payroll | adjust';

function checkType(text: string): Checked<9 | 10> {
  const value = TYPES[text.trim().toLowerCase()];
  if (value !== undefined) return { value, issues: [] };
  const params = { option: '--document-type', expected: EXPECTED };
  return { issues: [{ code: 'run/bad-option', level: 'error', value: text, params, place: {} }] };
}

/** The range, from options or a person; the numbers are offered as most companies take them. */
async function gather(context: Context, options: Options, { ranges }: SetupRecord): Promise<RecordedRange> {
  const type = await setupValue(context, options, {
    option: '--document-type',
    given: options.documentType,
    question: 'askDocumentType',
    expected: EXPECTED,
    check: checkType,
  });
  const prefix = await setupValue(context, options, {
    option: '--prefix',
    given: options.prefix,
    question: 'askPrefix',
    expected: 'NI, NA …',
    check: checkField('payroll/resolution', 'prefix'),
  });
  const before = ranges.find((range) => range.type === type && range.prefix === prefix);
  const first = await setupValue(context, options, {
    option: '--first-number',
    given: options.firstNumber?.toString(),
    question: 'askFirstNumber',
    expected: 'N',
    known: String(before?.first ?? 1),
    check: checkNumber('payroll/resolution', 'from'),
  });
  const last = await setupValue(context, options, {
    option: '--last-number',
    given: options.lastNumber?.toString(),
    question: 'askLastNumber',
    expected: 'N',
    known: String(before?.last ?? 99_999_999),
    check: checkNumber('payroll/resolution', 'to'),
  });
  if (last <= first) stop('usage', { code: 'setup/bad-range', params: { first, last } });
  return { type, prefix, first, last };
}

/** One call of `setup resolution`. */
interface Registering {
  readonly context: Context;
  readonly options: Options;
  readonly url: URL;
  readonly record: SetupRecord;
  readonly range: RecordedRange;
}

/** Shows the plan with what the service says of now; without a client nobody is asked. */
async function accepted(
  { context, options, url, record, range }: Registering,
  client?: Client,
): Promise<boolean> {
  const { type, prefix } = range;
  const own = client && (await askStanding(client, type, prefix));
  const first = client && (await askStanding(client, type));
  const plan = rangePlan(context.language, options, range, { record, own, first });
  return planAccepted(context, options, { url, ...plan });
}

async function register(registering: Registering, client: Client): Promise<ExitCode> {
  const { context, options, record, range } = registering;
  const { type, prefix, first, last } = range;
  const alone = options.replaceAll === true;
  const body = {
    type_document_id: type,
    prefix,
    from: first,
    to: last,
    ...(alone && { delete_all_type_resolutions: true }),
  };
  const answer = await configure(client, 'configureResolution', body);
  await writeRecord(context, options, withRange(record, range, alone));
  if (options.json) context.terminal.out(JSON.stringify({ event: 'setup', what: 'resolution', ...range }));
  const faults = rangeFaults(context.language, range, answer);
  return tellFaults(context, options, faults, 'resolutionConfigured');
}

/** `cargue setup resolution`: adds or changes the range of one prefix, and leaves the others as they are. */
export const run: Run = async (context, _args, options) => {
  const { terminal, language } = context;
  const url = serviceAddress(context, options);
  terminal.say(say(language, 'introResolution'));
  const record = await readRecord(context, options);
  const range = await gather(context, options, record);
  const registering: Registering = { context, options, url, record, range };
  if (options.dryRun) {
    await accepted(registering);
    return EXIT.fine;
  }
  // Elsewhere nothing is asked before a yes.
  const mayAsk = say(language, 'askAskService', { url: url.origin });
  if (isElsewhere(url) && !(await confirmed(context, options, mayAsk))) {
    terminal.say(say(language, 'notConfigured'));
    return EXIT.fine;
  }
  const client = await clientFor(context, options, url);
  try {
    return (await accepted(registering, client)) ? await register(registering, client) : EXIT.fine;
  } finally {
    await client.close();
  }
};
