import type { JsonObject } from '../../values/json.js';
import {
  type Answer,
  type Call,
  type Effect,
  type Handler,
  ok,
  type Subject,
  type Topic,
} from '../answer.js';
import { isTrue } from '../members.js';
import { envelope, nested } from '../soap.js';
import type { Verdict } from '../verdict.js';
import type { Batch } from './book.js';
import type { PayrollContext } from './context.js';
import { dianResult, PENDING_RESULT, UNKNOWN_RESULT } from './dian-result.js';

/** P9 and P10: what DIAN says of a test-set send, and of any document by its CUNE. */

const ZIP = ['GetStatusZipResponse', 'GetStatusZipResult', 'DianResponse'];
const DOCUMENT = ['GetStatusResponse', 'GetStatusResult'];

interface Reply {
  readonly result: JsonObject;
  readonly effect: Effect;
}
const UNKNOWN: Reply = { result: UNKNOWN_RESULT, effect: 'answered' };

const answerOf = (
  call: Call,
  path: readonly string[],
  { result, effect }: Reply,
  more: JsonObject = {},
): Answer =>
  ok(
    {
      message: 'Consulta generada con éxito',
      ResponseDian: envelope(nested(path, result)),
      reqzip: '',
      rptazip: '',
      attacheddocument: '',
      ...more,
      certificate_days_left: call.company.certificateDaysLeft,
    },
    effect,
  );

/** Without `is_payroll` the invoice service is asked, which knows nothing of payrolls (service.md 4.10). */
const asksPayroll = ({ body }: Call): boolean => isTrue(body['is_payroll']);

const effectOf = (verdict: Verdict): Effect =>
  verdict.state === 'accepted' ? 'accepted' : verdict.state === 'rejected' ? 'rejected' : 'answered';

/** Whether the batch is still in process; counts the query. */
function inProcess(context: PayrollContext, subject: Subject, batch: Batch): boolean {
  const held = context.faults.take(subject, (fault) => fault.kind === 'pending-forever');
  if (batch.stuck === true || held !== undefined) return true;
  if (batch.polls >= context.settings.zipPolls) return false;
  context.book.saveBatch({ ...batch, polls: batch.polls + 1 });
  return true;
}

const topicOf = (key: string, batch: Batch | undefined): Topic => ({
  key,
  ...(batch !== undefined && { number: batch.number, worker: batch.worker }),
});

export function zipStatus(context: PayrollContext): Handler {
  const zipKeyOf = (call: Call): string => call.path['ZipKey'] ?? '';
  const batchOf = (call: Call): Batch | undefined => {
    const batch = context.book.batch(zipKeyOf(call));
    return batch?.company === call.company.nit ? batch : undefined;
  };
  const about = (call: Call): Topic => topicOf(zipKeyOf(call), batchOf(call));
  const reply = (call: Call, subject: Subject): Reply => {
    const batch = batchOf(call);
    if (batch === undefined || !asksPayroll(call)) return UNKNOWN;
    if (inProcess(context, subject, batch)) return { result: PENDING_RESULT, effect: 'pending' };
    // Only this query marks the service's row, and never that of a deletion (service.md 5.3).
    if (batch.verdict.state === 'accepted' && batch.kind !== 'delete') context.book.accept(batch.rowKey);
    return { result: dianResult(batch), effect: effectOf(batch.verdict) };
  };
  return { about, answer: (call, subject) => answerOf(call, ZIP, reply(call, subject)) };
}

export function documentStatus(context: PayrollContext): Handler {
  const cuneOf = (call: Call): string => call.path['CUNE'] ?? '';
  const batchOf = (call: Call): Batch | undefined => context.book.batchOf(call.company.nit, cuneOf(call));
  const about = (call: Call): Topic => topicOf(cuneOf(call), batchOf(call));
  const reply = (call: Call, subject: Subject): Reply => {
    if (!asksPayroll(call)) return UNKNOWN;
    const batch = batchOf(call);
    // A second sending within the same second has the same CUNE: its own rejection says nothing of the document.
    if (batch === undefined || batch.verdict.state === 'rejected') {
      const known = archived(context, call, cuneOf(call));
      if (known !== undefined && batch !== undefined && 'sendmail' in call.body)
        context.book.accept(batch.rowKey);
      if (known !== undefined) return known;
    }
    if (batch === undefined) return UNKNOWN;
    if (inProcess(context, subject, batch))
      return { result: { ...PENDING_RESULT, StatusCode: '98' }, effect: 'pending' };
    // The key alone, even false, makes the service mark its own row (service.md 4.10).
    if (batch.verdict.state === 'accepted' && 'sendmail' in call.body) context.book.accept(batch.rowKey);
    return { result: dianResult(batch), effect: effectOf(batch.verdict) };
  };
  return {
    about,
    answer: (call, subject) => answerOf(call, DOCUMENT, reply(call, subject), { cufecude: cuneOf(call) }),
  };
}

/** What DIAN says of a document that it has accepted; undefined when it has none of that CUNE. */
function archived({ archive }: PayrollContext, { company }: Call, cune: string): Reply | undefined {
  const document = archive.byCune({ company: company.nit, environment: company.environment }, cune);
  if (document === undefined) return undefined;
  const verdict: Verdict = { state: 'accepted', findings: [], documentKey: cune };
  return {
    result: dianResult({ kind: document.kind, number: document.number, verdict }),
    effect: 'answered',
  };
}
